import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { type Document, isMap, isScalar, LineCounter, parseDocument } from "yaml";
import configurationSchema from "../../mcp-gen.schema.json" with { type: "json" };
import {
  diagnostic,
  type Diagnostic,
  type SourceLocation,
  suggestionFor,
  TYPE_PHRASES,
} from "../diagnostics/index.js";
import { quoteText } from "../diagnostics/text.js";
import { formatPointer, unescapePointerToken } from "../json-pointer.js";
import { isObject } from "../json.js";
import { placesOfKey } from "./key-places.js";
import type { ConfigurationFile } from "./types.js";

/** A JSON Schema with its named parts. */
interface RootSchema {
  readonly $defs?: Readonly<Record<string, object>>;
  readonly properties?: Readonly<Record<string, object>>;
}

interface ParsedYaml<Content> {
  readonly content?: Content;
  /** Location of a key by its path: `["tools", "find_pets"]`. */
  readonly locationOf: (path: readonly (string | number)[]) => SourceLocation;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses `mcp-gen.yaml` and validates it against its JSON Schema.
 * @param text YAML 1.2 or JSON
 * @param file file name, for locations
 * @returns the configuration, or every fault with its line, column and a suggestion
 */
export function parseConfiguration(text: string, file: string): ParsedYaml<ConfigurationFile> {
  return parseValidatedYaml<ConfigurationFile>(text, file, configurationSchema);
}

/**
 * Parses a YAML file and validates it against a JSON Schema, whose keywords are those of
 * `mcp-gen.schema.json`.
 */
export function parseValidatedYaml<Content>(
  text: string,
  file: string,
  schema: RootSchema,
): ParsedYaml<Content> {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: true,
    prettyErrors: false,
  });
  const locationOf = (path: readonly (string | number)[]): SourceLocation =>
    locateKey(document, lines, file, path);
  // Further errors usually follow from the first.
  const [error] = document.errors;
  if (error) return { locationOf, diagnostics: [syntaxError(error, text, lines, file)] };
  const { value, problem } = valueOf(document);
  if (problem !== undefined)
    return {
      locationOf,
      diagnostics: [diagnostic("config-syntax", `Not valid YAML: ${problem}`, locationOf([]))],
    };
  const faults = validate(value, schema, locationOf);
  return faults.length > 0
    ? { locationOf, diagnostics: faults }
    : { content: value as Content, locationOf, diagnostics: [] };
}

