/** Sources of parameters in requests, and values that no parameter can carry. */
import { sequence } from "../../language/patterns.js";
import { escapeInvisible, quoteText } from "../../diagnostics/text.js";
import { isObject, type JsonSchema, omitUndefined, typesOf } from "../../json.js";
import { memoize } from "../../memoize.js";
import type { Parameter } from "../../model/types.js";
import type { ApiDefinition } from "../../runtime/api-definition.js";
import { bindRequest } from "../../runtime/request/bind-request.js";
import type {
  ConstantSource,
  JsonValue,
  ParameterSource,
  RequestMapping,
} from "../../runtime/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { isPlural } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import type { InputCandidate, InputRole } from "./candidates.js";

type ParameterStyle = Pick<
  ConstantSource,
  "style" | "explode" | "allowReserved" | "contentType" | "encoding"
>;

/** Source of a candidate's value in the request. Undefined when it is not sent. */
export function parameterSource(
  candidate: InputCandidate,
  role: InputRole,
  input: string | undefined,
  defaultValue: JsonValue | undefined,
): ParameterSource | undefined {
  const style = styleOf(candidate.parameter);
  switch (role.kind) {
    case "excluded":
      return undefined;
    case "generated":
      return { generate: "uuid" };
    case "constant":
      return { value: role.value, ...(role.isSecret && { isSecret: true }), ...style };
    case "env":
      return {
        env: role.env,
        ...(role.required && { required: true }),
        ...(role.isJson && { isJson: true }),
        ...style,
      };
    case "input": {
      if (input === undefined) return undefined;
      const source = {
        from: input,
        ...style,
        ...(candidate.separator && { separator: candidate.separator }),
        ...(defaultValue !== undefined && { default: defaultValue }),
      };
      return Object.keys(source).length === 1 ? input : source;
    }
  }
}

/**
 * Style attributes that differ from the default of the parameter's location: `form`, exploded, in
 * query and cookie; `simple` elsewhere. Scalars look the same in most styles and need none.
 */
export function styleOf(parameter: Parameter | undefined): ParameterStyle {
  if (!parameter) return {};
  if (parameter.contentType !== undefined)
    return {
      contentType: parameter.contentType,
      ...(parameter.encoding && { encoding: parameter.encoding }),
    };
  const { allowReserved } = parameter;
  return {
    ...(isScalar(parameter) ? {} : arrayStyle(parameter)),
    ...(allowReserved && { allowReserved }),
  };
}

function arrayStyle({ in: location, style, explode }: Parameter): ParameterStyle {
  const defaultStyle = location === "query" || location === "cookie" ? "form" : "simple";
  const defaultExplode = style === "form" || style === "cookie";
  const isExplodeExplicit = style !== "deepObject" && explode !== defaultExplode;
  return { ...(style !== defaultStyle && { style }), ...(isExplodeExplicit && { explode }) };
}

function isScalar({ style, schema }: Parameter): boolean {
  const types = typesOf(schema);
  const isCommonStyle =
    style === "form" ||
    style === "simple" ||
    style === "spaceDelimited" ||
    style === "pipeDelimited";
  return (
    isCommonStyle &&
    types.length > 0 &&
    types.every((type) => type !== "array" && type !== "object")
  );
}

const COMMA =
  /\bcsv of\b|\bcomma[- ]?(?:separated|delimited)\b|\bseparated (?:by|with) (?:an? )?(?:single )?commas?\b/i;
/** Other separators that descriptions name: `pipe-separated`, `separated by semicolons`. */
const NAMED_SEPARATORS = (
  [
    [";", "semi-?colon"],
    ["|", "pipe"],
    [" ", "(?:white)?space"],
  ] as const
).map(([separator, name]) => {
  const suffixed = `\\b${name}[- ]?(?:separated|delimited)\\b`;
  const prefixed = `\\b(?:separated|delimited) (?:by|with) (?:an? )?(?:single )?${name}s?\\b`;
  return [separator, new RegExp(`${suffixed}|${prefixed}`, "i")] as const;
});
const LIST = /^(?:an? |the |optional )?(?:array|list) of\b/i;
/** `JSON array of IDs` */
const JSON_LIST =
  /\bjson[- ](?:(?:encoded|formatted|serialized|stringified) )?(?:array|list)\b(?! of (?:objects|json))/i;
