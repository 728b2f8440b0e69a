// request: files of the runtime of mcp-gen as one module, each after those that it uses.

import {
  base64, canParseUrl, chooseMediaType, concatBytes, decodeBase64, decodeOrKeep, essence,
  extensionFor, isBinary, isEventStream, isForm, isJson, isJsonLines, isJsonSequence, isMultipart,
  isObject, isText, isXml, mediaTypeOfFile, omitUndefined, ownProperty, utf8Bytes,
} from "./data.js";
import {
  type ApiDefinition, type BodyMapping, type ConstantSource, credentialHeader, type FieldEncoding,
  type HeaderSource, type InputSource, type OperationBinding, type ParameterSource,
  type PartEncodings, type RequestMapping, rulesOf, type ServerDefinition, type ToolDefinition,
  type ToolInput, type XmlNode,
} from "./types.js";

// ---- request/pinned-names.ts ----
// Names whose values inputs must not set: constants, variables and credentials of a request.

/** Pinned names of one location, as receivers compare them. */
type PinnedNames = ReadonlySet<string>;

/** Pinned names by location. */
export interface PinnedRequest {
  readonly query: PinnedNames;
  readonly header: PinnedNames;
  readonly cookie: PinnedNames;
  /** Fields of the body. */
  readonly field: PinnedNames;
}

const cache = new WeakMap<RequestMapping, PinnedRequest>();

/**
 * Collects the pinned names of a request: constants, values of the environment, generated values,
 * and the credentials of its security schemes.
 */
export function pinnedNamesOf(mapping: RequestMapping, api: ApiDefinition): PinnedRequest {
  const known = cache.get(mapping);
  if (known) return known;
  const credentials = (mapping.security ?? api.security ?? []).flatMap((requirement) =>
    Object.keys(requirement).flatMap((name) =>
      credentialOf(ownProperty(api.securitySchemes, name)),
    ),
  );
  const namesOf = (
    location: string,
    sources: Readonly<Record<string, ParameterSource>> = {},
  ): PinnedNames =>
    new Set([
      ...Object.entries(sources).flatMap(fixedNames),
      ...credentials.flatMap((credential) =>
        credential.in === location ? [comparableName(credential.name)] : [],
      ),
    ]);
  const pinned = {
    query: namesOf("query", mapping.query),
    header: new Set([
      ...Object.keys(api.headers ?? {}).map(comparableName),
      ...namesOf("header", mapping.headers),
    ]),
    cookie: namesOf("cookie", mapping.cookies),
    field: namesOf("field", mapping.body?.fields),
  };
  cache.set(mapping, pinned);
  return pinned;
}

function credentialOf(
  scheme: ApiDefinition["securitySchemes"][string] | undefined,
): readonly { readonly in: string; readonly name: string }[] {
  const place = scheme && rulesOf(scheme).place(scheme);
  return place ? [place] : [];
}

/** True for a source whose value does not come from an input. */
export function isPinned(source: ParameterSource): boolean {
  return typeof source !== "string" && !("from" in source);
}

/** Names that a pinned source may take: its own, and those of the members of a constant. */
function fixedNames([name, source]: readonly [string, ParameterSource]): readonly string[] {
  if (!isPinned(source)) return [];
  const value = typeof source === "object" && "value" in source ? source.value : undefined;
  const members = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return [name, ...(Array.isArray(value) ? [] : members)].map(comparableName);
}

/**
 * Reports pinned names that an input would add to a request. Receivers compare names differently:
 * without case, with `_` for a dot or a space, up to a bracket or a null byte. The declared name of
 * a parameter is compared as it is.
 */
export function rejectPinnedNames(
  names: readonly string[],
  pinned: PinnedNames,
  parameter: { readonly name: string; reportProblem(problem: string): void },
): void {
  if (pinned.size === 0) return;
  const name = names.find((candidate) =>
    candidate === parameter.name
      ? pinned.has(candidate.toLowerCase())
      : isPinnedName(candidate, pinned),
  );
  if (name !== undefined)
    parameter.reportProblem(
      `would send ${JSON.stringify(name)} again, which this server sets; leave it out`,
    );
}

function isPinnedName(name: string, pinned: PinnedNames): boolean {
  const comparable = comparableName(name);
  if (pinned.has(comparable)) return true;
  // `a[]`, `a[0]` and `a[b]` are values of `a` for many receivers.
  const bracket = comparable.indexOf("[");
  return bracket > 0 && pinned.has(comparable.slice(0, bracket));
}

/** True if receivers may take one name for the other. */
export function isSameName(name: string, other: string): boolean {
  return comparableName(name) === comparableName(other);
}

function comparableName(name: string): string {
  // oxlint-disable-next-line no-control-regex
  return name
    .replace(/\0.*$/s, "")
    .trim()
    .toLowerCase()
    .replace(/[\s.+]/g, "_");
}

/** Decoded names of encoded pairs. Some receivers separate pairs at `;`, too. */
export function namesIn(pairs: readonly string[]): readonly string[] {
  return pairs
    .flatMap((pair) => pair.split(/[&;]/))
    .flatMap((pair) => [...new URLSearchParams(pair).keys()]);
}

// ---- request/serialize.ts ----
// Values as text, and percent-encoding of text in URLs (RFC 3986, section 2; exceptions of
// `allowReserved`: OpenAPI 3.2, "URL Percent-Encoding").

/**
 * Lists the items of an array, or the value alone. `null` is omitted, because a form cannot express
 * it.
 */
export function itemsOf(value: SerializableValue): readonly SerializableValue[] {
  return (isReadonlyArray(value) ? value : [value]).filter((item) => item !== null);
}

/**
 * A value that can be sent unchanged: JSON, or a `bigint` for an integer that a number cannot
 * represent.
 */
export type SerializableValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly SerializableValue[]
  | { readonly [key: string]: SerializableValue };

/** Maximum nesting of values. Deeper values would exhaust the call stack. */
const MAX_DEPTH = 256;

/** Describes why a value cannot be sent, as a clause without a subject; `undefined` when it can. */
export function serializationProblem(value: unknown, depth = 0): string | undefined {
  switch (typeof value) {
    case "string":
      return isWellFormed(value)
        ? undefined
        : "contains an unpaired surrogate, which is not a character; correct the text";
    case "number":
      return numberProblem(value);
    case "object":
      return value === null ? undefined : memberProblem(value, depth + 1);
    case "boolean":
    case "bigint":
      return undefined;
    default:
      return "contains a value that is not JSON";
  }
}

/** True if a text has no unpaired surrogates, which UTF-8 cannot express. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** True if a value is an array or an object. */
export function isStructured(
  value: SerializableValue,
): value is readonly SerializableValue[] | { readonly [key: string]: SerializableValue } {
  return typeof value === "object" && value !== null;
}

/** True if a value is an array. Unlike `Array.isArray`, it keeps the type of read-only items. */
export function isReadonlyArray(value: SerializableValue): value is readonly SerializableValue[] {
  return Array.isArray(value);
}

function numberProblem(value: number): string | undefined {
  if (!Number.isFinite(value)) return "is not a finite number";
  // Such a number was most likely rounded when it was read: 9007199254740993 arrives as …992.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return (
      "has an integer beyond ±9007199254740991, whose last digits may be lost; " +
      "pass it as a string with all its digits"
    );
  }
  return undefined;
}

