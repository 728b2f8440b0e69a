// protocol: files of the runtime of mcp-gen as one module, each after those that it uses.

import {
  type CallToolResult, type ContentBlock, isJSONRPCNotification, isJSONRPCRequest,
  isJSONRPCResponse, type JSONRPCMessage, type JSONRPCRequest, PROTOCOL_VERSION_META_KEY,
  ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Result, Server,
  type ServerContext as RequestContext, type StandardSchemaV1, SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/server";
import type { ToolConsent, UserConsent } from "./auth.js";
import { type CallContext, callTool, type PaymentRequests, repeatCall } from "./call.js";
import { isObject, omitUndefined, unlessUnavailable } from "./data.js";
import {
  type ApprovalSession, type CallOrigin, type McpConnection, observeCall, type ServerContext,
  type TaskSession, type TraceCarrier,
} from "./server.js";
import { type CallOutcome, errorResult, isFirstPage, textOfResult } from "./tools.js";

// ---- protocol/messages.ts ----
// Messages of MCP: parsing, malformed messages, batches, and differences between revisions.

/** Revisions that introduced types of content. */
const introducedIn: Partial<Record<ContentBlock["type"], string>> = {
  audio: "2025-03-26",
  resource_link: "2025-06-18",
};

/** Adapts a result to the client's revision. An older client rejects content of an unknown type. */
export function adaptToRevision(result: CallToolResult, revision = "2025-06-18"): CallToolResult {
  const isKnown = ({ type }: ContentBlock): boolean => revision >= (introducedIn[type] ?? "");
  if (result.content.every(isKnown)) return result;
  return {
    ...result,
    content: result.content.flatMap((block) => (isKnown(block) ? block : replacement(block))),
  };
}

/** Replaces audio by an embedded resource. A link is removed, because the text names it. */
function replacement(block: ContentBlock): ContentBlock[] {
  return block.type === "audio"
    ? [
        {
          type: "resource",
          resource: { uri: "result://audio", mimeType: block.mimeType, blob: block.data },
        },
      ]
    : [];
}

/** Unvalidated parameters of a request. */
export type Params = Readonly<Record<string, unknown>>;

/** Schema that accepts any parameters. The handlers validate them. */
export const passThroughSchema: StandardSchemaV1<Params, Params> = {
  "~standard": {
    version: 1,
    vendor: "runtime",
    validate: (params) => ({ value: (params ?? {}) as Params }),
  },
};

/** True if a revision is stateless: 2026-07-28 or later. */
export function isModernRevision(revision: string | undefined): revision is string {
  return revision !== undefined && revision >= "2026-07-28";
}

/**
 * True if a request is of 2026-07-28 or later. Such requests carry the envelope that older clients
 * sent once.
 */
export function isModernRequest({ mcpReq }: RequestContext): boolean {
  return mcpReq.envelope !== undefined;
}

const knownMembers: ReadonlySet<string> = new Set(
  "jsonrpc id method params result error".split(" "),
);

/**
 * Removes harmless deviations from a message or batch that the SDK would reject.
 * @param message result of `JSON.parse`; may be changed in place
 */
export function normalizeMessage(message: unknown): unknown {
  return Array.isArray(message) ? message.map(normalizeOne) : normalizeOne(message);
}

function normalizeOne(message: unknown): unknown {
  return isObject(message) ? dropNullParams(dropUnknownMembers(message)) : message;
}

/** Drops unknown members, which MCP's schema allows. */
function dropUnknownMembers(message: Record<string, unknown>): Record<string, unknown> {
  return hasOnlyKnownMembers(message)
    ? message
    : Object.fromEntries(Object.entries(message).filter(([name]) => knownMembers.has(name)));
}

/** A loop, because it runs for every message. */
function hasOnlyKnownMembers(message: object): boolean {
  for (const name in message) if (!knownMembers.has(name)) return false;
  return true;
}

/** Drops `null` parameters, which some clients send for absent ones. */
function dropNullParams(message: Record<string, unknown>): Record<string, unknown> {
  const { params } = message;
  if (params === null) delete message["params"];
  else if (isObject(params) && params["_meta"] === null) delete params["_meta"];
  return message;
}

type ParsedMessage =
  | { readonly ok: true; readonly message: JSONRPCMessage }
  | { readonly ok: false; readonly response: ErrorResponse };

/** One message, or several in a revision with batches. */
type ParsedLine = ParsedMessage | { readonly batch: readonly ParsedMessage[] };

/** Maximum number of messages in a batch, as in the SDK over HTTP. */
const maxBatchSize = 100;

/**
 * A JSON-RPC error response. The id is null if the request has none.
 * https://www.jsonrpc.org/specification#response_object
 */
export interface ErrorResponse {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** Byte order mark before the first line, from programs that write text files. */
const byteOrderMark = "\ufeff";

/** Parses one line. Invalid messages get a response, so that their sender does not wait. */
export function parseLine(line: string, allowsBatches = false): ParsedLine {
  let value: unknown;
  try {
    value = normalizeMessage(JSON.parse(line.startsWith(byteOrderMark) ? line.slice(1) : line));
  } catch {
    return rejectMessage(null, ProtocolErrorCode.ParseError, "Parse error: the line is not JSON.");
  }
  return Array.isArray(value) ? parseBatch(value, allowsBatches) : parseMessage(value);
}

function parseBatch(values: readonly unknown[], allowsBatches: boolean): ParsedLine {
  if (!allowsBatches)
    return rejectMessage(
      null,
      ProtocolErrorCode.InvalidRequest,
      "Invalid request: batches are not supported; send one message per line.",
    );
  if (values.length === 0 || values.length > maxBatchSize)
    return rejectMessage(
      null,
      ProtocolErrorCode.InvalidRequest,
      `Invalid request: a batch must have 1 to ${maxBatchSize} messages.`,
    );
  return { batch: values.map(parseMessage) };
}

function parseMessage(value: unknown): ParsedMessage {
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value))
    return { ok: true, message: value };
  return rejectMessage(
    readId(value),
    ProtocolErrorCode.InvalidRequest,
    "Invalid request: the line is not a JSON-RPC 2.0 message with a string or integer id, " +
      "with an object as `params`, if any, and a string or integer as `_meta.progressToken`, if any.",
  );
}

