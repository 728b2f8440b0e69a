import type { ServerContext } from "../server/context.js";
import { authenticate, forgetToken } from "../auth/authenticate.js";
import type { AuthResult, BoundRequest } from "../request/types.js";
import { bindRequest } from "../request/bind-request.js";
import type { CallContext } from "./call-tool.js";
import { buildResult } from "./build-result.js";
import { type CallOutcome, errorResult } from "./outcome.js";
import { type ApiCall, invalidInputText, findVerificationTool } from "../errors/explain-failure.js";
import { readLocalFiles } from "../files/local-files.js";
import type { CallInfo } from "../tools/hooks.js";
import { runBeforeRequest } from "../tools/customizations.js";
import { followPages } from "../pagination/follow-pages.js";
import { type LookUp, resolveNames } from "./resolve-names.js";
import {
  type ApiResponse,
  type Deadline,
  type Failure,
  isFailure,
  isRepeatable,
} from "../client/index.js";
import { sanitize } from "../response/tool-result.js";
import type { OperationBinding } from "../types.js";
import { selectOperation } from "./select-operation.js";
import { sendRequest } from "../client/send.js";

/** Everything that is known about one call whose request is ready to go out. */
export interface PreparedCall {
  readonly app: ServerContext;
  readonly info: CallInfo;
  readonly call: ApiCall;
  readonly binding: OperationBinding;
  readonly deadline: Deadline;
  readonly context: CallContext;
}

/** What came of a request, and what must not be repeated from it. */
export interface RequestOutcome {
  readonly response: ApiResponse | Failure;
  readonly secrets: readonly string[];
  readonly retries: number;
}

/**
 * Serves a call by a request to the API: choose → bind → authenticate → send → read → shape. The
 * input is already validated.
 */
export async function callOperation(
  app: ServerContext,
  info: CallInfo,
  deadline: Deadline,
  context: CallContext,
): Promise<CallOutcome> {
  const { tool, input } = info;
  const selection = selectOperation(tool, input);
  if (!selection.ok)
    return errorResult("invalid", sanitize(invalidInputText(tool, selection.problems)));
  const { request, resolve } = selection.operation;
  const resolved = resolve
    ? await resolveNames(app, tool, input, resolve, createLookUp(app, info, deadline, context))
    : { ok: true as const, input };
  if (!resolved.ok) return resolved.outcome;
  const withFiles =
    app.files && request.body ? await readLocalFiles(resolved.input, request, app.files) : resolved;
  if (!withFiles.ok)
    return errorResult("invalid", sanitize(invalidInputText(tool, withFiles.problems)));
  const bound = bindRequest(request, withFiles.input, app.apiContext);
  if (!bound.ok) return errorResult("invalid", sanitize(invalidInputText(tool, bound.problems)));
  const call: ApiCall = {
    api: app.api,
    tool,
    input: resolved.input,
    mapping: request,
    request: bound.request,
    verificationTool: () => findVerificationTool(tool.name, app.api.namespace, app.tools.has),
  };
  const prepared: PreparedCall = {
    app,
    info,
    call,
    binding: selection.operation,
    deadline,
    context,
  };
  const outcome = await sendAuthenticated(prepared);
  if (selection.operation.pagination?.maxItems === undefined) return buildResult(prepared, outcome);
  const pages = await followPages(prepared, outcome, sendAuthenticated);
  return buildResult(prepared, pages ? { ...outcome, ...pages } : outcome, pages);
}

/**
 * Calls within a call, as `resolve` needs them. Names are told by comparing them with all there
 * are: only the API's answers are limited, not what is shown of them.
 */
export function createLookUp(
  app: ServerContext,
  info: CallInfo,
  deadline: Deadline,
  context: CallContext,
): LookUp {
  const unlimited: ServerContext = {
    ...app,
    settings: { ...app.settings, maxResultCharacters: app.settings.maxResponseBytes },
  };
  return (via, input) => {
    context.progress?.(`Looking it up with ${via.name}.`);
    return callOperation(
      unlimited,
      { ...info, tool: via as CallInfo["tool"], input },
      deadline,
      context,
    );
  };
}

/** How a request is sent that is one of several. */
export interface RequestOptions {
  /** False: whoever asks decides about trying again. */
  readonly retry?: boolean;
  /** A redirect is an answer like any other. */
  readonly returnRedirects?: boolean;
}

/**
 * Sends with credentials. A token that was obtained here, and that the API does not take any more,
 * is replaced once.
 */
export async function sendAuthenticated(
  prepared: Omit<PreparedCall, "binding">,
  options: RequestOptions = {},
): Promise<RequestOutcome> {
  const first = await obtainCredentials(prepared);
  if (!first.ok) return credentialsOutcome(first.failure);
  const outcome = await sendOnce(prepared, first.auth, options);
  const { response } = outcome;
  if (isFailure(response) || response.status !== 401 || !forgetToken(first.auth.request))
    return outcome;
  const second = await obtainCredentials(prepared);
  return second.ok ? sendOnce(prepared, second.auth, options) : outcome;
}

function credentialsOutcome(failure: Failure): RequestOutcome {
  return { response: failure, secrets: [], retries: 0 };
}

type CredentialsResult =
  | { readonly ok: true; readonly auth: Extract<AuthResult, { ok: true }> }
  | { readonly ok: false; readonly failure: Failure };

async function obtainCredentials({
  app,
  call,
  info,
  deadline,
}: Omit<PreparedCall, "binding">): Promise<CredentialsResult> {
  try {
    const auth = await authenticate(
      call.request,
      call.mapping,
      { ...app.apiContext, forwarded: info.forwarded },
      deadline,
    );
    return auth.ok
      ? { ok: true, auth }
      : { ok: false, failure: { kind: "credentials", message: auth.message } };
  } catch (error) {
    if (deadline.expired) return { ok: false, failure: deadline.expired };
    throw error;
  }
}

async function sendOnce(
  { app, info, call, deadline, context }: Omit<PreparedCall, "binding">,
  auth: Extract<AuthResult, { ok: true }>,
  options: RequestOptions,
): Promise<RequestOutcome> {
  const identified = withUserAgent(auth.request, app.userAgent);
  const request = await runBeforeRequest(app.hooks, identified, info);
  let retries = 0;
  const onRetry = (ms: number): void => {
    retries++;
    context.progress?.(`Trying again in ${Math.ceil(ms / 1000)} s.`);
  };
  const answer = await sendRequest(request, {
    deadline,
    onRetry,
    semaphore: app.semaphore,
    tls: auth.tls,
    send: app.apiContext.platform?.send,
    maxBytes: app.settings.maxResponseBytes,
    retries: options.retry !== false,
    isRepeatable: isRepeatable(call.mapping),
    ...(options.returnRedirects === true && { keepRedirects: true }),
  });
  return { response: answer, secrets: auth.secrets, retries };
}

/** Says who calls, unless the document or the owner does. */
function withUserAgent(request: BoundRequest, userAgent: string): BoundRequest {
  if (request.headers.some(([header]) => header.toLowerCase() === "user-agent")) return request;
  return { ...request, headers: [["User-Agent", userAgent], ...request.headers] };
}
