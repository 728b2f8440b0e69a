import { escapeInvisible, quoteText } from "../../diagnostics/text.js";
import { isObject, type JsonSchema } from "../../json.js";
import type { ApiDefinition } from "../../runtime/api-definition.js";
import { bindRequest } from "../../runtime/request/bind-request.js";
import type { ConstantSource, JsonValue, RequestMapping } from "../../runtime/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import type { InputCandidate } from "./candidates.js";
import { styleOf } from "./parameter-source.js";

/** Maximum nesting of alternatives and lists that is searched for values. */
const MAX_DEPTH = 6;
/** Values that every location carries unchanged. Most values of enums are such. */
const SENDABLE_EVERYWHERE = /^[A-Za-z0-9][\w-]*$/;

/**
 * Reports the problems of fixed values in a request, as clauses. The runtime decides, so that the
 * answer is the same at generation and in a call.
 */
export function constantProblems(request: RequestMapping): readonly string[] {
  const bound = bindRequest(request, {}, { api: NO_API, env: {} });
  return (bound.ok ? [] : bound.problems)
    .map(({ problem }) => problem)
    .filter((problem) => problem.startsWith("the fixed value of "));
}

/** An API of which only the constants of requests are bound. */
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

/** The schema without such values: itself if it has none, undefined if it has no others. */
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
  const [problem] = constantProblems(mappingOf(candidate, source, path));
  return problem?.slice(`the fixed value of ${JSON.stringify(candidate.wireName)} `.length);
}

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
