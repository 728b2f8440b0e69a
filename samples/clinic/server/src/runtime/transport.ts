// transport: files of the runtime of mcp-gen as one module, each after those that it uses.

import {
  type AuthInfo, createMcpHandler, localhostAllowedHostnames, localhostAllowedOrigins,
  type McpHandlerRequestOptions, type McpHttpHandler, type McpRequestContext, ProtocolErrorCode,
  type Server, validateHostHeader, validateOriginHeader,
} from "@modelcontextprotocol/server";
import { addSignedInTokens, type Caller, type LoadSignIn, type UserConsent } from "./auth.js";
import {
  canParseUrl, concatBytes, isObject, joinFirst, leftOut, MAX_VALUES, omitUndefined, sha256,
  type Store, timingSafeEqual,
} from "./data.js";
import {
  batchRevision, createMcpServer, isModernRevision, normalizeMessage, readSession,
} from "./protocol.js";
import type { Env, ForwardedHeader, TokenExchangeSettings } from "./request.js";
import {
  contextsOfApis, createServerContext, describeMissingSettings, type Log, readArray, readBoolean,
  type ServerContext, type ServerContextOptions,
} from "./server.js";
import { listViews, type PermittedTools } from "./tools.js";
import type { ApiDefinition } from "./types.js";

// ---- transport/http/messages.ts ----
// HTTP messages of MCP: requests that are read and checked, and replies.

/** A response instead of serving the request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A reply with a JSON body. */
export function jsonReply(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

/**
 * A rejection as a JSON-RPC error. It has JSON-RPC's own codes, because -32000 to -32019 are
 * deprecated. MCP 2026-07-28, "Error Codes".
 */
export function errorReply(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const code = status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest;
  return jsonReply(status, { jsonrpc: "2.0", error: { code, message }, id: null }, headers);
}

/** The Accept header that the protocol requires of clients. */
const requiredAccept = "application/json, text/event-stream";

/**
 * Serves a message to any client that accepts JSON (RFC 9110, section 12.5.1). The SDK requires
 * both media types by name, and rejects the range of all types, which most programs send. A client
 * that does not accept a stream gets the response as JSON, without notifications.
 * @param request its headers are changed
 */
export async function serveMessage(
  handler: McpHttpHandler,
  request: Request,
  options: McpHandlerRequestOptions,
): Promise<Response> {
  const { headers } = request;
  const message = options.parsedBody;
  const acceptedTypes = parseAccept(headers.get("accept") ?? "*/*");
  if (!accepts(acceptedTypes, "application/json")) return handler.fetch(request, options);
  headers.set("accept", requiredAccept);
  const response = await handler.fetch(request, options);
  if (accepts(acceptedTypes, "text/event-stream") || isSubscription(message)) return response;
  return streamToJson(response, Array.isArray(message));
}

/** The media ranges of an Accept header with a quality above 0. */
function parseAccept(accept: string): ReadonlySet<string> {
  const ranges = accept
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";").map((part) => part.trim()));
  return new Set(
    ranges.flatMap(([range = "", ...parameters]) =>
      parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [range],
    ),
  );
}

/** True if a client accepts JSON and streams. */
export function acceptsStream(accept: string): boolean {
  const acceptedTypes = parseAccept(accept);
  return accepts(acceptedTypes, "application/json") && accepts(acceptedTypes, "text/event-stream");
}

function accepts(acceptedTypes: ReadonlySet<string>, type: string): boolean {
  return (
    acceptedTypes.has(type) ||
    acceptedTypes.has("*/*") ||
    acceptedTypes.has(`${type.split("/", 1)[0]}/*`)
  );
}

/** True if a message opens a stream without an end. */
function isSubscription(message: unknown): boolean {
  return isObject(message) && message["method"] === "subscriptions/listen";
}

/** Replaces an event stream by its response messages. Notifications and other requests are dropped. */
async function streamToJson(response: Response, isBatch: boolean): Promise<Response> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
  const responses = lines
    .map((line) => line.slice("data: ".length))
    .filter((line) => !("method" in (JSON.parse(line) as object)));
  return new Response(isBatch ? `[${responses.join(",")}]` : responses.at(-1), {
    status: response.status,
    headers: { "content-type": "application/json" },
  });
}

/** Maximum size of a request in bytes. */
export const maxRequestBytes = 10 * 1024 * 1024;

/** The reply to a request above the maximum size. */
export function requestTooLarge(): Reply {
  return errorReply(413, `The request is larger than ${maxRequestBytes} bytes.`);
}

/**
 * Maximum number of values outside of the arguments of a call, which have limits of their own. The
 * SDK validates the envelope and the client information itself.
 */
const maxEnvelopeValues = 2_000;

const [quote, backslash, comma, openList, openObject] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * A rejected or a parsed message. Without `message`, the body is not JSON; the SDK responds to
 * that.
 */
interface MessageResult {
  readonly reply?: Reply;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly message?: unknown;
}

/**
 * Reads the body of a request once. Messages above the limits are rejected before they are parsed
 * or validated.
 * @param revision value of the `MCP-Protocol-Version` header
 */
export async function readMessage(
  chunks: AsyncIterable<Uint8Array>,
  revision?: string,
): Promise<MessageResult> {
  const body = await readBody(chunks);
  if (!body) return { reply: requestTooLarge() };
  if (isBatch(body) && revision !== batchRevision) {
    return { reply: invalidRequest("batches are not supported; send one message per request") };
  }
  if (countSeparators(body) > MAX_VALUES) {
    return { reply: invalidRequest(`the message has more than ${MAX_VALUES} values`) };
  }
  const message = parseMessage(body);
  if (exceedsEnvelopeLimit(message)) {
    const limit = `${maxEnvelopeValues} values outside of its arguments`;
    return { reply: invalidRequest(`the message has more than ${limit}`) };
  }
  return message === undefined ? { body } : { body, message };
}

function invalidRequest(reason: string): Reply {
  return errorReply(400, `Invalid request: ${reason}.`);
}

/** The body, or `undefined` if it is too large. */
async function readBody(
  chunks: AsyncIterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const received: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxRequestBytes) return undefined;
    received.push(chunk);
  }
  return concatBytes(received, size);
}

/** True if JSON text is an array. */
function isBatch(body: Uint8Array): boolean {
  const first = body.find(
    (byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d,
  );
  return first === openList;
}

/**
 * Counts commas and opening brackets outside of strings, which is about the number of values. Stops
 * at the limit.
 */
function countSeparators(body: Uint8Array): number {
  let count = 0;
  let inString = false;
  for (let i = 0; i < body.length && count <= MAX_VALUES; i++) {
    const byte = body[i];
    if (byte === quote) inString = !inString;
    else if (inString) i += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === openList || byte === openObject) count++;
  }
  return count;
}

