/** Text of a tool whose calls choose one of several operations by the value of an input. */
import { groupBy, pushTo } from "../../groups.js";
import { isSameJson } from "../../json.js";
import { effectOfVerb } from "../../language/verb-effects.js";
import { toImperativeSentence } from "../descriptions/opening.js";
import { cleanProse } from "../descriptions/prose.js";
import { writeToolText } from "../descriptions/tool.js";
import { fieldsOf } from "../outputs/payload.js";
import type { OutputPlan } from "../outputs/plan-output.js";
import { resolveSchema } from "../schemas/refs.js";
import type { Detail, ToolText } from "../text/parts.js";
import { joinWithOr, sentencesOf, splitSentence } from "../text/sentences.js";
import type { ToolContext } from "../tool-context.js";
import { agentText } from "./find-description.js";
import type { FindResult } from "./find-tool.js";
import { responseSchema } from "./find.js";
import type { MergedInputs } from "./merge-inputs.js";
import type { Member } from "./variants.js";

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

/** The text of each operation alone, by its value: that of `start` is the text of `start_app`. */
export function actionTexts(
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

export const purposeOf = ({ purpose }: ToolText): string =>
  typeof purpose === "string" ? purpose : "";

/**
 * The text of all operations: their purposes as one if they differ in the verb alone (`Start, stop
 * or restart an app.`), else that of the tool's name. The input that chooses has each purpose.
 */
export function combinedText(
  merge: ActionMerge,
  texts: readonly ToolText[],
  name: string,
): ToolText {
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

/**
 * Names the content of the result: the fields that the results of all operations have. The others
 * depend on the value.
 */
export function describeResult(
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
