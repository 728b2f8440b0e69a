import type { App } from "./app.js";
import { authenticate, forgetToken } from "./auth/index.js";
import type { AuthResult, BoundRequest } from "./bind/types.js";
import { bind } from "./bind/index.js";
import type { CallContext } from "./call.js";
import { conclude } from "./conclude.js";
import { type Ended, failed } from "./ended.js";
import { type Call, notSent, readerOf } from "./errors/index.js";
import { withLocalFiles } from "./files/uploads.js";
import type { CallInfo } from "./hooks.js";
import { requestByOwner } from "./owner.js";
import { followPages } from "./pages/index.js";
import { type LookUp, resolveNames } from "./resolve.js";
import {
  type ApiResponse,
  type Deadline,
  type Failure,
  isFailure,
  isRepeatable,
  sendRequest,
} from "./send/index.js";
import { clean } from "./shape/index.js";
import type { RequestBinding } from "./types.js";
import { chooseRequest } from "./variant.js";

/** Everything that is known about one call whose request is ready to go out. */
export interface Ready {
  readonly app: App;
  readonly info: CallInfo;
  readonly call: Call;
  readonly binding: RequestBinding;
  readonly deadline: Deadline;
  readonly context: CallContext;
}

/** What came of a request, and what must not be repeated from it. */
export interface Outcome {
  readonly answer: ApiResponse | Failure;
  readonly secrets: readonly string[];
  readonly retries: number;
}

/**
 * Serves a call by a request to the API: choose → bind → authenticate → send → read → shape. The
 * input is already validated.
 */
export async function requestTool(
  app: App,
  info: CallInfo,
  deadline: Deadline,
  context: CallContext,
): Promise<Ended> {
  const { tool, input } = info;
  const chosen = chooseRequest(tool, input);
  if (!chosen.ok) return failed("invalid", clean(notSent(tool, chosen.problems)));
  const { send, resolve } = chosen.request;
  const named = resolve
    ? await resolveNames(app, tool, input, resolve, lookUpWith(app, info, deadline, context))
    : { ok: true as const, input };
  if (!named.ok) return named.ended;
  const given = app.files && send.body ? await withLocalFiles(named.input, send, app.files) : named;
  if (!given.ok) return failed("invalid", clean(notSent(tool, given.problems)));
  const bound = bind(send, given.input, app.context);
  if (!bound.ok) return failed("invalid", clean(notSent(tool, bound.problems)));
  const call: Call = {
    api: app.api,
    tool,
    input: named.input,
    send,
    request: bound.request,
    reader: () => readerOf(tool.name, app.api.namespace, app.catalogue.has),
  };
  const ready: Ready = { app, info, call, binding: chosen.request, deadline, context };
  const outcome = await exchange(ready);
  if (chosen.request.pages?.maxItems === undefined) return conclude(ready, outcome);
  const paged = await followPages(ready, outcome, exchange);
  return conclude(ready, paged ? { ...outcome, ...paged } : outcome, paged);
}

/**
 * Calls within a call, as `resolve` needs them. Names are told by comparing them with all there
 * are: only the API's answers are limited, not what is shown of them.
 */
export function lookUpWith(
  app: App,
  info: CallInfo,
  deadline: Deadline,
  context: CallContext,
): LookUp {
  const roomy: App = {
    ...app,
    settings: { ...app.settings, maxResultCharacters: app.settings.maxResponseBytes },
  };
  return (via, input) => {
    context.progress?.(`Looking it up with ${via.name}.`);
    return requestTool(roomy, { ...info, tool: via as CallInfo["tool"], input }, deadline, context);
  };
}

/** How a request is sent that is one of several. */
export interface ExchangeHow {
  /** False: whoever asks decides about trying again. */
  readonly retries?: boolean;
  /** A redirect is an answer like any other. */
  readonly keepRedirects?: boolean;
}

/**
 * Sends with credentials. A token that was obtained here, and that the API does not take any more,
 * is replaced once.
 */
export async function exchange(
  ready: Omit<Ready, "binding">,
  how: ExchangeHow = {},
): Promise<Outcome> {
  const first = await credentials(ready);
  if (!first.ok) return refused(first.failure);
  const outcome = await send(ready, first.auth, how);
  const { answer } = outcome;
  if (isFailure(answer) || answer.status !== 401 || !forgetToken(first.auth.request))
    return outcome;
  const second = await credentials(ready);
  return second.ok ? send(ready, second.auth, how) : outcome;
}

function refused(failure: Failure): Outcome {
  return { answer: failure, secrets: [], retries: 0 };
}

type Credentials =
  | { readonly ok: true; readonly auth: Extract<AuthResult, { ok: true }> }
  | { readonly ok: false; readonly failure: Failure };

async function credentials({
  app,
  call,
  info,
  deadline,
}: Omit<Ready, "binding">): Promise<Credentials> {
  try {
    const auth = await authenticate(
      call.request,
      call.send,
      { ...app.context, forwarded: info.forwarded },
      deadline,
    );
    return auth.ok
      ? { ok: true, auth }
      : { ok: false, failure: { kind: "credentials", message: auth.message } };
  } catch (error) {
    if (deadline.over) return { ok: false, failure: deadline.over };
    throw error;
  }
}

async function send(
  { app, info, call, deadline, context }: Omit<Ready, "binding">,
  auth: Extract<AuthResult, { ok: true }>,
  how: ExchangeHow,
): Promise<Outcome> {
  const named = withUserAgent(auth.request, app.userAgent);
  const request = await requestByOwner(app.hooks, named, info);
  let retries = 0;
  const onRetry = (ms: number): void => {
    retries++;
    context.progress?.(`Trying again in ${Math.ceil(ms / 1000)} s.`);
  };
  const answer = await sendRequest(request, {
    deadline,
    onRetry,
    slots: app.slots,
    tls: auth.tls,
    send: app.context.platform?.send,
    maxBytes: app.settings.maxResponseBytes,
    retries: how.retries !== false,
    repeatable: isRepeatable(call.send),
    ...(how.keepRedirects === true && { keepRedirects: true }),
  });
  return { answer, secrets: auth.secrets, retries };
}

/** Says who calls, unless the document or the owner does. */
function withUserAgent(request: BoundRequest, userAgent: string): BoundRequest {
  if (request.headers.some(([header]) => header.toLowerCase() === "user-agent")) return request;
  return { ...request, headers: [["User-Agent", userAgent], ...request.headers] };
}
