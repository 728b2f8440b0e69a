/**
 * The text of a tool as parts. Planning writes, merges and configures parts;
 * `descriptions/print.ts` alone turns them into the description.
 */
import type { CallExample } from "../../configuration/types.js";

/** Phrase that stands for an input in a purpose: `status`, or `ID` of `petId`. */
export interface InputPhrase {
  readonly input: string;
  readonly phrase: string;
}

/** Purpose of a tool that reads one thing by its ID, or several by filters. */
export interface FindPurpose {
  readonly verb: string;
  /** Plural noun in words; empty for names of one word. */
  readonly noun: string;
  /** IDs that select one thing. */
  readonly ids: readonly InputPhrase[];
  /** All filters; the sentence names the first. */
  readonly filters: readonly InputPhrase[];
}

/** First sentence of a description: a sentence, or the facts that make one. */
export type Purpose = string | FindPurpose;

/** Inputs that choose one operation of a tool. */
export interface Condition {
  /** Provided inputs. */
  readonly given: readonly string[];
  /** Omitted inputs, which would choose another operation. */
  readonly omitted: readonly string[];
}

/** Text about all operations of a tool, or about the one that a condition chooses. */
export interface Detail {
  readonly text: string;
  readonly condition?: Condition;
}

/** A limit of the calls that the API accepts. */
export type Limit =
  | string
  /** Sets of inputs of which one is needed. */
  | { readonly oneOf: readonly (readonly string[])[] }
  /** Optional inputs of which some are needed. */
  | { readonly atLeast: number; readonly inputs: readonly string[] };

/** Another tool, and the case in which it is the right one. */
export interface Alternative {
  readonly tool: string;
  /** `For one of them`, or the inputs that only one of the two tools requires. */
  readonly when: string | { readonly word: "With" | "Without"; readonly inputs: readonly string[] };
}

/** Side effect that the document states. */
export type StatedEffect = "replacesAll" | "isIrreversible";

/** Parts of a tool's text, in the order in which they are printed. */
export interface ToolText {
  /** What the tool does, in one sentence. */
  readonly purpose: Purpose;
  /** The document's text after its first sentence. It is shortened first. */
  readonly details: readonly Detail[];
  /** `Use when …` of the configuration. */
  readonly useWhen?: string;
  /** `Not for …` of the configuration. */
  readonly notFor?: string;
  /** What users say, with the calls that answer it, of the configuration. */
  readonly examples?: readonly CallExample[];
  /** Steps of a workflow. */
  readonly steps?: string;
  readonly limits: readonly Limit[];
  /** What the tool returns: `items with id and name`. */
  readonly result: readonly string[];
  /** Code blocks and tables of the document that the details lack. Only whole texts have them. */
  readonly quotes?: readonly string[];
  /** True if the configuration wrote the purpose and the details in place of the document. */
  readonly isConfigured?: true;
  /** Sentence about the error codes. */
  readonly errors?: string;
  readonly effects: readonly StatedEffect[];
  readonly isDeprecated: boolean;
  /** True if the server asks the user before it sends the request, as configured. */
  readonly asksUser?: boolean;
  readonly alternatives: readonly Alternative[];
  /** Reads the changed thing: the response has nothing, or only if it turns out to have nothing. */
  readonly readsBack?: "always" | "ifEmpty";
  /** Waits for work that the call starts: the seconds at most, or true for those of the server. */
  readonly job?: true | number;
  /** Items that are collected from several pages, at most. */
  readonly collectedItems?: number;
}

/** Text of a purpose alone. */
export const purposeOnly = (purpose: Purpose): ToolText => ({
  purpose,
  details: [],
  limits: [],
  result: [],
  effects: [],
  isDeprecated: false,
  alternatives: [],
});

/** Changes the texts that the document or the configuration wrote. */
export function mapWrittenText(text: ToolText, change: (written: string) => string): ToolText {
  const { purpose } = text;
  return {
    ...text,
    purpose: typeof purpose === "string" ? change(purpose) : purpose,
    details: text.details.flatMap((detail) => {
      const changed = change(detail.text);
      return changed === "" ? [] : [{ ...detail, text: changed }];
    }),
  };
}

/** Texts that the document or the configuration wrote. */
export const writtenTexts = ({ purpose, details }: ToolText): readonly string[] => [
  ...(typeof purpose === "string" ? [purpose] : []),
  ...details.map(({ text }) => text),
];

/** Removes an input that callers no longer provide. */
export function withoutInput(text: ToolText, name: string): ToolText {
  return mapInputs(text, (input) => (input === name ? undefined : { input }));
}

/** Renames an input; `phrase` stands for it in a purpose. */
export function renameTextInput(
  text: ToolText,
  from: string,
  to: string,
  phrase: string,
): ToolText {
  return mapInputs(text, (input) => (input === from ? { input: to, phrase } : { input }));
}

type InputChange = (
  input: string,
) => { readonly input: string; readonly phrase?: string } | undefined;

function mapInputs(text: ToolText, change: InputChange): ToolText {
  const names = (inputs: readonly string[]): readonly string[] =>
    inputs.flatMap((input) => change(input)?.input ?? []);
  return {
    ...text,
    purpose: mapPurpose(text.purpose, change),
    details: text.details.map((detail) => ({
      ...detail,
      ...(detail.condition && {
        condition: {
          given: names(detail.condition.given),
          omitted: names(detail.condition.omitted),
        },
      }),
    })),
    limits: text.limits.flatMap((limit) => mapLimit(limit, names)),
    alternatives: text.alternatives.map((alternative) =>
      typeof alternative.when === "string"
        ? alternative
        : { ...alternative, when: { ...alternative.when, inputs: names(alternative.when.inputs) } },
    ),
  };
}

function mapPurpose(purpose: Purpose, change: InputChange): Purpose {
  if (typeof purpose === "string") return purpose;
  const phrases = (list: readonly InputPhrase[]): readonly InputPhrase[] =>
    list.flatMap(({ input, phrase }) => {
      const changed = change(input);
      return changed ? [{ phrase, ...changed }] : [];
    });
  return { ...purpose, ids: phrases(purpose.ids), filters: phrases(purpose.filters) };
}

function mapLimit(
  limit: Limit,
  names: (inputs: readonly string[]) => readonly string[],
): readonly Limit[] {
  if (typeof limit === "string") return [limit];
  if ("atLeast" in limit) return [{ ...limit, inputs: names(limit.inputs) }];
  const sets = limit.oneOf.map(names);
  return sets.some((inputs) => inputs.length === 0) ? [] : [{ oneOf: sets }];
}