/** The response to a message above the maximum size. */
export function messageTooLarge(maxBytes: number): ErrorResponse {
  return errorResponse(
    null,
    ProtocolErrorCode.InvalidRequest,
    `Invalid request: the message is larger than ${maxBytes} bytes.`,
  );
}

function rejectMessage(id: ErrorResponse["id"], code: number, message: string): ParsedMessage {
  return { ok: false, response: errorResponse(id, code, message) };
}

function errorResponse(id: ErrorResponse["id"], code: number, message: string): ErrorResponse {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function readId(value: unknown): ErrorResponse["id"] {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}

/**
 * The only revision with batches. Its clients may omit the revision header over HTTP, but must send
 * it with a batch.
 * https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
 */
export const batchRevision = "2025-03-26";

type BatchResponse = JSONRPCMessage | ErrorResponse;

/**
 * Collects the responses to the messages of a batch. https://www.jsonrpc.org/specification#batch
 */
interface BatchTracker {
  /** Registers a batch before its messages are served. */
  start(messages: readonly ParsedMessage[]): void;
  /**
   * Registers the response to a request.
   * @param response `undefined` for a cancelled request
   * @returns whether the request belongs to a batch
   */
  complete(id: unknown, response?: BatchResponse): boolean;
}

interface Batch {
  /** Ids of requests without a response. */
  readonly pendingIds: unknown[];
  readonly responses: BatchResponse[];
}

/**
 * Creates a tracker.
 * @param write writes all responses to a batch after the last one
 */
export function createBatchTracker(
  write: (responses: readonly BatchResponse[]) => void,
): BatchTracker {
  const batches = new Set<Batch>();
  function writeIfComplete(batch: Batch): void {
    if (batch.pendingIds.length > 0) return;
    batches.delete(batch);
    if (batch.responses.length > 0) write(batch.responses);
  }
  return {
    start(messages) {
      const batch: Batch = { pendingIds: [], responses: [] };
      batches.add(batch);
      for (const entry of messages) {
        if (!entry.ok) batch.responses.push(entry.response);
        else if ("method" in entry.message && "id" in entry.message)
          batch.pendingIds.push(entry.message.id);
      }
      writeIfComplete(batch);
    },
    complete(id, response) {
      for (const batch of batches) {
        const index = batch.pendingIds.indexOf(id);
        if (index === -1) continue;
        batch.pendingIds.splice(index, 1);
        if (response) batch.responses.push(response);
        writeIfComplete(batch);
        return true;
      }
      return false;
    },
  };
}

// ---- protocol/session.ts ----
// Sessions of clients before 2026-07-28, which state their capabilities only once. The ID has what
// a server has to know, so that it stores nothing: a client that invents one deceives only itself.

/** Capabilities of a client that its session ID records. */
export interface ClientSession {
  readonly supportsForms: boolean;
  readonly supportsUrls: boolean;
}

const sessionPattern = /^[0-9a-f-]{36}\.(plain|form|url|form-url)$/;

/** Reads a session ID; undefined for one that this server has not issued. */
export function readSession(id: string | null | undefined): ClientSession | undefined {
  const [, kinds] = sessionPattern.exec(id ?? "") ?? [];
  if (kinds === undefined) return undefined;
  const all = kinds.split("-");
  return { supportsForms: all.includes("form"), supportsUrls: all.includes("url") };
}

/** The session ID for a client that initializes; undefined for other messages. */
export function sessionFor(message: unknown): string | undefined {
  if (!isObject(message) || message["method"] !== "initialize") return undefined;
  const params = message["params"];
  const capabilities = isObject(params) ? params["capabilities"] : undefined;
  const kinds = [
    ...(declaresForms(capabilities) ? ["form"] : []),
    ...(declaresUrls(capabilities) ? ["url"] : []),
  ];
  return `${crypto.randomUUID()}.${kinds.join("-") || "plain"}`;
}

/** True for elicitation with forms. Without a mode, it means forms. MCP 2025-11-25, "Elicitation". */
export function declaresForms(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities["elicitation"] : undefined;
  if (!isObject(elicitation)) return false;
  return isObject(elicitation["form"]) || elicitation["url"] === undefined;
}

/** True for elicitation by URL. */
export function declaresUrls(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities["elicitation"] : undefined;
  return isObject(elicitation) && isObject(elicitation["url"]);
}

// ---- protocol/approval.ts ----
// Stands in for questions to the user about a call, which nothing asks.

type AskingCall = { readonly [name: string]: unknown } & { run(): Promise<CallToolResult> };

export function callWithApproval(_app: unknown, call: AskingCall): Promise<Result> {
  return call.run();
}

// ---- protocol/consent.ts ----
// Stands in for the consent of users, which no scheme of the API needs.

/** @throws always: there is no consent to prepare */
export function prepareConsent(
  _server: unknown,
  _user: UserConsent,
  _params: object,
): { readonly consent: ToolConsent } {
  throw new Error("This server was generated for an API without a sign-in.");
}

/** Nobody has to sign in. */
export async function awaitConsent(_consent: unknown, _request: object): Promise<void> {}

/** The result of a call is final. */
export function elicitConsent(
  _server: unknown,
  _consent: unknown,
  result: CallToolResult,
  _client: unknown,
): Result {
  return result;
}

// ---- protocol/custom-content.ts ----
// Stands in for prompts and resources of user code, which are left out.

export type CallContextFactory = (context: RequestContext) => CallContext;

export function servePrompts(..._: readonly unknown[]): void {}

export const listResources = (_: unknown) => ({ resources: [], resourceTemplates: [] });

export async function readCustomResource(..._: readonly unknown[]): Promise<undefined> {}

// ---- protocol/payment.ts ----
// Stands in for the pages of payments: no operation of this project documents 402.

export function unpaidText(..._: readonly unknown[]): string | undefined {
  return undefined;
}

/** There is no page to show. */
export function elicitPayment(
  _app: unknown,
  _page: unknown,
  result: CallToolResult,
  _call: unknown,
): CallToolResult {
  return result;
}

// ---- protocol/tasks.ts ----
// Stands in for the tasks extension: no tool of this project starts work that takes time.

export const tasksCapability = {};

export const supportsTasks = (..._: readonly unknown[]): boolean => false;

export async function createTask(..._: readonly unknown[]): Promise<Result> {
  return {};
}

export function serveTasks(..._: readonly unknown[]): void {
  // No call starts a task.
}

// ---- protocol/mcp-server.ts ----
// The MCP server of a connection: its handlers for tools, resources and progress.

/** Caching of the tool list by clients of 2026-07-28, where it is the same for all callers. */
const listCache = { ttlMs: 300_000, cacheScope: "public" } as const;
const noListCache = { ttlMs: 0, cacheScope: "public" } as const;
/** A list that depends on the scopes of the caller, which may get another token. */
const callerListCache = { ttlMs: 0, cacheScope: "private" } as const;

interface McpCaller extends Pick<CallContext, "forwarded" | "exchanges"> {
  /** Its identity, for limits. Absent: the only one. */
  readonly id?: string;
  /** User and scopes of its access token. */
  readonly info?: CallContext["callerInfo"];
  /** Its name in the log, if the settings show names. */
  readonly name?: string;
  /** Absent for the only one. */
  readonly kind?: CallOrigin["callerKind"];
  /** Consent of the user behind it. */
  readonly consent?: UserConsent;
  /** True if the client declared that it opens addresses for its user. */
  readonly supportsUrls?: boolean;
  /** True if the client declared forms, and can be asked while a request runs. */
  readonly supportsForms?: boolean;
}

/**
 * Creates the MCP server of one connection or one HTTP request, for any revision.
 * @param caller credentials of the caller for the API
 */
export function createMcpServer(app: ServerContext, caller: McpCaller = {}): Server {
  const { name, title, version } = app.api;
  const server = new ToolServer(
    { name, title, version },
    {
      capabilities: {
        tools: app.toolListChanges ? { listChanged: true } : {},
        ...(hasResources(app) && { resources: {} }),
        ...(hasContent(app.hooks.prompts) && { prompts: {} }),
        ...tasksCapability,
      },
      instructions:
        [app.instructions, describeFilesFolder(app)].filter(Boolean).join(" ") || undefined,
    },
  );
  server.setRequestHandler("tools/list", { params: passThroughSchema }, (params, context) =>
    listTools(app, params, context),
  );
  server.setRequestHandler("tools/call", { params: passThroughSchema }, async (params, context) => {
    const { id, supportsUrls = false, supportsForms = false } = caller;
    const consent = caller.consent && prepareConsent(app, caller.consent, params);
    if (consent) await awaitConsent(consent, context);
    const progress = createProgress(context);
    const callContext: CallContext = {
      ...createCallContext(caller, server, context),
      consent: consent?.consent,
      progress: progress?.report,
    };
    const payments: PaymentRequests = {};
    let tasks: TaskSession | undefined;
    const run = async (approvals?: ApprovalSession): Promise<CallToolResult> => {
      tasks = supportsTasks(context) ? {} : undefined;
      return adaptToRevision(
        await callToolByName(app, params, { ...callContext, approvals, tasks, payments }),
        revisionOf(server, context),
      );
    };
    const call = { params, callerId: id ?? "", server, request: context, supportsForms, run };
    const refuse = (outcome: string, text: string): Promise<CallToolResult> =>
      refuseCall(app, params, callContext, errorResult(outcome, text));

    const unpaid = unpaidText(context);
    if (unpaid !== undefined) return refuse("declined", unpaid);
    const result = await callWithApproval(app, { ...call, refuse }).finally(() => progress?.end());
    if (tasks?.started && "content" in result && !result["isError"])
      return createTask(app, tasks.started, id ?? "");
    if (!("content" in result)) return result;
    const asked = { server, request: context, supportsUrls };
    const failed = result as CallToolResult;
    if (payments.page) return elicitPayment(app, payments.page, failed, { ...asked, params, id });
    return consent ? elicitConsent(app, consent, failed, asked) : result;
  });
  const contextOf = (context: RequestContext): CallContext =>
    createCallContext(caller, server, context);
  if (hasContent(app.hooks.prompts)) servePrompts(server, app, contextOf);
  if (hasResources(app)) serveResources(server, app, contextOf);
  serveTasks(server, app, caller.id ?? "", contextOf);
  server.onerror = (error) => app.log.debug("protocol", error);
  server.onInternalError = (error) => app.log.error("protocol", error);
  return server;
}

/** Results are read from a store, or by repeating their calls. */
function hasResources({ resultStore, resultReader, hooks }: ServerContext): boolean {
  return resultStore !== undefined || resultReader !== undefined || hasContent(hooks.resources);
}

function hasContent(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

/** The part of the context of a call that its request states. */
function createCallContext(
  { id, info, name, kind, forwarded, exchanges }: McpCaller,
  server: Server,
  context: RequestContext,
): CallContext {
  return {
    signal: context.mcpReq.signal,
    connection: connectionOf(server, context),
    ...originOf(context),
    ...(id !== undefined && { caller: id }),
    ...(info && { callerInfo: info }),
    ...(name !== undefined && { callerName: name }),
    ...(kind && { callerKind: kind }),
    forwarded,
    exchanges,
  };
}

/** The connection of a request, with a revision that the SDK knows: clients choose its name. */
function connectionOf(server: Server, context: RequestContext): McpConnection {
  const revision = revisionOf(server, context);
  const isKnown =
    revision !== undefined &&
    (revision === server.getNegotiatedProtocolVersion() ||
      SUPPORTED_PROTOCOL_VERSIONS.includes(revision));
  return {
    ...(isKnown && { protocolVersion: revision }),
    transport: context.http?.req ? "tcp" : "pipe",
  };
}

/** Longest `X-Request-Id` that is logged. */
const requestIdPattern = /^[\w.:/+=-]{1,128}$/;

/** Trace context and ID of a request: those of its `_meta`, else those of its HTTP headers. */
function originOf({ mcpReq: { _meta: meta }, http }: RequestContext): CallOrigin {
  const header = (name: string): string | undefined => http?.req?.headers.get(name) ?? undefined;
  const traceparent = header("traceparent");
  const isTraced = typeof (meta as TraceCarrier | undefined)?.["traceparent"] === "string";
  const carrier =
    isTraced || traceparent === undefined
      ? meta
      : { ...meta, traceparent, tracestate: header("tracestate") };
  const requestId = header("x-request-id") ?? "";
  return omitUndefined({
    carrier: carrier as TraceCarrier | undefined,
    requestId: requestIdPattern.test(requestId) ? requestId : undefined,
  });
}

/** Instructions about the folder for files. */
function describeFilesFolder({ files }: ServerContext): string | undefined {
  return (
    files &&
    "Inputs that hold a file also take file:NAME for a file in " +
      `${files.isRemote ? "the server's folder for files" : files.path}; files in results are ` +
      "saved there."
  );
}

type Handler = (request: JSONRPCRequest, context: RequestContext) => Promise<Result>;

/**
 * Skips the validation of calls and results by the SDK. The runtime describes invalid arguments in
 * more detail, in a result that the agent can read, and the SDK reports invalid parameters as an
 * internal error.
 */
class ToolServer extends Server {
  /** Receives errors of which clients see only that there was one. */
  onInternalError?: (error: unknown) => void;

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const fail = (error: unknown): never => {
      const known = error instanceof ProtocolError ? error : invalidParams(method, error);
      if (known) throw known;
      this.onInternalError?.(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, "Internal error");
    };
    return (request, context) => {
      rejectOtherRevision(this.getNegotiatedProtocolVersion(), context);
      // Some handlers throw, others reject.
      try {
        return handler(request, context).catch(fail);
      } catch (error) {
        return fail(error);
      }
    };
  }

  /** The SDK creates an error whenever a connection ends, for requests that are in flight. */
  protected override _onclose(): void {
    withoutStacks(() => super._onclose());
  }
}

/** Runs an action in which errors are created without a stack, which would take most of its time. */
function withoutStacks(action: () => void): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    action();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Converts the issues that the SDK reports as JSON; undefined for any other error. */
function invalidParams(method: string, error: unknown): ProtocolError | undefined {
  try {
    const issues = JSON.parse((error as Error).message) as readonly {
      readonly path: readonly PropertyKey[];
      readonly message: string;
    }[];
    const messages = issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    return new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Invalid ${method} request: ${messages.join("; ")}.`,
    );
  } catch {
    return undefined;
  }
}

/**
 * Rejects a request with another revision than the negotiated one, because the SDK checks the first
 * request only.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#protocol-version-negotiation
 */
function rejectOtherRevision(
  negotiated: string | undefined,
  { mcpReq: { envelope } }: RequestContext,
): void {
  const requested = (envelope as Params | undefined)?.[PROTOCOL_VERSION_META_KEY];
  if (!isModernRevision(negotiated) || typeof requested !== "string" || requested === negotiated)
    return;
  throw new UnsupportedProtocolVersionError({ supported: [negotiated], requested });
}

async function listTools(
  app: ServerContext,
  { cursor }: Params,
  context: RequestContext,
): Promise<Result> {
  const sharedCache = app.toolListChanges ? noListCache : listCache;
  const cache = app.listsPerCaller ? callerListCache : sharedCache;
  return { ...(await app.tools.listPage(cursor)), ...(isModernRequest(context) && cache) };
}

async function callToolByName(
  app: ServerContext,
  params: Params,
  context: CallContext,
): Promise<CallToolResult> {
  return callTool(app, app.tools.find(readToolName(params)), params["arguments"], context);
}

/** The result of a call that is not made, with its line in the log. */
function refuseCall(
  app: ServerContext,
  params: Params,
  context: CallContext,
  outcome: CallOutcome,
): Promise<CallToolResult> {
  const tool = app.tools.find(readToolName(params));
  return observeCall(app, tool, context, async () => outcome);
}

/** The revision of a request, if known. Over HTTP, clients before 2025-06-18 do not send it. */
function revisionOf(server: Server, { http }: RequestContext): string | undefined {
  return (
    server.getNegotiatedProtocolVersion() ??
    (http?.req ? (http.req.headers.get("mcp-protocol-version") ?? "2025-03-26") : undefined)
  );
}

function readToolName(params: Params): string {
  if (typeof params["name"] === "string") return params["name"];
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "tools/call needs `name`, the name of a tool.",
  );
}

/** A stored result has a single reader, so caching it is useless. */
const CACHE_HINTS = { ttlMs: 0, cacheScope: "private" } as const;

/**
 * Serves resources of user code, and stored results. These are not listed, because each belongs to
 * the caller who got its link.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
function serveResources(server: Server, app: ServerContext, callContext: CallContextFactory): void {
  const { resources, resourceTemplates } = listResources(app);
  server.setRequestHandler(
    "resources/list",
    { params: passThroughSchema },
    async (params, context) => withCacheHints(onlyPage({ resources }, params), context),
  );
  server.setRequestHandler(
    "resources/templates/list",
    { params: passThroughSchema },
    async (params, context) => withCacheHints(onlyPage({ resourceTemplates }, params), context),
  );
  server.setRequestHandler(
    "resources/read",
    { params: passThroughSchema },
    async (params, context) => {
      const call = callContext(context);
      const own = await readCustomResource(app, params, call);
      const content = own ?? (await resultContents(app, params["uri"], call));
      return withCacheHints({ contents: [content] }, context);
    },
  );
}

function withCacheHints(result: Result, context: RequestContext): Result {
  return isModernRequest(context) ? { ...result, ...CACHE_HINTS } : result;
}

/**
 * Returns the only page.
 * @throws ProtocolError -32602 for any cursor
 */
function onlyPage(page: Result, { cursor }: Params): Result {
  if (isFirstPage(cursor)) return page;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "Invalid cursor: this list has one page.",
  );
}

/** Reads a stored result, or repeats the call that its URI states. */
async function resultContents(
  app: ServerContext,
  uri: Params[string],
  context: CallContext,
): Promise<{ readonly uri: string }> {
  if (typeof uri !== "string")
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "resources/read needs `uri`, the URI of a resource.",
    );
  const { resultStore } = app;
  const stored = await Promise.resolve(resultStore?.read(uri)).catch(
    unlessUnavailable(UNAVAILABLE),
  );
  if (typeof stored === "object") return stored;
  const repeated = await repeatCall(app, uri, context);
  if (repeated?.ok) return { ...repeated.contents, uri };
  if (repeated) throw readFailure(textOfResult(repeated.result));
  if (stored === UNAVAILABLE) throw readFailure(UNAVAILABLE);
  throw new ResourceNotFoundError(uri.slice(0, 200), `Resource not found: ${missingReason(app)}`);
}

function missingReason({ api, resultStore }: ServerContext): string {
  if (!resultStore) return "no resource has this URI.";
  const place = `, and only in the process that produced them (${api.envPrefix}_KEPT_RESULT_BYTES)`;
  const why = `results are stored for ${resultStore.lifetimeText}${resultStore.isShared ? "" : place}`;
  return `${why}. Call the tool again only if it just reads, and request less.`;
}

const UNAVAILABLE = "The store of this server cannot be reached. Try again in a few seconds.";

function readFailure(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InternalError, message);
}

/** Progress notifications of one call. */
export interface Progress {
  report(message: string): void;
  /** Ends the notifications. When it resolves, the result may be sent. */
  end(): Promise<void>;
}

/**
 * Milliseconds between the last notification and the result. Clients of SDK 1 and 2 lose a
 * notification that arrives together with the result.
 */
const GAP_MS = 3;

/**
 * Creates the notifications of a call; `undefined` when the client did not ask for them. A
 * cancelled call sends none.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
 */
export function createProgress({
  mcpReq: { signal, _meta, notify },
  http,
}: Pick<RequestContext, "mcpReq" | "http">): Progress | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  let hasEnded = false;
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    report(message) {
      if (hasEnded || signal.aborted) return;
      reportedAt = performance.now();
      // A failed notification is ignored: the client has disconnected.
      notify({
        method: "notifications/progress",
        params: { progressToken, progress: ++progress, message },
      }).catch(() => {});
    },
    async end() {
      hasEnded = true;
      const remainingMs = http ? 0 : GAP_MS - (performance.now() - reportedAt);
      if (remainingMs > 0) await new Promise((resolve) => setTimeout(resolve, remainingMs));
    },
  };
}
