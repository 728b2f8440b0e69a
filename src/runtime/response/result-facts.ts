/**
 * Facts about a result beside its data: notes, and values such as the inputs of the next page.
 * Hosts show a model the text or the structured content, so that both have all of them.
 */
import { propertiesOf, targetOf } from "../schema/subschemas.js";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { isObject } from "../data/values.js";
import type { JsonSchema } from "../types.js";
import { mapStrings, sanitize } from "./shape.js";

/** Facts about a result. */
export interface ResultFacts {
  /** Sentences. */
  readonly notes?: readonly (string | undefined)[];
  /** Sentences that the text has already, apart from notes. */
  readonly textNotes?: readonly string[];
  /** Values of the structured result, by key. The notes state those that the data lacks. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Further content, such as links. */
  readonly blocks?: readonly ContentBlock[];
}

/** All facts of both, if there are any. */
export function mergeFacts(
  one: ResultFacts | undefined,
  other: ResultFacts | undefined,
): ResultFacts | undefined {
  if (!one || !other) return one ?? other;
  return {
    notes: [...(one.notes ?? []), ...(other.notes ?? [])],
    textNotes: [...(one.textNotes ?? []), ...(other.textNotes ?? [])],
    values: { ...one.values, ...other.values },
    blocks: [...(one.blocks ?? []), ...(other.blocks ?? [])],
  };
}

/** A result, with the key of the notes in its structured content. */
export interface NotedResult {
  readonly result: CallToolResult;
  /** Absent without notes. */
  readonly notesKey?: string;
}

/**
 * Adds facts to the text of a result, and to its structured content if there is any. A key that the
 * data or the output schema has is not used: `notes` becomes `resultNotes`.
 */
export function addFacts(
  { result, notesKey }: NotedResult,
  facts: ResultFacts,
  outputSchema: JsonSchema | undefined,
): NotedResult {
  const notes = (facts.notes ?? []).filter((note) => note !== undefined).map(sanitize);
  const lines = notes.map((note) => ({ type: "text" as const, text: `Note: ${note}` }));
  const content = [...result.content, ...lines, ...(facts.blocks ?? [])];
  const structured = result.structuredContent;
  if (!isObject(structured)) return { result: { ...result, content } };
  const withValues = addValues(structured, facts.values ?? {}, outputSchema);
  const sentences = [...(facts.textNotes ?? []), ...notes];
  const earlier = notesKey === undefined ? undefined : structured[notesKey];
  const hasEarlier = notesKey !== undefined && Array.isArray(earlier);
  const chosen = new KeyChoice(structured, outputSchema).choose("notes");
  const key = hasEarlier ? notesKey : sentences.length > 0 ? chosen : undefined;
  if (key === undefined) return { result: { ...result, content, structuredContent: withValues } };
  const all = [...(hasEarlier ? (earlier as readonly string[]) : []), ...sentences];
  const structuredContent = { ...withValues, [key]: all };
  return { result: { ...result, content, structuredContent }, notesKey: key };
}

/** Adds a note to a result, unless it is an error. */
export function addResultNote<Result extends NotedResult>(
  outcome: Result,
  note: string,
  outputSchema: JsonSchema | undefined,
): Result {
  if (outcome.result.isError) return outcome;
  return { ...outcome, ...addFacts(outcome, { notes: [note] }, outputSchema) };
}

/** Adds values to structured content, under keys that neither it nor its schema has. */
export function addValues(
  structured: Record<string, unknown>,
  values: Readonly<Record<string, unknown>>,
  outputSchema: JsonSchema | undefined,
): Record<string, unknown> {
  const keys = new KeyChoice(structured, outputSchema);
  const entries = Object.entries(values).flatMap(([name, value]) => {
    const key = value === undefined ? undefined : keys.choose(name);
    return key === undefined ? [] : [[key, mapStrings(value, sanitize)] as const];
  });
  return entries.length === 0 ? structured : { ...structured, ...Object.fromEntries(entries) };
}

/** Keywords of a root that may refuse further properties. */
const CLOSING = (
  "additionalProperties unevaluatedProperties propertyNames patternProperties " +
  "maxProperties allOf anyOf oneOf not $ref"
).split(" ");

/** A root that is a reference, replaced by its target. */
function withoutRef(schema: JsonSchema): JsonSchema {
  const { $ref, ...rest } = schema;
  const target = targetOf($ref, schema);
  return target ? { ...target, ...rest } : schema;
}

/** Chooses keys for facts that neither the data nor the output schema has. */
class KeyChoice {
  private readonly declared: object;
  private readonly isOpen: boolean;

  constructor(
    private readonly data: object,
    schema: JsonSchema = {},
  ) {
    const root = withoutRef(schema);
    this.declared = propertiesOf(root);
    this.isOpen = CLOSING.every((keyword) => [undefined, true].includes(root[keyword] as true));
  }

  /** The key of a fact; `undefined` if the output schema allows no further properties. */
  choose(name: string): string | undefined {
    if (!this.isOpen) return undefined;
    const isTaken = (key: string): boolean =>
      Object.hasOwn(this.data, key) || Object.hasOwn(this.declared, key);
    if (!isTaken(name)) return name;
    let key = `result${name[0]!.toUpperCase()}${name.slice(1)}`;
    while (isTaken(key)) key += "_";
    return key;
  }
}