function parseMessage(body: Uint8Array): unknown {
  try {
    return normalizeMessage(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return undefined;
  }
}

function exceedsEnvelopeLimit(message: unknown): boolean {
  const params = isObject(message) ? message["params"] : undefined;
  const envelope = isObject(params)
    ? { ...(message as object), params: { ...params, arguments: null } }
    : message;
  const pending: unknown[] = [envelope];
  for (let valueCount = 0; pending.length > 0;) {
    const value = pending.pop();
    const parts = typeof value === "object" && value !== null ? Object.values(value) : [];
    valueCount += parts.length;
    if (valueCount > maxEnvelopeValues) return true;
    for (const part of parts) pending.push(part);
  }
  return false;
}

// ---- transport/http/caller-settings.ts ----
// Callers that an authorization server knows: their settings, and the pages for their consent.

/** The server as an OAuth 2.0 protected resource. RFC 9728. */
export interface OAuthSettings {
  /** Issuer identifier, compared with `iss` character by character. */
  readonly issuer: string;
  /** Public address of this server: the `resource` of its metadata. */
  readonly publicUrl: string;
  /** Accepted audiences; `aud` of a token must contain one of them. */
  readonly audiences: readonly string[];
  /** Address of the keys. Found through the issuer's metadata by default. */
  readonly jwksUrl?: string;
  /** Required scopes. A broader scope satisfies a narrower one. */
  readonly scopes: readonly string[];
  /** Broader scopes by narrower scope. */
  readonly broaderScopes: ReadonlyMap<string, readonly string[]>;
  /**
   * Callers whose scopes limit the tools: those with a scope that the API knows (`auto`), all or
   * none.
   */
  readonly toolScopes: ToolScopes;
  readonly algorithms: readonly string[];
}

export const toolScopesModes = ["auto", "always", "never"] as const;
export type ToolScopes = (typeof toolScopesModes)[number];

/** Consent of each caller in a browser: this server as a client of the callers' issuer. */
export interface CallerSignInSettings {
  readonly issuer: string;
  readonly publicUrl: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
}

/** The settings; all are absent without an authorization server. */
export interface CallerSettings {
  /** Accepts access tokens of an authorization server. */
  readonly oauth?: OAuthSettings;
  /** Exchanges of callers' tokens for those of an API, by the prefix of its variables. */
  readonly tokenExchanges?: ReadonlyMap<string, TokenExchangeSettings>;
  /** Lets each caller consent in a browser. */
  readonly signIn?: CallerSignInSettings;
}

/** A request for a page. */
export interface PageRequest {
  readonly method: string;
  readonly path: string;
  /** Query of the target, without `?`. */
  readonly query: string;
  header(name: string): string | undefined;
}

/** Consent of callers, and the pages for it. */
export interface ConsentPages {
  /** @param user undefined for a caller that is not known as a user */
  of(user: string | undefined): UserConsent;
  /** Serves a page; undefined for other paths. */
  answer(head: PageRequest): Promise<Reply> | undefined;
}

// ---- transport/http/oauth-settings.ts ----
// Stands in for the settings of callers that an authorization server knows, which are left out.

/** Sentence about the feature. */
export const callersProblem: string | undefined = leftOut("access tokens of callers", "oauth");

/** @param problems receives a sentence if one of the settings is present */
export function readCallerSettings(
  prefix: string,
  apiPrefixes: readonly string[],
  env: Env,
  problems: string[],
): CallerSettings {
  const names = [
    ...["HTTP_OAUTH_ISSUER", "HTTP_SIGN_IN_CLIENT_ID"].map((name) => `${prefix}_${name}`),
    ...apiPrefixes.map((own) => `${own}_TOKEN_EXCHANGE`),
  ];
  const set = names.filter((name) => env[name]?.trim());
  if (set.length > 0) problems.push(leftOut(`the access tokens of ${set.join(" and ")}`, "oauth"));
  return {};
}

// ---- transport/http/caller-credentials.ts ----
// Stands in for the consent of callers, which is left out with their access tokens.

/** Callers cannot consent, and no setting asks for it. */
export function consentProblem(_server: ServerContext): string | undefined {
  return undefined;
}

/** There are no pages. */
export function createConsentPages(
  _server: ServerContext,
  _settings: CallerSignInSettings,
  _load: LoadSignIn,
): ConsentPages | undefined {
  return undefined;
}

// ---- transport/http/open-exchanges.ts ----
// Calls in flight, which later requests of the same session answer or cancel.

/** A call whose response is still to come. */
export interface OpenExchange {
  readonly requestId: string | number;
  /** Passes on an answer of the client. False if the call has not asked for it. */
  answer(message: object): boolean;
  /** Ends the call without a response. */
  cancel(message: object): void;
}

/** Maximum number of calls in flight of which each may wait for a person: of a session, and of all. */
const [MAX_OF_SESSION, MAX_OF_ALL] = [20, 1_000];

/** The calls in flight by session and caller: nobody else can answer or cancel them. */
export class OpenExchanges {
  readonly #bySession = new Map<string, Set<OpenExchange>>();

  /** True if one more call may wait for a person. */
  hasRoom(session: string): boolean {
    const sizes = [...this.#bySession.values()].map(({ size }) => size);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    return all < MAX_OF_ALL && (this.#bySession.get(session)?.size ?? 0) < MAX_OF_SESSION;
  }

  /** Adds a call. @returns a function that removes it */
  add(session: string, exchange: OpenExchange): () => void {
    const open = this.#bySession.get(session) ?? new Set();
    this.#bySession.set(session, open.add(exchange));
    return () => {
      open.delete(exchange);
      if (open.size === 0 && this.#bySession.get(session) === open) this.#bySession.delete(session);
    };
  }

  /**
   * Takes a message about a call in flight.
   * @returns status of the reply; undefined for other messages
   */
  accept(session: string, message: unknown): 202 | 400 | undefined {
    if (!isObject(message)) return undefined;
    const { method, id, params } = message;
    const open = [...(this.#bySession.get(session) ?? [])];
    if (method === "notifications/cancelled" && isObject(params)) {
      open.find(({ requestId }) => requestId === params["requestId"])?.cancel(message);
      return 202;
    }
    const isAnswer = method === undefined && id !== undefined;
    if (!isAnswer || !("result" in message || "error" in message)) return undefined;
    return open.some((exchange) => exchange.answer(message)) ? 202 : 400;
  }
}

// ---- store/worker-store.ts ----
// Stands in for the stores of workers, which are left out.

/** The class of the objects of a store. */
export const StoreObject = undefined;

/** @throws Error with a sentence for a server with `<PREFIX>_STORE` */
export async function openWorkerStore(
  prefix: string,
  _bindings: unknown,
  env: Readonly<Record<string, string | undefined>>,
  _name: string,
): Promise<Store | undefined> {
  const address = env[`${prefix}_STORE`]?.trim() ?? "";
  if (address === "" || address === "memory") return undefined;
  throw new Error(leftOut(`the stores of ${prefix}_STORE`, "stores"));
}

// ---- transport/http/challenge.ts ----
// Results of verifying tokens, and challenges of clients for another.

/**
 * The result of verifying a token: granted, rejected with a reason for the client, or unknown
 * because the issuer cannot be reached.
 */
export type TokenVerdict =
  | {
      readonly kind: "granted";
      /** Owner of the token. */
      readonly subject: string;
      /** The owner, if the token states it as such. */
      readonly user?: string;
      readonly scopes: readonly string[];
    }
  | { readonly kind: "invalid" | "insufficient" | "unknown"; readonly reason: string };

/** Verifies an access token. Never rejects. */
export interface VerifyToken {
  (token: string): Promise<TokenVerdict>;
  /** True if the keys of the issuer are known. Rejects if they cannot be read. */
  hasKeys(): Promise<boolean>;
}

/** Protected resource metadata, by which clients find the authorization server. RFC 9728. */
export interface ResourceMetadata {
  /**
   * Address of the document. The well-known path precedes the path of the resource. RFC 9728,
   * section 3.1.
   */
  readonly url: string;
  readonly document: object;
}

/** The part of the access rules that concerns access tokens of an authorization server. */
export interface OAuthRules {
  /** Verifies access tokens of an authorization server. */
  readonly verify?: VerifyToken;
  /** Authorization server of the access tokens. */
  readonly issuer?: string;
  readonly metadata?: ResourceMetadata;
  /** Scopes that every token needs. */
  readonly scopes: readonly string[];
  /** Callers whose scopes limit the tools. */
  readonly toolScopes: ToolScopes;
}

/**
 * The challenge to a request without a valid token. It has no error code for a request without a
 * token (RFC 6750, section 3.1), and the address of the resource metadata (RFC 9728, section 5.1).
 */
export function challenge(
  { metadata, scopes }: Pick<OAuthRules, "metadata" | "scopes">,
  status: number,
  message: string,
  error?: string,
): Reply {
  const parameters = {
    error,
    error_description: error && message,
    scope: scopes.join(" ") || undefined,
    resource_metadata: metadata?.url,
  };
  const fields = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replace(/[^\x20-\x7e]|["\\]/g, "")}"`],
  );
  return errorReply(status, message, { "www-authenticate": `Bearer ${fields.join(", ")}`.trim() });
}

// ---- transport/http/member-settings.ts ----
// Settings of HTTP of a server of several APIs.

export const prefixesOf = (prefix: string, _apis: unknown): readonly string[] => [prefix];

export function findSharedCredentials(..._: readonly unknown[]): readonly string[] {
  return [];
}

export function forwardHeadersOfApis(
  _apis: unknown,
  _read: (variable: string) => ReadonlyMap<string, string>,
): HeadersOfApis {
  return new Map();
}

/** Names of forwarded headers, by API and by the name at this server. */
export type HeadersOfApis = ReadonlyMap<string, ReadonlyMap<string, string>>;

// ---- transport/http/http-settings.ts ----
// Settings of the HTTP transport, from the environment.

/** Settings of the HTTP transport; see `readHttpSettings` for the variables. */
export interface HttpSettings extends CallerSettings {
  /**
   * Bearer tokens, of which clients must present one. Empty: no authentication, unless `oauth` is
   * set.
   */
  readonly tokens: readonly string[];
  /** Allows access without authentication. */
  readonly allowUnauthenticated: boolean;
  /** Allowed host names in `Host`, in addition to those of this machine. */
  readonly allowedHosts: readonly string[];
  /** Allowed origins of pages, `https://app.example.com`, in addition to those of this machine. */
  readonly allowedOrigins: readonly string[];
  /**
   * Headers of clients that are forwarded to the API: the name in the request to the API, by the
   * client's name in lower case.
   */
  readonly forwardHeaders: ReadonlyMap<string, string>;
  /** The same for each API of a server of several, by its name. */
  readonly forwardHeadersOfApis?: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Header by which a proxy names the caller, in lower case. */
  readonly callerHeader?: string;
  /** Addresses and networks of the proxies that may send it. */
  readonly trustedProxies: readonly string[];
}

type HttpSettingsResult =
  | { readonly ok: true; readonly settings: HttpSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the settings of the HTTP transport. Each invalid setting is a problem, as a sentence. */
export function readHttpSettings(
  prefix: string,
  env: Env,
  apis: ApiDefinition["apis"] = undefined,
): HttpSettingsResult {
  const problems: string[] = [...findSharedCredentials(prefix, apis, env)];
  const openAccess = `${prefix}_ALLOW_UNAUTHENTICATED`;
  const settings: HttpSettings = {
    tokens: readArray(env[`${prefix}_HTTP_TOKEN`]),
    allowUnauthenticated: readBoolean(openAccess, env[openAccess], problems),
    allowedHosts: readArray(env[`${prefix}_ALLOWED_HOSTS`]),
    allowedOrigins: readArray(env[`${prefix}_ALLOWED_ORIGINS`]),
    forwardHeaders: readForwardHeaders(`${prefix}_FORWARD_HEADERS`, env, problems),
    ...(apis && {
      forwardHeadersOfApis: forwardHeadersOfApis(apis, (name) =>
        readForwardHeaders(name, env, problems),
      ),
    }),
    callerHeader: readHeaderName(`${prefix}_CALLER_HEADER`, env, problems),
    trustedProxies: readArray(env[`${prefix}_TRUSTED_PROXIES`]),
    ...readCallerSettings(prefix, prefixesOf(prefix, apis), env, problems),
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
}

/**
 * Reads `X-Api-Key`, which keeps its name, and `X-User-Token=Authorization`, which is renamed. RFC
 * 9110, section 5.1.
 */
function readForwardHeaders(
  variable: string,
  env: Env,
  problems: string[],
): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const entry of readArray(env[variable])) {
    const [name = "", apiName = name, ...more] = entry.split("=").map((part) => part.trim());
    const problem =
      more.length > 0 || !isHeaderName(name) || !isHeaderName(apiName)
        ? "names an invalid header"
        : forwardingProblem(name, apiName);
    if (problem === undefined) headers.set(name.toLowerCase(), apiName);
    else problems.push(`${variable} ${problem}.`);
  }
  return headers;
}

function readHeaderName(variable: string, env: Env, problems: string[]): string | undefined {
  const name = env[variable]?.trim();
  if (!name) return undefined;
  if (isHeaderName(name)) return name.toLowerCase();
  problems.push(`${variable} names an invalid header.`);
  return undefined;
}

function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(text);
}

/**
 * Headers of the conversation between this server and its client, or of a connection and its
 * message.
 */
const messageHeaders = [
  ...["host", "content-.*", "mcp-.*", "proxy-.*", "connection", "keep-alive", "te", "trailer"],
  ...["transfer-encoding", "upgrade", "expect"],
];
const conversationHeaders = [
  ...messageHeaders,
  ...["authorization", "cookie", "origin", "accept", "accept-.*", "sec-.*", "last-event-id"],
];

function matchesAny(name: string, patterns: readonly string[]): boolean {
  return new RegExp(`^(?:${patterns.join("|")})$`, "i").test(name);
}

function forwardingProblem(name: string, apiName: string): string | undefined {
  if (/^authorization$/i.test(name)) {
    return (
      "cannot forward Authorization: it holds the client's token for this server. " +
      "Let clients send another header, as in X-User-Token=Authorization"
    );
  }
  if (matchesAny(name, conversationHeaders)) {
    return `cannot forward ${name}: it belongs to the connection with this server`;
  }
  if (matchesAny(apiName, messageHeaders)) {
    return `cannot set ${apiName}: this server writes it itself`;
  }
  return undefined;
}

// ---- transport/http/oauth-resource-server.ts ----
// Stands in for the OAuth resource server, which is left out.

/** No tokens are verified: there are no such settings. */
export function oauthRules(
  _settings: OAuthSettings,
  _title: string,
  _send: typeof fetch | undefined,
): OAuthRules {
  return { scopes: [], toolScopes: "never" };
}

/** The server has no metadata. */
export function metadataReply(
  _path: string,
  _rules: Pick<OAuthRules, "metadata">,
): Reply | undefined {
  return undefined;
}

/** No scopes limit the tools. */
export function permittedTools(
  _server: Pick<ServerContext, "selectPermitted">,
  _rules: Pick<OAuthRules, "toolScopes">,
  _caller: Caller,
): PermittedTools | undefined {
  return undefined;
}

/** No call needs scopes. */
export function scopeChallenge(
  _server: ServerContext,
  _rules: OAuthRules,
  _caller: Caller,
  _request: { readonly message: unknown; readonly revision: string | undefined },
): Reply | undefined {
  return undefined;
}

// ---- transport/http/readiness.ts ----
// Readiness of a server over HTTP: whether a load balancer should send it requests.

/** Milliseconds for which an answer is repeated, because anybody may ask. */
const cacheMs = 1_000;

/** Milliseconds after which a check has failed. */
const checkMs = 3_000;

/** Readiness of one process. */
export interface Readiness {
  /** The reply to `/ready`: 200, or 503 with what is missing. */
  reply(): Promise<Reply>;
  /** Notes that the process stops. */
  stop(): void;
}

/** @param hasKeys tells whether the keys of the issuer of callers could be read */
export function createReadiness(
  context: ServerContext,
  hasKeys?: () => Promise<boolean>,
): Readiness {
  let isStopping = false;
  let cached: { readonly until: number; readonly missing: Promise<readonly string[]> } | undefined;
  let hasReachedStore = false;
  const check = (): Promise<readonly string[]> => {
    const now = performance.now();
    if (!cached || cached.until < now)
      cached = { until: now + cacheMs, missing: findMissing(context, hasKeys) };
    return cached.missing;
  };
  return {
    async reply() {
      if (isStopping) return jsonReply(503, { status: "stopping" });
      const missing = await check();
      hasReachedStore ||= !missing.includes("store");
      // All processes lose the store at once, and most calls do not need it: a 503 of all of them
      // would refuse calls that can be answered.
      const isStoreOptional = hasReachedStore && !context.settings.readyNeedsStore;
      const lacking = missing.filter((name) => name !== "store" || !isStoreOptional);
      if (lacking.length > 0) return jsonReply(503, { status: "not ready", missing: lacking });
      return jsonReply(200, { status: "ready", ...(missing.length > 0 && { missing }) });
    },
    stop: () => void (isStopping = true),
  };
}

async function findMissing(
  context: ServerContext,
  hasKeys: () => Promise<boolean> = async () => true,
): Promise<readonly string[]> {
  const checks: Readonly<Record<string, () => Promise<boolean>>> = {
    settings: async () =>
      (await Promise.all(contextsOfApis(context).map(hasSettings))).every(Boolean),
    "issuer keys": hasKeys,
    store: async () => (await context.store?.get("ready"), true),
  };
  const results = Object.entries(checks).map(async ([name, check]) =>
    (await passes(check)) ? [] : [name],
  );
  return (await Promise.all(results)).flat();
}

async function hasSettings({ api, apiContext }: ServerContext): Promise<boolean> {
  const signedIn = await addSignedInTokens(api.security ?? [], apiContext);
  const current = signedIn.ok ? signedIn.context : apiContext;
  return describeMissingSettings({ api, apiContext: current }) === undefined;
}

async function passes(check: () => Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), checkMs);
  });
  return Promise.race([check().catch(() => false), expired]).finally(() => clearTimeout(timer));
}

// ---- transport/http/report-rejections.ts ----
// Warnings about rejected hosts and origins, for the operator of a server behind a proxy.

/** Reports a rejected value, and the variable that allows it. */
export type ReportRejection = (name: "Host" | "Origin", value: string) => void;

/** Maximum number of reported values. Callers choose the values. */
const MAX_REPORTED = 20;
/** Maximum characters of a reported value. */
const MAX_CHARACTERS = 200;

/** Reports a refused token, which is not logged. */
export type ReportRefusal = (status: number, reason: string) => void;

/** Milliseconds between two lines about refused tokens. */
const REFUSALS_MS = 60_000;

/** Creates a function that logs the first refused token, and then once a minute with a number. */
export function createRefusalReport(
  log: Pick<Log, "warn">,
  now: () => number = () => performance.now(),
): ReportRefusal {
  let refused = 0;
  let reportedAt = -Infinity;
  return (status, reason) => {
    refused++;
    if (now() - reportedAt < REFUSALS_MS) return;
    const others = refused > 1 ? ` ${refused - 1} others since the last line.` : "";
    log.warn(`Refused a token with ${status}: ${reason}${others}`);
    [refused, reportedAt] = [0, now()];
  };
}

/** Creates a function that reports each value once. */
export function createRejectionReport(prefix: string, log: Log): ReportRejection {
  const reported = new Set<string>();
  return (name, value) => {
    const key = `${name}: ${value.slice(0, MAX_CHARACTERS)}`;
    if (reported.has(key) || reported.size >= MAX_REPORTED) return;
    reported.add(key);
    log.warn(
      `Rejected requests with ${key}. If they are legitimate, add the ${name.toLowerCase()} to ` +
        `${prefix}_ALLOWED_${name.toUpperCase()}S.`,
    );
  };
}

// ---- transport/http/guard.ts ----
// Checks of HTTP requests before they are served: host, origin, credentials, and size.

export function callerOrReply(..._: readonly unknown[]): never {
  throw new Error("This server was generated without access tokens of callers.");
}

/** Path of the protocol. */
export const mcpPath = "/mcp";

/** Paths of the checks of engines, which need no credentials. */
const healthPath = "/health";
const readyPath = "/ready";

interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** Query of the target, without `?`. */
  readonly query: string;
  header(name: string): string | undefined;
}

/** The reply to a request that is not served, or the caller of one that is. */
type GuardResult =
  | { readonly reply: Reply }
  | {
      readonly reply?: undefined;
      /** CORS headers of the response. */
      readonly headers: Readonly<Record<string, string>>;
      /** Its identity is empty without authentication. */
      readonly caller: Caller;
    };

/** Checks the caller of a request, and whether it can be served. */
export async function guard(head: RequestHead, policy: Policy): Promise<GuardResult> {
  if (head.path === healthPath) return { reply: jsonReply(200, { status: "ok" }) };
  if (head.path === readyPath && policy.readiness) return { reply: await policy.readiness.reply() };
  const metadata = metadataReply(head.path, policy);
  if (metadata) return { reply: metadata };
  const consentPage = checkOrigin(head, policy) ? undefined : policy.consents?.answer(head);
  if (consentPage) return { reply: await consentPage };
  const view = viewName(head.path);
  if (view === undefined) {
    return { reply: errorReply(404, `Not found: the protocol is served at ${mcpPath}.`) };
  }
  const originReply = checkOrigin(head, policy);
  if (originReply) return { reply: originReply };
  const headers = corsHeaders(head, policy);
  const withCors = (reply: Reply): GuardResult => ({
    reply: { ...reply, headers: { ...reply.headers, ...headers } },
  });
  if (isPreflight(head)) return withCors({ status: 204, headers: {}, body: "" });
  const caller = await checkCaller(head, policy);
  if ("status" in caller) return withCors(caller);
  const rejection = checkView(view, policy) ?? checkRequest(head, policy);
  if (rejection) return withCors(rejection);
  return { headers, caller: view === "" ? caller : { ...caller, view } };
}

/** Name of the API or toolset in a path: `billing` in `/mcp/billing`. Undefined for other paths. */
function viewName(path: string): string | undefined {
  const plain = path.replace(/\/$/, "");
  if (plain === mcpPath) return "";
  return plain.startsWith(`${mcpPath}/`) ? plain.slice(mcpPath.length + 1) : undefined;
}

/** Maximum number of addresses in a message. */
const maxAddresses = 30;

/** The rejection of a path whose name is not that of an API or toolset, for authenticated callers. */
function checkView(view: string, { views }: Policy): Reply | undefined {
  const names = views();
  if (view === "" || names.includes(view)) return undefined;
  const addresses = [mcpPath, ...names.map((name) => `${mcpPath}/${name}`)];
  const served = joinFirst(addresses, maxAddresses);
  return errorReply(404, `Not found: the protocol is served at ${served}.`);
}

/** True for a preflight request of a browser. Such a request has no credentials. */
function isPreflight({ method, header }: RequestHead): boolean {
  return (
    method === "OPTIONS" &&
    header("origin") !== undefined &&
    header("access-control-request-method") !== undefined
  );
}

function checkOrigin(head: RequestHead, policy: Policy): Reply | undefined {
  const { hosts, origins, reportRejection } = policy;
  const host = hosts ? validateHostHeader(head.header("host"), [...hosts]) : { ok: true as const };
  if (!host.ok) {
    reportRejection("Host", head.header("host") ?? "");
    return errorReply(403, host.message);
  }
  const header = head.header("origin");
  // The SDK takes an empty value for an absent header. RFC 6454, section 7, has no empty value.
  if (header === "") return errorReply(403, "Invalid Origin header: it is empty.");
  const local = validateOriginHeader(header, localhostAllowedOrigins());
  if (local.ok || (header !== undefined && origins.includes(header.toLowerCase())))
    return undefined;
  reportRejection("Origin", header ?? "");
  return errorReply(403, local.message);
}

/** An allowed host as `URL` writes it: a name in lower case, without a port. */
function toHostname(allowed: string): string {
  const text = allowed.includes("://") ? allowed : `http://${allowed}`;
  return canParseUrl(text) ? new URL(text).hostname : allowed;
}

/** An allowed origin as browsers write it. A host name alone means `https:` and the default port. */
function toOrigin(allowed: string): string {
  const text = allowed.includes("://") ? allowed : `https://${allowed}`;
  return canParseUrl(text) ? new URL(text).origin : text.toLowerCase();
}

/**
 * Authenticates the caller.
 * @returns the caller, or the rejection
 */
async function checkCaller(head: RequestHead, policy: Policy): Promise<Reply | Caller> {
  const { tokens, verify, reportRefusal } = policy;
  if (tokens.length === 0 && !verify) return { id: "" };
  const [, presented = ""] = /^Bearer +(\S+) *$/i.exec(head.header("authorization") ?? "") ?? [];
  if (presented === "") return challenge(policy, 401, "A bearer token is required.");
  // All tokens are compared, so that the time does not depend on the token.
  const index = tokens.map((token) => timingSafeEqual(presented, token)).indexOf(true);
  if (index !== -1) return { id: `token ${index}`, realm: await sha256(presented), isShared: true };
  if (verify) return callerOrReply(policy, presented, await verify(presented));
  const reason = "The bearer token is wrong.";
  reportRefusal(401, reason);
  return challenge(policy, 401, reason, "invalid_token");
}

/**
 * True for a server that gives session IDs: to ask clients during a call, or to send their users to
 * a sign-in. For the latter the ID has all that any process needs.
 */
export const hasSessions = ({
  consents,
  exchanges,
}: Pick<Policy, "consents" | "exchanges">): boolean =>
  consents !== undefined || exchanges !== undefined;

/** Media ranges of which a client must accept one; see `serveMessage`. */
const acceptable = /\*\/\*|application\/(?:\*|json)|text\/(?:\*|event-stream)/i;

function checkRequest(head: RequestHead, policy: Policy): Reply | undefined {
  // The SDK replies to GET and DELETE, which clients of older revisions send.
  if (!["POST", "GET", "DELETE"].includes(head.method)) {
    return errorReply(405, "Method not allowed: messages are sent by POST.", { allow: "POST" });
  }
  // Revisions from 2026-07-28 on have no sessions and ignore the header.
  const isModern = isModernRevision(head.header("mcp-protocol-version"));
  const session = head.header("mcp-session-id");
  const isKnown = hasSessions(policy) && readSession(session) !== undefined;
  if (session !== undefined && !isModern && !isKnown) {
    const message =
      "Session not found: this server has no sessions; initialize again without Mcp-Session-Id.";
    return errorReply(404, message);
  }
  const accept = head.header("accept") ?? "*/*";
  if (head.method === "POST" && !acceptable.test(accept)) {
    const message = "Not acceptable: responses are application/json or text/event-stream.";
    return errorReply(406, message);
  }
  if (!/^(|identity)$/i.test(head.header("content-encoding") ?? "")) {
    const message = "Compressed requests are not supported.";
    // RFC 9110, section 15.5.16.
    return errorReply(415, message, { "accept-encoding": "identity" });
  }
  if (Number(head.header("content-length") ?? 0) > maxRequestBytes) return requestTooLarge();
  return undefined;
}

/** Headers of the protocol that pages may send. */
const allowedHeaders = (
  "authorization content-type accept mcp-protocol-version mcp-method mcp-name mcp-session-id " +
  "last-event-id"
).split(" ");

/** CORS headers for a page whose origin is allowed. Fetch Standard, section 3.2. */
function corsHeaders(
  { header }: RequestHead,
  {
    forwardHeaders,
    forwardHeadersOfApis,
    ...policy
  }: Pick<Policy, "forwardHeaders" | "forwardHeadersOfApis" | "consents" | "exchanges">,
): Readonly<Record<string, string>> {
  const origin = header("origin");
  if (origin === undefined) return {};
  const forwarded = [forwardHeaders, ...(forwardHeadersOfApis?.values() ?? [])];
  const names = new Set(forwarded.flatMap((headers) => [...headers.keys()]));
  const exposedHeaders = ["www-authenticate", ...(hasSessions(policy) ? ["mcp-session-id"] : [])];
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": [...allowedHeaders, ...names].join(", "),
    "access-control-expose-headers": exposedHeaders.join(", "),
    "access-control-max-age": "600",
    vary: "origin",
  };
}