function syntaxError(
  { message, pos: [offset] }: Document.Parsed["errors"][number],
  text: string,
  lines: LineCounter,
  file: string,
): Diagnostic {
  const { line, col: column } = lines.linePos(offset);
  const isPath = /\/\{/.test(text.split("\n")[line - 1] ?? "");
  return diagnostic(
    "config-syntax",
    `Not valid YAML: ${message}`,
    { file, pointer: "#", line, column },
    isPath ? 'Quote a path with braces: "GET /pets/{id}".' : undefined,
  );
}

/** Converts the document to data. Undefined and excessive aliases are detected only here. */
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

function validate(
  value: unknown,
  schema: RootSchema,
  locationOf: (path: readonly (string | number)[]) => SourceLocation,
): Diagnostic[] {
  const all = schemaErrors(value, schema);
  const errors = all && withoutOtherForms(all);
  if (!errors) {
    const message = "Not valid YAML: a key has an unpaired surrogate, which is not a character";
    return [diagnostic("config-syntax", message, locationOf([]), "Correct the key.")];
  }
  const leaves = errors.filter(
    (error) =>
      !errors.some((other) => other !== error && (isBelow(other, error) || isTypeOf(other, error))),
  );
  const found = leaves.map((error) => toDiagnostic(error, value, schema, locationOf));
  const first = new Map(found.map((one) => [`${one.location?.pointer} ${one.message}`, one]));
  return joinAlternatives([...first.values()]);
}

/** Joins the faults of one value that could have had several forms. */
function joinAlternatives(found: readonly Diagnostic[]): Diagnostic[] {
  const joined = new Map<string, Diagnostic>();
  for (const one of found) {
    const [, start, expected] = /^(.*, and must be )(.*)$/s.exec(one.message) ?? [];
    const key = `${one.location?.pointer} ${start ?? one.message}`;
    const known = joined.get(key);
    const message = `${known?.message} or ${expected}`;
    joined.set(key, known && expected !== undefined ? { ...known, message } : one);
  }
  return [...joined.values()];
}

/** Errors against the schema; undefined for a key that no pointer can name. */
function schemaErrors(value: unknown, schema: RootSchema): readonly OutputUnit[] | undefined {
  try {
    return new Validator(schema, "2020-12", false).validate(value).errors;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Keywords that tell the forms of a value apart. */
const FORM_KEYWORDS: readonly string[] = ["type", "const", "enum"];

/**
 * Leaves out errors about forms that a value does not have: for an object, those about the text
 * that could be in its place.
 */
function withoutOtherForms(errors: readonly OutputUnit[]): readonly OutputUnit[] {
  const others = errors
    .filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf")
    .flatMap(({ keywordLocation: choice, instanceLocation }) => {
      const formOf = ({ keywordLocation: at }: OutputUnit): string | undefined =>
        at.startsWith(`${choice}/`)
          ? `${choice}/${at.slice(choice.length + 1).split("/")[0]}/`
          : undefined;
      const isOther = (error: OutputUnit): boolean =>
        error.instanceLocation === instanceLocation && FORM_KEYWORDS.includes(error.keyword);
      const forms = new Set(errors.flatMap((error) => formOf(error) ?? []));
      const other = new Set(errors.filter(isOther).flatMap((error) => formOf(error) ?? []));
      return other.size < forms.size ? [...other] : [];
    });
  return errors.filter(
    ({ keywordLocation }) => !others.some((form) => keywordLocation.startsWith(form)),
  );
}

/**
 * True when another error is more specific: the validator also reports every schema above a fault.
 */
function isBelow(other: OutputUnit, error: OutputUnit): boolean {
  return (
    other.keywordLocation.startsWith(`${error.keywordLocation}/`) ||
    (other.instanceLocation.startsWith(`${error.instanceLocation}/`) &&
      ["properties", "additionalProperties", "items", "$ref"].includes(error.keyword))
  );
}

/** True for the fault of a type, beside which limits of the value say nothing. */
function isTypeOf(other: OutputUnit, error: OutputUnit): boolean {
  const schemaOfError = ({ keywordLocation: at }: OutputUnit): string =>
    at.slice(0, at.lastIndexOf("/"));
  return (
    other.keyword === "type" &&
    error.keyword !== "type" &&
    other.instanceLocation === error.instanceLocation &&
    schemaOfError(other) === schemaOfError(error)
  );
}

function toDiagnostic(
  error: OutputUnit,
  root: unknown,
  schema: RootSchema,
  locationOf: (path: readonly (string | number)[]) => SourceLocation,
): Diagnostic {
  const path = error.instanceLocation.split("/").slice(1).map(unescape);
  const key = path.at(-1) ?? "";
  if (error.keyword === "false") return unknownKey(path, schema, locationOf(path));
  const isName = /\/propertyNames\/[^/]*$/.test(error.keywordLocation);
  const rule: unknown = isName
    ? dereference(
        (schemaAt(path.slice(0, -1), schema) as { propertyNames?: unknown }).propertyNames,
        schema,
      )
    : schemaAt(path, schema);
  const { why, hint } = describeFault(
    error.keyword,
    rule as object,
    isName
      ? key
      : path.reduce<unknown>(
          (current, step) => (current as Record<string, unknown> | null)?.[step],
          root,
        ),
  ) ?? { why: error.error };
  return diagnostic(
    "config-invalid-value",
    `${path.length > 0 ? `\`${path.join(".")}\`` : "The file"} is not valid: ${why}`,
    locationOf(path),
    hint ?? misplacedKeyHint(path, schema),
  );
}

function unknownKey(
  path: readonly string[],
  schema: RootSchema,
  location: SourceLocation,
): Diagnostic {
  const key = path.at(-1) ?? "";
  const known = knownKeys(path, schema);
  const isToolName = path.length >= 3 && path.at(-3) === "tools" && key === "name";
  const nearest = suggestionFor(key, known);
  const place = nearest === "" && !isToolName ? describePlaces(path, schema) : "";
  const hint = known.length > 0 ? `Known keys here: ${known.join(", ")}.` : undefined;
  return diagnostic(
    "config-unknown-key",
    `Unknown key \`${key}\`${nearest || place}`,
    location,
    isToolName
      ? "The key of a rule is the name of its tool: rename the key."
      : place
        ? "Move it there."
        : hint,
  );
}

/** The places of a key that stands elsewhere, as the end of a sentence. */
function describePlaces(path: readonly string[], schema: RootSchema): string {
  const places = placesOfKey(path, schema).map((place) =>
    place.includes(".") ? `\`${place}\`` : "the top level",
  );
  return places.length > 0 ? `; its place is ${places.join(" or ")}` : "";
}

/** A hint for a key in a place where the owner chooses the names. */
function misplacedKeyHint(path: readonly string[], schema: RootSchema): string | undefined {
  const key = path.at(-1);
  if (key === undefined || knownKeys(path, schema).includes(key)) return undefined;
  const places = describePlaces(path, schema);
  return places && `\`${key}\` is read as a name here${places}.`;
}

function schemaAt(path: readonly string[], schema: RootSchema): object {
  let current: unknown = schema;
  for (const key of path) current = schemaOf(current, key, schema);
  return dereference(current, schema);
}

/** Known keys where an unknown key was found. */
function knownKeys(path: readonly string[], schema: RootSchema): string[] {
  const parent = schemaAt(path.slice(0, -1), schema) as { properties?: object };
  return Object.keys(parent.properties ?? {});
}

function schemaOf(current: unknown, key: string, schema: RootSchema): unknown {
  const { properties, additionalProperties, items } = dereference(current, schema) as {
    properties?: Record<string, unknown>;
    additionalProperties?: unknown;
    items?: unknown;
  };
  return properties?.[key] ?? items ?? additionalProperties ?? {};
}

/** The target of a reference. The forms of a value are joined to one schema. */
function dereference(current: unknown, schema: RootSchema): object {
  const {
    $ref: ref,
    anyOf,
    oneOf,
  } = (current ?? {}) as {
    $ref?: string;
    anyOf?: readonly object[];
    oneOf?: readonly object[];
  };
  const forms = anyOf ?? oneOf;
  if (forms) return joinForms(forms.map((form) => dereference(form, schema)));
  if (ref === undefined) return (current ?? {}) as object;
  const name = ref.replace(/^#\/(?:\$defs|properties)\//, "");
  return (ref.startsWith("#/$defs/") ? schema.$defs : schema.properties)?.[name] ?? {};
}

function joinForms(forms: readonly ValueRule[]): ValueRule {
  const types = forms.flatMap(({ type }) => type ?? []);
  const joined = Object.assign({}, ...[...forms].reverse()) as ValueRule;
  return types.length > 0 ? { ...joined, type: [...new Set(types)] } : joined;
}

function unescape(segment: string): string {
  return unescapePointerToken(decodeURIComponent(segment));
}

/** Location of the last key of a path, or of its nearest existing ancestor. */
function locateKey(
  document: Document.Parsed,
  lines: LineCounter,
  file: string,
  path: readonly (string | number)[],
): SourceLocation {
  const pointer = `#${formatPointer(path)}`;
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

/** Keywords that the configuration's schema uses. */
interface ValueRule {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly propertyNames?: ValueRule;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
}

const letters = "letters, digits and _";
const patterns: Readonly<Record<string, string>> = {
  "^[A-Z][A-Z0-9_]{0,63}$": `upper-case ${letters}, as in SHOP_TENANT_ID`,
  "^([1-5][0-9][0-9]|[1-5]XX|default)$": "a status such as 404, 4XX or default",
  "^[a-z][a-z0-9_]{0,47}$": `at most 48 lower-case ${letters}, starting with a letter`,
  "^[a-z][a-z0-9_]{0,23}$": `at most 24 lower-case ${letters}, starting with a letter`,
  "^[a-z][a-z0-9_]{0,15}$": `at most 16 lower-case ${letters}, starting with a letter`,
  "^[a-zA-Z0-9_]{1,64}$": `at most 64 ${letters}`,
  "^[a-zA-Z0-9_.-]{1,40}$": "at most 40 letters, digits, dots, hyphens and _",
  "^(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*$":
    "an npm name of lower-case letters, digits and hyphens, as in clinic-mcp-server",
  "^https?://[^?#@\\s{}]+$":
    "an https: or http: URL without credentials, query or variables, as in https://api.example.com/v1",
  "^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$": "at most 60 letters, digits, dots, hyphens and _",
  "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$": "the name of a header, as in X-Api-Version",
  "^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$":
    "a value of ASCII characters without outer blanks",
};

/**
 * Describes a fault of a value.
 * @param rule violated schema; for the name of a key, the schema of names
 * @returns a clause after "is not valid: " and a suggestion; undefined for keywords without a text
 *   of their own
 */
function describeFault(
  keyword: string,
  rule: ValueRule,
  value: unknown,
): { readonly why: string; readonly hint?: string } | undefined {
  const expected = describeExpected(keyword, rule, value);
  if (expected === undefined) return undefined;
  const isYes =
    typeof value === "string" &&
    /^(?:yes|no|on|off|true|false)$/i.test(value) &&
    (rule.const === true || rule.type === "boolean");
  return {
    why: /^(?:required|min[IPL]|maxP|dependentR)/.test(keyword)
      ? expected
      : `it is ${describeValue(value)}, and must be ${expected}`,
    ...(isYes && {
      hint: "Write true or false, without quotes; yes, no, on and off are strings in YAML 1.2.",
    }),
  };
}

function describeEnum(values: readonly unknown[], value: unknown): string {
  const names = values.map(String);
  const suggestion = typeof value === "string" ? suggestionFor(value, names) : "";
  return `one of ${names.join(", ")}${suggestion}`;
}

function describeExpected(keyword: string, rule: ValueRule, value: unknown): string | undefined {
  switch (keyword) {
    case "type":
      return [rule.type ?? []]
        .flat()
        .map((type) => TYPE_PHRASES[type] ?? type)
        .join(" or ");
    case "const":
      return JSON.stringify(rule.const);
    case "enum":
      return describeEnum(rule.enum ?? [], value);
    case "minimum":
      return `at least ${rule.minimum}`;
    case "maximum":
      return `at most ${rule.maximum}`;
    case "maxLength":
      return `at most ${rule.maxLength} characters long`;
    case "maxProperties":
      return "it must have one key only";
    case "dependentRequired":
      return describeDependency(rule, value);
    case "pattern":
      return patterns[rule.pattern ?? ""];
    case "required":
      return `it lacks ${(rule.required ?? [])
        .filter((key) => !isObject(value) || !Object.hasOwn(value, key))
        .map((key) => `\`${key}\``)
        .join(" and ")}`;
    case "minItems":
    case "minProperties":
    case "minLength":
      return "it must not be empty";
    default:
      return undefined;
  }
}

function describeDependency({ dependentRequired = {} }: ValueRule, value: unknown): string {
  const hasKey = (key: string): boolean => isObject(value) && Object.hasOwn(value, key);
  return Object.entries(dependentRequired)
    .filter(([key, others]) => hasKey(key) && !others.every(hasKey))
    .map(([key, others]) => `\`${key}\` goes only with \`${others.join("`, `")}\``)
    .join(", and ");
}

function describeValue(value: unknown): string {
  if (typeof value === "string") return quoteText(value, 40);
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : String(value);
}
