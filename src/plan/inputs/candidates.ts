/** Candidates for inputs, and the explanation of those that are hidden. */
import { quoteText } from "../../diagnostics/text.js";
import { isObject, type JsonSchema, omitUndefined } from "../../json.js";
import type { Content, Parameter } from "../../model/types.js";
import { estimateTokens } from "../../runtime/data/tokens.js";
import type { JsonValue } from "../../runtime/types.js";
import type { DiagnosticCollector, SchemaUsage } from "../diagnostics.js";
import { shortHash } from "../names/format-name.js";
import { toAscii } from "../../language/words.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import { describedBy } from "../schemas/title.js";
import { truncateText } from "../text/sentences.js";
import { decodeExample, isPercentEncoded, withoutUrlEncoding } from "../text/url-encoding.js";
import type { HiddenInputCost } from "../types.js";
import type { InputLocation } from "../operations/types.js";
import { withoutSampleId } from "./sample-ids.js";
import { statesRequired } from "./stated-required.js";

/** One value of a request: a parameter, a field of its body, or the whole body. */
export interface InputCandidate {
  readonly in: InputLocation;
  /** Name in the request; `body` for a whole body. */
  readonly wireName: string;
  /** Model form. For a file: the schema of its base64 text. */
  readonly schema: JsonSchema;
  readonly description?: string | undefined;
  readonly required: boolean;
  readonly deprecated: boolean;
  /** Style and location, for parameters. */
  readonly parameter?: Parameter;
  /** Extension of the path, which selects the format of a response that can be JSON. */
  readonly isResponseFormat?: boolean;
  readonly isWholeBody?: boolean;
  /** The value is one file or a list of files, as base64 in the tool's input. */
  readonly file?: "one" | "many";
  /** The value is a text that is sent as JSON, so in quotes. */
  readonly isJsonText?: true;
  /** The body is optional. A constant must not cause it to be sent. */
  readonly isInOptionalBody?: boolean;
  /** Joins a list of values to the text that is sent; `json` writes a JSON array. */
  readonly separator?: "," | ";" | "|" | " " | "json";
  /** Location and label for diagnostics about its schema. */
  readonly usage: SchemaUsage;
}

/** Decision about a candidate. */
export type InputRole = (
  | { readonly kind: "input" }
  | {
      readonly kind: "constant";
      readonly value: JsonValue;
      readonly isSecret?: true;
      readonly reason?: string;
    }
  | { readonly kind: "generated" }
  | {
      readonly kind: "env";
      readonly env: string;
      readonly required: boolean;
      /** The field of a body takes no text, so the variable has JSON. */
      readonly isJson?: boolean;
      readonly reason?: string;
    }
  | { readonly kind: "excluded"; readonly reason: string }
) & {
  /** Inferred from habits of the API, so that `mcp-gen.yaml` can make it an input. */
  readonly isInferred?: true;
};

/**
 * Converts a parameter to a candidate. Requests percent-encode values in URLs, so that its text and
 * its examples are those of an unencoded value.
 */
export function candidateOfParameter(parameter: Parameter, schemas: Schemas): InputCandidate {
  const candidate = readParameter(parameter, schemas);
  if (!/^(?:path|query)$/.test(parameter.in) || parameter.allowReserved) return candidate;
  const { schema, description } = candidate;
  const { examples } = { ...resolveSchema(schemas, schema), ...schema };
  return {
    ...candidate,
    description: description && withoutUrlEncoding(description),
    ...(examples?.some(isPercentEncoded) && {
      schema: { ...schema, examples: examples.map(decodeExample) },
    }),
  };
}

function readParameter(parameter: Parameter, schemas: Schemas): InputCandidate {
  const { in: location, name, deprecated } = parameter;
  const stated =
    parameter.contentType === undefined ? removeNull(parameter.schema, schemas) : parameter.schema;
  const schema = location === "path" ? withoutSampleId(name, stated, schemas) : stated;
  const description = parameter.description ?? describedBy(schema, name, schemas);
  return {
    in: location,
    wireName: name,
    schema,
    required: parameter.required || statesRequired(location, description ?? "", schema),
    deprecated,
    description,
    parameter,
    usage: { location: parameter.location, label: name },
  };
}

/**
 * Removes `null` from a schema. In paths, queries, headers and cookies, null means that the value
 * is absent (RFC 6570, section 2.3). Returns the same schema when it does not allow null.
 */