const MIN_TOKEN_LENGTH = 16;
const MIN_TOKEN_CHARACTERS = 6;

/** True for a token that can be guessed: a short one, or one of few different characters. */
function isWeakToken(token: string): boolean {
  return token.length < MIN_TOKEN_LENGTH || new Set(token).size < MIN_TOKEN_CHARACTERS;
}

function weakTokenProblem(variable: string, count: number): string {
  const subject = count === 1 ? "a token" : `${count} tokens`;
  return (
    `${variable} has ${subject} that can be guessed. Use at least ${MIN_TOKEN_LENGTH} random ` +
    "characters, such as the output of `openssl rand -hex 32`."
  );
}

/** Access rules: authentication, hosts and origins, and forwarded headers. */
export interface Policy extends OAuthRules {
  /** Names of the APIs and toolsets, each of which has an address of its own. */
  views(): readonly string[];
  /** Bearer tokens, of which a caller must present one. Empty: only `verify` decides. */
  readonly tokens: readonly string[];
  /**
   * Allowed host names of the server; `undefined` allows any. Prevents DNS rebinding, by which web
   * pages could reach a server on this machine.
   */
  readonly hosts?: readonly string[];
  /** Allowed origins of web pages: scheme, host and port. Pages of this machine are allowed, too. */
  readonly origins: readonly string[];
  readonly forwardHeaders: HttpSettings["forwardHeaders"];
  readonly forwardHeadersOfApis?: HttpSettings["forwardHeadersOfApis"];
  readonly callerHeader?: HttpSettings["callerHeader"];
  readonly trustedProxies: HttpSettings["trustedProxies"];
  /** Tests whether a connection may name the caller. Absent: none may. */
  readonly isTrustedProxy?: (address: string) => boolean;
  readonly tokenExchanges?: HttpSettings["tokenExchanges"];
  readonly signIn?: HttpSettings["signIn"];
  /** Pages on which callers consent. */
  readonly consents?: ConsentPages;
  /** Calls in flight of clients with a session. Absent: clients are not asked during a call. */
  readonly exchanges?: OpenExchanges;
  readonly readiness?: Pick<Readiness, "reply">;
  readonly reportRejection: ReportRejection;
  readonly reportRefusal: ReportRefusal;
  readonly log: Log;
}

