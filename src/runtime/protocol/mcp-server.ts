/** The MCP server of a connection: its handlers for tools, resources and progress. */
import {
  type CallToolResult,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext as RequestContext,
  ResourceNotFoundError,
  type Result,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/server";
import type { ApprovalSession } from "../approvals/approval-gate.js";
import type { UserConsent } from "../auth/consent-types.js";
import { callTool, repeatCall } from "../call/call-tool.js";
import type { CallContext, PaymentRequests } from "../call/send-authenticated.js";
import { omitUndefined } from "../data/values.js";
import type { ServerContext } from "../server/context.js";
import type { CallOrigin, McpConnection, TraceCarrier } from "../server/call-origin.js";
import { observeCall } from "../server/telemetry.js";
import { type CallOutcome, errorResult } from "../tools/definitions.js";
import type { TaskSession } from "../tasks/task-ids.js";
import { unlessUnavailable } from "../store/types.js";
import { isFirstPage } from "../tools/tool-registry.js";
import {
  adaptToRevision,
  isModernRequest,
  isModernRevision,
  type Params,
  passThroughSchema,
} from "./messages.js";
import { textOfResult } from "../tools/tool-error.js";
import { callWithApproval } from "./approval.js";
import {
  type CallContextFactory,
  listResources,
  readCustomResource,
  servePrompts,
} from "./custom-content.js";
import { awaitConsent, elicitConsent, prepareConsent } from "./consent.js";
import { elicitPayment, unpaidText } from "./payment.js";
import { createTask, serveTasks, supportsTasks, tasksCapability } from "./tasks.js";

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