function removeNull(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const target = resolveSchema(schemas, schema);
  if (!allowsNullAmongOthers(target, schemas)) return schema;
  const { $ref: _, ...annotations } = schema;
  const {
    type,
    enum: values,
    anyOf,
    oneOf,
    default: defaultValue,
    ...rest
  } = { ...target, ...annotations };
  return omitUndefined({
    ...rest,
    type: Array.isArray(type) ? unwrapSingle(type.filter((name) => name !== "null")) : type,
    enum: values?.filter((value) => value !== null),
    anyOf: anyOf?.filter((part) => !isNullSchema(part, schemas)),
    oneOf: oneOf?.filter((part) => !isNullSchema(part, schemas)),
    default: defaultValue ?? undefined,
  });
}

const unwrapSingle = (types: readonly string[]): string | readonly string[] =>
  types.length === 1 ? (types[0] as string) : types;

/** True when null is one of several allowed values. */
function allowsNullAmongOthers({ type, anyOf, oneOf }: JsonSchema, schemas: Schemas): boolean {
  const isOneOfSeveral = (list: readonly AnySchema[] | undefined): boolean =>
    list !== undefined &&
    list.some((part) => isNullSchema(part, schemas)) &&
    !list.every((part) => isNullSchema(part, schemas));
  return (
    (Array.isArray(type) && type.length > 1 && type.includes("null")) ||
    isOneOfSeveral(anyOf) ||
    isOneOfSeveral(oneOf)
  );
}

function isNullSchema(part: AnySchema, schemas: Schemas): boolean {
  if (!isObject(part)) return false;
  const { type, enum: values, const: value } = resolveSchema(schemas, part as JsonSchema);
  return type === "null" || value === null || (values?.length === 1 && values[0] === null);
}

const MAX_INPUT_NAME_LENGTH = 64;
const LEGAL_INPUT_NAME = /^[a-zA-Z0-9_]{1,64}$/;

/** Priority of locations when names collide. Within a location, the document's order decides. */
const LOCATION_ORDER: readonly InputLocation[] = [
  "path",
  "query",
  "header",
  "cookie",
  "querystring",
  "body",
];

/**
 * Names the inputs of one tool: `^[a-zA-Z0-9_]{1,64}$`, unique. Legal names stay. Names that hosts
 * reject are rewritten (`filter[x]` → filter_x, `X-Trace` → x_trace). The second of two equal names
 * gets its location as a prefix (`body_id`). Legal names take precedence over rewritten ones.
 * @returns the names, in the order of the candidates
 */
export function nameInputs(candidates: readonly InputCandidate[]): readonly string[] {
  const written = candidates.map((candidate) => candidate.wireName);
  if (written.every(isLegalInputName) && new Set(written).size === written.length) return written;
  const taken = new Set<string>();
  const names = new Map<InputCandidate, string>();
  const ordered = LOCATION_ORDER.flatMap((location) =>
    candidates.filter((candidate) => candidate.in === location),
  );
  const assign = (candidate: InputCandidate, preferred: string): void => {
    const name = freeName(preferred, candidate, taken);
    taken.add(name);
    names.set(candidate, name);
  };
  for (const candidate of ordered)
    if (isLegalInputName(candidate.wireName)) assign(candidate, candidate.wireName);
  for (const candidate of ordered)
    if (!isLegalInputName(candidate.wireName)) assign(candidate, rewriteName(candidate));
  return candidates.map((candidate) => names.get(candidate) as string);
}

/** `__proto__` is legal for hosts, but unsafe as a key in JavaScript. */
function isLegalInputName(name: string): boolean {
  return LEGAL_INPUT_NAME.test(name) && name !== "__proto__";
}

function rewriteName({ wireName, in: location }: InputCandidate): string {
  const text = toAscii(location === "header" ? wireName.toLowerCase() : wireName);
  const name = text.replace(/[^a-zA-Z0-9_]+/g, "_").replace(/^_+|(?<!_)_+$/g, "");
  if (name === "" || name === "__proto__") return `${location}_${shortHash(wireName)}`;
  return name.length <= MAX_INPUT_NAME_LENGTH
    ? name
    : `${name.slice(0, MAX_INPUT_NAME_LENGTH - 7)}_${shortHash(wireName)}`;
}