type PolicyResult =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reachability of a server, and consent that is not in the environment. */
interface Exposure {
  /** True if only this machine can reach the server. */
  readonly isLocal: boolean;
  readonly allowUnauthenticated: boolean;
  /** The flag or variable that allows access without authentication, for messages. */
  readonly optIn: string;
}

/**
 * Reads the access rules. Access is denied by default: other machines need a token, unless the
 * administrator allows open access.
 */
export function createPolicy(
  context: ServerContext,
  { isLocal, allowUnauthenticated, optIn }: Exposure,
): PolicyResult {
  const { api, apiContext, log } = context;
  const result = readHttpSettings(api.envPrefix, apiContext.env, api.apis);
  if (!result.ok) return result;
  const { settings } = result;
  const { tokens, oauth, allowedHosts, allowedOrigins, forwardHeaders, tokenExchanges } = settings;
  const isOpen = tokens.length === 0 && !oauth;
  if (isOpen && !isLocal && !allowUnauthenticated && !settings.allowUnauthenticated) {
    const variables = `${api.envPrefix}_HTTP_TOKEN or ${api.envPrefix}_HTTP_OAUTH_ISSUER`;
    const problem =
      `Refusing to serve other machines without authentication: set ${variables}, ` +
      `or allow it with ${optIn}.`;
    return { ok: false, problems: [problem] };
  }
  const weak = tokens.filter(isWeakToken).length;
  if (weak > 0) {
    const problem = weakTokenProblem(`${api.envPrefix}_HTTP_TOKEN`, weak);
    if (!isLocal) return { ok: false, problems: [`Refusing to serve other machines: ${problem}`] };
    log.warn(problem);
  }
  const namesHosts = isLocal || allowedHosts.length > 0;
  const policy: Policy = {
    // The tools of a context may be replaced while the server runs.
    views: () => listViews(context.offeredTools),
    tokens,
    ...(oauth
      ? oauthRules(oauth, api.title, apiContext.platform?.fetch)
      : { scopes: [], toolScopes: "never" }),
    hosts: namesHosts
      ? [
          ...localhostAllowedHostnames(),
          ...[oauth?.publicUrl ?? [], ...allowedHosts].flat().map(toHostname),
        ]
      : undefined,
    origins: allowedOrigins.map(toOrigin),
    forwardHeaders,
    ...(settings.forwardHeadersOfApis && { forwardHeadersOfApis: settings.forwardHeadersOfApis }),
    ...(settings.callerHeader && { callerHeader: settings.callerHeader }),
    trustedProxies: settings.trustedProxies,
    ...(tokenExchanges && { tokenExchanges }),
    ...(settings.signIn && { signIn: settings.signIn }),
    reportRejection: createRejectionReport(api.envPrefix, log),
    reportRefusal: createRefusalReport(log),
    log,
  };
  return { ok: true, policy };
}

