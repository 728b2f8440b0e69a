/** Tools whose calls choose one of several operations by the value of an input. */
import { groupBy, pushTo } from "../../groups.js";
import { isSameJson, type JsonSchema } from "../../json.js";
import { effectOfVerb } from "../../language/verb-effects.js";
import type { ToolEffect } from "../../runtime/types.js";
import { toImperativeSentence } from "../descriptions/opening.js";
import { cleanProse } from "../descriptions/prose.js";
import { writeToolText } from "../descriptions/tool.js";
import { toSentenceCase } from "../names/format-name.js";
import { operationLabel, operationRef } from "../operations/identity.js";
import { fieldsOf } from "../outputs/payload.js";
import type { OutputPlan } from "../outputs/plan-output.js";
import { nextPageSentence } from "../pagination/follow-pages.js";
import { resolveSchema } from "../schemas/refs.js";
import type { Detail, ToolText } from "../text/parts.js";
import {
  joinWithAnd,
  joinWithOr,
  appendSentences,
  sentencesOf,
  splitSentence,
} from "../text/sentences.js";
import type { PlannedTask, ToolContext } from "../tool-context.js";
import { annotateAll, identifierFor, requestMapping, withoutNamespace } from "../tool.js";
import type { PlannedInput } from "../types.js";
import { choiceOutput } from "./choice-tool.js";
import { agentText } from "./find-description.js";
import { buildOperation, type FindResult, mergedInputSchema } from "./find-tool.js";
import { responseSchema } from "./find.js";
import type { MergedInput, MergedInputs } from "./merge-inputs.js";
import { inputNames, type Member, requiredNames } from "./variants.js";

/** Operations of one tool, with the values of the input that chooses them. */
export interface ActionMerge {
  /** Name of the input. */
  readonly input: string;
  readonly actions: readonly Action[];
  readonly inputs: MergedInputs;
  /** Result of operations that all read lists, and the words of their items in the tool's name. */
  readonly result?: FindResult & { readonly words: readonly string[] };
}

interface Action {
  readonly value: string;
  readonly member: Member;
}

/** Builds the tool. Its annotations are those of the most dangerous operation. */
export function buildActionTool(
  merge: ActionMerge,
  name: string,
  toolset: string,
  context: ToolContext,
): PlannedTask {
  const { input, actions, result } = merge;
  const operations = actions.map(({ member }) => member.request.classified);
  const own = withoutNamespace(name, context);
  const texts = actionTexts(merge, own, context);
  const output = result?.output ?? choiceOutput(operations, context);
  const returns = output && describeResult(merge, output, context);
  const inputs = [
    choiceInput(merge, texts),
    ...merge.inputs.inputs.map((merged) => describeInput(withNextPage(merged, merge), merge)),
  ];
  return {
    tool: {
      definition: {
        name,
        title: toSentenceCase(own.split("_")),
        description: "",
        annotations: annotateAll(operations),
        inputSchema: mergedInputSchema(inputs, merge.inputs.defs),
        ...(output && { outputSchema: output.schema }),
        operations: actions.map(({ value, member }) => ({
          ...(result
            ? buildOperation(member, [input], result, context)
            : {
                whenProvided: [input],
                request: requestMapping(member.request, context),
                response: output?.wrap ? { wrap: output.wrap } : {},
              }),
          choice: { input, value, required: ownRequired(member, merge) },
        })),
        ...effectOf(operations.map(({ effects }) => effects.effect)),
      },
      text: { ...combinedText(merge, texts, own), result: returns === undefined ? [] : [returns] },
      toolset,
      identifier: identifierFor(name, context),
      inputs: inputs.map((one) => one.input),
      ...(output && { output: output.resultSchema }),
      operations: operations.map(({ operation }) => operationRef(operation)),
      effects: operations.map(({ effects }) => effects),
      reasons: [
        `Merges ${operations.map(operationLabel).join(", ")} by ${input}, as configured.`,
        ...new Set(actions.flatMap(({ member }) => member.request.inputs.reasons)),
      ],
    },
    requests: actions.map(({ member }) => member.request),
  };
}

/** Inputs that an operation requires in addition to those of all. */
function ownRequired(member: Member, { inputs }: ActionMerge): readonly string[] {
  const common = new Set(
    inputs.inputs.flatMap(({ input }) => (input.required ? [input.name] : [])),
  );
  return requiredNames(member).filter((name) => !common.has(name));
}

