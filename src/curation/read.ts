import { Validator, type OutputUnit } from "@cfworker/json-schema";
import { LineCounter, parseDocument, isMap, isScalar, type Document } from "yaml";
import schema from "../../mcp-gen.schema.json" with { type: "json" };
import { diagnostic, didYouMean, type Diagnostic, type Place } from "../diagnostics/index.js";
import { pointerTo, unescapeToken } from "../json.js";
import type { Curation } from "./types.js";
import { wordsFor } from "./words.js";

export interface ReadCuration {
  readonly curation?: Curation;
  /** Place of any key of the file, by its path of keys: `["tools", "find_pets"]`. */
  readonly placeOf: (path: readonly (string | number)[]) => Place;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads `mcp-gen.yaml` and checks it against its JSON Schema.
 * @param text the file's text (YAML 1.2 or JSON)
 * @param file its name, for places
 * @returns the curation, or an error for each fault with line, column and the nearest right word
 */
export function readCuration(text: string, file: string): ReadCuration {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: true,
    prettyErrors: false,
  });
  const placeOf = (path: readonly (string | number)[]): Place =>
    locate(document, lines, file, path);
  const syntax = document.errors.map((error) => {
    const { line, col } = lines.linePos(error.pos[0]);
    return diagnostic("curation-syntax", `Not valid YAML: ${error.message}`, {
      file,
      pointer: "#",
      line,
      column: col,
    });
  });
  if (syntax.length > 0) return { placeOf, diagnostics: syntax };
  const { value, problem } = valueOf(document);
  if (problem !== undefined)
    return {
      placeOf,
      diagnostics: [diagnostic("curation-syntax", `Not valid YAML: ${problem}`, placeOf([]))],
    };
  const faults = check(value, placeOf);
  return faults.length > 0
    ? { placeOf, diagnostics: faults }
    : { curation: value as Curation, placeOf, diagnostics: [] };
}

/**
 * Aliases without an anchor, and those that expand to too much, show only when they are followed.
 */
function valueOf(document: Document.Parsed): {
  readonly value?: unknown;
  readonly problem?: string;
} {
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) as unknown };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function check(
  value: unknown,
  placeOf: (path: readonly (string | number)[]) => Place,
): Diagnostic[] {
  const { errors } = new Validator(schema as object, "2020-12", false).validate(value);
  const leaves = errors.filter(
    (error) => !errors.some((other) => other !== error && isBelow(other, error)),
  );
  return leaves.map((error) => explain(error, value, placeOf));
}

/**
 * The validator also reports every schema above a fault; only the deepest report says something.
 */
function isBelow(other: OutputUnit, error: OutputUnit): boolean {
  return (
    other.keywordLocation.startsWith(`${error.keywordLocation}/`) ||
    (other.instanceLocation.startsWith(`${error.instanceLocation}/`) &&
      ["properties", "additionalProperties", "items", "$ref"].includes(error.keyword))
  );
}

function explain(
  error: OutputUnit,
  root: unknown,
  placeOf: (path: readonly (string | number)[]) => Place,
): Diagnostic {
  const path = error.instanceLocation.split("/").slice(1).map(unescape);
  const key = path.at(-1) ?? "";
  if (error.keyword === "false") {
    const known = knownKeys(path);
    return diagnostic(
      "curation-unknown-key",
      `Unknown key \`${key}\`${didYouMean(key, known)}`,
      placeOf(path),
      known.length > 0 ? `Known keys here: ${known.join(", ")}.` : undefined,
    );
  }
  const isName = /\/propertyNames\/[^/]*$/.test(error.keywordLocation);
  const rule: unknown = isName
    ? resolve((schemaAt(path.slice(0, -1)) as { propertyNames?: unknown }).propertyNames)
    : schemaAt(path);
  const { why, hint } = wordsFor(
    error.keyword,
    rule as object,
    isName
      ? key
      : path.reduce<unknown>((at, step) => (at as Record<string, unknown> | null)?.[step], root),
  ) ?? { why: error.error };
  return diagnostic(
    "curation-invalid-value",
    `${path.length > 0 ? `\`${path.join(".")}\`` : "The file"} is not valid: ${why}`,
    placeOf(path),
    hint,
  );
}

/** The part of the schema that is about the value at a path. */
function schemaAt(path: readonly string[]): object {
  let at: unknown = schema;
  for (const key of path) at = step(at, key);
  return resolve(at);
}

/** The properties that the schema has where an unknown key was found. */
function knownKeys(path: readonly string[]): string[] {
  return Object.keys((schemaAt(path.slice(0, -1)) as { properties?: object }).properties ?? {});
}

function step(at: unknown, key: string): unknown {
  const { properties, additionalProperties, items } = resolve(at) as {
    properties?: Record<string, unknown>;
    additionalProperties?: unknown;
    items?: unknown;
  };
  return properties?.[key] ?? items ?? additionalProperties ?? {};
}

function resolve(at: unknown): object {
  const ref = (at as { $ref?: string }).$ref;
  if (ref === undefined) return (at ?? {}) as object;
  return (schema.$defs as Record<string, object>)[ref.replace("#/$defs/", "")] ?? {};
}

function unescape(segment: string): string {
  return unescapeToken(decodeURIComponent(segment));
}

/**
 * The key itself for the last step of a path, where there is one; otherwise the nearest thing above
 * it.
 */
function locate(
  document: Document.Parsed,
  lines: LineCounter,
  file: string,
  path: readonly (string | number)[],
): Place {
  const pointer = `#${pointerTo(path)}`;
  const parent: unknown =
    path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))
    : undefined;
  const node = (pair?.key ?? document.getIn(path, true) ?? parent) as
    | { range?: readonly number[] | null }
    | undefined;
  const { line, col } = lines.linePos(node?.range?.[0] ?? 0);
  return { file, pointer, line, column: col };
}