// ---- transport/http/fetch-handler.ts ----
// MCP over HTTP as a function from `Request` to `Response`, for workers, too.

/** Options of a server without a process of its own. */
export interface FetchHandlerOptions extends ServerContextOptions {
  /** Serves requests without authentication if no token is set. */
  readonly allowUnauthenticated?: boolean;
  /** Path of the protocol, or `*` if the router of another server has chosen it. Default: `/mcp`. */
  readonly path?: string;
  /**
   * Authenticates the caller in place of the server's own tokens.
   * @returns the caller; undefined if it is refused
   */
  readonly authenticate?: (
    request: Request,
  ) => AuthenticatedCaller | undefined | Promise<AuthenticatedCaller | undefined>;
}

/** A caller that another server has authenticated. */
export interface AuthenticatedCaller {
  /** Identity under which data of the caller is stored: the ID of a user. Never empty. */
  readonly id: string;
  /** Access token of the caller, for an exchange (RFC 8693). */
  readonly token?: string;
}

/** A web-standard request handler. */
export type Fetch = (request: Request) => Promise<Response>;

/**
 * Creates the server of a request. Each caller, identified by its token and its forwarded headers,
 * sees its own stored results.
 */
export function createConnector(
  server: ServerContext,
  policy: Pick<
    Policy,
    | ("forwardHeaders" | "forwardHeadersOfApis" | "toolScopes" | "tokenExchanges" | "consents")
    | ("callerHeader" | "isTrustedProxy")
  >,
): (request: McpRequestContext) => Server {
  return ({ requestInfo, authInfo, era }) => {
    const context = viewOf(server, callerOf(authInfo));
    const forwarded = readForwardedHeaders(requestInfo, policy);
    const settings = policy.tokenExchanges;
    const { address = "" } = callerOf(authInfo);
    const isFromProxy = policy.callerHeader && policy.isTrustedProxy?.(address);
    const named = isFromProxy && requestInfo?.headers.get(policy.callerHeader ?? "");
    const { id, realm = "", isShared } = callerOf(authInfo);
    const known = [id, ...forwarded.map(({ value }) => value), ...(named ? [named] : [])];
    const isKnown = known.some((part) => part !== "");
    const caller = [realm, ...known];
    // Clients choose the forwarded headers, so that these do not make a known user another caller.
    const isUser = id !== "" && !isShared;
    const limited = isUser ? [realm, id, ...(named ? [named] : [])] : caller;
    return createMcpServer(
      {
        ...context,
        ...permittedTools(context, policy, callerOf(authInfo)),
        listsPerCaller: policy.toolScopes !== "never",
        resultStore: context.resultStore?.forCaller(JSON.stringify(caller)),
        pageMemory: isKnown ? context.pageMemory?.forCaller(JSON.stringify(caller)) : undefined,
        toolListChanges: era === "modern" ? context.toolListChanges : undefined,
      },
      {
        name: [id, named].filter(Boolean).join(" ") || address,
        kind: isUser || named ? "user" : "client",
        id: isKnown ? JSON.stringify(limited) : address,
        info: omitUndefined({
          user: callerOf(authInfo).user,
          scopes: callerOf(authInfo).scopes,
        }),
        forwarded,
        ...(settings && { exchanges: { token: callerOf(authInfo).token ?? "", settings } }),
        consent: policy.consents?.of(callerOf(authInfo).user),
        supportsUrls:
          readSession(requestInfo?.headers.get("mcp-session-id"))?.supportsUrls === true,
        supportsForms: callerOf(authInfo).answersForms === true,
      },
    );
  };
}