function memberProblem(value: object, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`;
  for (const [key, member] of Object.entries(value)) {
    const problem = serializationProblem(key) ?? serializationProblem(member, depth);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Converts a value to plain text: numbers in decimal digits without an exponent, arrays and objects
 * as JSON. OpenAPI leaves the conversion to implementations (3.1.1, Appendix B).
 */
export function toText(value: SerializableValue): string {
  if (typeof value === "number") return toDecimal(value);
  return isStructured(value) ? toJson(value) : String(value);
}

/** Writes JSON without white space. Unlike `JSON.stringify`, it writes `bigint`s in full. */
export function toJson(value: SerializableValue): string {
  if (typeof value === "bigint") return String(value);
  if (!isStructured(value)) return JSON.stringify(value);
  if (isReadonlyArray(value)) return `[${value.map(toJson).join(",")}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${toJson(member)}`,
  );
  return `{${members.join(",")}}`;
}

/** Writes JSON for a header, with `\u` escapes beyond ASCII. */
export function toAsciiJson(value: SerializableValue): string {
  return toJson(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Writes a number without an exponent: 0.00000015 instead of 1.5e-7. Positive exponents do not
 * occur, because such numbers are rejected.
 */
function toDecimal(value: number): string {
  const [mantissa = "", exponent] = String(value).split("e");
  if (exponent === undefined) return mantissa;
  const sign = value < 0 ? "-" : "";
  return `${sign}0.${"0".repeat(-Number(exponent) - 1)}${mantissa.replace(/[-.]/g, "")}`;
}

/** Encodes text for its place in a request. Never throws. */
export type Encode = (text: string) => string;

/**
 * Encodes everything but unreserved characters. Never throws: an unpaired surrogate becomes U+FFFD.
 */
export function percentEncode(text: string): string {
  if (isUnreserved(text)) return text;
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD")).replace(
    /[!'()*]/g,
    toPercentTriplet,
  );
}

/**
 * Encodes a query value with `allowReserved`. Reserved characters and triplets are kept, except
 * `#[]`, which a query cannot contain, `&=+`, which have a meaning, and `'`, which URL parsers
 * encode.
 */
export const encodeReservedQuery: Encode = encodeExcept(/((?:%[0-9A-Fa-f]{2}|[:/?@!$()*,;])+)/);

/**
 * Encodes a path value with `allowReserved`, or literal text of a template. Every `pchar` stays.
 */
export const encodeReservedPath: Encode = encodeExcept(/((?:%[0-9A-Fa-f]{2}|[:@!$&'()*+,;=])+)/);

/** Encodes the name of a cookie. Characters of a `token` stay. RFC 9110. */
export const encodeCookieName: Encode = encodeExcept(/([!#$&'*+.^_`|~-]+)/);

/** Leaves text unencoded, for header values and parts of a multipart body. */
export const verbatim: Encode = (text) => text;

/**
 * Creates an encoder that keeps `allowed`, which is one capture group, so that splitting puts its
 * matches at odd indexes.
 */
function encodeExcept(allowed: RegExp): Encode {
  const encode: Encode = (text) =>
    text
      .split(allowed)
      .map((part, index) => (index % 2 === 1 ? part : percentEncode(part)))
      .join("");
  return (text) => (isUnreserved(text) ? text : encode(text));
}

/** True if a text needs no encoding. Testing is cheaper than encoding. */
function isUnreserved(text: string): boolean {
  return /^[\w.~-]*$/.test(text);
}

function toPercentTriplet(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

// ---- request/types.ts ----
// Types of a request to the API: its context, the request, its deadline, and its response or failure.

/** Environment variables of the process. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Context of every request of a server. */
export interface ApiContext {
  readonly api: ApiDefinition;
  readonly env: Env;
  /** Headers that the client of this call passes on; see `forwardHeaders` of the HTTP settings. */
  readonly forwarded?: readonly ForwardedHeader[];
  /** Present if the tokens of callers are exchanged for those of the API. */
  readonly exchange?: CallerExchange;
}

/** The token of one caller, and the settings of its exchange. */
export interface CallerExchange {
  /** Verified access token of the caller; empty if it has none. */
  readonly token: string;
  readonly settings: TokenExchangeSettings;
}

/** The token of one caller, and the settings of its exchange by the prefix of the API's variables. */
export interface CallerExchanges {
  /** Verified access token of the caller; empty if it has none. */
  readonly token: string;
  readonly settings: ReadonlyMap<string, TokenExchangeSettings>;
}

/** Exchange of callers' tokens for tokens of the API. RFC 8693. */
export interface TokenExchangeSettings {
  /** Issuer of the callers' tokens. */
  readonly issuer: string;
  /** Token endpoint, instead of the one in the issuer's metadata. */
  readonly tokenUrl?: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
  /** Fields of the request: `audience`, `resource`, `scope` and those of the provider. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A header that a client may send for the API. */
export interface ForwardedHeader {
  /** Name in the client's request, in lower case. */
  readonly from: string;
  /** Name in the request to the API. */
  readonly name: string;
  /** Empty when the client did not send it. */
  readonly value: string;
  /** The only API that gets it, in a server of several. */
  readonly api?: string;
}

/** An HTTP request before credentials. */
export interface BoundRequest {
  readonly method: string;
  /** Absolute, encoded URL with the origin and the base path of the server. */
  readonly url: string;
  /** Headers in wire order, with the names of the document. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Uint8Array | string;
}

/** A reason why an input cannot be sent. */
export interface InputProblem {
  /** Name of the input; empty for another problem, such as a missing setting. */
  readonly input: string;
  /** A clause without the name: `is empty; the path needs a value`. It quotes no other value. */
  readonly problem: string;
  /** True if only the document says so, and the API may take the value. */
  readonly isDisputable?: true;
  /** True for an input that is required and not given. */
  readonly isMissing?: true;
  /** True for an object or a list in place of a text, which documents often declare for either. */
  readonly isStructure?: true;
}

/** A request, or all problems of the input that prevent it. */
export type BindResult =
  | { readonly ok: true; readonly request: BoundRequest }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/** Sources of the credentials of a request, without their values. */
export interface SentCredentials {
  /** Environment variables of this server. */
  readonly variables: readonly string[];
  /** Headers of the client that were passed on, under its names. */
  readonly headers: readonly string[];
  /** Scopes that the request requires and the sign-in of the user was not granted. */
  readonly missingScopes?: readonly string[];
  /** True if the rejected token was dropped, so that the next call is sent with another. */
  readonly isTokenDropped?: boolean;
  /** True if the `Authorization` header has one word: a key without a scheme such as `Bearer`. */
  readonly hasBareAuthorization?: boolean;
}

/** Successes of earlier calls, as evidence about the settings of a call. */
export interface EarlierSuccesses {
  /** True if a call with the same base URL has succeeded. */
  isBaseUrlRight(): boolean;
  /** True if a call with the same credentials has succeeded at the same origin. */
  haveSucceeded(credentials: SentCredentials): boolean;
  /**
   * True if a call has succeeded whose path is the same up to this input, or that listed the item
   * of this path, or an item with this value as the ID that the name of the input means.
   */
  hasAccepted(input: string, value?: unknown): boolean;
  /** Name of the tool that has deleted the item of the path up to this input. */
  deletedBy(pathInput: string): string | undefined;
  /** True if a call of the same operation has succeeded. */
  hasOperation(): boolean;
  /** True if the same request of this caller has failed with this status, and has not succeeded since. */
  hasFailed(status: number): boolean;
}

/** A request with credentials, and every secret in it, for redaction. */
export type AuthResult =
  | {
      readonly ok: true;
      readonly request: BoundRequest;
      readonly secrets: readonly string[];
      readonly credentials: SentCredentials;
      /** Present for a credential that the request itself does not carry. */
      readonly wrapSend?: WrapSend;
    }
  /** Names the variables to set. It has no values. */
  | { readonly ok: false; readonly message: string };

/**
 * Client certificate of the connection (mutual TLS), as PEM text. A client that cannot present it
 * must not send the request.
 */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Sends one request, without following redirects, and marks the deadline when the API may have seen
 * it.
 * @throws an error with a code of the client; any error once the deadline has expired
 */
export type SendFunction = (request: BoundRequest, options: SendOptions) => Promise<HttpResponse>;

/** Adds the credential of a connection, or the answer to a challenge, to what is sent. */
export type WrapSend = (send: SendFunction) => SendFunction;

interface SendOptions {
  /** Aborts the request and the reading of its response. */
  readonly deadline: Deadline;
  /** A second request does no harm. */
  readonly isRepeatable: boolean;
  /** Client certificate of the connection (mutual TLS). */
  readonly tls?: ClientCertificate;
}

/** A response with an unread body. It must be collected, drained or discarded. */
export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: ResponseHeaders;
  /** False after HEAD, and with 204, 205 and 304. */
  readonly hasBody: boolean;
  /**
   * Reads the body without its content codings. Beyond `limit` bytes, the connection is closed.
   * @param acceptsPart resolve with what has been read when the deadline expires, instead of
   *   rejecting
   */
  collect(limit: number, acceptsPart?: boolean): Promise<CollectedBody>;
  /** Skips the body, so that the connection can be reused if that costs little. */
  drain(limit: number): Promise<void>;
  /** Skips the body and closes the connection. */
  discard(): void;
}

/** Chunks of a body that was read. */
export interface CollectedBody {
  readonly chunks: readonly Uint8Array[];
  /** Size of all chunks in bytes. */
  readonly size: number;
  /** Present if the deadline expired before the end of the body. */
  readonly isPart?: true;
}

/**
 * The part of `Headers` (Fetch Standard) that the runtime uses. Node loads its whole `fetch` for
 * the first `Headers`.
 */
export interface ResponseHeaders extends Iterable<[string, string]> {
  /** Values of the same name, joined by commas. */
  get(name: string): string | null;
  has(name: string): boolean;
  getSetCookie(): string[];
}

/** UTF-8 text, which is the cheapest to read, or bytes of any other content. */
export type Body = string | Uint8Array;

/** A response with its body. */
export interface ApiResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: ResponseHeaders;
  /** Without its content codings. */
  readonly body: Body;
  /** Size of the decoded body in bytes. */
  readonly size: number;
  /** Present if the body is the beginning of a stream. */
  readonly cut?: BodyCut;
}

/** The reason why only the beginning of a stream was read. */
export type BodyCut =
  | { readonly kind: "deadline"; readonly afterMs: number }
  /** `limit` in bytes. */
  | { readonly kind: "size"; readonly limit: number };

/** True if the status is one of success (2xx). */
export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

/**
 * A call that ended without a result. Failures are values, not exceptions; errors/ has their texts
 * for agents. `sent` is true if the API may have received the request.
 */
export type Failure =
  /** Credentials are missing. `message` names the variables to set. */
  | { readonly kind: "credentials"; readonly message: string }
  /** The API responded with an error status. */
  | { readonly kind: "status"; readonly response: ApiResponse }
  /** The API responded with a success status and an error in the body. */
  | { readonly kind: "refused"; readonly response: ApiResponse; readonly value: unknown }
  /**
   * The API responded with a success status, but the body breaks its description. `excerpt` is the
   * start of the body; `shown` is true if the result has the whole body.
   */
  | {
      readonly kind: "unusable";
      readonly response: ApiResponse;
      readonly reason: string;
      readonly excerpt?: string;
      readonly shown?: boolean;
    }
  | { readonly kind: "tooLarge"; readonly limit: number }
  | { readonly kind: "timeout"; readonly afterMs: number; readonly sent: boolean }
  /** The client cancelled the call. */
  | { readonly kind: "cancelled" }
  /** The server stopped before the call had ended. */
  | { readonly kind: "interrupted"; readonly sent: boolean }
  /**
   * No response: name resolution, connection, TLS or invalid HTTP. `permanent` if a retry fails the
   * same way.
   */
  | {
      readonly kind: "connection";
      readonly cause: string;
      readonly sent: boolean;
      readonly permanent: boolean;
    }
  | { readonly kind: "redirect"; readonly cause: string }
  /**
   * The request was not sent: too many others wait, or its turn would come too late. `expectedMs`
   * is the time until the next request would have its turn, 0 if that is unknown.
   */
  | { readonly kind: "busy"; readonly waitedMs: number; readonly expectedMs: number }
  /**
   * The request was not sent, because the host of the API does not work: so many requests in a row
   * have failed, the latest with a status or a cause. `waitMs` is the time until one is sent.
   */
  | {
      readonly kind: "unavailable";
      readonly origin: string;
      readonly failures: number;
      readonly waitMs: number;
      readonly status?: number;
      readonly cause?: string;
    };

/** True if a value is a failure rather than a response. */
export function isFailure(outcome: ApiResponse | Failure): outcome is Failure {
  return "kind" in outcome;
}

/** The value of a header, whose name has no case. RFC 9110, section 5.1. */
export function headerIn(headers: BoundRequest["headers"], name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
}

/** Time that a call may still spend waiting before retries, for all of its requests together. */
export interface RetryWait {
  remainingMs: number;
}

/** The end of a call: by the clock, by its client or by the shutdown of the server. */
export interface Deadline {
  /** The reason, once the call must end. */
  readonly expired: Failure | undefined;
  /**
   * Aborted at the end, with the failure as its reason. Created on first use, because most calls
   * need none.
   */
  readonly signal: AbortSignal;
  /** True if the API may have seen the request. */
  readonly sent: boolean;
  readonly retryWait: RetryWait;
  /** Milliseconds until the deadline. */
  remainingMs(): number;
  /** Moves the end, for time that the call does not wait for one of its own requests. */
  extend(ms: number): void;
  /** Notes that the request is about to be written to a connection. */
  markSent(): void;
  /** Ends the call, because the server stops. */
  interrupt(): void;
  /**
   * Sets the one listener for the end of the call, or removes it. It is called at once if the call
   * must end already. A call has one wait at a time, and an abort listener costs more than the rest
   * of it.
   */
  onExpire(listener: (() => void) | undefined): void;
  /** Stops the clock. To be called at the end of the call. */
  dispose(): void;
}

/** Outcome of one authenticated request. */
export interface RequestOutcome {
  readonly response: ApiResponse | Failure;
  /** Credentials that were sent. They must not leave the server. */
  readonly secrets: readonly string[];
  /** Sources of the credentials. Absent if nothing was sent. */
  readonly credentials?: SentCredentials;
  readonly retries: number;
}

/**
 * A `CallToolResult` of the SDK. Its type is not imported, because the types of the generator reach
 * this file, and users of the generator need not have the SDK.
 */
export interface NestedResult {
  readonly content: readonly { readonly type: string; readonly text?: unknown }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** A tool call with the request that it sends. */
export interface ApiCall {
  readonly api: ApiDefinition;
  readonly tool: ToolDefinition;
  /** True if the tool calls several APIs, so that messages name the one of the request. */
  readonly isOfSeveral?: true;
  readonly input: ToolInput;
  readonly mapping: RequestMapping;
  /** Reads the thing that the request would change or remove. Absent if nothing reads it. */
  readThing?(): Promise<NestedResult | undefined>;
  /** Sends the request as a dry run of the API. Absent if the API has none. */
  previewWrite?(): Promise<NestedResult | undefined>;
  /** True if the request only reads, although its tool may write. */
  readonly onlyReads?: true;
  /** Documented meanings of statuses; see `documentedStatus`. */
  readonly statuses?: OperationBinding["statuses"];
  /** The request without credentials. */
  readonly request: BoundRequest;
  /** Identity of the caller. Absent: the only one. */
  readonly caller?: string;
  /** The request of the same call that the API rejected before it had any effect. */
  readonly rejected?: ApiCall;
  /** Sources of the credentials that were sent. Absent before the request was sent. */
  readonly credentials?: SentCredentials;
  /** Finds an offered tool. */
  readonly findTool: FindTool;
  /** True if another operation of the tool serves the input without one part of it. */
  servesWithout?(input: string): boolean;
  /** Absent where successes are not recorded. */
  readonly earlier?: EarlierSuccesses;
  /** Inputs with IDs that the call found by names in a list. */
  readonly foundInputs?: readonly string[];
  /** True if a later call may have what the API demands against its document. */
  readonly isCorrectable?: true;
}

/** The part of a tool that decides whether it can be called. */
export type CallableTool = Pick<ToolDefinition, "name" | "inputSchema"> &
  Partial<Pick<ToolDefinition, "producers" | "operations" | "annotations">>;

/** Finds an offered tool by its name. */
export type FindTool = (name: string) => CallableTool | undefined;

// ---- request/parameter-source.ts ----
// Sources of a request: the value that each parameter takes from the input.

export function withDefault(resolved: ResolvedSource, ..._: readonly unknown[]): ResolvedSource {
  return resolved;
}

export function fromEnvironment(..._: readonly unknown[]): ResolvedSource {
  return { value: undefined, reportProblem: () => undefined };
}

/** The binding of one call: its input, and the problems found so far. */
export interface BindingContext {
  readonly input: Readonly<Record<string, unknown>>;
  readonly env: Env;
  readonly problems: InputProblem[];
  /** Names whose values inputs must not set. */
  readonly pinned: PinnedRequest;
  /** Variables that are not sent. Absent: all are sent. */
  readonly withheld?: WithheldVariables | undefined;
}

/** Variables that a request does not carry. */
export interface WithheldVariables {
  readonly names: ReadonlySet<string>;
  /** A clause. Absent: the request is sent without them. */
  readonly reason?: string;
}

/** A value under its wire name, with the style of its location. */
export interface ParameterValue extends Omit<
  InputSource,
  "from" | "default" | "defaultEnv" | "required"
> {
  readonly name: string;
  readonly value: SerializableValue;
  /** Reports a problem with this value: a clause without a subject. */
  readonly reportProblem: ReportProblem;
}

/** Reports a problem with a value, as a clause without a subject: `is empty`. */
export type ReportProblem = (problem: string) => void;

/**
 * Resolves the value of a source; `undefined` when there is none or it is rejected.
 * @param missingProblem problem to report when a required value is missing
 */
export function resolveValue(
  name: string,
  source: ParameterSource,
  binding: BindingContext,
  missingProblem?: string,
): ParameterValue | undefined {
  const resolved = resolveSource(name, source, binding);
  const problem =
    resolved.value === undefined
      ? (resolved.missingProblem ?? missingProblem)
      : serializationProblem(resolved.value);
  if (problem !== undefined) resolved.reportProblem(problem);
  if (problem !== undefined || resolved.value === undefined) return undefined;
  return {
    ...(typeof source === "string" ? undefined : source),
    name,
    value: resolved.value as SerializableValue,
    reportProblem: resolved.reportProblem,
  };
}

/** Resolves a value for a location where `null` means an absent value. RFC 6570, section 2.3. */
export function resolveParameter(
  name: string,
  source: ParameterSource,
  binding: BindingContext,
  missingProblem?: string,
): ParameterValue | undefined {
  const resolved = resolveValue(name, source, binding, missingProblem);
  if (resolved?.value !== null) return resolved;
  if (missingProblem !== undefined) resolved.reportProblem(missingProblem);
  return undefined;
}

export interface ResolvedSource {
  readonly value: unknown;
  readonly reportProblem: ReportProblem;
  /** Problem of a missing value that is required. */
  readonly missingProblem?: string | undefined;
}

function resolveSource(
  name: string,
  source: ParameterSource,
  binding: BindingContext,
): ResolvedSource {
  if (typeof source === "string") return fromInput(source, binding);
  if ("from" in source)
    return joinList(withDefault(fromInput(source.from, binding), source, binding), source);
  if ("env" in source) return fromEnvironment(source, binding);
  const { withheld } = binding;
  const isWithheld = "value" in source && source.isSecret === true && withheld !== undefined;
  const value = "generate" in source ? crypto.randomUUID() : source.value;
  return {
    value: isWithheld ? undefined : value,
    ...(isWithheld && { missingProblem: withheldProblem(withheld) }),
    reportProblem: (problem) =>
      addProblem(binding, "", `the fixed value of ${JSON.stringify(name)} ${problem}`),
  };
}

function fromInput(input: string, binding: BindingContext): ResolvedSource {
  return {
    value: ownProperty(binding.input, input),
    reportProblem: (problem) => addProblem(binding, input, problem),
  };
}

function joinList(resolved: ResolvedSource, { separator }: InputSource): ResolvedSource {
  const { value } = resolved;
  if (separator === undefined || !Array.isArray(value)) return resolved;
  return {
    ...resolved,
    value: separator === "json" ? JSON.stringify(value) : value.join(separator),
  };
}

/** The problem of a variable that a request needs and does not carry, as a clause. */
export function withheldProblem({ reason }: WithheldVariables): string | undefined {
  return reason && `is not sent: ${reason}; tell the user, and do not retry`;
}

/** Name of the input with the value of a parameter. */
export function inputOf(source: ParameterSource): string | undefined {
  if (typeof source === "string") return source;
  return "from" in source ? source.from : undefined;
}

/** Adds a problem once, however often the request uses the input. */
export function addProblem(binding: BindingContext, input: string, problem: string): void {
  if (
    !binding.problems.some(
      (candidate) => candidate.input === input && candidate.problem === problem,
    )
  )
    binding.problems.push({ input, problem });
}

/** Lists the credentials that the configuration fixes in a request. */
export function secretConstants(request: RequestMapping): readonly string[] {
  return secretSources(request).map(([, { value }]) =>
    typeof value === "string" ? value : JSON.stringify(value),
  );
}

/** Constants of a request that are credentials, by name. */
export function secretSources(
  request: RequestMapping,
): readonly (readonly [name: string, source: ConstantSource])[] {
  return namedSources(request).flatMap(([name, source]) =>
    typeof source === "object" && "value" in source && source.isSecret
      ? [[name, source] as const]
      : [],
  );
}

const sourcesOf = (request: RequestMapping): readonly ParameterSource[] =>
  namedSources(request).map(([, source]) => source);

/** Sources of a request, with the names of their parameters and fields. */
export function namedSources({
  pathParams,
  query,
  headers,
  cookies,
  body,
}: RequestMapping): readonly (readonly [name: string, source: ParameterSource])[] {
  const inner = (body?.innerFields ?? []).flatMap(({ path, source }) =>
    source ? [[String(path.at(-1) ?? ""), source] as const] : [],
  );
  const locations = [pathParams, query, headers, cookies, body?.fields];
  return [...locations.flatMap((location) => Object.entries(location ?? {})), ...inner];
}

/** Lists the inputs that a request is built from. */
export function mappedInputs(request: RequestMapping): readonly string[] {
  const { querystring, body } = request;
  const sources = [...sourcesOf(request)];
  if (querystring) sources.push(querystring);
  if (body?.from !== undefined) sources.push(body.from);
  const fileNames = Object.values(body?.encoding ?? {}).flatMap(
    ({ filenameInput }) => filenameInput ?? [],
  );
  return [...sources.flatMap((source) => inputOf(source) ?? []), ...fileNames];
}

/** Lists the inputs that select or limit what a request returns: those of its query. */
export function queryInputs({ query = {}, querystring }: RequestMapping): readonly string[] {
  const inputs = Object.values(query).flatMap((source) => inputOf(source) ?? []);
  return querystring ? [...inputs, querystring.from] : inputs;
}

// ---- files/files.ts ----
// Local files: names of downloads, and files that inputs name.

/** Sources of the name of a downloaded file, in order of preference. */
interface FileNameSources {
  /** `Content-Disposition` is read. RFC 6266. */
  readonly headers?: Pick<Headers, "get"> | undefined;
  readonly url: string;
  readonly mimeType: string;
  readonly tool: string;
}

/** A safe name for a downloaded file: from its headers, else its URL, else the tool's name. */
export function fileName({ headers, url, mimeType, tool }: FileNameSources): string {
  const lastSegment = decodeOrKeep(new URL(url).pathname.split("/").at(-1) ?? "");
  const disposition = headers?.get("content-disposition") ?? "";
  const name = sanitizeName(dispositionName(disposition)) || sanitizeName(lastSegment) || tool;
  const hasExtension = /\.[a-z0-9]{1,10}$/i.test(name);
  return hasExtension ? name : `${name}${extensionFor(mimeType)}`;
}

/** The file name of a `Content-Disposition` header; empty without one. RFC 6266, section 4.3. */
function dispositionName(header: string): string {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) return decodeOrKeep(extended);
  const [, quoted, token = ""] =
    /;\s*filename\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s]+))/i.exec(header) ?? [];
  // Some servers send paths of Windows, whose backslashes do not escape.
  return quoted?.replace(/\\(["\\])/g, "$1") ?? token;
}

/** Characters of a name that are inspected. The middle of a longer name is dropped. */
const maxInspected = 400;
const maxLength = 80;
const keptEnd = 20;

/**
 * The last segment of a path, without characters that a file system, shell or terminal interprets.
 * The result is never a hidden file and never a reserved name of Windows.
 */
function sanitizeName(path: string): string {
  const segment = path.split(/[/\\]/).at(-1) ?? "";
  const safe = dropMiddle(segment, maxInspected, maxInspected / 2)
    .replace(/[^\p{L}\p{N} ._()+-]/gu, "_")
    .replace(/^[. -]+|(?<![. ])[. ]+$/g, "");
  const short = dropMiddle(safe, maxLength, keptEnd);
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(short) ? `_${short}` : short;
}

function dropMiddle(text: string, length: number, endLength: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - endLength)}${text.slice(-endLength)}`;
}

/** A file that was read. */
export interface LocalFile {
  /** Without its folder. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The one local folder in which tools may read and save files. */
export interface Folder {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** True if clients are on other machines, which cannot use the path and must not learn it. */
  readonly isRemote?: boolean;
  /**
   * Reads a file in the folder or below it.
   * @returns on failure, the reason as a clause without a subject
   */
  read(path: string): Promise<LocalFile | string>;
  /**
   * Saves a file under this name, or under a numbered one when the name exists. Never overwrites.
   * @returns the path; `undefined` when the file cannot be saved
   */
  save(name: string, bytes: Uint8Array): Promise<string | undefined>;
}

/** An input with the contents of its files, or the files that cannot be read. */
export type LocalFilesResult =
  | { readonly ok: true; readonly input: ToolInput }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/**
 * Replaces references to local files (`file:report.pdf`, `file:///…`) by the files' content, in
 * inputs that hold files. Without a configured folder such a text is sent unchanged.
 */
export async function readLocalFiles(
  input: ToolInput,
  mapping: RequestMapping,
  folder: Folder | undefined,
): Promise<LocalFilesResult> {
  if (!folder || !mapping.body) return { ok: true, input };
  const problems: InputProblem[] = [];
  const replaced = new Map<string, unknown>();
  for (const name of fileInputs(mapping)) {
    const readReference = async (text: unknown): Promise<unknown> => {
      if (typeof text !== "string" || !/^file:/i.test(text)) return text;
      const file = await folder.read(text);
      if (typeof file === "string") return void problems.push({ input: name, problem: file });
      return toDataUri(file);
    };
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (Array.isArray(value)) replaced.set(name, await Promise.all(value.map(readReference)));
    else if (value !== undefined) replaced.set(name, await readReference(value));
  }
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    input: replaced.size === 0 ? input : { ...input, ...Object.fromEntries(replaced) },
  };
}

function toDataUri({ name, bytes }: LocalFile): string {
  return `data:${mediaTypeOfFile(name) ?? ""};name=${percentEncode(name)};base64,${base64(bytes)}`;
}

/** Inputs that hold files: the whole body, or fields of a multipart body. */
function fileInputs({ body }: RequestMapping): readonly string[] {
  if (!body) return [];
  if (body.from !== undefined) {
    const isFile = isBinary(body.contentType) && !isMultipart(body.contentType);
    return isFile ? [body.from] : [];
  }
  return Object.entries(body.encoding ?? {}).flatMap(([field, { file }]) => {
    const source = file ? body.fields?.[field] : undefined;
    return (source && inputOf(source)) ?? [];
  });
}

// ---- request/base-url.ts ----
// Base URL of the API.

/**
 * Base URL of the API, from the environment or the document's servers. OpenAPI 3.1.1, Server
 * Object.
 */
type BaseUrlResult =
  /** Absolute `http` or `https` URL without credentials, query, fragment and trailing slash. */
  | { readonly ok: true; readonly url: string }
  /** A sentence that names the variable to set. It repeats no value of a variable. */
  | { readonly ok: false; readonly problem: string };

const RESTART_ADVICE = "in the environment of this server, then restart it; do not retry";

/**
 * Resolves the URL that paths are appended to: `<PREFIX>_BASE_URL`, otherwise the first of
 * `servers` with its variables filled in. A relative server is ignored, because its base is
 * unknown.
 */
export function resolveBaseUrl(
  servers: readonly ServerDefinition[],
  context: ApiContext,
): BaseUrlResult {
  const cached = resolvedUrls.get(context.env)?.get(servers);
  if (cached) return cached;
  const result = findBaseUrl(servers, context);
  resolvedUrls.set(
    context.env,
    (resolvedUrls.get(context.env) ?? new Map<readonly ServerDefinition[], BaseUrlResult>()).set(
      servers,
      result,
    ),
  );
  return result;
}

/** Resolved URLs by environment and servers, which do not change while a server runs. */
const resolvedUrls = new WeakMap<Env, Map<readonly ServerDefinition[], BaseUrlResult>>();

function findBaseUrl(servers: readonly ServerDefinition[], context: ApiContext): BaseUrlResult {
  const variable = `${context.api.envPrefix}_BASE_URL`;
  const override = context.env[variable];
  if (override) return overrideUrl(variable, override);
  const [server] = servers;
  return server === undefined
    ? missingUrlResult(variable, "The API's document names no server", context.api.basePath)
    : serverUrl(server, variable, context);
}

function overrideUrl(variable: string, value: string): BaseUrlResult {
  const url = normalizeUrl(value);
  if (url !== undefined) return { ok: true, url };
  const problem =
    `${variable} is not a base URL: an absolute http or https URL ` +
    `without user name, query and fragment. Correct it ${RESTART_ADVICE}.`;
  return { ok: false, problem };
}

function serverUrl(server: ServerDefinition, variable: string, context: ApiContext): BaseUrlResult {
  const problem = variableProblem(server, context);
  if (problem !== undefined) return { ok: false, problem };
  const url = normalizeUrl(
    server.url.replace(
      /\{([^{}]*)\}/g,
      (expression, name: string) => variableValue(server, name, context) ?? expression,
    ),
  );
  return url === undefined
    ? missingUrlResult(variable, "The server of the API's document is not a complete URL")
    : { ok: true, url };
}

function missingUrlResult(variable: string, reason: string, basePath?: string): BaseUrlResult {
  const path = basePath === undefined ? "" : ` with the base path ${basePath}`;
  const example = `https://api.example.com${basePath ?? "/v1"}`;
  return {
    ok: false,
    problem: `${reason}. Set ${variable} to the API's base URL${path}, such as ${example}, ${RESTART_ADVICE}.`,
  };
}

function variableValue(
  server: ServerDefinition,
  name: string,
  context: ApiContext,
): string | undefined {
  const variable =
    server.variables && Object.hasOwn(server.variables, name) ? server.variables[name] : undefined;
  return variable && (context.env[variable.env] || variable.default);
}

function variableProblem(server: ServerDefinition, context: ApiContext): string | undefined {
  for (const { env, enum: allowed } of Object.values(server.variables ?? {})) {
    const value = context.env[env];
    if (!value || !allowed || allowed.includes(value)) continue;
    const values = allowed.map((value) => JSON.stringify(value)).join(", ");
    return `${env} must be one of ${values}. Correct it ${RESTART_ADVICE}.`;
  }
  return undefined;
}

/**
 * Normalizes a base URL; `undefined` when it is not one. Remaining braces are variables without a
 * value.
 */
function normalizeUrl(text: string): string | undefined {
  if (!/^\s*https?:\/\/[^{}]*$/i.test(text) || !canParseUrl(text)) return undefined;
  const { href, username, password } = new URL(text);
  if (username !== "" || password !== "" || /[?#]/.test(href)) return undefined;
  return href.endsWith("/") ? href.slice(0, -1) : href;
}

// ---- request/origins.ts ----
// Origins that receive the credentials of an API: of its base URL, and those that are named.

type OriginContext = Pick<ApiContext, "api" | "env">;

/**
 * Lists the origins that receive credentials: that of the base URL, and the hosts of
 * `mcp-gen.yaml`. Servers of single operations are not among them.
 */
export function credentialOrigins(context: OriginContext): readonly string[] {
  const base = resolveBaseUrl(context.api.servers, context);
  return [...(base.ok ? [new URL(base.url).origin] : []), ...(context.api.hosts ?? [])];
}

/** True if a request to a URL may carry credentials of the API. */
export function receivesCredentials(url: string, context: OriginContext): boolean {
  return credentialOrigins(context).includes(new URL(url).origin);
}

/**
 * The reason why a request to a URL carries no credentials, as a clause: it names the origins that
 * get them.
 */
export function describeForeignOrigin(url: string, context: OriginContext): string {
  const origins = credentialOrigins(context);
  const { title, envPrefix } = context.api;
  const owner =
    origins.length === 0
      ? `credentials of ${title} have no origin, because ${envPrefix}_BASE_URL is not set`
      : `credentials of ${title} are for ${origins.join(" and ")} only`;
  return `${owner}, and this operation is at ${new URL(url).origin}`;
}

/** True if the server calls the API without credentials. */
export function callsAnonymously({ envPrefix }: ApiDefinition, env: OriginContext["env"]): boolean {
  return env[`${envPrefix}_AUTH`]?.trim().toLowerCase() === "none";
}

/** Variables that hold credentials: of the security schemes, and of secret parameters. */
export function credentialVariables({
  securitySchemes,
  secretParameters = [],
}: ApiDefinition): ReadonlySet<string> {
  const values = Object.values(securitySchemes).flatMap((scheme): unknown[] =>
    Object.values(scheme),
  );
  const names = values.filter((value): value is string => typeof value === "string");
  return new Set([...names, ...secretParameters]);
}

/** Value of a configured header; undefined if its variable is not set. */
export function headerValue(source: HeaderSource, env: OriginContext["env"]): string | undefined {
  if (typeof source === "string") return source;
  return "env" in source ? env[source.env] : source.value;
}

/** True for a header with a value of the environment, and for headers of credentials. */
export function mayHoldCredential(
  [name, source]: readonly [name: string, source: HeaderSource],
  api: Pick<ApiDefinition, "securitySchemes">,
): boolean {
  return typeof source !== "string" || isCredentialHeader(name, api);
}

function isCredentialHeader(
  name: string,
  { securitySchemes }: Pick<ApiDefinition, "securitySchemes">,
): boolean {
  const known = Object.values(securitySchemes).map(credentialHeader);
  return ["authorization", "proxy-authorization", "cookie", ...known].includes(name.toLowerCase());
}

/** Variables of the configured headers that credentials have by their names. */
export function credentialHeaderVariables(
  api: Pick<ApiDefinition, "headers" | "securitySchemes">,
): readonly string[] {
  return Object.entries(api.headers ?? {}).flatMap(([name, source]) => {
    const isCredential = isCredentialHeader(name, api) || SECRET_HEADER.test(name);
    return isCredential && typeof source !== "string" && "env" in source ? [source.env] : [];
  });
}

const SECRET_HEADER = /auth|token|secret|key\b/i;

// ---- request/serialize-content.ts ----
// Values as contents of media types: parameters with `content`, fields of forms, text bodies.

/** Serializes a value as a media type. A string is the text itself, except in JSON. */
export function serialize(
  { value }: { readonly value: SerializableValue },
  mediaType: string,
): string {
  if (isJson(mediaType)) return toJson(value);
  if (isJsonLines(mediaType))
    return toRecords(value)
      .map((record) => `${toJson(record)}\n`)
      .join("");
  if (isJsonSequence(mediaType))
    return toRecords(value)
      .map((record) => `\x1e${toJson(record)}\n`)
      .join("");
  if (isEventStream(mediaType) && isStructured(value))
    return toRecords(value).map(serializeEvent).join("");
  if (isForm(mediaType) && isStructured(value)) return serializeForm(Object.entries(value));
  return toText(value);
}

/**
 * Serializes `application/x-www-form-urlencoded` by the defaults of the Encoding Object (OpenAPI
 * 3.1.1 and 3.2). Arrays repeat the name, objects are JSON. A space is `%20`, which decoders of
 * forms and of URLs accept.
 */
function serializeForm(
  fields: readonly (readonly [name: string, value: SerializableValue])[],
): string {
  return fields
    .flatMap(([name, value]) =>
      itemsOf(value).map((item) => `${percentEncode(name)}=${percentEncode(toText(item))}`),
    )
    .join("&");
}

/** Serializes one event: `{data, event, id, retry}`, or data alone. WHATWG HTML, section 9.2.5. */
function serializeEvent(event: SerializableValue): string {
  const fields =
    isStructured(event) && !isReadonlyArray(event)
      ? Object.entries(event)
      : [["data", event] as const];
  const lines = fields.flatMap(([name, value]) =>
    value === null || !/^\w+$/.test(name)
      ? []
      : toText(value)
          .split(/\r\n|\n|\r/)
          .map((line) => `${name}: ${line}\n`),
  );
  return `${lines.join("")}\n`;
}

function toRecords(value: SerializableValue): readonly SerializableValue[] {
  return isReadonlyArray(value) ? value : [value];
}

// ---- request/styles.ts ----
// Parameter styles: values as `name=value` pairs, or as text in a path or a header; and forms,
// whose fields may have a style.
// OpenAPI 3.1.1, "Style Examples", and 3.2 for `cookie`. RFC 6570, sections 2.3 and 3.2, for the
// rest: `null`, empty arrays and empty objects are omitted, an empty string is a value.
// Beyond both, as real APIs read it:
// - an array or object inside an exploded or delimited value is JSON;
// - `deepObject` nests, `a[b][c]=1`, and numbers the items of arrays, `a[0]=x`, at every level;
// - `spaceDelimited` and `pipeDelimited` with `explode` repeat the parameter, as `form` does.

/** Encoded name and value of a query, a form or a cookie. */
export type Pair = readonly [name: string, value: string];

/** Encoders of names and values at the location of the pairs. */
export interface Codec {
  readonly name: Encode;
  readonly value: Encode;
}

/**
 * Writes the pairs of a query, cookie or form, encoded. The caller writes the delimiters between
 * them.
 */
export function namedPairs(parameter: ParameterValue, codec: Codec): readonly Pair[] {
  switch (parameter.style) {
    case "deepObject":
      return deepObjectPairs(parameter, codec);
    case "spaceDelimited":
    case "pipeDelimited":
    case "tabDelimited":
      return delimitedPairs(parameter, codec, DELIMITERS[parameter.style]);
    default:
      return pairsOf(parameter, codec, parameter.explode ?? true, ",");
  }
}

/** Writes the text of a path parameter, with the prefix of `matrix` and `label`. */
export function pathText(parameter: ParameterValue, encode: Encode): string {
  const explode = parameter.explode ?? false;
  switch (parameter.style) {
    case "matrix":
      return pairsOf(parameter, { name: encode, value: encode }, explode, ",")
        .map(matrixPair)
        .join("");
    case "label":
      return labelText(listText(parameter.value, encode, explode, explode ? "." : ","));
    default:
      return delimitedText(parameter, encode) ?? "";
  }
}

/** Delimiters of ssv, pipes and tsv of Swagger 2.0. */
const DELIMITERS = { spaceDelimited: " ", pipeDelimited: "|", tabDelimited: "\t" } as const;

/**
 * Writes items in a path or header, delimited by commas or by an encoded delimiter of Swagger 2.0.
 */
function delimitedText(parameter: ParameterValue, encode: Encode): string | undefined {
  const { style, value, explode = false } = parameter;
  if (style !== "spaceDelimited" && style !== "pipeDelimited" && style !== "tabDelimited")
    return listText(value, encode, explode, ",");
  return reportDelimiter(parameter, DELIMITERS[style])
    ? undefined
    : listText(value, encode, false, encode(DELIMITERS[style]));
}

/**
 * Writes the style `simple` of a header, without percent-encoding. OpenAPI 3.2, "Fixed Fields for
 * use with `schema`".
 */
export function headerText(parameter: ParameterValue): string | undefined {
  const { value } = parameter;
  if (isStructured(value) && flattenMembers(membersOf(value)).some(isSplitOrTrimmed))
    parameter.reportProblem(
      "has an item with a comma, or with a space or tab at an end, which separate items here",
    );
  return delimitedText(parameter, verbatim);
}

/**
 * A quoted string, or the rest of the text after a quote without an end, so that no character is
 * read twice. RFC 9110, section 5.6.4.
 */
const QUOTED_STRING = /"(?:\\.|[^"\\])*("|\\?$)/gs;

/** True for an item that would arrive as others. Commas in quotes stay. RFC 9110, section 5.6. */
function isSplitOrTrimmed(item: string): boolean {
  const unquoted = item.replace(QUOTED_STRING, (text, end) => (end === '"' ? "" : text));
  return unquoted.includes(",") || /^[\t ]|[\t ]$/.test(item);
}

/** A member of an array or object as text. Items have no key. `null` is omitted. */
type Member = readonly [key: string | undefined, text: string];

function membersOf(value: Extract<SerializableValue, object>): readonly Member[] {
  const entries = isReadonlyArray(value)
    ? value.map((item) => [undefined, item] as const)
    : Object.entries(value);
  return entries
    .filter(([, member]) => member !== null)
    .map(([key, member]) => [key, toText(member)]);
}

/** Flattens members: `["a", "b"]` and `{a: "b"}` become `a`, `b`. */
function flattenMembers(members: readonly Member[]): readonly string[] {
  return members.flatMap(([key, text]) => (key === undefined ? [text] : [key, text]));
}

function pairsOf(
  parameter: ParameterValue,
  codec: Codec,
  explode: boolean,
  delimiter: string,
): readonly Pair[] {
  const name = codec.name(parameter.name);
  if (!isStructured(parameter.value)) return [[name, codec.value(toText(parameter.value))]];
  const members = membersOf(parameter.value);
  if (members.length === 0) return [];
  if (!explode) return [[name, flattenMembers(members).map(codec.value).join(delimiter)]];
  return members.map(([key, text]) => [
    key === undefined ? name : codec.name(key),
    codec.value(text),
  ]);
}

/** Writes an expansion without a name; `undefined` when it is empty. */
function listText(
  value: SerializableValue,
  encode: Encode,
  explode: boolean,
  delimiter: string,
): string | undefined {
  if (!isStructured(value)) return encode(toText(value));
  const members = membersOf(value);
  if (members.length === 0) return undefined;
  if (!explode) return flattenMembers(members).map(encode).join(delimiter);
  return members
    .map(([key, text]) => (key === undefined ? encode(text) : `${encode(key)}=${encode(text)}`))
    .join(delimiter);
}

/** Writes a matrix pair. For an empty value, only the name is written. RFC 6570, section 3.2.7. */
function matrixPair([name, value]: Pair): string {
  return value === "" ? `;${name}` : `;${name}=${value}`;
}

function labelText(text: string | undefined): string {
  return text === undefined ? "" : `.${text}`;
}

function delimitedPairs(
  parameter: ParameterValue,
  codec: Codec,
  delimiter: Delimiter,
): readonly Pair[] {
  const explode = parameter.explode ?? false;
  return !explode && reportDelimiter(parameter, delimiter)
    ? []
    : pairsOf(parameter, codec, explode, codec.value(delimiter));
}

type Delimiter = (typeof DELIMITERS)[keyof typeof DELIMITERS];
const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  " ": "a space",
  "|": '"|"',
  "\t": "a tab",
};

/**
 * Reports an item that contains the delimiter, because it would arrive encoded like any other
 * character.
 */
function reportDelimiter({ value, reportProblem }: ParameterValue, delimiter: Delimiter): boolean {
  if (
    !isStructured(value) ||
    !flattenMembers(membersOf(value)).some((text) => text.includes(delimiter))
  )
    return false;
  reportProblem(`has an item with ${DELIMITER_NAMES[delimiter]} in it, which separates items here`);
  return true;
}

function deepObjectPairs(parameter: ParameterValue, codec: Codec): readonly Pair[] {
  const descend = (name: string, value: SerializableValue): readonly Pair[] => {
    if (value === null) return [];
    if (!isStructured(value)) return [[codec.name(name), codec.value(toText(value))]];
    return Object.entries(value).flatMap(([key, member]) => {
      if (/[[\]]/.test(key))
        parameter.reportProblem('has a key with "[" or "]" in it, which denote nesting here');
      return descend(`${name}[${key}]`, member);
    });
  };
  return descend(parameter.name, parameter.value);
}

/**
 * Serializes a body of `application/x-www-form-urlencoded`. OpenAPI 3.1.1 and 3.2, "Encoding the
 * `x-www-form-urlencoded` Media Type". Fields with `style`, `explode` or `allowReserved`
 * are written like query parameters. Others are written by media type: the declared one, otherwise
 * text for scalars and JSON for objects. Arrays repeat the name.
 */
export function formBody(fields: readonly ParameterValue[], body: PartEncodings): string {
  return fields
    .flatMap((field) => fieldPairs(field, encodingOf(body, field)))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

function fieldPairs(field: ParameterValue, encoding: FieldEncoding): readonly Pair[] {
  if (hasStyle(encoding)) {
    const { style, explode, allowReserved } = encoding;
    return namedPairs(
      { ...field, style, explode },
      { name: percentEncode, value: allowReserved === true ? encodeReservedQuery : percentEncode },
    );
  }
  return itemsOf(field.value).map((item) => {
    const mediaType =
      declaredMediaType(encoding, item) ?? (isStructured(item) ? "application/json" : "text/plain");
    return [percentEncode(field.name), percentEncode(serialize({ value: item }, mediaType))];
  });
}

/** Returns the encoding of a field. OpenAPI 3.1.1, Encoding Object. */
export function encodingOf(
  body: PartEncodings,
  field: Pick<ParameterValue, "name">,
): FieldEncoding {
  return ownProperty(body.encoding, field.name) ?? {};
}

/** True if a field is written like a query parameter. Its media type is ignored then. */
export function hasStyle(encoding: FieldEncoding): boolean {
  return (
    encoding.style !== undefined ||
    encoding.explode !== undefined ||
    encoding.allowReserved !== undefined
  );
}

/**
 * Chooses the media type of a value that is not a file: of several, JSON for arrays and objects,
 * otherwise the first.
 */
export function declaredMediaType(
  { contentType }: FieldEncoding,
  value: SerializableValue,
): string | undefined {
  return contentType === undefined
    ? undefined
    : chooseMediaType(contentType, isStructured(value) ? "application/json" : undefined);
}

/** Lists the fields of an object. */
export function fieldsOf({
  value,
  reportProblem,
}: Pick<ParameterValue, "value" | "reportProblem">): readonly ParameterValue[] {
  return isStructured(value)
    ? Object.entries(value).map(([name, field]) => ({ name, value: field, reportProblem }))
    : [];
}

// ---- request/cookies.ts ----
// Cookies of the request.

export function parameterCookies(..._: readonly unknown[]): readonly Pair[] {
  return [];
}

/** True if a text is a valid cookie value, quoted or not. RFC 6265, section 4.1.1. */
export function isCookieValue(text: string): boolean {
  return /^("?)[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*\1$/.test(text);
}

// ---- request/headers.ts ----
// Headers of the request, cookies included. A value with a line break is rejected, not repaired.

/** A header of a request, with its name in the spelling of the document. */
export type Header = readonly [name: string, value: string];

/** Headers that the transport, the body or the cookies set. A parameter never sets them. */
const MESSAGE_HEADERS = new Set(
  (
    "connection content-length content-type cookie expect host keep-alive proxy-connection " +
    "te trailer transfer-encoding upgrade"
  ).split(" "),
);

/**
 * Headers that the caller of a tool must not choose. Constants and environment variables may set
 * them. OpenAPI 3.1.1, Parameter Object, `name`.
 */
const RESTRICTED_HEADERS = new Set([
  "accept",
  "authorization",
  "proxy-authorization",
  "user-agent",
]);

/**
 * Binds all headers except credentials and those of the transport.
 * @param contentType media type of the body, if there is one
 */
export function bindHeaders(
  mapping: Pick<RequestMapping, "accept" | "headers" | "cookies">,
  contentType: string | undefined,
  binding: BindingContext,
): readonly Header[] {
  const headers = Object.entries(mapping.headers ?? {}).flatMap(([name, source]) =>
    parameterHeader(name, source, binding),
  );
  const cookies = Object.entries(mapping.cookies ?? {}).flatMap(([name, source]) =>
    parameterCookies(name, source, binding),
  );
  const hasAccept = headerIn(headers, "Accept") !== undefined;
  const mediaTypes: readonly Header[] = [
    ...(hasAccept ? [] : acceptHeader(mapping.accept ?? [])),
    ...(contentType === undefined ? [] : [["Content-Type", contentType] as const]),
  ];
  if (mediaTypes.some(([, value]) => !isHeaderValue(value)))
    addProblem(
      binding,
      "",
      "the operation has a media type that is not a valid header value; it cannot be called",
    );
  return [
    ...mediaTypes,
    ...headers,
    ...(cookies.length === 0
      ? []
      : [["Cookie", cookies.map(([name, value]) => `${name}=${value}`).join("; ")] as const]),
  ];
}

/**
 * True if a text is a valid header value: no control characters except tab, nothing beyond Latin-1.
 * RFC 9110, section 5.5.
 */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** True if a text is a `token`. RFC 9110, section 5.6.2. */
export function isToken(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}

/** Writes the order of preference as weights. RFC 9110, section 12.5.1. */
function acceptHeader(accept: readonly string[]): readonly Header[] {
  const weighted = accept.map((mediaType, index) =>
    index === 0 ? mediaType : `${mediaType};q=${Math.max(1, 10 - index) / 10}`,
  );
  return weighted.length === 0 ? [] : [["Accept", weighted.join(", ")]];
}

function parameterHeader(
  name: string,
  source: ParameterSource,
  binding: BindingContext,
): readonly Header[] {
  if (MESSAGE_HEADERS.has(name.toLowerCase())) return [];
  if (RESTRICTED_HEADERS.has(name.toLowerCase()) && isCallerChosen(source)) return [];
  const parameter = resolveParameter(name, source, binding);
  const text =
    parameter &&
    (parameter.contentType === undefined
      ? headerText(parameter)
      : serializeHeader(parameter, parameter.contentType));
  if (parameter === undefined || text === undefined) return [];
  if (!isToken(name)) parameter.reportProblem("has a name that is not a valid header name");
  if (isCallerChosen(source)) rejectPinnedNames([name], binding.pinned.header, parameter);
  if (!isHeaderValue(text))
    parameter.reportProblem(
      "has a character that a header cannot carry: a line break, another control character or one beyond Latin-1",
    );
  // Recipients remove outer blanks. RFC 9110, section 5.5. A workflow may write `Bearer ` on
  // purpose.
  const isComputed = typeof source !== "string" && "from" in source && source.isConfigured === true;
  if (!isComputed && /^[\t ]|[\t ]$/.test(text))
    parameter.reportProblem("starts or ends with a space or tab, which a header cannot carry");
  return [[name, text]];
}

function isCallerChosen(source: ParameterSource): boolean {
  return typeof source === "string" || ("from" in source && source.isConfigured !== true);
}

function serializeHeader(parameter: ParameterValue, contentType: string): string {
  return isJson(contentType) ? toAsciiJson(parameter.value) : serialize(parameter, contentType);
}

// ---- request/json-fields.ts ----
// Inputs that a JSON body takes in any type: fields of it that are sent nowhere else.

/** Names of the inputs that are fields of a JSON body, or all of it, and no other part of a request. */
export function jsonInputs(request: RequestMapping): ReadonlySet<string> {
  const { body } = request;
  if (!body || !isJson(body.contentType)) return NO_INPUTS;
  const elsewhere = namedSources({ ...request, body: undefined }).map(([, source]) =>
    inputOf(source),
  );
  const fields = [...Object.values(body.fields ?? {}), ...(body.from ? [body.from] : [])];
  return new Set(
    fields.flatMap((source) => inputOf(source) ?? []).filter((name) => !elsewhere.includes(name)),
  );
}

const NO_INPUTS: ReadonlySet<string> = new Set();

// ---- request/path-values.ts ----
// Inputs of a tool, read from the path of a URL.

/** Inputs with which a tool requests a path; undefined if none of its operations has it. */
export function inputOfPath(
  { operations }: Pick<ToolDefinition, "operations">,
  pathname: string,
): ToolInput | undefined {
  for (const { request } of operations) {
    const [own, given] = [request.path, pathname].map((path) => path.split("/").filter(Boolean));
    const last = given!.slice(-own!.length);
    if (last.length < own!.length) continue;
    const values = own!.map((part, i) => segmentValue(part, last[i]!, request));
    if (values.every((value) => value !== undefined))
      return Object.fromEntries(values.flatMap((value) => (value === null ? [] : [value!])));
  }
  return undefined;
}

/** Input and value of a segment; null for a fixed one, undefined for another. */
function segmentValue(
  part: string,
  given: string,
  { pathParams = {} }: RequestMapping,
): readonly [string, string] | null | undefined {
  if (part === given) return null;
  const source = pathParams[/^\{([^{}]*)\}$/.exec(part)?.[1] ?? ""];
  const input = isObject(source) ? source["from"] : source;
  if (typeof input !== "string") return undefined;
  try {
    return [input, decodeURIComponent(given)];
  } catch {
    return undefined;
  }
}

// ---- request/body/xml.ts ----
// Stands in for XML, which no operation of this project takes.

export function xmlDocument(..._: readonly unknown[]): string {
  return "";
}

export function xmlDocumentOf(..._: readonly unknown[]): string {
  return "";
}

// ---- request/body/content.ts ----
// Content of a body, or of a part of it, by its media type: files, XML and other values.
// A file in a tool's input, which is JSON, is a `data:` URI, base64, or text that is the content
// itself, as UTF-8. No file is opened: a path or a URL is sent as text.

interface FileContent {
  readonly bytes: Uint8Array;
  /** Media type of a `data:` URI. */
  readonly mediaType?: string;
  /** File name of a `data:` URI. */
  readonly name?: string;
}

/** Problem of an input that `decodeFileInput` cannot decode. */
export const MALFORMED_FILE = "is a data: URI whose base64 is malformed";

/**
 * A `data:` URI. RFC 2397. Its media type becomes a header, so the pattern excludes line breaks.
 * Its parameter `name` is a percent-encoded file name.
 */
const BASE64_DATA_URI = /^data:([\w!#$&^.+-]+\/[\w!#$&^.+-]+)?((?:;[\w.-]+=[\w.+%~-]+)*);base64,/i;

/** Decodes a file input; `undefined` for a `data:` URI with malformed base64. */
export function decodeFileInput(text: string): FileContent | undefined {
  const dataUri = BASE64_DATA_URI.exec(text);
  if (dataUri === null)
    return { bytes: decodeCanonicalBase64(text) ?? new TextEncoder().encode(text) };
  const bytes = decodeCanonicalBase64(text.slice(dataUri[0].length));
  const [, type, parameters = ""] = dataUri;
  const [nameParameter = "", encodedName] = /;name=([^;]*)/i.exec(parameters) ?? [];
  const mediaType = type && type + parameters.replace(nameParameter, "");
  const name = encodedName && decodeOrKeep(encodedName);
  return bytes && omitUndefined({ bytes, mediaType, name });
}

/** Detects the media type of a file input: by its `data:` URI, otherwise by its first bytes. */
export function detectFileInputType(text: string): string | undefined {
  const file = decodeFileInput(text);
  return file && (file.mediaType ?? detectMediaType(file.bytes));
}

/**
 * Decodes complete, canonical base64 (RFC 4648, section 4), so that other text is hardly ever
 * mistaken for it. Lines of 64 or 76 characters, as of `base64` and PEM, are joined first.
 */
function decodeCanonicalBase64(text: string): Uint8Array | undefined {
  const isWrapped = /^(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{76})\r?\n/.test(text);
  const base64 = isWrapped ? text.replace(/\r?\n/g, "") : text;
  return isCanonicalBase64(base64) ? decodeBase64(base64) : undefined;
}

/** Number of padding characters, at most 2. */
function paddingLength(text: string): number {
  if (text.endsWith("==")) return 2;
  return text.endsWith("=") ? 1 : 0;
}

function isCanonicalBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  if (/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - paddingLength(text)))) return false;
  // In canonical base64, the bits before the padding are zero.
  const tail = text.slice(-4);
  return btoa(atob(tail)) === tail;
}

/** First bytes of file types, for APIs that accept several. */
const SIGNATURES: readonly (readonly [mediaType: string, bytes: string, offset?: number])[] = [
  ["image/png", "89504e470d0a1a0a"],
  ["image/jpeg", "ffd8ff"],
  ["image/gif", "47494638"],
  ["image/webp", "57454250", 8],
  ["image/bmp", "424d"],
  ["image/tiff", "49492a00"],
  ["image/tiff", "4d4d002a"],
  ["application/pdf", "25504446"],
  ["application/zip", "504b0304"],
  ["application/gzip", "1f8b"],
  ["audio/mpeg", "494433"],
  ["audio/wav", "57415645", 8],
  ["audio/ogg", "4f676753"],
  ["video/mp4", "66747970", 4],
];

/** Detects a media type by the first bytes; `undefined` when they are unknown. */
export function detectMediaType(bytes: Uint8Array): string | undefined {
  const hex = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  return SIGNATURES.find(([, signature, offset = 0]) => hex.startsWith(signature, offset * 2))?.[0];
}

/**
 * Serializes a value as the bytes or text of a media type. Strings of binary types are files. XML
 * follows `xml`; a string without it is XML already.
 */
export function serializeContent(
  item: ParameterValue,
  mediaType: string,
  xml?: XmlNode,
): string | Uint8Array {
  const { value } = item;
  if (isXml(mediaType) && (xml !== undefined || typeof value !== "string"))
    return xmlDocument(item, xml ?? {});
  if (typeof value !== "string" || !isBinary(mediaType)) return serialize(item, mediaType);
  const file = decodeFileInput(value);
  if (file === undefined) item.reportProblem(MALFORMED_FILE);
  return file?.bytes ?? "";
}

// ---- request/body/multipart.ts ----
// Multipart bodies. RFC 7578; OpenAPI 3.1.1, Encoding Object.

interface Part {
  readonly headers: readonly Header[];
  readonly content: string | Uint8Array;
}

/** A multipart body, with its boundary in `contentType`. */
export interface Multipart {
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** Encoding of the parts and media type of the whole. */
type MultipartEncoding = Pick<
  BodyMapping,
  "contentType" | "encoding" | "prefixEncoding" | "itemEncoding"
>;

/**
 * Builds parts of named fields. Arrays repeat the name. A part of a type other than `form-data` has
 * a media type. `style`, `explode` and `allowReserved` write text parts like query parameters,
 * without percent-encoding.
 */
export function multipartBody(
  fields: readonly ParameterValue[],
  body: MultipartEncoding,
  binding: BindingContext,
): Multipart {
  const isFormData = essence(body.contentType) === "multipart/form-data";
  const parts = fields.flatMap((field) => {
    const encoding = encodingOf(body, field);
    if (isFormData && hasStyle(encoding)) return styledParts(field, encoding);
    return itemsOf(field.value).map((item, index) =>
      partOf({ ...field, value: item }, encoding, index, binding),
    );
  });
  return assemble(body.contentType, isFormData ? parts : parts.map(withMediaType));
}

/**
 * Builds a sequence of parts from an array. Parts have only the names of their encodings. OpenAPI
 * 3.2, "Encoding By Position".
 */
export function multipartSequence(
  whole: ParameterValue,
  { contentType, prefixEncoding = [], itemEncoding = {} }: MultipartEncoding,
  binding: BindingContext,
): Multipart {
  const items = isReadonlyArray(whole.value) ? whole.value : [whole.value];
  const parts = items.flatMap((value, index): readonly Part[] => {
    const encoding = prefixEncoding[index] ?? itemEncoding;
    if (value === null) return [];
    const { headers, content } = partOf({ ...whole, value }, encoding, index, binding);
    const dispositionHeaders = Object.entries(encoding.headers ?? {}).filter(([name]) =>
      isDisposition(name),
    );
    return [
      {
        headers: [...dispositionHeaders, ...headers.filter(([name]) => !isDisposition(name))],
        content,
      },
    ];
  });
  return assemble(contentType, parts.map(withMediaType));
}

const isDisposition = (name: string): boolean => name.toLowerCase() === "content-disposition";

function styledParts(field: ParameterValue, encoding: FieldEncoding): readonly Part[] {
  const { style, explode } = encoding;
  const pairs = namedPairs({ ...field, style, explode }, { name: verbatim, value: verbatim });
  return pairs.map(([name, content]) => ({ headers: [contentDisposition(name)], content }));
}

function partOf(
  item: ParameterValue,
  encoding: FieldEncoding,
  index: number,
  binding: BindingContext,
): Part {
  const declared = declaredMediaType(encoding, item.value);
  if (declared !== undefined && isMultipart(declared))
    return nestedPart(item, { ...encoding, contentType: declared }, binding);
  const isFile = encoding.file ?? (declared !== undefined && isBinary(declared));
  const filename = filenameOf(encoding.filenameInput, index, binding);
  if (isFile && typeof item.value === "string")
    return filePart(item, item.value, encoding, filename);
  const mediaType = declared ?? (isStructured(item.value) ? "application/json" : undefined);
  const headers = [
    contentDisposition(item.name, filename),
    ...partHeaders(mediaType, encoding, item),
  ];
  // Text with an encoding of its own is not decoded for its media type.
  const isText = encoding.file === false && typeof item.value === "string";
  return {
    headers,
    content: serializeContent(
      item,
      isText ? "text/plain" : (mediaType ?? "text/plain"),
      encoding.xml,
    ),
  };
}

/** Builds a part that has parts itself. OpenAPI 3.2, "Nested Encoding". */
function nestedPart(
  item: ParameterValue,
  encoding: FieldEncoding & MultipartEncoding,
  binding: BindingContext,
): Part {
  const isObject = isStructured(item.value) && !isReadonlyArray(item.value);
  const { contentType, content } = isObject
    ? multipartBody(fieldsOf(item), encoding, binding)
    : multipartSequence(item, encoding, binding);
  return {
    headers: [contentDisposition(item.name), ...partHeaders(contentType, encoding, item)],
    content,
  };
}

/**
 * Builds the part of a file. It always has a file name, because many servers take a part without
 * one for text.
 * @param givenName absent: the name in the `data:` URI
 */
function filePart(
  item: ParameterValue,
  text: string,
  encoding: FieldEncoding,
  givenName: string | undefined,
): Part {
  const file = decodeFileInput(text);
  const filename = givenName ?? file?.name ?? "file";
  if (file === undefined) item.reportProblem(MALFORMED_FILE);
  const detectedType =
    file?.mediaType ??
    (/[,*]/.test(encoding.contentType ?? "") && file
      ? (detectMediaType(file.bytes) ?? mediaTypeOfFile(filename))
      : undefined);
  const mediaType =
    chooseMediaType(encoding.contentType, detectedType) ??
    file?.mediaType ??
    "application/octet-stream";
  return {
    headers: [contentDisposition(item.name, filename), ...partHeaders(mediaType, encoding, item)],
    content: file?.bytes ?? "",
  };
}

/** Reads the file name from the input: one for a single file, or one for each. */
function filenameOf(
  input: string | undefined,
  index: number,
  binding: BindingContext,
): string | undefined {
  const filenames = input === undefined ? undefined : ownProperty(binding.input, input);
  const name: unknown = Array.isArray(filenames) ? filenames[index] : filenames;
  if (typeof name !== "string" || name === "") return undefined;
  const problem = serializationProblem(name);
  if (problem !== undefined) addProblem(binding, input ?? "", problem);
  return name;
}

function contentDisposition(name: string, filename?: string): Header {
  const file = filename === undefined ? "" : `; filename="${escapeName(filename)}"`;
  return ["Content-Disposition", `form-data; name="${escapeName(name)}"${file}`];
}

/** Escapes a name as browsers do. WHATWG HTML, "multipart/form-data encoding algorithm". */
function escapeName(name: string): string {
  return name.replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/"/g, "%22");
}

/** Builds the media type header and the constant headers of a part. */
function partHeaders(
  mediaType: string | undefined,
  encoding: FieldEncoding,
  item: ParameterValue,
): readonly Header[] {
  const fixed = Object.entries(encoding.headers ?? {}).filter(
    ([name]) => !/^content-(?:type|disposition)$/i.test(name),
  );
  const headers: readonly Header[] =
    mediaType === undefined ? fixed : [["Content-Type", mediaType], ...fixed];
  if (headers.some(([name, value]) => !isToken(name) || !isHeaderValue(value)))
    item.reportProblem("would have a part header that cannot be sent");
  return headers;
}

function withMediaType(part: Part): Part {
  if (part.headers.some(([name]) => name === "Content-Type")) return part;
  return { ...part, headers: [...part.headers, ["Content-Type", "text/plain; charset=utf-8"]] };
}

function assemble(contentType: string, parts: readonly Part[]): Multipart {
  const boundary = `part-${crypto.randomUUID()}`;
  const chunks = parts.flatMap(({ headers, content }) => [
    `--${boundary}\r\n${headers.map(headerLine).join("")}\r\n`,
    content,
    "\r\n",
  ]);
  return {
    contentType: `${contentType}; boundary=${boundary}`,
    content: encodeChunks([...chunks, `--${boundary}--\r\n`]),
  };
}

function headerLine([name, value]: Header): string {
  return `${name}: ${value}\r\n`;
}

function encodeChunks(chunks: readonly (string | Uint8Array)[]): Uint8Array {
  const encoded = chunks.map((chunk) => (typeof chunk === "string" ? utf8Bytes(chunk) : chunk));
  const size = encoded.reduce((total, { byteLength }) => total + byteLength, 0);
  return concatBytes(encoded, size);
}

// ---- request/inner-fields.ts ----
// Stands in for fields inside bodies that no input gives: no operation of this project has one.

export function applyInnerFields<Fields>(fields: Fields, ..._: readonly unknown[]): Fields {
  return fields;
}

export function applyInnerFieldsToBody<Field>(field: Field, ..._: readonly unknown[]): Field {
  return field;
}

// ---- request/bind-body.ts ----
// Binding of a tool's input to the body of a request.

/** Body of the request. */
export interface BodyContent {
  /** Complete media type, with boundary or charset where it is needed. */
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

/** Maximum number of inputs in a problem. */
const MAX_INPUTS = 20;

/** Name of an XML root that the document does not name. */
const XML_ROOT = "root";

/**
 * Binds the body; `undefined` when the operation has none, or an optional one is absent. A required
 * body of fields is sent even without fields: `{}` as JSON.
 */
export function bindBody(
  body: BodyMapping | undefined,
  binding: BindingContext,
): BodyContent | undefined {
  if (body === undefined) return undefined;
  return body.from === undefined
    ? bodyOfFields(body, binding)
    : bodyOfInput(body, body.from, binding);
}

/**
 * Adds undocumented fields to an open body. Those that the server sets or hides are problems,
 * except for the constant that the server sends anyway.
 */
export function withFields(
  body: BodyMapping | undefined,
  names: readonly string[],
  binding: BindingContext,
): BodyMapping | undefined {
  if (!body?.isOpen) return body;
  const others = names.filter(
    (name) => !isConstant(ownProperty(body.fields ?? {}, name), ownProperty(binding.input, name)),
  );
  if (others.length === 0) return body;
  for (const name of others) {
    const reportProblem = (problem: string): void => addProblem(binding, name, problem);
    rejectPinnedNames([name], binding.pinned.field, { name: "", reportProblem });
    if (body.hiddenFields?.some((hidden) => isSameName(hidden, name)))
      reportProblem("is not an input of this server; leave it out");
  }
  const added = Object.fromEntries(others.map((name) => [name, name]));
  return { ...body, fields: { ...body.fields, ...added } };
}

function isConstant(source: unknown, value: unknown): boolean {
  return (
    typeof source === "object" &&
    source !== null &&
    "value" in source &&
    JSON.stringify(source.value) === JSON.stringify(value)
  );
}

function bodyOfFields(body: BodyMapping, binding: BindingContext): BodyContent | undefined {
  const given = Object.entries(body.fields ?? {}).flatMap(([name, source]) => {
    const field = resolveValue(name, source, binding);
    if (field && !isPinned(source)) rejectPinnedFields(field, encodingOf(body, field), binding);
    return field ?? [];
  });
  const fields = applyInnerFields(given, body, binding);
  if (fields.length === 0 && body.required !== true) return undefined;
  checkPropertyCount(fields.length, body, binding);
  const hasFile = fields.some((field) => encodingOf(body, field).file === true);
  const contentType = (hasFile && body.fileType) || body.contentType;
  if (isMultipart(contentType)) return multipartBody(fields, { ...body, contentType }, binding);
  return { contentType: withCharset(contentType), content: serializeFields(fields, body, binding) };
}

/** Reports members of an exploded field that become pinned fields of the form. */
function rejectPinnedFields(
  field: ParameterValue,
  encoding: FieldEncoding,
  { pinned }: BindingContext,
): void {
  if (pinned.field.size === 0 || !hasStyle(encoding)) return;
  const { style, explode } = encoding;
  const pairs = namedPairs({ ...field, style, explode }, { name: verbatim, value: verbatim });
  const names = pairs.map(([name]) => name).filter((name) => name !== field.name);
  rejectPinnedNames(names, pinned.field, field);
}

/**
 * Reports too few or too many fields. The input schema cannot, because some inputs are not fields.
 */
function checkPropertyCount(
  count: number,
  { fields = {}, minProperties = 0, maxProperties = Infinity }: BodyMapping,
  binding: BindingContext,
): void {
  if (count >= minProperties && count <= maxProperties) return;
  const inputs = Object.values(fields).flatMap((source) => inputOf(source) ?? []);
  const limit = count < minProperties ? `at least ${minProperties}` : `at most ${maxProperties}`;
  addProblem(binding, "", `pass ${limit} of ${inputs.slice(0, MAX_INPUTS).join(", ")}`);
}

function serializeFields(
  fields: readonly ParameterValue[],
  body: BodyMapping,
  binding: BindingContext,
): string {
  if (isForm(body.contentType)) return formBody(fields, body);
  const reportProblem = (problem: string): void =>
    addProblem(binding, "", `the request body ${problem}`);
  if (isXml(body.contentType))
    return xmlDocumentOf({ name: XML_ROOT, reportProblem }, fields, body.xml ?? {});
  return serialize({ value: inEnvelope(fields, body) }, body.contentType);
}

/** The fields as an object, in the objects around it: `{user: {name}}`. */
const inEnvelope = (
  fields: readonly ParameterValue[],
  { envelope = [] }: BodyMapping,
): SerializableValue =>
  envelope.reduceRight<SerializableValue>(
    (value, name) => ({ [name]: value }),
    Object.fromEntries(fields.map(({ name, value }) => [name, value])),
  );

function bodyOfInput(
  body: BodyMapping,
  from: string,
  binding: BindingContext,
): BodyContent | undefined {
  const absence = body.required === true ? "is missing; the request needs a body" : undefined;
  const isEmpty = body.emptyByDefault && ownProperty(binding.input, from) === undefined;
  // Only JSON can express `null`. For other media types it is an absent body.
  const given = (isJson(body.contentType) ? resolveValue : resolveParameter)(
    XML_ROOT,
    isEmpty ? { value: {} } : from,
    binding,
    absence,
  );
  if (given === undefined) return undefined;
  const parameter = applyInnerFieldsToBody(given, body, binding);
  if (isMultipart(body.contentType))
    return isReadonlyArray(parameter.value)
      ? multipartSequence(parameter, body, binding)
      : multipartBody(fieldsOf(parameter), body, binding);
  const contentType = concreteType(
    [body.contentType, ...(body.alternativeTypes ?? [])].join(", "),
    parameter.value,
  );
  if (isForm(contentType) && isStructured(parameter.value))
    return { contentType, content: formBody(fieldsOf(parameter), body) };
  return {
    contentType: withCharset(contentType),
    content: serializeContent(parameter, contentType, body.xml),
  };
}

/**
 * Chooses the media type for an API that accepts several: that of a file, otherwise the most
 * general one.
 */
function concreteType(contentType: string, value: SerializableValue): string {
  if (!/[*,]/.test(contentType)) return contentType;
  if (typeof value !== "string")
    return contentType.includes("*")
      ? "application/json"
      : (chooseMediaType(contentType) ?? contentType);
  return (
    chooseMediaType(contentType, detectFileInputType(value)) ??
    (isText(contentType) ? "text/plain" : "application/octet-stream")
  );
}

/** Adds the charset to `text/*`, whose default is not UTF-8. */
function withCharset(contentType: string): string {
  return isText(contentType) && !isEventStream(contentType) && !/;\s*charset=/i.test(contentType)
    ? `${contentType}; charset=utf-8`
    : contentType;
}

// ---- request/path.ts ----
// Path of a request: for any input, it has the segments of its template, and none of them is `..`.

/** Fills the template `/pets/{petId}` and encodes its literal text. */
export function bindPath(
  mapping: Pick<RequestMapping, "path" | "pathParams"> & Partial<Pick<RequestMapping, "method">>,
  binding: BindingContext,
): string {
  const { pathParams, method } = mapping;
  const segments = segmentsOf(mapping.path);
  return segments
    .map((segment, i) => {
      const mayBeEmpty = i === segments.length - 1 && mayBeRoot(segment, method);
      return bindSegment(segment, pathParams, binding, mayBeEmpty);
    })
    .join("/");
}

/**
 * True for the path of a folder at the end of a URL, which is empty for the root. A request that
 * may delete or replace needs a path.
 */
const mayBeRoot = ([before, name = "", after, ...others]: Segment, method = ""): boolean =>
  before === "" &&
  after === "" &&
  others.length === 0 &&
  /^(?:GET|HEAD|POST)$/.test(method) &&
  /(?:^|_|(?<=[a-z])(?=[DFP]))(?:[Dd]ir|[Dd]irectory|[Ff]older|[Pp]ath|[Pp]refix)$/.test(name);

/** A segment of a template: literal text at even indexes, names of parameters at odd ones. */
type Segment = readonly string[];

const segmentsByPath = new Map<string, readonly Segment[]>();

/** Segments by template. Their number is that of the templates of all tools. */
function segmentsOf(path: string): readonly Segment[] {
  let segments = segmentsByPath.get(path);
  if (!segments)
    segmentsByPath.set(
      path,
      (segments = (path.startsWith("/") ? path : `/${path}`).split("/").map(segmentOf)),
    );
  return segments;
}

/** Splits a segment at its expressions: the capture group is at odd indexes. */
function segmentOf(template: string): Segment {
  return template
    .split(/\{([^{}]*)\}/)
    .map((part, index) => (index % 2 === 0 ? encodeReservedPath(part) : part));
}

function bindSegment(
  segment: Segment,
  sources: RequestMapping["pathParams"],
  binding: BindingContext,
  mayBeEmpty: boolean,
): string {
  if (segment.length === 1) return segment[0]!;
  const parameters: ParameterValue[] = [];
  const parts = segment.map((part, index) => {
    if (index % 2 === 0) return part;
    const parameter = resolveParameter(
      part,
      ownProperty(sources, part) ?? part,
      binding,
      "is missing; the path needs a value",
    );
    if (parameter === undefined) return "";
    parameters.push(parameter);
    return parameterText(parameter);
  });
  const text = parts.join("");
  const [first] = parameters;
  if (first !== undefined && parts.length === 2 * parameters.length + 1)
    checkSegment(text, first.reportProblem, mayBeEmpty);
  return text;
}

function parameterText(parameter: ParameterValue): string {
  const encode = parameter.allowReserved === true ? encodeReservedPath : percentEncode;
  if (parameter.contentType !== undefined)
    return encode(serialize(parameter, parameter.contentType));
  return pathText(parameter, encode);
}

/**
 * Rejects `.` and `..`, which every URL parser removes, also as `%2e`. RFC 3986, section 5.2.4.
 * Servers that decode before they route would also remove `..%2F..`, and some cut `..;x` at the
 * semicolon.
 */
function checkSegment(segment: string, reportProblem: ReportProblem, mayBeEmpty: boolean): void {
  if (segment === "" && !mayBeEmpty) reportProblem("is empty; the path needs a value");
  const decoded = segment
    .replace(/%2e/gi, ".")
    .replace(/%2f|%5c/gi, "/")
    .replace(/%3b/gi, ";");
  const isDots = /^\.{1,2}(;|$)/.test(decoded);
  if (isDots || /(^|\/)\.\.([/;]|$)/.test(decoded))
    reportProblem('has a "." or ".." path segment, which would lead to another path');
}

// ---- request/query-contents.ts ----
// Stands in for contents of media types in the query, of which this project has none.

export function bindQuerystring(..._: readonly unknown[]): string {
  return "";
}

export function serializeQueryValue(..._: readonly unknown[]): string {
  return "";
}

// ---- request/query.ts ----
// Query of a request.

/** Binds everything after the `?`; empty without parameters. */
export function bindQuery(
  mapping: Pick<RequestMapping, "query" | "querystring" | "isRaw">,
  binding: BindingContext,
): string {
  const pairs = Object.entries(mapping.query ?? {}).flatMap(([name, source]) =>
    parameterPairs(name, source, binding, mapping.isRaw === true),
  );
  const parts = pairs.map(([name, value]) => `${name}=${value}`);
  const querystring =
    mapping.querystring === undefined ? "" : bindQuerystring(mapping.querystring, binding);
  return (querystring === "" ? parts : [...parts, querystring]).join("&");
}

/** @param isRaw true if the caller has written the name, which no document declares */
function parameterPairs(
  name: string,
  source: ParameterSource,
  binding: BindingContext,
  isRaw: boolean,
): readonly Pair[] {
  const parameter = resolveParameter(name, source, binding);
  if (parameter === undefined) return [];
  const encode = parameter.allowReserved === true ? encodeReservedQuery : percentEncode;
  const pairs: readonly Pair[] =
    parameter.contentType === undefined
      ? namedPairs(parameter, { name: percentEncode, value: encode })
      : [[percentEncode(name), encode(serializeQueryValue(parameter, parameter.contentType))]];
  if (!isPinned(source))
    rejectPinnedNames(
      namesIn(pairs.map((pair) => pair.join("="))),
      binding.pinned.query,
      isRaw ? { ...parameter, name: "" } : parameter,
    );
  return pairs;
}

// ---- request/bind-request.ts ----
// Binding of a tool's input to an HTTP request. Pure except for random UUIDs and boundaries.

/**
 * Builds the request of a mapping from a validated input, without credentials; see `authenticate`.
 *
 * For any input, the request goes to the API's origin, under its base path, to the path of the
 * operation. No value leaves its own location. A value that cannot be sent unchanged is rejected:
 * all problems are reported, and no request is built.
 * @param undocumented inputs that are fields of an open body, although the tool does not declare
 * them
 */
export function bindRequest(
  mapping: RequestMapping,
  input: Readonly<Record<string, unknown>>,
  context: ApiContext,
  undocumented: readonly string[] = [],
): BindResult {
  const pinned = pinnedNamesOf(mapping, context.api);
  const base = resolveBaseUrl(mapping.servers ?? context.api.servers, context);
  const withheld = base.ok ? withheldVariables(base.url, mapping.servers, context) : undefined;
  const binding: BindingContext = { input, env: context.env, problems: [], pinned, withheld };
  const path = bindPath(mapping, binding);
  const query = bindQuery(mapping, binding);
  const body = bindBody(withFields(mapping.body, undocumented, binding), binding);
  const headers = bindHeaders(mapping, body?.contentType, binding);
  if (!base.ok) addProblem(binding, "", base.problem);
  rejectWithheldServer(mapping.servers ?? [], binding);
  if (!base.ok || binding.problems.length > 0) return { ok: false, problems: binding.problems };
  const url = base.url + path + (query === "" ? "" : `?${query}`);
  // A URL that a parser would change, by removing `..` for example, is a different one.
  if (new URL(url).href !== url)
    return {
      ok: false,
      problems: [
        {
          input: "",
          problem:
            "the path of this operation leaves the base path of the API; it cannot be called",
        },
      ],
    };
  const request = { method: mapping.method, url, headers };
  return { ok: true, request: body === undefined ? request : { ...request, body: body.content } };
}

/** Variables with credentials, where another server or none at all may have them. */
function withheldVariables(
  url: string,
  servers: RequestMapping["servers"],
  context: ApiContext,
): WithheldVariables | undefined {
  const { api, env } = context;
  if (servers && !receivesCredentials(url, context))
    return { names: credentialVariables(api), reason: describeForeignOrigin(url, context) };
  return callsAnonymously(api, env) ? { names: credentialVariables(api) } : undefined;
}

/** Reports a credential in the URL of a server that must not get it. */
function rejectWithheldServer(
  [server]: NonNullable<RequestMapping["servers"]>,
  binding: BindingContext,
): void {
  const { env, withheld } = binding;
  const problem = withheld && withheldProblem(withheld);
  if (problem === undefined) return;
  for (const { env: name } of Object.values(server?.variables ?? {}))
    if (withheld?.names.has(name) && env[name])
      addProblem(binding, "", `the environment variable ${name} ${problem}`);
}

// ---- request/raw-request.ts ----
// Stands in for requests that a caller writes itself, which are left out.

type RawRequest =
  | { readonly ok: true; readonly mapping: RequestMapping; readonly input: ToolInput }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/** No tool has such requests. */
export function readRawRequest(_template: RequestMapping, _input: ToolInput): RawRequest {
  return { ok: false, problems: [] };
}

/** No request is bound. */
export function bindRawRequest(_request: unknown, _context: ApiContext): BindResult {
  return { ok: false, problems: [] };
}