function freeName(
  preferred: string,
  { in: location }: InputCandidate,
  taken: ReadonlySet<string>,
): string {
  if (!taken.has(preferred)) return preferred;
  const prefixed = `${location}_${preferred}`.slice(0, MAX_INPUT_NAME_LENGTH);
  if (!taken.has(prefixed)) return prefixed;
  for (let n = 2; ; n++) {
    const numbered = `${prefixed.slice(0, MAX_INPUT_NAME_LENGTH - String(n).length - 1)}_${n}`;
    if (!taken.has(numbered)) return numbered;
  }
}

/** Values of a field in the examples of the whole body. */
export const fieldExamples = ({ examples = [] }: Content, field: string): readonly unknown[] =>
  examples.flatMap((example) =>
    isObject(example) && Object.hasOwn(example, field) ? [example[field]] : [],
  );

/**
 * Adds examples of the body to a schema that has none, and whose type and text are not sufficient:
 * a list, an object, a text without description.
 */
export function withExamples(
  schema: JsonSchema,
  { type, description, enum: values, format, examples: own }: JsonSchema,
  examples: readonly unknown[],
): JsonSchema {
  const explanation = schema.description ?? description ?? values ?? format;
  if (examples.length === 0 || (schema.examples ?? own) || (type === "string" && explanation))
    return schema;
  const isInformative = (one: unknown): boolean =>
    (typeof one === "object" && one !== null) || (typeof one === "string" && type === "string");
  return examples.some(isInformative)
    ? { ...schema, examples: examples.filter(isInformative) }
    : schema;
}

/** Collects the inputs that are hidden by inference, each once per operation. */
export class HiddenInputs {
  private readonly byOperation = new Map<object, Map<InputCandidate, number>>();

  add(operation: object, candidate: InputCandidate): void {
    const hidden = this.byOperation.get(operation) ?? new Map<InputCandidate, number>();
    this.byOperation.set(operation, hidden.set(candidate, tokensOf(candidate)));
  }

  get cost(): HiddenInputCost {
    const costs = [...this.byOperation.values()].flatMap((hidden) => [...hidden.values()]);
    return { inputs: costs.length, tokens: costs.reduce((sum, tokens) => sum + tokens, 0) };
  }
}

const MAX_DESCRIPTION = 400;

function tokensOf({ wireName, schema, description = "" }: InputCandidate): number {
  const shown = { ...schema, description: truncateText(description, MAX_DESCRIPTION, false) };
  return estimateTokens(JSON.stringify({ [wireName]: shown }));
}

/** Line of mcp-gen.yaml that makes an input of a hidden value. */
function offerLine(wireName: string): string {
  const key = /^[a-z_][\w-]*$/i.test(wireName) ? wireName : JSON.stringify(wireName);
  return `parameters: {${key}: {hide: false}}`;
}

/**
 * Explains why a candidate is not an input, or why its name differs. Values that callers cannot set
 * are reported as diagnostics, with the configuration that offers the inferred ones.
 */
export function explainRole(
  candidate: InputCandidate,
  role: InputRole,
  name: string | undefined,
  diagnostics: DiagnosticCollector,
): string | undefined {
  const { in: location, wireName, usage } = candidate;
  const label = `${location} ${quoteText(wireName, 60)}`;
  if (role.kind === "input")
    return name === wireName ? undefined : `${label} is the input ${name}.`;
  if (role.kind === "generated") return `${label} is not an input: each call gets a new key.`;
  const why = reasonOf(role);
  const isHidden = role.kind === "excluded" || (role.kind === "env" && role.reason === undefined);
  const offer = role.isInferred ? offerLine(wireName) : undefined;
  if (isHidden || offer !== undefined)
    diagnostics.add(
      "plan-parameter-hidden",
      `The ${location} ${location === "body" ? "field" : "parameter"} ` +
        `${quoteText(wireName, 60)} is not an input: ${why}.`,
      usage.location,
      offer && `To offer it, write ${offer} in mcp-gen.yaml.`,
    );
  return `${label} is not an input: ${why}.${offer ? ` ${offer} offers it.` : ""}`;
}

function reasonOf(role: Exclude<InputRole, { kind: "input" | "generated" }>): string {
  switch (role.kind) {
    case "excluded":
      return role.reason;
    case "env":
      return role.reason ?? `it is a credential, sent from ${role.env}`;
    case "constant":
      return role.reason ?? "it has one possible value";
  }
}