/**
 * Serves the protocol over HTTP, without any check of the caller. Every request gets its own
 * server. Only clients of 2026-07-28 have a stream for notifications of changes.
 */
export function createHandler(
  context: ServerContext,
  connect: (request: McpRequestContext) => Server,
): McpHttpHandler {
  const handler = createMcpHandler(connect, {
    maxRequestBodySize: maxRequestBytes,
    onerror: (error) => context.log.debug("http", error),
  });
  context.toolListChanges?.subscribe(() => handler.notify.toolsChanged());
  return handler;
}

/** The server as the address of a request shows it: `/mcp/billing` has the tools of one API. */
export function viewOf(server: ServerContext, { view }: Caller): ServerContext {
  return view === undefined ? server : { ...server, ...server.narrowTo(view) };
}

/** The caller as `AuthInfo`, which the SDK passes to `connect`. */
export function authInfoOf(caller: Caller): AuthInfo {
  return { token: "", clientId: caller.id, scopes: [], extra: { caller } };
}

function callerOf(authInfo: AuthInfo | undefined): Caller {
  return (authInfo?.extra?.["caller"] as Caller | undefined) ?? { id: "" };
}

/**
 * The server as a web-standard `fetch` handler. It imports no module that only Node has.
 * @throws Error for an invalid setting, or if access would be open without consent
 */
