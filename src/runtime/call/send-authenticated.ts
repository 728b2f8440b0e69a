/** A running call: its context, and its authenticated requests. */
import type { GivenValue } from "../schema/coerce-input.js";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ApprovalSession } from "../approvals/approval-gate.js";
import { requireSent, type WriteGate } from "../approvals/write-gate.js";
import { authenticate, invalidateToken } from "../auth/authenticate.js";
import type { ToolConsent } from "../auth/consent-types.js";
import { isRepeatable } from "../client/failures.js";
import { sendByFetch, sendRequest } from "../client/send.js";
import { isLastingFault } from "../errors/documented-status.js";
import { isLastingError } from "../errors/api-error/effective-status.js";
import {
  type ApiCall,
  type AuthResult,
  type BoundRequest,
  type CallerExchange,
  type CallerExchanges,
  type Deadline,
  type Env,
  type Failure,
  type ForwardedHeader,
  headerIn,
  isFailure,
  type RequestOutcome,
  type ResponseHeaders,
  type SendFunction,
  type SentCredentials,
} from "../request/types.js";
import { credentialHeaderVariables } from "../request/origins.js";
import { secretForms } from "../response/secret-forms.js";
import { type ServerContext, withWholeResults } from "../server/context.js";
import type { CallOrigin } from "../server/call-origin.js";
import { traceHeaders } from "../server/telemetry.js";
import { runBeforeRequest } from "../tools/customizations.js";
import type { AnyTool, CallerInfo, CallInfo } from "../tools/definitions.js";
import { textOfResult, ToolError } from "../tools/tool-error.js";
import type { ServedTool } from "../tools/tool-registry.js";
import type { OperationBinding, ParameterSource } from "../types.js";
import type { TaskSession } from "../tasks/task-ids.js";
import { findMovedCredentials } from "./moved-credentials.js";
import { passGate } from "./pass-gate.js";
import type { RequestRecord } from "./request-record.js";
import { describeMissingPermission } from "./select-operation.js";
import { withServerHeaders } from "./server-headers.js";

interface RequestOptions {
  /** True if a failed request is sent again; true by default. */
  readonly retry?: boolean;
  /** True if a redirect is returned instead of followed. */
  readonly returnRedirects?: boolean;
}

/** A running call with its request. */
type SendableCall = Omit<PreparedCall, "operation">;
type AuthenticatedRequest = Extract<AuthResult, { ok: true }>;
type CredentialsResult =
  | { readonly ok: true; readonly auth: AuthenticatedRequest }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Adds credentials to the request and sends it. When the API rejects a token that this server
 * obtained itself, the token is replaced, and the request is repeated once if it provably had no
 * effect or has none the second time.
 */
export async function sendAuthenticated(
  prepared: SendableCall,
  options: RequestOptions = {},
): Promise<RequestOutcome> {
  const first = await addCredentials(prepared);
  if (!first.ok) return { response: first.failure, secrets: [], retries: 0 };
  const outcome = await sendOnce(prepared, first.auth, options);
  const { response } = outcome;
  const status = isFailure(response) ? undefined : response.status;
  const isRejected = status === 401;
  if (prepared.call.mapping.isSecurityUnstated && (isRejected || status === 403))
    return sendWithLikely(prepared, outcome, options);
  if (isFailure(response) || !isRejected || !invalidateToken(first.auth.request)) return outcome;
  if (!isRepeatable(prepared.call.mapping) && !isTokenRejected(response.headers))
    return withDroppedToken(outcome);
  const second = await addCredentials(prepared);
  if (!second.ok) return { response: second.failure, secrets: outcome.secrets, retries: 0 };
  const repeated = await sendOnce(prepared, second.auth, options);
  return { ...repeated, secrets: [...outcome.secrets, ...repeated.secrets] };
}

/**
 * Repeats a request that was rejected without credentials with those of similar operations, because
 * the document does not state that it needs none.
 */
async function sendWithLikely(
  prepared: SendableCall,
  rejected: RequestOutcome,
  options: RequestOptions,
): Promise<RequestOutcome> {
  const { call, server, context } = prepared;
  const security = call.mapping.likelySecurity ?? server.api.security ?? [];
  const mapping = { ...call.mapping, security };
  const repeated = { ...prepared, call: { ...call, mapping, rejected: call.rejected ?? call } };
  const hadCredentials = (rejected.credentials?.headers ?? []).length > 0;
  if (hadCredentials || context.consent !== undefined) return rejected;
  const added = await addCredentials(repeated);
  if (!added.ok || added.auth.credentials.variables.length === 0) return rejected;
  return sendOnce(repeated, added.auth, options);
}