/** Of a list: `as JSON`, or an example such as `[1, 2]`. */
const JSON_FORM = /\b(?:as|in) json\b|\[\s*(?:"|\d)[^[\]]*\]/i;
/** `comma-delimited file`: what is returned, not the value. */
const FORMAT_OF_FILE = sequence(
  /\b(?:comma|semi-?colon|pipe|tab)[- ]?(?:separated|delimited)(?: values?)?(?: \(csv\))? /gi,
  /(?:download|export|file|format|output|report|text)s?\b/,
);
/** Lists that are written in another form. */
const OTHER_FORM = /\bjson\b|\bx?ml\b|\bnew ?lines?\b|\b(?:space|semicolon|pipe|tab)s?\b|;|\||\[/i;

/**
 * Lets an input take a list if its type is string and its description or example shows that the
 * string is a list. The list is joined with the separator that is named, else commas, or written as
 * a JSON array.
 */
export function acceptList(candidate: InputCandidate, schemas: Schemas): InputCandidate {
  const { description = "", isWholeBody, file, parameter } = candidate;
  const separator = separatorOf(description) ?? (givesList(candidate, schemas) ? "," : undefined);
  if (!separator || isWholeBody || file || parameter?.contentType !== undefined) return candidate;
  const isNumeric = separator === "json" && /\[\s*\d/.test(description);
  const schema = listOrText(candidate.schema, schemas, isNumeric ? "number" : "string");
  return schema ? { ...candidate, schema, separator } : candidate;
}

function separatorOf(text: string): InputCandidate["separator"] {
  const description = text.replace(FORMAT_OF_FILE, "");
  const isList = LIST.test(description);
  if (JSON_LIST.test(description) || (isList && JSON_FORM.test(description))) return "json";
  if (COMMA.test(description)) return ",";
  const named = NAMED_SEPARATORS.find(([, words]) => words.test(description));
  if (named) return named[0];
  return isList && !OTHER_FORM.test(description) ? "," : undefined;
}

/** Tests whether the example of a value with a plural name is a list: `ids`, `a1,b2`. */
function givesList({ wireName, schema }: InputCandidate, schemas: Schemas): boolean {
  const { examples = [] } = { ...resolveSchema(schemas, schema), ...schema };
  const [example] = examples as readonly unknown[];
  const name = splitWords(wireName).at(-1) ?? "";
  return isPlural(name) && typeof example === "string" && /^[\w-]+(?:,[\w-]+)+$/.test(example);
}

/** A schema of text or a list of texts. Undefined for schemas that are not plain text. */
function listOrText(
  schema: JsonSchema,
  schemas: Schemas,
  itemType: "string" | "number",
): JsonSchema | undefined {
  const { $ref: _, ...own } = schema;
  const merged: JsonSchema = { ...resolveSchema(schemas, schema), ...own };
  const types = typesOf(merged);
  const isText = types.includes("string") && types.every((type) => /^(?:string|null)$/.test(type));
  const { type, enum: values, format, pattern, minLength, maxLength, ...annotations } = merged;
  const hasMore = merged.anyOf ?? merged.oneOf ?? merged.allOf ?? merged.const;
  if (!isText || hasMore !== undefined || merged.contentEncoding || format === "binary")
    return undefined;
  const item = omitUndefined({ type: itemType, enum: values?.filter(isString), format });
  return {
    ...annotations,
    anyOf: [omitUndefined({ type, pattern, minLength, maxLength }), { type: "array", items: item }],
  };
}

const isString = (value: unknown): boolean => typeof value === "string";

/** Maximum nesting of alternatives and lists that is searched for values. */
const MAX_DEPTH = 6;
/** Values that every location carries unchanged. Most values of enums are such. */
const SENDABLE_EVERYWHERE = /^[A-Za-z0-9][\w-]*$/;

/**
 * Reports the problems of fixed values in a request, as clauses. The runtime decides, so that the
 * result is the same at generation and in a call.
 */
export function constantProblems(request: RequestMapping): readonly string[] {
  // The destination of a request matters for secrets, not for constants.
  const { servers: _, ...others } = request;
  const bound = bindRequest(others, {}, { api: NO_API, env: {} });
  return (bound.ok ? [] : bound.problems)
    .map(({ problem }) => problem)
    .filter((problem) => problem.startsWith("the fixed value of "));
}

/** An API for binding constants alone. */
const NO_API: ApiDefinition = {
  name: "",
  title: "",
  version: "",
  envPrefix: "",
  servers: [],
  securitySchemes: {},
};

/**
 * Removes the values of enums that cannot be sent unchanged, a header value with outer blanks for
 * example. Each is a warning.
 * @param path template of the operation's path
 * @returns undefined for an optional value that allows no other; a required one keeps its values
 */
export function keepSendableValues(
  candidate: InputCandidate,
  path: string,
  schemas: Schemas,
  diagnostics: DiagnosticCollector,
): InputCandidate | undefined {
  const removed = new Set<unknown>();
  const search: Search = {
    schemas,
    seen: new Set(),
    isSendable: (value) => {
      const problem = problemOf(candidate, value, path);
      if (problem === undefined) return true;
      removed.add(value);
      report(candidate, value, problem, diagnostics);
      return false;
    },
  };
  const schema = narrow(candidate.schema, search, 0);
  if (schema === undefined) return candidate.required ? candidate : undefined;
  if (schema === candidate.schema) return candidate;
  const { default: value, ...rest } = schema as JsonSchema;
  return { ...candidate, schema: removed.has(value) ? rest : (schema as JsonSchema) };
}

interface Search {
  readonly schemas: Schemas;
  readonly seen: Set<JsonSchema>;
  readonly isSendable: (value: unknown) => boolean;
}

/** Removes such values from a schema. Undefined if no others remain. */
function narrow(schema: AnySchema, search: Search, depth: number): AnySchema | undefined {
  if (!isObject(schema) || depth > MAX_DEPTH) return schema;
  const target = resolveSchema(search.schemas, schema);
  if (search.seen.has(target)) return schema;
  search.seen.add(target);
  const changes: { -readonly [K in keyof JsonSchema]: JsonSchema[K] } = {};
  const values = "const" in target ? [target.const] : target.enum;
  if (values) {
    const sendable = values.filter(search.isSendable);
    if (sendable.length === 0 && values.length > 0) return undefined;
    if (sendable.length < values.length) changes.enum = sendable;
  }
  for (const keyword of ["anyOf", "oneOf", "allOf"] as const) {
    const parts = target[keyword];
    if (!parts) continue;
    const narrowed = parts.map((part) => narrow(part, search, depth + 1));
    const kept = narrowed.filter((part) => part !== undefined);
    if (keyword === "allOf" ? kept.length < parts.length : kept.length === 0) return undefined;
    if (narrowed.some((part, i) => part !== parts[i])) changes[keyword] = kept;
  }
  if (isObject(target.items)) {
    const items = narrow(target.items as JsonSchema, itemsOf(search), depth + 1);
    if (items === undefined) return undefined;
    if (items !== target.items) changes.items = items;
  }
  if (Object.keys(changes).length === 0) return schema;
  const { $ref: _, ...own } = schema;
  return { ...target, ...own, ...changes };
}

/** A value of a list is sent as its only item. */
function itemsOf(search: Search): Search {
  return { ...search, isSendable: (value) => search.isSendable([value]) };
}

function problemOf(candidate: InputCandidate, value: unknown, path: string): string | undefined {
  if (SENDABLE_EVERYWHERE.test(String(value))) return undefined;
  const source: ConstantSource = { value: value as JsonValue, ...styleOf(candidate.parameter) };
  const [problem] = problemsOfJson(JSON.stringify(mappingOf(candidate, source, path)));
  return problem?.slice(`the fixed value of ${JSON.stringify(candidate.wireName)} `.length);
}

/** Problems of a request as JSON. Many parameters have the same name and values. */
const problemsOfJson = memoize((request) =>
  constantProblems(JSON.parse(request) as RequestMapping),
);

/** A request with one parameter. */
function mappingOf(
  { in: location, wireName }: InputCandidate,
  source: ConstantSource,
  path: string,
): RequestMapping {
  const values = { [wireName]: source };
  const request = { method: "GET", path: "/" };
  if (location === "header") return { ...request, headers: values };
  if (location === "cookie") return { ...request, cookies: values };
  if (location !== "path") return { ...request, query: values };
  const isWholeSegment = path.split("/").includes(`{${wireName}}`);
  const template = isWholeSegment ? `/{${wireName}}` : `/-{${wireName}}`;
  return { ...request, path: template, pathParams: values };
}

function report(
  { usage, in: location }: InputCandidate,
  value: unknown,
  problem: string,
  diagnostics: DiagnosticCollector,
): void {
  const shown = escapeInvisible(JSON.stringify(Array.isArray(value) ? value[0] : value)).slice(
    0,
    120,
  );
  diagnostics.add(
    "plan-value-unsendable",
    `The value ${shown} of the ${location} parameter ${quoteText(usage.label)} ${problem}. It is left out.`,
    usage.location,
    "Correct the document with an overlay.",
  );
}