export function fetchHandler({
  allowUnauthenticated = false,
  path = mcpPath,
  authenticate,
  ...options
}: FetchHandlerOptions): Fetch {
  const created = createServerContext({ write: writeToConsole, ...options });
  if (!created.ok) throw new Error(created.problems.join(" "));
  const { context } = created;
  const { envPrefix } = context.api;
  const policyResult = createPolicy(context, {
    isLocal: false,
    allowUnauthenticated: allowUnauthenticated || authenticate !== undefined,
    optIn: `${envPrefix}_ALLOW_UNAUTHENTICATED=1`,
  });
  if (!policyResult.ok) throw new Error(policyResult.problems.join(" "));
  const { policy } = policyResult;
  if (policy.callerHeader)
    throw new Error(
      `${envPrefix}_CALLER_HEADER needs a server that knows the address of the proxy ` +
        "(node dist/server.js --http). Name the caller with `authenticate`.",
    );
  if (policy.signIn) {
    const variable = `${envPrefix}_HTTP_SIGN_IN_CLIENT_ID`;
    throw new Error(`${variable} needs a server that one process serves (node dist/server.js).`);
  }
  const handler = createHandler(context, createConnector(context, policy));
  return async (request) => {
    const head = {
      method: request.method,
      path: mountedPath(new URL(request.url).pathname, path),
      query: "",
      header: (name: string) => request.headers.get(name) ?? undefined,
    };
    const guardResult = await guard(head, policy);
    if (guardResult.reply) return toResponse(guardResult.reply);
    const { headers } = guardResult;
    const caller = authenticate
      ? authenticatedCaller(guardResult.caller, await authenticate(request))
      : guardResult.caller;
    if (!caller) return toResponse(errorReply(401, "The caller is not authenticated."));
    const response = await fetchMessage({ context, policy, handler, caller }, request);
    if (Object.keys(headers).length === 0) return response;
    return new Response(response.body, {
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), ...headers },
    });
  };
}

