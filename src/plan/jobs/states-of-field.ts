/** The states that the schema of a field has, or its text. */
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { normalizeState } from "../../language/state-words.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import {
  type NamedState,
  namedStates,
  sortStates,
  type States,
  type WorkEvidence,
} from "./sort-states.js";

export function statesOf(
  field: AnySchema,
  schemas: Schemas,
  evidence: WorkEvidence,
): States | undefined {
  if (!isObject(field)) return undefined;
  const target = resolveSchema(schemas, field as JsonSchema);
  const values = valuesOf(target, schemas);
  if (values.length > 0) return sortStates(namedStates(values), evidence);
  const { description = "" } = { ...target, ...(field as JsonSchema) };
  const types = typesOf(target);
  if (types.includes("integer"))
    return sortStates(numberedStates(target, `${description}`), evidence);
  if (!types.includes("string")) return undefined;
  const { words, isQuoted } = wordsOf(String(description));
  return sortStates(namedStates(words), evidence, !isQuoted);
}

/** Numbers with the words that the document has for them: `0: idle, 1: running`. */
function numberedStates(schema: JsonSchema, description: string): readonly NamedState[] {
  const listed = [
    ...description
      .slice(0, MAX_TEXT)
      .matchAll(
        /(?<!\d)(\d{1,3})["'`*]{0,3}\s{0,4}[=:–-]{1,3}\s{0,4}["'`*]{0,3}([a-z][\w ]{0,60})/gi,
      ),
  ];
  const entries = listed.map(([, value, word]) => [value!, word!] as const);
  return (enumNames(schema) ?? entries).map(([value, word]) => ({
    value: Number(value),
    words: normalizeState(`${word}`),
  }));
}

/** Extensions with the names of the values of an enum, in their order. */
const ENUM_NAMES = ["x-enum-varnames", "x-enumNames", "x-enum-names", "x-enum-descriptions"];

/** Names of numbers by extensions of the schema. */
function enumNames(schema: JsonSchema): readonly (readonly [string, unknown])[] | undefined {
  const meanings = schema["x-enum-meanings"];
  if (isObject(meanings)) return Object.entries(meanings);
  const values = schema.enum ?? [];
  const names = ENUM_NAMES.map((key) => schema[key]).find(
    (list) => Array.isArray(list) && list.length === values.length,
  ) as readonly unknown[] | undefined;
  return names?.map((name, i) => [String(values[i]), name] as const);
}

/** Values of an enum, also of one that may grow, and of alternatives that are enums or constants. */
export function valuesOf(schema: JsonSchema, schemas: Schemas): readonly string[] {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const inner = parts.flatMap((part) =>
    isObject(part) ? valuesOf(resolveSchema(schemas, part as JsonSchema), schemas) : [],
  );
  const extensible = schema["x-extensible-enum"];
  const known = Array.isArray(extensible) ? (extensible as readonly unknown[]) : [];
  const own = "const" in schema ? [schema.const] : (schema.enum ?? known);
  return [...own, ...inner].filter((value) => typeof value === "string");
}

/** Maximum length of a description that is read. */
const MAX_TEXT = 1_000;

/** Maximum number of words of a state in a description. */
const MAX_WORDS = 3;

/** States that a description lists: quoted, or separated by commas and `or`. */
export function wordsOf(description: string): {
  readonly words: readonly string[];
  readonly isQuoted: boolean;
} {
  const text = description.slice(0, MAX_TEXT);
  const quoted = [...text.matchAll(/[`'"“*]{1,2}([A-Za-z][\w -]{1,24})[`'"”*]{1,2}/g)];
  const listed = text.split(/[,;|/\n:.()•]|\bor\b|\band\b/);
  const isQuoted = quoted.length >= 3;
  const found = isQuoted ? quoted.map(([, word]) => word!) : listed;
  const isState = (word: string): boolean => word !== "" && word.split(/\s+/).length <= MAX_WORDS;
  const words = [...new Set(found.map((word) => word.trim()).filter(isState))];
  return { words, isQuoted };
}