/** True if the API rejected the token itself, before the request had any effect. RFC 6750, section 3.1. */
function isTokenRejected(headers: ResponseHeaders): boolean {
  const challenge = headers.get("www-authenticate") ?? "";
  return /(?:^|[\s,])error\s*=\s*(?:"invalid_token"|invalid_token(?![^\s,]))/i.test(challenge);
}

function withDroppedToken(outcome: RequestOutcome): RequestOutcome {
  const { variables = [], headers = [] } = outcome.credentials ?? {};
  return { ...outcome, credentials: { variables, headers, isTokenDropped: true } };
}

async function addCredentials(prepared: SendableCall): Promise<CredentialsResult> {
  const { server, call, info, deadline } = prepared;
  const { exchanges, consent } = prepared.context;
  const lacking = describeMissingPermission(server, call.tool, call.mapping);
  if (lacking !== undefined)
    return { ok: false, failure: { kind: "credentials", message: lacking } };
  const exchange = exchangeFor(server.api, exchanges);
  const context = { ...server.apiContext, forwarded: info.forwarded, exchange, consent };
  try {
    const auth = await authenticate(call.request, call.mapping, context, deadline);
    if (auth.ok) {
      server.rememberSecrets?.(ownSecrets(auth.secrets, info));
      return { ok: true, auth };
    }
    return { ok: false, failure: { kind: "credentials", message: auth.message } };
  } catch (error) {
    if (deadline.expired) return { ok: false, failure: deadline.expired };
    throw error;
  }
}

/** Secrets of the server itself. Headers of a caller may have any text, and concern no other caller. */
function ownSecrets(secrets: readonly string[], { forwarded }: CallInfo): readonly string[] {
  const texts = forwarded.flatMap(({ value }) => [value, value.replace(/^\S+ +/, "")]);
  const foreign = new Set(texts.flatMap((text) => secretForms(text)));
  return secrets.filter((secret) => !foreign.has(secret));
}

async function sendOnce(
  { server, info, call, deadline, context }: SendableCall,
  auth: AuthenticatedRequest,
  { retry = true, returnRedirects = false }: RequestOptions,
): Promise<RequestOutcome> {
  const identified = withServerHeaders(auth.request, server);
  const request = await runBeforeRequest(server.hooks, identified, info);
  const moved = findMovedCredentials(request, identified, call, auth, server);
  if (moved !== undefined)
    return {
      response: { kind: "credentials", message: moved },
      secrets: auth.secrets,
      retries: 0,
    };
  await passGate({ server, call, gate: context.gate, auth, request });
  let retries = 0;
  const traced = { ...request, headers: withTrace(request.headers, context) };
  const response = await sendRequest(traced, {
    deadline,
    onRetry: (ms) => {
      retries++;
      context.progress?.(`Retrying in ${Math.ceil(ms / 1000)} s.`);
    },
    semaphore: server.semaphore,
    circuits: server.circuits,
    caller: context.caller ?? "",
    tool: call.tool.name,
    onPermit: (waitedMs) => context.requests?.addQueueTime(waitedMs),
    send: recordedSend(server, call, context, auth),
    maxBytes: server.settings.maxResponseBytes,
    retries: retry,
    isRepeatable: isRepeatable(call.mapping),
    isFinal: (failed) => isLastingFault(call, failed.status) || isLastingError(failed),
    keepRedirects: returnRedirects,
  });
  const sent = withSecretParameters(auth.credentials, call, server.apiContext.env);
  const credentials = { ...sent, hasBareAuthorization: hasBareAuthorization(auth.request) };
  return { response, secrets: auth.secrets, credentials, retries };
}

/** Adds the trace of the client, unless the request has one. Approvals do not cover it. */
function withTrace(
  headers: BoundRequest["headers"],
  { carrier }: CallContext,
): BoundRequest["headers"] {
  const hasTrace = headerIn(headers, "traceparent") !== undefined;
  return hasTrace ? headers : [...headers, ...traceHeaders(carrier)];
}