/** Effects, the least dangerous first. */
const EFFECTS: readonly ToolEffect[] = [
  "reads",
  "adds",
  "changes",
  "starts",
  "sends",
  "removes",
  "destroys",
];

/** The most dangerous of several effects. */
function effectOf(effects: readonly ToolEffect[]): {
  readonly effect?: Exclude<ToolEffect, "reads">;
} {
  const [effect] = effects.toSorted((a, b) => EFFECTS.indexOf(b) - EFFECTS.indexOf(a));
  return effect === undefined || effect === "reads" ? {} : { effect };
}

/** The text of each operation alone, by its value: that of `start` is the text of `start_app`. */
function actionTexts(
  { actions }: ActionMerge,
  name: string,
  { crossReferences: { link } }: ToolContext,
): readonly ToolText[] {
  return actions.map(({ value, member }) => {
    const { operation, effects } = member.request.classified;
    const { summary, description } = agentText(operation, link);
    const ownName = nameOfAction(value, name, effects.isReadOnly);
    const text = writeToolText({
      name: ownName,
      effects,
      summary: cleanProse(summary),
      description,
      deprecated: operation.deprecated,
    });
    return ownName === name ? withStatedPurpose(text, purposeFromName(name)) : text;
  });
}

/** Opens with the document's first sentence about the action instead of the tool's name. */
function withStatedPurpose(text: ToolText, fromName: string): ToolText {
  const [first, ...others] = text.details;
  if (text.purpose !== fromName || !first) return text;
  const [purpose, rest] = splitSentence(first.text);
  if (toImperativeSentence(purpose) === undefined) return text;
  return { ...text, purpose, details: [...(rest === "" ? [] : [{ text: rest }]), ...others] };
}

/** A value that is a verb takes the noun of the tool. Any other value keeps the tool's verb. */
function nameOfAction(value: string, name: string, isReadOnly: boolean): string {
  const [verb = "", ...words] = value.toLowerCase().split(/[^a-z0-9]+/);
  const effect = effectOfVerb(verb);
  const isVerb = effect !== undefined && (effect === "reads" || !isReadOnly);
  return isVerb ? [verb, ...words, ...name.split("_").slice(1)].join("_") : name;
}

const purposeOf = ({ purpose }: ToolText): string => (typeof purpose === "string" ? purpose : "");

/** The input that chooses the operation. It states what each value does and needs. */
function choiceInput(merge: ActionMerge, texts: readonly ToolText[]): MergedInput {
  const { input: name, actions } = merge;
  const sentences = actions.map(({ value, member }, i) => {
    const needed = ownRequired(member, merge);
    const purpose = purposeOf(texts[i] as ToolText).replace(/\.$/, "");
    return `${value}: ${purpose}${needed.length > 0 ? `; needs ${joinWithAnd(needed)}` : ""}.`;
  });
  const type: JsonSchema = { type: "string", enum: actions.map(({ value }) => value) };
  const description = sentences.join(" ");
  const input: PlannedInput = { name, description, required: true, type };
  return { input, schema: { ...type, description } };
}

/** Adds to an input the values with which it is used or needed, unless all operations have it. */
function describeInput(merged: MergedInput, merge: ActionMerge): MergedInput {
  const { input, schema } = merged;
  const valuesOf = (test: (member: Member) => boolean): readonly string[] =>
    merge.actions.filter(({ member }) => test(member)).map(({ value }) => value);
  const used = valuesOf((member) => inputNames(member).includes(input.name));
  const needed = valuesOf((member) => ownRequired(member, merge).includes(input.name));
  const isForAll = used.length === merge.actions.length;
  if (isForAll && needed.length === 0) return merged;
  const needs = needed.length > 0 ? `Required with ${merge.input} ${joinWithOr(needed)}.` : "";
  const uses =
    isForAll || needed.length === used.length
      ? ""
      : `Only with ${merge.input} ${joinWithOr(used)}.`;
  const description = appendSentences(input.description, [needs, uses].filter(Boolean).join(" "));
  return { input: { ...input, description }, schema: { ...schema, description } };
}

/** States for an input that the result has its value for the next page. */
function withNextPage(merged: MergedInput, { result }: ActionMerge): MergedInput {
  const { input, schema } = merged;
  if (!result?.nextInputs.has(input.name)) return merged;
  const description = appendSentences(input.description, nextPageSentence(input.name));
  return { input: { ...input, description }, schema: { ...schema, description } };
}