/** The path as if the protocol were at its usual place. Metadata of the server stay where they are. */
function mountedPath(path: string, mount: string): string {
  const isMount = mount === "*" ? !path.startsWith("/.well-known/") : path === mount;
  if (isMount) return mcpPath;
  if (path.startsWith(`${mount}/`)) return mcpPath + path.slice(mount.length);
  return path === mcpPath || path.startsWith(`${mcpPath}/`) ? "/" : path;
}

function authenticatedCaller(
  own: Caller,
  found: AuthenticatedCaller | undefined,
): Caller | undefined {
  if (!found || found.id === "") return undefined;
  const { realm: _realm, isShared: _isShared, ...others } = own;
  return {
    ...others,
    id: `caller ${found.id}`,
    ...(found.token !== undefined && { token: found.token }),
  };
}

/** A response with status 204 must not have a body. Fetch Standard, "null body status". */
function toResponse(reply: Reply): Response {
  return new Response(reply.status === 204 ? null : reply.body, reply);
}

/** A handler with the caller of one request. */
interface Serving {
  readonly context: ServerContext;
  readonly policy: Policy;
  readonly handler: McpHttpHandler;
  readonly caller: Caller;
}

/** Reads and serves a message. A body that is not JSON is left to the SDK. */
async function fetchMessage(
  { context, policy, handler, caller }: Serving,
  request: Request,
): Promise<Response> {
  const authInfo = authInfoOf(caller);
  if (!request.body) return handler.fetch(request, { authInfo });
  const { url, method, headers, signal } = request;
  const chunks = request.body as unknown as AsyncIterable<Uint8Array>;
  const revision = headers.get("mcp-protocol-version") ?? undefined;
  const { body, message, ...read } = await readMessage(chunks, revision);
  const reply =
    read.reply ?? scopeChallenge(viewOf(context, caller), policy, caller, { message, revision });
  if (reply) return toResponse(reply);
  // A copy, because its headers are changed. A parsed message replaces the body.
  const init = { method, headers, signal, ...(message === undefined && { body }) };
  return serveMessage(handler, new Request(url, init), { authInfo, parsedBody: message });
}

/** The headers that are forwarded to the API, with their values in a request. */
export function readForwardedHeaders(
  request: Request | undefined,
  { forwardHeaders, forwardHeadersOfApis }: Pick<Policy, "forwardHeaders" | "forwardHeadersOfApis">,
): readonly ForwardedHeader[] {
  const read = (names: ReadonlyMap<string, string>, api?: string): readonly ForwardedHeader[] =>
    [...names].map(([from, name]) => ({
      from,
      name,
      value: withBearerScheme(name, request?.headers.get(from) ?? ""),
      ...(api !== undefined && { api }),
    }));
  const ofApis = [...(forwardHeadersOfApis ?? [])].flatMap(([api, names]) => read(names, api));
  return [...read(forwardHeaders), ...ofApis];
}

/** Adds `Bearer` to a bare token, because hosts ask users for tokens, not for headers. */
function withBearerScheme(name: string, value: string): string {
  return /^authorization$/i.test(name) && /^[\w.~+/-]+=*$/.test(value) ? `Bearer ${value}` : value;
}

/**
 * Writes log lines to the console, which platforms without stderr show. It must not be used over
 * stdio, where stdout belongs to the protocol.
 */
function writeToConsole(lines: string): void {
  // oxlint-disable-next-line no-console
  console.error(lines.trimEnd());
}

/**
 * The `fetch` of a worker's default export. Cloudflare Workers pass the environment with each
 * request; Deno and Bun have it in `process.env`. The first request creates the server. Problems of
 * its settings are logged, not sent.
 */
export function workerFetch(
  options: Omit<ServerContextOptions, "env">,
): (request: Request, bindings?: unknown) => Promise<Response> {
  let handle: Fetch | undefined;
  return async (request, bindings) => {
    try {
      // A worker must not wait for what another request has begun, so that each may create one.
      const created = handle ?? (await createWorkerHandler(options, bindings));
      handle ??= created;
    } catch (error) {
      writeToConsole(error instanceof Error ? error.message : String(error));
      return Response.json(
        { error: "This server is not configured. See its log." },
        { status: 500 },
      );
    }
    return handle(request);
  };
}

/** Without a store, results are not stored: the next request may reach another process. */
async function createWorkerHandler(
  options: Omit<ServerContextOptions, "env">,
  bindings: unknown,
): Promise<Fetch> {
  const { name, envPrefix } = options.api;
  const env = workerEnv(envPrefix, bindings);
  const named = { ...(typeof bindings === "object" && bindings) };
  const store = await openWorkerStore(envPrefix, named, env, name);
  return fetchHandler({ ...options, env, ...(store && { store, storeResults: true }) });
}

/** The environment: text variables of this server, because Deno and Bun pass other values. */
function workerEnv(prefix: string, bindings: unknown): Env {
  const process = (globalThis as { readonly process?: { readonly env?: Env } }).process?.env ?? {};
  const entries = Object.entries(typeof bindings === "object" && bindings !== null ? bindings : {});
  const variables = entries.filter(
    ([name, value]) =>
      typeof value === "string" && (name.startsWith(`${prefix}_`) || name === "LOG_LEVEL"),
  );
  return { ...process, ...(Object.fromEntries(variables) as Env) };
}