/** The function that sends the request, and records it with the call that it belongs to. */
function recordedSend(
  { apiContext }: ServerContext,
  { mapping }: ApiCall,
  { requests }: CallContext,
  { secrets, wrapSend }: AuthenticatedRequest,
): SendFunction {
  const { send: plain = sendByFetch } = apiContext.platform ?? {};
  const send = wrapSend ? wrapSend(plain) : plain;
  requests?.addSecrets(secrets);
  return requests ? requests.recording(send, mapping) : send;
}

/**
 * Records that the base URL, the credentials and the IDs of a call work.
 * @param body JSON of the response
 */
export function recordSuccess(sendable: SendableCall, body?: unknown): void {
  const { server, call } = sendable;
  server.successes.add(call, call.credentials, usesOwnCredentials(sendable), body);
}

/** Records that the API failed at a request, unless only one caller may know. */
export function recordFault(sendable: SendableCall, status: number): void {
  const { server, call } = sendable;
  if (status >= 500 && usesOwnCredentials(sendable)) server.successes.addFault(call, status);
}

/** True if the server sends credentials of its own, so that an outcome concerns all callers. */
function usesOwnCredentials({ server, info, context }: SendableCall): boolean {
  const isExchanged = exchangeFor(server.api, context.exchanges) !== undefined;
  const isForwarded = info.forwarded.some(({ value }) => value !== "");
  return !isExchanged && context.consent === undefined && !isForwarded;
}

/**
 * Adds the keys that no security scheme declares: those that the request has as parameters, and
 * those of configured headers.
 */
function withSecretParameters(
  sent: SentCredentials,
  { api, mapping }: ApiCall,
  env: Env,
): SentCredentials {
  const sources = [mapping.query, mapping.headers, mapping.cookies, mapping.pathParams];
  const names = sources.flatMap((location) => Object.values(location ?? {}).flatMap(variableOf));
  const secrets = names.filter((name) => api.secretParameters?.includes(name));
  const added = [...secrets, ...credentialHeaderVariables(api)].filter((name) => env[name]);
  return { ...sent, variables: [...sent.variables, ...added] };
}

function hasBareAuthorization({ headers }: BoundRequest): boolean {
  return /^\S+$/.test((headerIn(headers, "Authorization") ?? "").trim());
}

function variableOf(source: ParameterSource): readonly string[] {
  return typeof source === "object" && "env" in source ? [source.env] : [];
}

/** The last page of a call on which a user can pay. */
export interface PaymentRequests {
  page?: { readonly url: string; readonly tool: string };
}

/** Context of a call: the parts of the protocol request other than its arguments. */
export interface CallContext extends CallOrigin {
  /** User and scopes of the caller's access token. */
  readonly callerInfo?: Omit<CallerInfo, "id">;
  /** Aborted when the client cancels the call. */
  readonly signal?: AbortSignal;
  /** Reports progress to a client that asked for it. */
  progress?(message: string): void;
  /** Headers of the client's request that are passed on to the API. */
  readonly forwarded?: readonly ForwardedHeader[];
  /** Exchange of the caller's token for those of the APIs. */
  readonly exchanges?: CallerExchanges;
  /** Consent of the user behind the caller. */
  readonly consent?: ToolConsent;
  /** Approvals of the user. Absent: nobody can be asked. */
  readonly approvals?: ApprovalSession | undefined;
  /** True if the rate limiter has counted the call before. */
  readonly isCounted?: boolean;
  /** Decides about the writes of the call, and of those within it. Absent: all are sent. */
  readonly gate?: WriteGate | undefined;
  /** Present if the client can follow work as a task, which the call then starts in place of waiting. */
  readonly tasks?: TaskSession | undefined;
  /** Takes the page on which the API demands payment. */
  readonly payments?: PaymentRequests;
  /** Requests of the call. A call that is a part of another one adds its own. */
  readonly requests?: RequestRecord;
  /** Text of the tool's inputs, for an agent that has not read the schema. */
  signature?(): Promise<string>;
}

