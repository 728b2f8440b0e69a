/** Tools whose calls choose one of several operations by the value of an input. */
import type { JsonSchema } from "../../json.js";
import type { ToolEffect } from "../../runtime/types.js";
import { cleanProse } from "../descriptions/prose.js";
import { writeToolText } from "../descriptions/tool.js";
import { toSentenceCase } from "../names/format-name.js";
import { operationLabel, operationRef } from "../operations/identity.js";
import type { ToolText } from "../text/parts.js";
import { joinWithAnd, joinWithOr, appendSentences } from "../text/sentences.js";
import type { PlannedTask, ToolContext } from "../tool-context.js";
import { annotateAll, identifierFor, requestMapping, withoutNamespace } from "../tool.js";
import type { PlannedInput } from "../types.js";
import { choiceOutput } from "./choice-tool.js";
import { agentText } from "./find-description.js";
import { mergedInputSchema } from "./find-tool.js";
import type { MergedInput, MergedInputs } from "./merge-inputs.js";
import { inputNames, type Member, requiredNames } from "./variants.js";

/** Operations of one tool, with the values of the input that chooses them. */
export interface ActionMerge {
  /** Name of the input. */
  readonly input: string;
  readonly actions: readonly Action[];
  readonly inputs: MergedInputs;
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
  const { input, actions } = merge;
  const operations = actions.map(({ member }) => member.request.classified);
  const texts = actionTexts(merge, withoutNamespace(name, context), context);
  const output = choiceOutput(operations, context);
  const returns = output && context.describeOutput(output);
  const inputs = [
    choiceInput(merge, texts),
    ...merge.inputs.inputs.map((merged) => describeInput(merged, merge)),
  ];
  return {
    tool: {
      definition: {
        name,
        title: toSentenceCase(withoutNamespace(name, context).split("_")),
        description: "",
        annotations: annotateAll(operations),
        inputSchema: mergedInputSchema(inputs, merge.inputs.defs),
        ...(output && { outputSchema: output.schema }),
        operations: actions.map(({ value, member }) => ({
          whenProvided: [input],
          choice: { input, value, required: ownRequired(member, merge) },
          request: requestMapping(member.request, context),
          response: output?.wrap ? { wrap: output.wrap } : {},
        })),
        ...effectOf(operations.map(({ effects }) => effects.effect)),
      },
      text: { ...combinedText(merge, texts), result: returns === undefined ? [] : [returns] },
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
  const noun = name.split("_").slice(1);
  return actions.map(({ value, member }) => {
    const { operation, effects } = member.request.classified;
    const { summary, description } = agentText(operation, link);
    return writeToolText({
      name: [value.toLowerCase().replace(/[^a-z0-9]+/g, "_"), ...noun].join("_"),
      effects,
      summary: cleanProse(summary),
      description,
      deprecated: operation.deprecated,
    });
  });
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

/** Purposes that differ in their first word become one: `Start, stop or restart an app.` */
function combinedText({ input, actions }: ActionMerge, texts: readonly ToolText[]): ToolText {
  const purposes = texts.map(purposeOf);
  const joined = joinVerbs(purposes);
  const [first, ...others] = purposes;
  const valueOf = (i: number): string => `With ${input} ${actions[i]?.value}`;
  const remaining = joined === undefined ? others.map((one, i) => `${valueOf(i + 1)}: ${one}`) : [];
  const details = texts.flatMap((text, i) =>
    text.details.map((detail) => ({ ...detail, text: `${valueOf(i)}: ${detail.text}` })),
  );
  return {
    purpose: joined ?? first ?? "",
    details: [...remaining.map((text) => ({ text })), ...details],
    limits: [],
    result: [],
    effects: [...new Set(texts.flatMap(({ effects }) => effects))],
    isDeprecated: texts.every(({ isDeprecated }) => isDeprecated),
    alternatives: [],
  };
}

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