/**
 * Names the content of the result: the fields that the results of all operations have. The others
 * depend on the value.
 */
function describeResult(
  { input, actions, result }: ActionMerge,
  output: OutputPlan,
  { schemas, describeOutput }: ToolContext,
): string | undefined {
  const contents = actions.map(({ member }) =>
    result ? member.envelope.item : responseSchema(member.request.classified),
  );
  const [first] = contents;
  const hasOneForm = contents.every((one) => isSameJson(one ?? {}, first ?? {}));
  if (!result && (hasOneForm || output.wrap)) return describeOutput(output);
  const fields = contents.map((one) => fieldsOf(resolveSchema(schemas, one ?? {}), schemas));
  const common = hasOneForm
    ? first
    : {
        type: "object",
        properties: Object.fromEntries(
          [...(fields[0] ?? [])].filter(([name]) => fields.every((one) => one.has(name))),
        ),
      };
  const described = describeOutput({
    ...withoutListName(output),
    ...(result
      ? { subject: result.words, responseSchema: { type: "array", items: common } }
      : { responseSchema: common }),
  } as OutputPlan);
  if (hasOneForm) return described;
  return described && `${described}; other fields depend on ${input}`;
}

const withoutListName = ({ listName: _, ...output }: OutputPlan): OutputPlan => output;

/**
 * The text of all operations: their purposes as one if they differ in the verb alone (`Start, stop
 * or restart an app.`), else that of the tool's name. The input that chooses has each purpose.
 */
function combinedText(merge: ActionMerge, texts: readonly ToolText[], name: string): ToolText {
  const purposes = texts.map(purposeOf);
  return {
    ...writeToolText({ name, summary: "", deprecated: false }),
    purpose: joinVerbs(purposes) ?? purposeFromName(name),
    details: joinDetails(merge, texts),
    effects: [...new Set(texts.flatMap(({ effects }) => effects))],
    isDeprecated: texts.every(({ isDeprecated }) => isDeprecated),
  };
}

const purposeFromName = (name: string): string =>
  purposeOf(writeToolText({ name, summary: "", deprecated: false }));

/** Texts that several operations have, once, each with the values for which it holds. */
function joinDetails(
  { input, actions }: ActionMerge,
  texts: readonly ToolText[],
): readonly Detail[] {
  const valuesOf = new Map<string, string[]>();
  texts.forEach(({ details }, i) => {
    for (const part of new Set(details.flatMap(({ text }) => partsOf(text))))
      pushTo(valuesOf, part, actions[i]?.value ?? "");
  });
  const groups = groupBy([...valuesOf.keys()], (part) => joinWithOr(valuesOf.get(part) ?? []));
  const details = [...groups].map(([values, parts]) => ({
    isForAll: valuesOf.get(parts[0] as string)?.length === actions.length,
    values,
    text: parts.join(" "),
  }));
  const shared = details.filter(({ isForAll }) => isForAll).map(({ text }) => ({ text }));
  const others = details
    .filter(({ isForAll }) => !isForAll)
    .map(({ values, text }) => ({ text: `With ${input} ${values}: ${text}` }));
  return [...shared, ...others];
}

/** Sentences of a text, each with those after it that refer to it. */
function partsOf(text: string): readonly string[] {
  return sentencesOf(text).reduce<readonly string[]>(
    (parts, sentence) =>
      parts.length > 0 && REFERRING.test(sentence)
        ? [...parts.slice(0, -1), `${parts.at(-1)} ${sentence}`]
        : [...parts, sentence],
    [],
  );
}

const REFERRING =
  /^(?:also|and|but|else|for example|he|however|in (?:that|this) case|it|its|otherwise|so|that|the (?:former|latter)|then|there|therefore|these|they|this|those|thus)\b/i;

function joinVerbs(purposes: readonly string[]): string | undefined {
  const parts = purposes.map((purpose) => /^([A-Za-z]+) (.+)$/s.exec(purpose));
  const rests = new Set(parts.map((part) => part?.[2]));
  const [rest] = rests;
  if (rests.size !== 1 || rest === undefined) return undefined;
  const verbs = [
    ...new Set(parts.map((part, i) => (i === 0 ? part?.[1] : part?.[1]?.toLowerCase()))),
  ];
  return `${joinWithOr(verbs as readonly string[])} ${rest}`;
}