/** A call whose tool runs. */
export interface RunningCall {
  readonly server: ServerContext;
  readonly info: CallInfo;
  readonly deadline: Deadline;
  readonly context: CallContext;
  /** Booleans and numbers that became text, because the tool declares that. */
  readonly givenValues?: readonly GivenValue[];
  /** Integers beyond 2^53 that the input has as texts, and requests in full. */
  readonly largeIntegers?: readonly GivenValue[];
  /** True if names in its input are not looked up, because that was done or it is a lookup. */
  readonly hasLookedUp?: true;
  /** Inputs whose IDs were found by a name. */
  readonly foundInputs?: readonly string[];
}

/** A call whose request is ready to be sent. */
export interface PreparedCall extends RunningCall {
  readonly call: ApiCall;
  readonly operation: OperationBinding;
}

type CallTool = (
  server: ServerContext,
  tool: ServedTool,
  args: unknown,
  context: CallContext,
) => Promise<CallToolResult>;

/** The information about a call that hooks and custom tools get. */
export function createCallInfo(
  server: ServerContext,
  tool: AnyTool,
  input: CallInfo["input"],
  deadline: Deadline,
  context: CallContext,
  callTool: CallTool,
): CallInfo {
  const call = async (
    one: ServerContext,
    called: ServedTool,
    nested: unknown,
  ): Promise<CallToolResult> => {
    // The gate asks for nested calls. Their inputs and results are those of the code.
    const { approvals: _, tasks: __, ...inner } = context;
    const result = await callTool(one, called, nested, { ...inner, signal: deadline.signal });
    requireSent(context.gate, called.name);
    return result;
  };
  return {
    tool: tool as CallInfo["tool"],
    input,
    env: server.apiContext.env,
    get signal() {
      return deadline.signal;
    },
    forwarded: forwardedTo(tool, context.forwarded),
    progress: (message) => context.progress?.(message),
    callTool: async (name, nested) => call(server, findForCode(server, name), nested),
    tools: toolCalls(server, call),
    caller: { id: context.caller ?? "", ...context.callerInfo },
    log: callLog(server, tool.name),
  };
}

/**
 * Finds a tool for code of the project, which may call hidden ones.
 * @throws ProtocolError for an unknown name
 */
const findForCode = ({ tools }: ServerContext, name: string): ServedTool =>
  tools.get(name) ?? tools.find(name);

/** The exchange of the caller's token for one of an API. */
export function exchangeFor(
  { envPrefix }: Pick<ServerContext["api"], "envPrefix">,
  exchanges: CallContext["exchanges"],
): CallerExchange | undefined {
  const settings = exchanges?.settings.get(envPrefix);
  return exchanges && settings && { token: exchanges.token, settings };
}

/** Headers of the client that are forwarded to the API of a tool. */
export function forwardedTo(
  { api: own }: { readonly api?: string },
  forwarded: CallContext["forwarded"] = [],
): readonly ForwardedHeader[] {
  return forwarded.filter(({ api }) => own === undefined || api === own);
}

/** Functions that call tools by name. Results are not truncated, because code reads them. */
function toolCalls(
  server: ServerContext,
  call: (server: ServerContext, tool: ServedTool, input: unknown) => Promise<CallToolResult>,
): CallInfo["tools"] {
  const whole = withWholeResults(server);
  const callByName = async (name: string, input: unknown): Promise<unknown> => {
    const result = await call(whole, findForCode(server, name), input);
    if (result.isError) throw new ToolError(textOfResult(result), result);
    return result.structuredContent ?? textWithFiles(name, result);
  };
  return new Proxy({} as CallInfo["tools"], {
    // An object with a function `then` would be a promise.
    get: (_, name) =>
      typeof name === "symbol" || name === "then"
        ? undefined
        : (input: unknown) => callByName(name, input),
  });
}

/** The text of a result. Code gets no files, and says so to the agent. */
function textWithFiles(name: string, result: CallToolResult): string {
  const text = textOfResult(result);
  const hasFile = result.content.some(({ type }) => /^(?:resource|image|audio)$/.test(type));
  const note = hasFile ? `The content is left out here: call ${name} alone to get it.` : "";
  return [text, note].filter(Boolean).join(" ");
}

/** The log of the server, with the name of the tool in each line. */
function callLog({ log }: ServerContext, tool: string): CallInfo["log"] {
  const line =
    (level: keyof CallInfo["log"]) =>
    (message: string): void =>
      log[level](`${tool}: ${message}`);
  return { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
}
