// A mock of the API and the contract tests of this server, for test/tools.test.ts.
// One file generated from src/mock of mcp-gen (https://www.npmjs.com/package/mcp-gen), which does
// not depend on src/runtime: the mock checks the requests of the runtime independently. Do not
// edit: mcp-gen replaces this file. Put your own tests next to it.

import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test, type TestContext } from "node:test";
import { type Context, createContext, Script } from "node:vm";
import {
  dereference, encodePointer, type OutputUnit, type Schema as ValidatorSchema, validate,
} from "@cfworker/json-schema";
import {
  type CallToolResult, Client, type ClientOptions, type Tool,
} from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";

// ---- src/mock/time-limit.ts ----
// Limit of time for patterns of a document. JavaScript cannot interrupt a match, and `^(a+)+$` on a
// text of 50 characters takes years.

/** Longest run, in milliseconds. */
const MAX_MS = 1_000;

/** Number of interrupted runs after which no more are tried. */
const MAX_INTERRUPTED = 10;

const script = new Script("run()");
let context: Context | undefined;
let interrupted = 0;

/** Repetitions. Patterns without one take time linear in the text. */
const REPETITION = /[*+]|\{\d+,\d*\}/g;

/** Repeated groups and back references, with which a pattern can take exponential time. */
const EXPONENTIAL = /\)(?:[*+]|\{)|\\[1-9k]/;

/** Steps of a match that take no noticeable time. */
const FEW_STEPS = 1e6;

/**
 * True if a match of a pattern can take long.
 * @param length length of the longest text; unknown by default
 */
function mayTakeLong(pattern: string, length = Infinity): boolean {
  const repetitions = pattern.match(REPETITION)?.length ?? 0;
  if (repetitions === 0) return false;
  return EXPONENTIAL.test(pattern) || length ** (repetitions + 1) > FEW_STEPS;
}

/**
 * Runs a function that matches patterns of a document.
 * @returns its result; undefined if it takes too long
 */
function runInTime<Result>(run: () => Result): Result | undefined {
  if (interrupted >= MAX_INTERRUPTED) return undefined;
  context ??= createContext();
  // A match may lead to another one, whose own limit is that of the outer one.
  const outer: unknown = context["run"];
  if (outer !== undefined) return run();
  context["run"] = run;
  try {
    return script.runInContext(context, { timeout: MAX_MS }) as Result;
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    interrupted++;
    return undefined;
  } finally {
    context["run"] = undefined;
  }
}

// ---- src/mock/pairs.ts ----
// Pairs of names and values in queries, forms and cookies, and their decoding.

/** A `name=value` pair of a query, a form or a cookie, still percent-encoded. */
type Pair = readonly [name: string, value: string];

/** Percent-decoding. In a query and a form `+` is a space. Headers are not decoded. */
type Decoder = (text: string) => string;

/** Percent-decoding of RFC 3986. Malformed sequences are kept. */
const decodeUri: Decoder = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
/** Percent-decoding of `application/x-www-form-urlencoded`. */
const decodeForm: Decoder = (text) => decodeUri(text.replaceAll("+", " "));
const noDecoding: Decoder = (text) => text;

/** Percent-encoding of UTF-8, for which a lone surrogate is replaced. RFC 3986, section 2.1. */
function encodeUri(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"));
}

/** `a=1` → `["a", "1"]`; without `=` the value is empty. */
function pairOf(text: string): Pair {
  const at = text.indexOf("=");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * A serialized value that is still text: a scalar, array items or object members. Members of deep
 * objects are nested.
 */
type RawValue = string | readonly RawValue[] | ReadonlyMap<string, RawValue>;

/** A value and the pairs that it was read from. */
interface PairsReading {
  readonly raw: RawValue;
  readonly used: readonly Pair[];
}

/** Adds a value under a key, which becomes a list where it has one before. */
function append(map: Map<string, RawValue>, key: string, value: RawValue): void {
  const before = map.get(key);
  if (before === undefined) map.set(key, value);
  else map.set(key, Array.isArray(before) ? [...(before as RawValue[]), value] : [before, value]);
}

// ---- src/mock/security-schemes.ts ----
// Kinds of security schemes, and the check of the credentials of each.

/** A security scheme of the API. */
type MockSecurityScheme =
  | { readonly kind: "apiKey"; readonly in: "query" | "header" | "cookie"; readonly name: string }
  | { readonly kind: "http"; readonly scheme: string }
  | { readonly kind: "oauth2" | "openIdConnect" | "mutualTLS" };

type Kind = MockSecurityScheme["kind"];
type SchemeOf<K extends Kind> = MockSecurityScheme & { readonly kind: K };

/** Parts of a request that carry credentials. */
interface CredentialCarrier {
  /** Without the leading `?`. */
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

interface SchemeCheck<Scheme> {
  readonly usesAuthorization: boolean;
  readonly isSatisfied: (scheme: Scheme, request: CredentialCarrier) => boolean;
  /** Challenge of a response 401. */
  readonly challenge: (scheme: Scheme) => string;
}

const bearer: SchemeCheck<MockSecurityScheme> = {
  usesAuthorization: true,
  isSatisfied: (_, { headers }) => hasHttpCredentials("bearer", headers["authorization"]),
  challenge: () => "Bearer",
};

const CHECKS: { readonly [K in Kind]: SchemeCheck<SchemeOf<K>> } = {
  apiKey: {
    usesAuthorization: false,
    isSatisfied: ({ in: place, name }, request) => hasKey(place, name, request),
    challenge: () => "ApiKey",
  },
  http: {
    usesAuthorization: true,
    isSatisfied: ({ scheme }, { headers }) => hasHttpCredentials(scheme, headers["authorization"]),
    challenge: ({ scheme }) => (/^basic$/iu.test(scheme) ? 'Basic realm="mock"' : scheme),
  },
  oauth2: bearer,
  openIdConnect: bearer,
  // A client certificate cannot be asked for over plain HTTP.
  mutualTLS: { usesAuthorization: false, isSatisfied: () => true, challenge: () => "Certificate" },
};

const checkOf = ({ kind }: MockSecurityScheme): SchemeCheck<MockSecurityScheme> =>
  CHECKS[kind] as SchemeCheck<MockSecurityScheme>;

/** The challenge for a scheme. RFC 9110, section 11.6.1. */
function challengeOf(scheme: MockSecurityScheme): string {
  return checkOf(scheme).challenge(scheme);
}

function usesAuthorization(scheme: MockSecurityScheme | undefined): boolean {
  return scheme !== undefined && checkOf(scheme).usesAuthorization;
}

/** True for a request with the credentials of a scheme, and for a scheme that is not defined. */
function hasCredentials(
  scheme: MockSecurityScheme | undefined,
  request: CredentialCarrier,
): boolean {
  return scheme === undefined || checkOf(scheme).isSatisfied(scheme, request);
}

function hasKey(
  place: "query" | "header" | "cookie",
  name: string,
  { headers, query }: CredentialCarrier,
): boolean {
  if (place === "header") return Boolean(headers[name.toLowerCase()]);
  const pairs = place === "query" ? query.split("&") : (headers["cookie"] ?? "").split(/; ?/u);
  return pairs.map(pairOf).some(([key, value]) => decodeForm(key) === name && value !== "");
}

/** RFC 9110, 11.4; Basic by RFC 7617. */
function hasHttpCredentials(scheme: string, header: string | undefined): boolean {
  const [name = "", credentials = ""] = (header ?? "").split(/ +/u);
  if (name.toLowerCase() !== scheme.toLowerCase() || credentials === "") return false;
  return (
    scheme.toLowerCase() !== "basic" ||
    Buffer.from(credentials, "base64").toString("utf8").includes(":")
  );
}

// ---- src/mock/types.ts ----
// Input of the mock: operations, schemas and security schemes of an API. The types repeat those of
// the generator on purpose. The mock checks the requests of the runtime independently and shares no
// code with it or with the planning of requests.

/** JSON Schema 2020-12. A `$ref` is always `#/$defs/<key of MockApi.schemas>`. */
export type Schema = { readonly [keyword: string]: unknown };

export interface MockApi {
  readonly operations: readonly MockOperation[];
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly securitySchemes: Readonly<Record<string, MockSecurityScheme>>;
  /** States of work, by `POST /reports`. */
  readonly states?: Readonly<Record<string, MockState>>;
}

/** Field of a response with the state of work. */
export interface MockState {
  /** Names from the top of the response. */
  readonly field: readonly string[];
  /** Values, one after the other. */
  readonly values: readonly unknown[];
  /** True for a write, which starts work. */
  readonly starts?: true;
}

export interface MockOperation {
  readonly operationId?: string;
  /** In upper case. */
  readonly method: string;
  /** `/pets/{petId}`. */
  readonly path: string;
  /** Constant query parameters of the path. */
  readonly fixedQuery?: readonly (readonly [string, string])[];
  readonly parameters: readonly MockParameter[];
  readonly body?: { readonly required: boolean; readonly contents: readonly MockContent[] };
  readonly responses: readonly DocumentedResponse[];
  /** Alternatives; all schemes of one alternative apply together. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export type Style =
  | "matrix"
  | "label"
  | "simple"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject"
  | "cookie"
  | "tabDelimited";

export interface MockParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie" | "querystring";
  readonly required: boolean;
  readonly schema: Schema;
  readonly style: Style;
  readonly explode: boolean;
  readonly contentType?: string;
  readonly encoding?: Readonly<Record<string, MockEncoding>>;
}

export interface MockContent {
  readonly mediaType: string;
  readonly schema?: Schema;
  readonly examples?: readonly unknown[];
  readonly encoding?: Readonly<Record<string, MockEncoding>>;
}

export interface MockEncoding {
  readonly contentType?: string;
  readonly style?: Style;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DocumentedResponse {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  readonly contents: readonly MockContent[];
  readonly headers: readonly { readonly name: string; readonly schema?: Schema }[];
}

/** A violation of the document and its location: `query limit`, `body /name`, `path`. */
export interface Violation {
  readonly at: string;
  readonly problem: string;
}

/** The parts of a tool that the contract tests read. */
export interface ContractTool {
  readonly name: string;
  readonly inputSchema: Schema;
  /** Absent for workflows, which choose their requests themselves. */
  readonly operations?: readonly {
    readonly request: MockRequestMapping;
    /** Value of an input that chooses the operation. */
    readonly choice?: { readonly input: string; readonly value: string };
  }[];
}

/**
 * The request of a tool and the inputs that it sends. A value is the name of an input, or an object
 * with the name as `from`.
 */
export interface MockRequestMapping {
  readonly method: string;
  readonly path: string;
  readonly pathParams?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly querystring?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly cookies?: Readonly<Record<string, unknown>>;
  readonly body?: MockBody;
}

export interface MockBody {
  readonly contentType: string;
  readonly from?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Names of the objects around the fields, from the outside. */
  readonly envelope?: readonly string[];
  /** Fields inside the body that no input gives. */
  readonly innerFields?: readonly { readonly path: readonly string[] }[];
  readonly encoding?: Readonly<Record<string, { readonly file?: boolean }>>;
}

/** A received request, decoded by the document. */
export interface MockRequest {
  readonly method: string;
  /** As received: `/v1/pets/42?limit=5`. */
  readonly url: string;
  /** Without base path and query, still percent-encoded: `/pets/42`. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The matched operation: `GET /pets/{petId}`. */
  readonly operation?: string;
  /** Decoded parameters, by name. */
  readonly parameters: ReadonlyMap<string, unknown>;
  /** The decoded body. Absent when it is malformed. */
  readonly value?: unknown;
  readonly violations: readonly Violation[];
}

/** A request with the status of its response. */
export interface RecordedRequest extends MockRequest {
  readonly status: number;
}

export interface MockResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings and bytes are sent as they are, other values as JSON. */
  readonly body?: unknown;
}

export interface MockOptions {
  /** Path prefix of the API, `/v1`. Default: none. */
  readonly basePath?: string;
  /** Default: a free port. */
  readonly port?: number;
  /**
   * Overrides responses to valid requests, for faults, unknown IDs or state. Returns `undefined`
   * for the documented response.
   */
  readonly respond?: (request: MockRequest) => MockResponse | undefined;
}

export interface Mock {
  /** Base URL of the API, including the base path, without a trailing slash. */
  readonly url: string;
  /** The last 10,000 requests, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Stops the server and closes all connections. */
  readonly close: () => Promise<void>;
}

export type Shape = "scalar" | "array" | "object";

export interface DecodedBody {
  readonly value?: unknown;
  readonly violations: readonly Violation[];
  /** The operation does not accept the media type: status 415 instead of 400. */
  readonly unsupported?: boolean;
}

// ---- src/mock/schema-set.ts ----

/** Direction of a value: requests have no `readOnly` properties, responses no `writeOnly` ones. */
export type Direction = "request" | "response";

/** A JSON Schema, including the boolean schemas. */
export type AnySchema = Schema | boolean;

const BASE = new URL("https://mock.invalid/");

/**
 * The schemas of an API in one direction: resolves references and validates values. Schemas are
 * prepared on first use, so that large APIs start fast.
 */
export class SchemaSet {
  readonly #named: ReadonlyMap<string, AnySchema>;
  readonly #direction: Direction;
  /** Schemas registered with the validator, by URI. */
  readonly #lookup: Record<string, ValidatorSchema | boolean> = Object.create(null) as Record<
    string,
    ValidatorSchema | boolean
  >;
  readonly #prepared = new Map<object, AnySchema>();
  readonly #resolved = new Map<object, AnySchema>();
  readonly #registered = new Set<string>();
  #inline = 0;
  /** True if a prepared schema has a pattern whose match can take long. */
  #hasSlowPatterns = false;

  constructor(schemas: Readonly<Record<string, AnySchema>>, direction: Direction) {
    this.#named = new Map(Object.entries(schemas));
    this.#direction = direction;
  }

  get direction(): Direction {
    return this.#direction;
  }

  /**
   * Resolves a chain of references. Siblings of a reference override its target. Cycles resolve to
   * `true`.
   */
  resolve(schema: AnySchema | undefined): AnySchema {
    if (typeof schema !== "object" || typeof schema["$ref"] !== "string") return schema ?? true;
    const known = this.#resolved.get(schema);
    if (known !== undefined) return known;
    const target = this.#follow(schema);
    this.#resolved.set(schema, target);
    return target;
  }

  #follow(schema: Schema): AnySchema {
    let current: Schema = schema;
    for (let hops = 0; hops < 20; hops++) {
      const { $ref, ...siblings } = current;
      if (typeof $ref !== "string") return current;
      const target = this.definition($ref) ?? true;
      const alone = Object.keys(siblings).length === 0;
      if (typeof target === "boolean") return target && !alone ? siblings : target;
      current = alone ? target : { ...target, ...siblings };
    }
    return true;
  }

  /** Target of `#/$defs/<name>`. */
  definition(ref: string): AnySchema | undefined {
    return this.#named.get(refName(ref));
  }

  /**
   * Parts of an `allOf`. Empty when their types contradict each other, because nothing could
   * satisfy them.
   */
  allOf(schema: Schema): readonly AnySchema[] {
    const parts = Array.isArray(schema["allOf"]) ? (schema["allOf"] as readonly AnySchema[]) : [];
    const types = [schema, ...parts.map((part) => this.resolve(part))].flatMap((part) =>
      typeof part === "object" && part["type"] !== undefined ? [[part["type"]].flat()] : [],
    );
    const widened = types.map((list) =>
      list.flatMap((type) => (type === "number" ? ["number", "integer"] : [type])),
    );
    return widened.length < 2 ||
      widened[0]?.some((type) => widened.every((list) => list.includes(type)))
      ? parts
      : [];
  }

  /** True if a property is omitted in this direction. */
  isHidden(schema: AnySchema): boolean {
    const target = this.resolve(schema);
    if (typeof target === "boolean") return false;
    return target[this.#direction === "request" ? "readOnly" : "writeOnly"] === true;
  }

  /** All violations of a schema. Empty for a valid value. */
  check(value: unknown, schema: AnySchema | undefined, at: string): readonly Violation[] {
    if (schema === undefined || schema === true) return [];
    const { valid, errors } = this.#validate(value, schema);
    return valid
      ? []
      : readableErrors(errors).map(({ pointer, problem }) => ({
          at: `${at}${pointer && ` ${pointer}`}`,
          problem,
        }));
  }

  accepts(value: unknown, schema: AnySchema | undefined): boolean {
    return schema === undefined || this.#validate(value, schema).valid;
  }

  #validate(value: unknown, schema: AnySchema): { valid: boolean; errors: OutputUnit[] } {
    const prepared = this.#prepare(schema, 0);
    if (typeof prepared === "object" && !("__absolute_uri__" in prepared))
      this.#register(prepared, `/inline/${this.#inline++}`);
    const run = () => validate(value, prepared as ValidatorSchema, "2020-12", this.#lookup, false);
    if (!this.#hasSlowPatterns) return run();
    return runInTime(run) ?? { valid: true, errors: [] };
  }

  /** Registers a schema and its references with the validator. */
  #register(schema: AnySchema, pointer: string): void {
    const pending: [AnySchema, string][] = [[schema, pointer]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      dereference(next[0] as ValidatorSchema, this.#lookup, BASE, next[1]);
      for (const name of referencesIn(next[0])) {
        if (this.#registered.has(name)) continue;
        this.#registered.add(name);
        pending.push([
          this.#prepare(this.#named.get(name) ?? true, 0),
          `/$defs/${encodePointer(name)}`,
        ]);
      }
    }
  }

  /**
   * A copy of a schema for this direction, because the validator adds properties to schemas. Hidden
   * properties are neither required nor allowed. Invalid patterns are dropped, because the
   * validator throws for them, and so is the format of enumerated values, which may contradict
   * them. `oneOf` is validated as `anyOf`: in real documents its alternatives overlap. A
   * contradictory `allOf` is ignored.
   */
  #prepare(schema: AnySchema, depth: number): AnySchema {
    if (typeof schema === "boolean") return schema;
    const known = this.#prepared.get(schema);
    if (known !== undefined) return known;
    if (depth > 200) return true;
    const copy: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    this.#prepared.set(schema, copy);
    for (const [keyword, value] of Object.entries(schema)) {
      if (!NO_ASSERTION.has(keyword) && !(keyword === "format" && Array.isArray(schema["enum"])))
        define(copy, keyword, this.#prepareKeyword(schema, keyword, value, depth + 1));
    }
    return withoutOneOf(copy);
  }

  #prepareKeyword(schema: Schema, keyword: string, value: unknown, depth: number): unknown {
    if (keyword === "pattern") return isValidPattern(value) ? this.#pattern(value) : "";
    if (keyword === "required") return this.#required(schema, value);
    if (keyword === "properties")
      return mapValues(value, (s) => (this.isHidden(s) ? false : this.#prepare(s, depth)));
    if (keyword === "patternProperties")
      return mapValues(this.#patternKeys(value), (s) => this.#prepare(s, depth));
    if (MAPS.has(keyword)) return mapValues(value, (s) => this.#prepare(s, depth));
    if (keyword === "allOf") return this.allOf(schema).map((part) => this.#prepare(part, depth));
    if (LISTS.has(keyword) && Array.isArray(value))
      return value.map((s) => (isSchema(s) ? this.#prepare(s, depth) : s));
    return SINGLE.has(keyword) && isSchema(value) ? this.#prepare(value, depth) : value;
  }

  #pattern(pattern: string): string {
    this.#hasSlowPatterns ||= mayTakeLong(pattern);
    return pattern;
  }

  #patternKeys(map: unknown): object {
    const entries = Object.entries(map ?? {}).filter(([pattern]) => isValidPattern(pattern));
    for (const [pattern] of entries) this.#pattern(pattern);
    return Object.fromEntries(entries);
  }

  /**
   * Required names without hidden properties and without undeclared names, which are mistakes in
   * the document.
   */
  #required(schema: Schema, names: unknown): unknown {
    const properties = new Map(
      Object.entries((schema["properties"] ?? {}) as Record<string, AnySchema>),
    );
    const listed =
      properties.size > 0 &&
      schema["additionalProperties"] === undefined &&
      this.#direction === "request";
    return Array.isArray(names)
      ? names.filter(
          (n: string) =>
            (listed ? properties.has(n) : true) && !this.isHidden(properties.get(n) ?? true),
        )
      : names;
  }
}

/** `Pet` of `#/$defs/Pet`. */
function refName(ref: string): string {
  const encoded = ref.startsWith("#/$defs/") ? ref.slice("#/$defs/".length) : ref;
  try {
    return decodeURIComponent(encoded).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return encoded;
  }
}

const NO_ASSERTION = new Set(
  (
    "examples default description title $comment readOnly writeOnly deprecated xml " +
    "externalDocs id $id $anchor $schema"
  ).split(" "),
);
const MAPS = new Set(["$defs", "dependentSchemas"]);
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const SINGLE = new Set(
  (
    "items contains additionalProperties unevaluatedProperties unevaluatedItems " +
    "propertyNames not if then else"
  ).split(" "),
);

/** Tests whether a value can be a schema. */
function isSchema(value: unknown): value is AnySchema {
  return (
    typeof value === "boolean" ||
    (typeof value === "object" && value !== null && !Array.isArray(value))
  );
}

/** Sets a property whose key may be `__proto__`. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function mapValues(map: unknown, change: (schema: AnySchema) => AnySchema): unknown {
  const out = Object.create(null) as object;
  for (const [key, value] of Object.entries(map ?? {}))
    define(out, key, isSchema(value) ? change(value) : true);
  return out;
}

/** Tests whether a pattern is valid. JSON Schema patterns are ECMA-262 with the `u` flag. */
function isValidPattern(pattern: unknown): pattern is string {
  try {
    return typeof pattern === "string" && new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function referencesIn(schema: AnySchema): ReadonlySet<string> {
  const found = new Set<string>();
  const pending: unknown[] = [schema];
  const seen = new Set<object>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    const ref = (next as Schema)["$ref"];
    if (typeof ref === "string") found.add(refName(ref));
    for (const value of Object.values(next))
      if (typeof value === "object" && value !== null) pending.push(value);
  }
  return found;
}

/** Replaces `oneOf` by `anyOf`, in place: other schemas may refer to it already. */
function withoutOneOf(schema: Record<string, unknown>): AnySchema {
  const alternatives = schema["oneOf"];
  if (alternatives === undefined) return schema;
  delete schema["oneOf"];
  if (schema["anyOf"] === undefined) schema["anyOf"] = alternatives;
  else
    schema["allOf"] = [
      ...((schema["allOf"] as unknown[] | undefined) ?? []),
      { anyOf: alternatives },
    ];
  return schema;
}

/** Violations of the deepest level. The validator also reports every level above. */
function readableErrors(errors: readonly OutputUnit[]): { pointer: string; problem: string }[] {
  const leaves = errors.filter((e) => !LEVELS.has(e.keyword));
  return (leaves.length > 0 ? leaves : errors).slice(0, 10).map((e) => ({
    pointer: e.instanceLocation.replace(/^#/, ""),
    problem: e.keyword === "false" ? "is not allowed here" : e.error,
  }));
}

const LEVELS = new Set(
  "properties items $ref allOf prefixItems additionalProperties patternProperties".split(" "),
);

function violation(problem: string, at = "body"): Violation {
  return { at, problem };
}

// ---- src/mock/inspect-schema.ts ----

const COMBINATORS = ["allOf", "anyOf", "oneOf"] as const;

/** The shapes that a schema allows, most specific first. All shapes without any type. */
function shapesOf(schema: AnySchema | undefined, schemas: SchemaSet): readonly Shape[] {
  const types = typesOf(schema, schemas, 0);
  const shapes: Shape[] = [];
  if (types.has("array")) shapes.push("array");
  if (types.has("object")) shapes.push("object");
  if (types.size === 0 || [...types].some((t) => t !== "array" && t !== "object"))
    shapes.push("scalar");
  return types.size === 0 ? ["scalar", "array", "object"] : shapes;
}

/** JSON types of a schema, through references and combinators. */
function typesOf(
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  depth = 0,
): ReadonlySet<string> {
  const target = schemas.resolve(schema);
  const found = new Set<string>();
  if (typeof target === "boolean" || depth > 8) return found;
  for (const type of toList(target["type"])) found.add(String(type));
  if (found.size === 0) addImplied(target, found);
  if (found.size > 0) return found;
  for (const part of subschemasOf(target))
    for (const type of typesOf(part, schemas, depth + 1)) found.add(type);
  return found;
}

function addImplied(schema: Schema, found: Set<string>): void {
  const values =
    "const" in schema
      ? [schema["const"]]
      : Array.isArray(schema["enum"])
        ? (schema["enum"] as unknown[])
        : [];
  for (const value of values)
    found.add(value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
  if (schema["properties"] !== undefined) found.add("object");
  if (schema["items"] !== undefined) found.add("array");
}

function subschemasOf(schema: Schema): readonly AnySchema[] {
  return COMBINATORS.flatMap((keyword) => toList(schema[keyword]) as AnySchema[]);
}

function toList(value: unknown): readonly unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value];
}

/**
 * Declared properties of an object schema, through references and combinators. `open`: additional
 * properties are allowed.
 */
function propertiesOf(
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  depth = 0,
): { readonly schemas: ReadonlyMap<string, AnySchema>; readonly open: boolean } {
  const target = schemas.resolve(schema);
  const out = new Map<string, AnySchema>();
  if (typeof target === "boolean" || depth > 8) return { schemas: out, open: target !== false };
  for (const [name, property] of Object.entries(
    (target["properties"] ?? {}) as Record<string, AnySchema>,
  ))
    out.set(name, property);
  let open =
    target["additionalProperties"] !== undefined
      ? target["additionalProperties"] !== false
      : out.size === 0 && subschemasOf(target).length === 0;
  for (const part of subschemasOf(target)) {
    const inner = propertiesOf(part, schemas, depth + 1);
    for (const [name, property] of inner.schemas) if (!out.has(name)) out.set(name, property);
    open ||=
      inner.open &&
      target["additionalProperties"] !== false &&
      inner.schemas.size === 0 &&
      out.size === 0;
  }
  return { schemas: out, open };
}

/** Schema of an array item. */
function itemOf(
  schema: AnySchema | undefined,
  index: number,
  schemas: SchemaSet,
  depth = 0,
): AnySchema | undefined {
  const target = schemas.resolve(schema);
  if (typeof target === "boolean" || depth > 8) return undefined;
  const prefix = toList(target["prefixItems"]) as readonly AnySchema[];
  if (prefix[index] !== undefined) return prefix[index];
  if (target["items"] !== undefined) return target["items"] as AnySchema;
  for (const part of subschemasOf(target)) {
    const found = itemOf(part, index, schemas, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A schema without its examples and default. */
function withoutExamples(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => keyword !== "examples" && keyword !== "default"),
  );
}

// ---- src/mock/media-types.ts ----

/**
 * A parameter of a header: `name` of `form-data; name="a b"` is `a b`. Browsers escape quotes and
 * line breaks as `%22`, `%0D`, `%0A`.
 */
function headerParameter(header: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, "iu").exec(
    header,
  );
  const text = found?.[1]?.replace(/\\(.)/gu, "$1") ?? found?.[2];
  return text?.replace(/%(22|0D|0A)/gu, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** A media type in lower case, without parameters. */
function mediaTypeOf(contentType: string): string {
  return (contentType.split(";")[0] ?? "").trim().toLowerCase();
}

/** The most specific declared content for a media type (RFC 9110, 12.5.1). */
function contentFor(
  contents: readonly MockContent[],
  mediaType: string,
): MockContent | undefined {
  const ranges = [mediaType, `${mediaType.split("/")[0] ?? ""}/*`, "*/*"];
  for (const range of ranges) {
    const found = contents.find((c) => mediaTypeOf(c.mediaType) === range);
    if (found) return found;
  }
  return undefined;
}

/** The smallest valid file of a media type, which clients can open. */
function smallestFile(mediaType: string): Buffer {
  const known = FILES[mediaType];
  if (known) return known();
  if (mediaType.startsWith("image/")) return png();
  if (mediaType.startsWith("audio/")) return wav();
  return Buffer.from(Array.from({ length: 64 }, (_, i) => i * 4 + 3));
}

/** One transparent pixel. */
function png(): Buffer {
  return Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
    "base64",
  );
}

/** One transparent pixel. */
function gif(): Buffer {
  return Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
}

/** Eight samples of silence: 8-bit mono PCM, 8 kHz. */
function wav(): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(44, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(8, 40);
  return Buffer.concat([header, Buffer.alloc(8, 128)]);
}

/** One empty page. */
function pdf(): Buffer {
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((body, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj${body}endobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  return Buffer.from(
    `${text}xref\n0 4\n0000000000 65535 f \n${table}trailer<</Size 4/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`,
    "latin1",
  );
}

/** An archive without entries: only the end record. */
function zip(): Buffer {
  return Buffer.concat([Buffer.from("PK\u0005\u0006", "latin1"), Buffer.alloc(18)]);
}

const FILES: Readonly<Record<string, (() => Buffer) | undefined>> = Object.assign(
  Object.create(null) as object,
  {
    "image/png": png,
    "image/gif": gif,
    "image/svg+xml": () =>
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
    "audio/wav": wav,
    "audio/x-wav": wav,
    "application/pdf": pdf,
    "application/zip": zip,
  },
);

// ---- src/mock/merge-schemas.ts ----

const UPPER_BOUNDS = new Set([
  "maximum",
  "exclusiveMaximum",
  "maxLength",
  "maxItems",
  "maxProperties",
]);
const LOWER_BOUNDS = new Set([
  "minimum",
  "exclusiveMinimum",
  "minLength",
  "minItems",
  "minProperties",
]);

/** The intersection of two schemas, as far as a single schema can express it. */
function mergeSchemas(a: Schema, b: Schema): Schema {
  const out = new Map(Object.entries(a));
  for (const [keyword, value] of Object.entries(b)) {
    out.set(keyword, out.has(keyword) ? mergeKeyword(keyword, out.get(keyword), value) : value);
  }
  return Object.fromEntries(out);
}

function mergeKeyword(keyword: string, a: unknown, b: unknown): unknown {
  if (keyword === "properties")
    return mergeProperties(a as Record<string, AnySchema>, b as Record<string, AnySchema>);
  if (keyword === "required") return [...new Set([...toList(a), ...toList(b)])];
  if (keyword === "type") return intersectTypes(toList(a), toList(b));
  if (keyword === "enum") return (a as unknown[]).filter((v) => (b as unknown[]).includes(v));
  if (UPPER_BOUNDS.has(keyword)) return Math.min(Number(a), Number(b));
  if (LOWER_BOUNDS.has(keyword)) return Math.max(Number(a), Number(b));
  if (keyword === "oneOf" || keyword === "anyOf") return a;
  return b;
}

function mergeProperties(
  a: Record<string, AnySchema>,
  b: Record<string, AnySchema>,
): Record<string, AnySchema> {
  const out = new Map(Object.entries(a));
  for (const [name, schema] of Object.entries(b)) {
    const before = out.get(name) ?? true;
    if (before === true) out.set(name, schema);
    else if (schema !== true) out.set(name, { allOf: [before, schema] });
  }
  return Object.fromEntries(out);
}

function intersectTypes(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
  const both = a.filter((t) => b.includes(t));
  if (both.length > 0) return both;
  const isNarrower = a.includes("integer") && b.includes("number");
  return isNarrower ? a : b;
}

// ---- src/mock/sample-number.ts ----

/**
 * A valid number of a schema: by its bounds and `multipleOf`.
 * @param n different numbers give different values where the bounds allow it
 */
function sampleNumber(schema: Schema, n: number, isInteger: boolean): number {
  const { multipleOf } = schema;
  const unit = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : undefined;
  const step = unit ?? 1;
  const exclusiveStep = isInteger ? 1 : (unit ?? 0.5);
  const low = lowerBound(schema, exclusiveStep);
  const high = upperBound(schema, exclusiveStep);
  const hasUnit = isInteger || unit !== undefined;
  if (!hasUnit && low !== undefined && high !== undefined && low > high)
    return roundedNumber(middleOf(schema));
  const start = startNumber(low, high, step, hasUnit);
  const first = hasUnit ? Math.ceil(start / step) * step : start;
  const value = roundedNumber(first + n * step);
  if (high === undefined || value <= high) return value;
  if (first <= high) return roundedNumber(first);
  return hasUnit ? roundedNumber(Math.floor(high / step) * step) : high;
}

/** The number between two bounds that are closer than a step: 0.1 of `0 < x < 0.2`. */
function middleOf(schema: Schema): number {
  return ((lowerBound(schema, 0) ?? 0) + (upperBound(schema, 0) ?? 0)) / 2;
}

/** The inclusive lower bound. An exclusive one is moved up by `step`. */
function lowerBound({ minimum, exclusiveMinimum }: Schema, step: number): number | undefined {
  const bounds = numbersOf(minimum, shifted(exclusiveMinimum, step));
  return bounds.length === 0 ? undefined : Math.max(...bounds);
}

/** The inclusive upper bound. An exclusive one is moved down by `step`. */
function upperBound({ maximum, exclusiveMaximum }: Schema, step: number): number | undefined {
  const bounds = numbersOf(maximum, shifted(exclusiveMaximum, -step));
  return bounds.length === 0 ? undefined : Math.min(...bounds);
}

const shifted = (bound: unknown, step: number): unknown =>
  typeof bound === "number" ? bound + step : undefined;

const numbersOf = (...values: readonly unknown[]): readonly number[] =>
  values.filter((value) => typeof value === "number");

/** The lower bound, otherwise a small positive number below the upper bound. */
function startNumber(
  low: number | undefined,
  high: number | undefined,
  step: number,
  hasUnit: boolean,
): number {
  if (low !== undefined) return Math.max(low, Number.MIN_SAFE_INTEGER);
  if (high !== undefined && high < step) return high;
  return hasUnit ? step : 1.5;
}

/** Without rounding errors of binary fractions: 0.3, not 0.30000000000000004. */
function roundedNumber(value: number): number {
  return Number(value.toPrecision(12));
}

// ---- src/mock/sample-pattern.ts ----
// Strings that match the pattern of a schema.

const patternText = (..._: readonly unknown[]): undefined => undefined;

function hasLength(text: string, least: number, most: number): boolean {
  return text.length >= least && text.length <= most;
}

// ---- src/mock/sample-text.ts ----

/**
 * Valid strings of each format of JSON Schema and of the OpenAPI format registry. Different `n`
 * give different strings.
 */
const FORMATS: Readonly<Record<string, (n: number) => string>> = {
  "date-time": (n) => `2024-01-${twoDigits(n)}T09:30:00Z`,
  "date-time-local": (n) => `2024-01-${twoDigits(n)}T09:30:00`,
  date: (n) => `2024-01-${twoDigits(n)}`,
  time: (n) => `09:${twoDigits(n)}:00Z`,
  duration: (n) => `PT${n + 1}H`,
  email: (n) => `person${n || ""}@example.com`,
  "idn-email": (n) => `person${n || ""}@example.com`,
  hostname: (n) => `host${n || ""}.example.com`,
  "idn-hostname": (n) => `host${n || ""}.example.com`,
  ipv4: (n) => `192.0.2.${(n % 250) + 1}`,
  ipv6: (n) => `2001:db8::${(n + 1).toString(16)}`,
  uri: (n) => `https://example.com/${n || ""}`,
  url: (n) => `https://example.com/${n || ""}`,
  iri: (n) => `https://example.com/${n || ""}`,
  "uri-reference": (n) => `/items/${n}`,
  "iri-reference": (n) => `/items/${n}`,
  "uri-template": (n) => `/items/{id}/${n}`,
  uuid: (n) => `123e4567-e89b-42d3-a456-${(426614174000 + n).toString().padStart(12, "0")}`,
  "json-pointer": (n) => `/items/${n}`,
  "relative-json-pointer": (n) => `${n}/items`,
  regex: () => "^[a-z]+$",
  byte: (n) => Buffer.from(`text ${n}`).toString("base64"),
  base64: (n) => Buffer.from(`text ${n}`).toString("base64"),
  base64url: (n) => Buffer.from(`text ${n}`).toString("base64url"),
  binary: (n) => `text ${n}`,
  int32: (n) => String(n + 1),
  int64: (n) => String(n + 1),
  decimal: (n) => `${n + 1}.5`,
};

function twoDigits(n: number): string {
  return String((n % 28) + 1).padStart(2, "0");
}

/**
 * A valid string of a schema: by its format, pattern and length.
 * @param n different numbers give different strings where the schema allows it
 * @param hint text for strings without constraints, usually the name of the property
 */
function sampleText(schema: Schema, n: number, hint: string): string {
  const least = boundOf(schema["minLength"], 0);
  const most = boundOf(schema["maxLength"], 10_000);
  const formatted = formatSampler(schema)?.(n);
  const matching = patternText(schema["pattern"], [formatted, hintText(hint, n)], {
    n,
    least,
    most,
  });
  if (matching !== undefined) return matching;
  return formatted !== undefined && hasLength(formatted, least, most)
    ? formatted
    : fitLength(hintText(hint, n), least, most);
}

function formatSampler(schema: Schema): ((n: number) => string) | undefined {
  const { format, contentEncoding } = schema;
  const name = [format, contentEncoding].find((value) => typeof value === "string") ?? "";
  return Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
}

function boundOf(value: unknown, fallback: number): number {
  return typeof value === "number" && value >= 0 ? Math.min(value, 10_000) : fallback;
}

function hintText(hint: string, n: number): string {
  const base =
    hint
      .replace(/[^A-Za-z0-9]+/gu, " ")
      .trim()
      .slice(0, 40) || "text";
  return n === 0 ? base : `${base} ${n}`;
}

function fitLength(text: string, least: number, most: number): string {
  const long = text.length >= least ? text : text + "x".repeat(least - text.length);
  // Keeps the end, in which strings of one schema differ.
  return long.length <= most
    ? long
    : long
        .slice(long.length - most)
        .trim()
        .padEnd(Math.min(Math.max(least, 1), most), "x");
}

// ---- src/mock/sample.ts ----

export interface SampleOptions {
  /**
   * `required`: required properties only, and one value in each nested array and object, because an
   * empty one often cannot be sent. `all`: every property, down to a few levels. Default: `all`.
   */
  readonly fill?: "required" | "all";
  /** Prefer `examples` and `default` over generated values. Default: true. */
  readonly examples?: boolean;
  /** Text for strings without any constraint. Default: `text`. */
  readonly hint?: string;
}

/** Levels with optional properties. */
const OPTIONAL_LEVELS = 4;
/** Levels without empty arrays and objects. */
const FILLED_LEVELS = 8;
const MAX_DEPTH = 12;
/** Maximum number of values in a sample. */
const MAX_VALUES = 300;

/**
 * A valid value of a schema, always the same: its example when it is valid, otherwise a value
 * generated from types, formats, bounds and patterns. Depth and size are limited. Keywords such as
 * `not` and `if` may be violated; check with `schemas.accepts`.
 */
export function sample(
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  options: SampleOptions = {},
): unknown {
  return new Sampler(schemas, options).value(schema, {
    depth: 0,
    n: 0,
    hint: options.hint ?? "text",
  });
}

interface SamplePosition {
  readonly depth: number;
  /** Index in the array around it. It makes items differ. */
  readonly n: number;
  /** Name of the property. */
  readonly hint: string;
}

class Sampler {
  readonly #schemas: SchemaSet;
  #all: boolean;
  readonly #examples: boolean;
  #left = MAX_VALUES;
  /** Attempts to satisfy combinators. Each one costs a validation. */
  #attempts = 2_000;

  constructor(schemas: SchemaSet, options: SampleOptions) {
    this.#schemas = schemas;
    this.#all = options.fill !== "required";
    this.#examples = options.examples !== false;
  }

  value(schema: AnySchema | undefined, position: SamplePosition): unknown {
    const target = this.#schemas.resolve(schema);
    this.#left--;
    if (typeof target === "boolean") return position.hint;
    const merged = this.#mergeAllOf(target, 0);
    if ("const" in merged) return merged["const"];
    const suggested = this.#suggestedValues(merged, position.n);
    if (suggested.length > 0) return suggested[0];
    if (position.depth > MAX_DEPTH || this.#left < -MAX_VALUES)
      return isNullable(merged) ? null : this.#leaf(merged, position);
    const keyword = (["oneOf", "anyOf"] as const).find((name) => Array.isArray(merged[name]));
    if (!keyword) return this.#byType(merged, position);
    return this.#choose(merged, keyword, target, position);
  }

  /** Examples, the default and enumerated values that the schema accepts. */
  #suggestedValues(schema: Schema, n: number): readonly unknown[] {
    const values = toList(schema["enum"]);
    const suggestions = this.#examples
      ? [
          ...rotate(toList(schema["examples"]), n),
          ...("default" in schema ? [schema["default"]] : []),
        ]
      : [];
    const candidates = [...suggestions, ...rotate(values, n)].filter(
      (v) => v !== undefined && (v !== null || !this.#all || values.length === 1),
    );
    return candidates.filter((v) => isExact(v) && this.#schemas.accepts(v, schema)).slice(0, 1);
  }

  /** Merges `allOf` into one schema. */
  #mergeAllOf(schema: Schema, depth: number): Schema {
    if (!Array.isArray(schema["allOf"]) || depth > 10) return schema;
    const { allOf: _, ...rest } = schema;
    const parts = this.#schemas
      .allOf(schema)
      .map((part) => this.#schemas.resolve(part))
      .filter((part) => typeof part === "object");
    // An example of one part is not an example of the whole.
    const merged = parts.map((part) =>
      this.#mergeAllOf(parts.length > 1 ? withoutExamples(part) : part, depth + 1),
    );
    return merged.reduce(mergeSchemas, rest);
  }

  /** A value of the first alternative that makes the whole schema valid. */
  #choose(
    schema: Schema,
    keyword: "oneOf" | "anyOf",
    original: Schema,
    position: SamplePosition,
  ): unknown {
    const { [keyword]: alternatives, ...rest } = schema;
    const targets = orderAlternatives(alternatives as AnySchema[], this.#schemas, position.n)
      .slice(0, 12)
      .map((alternative) => this.#schemas.resolve(alternative));
    const values: unknown[] = [];
    for (const all of this.#all ? [true, false] : [false]) {
      for (const target of targets) {
        const value = this.#withOptional(all, () =>
          this.value(
            typeof target === "boolean" ? rest : mergeSchemas(rest, this.#mergeAllOf(target, 0)),
            position,
          ),
        );
        if (this.#attempts-- <= 0 || this.#schemas.accepts(value, original)) return value;
        values.push(value);
      }
    }
    return values.length > 0 ? values[0] : this.#byType(rest, position);
  }

  /**
   * Samples with or without optional properties. Schemas that forbid combinations of properties
   * accept only the smaller value.
   */
  #withOptional(all: boolean, make: () => unknown): unknown {
    const before = this.#all;
    this.#all = all;
    const value = make();
    this.#all = before;
    return value;
  }

  #byType(schema: Schema, position: SamplePosition): unknown {
    const types = toList(schema["type"]);
    const type = types.find((t) => t !== "null") ?? types[0] ?? impliedType(schema);
    switch (type) {
      case "object":
        return this.#object(schema, position);
      case "array":
        return this.#array(schema, position);
      default:
        return this.#leaf(schema, position);
    }
  }

  #leaf(schema: Schema, position: SamplePosition): unknown {
    const types = toList(schema["type"]);
    switch (types.find((t) => t !== "null") ?? types[0] ?? "string") {
      case "integer":
        return sampleNumber(schema, position.n, true);
      case "number":
        return sampleNumber(schema, position.n, false);
      case "boolean":
        return position.n % 2 === 0;
      case "null":
        return null;
      case "object":
        return {};
      case "array":
        return [];
      default:
        return sampleText(schema, position.n, position.hint);
    }
  }

  #array(schema: Schema, { depth, hint }: SamplePosition): unknown[] {
    const least = minimumCount(schema, "minItems");
    const most = typeof schema["maxItems"] === "number" ? schema["maxItems"] : Infinity;
    const prefix = toList(schema["prefixItems"]) as readonly AnySchema[];
    const items = schema["items"] as AnySchema | undefined;
    const contains = schema["contains"] as AnySchema | undefined;
    const count = Math.max(least, prefix.length, depth < FILLED_LEVELS ? 1 : 0);
    const length = Math.min(count, most, items === false ? prefix.length : Infinity);
    return Array.from({ length }, (_, n) =>
      this.value(prefix[n] ?? (n === 0 && contains !== undefined ? contains : items), {
        depth: depth + 1,
        n,
        hint: singular(hint),
      }),
    );
  }

  #object(schema: Schema, { depth, n }: SamplePosition): Record<string, unknown> {
    const properties = new Map(
      Object.entries((schema["properties"] ?? {}) as Record<string, AnySchema>),
    );
    const required = new Set(toList(schema["required"]) as readonly string[]);
    const entries: [string, unknown][] = [];
    const least = Math.max(
      minimumCount(schema, "minProperties"),
      depth > 0 && depth < FILLED_LEVELS ? 1 : 0,
    );
    const visible = [...properties].filter(
      ([, property]) => property !== false && !this.#schemas.isHidden(property),
    );
    let spare = least - visible.filter(([name]) => required.has(name)).length;
    let room = maxPropertiesOf(schema) - required.size;
    for (const [name, property] of visible) {
      if (!required.has(name) && ((!this.#mayGrow(depth) && spare-- <= 0) || room-- <= 0)) continue;
      entries.push([name, this.value(property, { depth: depth + 1, n, hint: name })]);
    }
    for (const name of required)
      if (!properties.has(name))
        entries.push([name, this.#extra(schema, { depth, n, hint: name })]);
    return Object.fromEntries([...entries, ...this.#additional(schema, entries, depth)]);
  }

  /**
   * Additional properties: as many as `minProperties` needs, and one for a map without properties.
   */
  #additional(
    schema: Schema,
    entries: readonly [string, unknown][],
    depth: number,
  ): readonly [string, unknown][] {
    const least = minimumCount(schema, "minProperties");
    const isMap =
      typeof schema["additionalProperties"] === "object" && schema["properties"] === undefined;
    const count =
      Math.min(Math.max(least, isMap && this.#mayGrow(depth) ? 1 : 0), maxPropertiesOf(schema)) -
      entries.length;
    if (count <= 0 || schema["additionalProperties"] === false) return [];
    const names = schema["propertyNames"] as AnySchema | undefined;
    return Array.from({ length: count }, (_, n) => [
      this.#key(names, n),
      this.#extra(schema, { depth, n, hint: "value" }),
    ]);
  }

  #key(names: AnySchema | undefined, n: number): string {
    const key =
      names === undefined
        ? `key${n + 1}`
        : this.value(names === true ? { type: "string" } : names, {
            depth: MAX_DEPTH,
            n,
            hint: "key",
          });
    return typeof key === "string" ? key : `key${n + 1}`;
  }

  #extra(schema: Schema, position: SamplePosition): unknown {
    const rest = schema["additionalProperties"];
    return this.value(isSchema(rest) && rest !== false ? rest : true, {
      ...position,
      depth: position.depth + 1,
    });
  }

  #mayGrow(depth: number): boolean {
    return this.#all && depth < OPTIONAL_LEVELS && this.#left > 0;
  }
}

/** Tests whether all numbers are exact. Integers beyond 2^53 lose digits when they are parsed. */
function isExact(value: unknown): boolean {
  if (typeof value === "number") return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isExact);
}

function minimumCount(schema: Schema, keyword: "minItems" | "minProperties"): number {
  const least = schema[keyword];
  return typeof least === "number" ? Math.min(least, 100) : 0;
}

function maxPropertiesOf(schema: Schema): number {
  const most = schema["maxProperties"];
  return typeof most === "number" ? most : Number.POSITIVE_INFINITY;
}

function isNullable(schema: Schema): boolean {
  return toList(schema["type"]).includes("null");
}

function rotate<T>(values: readonly T[], n: number): readonly T[] {
  const at = values.length === 0 ? 0 : n % values.length;
  return [...values.slice(at), ...values.slice(0, at)];
}

/** Alternatives with `null` last, rotated so that items of an array differ. */
function orderAlternatives(
  alternatives: readonly AnySchema[],
  schemas: SchemaSet,
  n: number,
): readonly AnySchema[] {
  const isNull = (s: AnySchema): boolean => {
    const target = schemas.resolve(s);
    return typeof target === "object" && target["type"] === "null";
  };
  return [
    ...rotate(
      alternatives.filter((s) => !isNull(s)),
      n,
    ),
    ...alternatives.filter(isNull),
  ];
}

/** The type that the keywords of a schema without `type` imply. */
function impliedType(schema: Schema): string {
  const hasAny = (keywords: readonly string[]): boolean =>
    keywords.some((keyword) => schema[keyword] !== undefined);
  if (hasAny(["properties", "additionalProperties", "required", "minProperties"])) return "object";
  if (hasAny(["items", "prefixItems", "minItems"])) return "array";
  if (hasAny(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]))
    return "number";
  return subschemasOf(schema).length > 0 ? "object" : "string";
}

function singular(hint: string): string {
  return hint.length > 3 && hint.endsWith("s") ? hint.slice(0, -1) : hint;
}

// ---- src/mock/sampled-values.ts ----
// Sampled values of requests, and the names of the inputs that they come from.

type Fill = "required" | "all";

/**
 * A valid sample. A sample with all properties that is invalid, or a minimal one that is empty, is
 * replaced by the other variant.
 */
function sampleValue(
  schema: Schema | undefined,
  schemas: SchemaSet,
  fill: Fill,
  hint: string,
): unknown {
  const value = sample(schema, schemas, { fill, hint });
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return isEmpty || !schemas.accepts(value, schema)
    ? sample(schema, schemas, { fill: fill === "all" ? "required" : "all", hint })
    : value;
}

/** A sampled value of a request, and the inputs that it comes from. */
interface SampledValue {
  readonly at: string;
  readonly value: unknown;
  readonly schema: Schema | undefined;
  readonly inputs: readonly (readonly [string, unknown])[];
}

/** A value of a map by its own key. */
function ownValue(
  map: Readonly<Record<string, unknown>> | undefined,
  name: string,
): unknown {
  return map && Object.hasOwn(map, name) ? map[name] : undefined;
}

/**
 * Name of the input that a value comes from. Constants, generated values and environment variables
 * have none.
 */
function inputName(source: unknown): string | undefined {
  if (typeof source === "string") return source;
  const from =
    typeof source === "object" && source !== null
      ? (source as { readonly from?: unknown }).from
      : undefined;
  return typeof from === "string" ? from : undefined;
}

// ---- src/mock/body-inputs.ts ----

/** An input without the fields that the server sets inside it. */
function withoutInnerFields(
  input: Record<string, unknown>,
  { from, fields = {}, innerFields = [] }: MockBody = { contentType: "" },
): Record<string, unknown> {
  return innerFields.reduce((current, { path }) => {
    const [name = "", ...rest] = path;
    const source = from ?? inputName(fields[name]);
    const inner = from === undefined ? rest : path;
    return source === undefined || !Object.hasOwn(current, source)
      ? current
      : { ...current, [source]: withoutPath(current[source], inner) };
  }, input);
}

/** A value without the field at a path. A list on the way stands for each of its items. */
function withoutPath(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (Array.isArray(value)) return value.map((item) => withoutPath(item, path));
  if (typeof value !== "object" || value === null || name === undefined) return value;
  const entries = Object.entries(value).flatMap(([key, member]) =>
    key !== name ? [[key, member]] : rest.length === 0 ? [] : [[key, withoutPath(member, rest)]],
  );
  return Object.fromEntries(entries) as unknown;
}

/** Tests whether the tool requires a field of an optional body. */
function needsBody(tool: ContractTool, body: MockBody | undefined): boolean {
  const required = new Set(toList(tool.inputSchema["required"]));
  return [body?.from, ...Object.values(body?.fields ?? {}).map(inputName)].some(
    (name) => name !== undefined && required.has(name),
  );
}

/** A sample of the body of an operation that inputs give. */
function bodyValues(
  operation: MockOperation,
  body: MockBody | undefined,
  schemas: SchemaSet,
  fill: Fill,
): readonly SampledValue[] {
  if (!body || !operation.body) return [];
  const content = contentFor(operation.body.contents, mediaTypeOf(body.contentType));
  if (!content) return [];
  const value = sampleValue(content.schema, schemas, fill, "body");
  return [
    {
      at: "body",
      value,
      schema: content.schema,
      inputs:
        body.from === undefined
          ? fieldInputs(valueInside(value, body), body)
          : [[body.from, wholeInput(value, content)]],
    },
  ];
}

/** The fields of a body, without the objects around them. */
const valueInside = (value: unknown, { envelope = [] }: MockBody): unknown =>
  envelope.reduce(
    (current, name) => ownValue(Object(current) as Readonly<Record<string, unknown>>, name),
    value,
  );

function fieldInputs(value: unknown, body: MockBody): readonly (readonly [string, unknown])[] {
  const fields = new Map(Object.entries(body.fields ?? {}));
  return Object.entries(Object(value) as Record<string, unknown>).flatMap(([field, item]) => {
    const from = inputName(fields.get(field));
    const isFile =
      ownValue(body.encoding, field) !== undefined &&
      (ownValue(body.encoding, field) as { readonly file?: boolean }).file === true;
    return from === undefined ? [] : [[from, isFile ? toBase64(item) : item] as const];
  });
}

/** Files are base64 inputs, alone or in arrays. */
function toBase64(value: unknown): unknown {
  return Array.isArray(value) ? value.map(toBase64) : Buffer.from(String(value)).toString("base64");
}

function wholeInput(value: unknown, content: MockContent): unknown {
  const isText =
    /[/+](json|xml)$|^text\/|x-www-form-urlencoded|^multipart\/|ndjson|jsonl|json-seq/u.test(
      mediaTypeOf(content.mediaType),
    );
  return isText ? value : toBase64(typeof value === "string" ? value : JSON.stringify(value));
}

// ---- src/mock/deep-object.ts ----

/**
 * Reads a deep object: `color[R]=100&color[G]=200`. OpenAPI does not define further levels.
 * `a[b][c]=1`, `a[b][]=1` and `a[b][0]=1` are read as most servers do.
 */
function readDeep(
  pairs: readonly Pair[],
  name: string,
  shape: Shape,
  decode: Decoder,
): PairsReading | undefined {
  const root = new Map<string, RawValue>();
  const used: Pair[] = [];
  for (const pair of pairs) {
    const keys = bracketKeys(decode(pair[0]), name);
    if (!keys) continue;
    used.push(pair);
    setDeep(root, keys, decode(pair[1]));
  }
  if (used.length === 0) return undefined;
  const raw =
    shape === "array"
      ? withLists(root)
      : new Map([...root].map(([key, value]) => [key, withLists(value)]));
  return { raw, used };
}

/** `color[R][x]` → `["R", "x"]` for the parameter `color`. */
function bracketKeys(text: string, name: string): readonly string[] | undefined {
  if (!text.startsWith(`${name}[`) || !text.endsWith("]")) return undefined;
  return text.slice(name.length + 1, -1).split("][");
}

function setDeep(root: Map<string, RawValue>, keys: readonly string[], value: string): void {
  let map = root;
  for (const key of keys.slice(0, -1)) {
    const next = map.get(key);
    const child =
      next instanceof Map ? (next as Map<string, RawValue>) : new Map<string, RawValue>();
    map.set(key, child);
    map = child;
  }
  append(map, keys.at(-1) ?? "", value);
}

/** Turns maps whose keys are all indices or `""` into arrays. */
function withLists(raw: RawValue): RawValue {
  if (!(raw instanceof Map)) return raw;
  const map = raw as ReadonlyMap<string, RawValue>;
  const entries = [...map].map(([key, value]) => [key, withLists(value)] as const);
  const isList =
    entries.length > 0 && entries.every(([key]) => key === "" || /^\d{1,6}$/u.test(key));
  if (isList)
    return entries.flatMap(([key, value]) =>
      key === "" && Array.isArray(value) ? (value as RawValue[]) : [value],
    );
  return new Map(entries);
}

// ---- src/mock/deserialize.ts ----

/**
 * Reads a path segment or a header value.
 * OpenAPI 3.2, "Style Examples": rows matrix, label and simple; the delimiters of Swagger 2.0.
 * @returns undefined when the text does not have this style and shape
 */
function readText(
  text: string,
  name: string,
  style: Style,
  explode: boolean,
  shape: Shape,
  decode: Decoder,
): RawValue | undefined {
  switch (style) {
    case "matrix":
      return text.startsWith(";")
        ? readMatrix(text.slice(1), name, explode, shape, decode)
        : undefined;
    case "label":
      return text.startsWith(".")
        ? readList(text.slice(1), explode ? "." : ",", explode, shape, decode)
        : undefined;
    case "spaceDelimited":
    case "pipeDelimited":
    case "tabDelimited":
      return shape === "scalar" ? decode(text) : readDelimited(text, style, shape, decode);
    default:
      return readList(text, ",", explode, shape, decode);
  }
}

function readList(
  text: string,
  separator: string,
  explode: boolean,
  shape: Shape,
  decode: Decoder,
): RawValue | undefined {
  if (shape === "scalar") return decode(text);
  const parts =
    text === ""
      ? []
      : text.split(separator).map((part) => (decode === noDecoding ? part.trim() : part));
  if (shape === "array") return parts.map(decode);
  return explode ? objectOf(parts.map(pairOf), decode) : readAlternating(parts, decode);
}

function readMatrix(
  text: string,
  name: string,
  explode: boolean,
  shape: Shape,
  decode: Decoder,
): RawValue | undefined {
  const pairs = text.split(";").map(pairOf);
  if (explode && shape === "object") return objectOf(pairs, decode);
  if (pairs.some(([key]) => decode(key) !== name)) return undefined;
  if (explode && shape === "array") return pairs.map(([, value]) => decode(value));
  return pairs.length === 1 ? readList(pairs[0]?.[1] ?? "", ",", false, shape, decode) : undefined;
}

function objectOf(pairs: readonly Pair[], decode: Decoder): RawValue | undefined {
  const out = new Map<string, RawValue>();
  for (const [key, value] of pairs) {
    if (out.has(decode(key))) return undefined;
    out.set(decode(key), decode(value));
  }
  return out;
}

function readAlternating(parts: readonly string[], decode: Decoder): RawValue | undefined {
  if (parts.length % 2 !== 0) return undefined;
  const out = new Map<string, RawValue>();
  for (let i = 0; i < parts.length; i += 2)
    out.set(decode(parts[i] ?? ""), decode(parts[i + 1] ?? ""));
  return out;
}

/**
 * Reads a parameter from the pairs of a query, a form or a cookie.
 * OpenAPI 3.2, "Style Examples": rows form, spaceDelimited, pipeDelimited, deepObject and cookie.
 * @param claims whether a name belongs to an exploded object
 * @returns undefined when no pair belongs to the parameter, or the pairs do not have this style and
 *   shape
 */
function readPairs(
  pairs: readonly Pair[],
  name: string,
  style: Style,
  explode: boolean,
  shape: Shape,
  decode: Decoder,
  claims: (property: string) => boolean,
): PairsReading | undefined {
  // OpenAPI does not define `deepObject` for scalars. Servers accept the plain value.
  if (style === "deepObject" && shape !== "scalar") return readDeep(pairs, name, shape, decode);
  if (explode && shape === "object") {
    const used = pairs.filter(([key]) => claims(decode(key)));
    return used.length > 0 ? readingOf(groupRepeated(used, decode), used) : undefined;
  }
  const used = pairs.filter(([key]) => decode(key) === name);
  if (used.length === 0) return undefined;
  if (explode && shape === "array")
    return readingOf(
      used.map(([, value]) => decode(value)),
      used,
    );
  if (used.length > 1) return undefined;
  return readingOf(
    shape === "scalar"
      ? decode(used[0]?.[1] ?? "")
      : readDelimited(used[0]?.[1] ?? "", style, shape, decode),
    used,
  );
}

function readingOf(raw: RawValue | undefined, used: readonly Pair[]): PairsReading | undefined {
  return raw === undefined ? undefined : { raw, used };
}

const DELIMITERS: ReadonlyMap<Style, RegExp> = new Map([
  ["spaceDelimited", /%20|\+| /u],
  ["pipeDelimited", /%7C|\|/iu],
  ["tabDelimited", /%09|\t/u],
]);

/**
 * Splits at delimiters. Space and pipe are percent-encoded, because a URI must not contain them.
 */
function readDelimited(
  text: string,
  style: Style,
  shape: Shape,
  decode: Decoder,
): RawValue | undefined {
  const separator = DELIMITERS.get(style) ?? /,/u;
  const parts = text === "" ? [] : text.split(separator);
  return shape === "array" ? parts.map(decode) : readAlternating(parts, decode);
}

function groupRepeated(pairs: readonly Pair[], decode: Decoder): RawValue {
  const out = new Map<string, RawValue>();
  for (const [key, value] of pairs) append(out, decode(key), decode(value));
  return out;
}

/**
 * Converts text to the types of a schema: the first interpretation that the schema accepts,
 * otherwise the most literal one. `42` becomes a number or stays a string.
 */
function coerce(
  raw: RawValue,
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  depth = 0,
): unknown {
  if (typeof raw === "string") return coerceText(raw, schema, schemas);
  if (depth > 20) return undefined;
  if (Array.isArray(raw))
    return (raw as RawValue[]).map((item, index) =>
      coerce(item, itemOf(schema, index, schemas), schemas, depth + 1),
    );
  return coerceObject(raw as ReadonlyMap<string, RawValue>, schema, schemas, depth);
}

function coerceObject(
  raw: ReadonlyMap<string, RawValue>,
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  depth: number,
): unknown {
  const { schemas: properties } = propertiesOf(schema, schemas);
  const target = schemas.resolve(schema);
  const rest =
    typeof target === "object"
      ? (target["additionalProperties"] as AnySchema | undefined)
      : undefined;
  return objectFrom(
    [...raw].map(([name, value]) => [
      name,
      coerce(value, properties.get(name) ?? rest, schemas, depth + 1),
    ]),
  );
}

/** `Object.fromEntries` for keys of a request, which may be `__proto__`. */
function objectFrom(
  entries: readonly (readonly [string, unknown])[],
): Record<string, unknown> {
  return Object.fromEntries(entries);
}

function coerceText(
  text: string,
  schema: AnySchema | undefined,
  schemas: SchemaSet,
): unknown {
  const types = typesOf(schema, schemas);
  if (types.size === 0) return text;
  const readings = [...literalReadings(text, types), text];
  const typed = types.has("string") ? readings : readings.slice(0, -1);
  const accepted = typed.findIndex((reading) => schemas.accepts(reading, schema));
  return typed.length > 0 ? typed[Math.max(accepted, 0)] : text;
}

function literalReadings(text: string, types: ReadonlySet<string>): readonly unknown[] {
  const out: unknown[] = [];
  if ((types.has("integer") || types.has("number")) && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/u.test(text))
    out.push(Number(text));
  if (types.has("boolean") && (text === "true" || text === "false")) out.push(text === "true");
  if (types.has("null") && (text === "" || text === "null")) out.push(null);
  if (types.has("object") || types.has("array")) out.push(...jsonReadings(text));
  return out;
}

/**
 * JSON interpretation of objects and arrays inside a parameter. OpenAPI does not define their
 * format.
 */
function jsonReadings(text: string): readonly unknown[] {
  if (!/^\s*[[{]/u.test(text)) return [];
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

// ---- src/mock/form.ts ----

/**
 * Decodes `application/x-www-form-urlencoded`: each property by its encoding (OpenAPI "Encoding
 * Object").
 */
function parseForm(
  form: string,
  content: Pick<MockContent, "schema" | "encoding">,
  schemas: SchemaSet,
): object {
  const pairs = form
    .split("&")
    .filter((p) => p !== "")
    .map(pairOf);
  const { entries, unread } = readFields(pairs, content, schemas, decodeForm);
  const rest = unread.map(([name, value]) => [decodeForm(name), decodeForm(value)] as const);
  return objectFrom([...entries, ...groupPairs(rest)]);
}

interface FormFields {
  readonly entries: readonly (readonly [string, unknown])[];
  readonly unread: readonly Pair[];
}

function readFields(
  pairs: readonly Pair[],
  content: Pick<MockContent, "schema" | "encoding">,
  schemas: SchemaSet,
  decode: (text: string) => string,
): FormFields {
  const entries: [string, unknown][] = [];
  const unread = new Set(pairs);
  const encodings = new Map(Object.entries(content.encoding ?? {}));
  for (const [name, schema] of propertiesOf(content.schema, schemas).schemas) {
    const found = readField([...unread], name, schema, encodings.get(name), schemas, decode);
    if (!found) continue;
    entries.push([name, found.value]);
    for (const pair of found.used) unread.delete(pair);
  }
  return { entries, unread: [...unread] };
}

/**
 * Reads one property. With `style`, `explode` or `allowReserved` it is serialized like a query
 * parameter, otherwise by its content type.
 */
function readField(
  pairs: readonly Pair[],
  name: string,
  schema: AnySchema,
  encoding: MockEncoding | undefined,
  schemas: SchemaSet,
  decode: (text: string) => string,
): { readonly value: unknown; readonly used: readonly Pair[] } | undefined {
  const style = encoding?.style ?? "form";
  const styled =
    encoding?.style !== undefined ||
    encoding?.explode !== undefined ||
    encoding?.allowReserved !== undefined;
  const explode = encoding?.explode ?? style === "form";
  const properties = propertiesOf(schema, schemas).schemas;
  let first: { readonly value: unknown; readonly used: readonly Pair[] } | undefined;
  for (const shape of shapesOf(schema, schemas)) {
    if (!styled && shape === "object") continue;
    const found = readPairs(pairs, name, style, explode, shape, decode, (property) =>
      properties.has(property),
    );
    if (!found) continue;
    const candidate = { value: coerce(found.raw, schema, schemas), used: found.used };
    if (schemas.accepts(candidate.value, schema)) return candidate;
    first ??= candidate;
  }
  return readJsonField(pairs, name, schema, schemas, decode) ?? first;
}

/** Reads a property as JSON, the default for objects and arrays of objects. */
function readJsonField(
  pairs: readonly Pair[],
  name: string,
  schema: AnySchema,
  schemas: SchemaSet,
  decode: (text: string) => string,
): { readonly value: unknown; readonly used: readonly Pair[] } | undefined {
  const used = pairs.filter(([key]) => decode(key) === name);
  const values = used.map(([, value]) => parseJsonOrText(decode(value)));
  const candidates = typesOf(schema, schemas).has("array") ? [values, values[0]] : [values[0]];
  const value = candidates.find(
    (candidate) => candidate !== undefined && schemas.accepts(candidate, schema),
  );
  return used.length > 0 && value !== undefined ? { value, used } : undefined;
}

function parseJsonOrText(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** Fields without a schema: a string, or an array of strings for a repeated name. */
function groupPairs(
  pairs: readonly (readonly [string, unknown])[],
): readonly (readonly [string, unknown])[] {
  const groups = new Map<string, unknown[]>();
  for (const [name, value] of pairs) groups.set(name, [...(groups.get(name) ?? []), value]);
  return [...groups].map(([name, values]) => [name, values.length === 1 ? values[0] : values]);
}

// ---- src/mock/multipart.ts ----

/** One part of a multipart body. */
interface Part {
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** `name` of the `Content-Disposition`. */
  readonly name?: string;
  readonly filename?: string;
  /** Without parameters. `text/plain` without a `Content-Type` (RFC 7578, 4.4). */
  readonly mediaType: string;
  readonly content: Buffer;
}

/**
 * Splits a multipart body (RFC 2046, 5.1.1).
 * @returns a clause without a subject instead of the parts when the body is malformed
 */
function parseMultipart(body: Uint8Array, contentType: string): readonly Part[] | string {
  const boundary = headerParameter(contentType, "boundary");
  if (boundary === undefined) return "has no boundary in its Content-Type";
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  let at = bytes.indexOf(delimiter);
  if (at < 0) return "does not contain its boundary";
  const parts: Part[] = [];
  for (;;) {
    const start = at + delimiter.length;
    if (bytes.toString("latin1", start, start + 2) === "--") return parts;
    if (bytes.toString("latin1", start, start + 2) !== "\r\n")
      return "has a boundary that no CRLF follows";
    const end = bytes.indexOf(Buffer.concat([Buffer.from("\r\n"), delimiter]), start);
    if (end < 0) return "has no closing boundary";
    const part = parsePart(bytes.subarray(start + 2, end));
    if (typeof part === "string") return part;
    parts.push(part);
    at = end + 2;
  }
}

function parsePart(bytes: Buffer): Part | string {
  // Without headers, the empty line follows the boundary at once.
  const split = bytes.subarray(0, 2).toString("latin1") === "\r\n" ? 0 : bytes.indexOf("\r\n\r\n");
  if (split < 0) return "has a part without an empty line after its headers";
  const headers = new Map<string, string>();
  for (const line of bytes.toString("utf8", 0, split).split("\r\n").filter(Boolean)) {
    const colon = line.indexOf(":");
    if (colon < 1) return "has a part with a malformed header";
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = headers.get("content-disposition") ?? "";
  return {
    headers,
    name: headerParameter(disposition, "name"),
    filename: headerParameter(disposition, "filename"),
    mediaType: mediaTypeOf(headers.get("content-type") ?? "text/plain"),
    content: bytes.subarray(split === 0 ? 2 : split + 4),
  };
}

function groupByName(parts: readonly Part[]): ReadonlyMap<string, readonly Part[]> {
  const groups = new Map<string, Part[]>();
  for (const part of parts)
    if (part.name !== undefined) groups.set(part.name, [...(groups.get(part.name) ?? []), part]);
  return groups;
}

/**
 * Adds properties with a serialization style, whose value is spread over several parts (`color[R]`,
 * or the names of the members).
 */
function mergeStyledFields(
  parts: readonly Part[],
  content: MockContent,
  entries: readonly [string, unknown][],
  schemas: SchemaSet,
): readonly (readonly [string, unknown])[] {
  const pairs = parts.map((p): Pair => [p.name ?? "", p.content.toString("utf8")]);
  const styled = Object.fromEntries(
    Object.entries(content.encoding ?? {}).filter(
      ([, e]) => e.style !== undefined || e.explode !== undefined,
    ),
  );
  if (Object.keys(styled).length === 0) return entries;
  const names = new Set(Object.keys(styled));
  const properties = propertiesOf(content.schema, schemas).schemas;
  const styledContent = {
    ...content,
    encoding: styled,
    schema: {
      type: "object",
      properties: Object.fromEntries([...properties].filter(([name]) => names.has(name))),
    },
  };
  const fields = readFields(pairs, styledContent, schemas, noDecoding);
  const usedNames = new Set(pairs.filter((p) => !fields.unread.includes(p)).map(([name]) => name));
  return [...entries.filter(([name]) => !usedNames.has(name)), ...fields.entries];
}

function readParts(
  name: string,
  parts: readonly Part[],
  schema: AnySchema | undefined,
  encoding: MockEncoding | undefined,
  schemas: SchemaSet,
): DecodedBody {
  const isList = typesOf(schema, schemas).has("array");
  const nested = isList ? itemOf(schema, 0, schemas) : schema;
  const violations = parts.flatMap((part) => partViolations(name, part, nested, encoding, schemas));
  const values = parts.map((part) => partValue(part, nested, schemas));
  if (!isList) return { value: values.length === 1 ? values[0] : values, violations };
  const jsonArray =
    parts[0] && parts.length === 1 ? parseJsonOrText(parts[0].content.toString("utf8")) : undefined;
  return {
    value: Array.isArray(jsonArray) && schemas.accepts(jsonArray, schema) ? jsonArray : values,
    violations,
  };
}

function partViolations(
  name: string,
  part: Part,
  schema: AnySchema | undefined,
  encoding: MockEncoding | undefined,
  schemas: SchemaSet,
): readonly Violation[] {
  const hasStyle =
    encoding?.style !== undefined ||
    encoding?.explode !== undefined ||
    encoding?.allowReserved !== undefined;
  const violations: Violation[] = [];
  if (
    encoding?.contentType !== undefined &&
    !hasStyle &&
    !allowsMediaType(encoding.contentType, part.mediaType)
  ) {
    violations.push(
      violation(`has Content-Type ${part.mediaType}, not ${encoding.contentType}`, `part ${name}`),
    );
  }
  for (const [header, value] of Object.entries(encoding?.headers ?? {})) {
    if (part.headers.get(header.toLowerCase()) !== value)
      violations.push(violation(`lacks the header ${header}: ${value}`, `part ${name}`));
  }
  if (isBinary(schema, schemas) && part.filename === undefined)
    violations.push(violation("is a file without a filename", `part ${name}`));
  return violations;
}

/** Tests whether a media type is in a list such as `image/png, image/*`. */
function allowsMediaType(contentType: string, mediaType: string): boolean {
  return contentType
    .split(",")
    .map(mediaTypeOf)
    .some(
      (range) =>
        range === mediaType ||
        range === "*/*" ||
        (range.endsWith("/*") && mediaType.startsWith(range.slice(0, -1))),
    );
}

/** True for binary data: `format: binary` (3.0), or a media type without an encoding (3.1). */
function isBinary(schema: AnySchema | undefined, schemas: SchemaSet): boolean {
  const target = schemas.resolve(schema);
  if (typeof target === "boolean") return false;
  return (
    target["format"] === "binary" ||
    (typeof target["contentMediaType"] === "string" &&
      target["contentEncoding"] === undefined &&
      target["type"] === undefined)
  );
}

/**
 * A part that is multipart itself: an array by position or an object by name. OpenAPI 3.2, "Nested
 * Encoding".
 */
function nestedValue(part: Part, schema: AnySchema | undefined, schemas: SchemaSet): unknown {
  const parts = parseMultipart(part.content, part.headers.get("content-type") ?? "");
  if (typeof parts === "string") return part.content.toString("latin1");
  if (typesOf(schema, schemas).has("array"))
    return parts.map((nested, index) => partValue(nested, itemOf(schema, index, schemas), schemas));
  const properties = propertiesOf(schema, schemas).schemas;
  return objectFrom(
    parts.flatMap((nested) =>
      nested.name === undefined
        ? []
        : [[nested.name, partValue(nested, properties.get(nested.name), schemas)]],
    ),
  );
}

function partValue(part: Part, schema: AnySchema | undefined, schemas: SchemaSet): unknown {
  if (part.mediaType.startsWith("multipart/")) return nestedValue(part, schema, schemas);
  if (isBinary(schema, schemas)) return part.content.toString("latin1");
  const content = part.content.toString(
    headerParameter(`;${part.headers.get("content-type") ?? ""}`, "charset") === "latin1"
      ? "latin1"
      : "utf8",
  );
  return /[/+]json$/u.test(part.mediaType)
    ? parseJsonOrText(content)
    : coerce(content, schema, schemas);
}

/** Decodes a multipart body: an object of the named parts, or for other subtypes an array. */
function decodeMultipart(
  body: Uint8Array,
  content: MockContent,
  contentType: string,
  schemas: SchemaSet,
): DecodedBody {
  const parts = parseMultipart(body, contentType);
  if (typeof parts === "string") return { violations: [violation(parts)] };
  if (mediaTypeOf(contentType) !== "multipart/form-data")
    return { value: parts.map((part) => part.content), violations: [] };
  const unnamed = parts.filter(({ name }) => name === undefined);
  const violations = unnamed.map(() => violation("has a part without a name"));
  const properties = propertiesOf(content.schema, schemas).schemas;
  const encodings = new Map(Object.entries(content.encoding ?? {}));
  const entries: [string, unknown][] = [];
  for (const [name, group] of groupByName(parts)) {
    const decoded = readParts(name, group, properties.get(name), encodings.get(name), schemas);
    entries.push([name, decoded.value]);
    violations.push(...decoded.violations);
  }
  const value = objectFrom(mergeStyledFields(parts, content, entries, schemas));
  return { value, violations: [...violations, ...schemas.check(value, content.schema, "body")] };
}

// ---- src/mock/xml.ts ----
// Stands in for XML, which the API does not have.

const xmlError = (_: string): undefined => undefined;

const toXml = (value: unknown, ..._: readonly unknown[]): string => String(value);

// ---- src/mock/body.ts ----

/** Decodes a request body by the declared content of its media type and validates it. */
function decodeBody(
  operation: MockOperation,
  body: Uint8Array,
  contentType: string | undefined,
  schemas: SchemaSet,
): DecodedBody {
  if (body.length === 0 && contentType === undefined)
    return { violations: operation.body?.required ? [violation("is required")] : [] };
  if (!operation.body) {
    const problem = "is present, but the operation has no request body";
    return { violations: body.length === 0 ? [] : [violation(problem)] };
  }
  const { contents } = operation.body;
  const content = contentFor(contents, mediaTypeOf(contentType ?? ""));
  if (!content) {
    const declared = contents.map(({ mediaType }) => mediaType).join(", ");
    const problem = `has Content-Type ${contentType ?? "(none)"}; declared: ${declared}`;
    return { unsupported: true, violations: [violation(problem)] };
  }
  if (body.length === 0 && !operation.body.required && !isMultipart(contentType))
    return { violations: [] };
  return decodeAs(content, body, contentType ?? "", schemas);
}

function isMultipart(contentType: string | undefined): boolean {
  return (contentType ?? "").toLowerCase().startsWith("multipart/");
}

function decodeAs(
  content: MockContent,
  body: Uint8Array,
  contentType: string,
  schemas: SchemaSet,
): DecodedBody {
  const type = mediaTypeOf(contentType);
  if (/[/+]json$/u.test(type)) return decodeJson(decodeUtf8(body), content.schema, schemas, "body");
  if (/^application\/(x-ndjson|jsonl|json-seq)$|\+json-seq$/u.test(type))
    return decodeJsonLines(decodeUtf8(body), content.schema, schemas);
  if (type === "application/x-www-form-urlencoded")
    return decodeUrlEncoded(decodeUtf8(body), content, schemas);
  if (type.startsWith("multipart/")) return decodeMultipart(body, content, contentType, schemas);
  if (/[/+]xml$/u.test(type)) return decodeXml(decodeUtf8(body));
  if (type.startsWith("text/"))
    return validatedBody(
      coerce(decodeUtf8(body), content.schema, schemas),
      content.schema,
      schemas,
      "body",
    );
  return { value: body, violations: [] };
}

function decodeUtf8(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

function validatedBody(
  value: unknown,
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  at: string,
): DecodedBody {
  return { value, violations: schemas.check(value, schema, at) };
}

function decodeJson(
  json: string,
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  at: string,
): DecodedBody {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { violations: [violation("is not JSON", at)] };
  }
  return validatedBody(value, schema, schemas, at);
}

/** One JSON value per line. The schema describes the array of all values. */
function decodeJsonLines(
  lines: string,
  schema: AnySchema | undefined,
  schemas: SchemaSet,
): DecodedBody {
  try {
    const values = lines
      .replaceAll("\u001e", "\n")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line) as unknown);
    return validatedBody(values, schema, schemas, "body");
  } catch {
    return { violations: [violation("has a line that is not JSON")] };
  }
}

function decodeXml(xml: string): DecodedBody {
  const problem = xmlError(xml);
  return problem === undefined
    ? { value: xml, violations: [] }
    : { violations: [violation(`is not well-formed XML: it ${problem}`)] };
}

/** Decodes a form. A schema of strings describes the encoded text. */
function decodeUrlEncoded(form: string, content: MockContent, schemas: SchemaSet): DecodedBody {
  const types = typesOf(content.schema, schemas);
  const isText = types.has("string") && !types.has("object");
  const value = isText ? form : parseForm(form, content, schemas);
  return validatedBody(value, content.schema, schemas, "body");
}

// ---- src/mock/security.ts ----
// The check of a request's credentials.

/**
 * The missing credentials of an operation, or undefined when one alternative is complete. Only the
 * presence and the form of credentials are checked, because the mock knows no secrets.
 */
function missingCredentials(
  operation: MockOperation,
  raw: CredentialCarrier,
  api: MockApi,
): string | undefined {
  const alternatives = operation.security ?? [];
  if (alternatives.length === 0) return undefined;
  const schemes = new Map(Object.entries(api.securitySchemes));
  const missing = alternatives.map((alternative) =>
    missingSchemes(Object.keys(alternative), schemes, raw),
  );
  if (missing.some((names) => names.length === 0)) return undefined;
  return `needs ${missing.map((names) => names.join(" and ")).join(", or ")}`;
}

/** Challenges for the schemes of an operation. */
function challengesOf(operation: MockOperation, { securitySchemes }: MockApi): string {
  const schemes = new Map(Object.entries(securitySchemes));
  const names = (operation.security ?? []).flatMap((alternative) => Object.keys(alternative));
  return [...new Set(names.flatMap((name) => schemes.get(name) ?? []).map(challengeOf))].join(", ");
}

function missingSchemes(
  names: readonly string[],
  schemes: ReadonlyMap<string, MockSecurityScheme>,
  raw: CredentialCarrier,
): readonly string[] {
  const missing = names.filter((name) => !hasCredentials(schemes.get(name), raw));
  // A request has one Authorization header. It is sufficient for all schemes that need it.
  const sharing = names.filter((name) => usesAuthorization(schemes.get(name)));
  return sharing.some((name) => !missing.includes(name))
    ? missing.filter((name) => !sharing.includes(name))
    : missing;
}

/** Names of the query parameters that carry API keys of an operation. */
function apiKeyNames(operation: MockOperation, api: MockApi): ReadonlySet<string> {
  const schemes = new Map(Object.entries(api.securitySchemes));
  const names =
    operation.security?.flatMap((alternative) => Object.keys(alternative)) ?? schemes.keys();
  const keys = [...names]
    .map((n) => schemes.get(n))
    .flatMap((s) => (s?.kind === "apiKey" && s.in === "query" ? [s.name] : []));
  return new Set(
    keys.filter(
      (key) =>
        !operation.parameters.some(
          (parameter) => parameter.in === "query" && parameter.name === key,
        ),
    ),
  );
}

// ---- src/mock/parameters.ts ----

/** Undecoded parts of a request with parameters and credentials. */
interface RawRequest {
  /** Percent-encoded path parameters, by name. */
  readonly path: ReadonlyMap<string, string>;
  /** Without the leading `?`. */
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

interface DecodedParameters {
  readonly values: ReadonlyMap<string, unknown>;
  readonly violations: readonly Violation[];
}

/**
 * Headers that are not parameters. Declarations of the first three are ignored (OpenAPI "Parameter
 * Object"). HTTP clients set the others, whatever the document declares.
 */
const NOT_PARAMETERS = new Set([
  "accept",
  "content-type",
  "authorization",
  "accept-encoding",
  "user-agent",
]);

/**
 * Decodes and validates every declared parameter of an operation. Undeclared query parameters are
 * violations, except API keys and constant parameters of the path. An operation that states no
 * security takes the keys of all schemes.
 */
function decodeParameters(
  operation: MockOperation,
  request: RawRequest,
  api: MockApi,
  schemas: SchemaSet,
): DecodedParameters {
  const values = new Map<string, unknown>();
  const violations: Violation[] = [];
  const unread = new Set<Pair>(declarablePairs(operation, request.query, api));
  for (const parameter of inReadingOrder(operation.parameters)) {
    const found = read(parameter, request, [...unread], operation, schemas);
    for (const pair of found.used) unread.delete(pair);
    if ("value" in found && !values.has(parameter.name)) values.set(parameter.name, found.value);
    violations.push(...found.violations);
  }
  violations.push(...[...unread].map(undeclared));
  return { values, violations };
}

const undeclared = ([name]: Pair): Violation => ({
  at: `query ${decodeForm(name)}`,
  problem: "is not declared",
});

interface ParameterReading {
  readonly value?: unknown;
  readonly used: readonly Pair[];
  readonly violations: readonly Violation[];
}

/** Parameters with fixed names first. An exploded object takes the remaining pairs. */
function inReadingOrder(parameters: readonly MockParameter[]): readonly MockParameter[] {
  const rank = (p: MockParameter): number =>
    p.in !== "query" ? 0 : p.style === "form" && p.explode && p.contentType === undefined ? 2 : 1;
  return [...parameters]
    .filter((p) => !(p.in === "header" && NOT_PARAMETERS.has(p.name.toLowerCase())))
    .sort((a, b) => rank(a) - rank(b));
}

/** Pairs of a query, without the keys of security schemes and the constants of the path. */
function declarablePairs(
  operation: MockOperation,
  query: string,
  api: MockApi,
): readonly Pair[] {
  const keys = apiKeyNames(operation, api);
  const fixed = (operation.fixedQuery ?? []).map(([name, value]) => `${name}=${value}`);
  const pairs = query
    .split("&")
    .filter((p) => p !== "")
    .map(pairOf);
  return pairs.filter(
    ([name, value]) =>
      !keys.has(decodeForm(name)) && !fixed.includes(`${decodeForm(name)}=${decodeForm(value)}`),
  );
}

function read(
  parameter: MockParameter,
  request: RawRequest,
  pairs: readonly Pair[],
  operation: MockOperation,
  schemas: SchemaSet,
): ParameterReading {
  switch (parameter.in) {
    case "path":
      return readOne(parameter, request.path.get(parameter.name), decodeUri, schemas);
    case "header":
      return readOne(parameter, request.headers[parameter.name.toLowerCase()], noDecoding, schemas);
    case "querystring":
      return {
        ...readOne(
          parameter,
          request.query === "" ? undefined : request.query,
          decodeForm,
          schemas,
        ),
        used: pairs,
      };
    case "query":
      return readMany(parameter, pairs, decodeForm, operation, schemas);
    case "cookie":
      return readMany(
        parameter,
        cookiePairs(request.headers["cookie"], parameter),
        parameter.style === "cookie" ? noDecoding : decodeUri,
        operation,
        schemas,
      );
  }
}

/**
 * Pairs of a `Cookie` header: `a=1; b=2`. The style table joins exploded `form` values with `&`,
 * which is invalid in cookies, so both separators are read (OpenAPI 3.2, Appendix D).
 */
function cookiePairs(header: string | undefined, parameter: MockParameter): readonly Pair[] {
  const separator = parameter.style === "form" && parameter.explode ? /; ?|&/u : /; ?/u;
  return (header ?? "")
    .split(separator)
    .filter((p) => p !== "")
    .map(pairOf);
}

function readOne(
  parameter: MockParameter,
  text: string | undefined,
  decode: Decoder,
  schemas: SchemaSet,
): ParameterReading {
  if (text === undefined) return missing(parameter);
  if (parameter.contentType !== undefined)
    return { used: [], ...readContent(parameter, decode(text), schemas, text) };
  const { name, style, explode } = parameter;
  return readBestShape(parameter, schemas, (shape) => {
    const raw = readText(text, name, style, explode, shape, decode);
    return raw === undefined ? undefined : { raw, used: [] };
  });
}

function readMany(
  parameter: MockParameter,
  pairs: readonly Pair[],
  decode: Decoder,
  operation: MockOperation,
  schemas: SchemaSet,
): ParameterReading {
  const { name, style, explode } = parameter;
  const named = pairs.filter(([key]) => decode(key) === name);
  if (parameter.contentType !== undefined)
    return named[0]
      ? { used: named, ...readContent(parameter, decode(named[0][1]), schemas, named[0][1]) }
      : missing(parameter);
  const claims = claimedNames(parameter, operation, schemas);
  const candidates = readBestShape(parameter, schemas, (shape) =>
    readPairs(pairs, name, style, explode, shape, decode, claims),
  );
  return candidates.used.length === 0 && named.length > 0
    ? { ...candidates, used: named, violations: [unreadable(parameter)] }
    : candidates;
}

/**
 * Tests whether a name belongs to an exploded object: its properties, and for an open object also
 * any name that is not another parameter.
 */
function claimedNames(
  parameter: MockParameter,
  operation: MockOperation,
  schemas: SchemaSet,
): (property: string) => boolean {
  const { schemas: properties, open } = propertiesOf(parameter.schema, schemas);
  const others = new Set(
    operation.parameters.filter((p) => p !== parameter && p.in === parameter.in).map((p) => p.name),
  );
  return (name) => properties.has(name) || (open && !others.has(name));
}

/** The first shape of the schema whose value is valid, otherwise the first readable one. */
function readBestShape(
  parameter: MockParameter,
  schemas: SchemaSet,
  readAs: (
    shape: "scalar" | "array" | "object",
  ) => { readonly raw: RawValue; readonly used: readonly Pair[] } | undefined,
): ParameterReading {
  let first: ParameterReading | undefined;
  for (const shape of shapesOf(parameter.schema, schemas)) {
    const found = readAs(shape);
    if (!found) continue;
    const value = coerce(found.raw, parameter.schema, schemas);
    const violations = schemas.check(value, parameter.schema, locationOf(parameter));
    if (violations.length === 0) return { value, used: found.used, violations };
    first ??= { value, used: found.used, violations };
  }
  return (
    first ??
    (parameter.in === "path" || parameter.in === "header"
      ? { used: [], violations: [unreadable(parameter)] }
      : missing(parameter))
  );
}

function readContent(
  parameter: MockParameter,
  text: string,
  schemas: SchemaSet,
  encoded: string,
): { readonly value?: unknown; readonly violations: readonly Violation[] } {
  const type = parameter.contentType ?? "";
  if (type.includes("x-www-form-urlencoded"))
    return validated(
      parseForm(parameter.in === "querystring" ? encoded : text, parameter, schemas),
      parameter,
      schemas,
    );
  if (!/[/+]json$/u.test(type))
    return validated(coerce(text, parameter.schema, schemas), parameter, schemas);
  try {
    return validated(JSON.parse(text), parameter, schemas);
  } catch {
    return { violations: [{ at: locationOf(parameter), problem: "is not JSON" }] };
  }
}

function validated(
  value: unknown,
  parameter: MockParameter,
  schemas: SchemaSet,
): { readonly value: unknown; readonly violations: readonly Violation[] } {
  return { value, violations: schemas.check(value, parameter.schema, locationOf(parameter)) };
}

function missing(parameter: MockParameter): ParameterReading {
  return {
    used: [],
    violations: parameter.required ? [{ at: locationOf(parameter), problem: "is required" }] : [],
  };
}

function unreadable(parameter: MockParameter): Violation {
  return {
    at: locationOf(parameter),
    problem: `cannot be read as style ${parameter.style}, explode ${String(parameter.explode)}`,
  };
}

function locationOf(parameter: MockParameter): string {
  return `${parameter.in} ${parameter.name}`;
}

// ---- src/mock/path-matcher.ts ----

/** An operation with a matching path, and the percent-encoded path parameters. */
interface OperationMatch {
  readonly operation: MockOperation;
  readonly path: ReadonlyMap<string, string>;
}

interface SegmentPattern {
  readonly names: readonly string[];
  /**
   * Returns the parameters of a percent-encoded segment, or undefined without a match. Literal
   * segments are compared decoded.
   */
  readonly test: (segment: string) => readonly string[] | undefined;
}

interface PathPattern {
  readonly operation: MockOperation;
  readonly segments: readonly SegmentPattern[];
  /**
   * One digit per segment: `0` literal, `1` mixed, `2` a parameter. Literal paths come first
   * (OpenAPI "Path Templating Matching").
   */
  readonly rank: string;
}

/** Operations of an API by number of path segments, most specific first. */
class PathMatcher {
  readonly #byLength = new Map<number, PathPattern[]>();

  /** @param schemas the schemas of the API for requests */
  constructor(api: MockApi, schemas: SchemaSet) {
    for (const operation of api.operations) {
      const pattern = toPattern(operation, schemas);
      const bucket = this.#byLength.get(pattern.segments.length);
      if (bucket) bucket.push(pattern);
      else this.#byLength.set(pattern.segments.length, [pattern]);
    }
    for (const bucket of this.#byLength.values())
      bucket.sort((a, b) => compare(a.rank, b.rank) || fixedPairCount(b) - fixedPairCount(a));
  }

  /**
   * The candidate operations of a request. A document may have several for one method and path
   * (`/files#copy`, `/files#move`). `allowed`: methods of the path when no operation has this
   * method.
   */
  find(
    method: string,
    path: string,
    query: string,
  ): { readonly matches: readonly OperationMatch[]; readonly allowed: readonly string[] } {
    const segments = path.split("/");
    const fitting = (this.#byLength.get(segments.length) ?? []).flatMap((pattern) =>
      matchPattern(pattern, segments),
    );
    const sameMethod = fitting.filter(
      ({ match }) => match.operation.method === method && hasFixedQuery(match.operation, query),
    );
    const best = sameMethod[0]?.pattern.rank;
    const matches = sameMethod
      .filter(({ pattern }) => pattern.rank === best)
      .map(({ match }) => match);
    return { matches, allowed: [...new Set(fitting.map(({ match }) => match.operation.method))] };
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function fixedPairCount(pattern: PathPattern): number {
  return pattern.operation.fixedQuery?.length ?? 0;
}

function hasFixedQuery(operation: MockOperation, query: string): boolean {
  if (!operation.fixedQuery?.length) return true;
  const sent = new URLSearchParams(query);
  return operation.fixedQuery.every(([name, value]) => sent.getAll(name).includes(value));
}

function matchPattern(
  pattern: PathPattern,
  segments: readonly string[],
): { readonly pattern: PathPattern; readonly match: OperationMatch }[] {
  const path = new Map<string, string>();
  for (const [index, segment] of pattern.segments.entries()) {
    const texts = segment.test(segments[index] ?? "");
    if (!texts) return [];
    for (const [at, name] of segment.names.entries()) path.set(name, texts[at] ?? "");
  }
  return [{ pattern, match: { operation: pattern.operation, path } }];
}

function toPattern(operation: MockOperation, schemas: SchemaSet): PathPattern {
  const segments = operation.path
    .split("/")
    .map((segment) => toSegment(segment, operation, schemas));
  const rank = operation.path
    .split("/")
    .map((s) => (!s.includes("{") ? "0" : /^\{[^{}]*\}$/u.test(s) ? "2" : "1"))
    .join("");
  return { operation, segments, rank };
}

const PARAMETER = /\{([^{}]*)\}/u;

function toSegment(template: string, operation: MockOperation, schemas: SchemaSet): SegmentPattern {
  const pieces = template.split(PARAMETER);
  if (pieces.length === 1) {
    const literal = decodeUri(template);
    return {
      names: [],
      test: (segment) =>
        segment === literal || (segment.includes("%") && decodeUri(segment) === literal)
          ? []
          : undefined,
    };
  }
  const names = pieces.filter((_, index) => index % 2 === 1);
  const parameters = names.map((name) =>
    operation.parameters.find((one) => one.in === "path" && one.name === name),
  );
  const expressionOf = (text: (parameter: MockParameter | undefined) => string): RegExp => {
    const texts = parameters.map((parameter, at) => (at === 0 ? ".+?" : text(parameter)));
    const parts = pieces.map((piece, index) =>
      index % 2 === 0 ? escapeExpression(piece) : `(${texts[(index - 1) / 2] ?? ""})`,
    );
    return new RegExp(`^${parts.join("")}$`, "su");
  };
  const expected = expressionOf((parameter) => enumeratedText(parameter, schemas));
  const readable = expressionOf(styledText);
  return {
    names,
    test: (segment) =>
      isCheap(names.length, segment)
        ? (expected.exec(segment) ?? readable.exec(segment))?.slice(1)
        : undefined,
  };
}

/** Limits the time of a match, which grows with the length to the power of the parameters. */
const isCheap = (parameters: number, { length }: string): boolean =>
  parameters <= 2 || (parameters <= 4 && length <= 200);

/**
 * A regular expression of a path parameter that follows another one. It is one of the enumerated
 * values, which find the end of the other one: `a.b.json` for `{name}.{format}`.
 */
function enumeratedText(parameter: MockParameter | undefined, schemas: SchemaSet): string {
  const schema = schemas.resolve(parameter?.schema);
  const values = typeof schema === "object" ? toList(schema["enum"]) : [];
  const texts = values.flatMap((value) => [String(value), encodeUri(String(value))]);
  return texts.map(escapeExpression).join("|") || styledText(parameter);
}

/** The same without its values: the first character of a style (RFC 6570, 3.2.5 and 3.2.7). */
function styledText(parameter: MockParameter | undefined): string {
  if (parameter?.style === "label") return "\\..*?";
  return parameter?.style === "matrix" ? ";.*?" : ".+?";
}

function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
}

// ---- src/mock/response-sequences.ts ----
// Response bodies that are sequences of values.

const toJsonLines = (value: unknown, _: string): string => String(value);

const toEvents = (value: unknown): string => String(value);

/** A value as text: a string as it is, others as JSON. */
function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

// ---- src/mock/response-formats.ts ----
// Response bodies in other formats than JSON.

/** The content of a response, and its value. */
interface ResponseContent {
  readonly content: MockContent;
  readonly value: () => unknown;
  readonly schemas: SchemaSet;
}

/** The body of a media type that is not JSON. */
function serializeAs(type: string, response: ResponseContent): string | Uint8Array {
  const { content, value } = response;
  if (/[/+]xml$/u.test(type) && type !== "image/svg+xml") return xmlOf(response);
  if (/^application\/(x-ndjson|jsonl|json-seq)$|\+json-seq$/u.test(type))
    return toJsonLines(value(), type.endsWith("json-seq") ? "\u001e" : "");
  if (type === "text/event-stream") return toEvents(value());
  if (type === "application/x-www-form-urlencoded") return toForm(value());
  // JSON is YAML.
  if (/^text\/|[/+](?:x-)?yaml$/u.test(type)) return asText(value());
  const example = content.examples?.find((one): one is string => typeof one === "string");
  const isFile = /^(image|audio|video)\//u.test(type) || type === "application/pdf";
  return example === undefined || isFile ? smallestFile(type) : example;
}

function xmlOf({ content, value, schemas }: ResponseContent): string {
  const written = content.examples?.find(
    (e): e is string => typeof e === "string" && e.trimStart().startsWith("<"),
  );
  return written ?? toXml(value(), content.schema, schemas);
}

function toForm(value: unknown): string {
  const pairs = Object.entries(Object(value) as Record<string, unknown>);
  return pairs.map(([name, item]) => `${encodeUri(name)}=${encodeUri(asText(item))}`).join("&");
}

// ---- src/mock/response.ts ----

/**
 * The documented success: the first 2xx response, in a media type that the client accepts. The body
 * is the first valid example, otherwise a sample of the schema.
 */
function documentedResponse(
  operation: MockOperation,
  accept: string | undefined,
  schemas: SchemaSet,
): MockResponse {
  const response = successOf(operation);
  if (!response) return { status: 204 };
  const status = /^\d{3}$/u.test(response.status) ? Number(response.status) : 200;
  const headers = sampleHeaders(response, schemas);
  if (response.contents.length === 0 || status === 204) return { status, headers };
  const content = chooseContent(response.contents, accept ?? "*/*");
  if (!content)
    return {
      status: 406,
      body: {
        title: "Not Acceptable",
        detail: `Offered: ${response.contents.map((c) => c.mediaType).join(", ")}.`,
      },
    };
  return {
    status,
    headers: { ...headers, "content-type": concreteMediaType(content.mediaType) },
    body: serialize(content, schemas),
  };
}

function successOf(operation: MockOperation): DocumentedResponse | undefined {
  const by = (test: RegExp): DocumentedResponse | undefined =>
    operation.responses.find((r) => test.test(r.status));
  return by(/^2\d\d$/u) ?? by(/^2XX$/iu) ?? by(/^default$/u);
}

/** Chooses by the order and the weights of `Accept` (RFC 9110, 12.5.1). */
function chooseContent(contents: readonly MockContent[], accept: string): MockContent | undefined {
  const ranges = accept.split(",").map((entry, index) => {
    const [range = "", ...parameters] = entry.split(";").map((s) => s.trim().toLowerCase());
    const weight = Number(parameters.find((p) => p.startsWith("q="))?.slice(2) ?? 1);
    return { range, weight: Number.isNaN(weight) ? 1 : weight, index };
  });
  const accepted = ranges
    .filter((r) => r.weight > 0)
    .sort((a, b) => b.weight - a.weight || a.index - b.index);
  for (const { range } of accepted) {
    const found =
      contents.find((c) => matchesRange(range, mediaTypeOf(c.mediaType))) ??
      contentFor(contents, range);
    if (found) return found;
  }
  return undefined;
}

function matchesRange(range: string, mediaType: string): boolean {
  return (
    range === "*/*" ||
    range === mediaType ||
    (range.endsWith("/*") && mediaType.startsWith(range.slice(0, -1)))
  );
}

/** A concrete media type for a range such as `image/*`. */
function concreteMediaType(mediaType: string): string {
  if (!mediaType.includes("*")) return mediaType;
  const concretes = new Map([
    ["image/*", "image/png"],
    ["audio/*", "audio/wav"],
    ["text/*", "text/plain"],
    ["*/*", "application/json"],
  ]);
  return concretes.get(mediaTypeOf(mediaType)) ?? "application/octet-stream";
}

/** The body in the format of its media type. */
function serialize(content: MockContent, schemas: SchemaSet): string | Uint8Array {
  const type = mediaTypeOf(concreteMediaType(content.mediaType));
  const value = (): unknown => responseValue(content, schemas);
  return /[/+]json$/u.test(type)
    ? JSON.stringify(value())
    : serializeAs(type, { content, value, schemas });
}

/** The first valid example, otherwise a sample. Many documents contain invalid examples. */
function responseValue(content: MockContent, schemas: SchemaSet): unknown {
  const example = content.examples?.find((e) => schemas.accepts(e, content.schema));
  return example !== undefined ? example : sample(content.schema, schemas);
}

const EXCLUDED_HEADERS = new Set(
  (
    "content-type content-length transfer-encoding connection content-encoding set-cookie " +
    "location link retry-after"
  ).split(" "),
);

/** Sampled response headers. Omits headers that would change the behavior of the client. */
function sampleHeaders(response: DocumentedResponse, schemas: SchemaSet): Record<string, string> {
  const out: [string, string][] = [];
  for (const { name, schema } of response.headers) {
    if (EXCLUDED_HEADERS.has(name.toLowerCase()) || !/^[\w!#$%&'*+.^`|~-]+$/u.test(name)) continue;
    const value: unknown = sample(schema as AnySchema | undefined, schemas);
    if (typeof value !== "object" && /^[\x20-\x7e]*$/u.test(String(value)))
      out.push([name.toLowerCase(), String(value)]);
  }
  return Object.fromEntries(out);
}

// ---- src/mock/search.ts ----

/** Parameters that take a search text, and those that take the value of a field. */
const SEARCH_PARAMETER = /^(?:q|query|search|text|keywords?)$/iu;
const FIELD_PARAMETER = /^(?:name|title|email)$/iu;

/**
 * The response to a search: the first item of its list alone, with the searched name. A real API
 * has few things of one name, and callers that act on the only match can then be tested.
 */
function searchedResponse(
  response: MockResponse,
  parameters: ReadonlyMap<string, unknown>,
  accepts: (value: unknown) => boolean,
): MockResponse {
  const found = [...parameters].find(
    ([name, value]) =>
      (SEARCH_PARAMETER.test(name) || FIELD_PARAMETER.test(name)) && typeof value === "string",
  );
  if (!found || response.status !== 200 || typeof response.body !== "string") return response;
  const value = firstMatch(jsonOf(response.body), found[0], found[1] as string);
  return value !== undefined && accepts(value)
    ? { ...response, body: JSON.stringify(value) }
    : response;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A list with its first item only, or an object whose only list is one. */
function firstMatch(value: unknown, parameter: string, text: string): unknown {
  if (Array.isArray(value)) {
    const [first] = value as readonly unknown[];
    return isItem(first) ? [withName(first, parameter, text)] : undefined;
  }
  if (!isItem(value)) return undefined;
  const lists = Object.entries(value).filter(([, field]) => Array.isArray(field));
  const [list, ...others] = lists;
  const match = list && others.length === 0 ? firstMatch(list[1], parameter, text) : undefined;
  return match === undefined ? undefined : { ...value, [list![0]]: match };
}

const isItem = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function withName(
  item: Record<string, unknown>,
  parameter: string,
  text: string,
): Record<string, unknown> {
  return FIELD_PARAMETER.test(parameter) && typeof item[parameter] === "string"
    ? { ...item, [parameter]: text }
    : item;
}

// ---- src/mock/states.ts ----

const createWorkStates = (_?: unknown): WorkStates => ({
  apply: (_operation, _url, response) => response,
});

/** The state of work in responses. */
interface WorkStates {
  /** The response with the state that the work has now. Clients may read it again at once. */
  readonly apply: (operation: string, url: string, response: MockResponse) => MockResponse;
}

// ---- src/mock/server.ts ----

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_RECORDED = 10_000;

/**
 * Serves an API on loopback as its document describes it. Invalid requests are rejected with
 * problem+json that lists every violation: 404 and 405 for unknown paths and methods, 401 without
 * credentials, 415 for other media types, 400 for everything else.
 * @param api `operations`, `schemas` and `securitySchemes` of the API
 * @returns the base URL, the received requests, and a function that stops the server
 */
export async function startMock(api: MockApi, options: MockOptions = {}): Promise<Mock> {
  const validator = new RequestValidator(api, options);
  const requests: RecordedRequest[] = [];
  // With a short timeout on a busy machine, closing an idle connection races with the next request.
  const server = createServer(
    { keepAliveTimeout: 60_000 },
    (incoming, response) => void serve(validator, requests, incoming, response),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${validator.basePath}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  validator: RequestValidator,
  requests: RecordedRequest[],
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const body = await readAll(incoming);
    const { request, response: reply } = validator.handle(
      incoming.method ?? "GET",
      incoming.url ?? "/",
      plainHeaders(incoming),
      body,
    );
    if (requests.push({ ...request, status: reply.status }) > MAX_RECORDED) requests.shift();
    send(response, reply);
  } catch (error) {
    send(response, {
      status: 500,
      body: { title: "The mock of the API failed", detail: String(error) },
    });
  }
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error("the request body is over 64 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Headers by name, without a prototype. `incoming.headers` has one, and joins the value of a header
 * `constructor` to it.
 */
function plainHeaders({ headersDistinct }: IncomingMessage): Readonly<Record<string, string>> {
  const headers = Object.entries(headersDistinct).map(([name, values = []]) => [
    name,
    values.join(name === "cookie" ? "; " : ", "),
  ]);
  return Object.assign(Object.create(null) as object, Object.fromEntries(headers));
}

function send(server: ServerResponse, { status, headers, body }: MockResponse): void {
  const isRaw = body === undefined || typeof body === "string" || body instanceof Uint8Array;
  const bytes = isRaw ? Buffer.from(body ?? "") : Buffer.from(JSON.stringify(body));
  // A response without a body has no Content-Length (RFC 9110, 8.6).
  if (status === 204 || status === 304 || status < 200) {
    server.writeHead(status, headers);
    server.end();
    return;
  }
  const jsonType = status >= 400 ? "application/problem+json" : "application/json";
  const type = headers?.["content-type"] ?? (isRaw ? undefined : jsonType);
  server.writeHead(status, {
    ...headers,
    ...(type !== undefined && { "content-type": type }),
    "content-length": bytes.length,
  });
  server.end(bytes);
}

interface HandledRequest {
  readonly request: MockRequest;
  readonly response: MockResponse;
}

/** Validates requests against one API and responds to them. */
class RequestValidator {
  readonly basePath: string;
  readonly #api: MockApi;
  readonly #paths: PathMatcher;
  readonly #requestSchemas: SchemaSet;
  readonly #responseSchemas: SchemaSet;
  readonly #respond: MockOptions["respond"];
  readonly #states: WorkStates;
  /** Documented responses by operation and `Accept`. They never change, so they are cached. */
  readonly #responses = new Map<MockOperation, Map<string, MockResponse>>();

  constructor(api: MockApi, options: MockOptions) {
    this.#api = api;
    this.#requestSchemas = new SchemaSet(api.schemas, "request");
    this.#paths = new PathMatcher(api, this.#requestSchemas);
    this.#responseSchemas = new SchemaSet(api.schemas, "response");
    this.#respond = options.respond;
    this.#states = createWorkStates(api.states);
    this.basePath = (options.basePath ?? "").replace(/(?<!\/)\/+$/u, "");
  }

  handle(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
  ): HandledRequest {
    const [target = "", query = ""] = splitOnce(url, "?");
    const received: MockRequest = {
      method,
      url,
      path: target.slice(this.basePath.length),
      headers,
      body,
      parameters: new Map(),
      violations: [],
    };
    if (!target.startsWith(`${this.basePath}/`))
      return reject(received, 404, [
        { at: "path", problem: `is outside of the base path ${this.basePath}` },
      ]);
    const { matches, allowed } = this.#paths.find(method, received.path, query);
    if (matches.length === 0 && allowed.length === 0)
      return reject(received, 404, [
        { at: "path", problem: `${received.path} is not a path of the API` },
      ]);
    if (matches.length === 0)
      return reject(received, 405, [{ at: "method", problem: `${method} is not allowed here` }], {
        allow: allowed.join(", "),
      });
    const candidates = matches.map((match) =>
      this.#validate(match, { path: match.path, query, headers }, received),
    );
    // Several operations can have the same path and method. The best match has the fewest
    // violations.
    return candidates.reduce((best, candidate) =>
      mismatchScore(candidate) < mismatchScore(best) ? candidate : best,
    );
  }

  #validate({ operation }: OperationMatch, raw: RawRequest, received: MockRequest): HandledRequest {
    const parameters = decodeParameters(operation, raw, this.#api, this.#requestSchemas);
    const body = decodeBody(
      operation,
      received.body,
      received.headers["content-type"],
      this.#requestSchemas,
    );
    const unauthorized = missingCredentials(operation, raw, this.#api);
    const violations = [
      ...(unauthorized === undefined ? [] : [{ at: "security", problem: unauthorized }]),
      ...parameters.violations,
      ...body.violations,
    ];
    const request: MockRequest = {
      ...received,
      operation: `${operation.method} ${operation.path}`,
      parameters: parameters.values,
      value: body.value,
      violations,
    };
    if (unauthorized !== undefined) {
      const challenges = challengesOf(operation, this.#api);
      return reject(request, 401, violations, { "www-authenticate": challenges });
    }
    if (body.unsupported) return reject(request, 415, violations);
    if (violations.length > 0) return reject(request, 400, violations);
    return { request, response: this.#respond?.(request) ?? this.#reply(operation, raw, request) };
  }

  #reply(operation: MockOperation, raw: RawRequest, request: MockRequest): MockResponse {
    const response = this.#response(operation, raw, request);
    return this.#states.apply(`${operation.method} ${operation.path}`, request.path, response);
  }

  #response(
    operation: MockOperation,
    { headers }: RawRequest,
    { parameters }: MockRequest,
  ): MockResponse {
    const response = this.#documentedResponse(operation, headers["accept"] ?? "*/*");
    if (operation.method !== "GET" || parameters.size === 0) return response;
    const { contents = [] } = operation.responses.find(({ status }) => status === "200") ?? {};
    const schema = contents.find(({ mediaType }) => /[/+]json\b/u.test(mediaType))?.schema;
    return searchedResponse(response, parameters, (value) =>
      this.#responseSchemas.accepts(value, schema),
    );
  }

  #documentedResponse(operation: MockOperation, accept: string): MockResponse {
    const cached = this.#responses.get(operation) ?? new Map<string, MockResponse>();
    this.#responses.set(operation, cached);
    const response =
      cached.get(accept) ?? documentedResponse(operation, accept, this.#responseSchemas);
    cached.set(accept, response);
    return response;
  }
}

/** Violations weigh more than a response type that the operation does not have. */
function mismatchScore({ request, response }: HandledRequest): number {
  return 2 * request.violations.length + (response.status === 406 ? 1 : 0);
}

function reject(
  request: MockRequest,
  status: number,
  violations: MockRequest["violations"],
  headers: Readonly<Record<string, string>> = {},
): HandledRequest {
  const detail = violations.map(({ at, problem }) => `${at}: ${problem}`).join("; ");
  const body = {
    type: "about:blank",
    title: TITLES.get(status) ?? "Refused",
    status,
    detail,
    errors: violations,
  };
  return {
    request: { ...request, violations },
    response: { status, headers, body },
  };
}

const TITLES = new Map([
  [400, "The request violates the API description"],
  [401, "Credentials are missing"],
  [404, "Path not found"],
  [405, "Method not allowed"],
  [415, "Unsupported media type"],
]);

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

// ---- src/mock/parameter-inputs.ts ----

/** Samples of the parameters of an operation that inputs give. */
function parameterValues(
  operation: MockOperation,
  mapping: MockRequestMapping,
  schemas: SchemaSet,
  fill: Fill,
): readonly SampledValue[] {
  const sampled = (parameter: MockParameter, from: string | undefined): readonly SampledValue[] => {
    if (from === undefined || (fill === "required" && !parameter.required)) return [];
    const value = parameterValue(parameter, schemas, fill);
    return [
      {
        at: `${parameter.in} ${parameter.name}`,
        value,
        schema: parameter.schema,
        inputs: [[from, value]],
      },
    ];
  };
  return operation.parameters.flatMap((parameter) =>
    sampled(parameter, inputName(sourceOf(parameter, mapping))),
  );
}

/** A sample of a parameter. A path parameter is never empty, even if its example is. */
function parameterValue(
  { in: place, name, schema }: MockParameter,
  schemas: SchemaSet,
  fill: Fill,
): unknown {
  const value = sampleValue(schema, schemas, fill, name);
  return place === "path" && value === ""
    ? sample({ allOf: [schema ?? {}, { minLength: 1 }] }, schemas, { examples: false, hint: name })
    : value;
}

function sourceOf({ in: place, name }: MockParameter, mapping: MockRequestMapping): unknown {
  switch (place) {
    case "path":
      return ownValue(mapping.pathParams, name);
    case "query":
      return ownValue(mapping.query, name);
    case "header":
      return ownValue(mapping.headers, name);
    case "cookie":
      return ownValue(mapping.cookies, name);
    case "querystring":
      return mapping.querystring;
  }
}

// ---- src/mock/tool-inputs.ts ----

/** Inputs of a tool, sampled from its input schema. */
export interface SampledInput {
  /** Required inputs only. */
  readonly minimal: Record<string, unknown>;
  /** Every input, down to a few levels. */
  readonly full: Record<string, unknown>;
}

/**
 * Samples the minimal and the full input of a tool, always the same ones.
 * @returns `problems` explains inputs that could not be sampled (a pattern, a `not`)
 */
export function sampleInput(
  inputSchema: Schema,
): SampledInput & { readonly problems: readonly string[] } {
  const schemas = schemasOf(inputSchema);
  const minimal = asObject(sample(inputSchema, schemas, { fill: "required" }));
  const full = asObject(sample(inputSchema, schemas, { fill: "all" }));
  const problems = [
    ...validationProblems("minimal", minimal, inputSchema, schemas),
    ...validationProblems("full", full, inputSchema, schemas),
  ];
  return { minimal, full, problems };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function validationProblems(
  name: string,
  value: unknown,
  schema: Schema,
  schemas: SchemaSet,
): readonly string[] {
  return schemas.check(value, schema, "").map((v) => `${name}${v.at}: ${v.problem}`);
}

/** A schema set of the `$defs` of a self-contained schema. */
export function schemasOf(
  schema: Schema,
  direction: "request" | "response" = "request",
): SchemaSet {
  return new SchemaSet((schema["$defs"] ?? {}) as Readonly<Record<string, AnySchema>>, direction);
}

/** An input of a tool, sampled from the operation in the document. */
export interface DocumentInput {
  readonly input: Record<string, unknown>;
  /** Reason for which the input is invalid: a schema could not be sampled. */
  readonly problem?: string;
}

/**
 * Inputs for the contract test of a tool: for each of its requests the required values only, and
 * all values. They are sampled from the document, because the schemas of a tool can be weaker than
 * those of its operation. Inputs that are not in the document, such as a file name, are sampled
 * from the schema of the tool.
 * @param schemas the schemas of the API for requests
 */
export function documentInputs(
  tool: ContractTool,
  api: MockApi,
  schemas: SchemaSet,
): readonly DocumentInput[] {
  const tools = schemasOf(tool.inputSchema);
  const sampled = (tool.operations ?? []).flatMap(({ request: mapping, choice }) =>
    (["required", "all"] as const).flatMap((fill) =>
      bestInput(tool, mapping, api, schemas, tools, fill).map((one) => ({
        ...one,
        input: {
          ...withoutInnerFields(one.input, mapping.body),
          ...(choice && { [choice.input]: choice.value }),
        },
      })),
    ),
  );
  const distinct = new Map(sampled.map((sample) => [JSON.stringify(sample.input), sample]));
  return [...distinct.values()];
}

const operationIndexes = new WeakMap<MockApi, ReadonlyMap<string, readonly MockOperation[]>>();

/** Operations of an API by method and path, cached for all of its tools. */
function operationsOf(api: MockApi): ReadonlyMap<string, readonly MockOperation[]> {
  const known = operationIndexes.get(api);
  if (known) return known;
  const index = new Map<string, MockOperation[]>();
  for (const operation of api.operations) {
    const key = `${operation.method} ${operation.path}`;
    const group = index.get(key);
    if (group) group.push(operation);
    else index.set(key, [operation]);
  }
  operationIndexes.set(api, index);
  return index;
}

/**
 * The input of the operation behind the tool. A document may have several for one
 * method and path (`/files#copy`, `/files#move`).
 */
function bestInput(
  tool: ContractTool,
  mapping: MockRequestMapping,
  api: MockApi,
  schemas: SchemaSet,
  tools: SchemaSet,
  fill: Fill,
): readonly DocumentInput[] {
  const operations = operationsOf(api).get(`${mapping.method} ${mapping.path}`) ?? [];
  const sampled = operations.map((operation) =>
    withMissingInputs(tool, inputForOperation(tool, operation, mapping, schemas, fill)),
  );
  const fitting = sampled.filter(({ input }) => tools.accepts(input, tool.inputSchema));
  return [...fitting, ...sampled].slice(0, 1);
}

function inputForOperation(
  tool: ContractTool,
  operation: MockOperation,
  mapping: MockRequestMapping,
  schemas: SchemaSet,
  fill: Fill,
): DocumentInput {
  const hasBody =
    fill === "all" || operation.body?.required === true || needsBody(tool, mapping.body);
  const values = [
    ...parameterValues(operation, mapping, schemas, fill),
    ...(hasBody ? bodyValues(operation, mapping.body, schemas, fill) : []),
  ];
  const invalid = values.find(({ value, schema }) => !schemas.accepts(value, schema));
  const input = Object.fromEntries(values.flatMap((v) => v.inputs));
  return invalid ? { input, problem: `no value could be sampled for ${invalid.at}` } : { input };
}

function withMissingInputs(tool: ContractTool, sampled: DocumentInput): DocumentInput {
  const missing = (toList(tool.inputSchema["required"]) as readonly string[]).filter(
    (name) => !Object.hasOwn(sampled.input, name),
  );
  if (missing.length === 0) return sampled;
  const rest = Object.entries(sampleInput(tool.inputSchema).minimal).filter(([name]) =>
    missing.includes(name),
  );
  return { ...sampled, input: { ...sampled.input, ...Object.fromEntries(rest) } };
}

// ---- src/mock/contract.ts ----

export function testWorkflow(..._: readonly unknown[]): Promise<void> {
  return Promise.resolve();
}

interface ContractOptions {
  /** API that the mock serves: `operations`, `schemas` and `securitySchemes`. */
  readonly api: MockApi;
  /** Tools of the server, with the mapping of their inputs to requests. */
  readonly tools: readonly ContractTool[];
  /** Path of the built server, `dist/server.js`. */
  readonly server: string;
  /** Prefix of its environment variables without the underscore, `CLINIC`. */
  readonly envPrefix: string;
  /** Prefix of the server's own variables, if the API is one of several. */
  readonly serverPrefix?: string;
  /** Test credentials, by environment variable: `{ CLINIC_TOKEN: "test-token" }`. */
  readonly credentials?: Readonly<Record<string, string>>;
  /**
   * Paths of the other APIs that the server calls, by the prefix of their variables: `{ CLINIC_LAB:
   * "/~lab" }`.
   */
  readonly otherApis?: Readonly<Record<string, string>>;
  /** Additional environment variables of the server. */
  readonly env?: Readonly<Record<string, string>>;
  /** Additional arguments of the server. */
  readonly args?: readonly string[];
  /** Maximum number of concurrent calls. Default: 16. */
  readonly concurrency?: number;
}

/** Base path of the mock. It shows whether requests keep the base path of the server URL. */
const BASE_PATH = "/contract/v1";

/**
 * Registers the contract tests of a generated server with `node:test`. They start a mock of the API
 * and the server over stdio, with `<PREFIX>_BASE_URL` set to the mock. Every tool is called with
 * the minimal and the full input. A call passes when the tool accepts the input, the document
 * allows the request, and the structured result is valid against the output schema.
 *
 * ```ts
 * import { readFileSync } from "node:fs";
 * import { tools } from "../src/tools/index.js";
 * import { contractTests } from "./mock.js";
 *
 * contractTests({
 *   api: JSON.parse(readFileSync("test/api.json", "utf8")),
 *   tools,
 *   server: "dist/server.js",
 *   envPrefix: "CLINIC",
 *   credentials: { CLINIC_TOKEN: "test-token" },
 * });
 * ```
 */
export function contractTests(options: ContractOptions): void {
  describe("contract", { concurrency: false }, () => {
    let mock: Mock;
    let client: Client;
    let tools: readonly Tool[] = [];
    const sent = new SchemaSet(options.api.schemas, "request");

    before(async () => {
      mock = await startMock(options.api, { basePath: BASE_PATH });
      client = await connect(options, mock.url);
      tools = (await client.listTools()).tools;
    });
    after(async () => {
      await client?.close();
      await mock?.close();
    });

    test("tools/list has distinct tools", () => {
      assert.ok(tools.length > 0, "the server lists no tool");
      assert.equal(new Set(tools.map((t) => t.name)).size, tools.length, "two tools have one name");
    });
    test(
      "every tool sends requests that the document allows",
      { concurrency: options.concurrency ?? 16 },
      async (t) => {
        await Promise.all(
          tools.map((tool) =>
            t.test(tool.name, (each) => testTool(client, tool, options, sent, each)),
          ),
        );
      },
    );
    test("the mock received no invalid request", () => {
      const refused = mock.requests.filter((r) => r.violations.length > 0);
      assert.deepEqual(
        refused.map((r) => ({ request: `${r.method} ${r.url}`, violations: r.violations })),
        [],
      );
    });
  });
}

/**
 * Disables the output validation of the client. `checkOutput` validates results instead, without
 * compiling every schema.
 */
const noOutputValidation: ClientOptions["jsonSchemaValidator"] = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

async function connect(options: ContractOptions, url: string): Promise<Client> {
  const client = new Client(
    { name: "contract-test", version: "1.0.0" },
    { listMaxPages: 0, jsonSchemaValidator: noOutputValidation },
  );
  const { serverPrefix = options.envPrefix } = options;
  const others = Object.entries(options.otherApis ?? {}).map(([prefix, path]) => [
    `${prefix}_BASE_URL`,
    url + path,
  ]);
  const env = {
    ...Object.fromEntries(others),
    ...getDefaultEnvironment(),
    LOG_LEVEL: "error",
    [`${serverPrefix}_ENV_FILE`]: "",
    ...options.env,
    ...options.credentials,
    [`${options.envPrefix}_BASE_URL`]: url,
    // Lists every tool, also when the server would list the discovery tools.
    [`${serverPrefix}_MODE`]: "tools",
  };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [options.server, ...(options.args ?? [])],
      env,
      stderr: "inherit",
    }),
  );
  return client;
}

/** Calls a tool with every sampled input. Custom tools are not in the document and are skipped. */
async function testTool(
  client: Client,
  tool: Tool,
  options: ContractOptions,
  sent: SchemaSet,
  t: TestContext,
): Promise<void> {
  const tested = options.tools.find(({ name }) => name === tool.name);
  if (tested && tested.operations === undefined) return await testWorkflow(client, tool, t);
  for (const { input, problem } of tested ? documentInputs(tested, options.api, sent) : []) {
    // The server cannot be tested with an input that could not be sampled. The report mentions it.
    if (problem !== undefined) t.diagnostic(problem);
    else await testCall(client, tool, input);
  }
}

/** Text of a result without credentials. Client certificates cannot be sampled. */
const missingCredentialsText = "asks for credentials";
/** Text of a result when a sampled ID is not a name of a sampled resource. */
const UNKNOWN_NAME = /^Not sent: (?:no result of|\d+ resources have) /;

async function testCall(client: Client, tool: Tool, input: Record<string, unknown>): Promise<void> {
  const result = await client.callTool({ name: tool.name, arguments: input });
  if (
    result.isError &&
    (textOf(result).includes(missingCredentialsText) || UNKNOWN_NAME.test(textOf(result)))
  )
    return;
  assert.ok(!result.isError, `${tool.name} ${JSON.stringify(input)} failed:\n${textOf(result)}`);
  checkOutput(tool, result);
}

function checkOutput(tool: Tool, result: CallToolResult): void {
  if (tool.outputSchema === undefined) return;
  assert.ok(
    result.structuredContent !== undefined,
    `${tool.name} declares an output schema, but returned no structured content`,
  );
  const faults = schemasOf(tool.outputSchema, "response").check(
    result.structuredContent,
    tool.outputSchema,
    "",
  );
  assert.deepEqual(faults, [], `the result of ${tool.name} does not satisfy its output schema`);
}

function textOf(result: CallToolResult): string {
  return result.content
    .map((block) => (block.type === "text" ? block.text : `[${block.type}]`))
    .join("\n");
}
