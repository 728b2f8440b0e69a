// call: files of the runtime of mcp-gen as one module, each after those that it uses.

import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import {
  authenticate, foreignOriginFailure, invalidateToken, scopeAlternatives, type ToolConsent,
  ungrantedScopes,
} from "./auth.js";
import {
  isPossibleWrite, isRateLimitExhausted, isRepeatable, isWrite, type RateLimit, retryAfter,
  sendByFetch, sendRequest, startDeadline,
} from "./client.js";
import {
  beginningOf, canParseUrl, essence, isEmptyValue, isForm, isJson, isMultipart, isObject,
  isSequence, joinFirst, nearestNames, omitUndefined, ownProperty, parseContainerText,
  parseContentType, parseJsonText, pause, runWithPauses, valueAt,
} from "./data.js";
import {
  type ApiErrorByInput, asksForBody, documentedStatus, explainFailure, extractApiError,
  failsWithoutBody, findErrorIn, formatInput, formatSeconds, hasUniqueItems, INTERNAL_ERROR,
  invalidInputText, isEmbeddedError, isLastingError, isLastingFault, mapErrorsToInputs,
  needsSecondCall, paymentPage, quoteInput, readDemands, rejectedIds, singleItem, takesEmptyBody,
  type ToolInputs,
} from "./errors.js";
import {
  type CollectedPages, followPages, isRoundCount, listFacts, nextPageHint, type NextPageHint,
  possibleRest, repeatedPageNote,
} from "./pagination.js";
import {
  type ApiCall, type ApiResponse, type AuthResult, bindRawRequest, bindRequest, type BindResult,
  type BoundRequest, type CallerExchange, type CallerExchanges, credentialHeaderVariables,
  type Deadline, encodingOf, type Env, type Failure, type ForwardedHeader, hasStyle, headerIn,
  headerValue, inputOf, inputOfPath, type InputProblem, isFailure, isSuccess, jsonInputs,
  mappedInputs, mayHoldCredential, queryInputs, readLocalFiles, readRawRequest, receivesCredentials,
  type RequestOutcome, type ResponseHeaders, secretConstants, type SendFunction,
  type SentCredentials,
} from "./request.js";
import {
  addFacts, addResultNote, addValues, coercionFacts, contentsOf, createToolResultInSteps,
  type DecodedContent, decodeInSteps, digestOf, type ExpectedContent, type FullResult, jsonOf,
  linkFullResult, mergeFacts, readCall, type Redact, redactWithNote, type ResultFacts,
  type ResultStore, sanitize, secretForms, type StoredContents, type ToolResult,
  type ToolResultOptions, withCall,
} from "./response.js";
import {
  coerceOutput, describeProblem, formatPath, type GivenValue, isSecretField, type PathSegment,
  propertiesOf, propertySchema, schemasAt, targetOf, validatorFor,
} from "./schema.js";
import {
  type ApprovalSession, type CallOrigin, contextOfTool, needsApproval, observeCall, requireSent,
  type ServerContext, type TaskSession, traceHeaders, withheldOutcome, withResultLimit,
  withWholeResults, type WriteGate,
} from "./server.js";
import {
  type AnyTool, type BuiltInTool, type CallerInfo, type CallInfo, type CallOutcome,
  describeLackingScopes, errorResult, type InputChanges, isIdentifier, isPartialUpdate, isToolError,
  offerFor, type PreparedInput, prepareDoubtful, type RepeatedResult, replaceParts,
  type ResponseContent, runAfterResponse, runBeforeRequest, runCustomTool, runMapError,
  runResultHook, type ServedTool, StoppedCall, stoppedOutcome, textOfResult, ToolError,
  type ToolRegistry, undocumentedFields, UUID, type ValidInput, withLargeIntegers,
} from "./tools.js";
import type {
  BodyMapping, CalledTool, FieldEncoding, IdLookUp, IncludedLists, InputSource, ItemNames,
  JsonSchema, ListedId, OperationBinding, ParameterSource, ReadBack, RequestMapping,
  ResponseMapping, SeveralIds, ToolDefinition, ToolInput,
} from "./types.js";

// ---- call/moved-credentials.ts ----
// Credentials in a request that a hook has moved to another origin.

type MovableCredentials = Pick<
  Extract<AuthResult, { ok: true }>,
  "request" | "secrets" | "wrapSend"
>;

/**
 * Explains why a request is not sent that a hook has moved to another origin with credentials of
 * the API. A hook may send values of its own anywhere.
 * @param given the request that the hook got
 * @param call the call, with the request before credentials were added
 */
export function findMovedCredentials(
  request: BoundRequest,
  given: BoundRequest,
  call: Pick<ApiCall, "mapping" | "request">,
  auth: MovableCredentials,
  server: ServerContext,
): string | undefined {
  const { url } = request;
  if (url === given.url || !canParseUrl(url)) return undefined;
  if (new URL(url).origin === new URL(given.url).origin) return undefined;
  if (receivesCredentials(url, server.apiContext)) return undefined;
  const carriesCredentials =
    auth.wrapSend !== undefined ||
    hasAddedPart(request, auth.request, call.request) ||
    hasCredential(request, [...auth.secrets, ...secretConstants(call.mapping)], server);
  return carriesCredentials ? foreignOriginFailure(url, server.apiContext).message : undefined;
}

/** True if a request has a header or a query parameter that authentication added. */
function hasAddedPart(request: BoundRequest, sent: BoundRequest, bound: BoundRequest): boolean {
  const [own, before] = [new Set(partsOf(request)), new Set(partsOf(bound))];
  return partsOf(sent).some((part) => !before.has(part) && own.has(part));
}

const partsOf = ({ url, headers }: BoundRequest): readonly string[] => [
  ...headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`),
  ...[...new URL(url).searchParams].map(([name, value]) => `?${name}=${value}`),
];

function hasCredential(
  { url, headers, body }: BoundRequest,
  secrets: readonly string[],
  { api, apiContext, redactorFor }: ServerContext,
): boolean {
  const redact = redactorFor(secrets);
  const content =
    typeof body === "string" || body === undefined ? body : new TextDecoder().decode(body);
  const texts = [url, ...headers.flat(), ...(content === undefined ? [] : [content])];
  if (texts.some((text) => redact(text) !== text)) return true;
  const constants = Object.entries(api.headers ?? {}).filter((one) => mayHoldCredential(one, api));
  return constants.some(([name, source]) =>
    headers.some(
      ([other, sent]) =>
        other.toLowerCase() === name.toLowerCase() && sent === headerValue(source, apiContext.env),
    ),
  );
}

// ---- call/pass-gate.ts ----
// Stands in for the gate before writes: this project neither asks nor has dry runs.

export async function passGate(..._: readonly unknown[]): Promise<void> {}

// ---- call/created-id.ts ----
// The ID of a thing that a request has created.

type Created = NonNullable<ReadBack["created"]>;

/** Finds the ID in the header `Location`, else in the body. RFC 9110, section 15.3.2. */
export function createdId(
  created: Created,
  headers: Pick<ResponseHeaders, "get">,
  body: unknown,
): string | number | undefined {
  return idInLocation(created, headers.get("location") ?? "") ?? idInBody(created, body);
}

/** The segment after the collection, at the end of the URL's path. Other paths lead elsewhere. */
function idInLocation({ collection }: Created, location: string): string | undefined {
  if (location === "") return undefined;
  try {
    const { pathname } = new URL(location, "http://localhost/");
    const [id, before] = pathname.split("/").filter(Boolean).toReversed().map(decodeURIComponent);
    return before === collection ? id : undefined;
  } catch {
    return undefined;
  }
}

function idInBody(created: Created, body: unknown): string | number | undefined {
  if (typeof body === "string" || typeof body === "number") return body;
  if (!isObject(body)) return undefined;
  const inner = Object.values(body).filter(isObject);
  for (const object of inner.length === 1 ? [body, inner[0]!] : [body]) {
    for (const field of created.fields) {
      const value = fieldValue(object, field);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

/** `pet_id` is `petId`, too. */
const normalized = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

function fieldValue(
  object: Readonly<Record<string, unknown>>,
  field: string,
): string | number | undefined {
  const entry = Object.entries(object).find(([name]) => normalized(name) === normalized(field));
  const value = entry?.[1];
  return (typeof value === "string" && value !== "") || typeof value === "number"
    ? value
    : undefined;
}

// ---- call/effects.ts ----
// Effects of the calls within one that failed, and the calls that revert them.

/** A write that took effect. */
export interface Effect {
  readonly tool: string;
  /** Call that reverts it: `delete_pet with petId "p1"`. */
  readonly revert?: string;
}

/** A successful request of a creation. */
interface Creation {
  readonly url: string;
  readonly headers: Pick<ResponseHeaders, "get">;
  readonly body: unknown;
}

/** The call that removes what a request has created; undefined if the server offers none. */
export function revertingCall(
  tools: Pick<ToolRegistry, "get">,
  { revert, readBack }: Pick<OperationBinding, "revert" | "readBack">,
  { url, headers, body }: Creation,
): string | undefined {
  const tool = revert === undefined ? undefined : tools.get(revert);
  const id = readBack?.created && createdId(readBack.created, headers, body);
  if (!tool || !("operations" in tool) || id === undefined) return undefined;
  const path = `${new URL(url).pathname.replace(/\/$/, "")}/${encodeURIComponent(id)}`;
  const input = inputOfPath(tool as ToolDefinition, path);
  if (!input) return undefined;
  const values = Object.entries(input).map(([name, value]) => `${name} ${quoteInput(name, value)}`);
  return `${tool.name} with ${values.join(" and ")}`;
}

/** Sentence about calls that revert effects, the latest first. It is a hint: the user decides. */
export function revertText(reverts: readonly (string | undefined)[]): readonly string[] {
  const calls = reverts.flatMap((one) => one ?? []).toReversed();
  if (calls.length === 0) return [];
  return [`Only if the user wants to undo it: call ${[...new Set(calls)].join(", then ")}.`];
}

/** Maximum number of effects that are listed. */
const MAX_EFFECTS = 20;

/** Lines about the writes of a call whose code failed after them. */
export function effectLines(effects: readonly Effect[]): readonly string[] {
  if (effects.length === 0) return [];
  const listed = effects.slice(-MAX_EFFECTS);
  const names = [...new Set(listed.map(({ tool }) => tool))].join(", ");
  return [
    `Took effect before, do not repeat: ${names}.`,
    ...revertText(listed.map(({ revert }) => revert)),
  ];
}

// ---- call/request-record.ts ----
// The requests that a call has sent to the API, for its result and for the log.

/** A request. The status is absent without a response. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly status?: number;
}

interface Entry {
  readonly method: string;
  /** Path of the URL, without its query. */
  readonly path: string;
  /** Path as the document has it, without values of the call. */
  readonly template: string;
  status?: number;
}

/** Maximum number of listed requests. Of more, the first and the last ones are listed. */
const MAX_LISTED = 20;

/** Keys in the `_meta` of a result. The prefix belongs to this project. MCP 2026-07-28, "_meta". */
const REQUESTS = "dev.mcp-gen/requests";
const REQUEST_COUNT = "dev.mcp-gen/requestCount";

/** Every request of a call: also those of retries, redirects, pages, lookups and nested calls. */
export class RequestRecord {
  private readonly entries: Entry[] = [];
  private readonly secrets = new Set<string>();
  private queueMs = 0;
  private readonly written: Effect[] = [];

  /** @param outer record of the call that this call is a part of */
  constructor(private readonly outer?: RequestRecord) {}

  /** A function that sends requests and records them. */
  recording(send: SendFunction, { path, isRaw }: RequestMapping): SendFunction {
    // The path of a raw request is an argument of its call.
    const template = isRaw ? "/{path}" : path;
    return async (request, options) => {
      const { method, url } = request;
      const entry: Entry = { method, path: new URL(url).pathname, template };
      this.add(entry);
      const response = await send(request, options);
      entry.status = response.status;
      return response;
    };
  }

  /** Adds a write that took effect. */
  addEffect(effect: Effect): void {
    this.written.push(effect);
    this.outer?.addEffect(effect);
  }

  /** Writes that took effect, in their order. */
  get effects(): readonly Effect[] {
    return this.written;
  }

  /** Adds secrets of requests, which no result may have. */
  addSecrets(secrets: readonly string[]): void {
    for (const secret of secrets) this.secrets.add(secret);
    this.outer?.addSecrets(secrets);
  }

  /** Adds the time that a request waited for its turn, in milliseconds. */
  addQueueTime(ms: number): void {
    this.queueMs += ms;
    this.outer?.addQueueTime(ms);
  }

  /** The requests for the log, with paths of the document instead of those that were sent. */
  forLog(): RequestCounts & { readonly queueMs?: number } {
    const queueMs = Math.round(this.queueMs);
    return { ...(queueMs > 0 && { queueMs }), ...this.list(({ template }) => template) };
  }

  /** Adds the requests to the `_meta` of a result, if there are any. */
  addTo(result: CallToolResult, { redactorFor }: Redaction): CallToolResult {
    if (this.entries.length === 0) return result;
    const redact = redactorFor([...this.secrets]);
    const { requests, requestCount } = this.list(({ path }) => redact(path));
    const count = requestCount === undefined ? {} : { [REQUEST_COUNT]: requestCount };
    return { ...result, _meta: { ...result._meta, [REQUESTS]: requests, ...count } };
  }

  private add(entry: Entry): void {
    this.entries.push(entry);
    this.outer?.add(entry);
  }

  private list(pathOf: (entry: Entry) => string): RequestCounts {
    const { entries } = this;
    if (entries.length === 0) return {};
    const isLong = entries.length > MAX_LISTED;
    const listed = isLong
      ? [...entries.slice(0, MAX_LISTED / 2), ...entries.slice(-MAX_LISTED / 2)]
      : entries;
    const requests = listed.map((entry): SentRequest => {
      const { method, status } = entry;
      return { method, path: pathOf(entry), ...(status !== undefined && { status }) };
    });
    return { requests, ...(isLong && { requestCount: entries.length }) };
  }
}

interface Redaction {
  redactorFor(secrets: readonly string[]): (text: string) => string;
}

/** Listed requests, and the number of all if some are left out. Empty without requests. */
export interface RequestCounts {
  readonly requests?: readonly SentRequest[];
  readonly requestCount?: number;
}

// ---- call/select-operation.ts ----
// The operation that serves a call, and the permission of the caller for it.

export type OperationSelection =
  | { readonly ok: true; readonly operation: OperationBinding }
  | {
      readonly ok: false;
      readonly problems: readonly InputProblem[];
      /** The operation that would serve the call without the inputs of the problems. */
      readonly withoutThem?: OperationBinding;
    };

/**
 * Selects the operation that serves an input: the first whose `whenProvided` inputs are all present
 * and that uses all other inputs. Inputs that cannot be combined are an error.
 */
export function selectOperation(tool: ToolDefinition, input: ToolInput): OperationSelection {
  const [only, ...others] = tool.operations;
  if (only && others.length === 0 && only.whenProvided.length === 0)
    return selected(only, only.included ? listProblems(only, input, presentNames(input)) : []);
  const presentInputs = presentNames(input);
  const candidates = tool.operations.filter(
    ({ whenProvided, choice }) =>
      whenProvided.every((name) => presentInputs.has(name)) &&
      (!choice || input[choice.input] === choice.value),
  );
  const [first] = candidates;
  if (!first) {
    const problem = `pass one of: ${alternatives(tool.operations)}`;
    return { ok: false, problems: [{ input: "", problem }] };
  }
  const operation = candidates.find(
    (candidate) => unusedInputs(tool, candidate, presentInputs).length === 0,
  );
  if (operation)
    return selected(operation, [
      ...missingProblems(operation, presentInputs),
      ...listProblems(operation, input, presentInputs),
    ]);
  const problems = conflictProblems(tool, first, presentInputs);
  return { ok: false, problems, ...(!first.choice && { withoutThem: first }) };
}

const presentNames = (input: ToolInput): ReadonlySet<string> =>
  new Set(Object.keys(input).filter((name) => input[name] !== undefined && input[name] !== null));

const selected = (
  operation: OperationBinding,
  problems: readonly InputProblem[],
): OperationSelection =>
  problems.length === 0 ? { ok: true, operation } : { ok: false, problems };

/** Describes the call of an operation, for the texts about its outcome. */
export function createApiCall(
  { server, context }: { readonly server: ServerContext; readonly context: CallOrigin },
  tool: ToolDefinition,
  operation: OperationBinding,
  input: ToolInput,
  request: BoundRequest,
): ApiCall {
  const { api, tools, successes, settings } = server;
  const { caller = "" } = context;
  return {
    api,
    tool,
    input,
    mapping: operation.request,
    statuses: operation.statuses,
    request,
    findTool: tools.get,
    caller,
    earlier: successes.of({ mapping: operation.request, request, caller }),
    servesWithout: (name) => hasOtherOperation(tool, input, name, operation),
    ...(!settings.strictInputs && { isCorrectable: true }),
  };
}

/** True if another operation serves an input without one part of it. */
function hasOtherOperation(
  tool: ToolDefinition,
  input: ToolInput,
  omitted: string,
  current: OperationBinding,
): boolean {
  const { required = [] } = tool.inputSchema as { readonly required?: readonly string[] };
  if (input[omitted] === undefined || required.includes(omitted)) return false;
  const other = selectOperation(tool, { ...input, [omitted]: undefined });
  return other.ok && other.operation !== current;
}

/** Inputs that a chosen operation requires and the call lacks. */
function missingProblems(
  { choice }: OperationBinding,
  presentInputs: ReadonlySet<string>,
): readonly InputProblem[] {
  return (choice?.required ?? [])
    .filter((name) => !presentInputs.has(name))
    .map((input) => ({ input, problem: `is required with ${choice?.input} ${choice?.value}` }));
}

/** Inputs that the included lists need and the call lacks, and those of lists that it does not name. */
function listProblems(
  { included }: OperationBinding,
  input: ToolInput,
  presentInputs: ReadonlySet<string>,
): readonly InputProblem[] {
  if (!included) return [];
  const given = input[included.input];
  const named = new Set<unknown>(Array.isArray(given) ? given : []);
  const lists = Object.entries(included.lists);
  const inputs = new Set(lists.flatMap(([, { required = [] }]) => required));
  return [...inputs].flatMap((name): readonly InputProblem[] => {
    const users = lists.flatMap(([list, { required }]) => (required?.includes(name) ? [list] : []));
    const used = users.find((list) => named.has(list));
    if ((used !== undefined) === presentInputs.has(name)) return [];
    const problem =
      used === undefined
        ? `is only used with ${included.input} ${users.join(" or ")}; leave it out`
        : `is required with ${included.input} ${used}`;
    return [{ input: name, problem }];
  });
}

function conflictProblems(
  tool: ToolDefinition,
  operation: OperationBinding,
  presentInputs: ReadonlySet<string>,
): readonly InputProblem[] {
  const { choice } = operation;
  const conditions = operation.whenProvided.join(" and ");
  const unused = unusedInputs(tool, operation, presentInputs);
  if (choice)
    return [
      ...missingProblems(operation, presentInputs),
      ...unused.map((input) => ({
        input,
        problem: `is not used with ${choice.input} ${choice.value}; leave it out`,
      })),
    ];
  return unused.map((input) => ({
    input,
    problem: isDeclared(tool, input)
      ? `cannot be combined with ${conditions || "the other inputs"}; omit one of them`
      : "unknown input, which the operation for the other inputs does not take",
  }));
}

/** Inputs that an operation does not use. An open body takes those that the tool does not declare. */
function unusedInputs(
  tool: ToolDefinition,
  operation: OperationBinding,
  presentInputs: ReadonlySet<string>,
): readonly string[] {
  const used = inputsUsedBy(operation);
  const isOpen = operation.request.body?.isOpen;
  return [...presentInputs].filter(
    (name) => !used.has(name) && !(isOpen && !isDeclared(tool, name)),
  );
}

function isDeclared({ operations }: ToolDefinition, input: string): boolean {
  return operations.some((operation) => inputsUsedBy(operation).has(input));
}

function alternatives(operations: readonly OperationBinding[]): string {
  return operations.map(({ whenProvided }) => whenProvided.join(" and ")).join("; or ");
}

const inputsByOperation = new WeakMap<OperationBinding, ReadonlySet<string>>();

/** Lists the inputs that an operation uses. */
export function inputsUsedBy(operation: OperationBinding): ReadonlySet<string> {
  const known = inputsByOperation.get(operation);
  if (known) return known;
  const { whenProvided, request, response, included, countOnly } = operation;
  const lists = Object.values(included?.lists ?? {}).flatMap(({ required = [] }) => required);
  const own = [included?.input, countOnly?.input, response.fields?.input, ...lists].filter(
    (name) => name !== undefined,
  );
  const inputs = new Set([...whenProvided, ...mappedInputs(request), ...own]);
  inputsByOperation.set(operation, inputs);
  return inputs;
}

/** The message for the agent about a request that its caller may not send. */
export function describeMissingPermission(
  { api, grantedScopes }: Pick<ServerContext, "api" | "grantedScopes">,
  { name }: Pick<ToolDefinition, "name">,
  mapping: Pick<RequestMapping, "security">,
): string | undefined {
  if (!grantedScopes) return undefined;
  const scopes = ungrantedScopes(scopeAlternatives(mapping, api), grantedScopes);
  return scopes && `Not sent: ${describeLackingScopes(name, scopes, grantedScopes)}`;
}

// ---- call/server-headers.ts ----
// Headers that `mcp-gen.yaml` adds to every request.

/**
 * Adds the configured headers and `User-Agent`, unless the request has them. Requests to other
 * origins get no header that can hold a credential.
 */
export function withServerHeaders(
  request: BoundRequest,
  { api, apiContext, userAgent }: ServerContext,
): BoundRequest {
  const headers = [...request.headers];
  const configured = Object.entries(api.headers ?? {});
  const isTrusted = configured.length === 0 || receivesCredentials(request.url, apiContext);
  for (const [name, source] of [
    ...configured.filter((header) => isTrusted || !mayHoldCredential(header, api)),
    ["User-Agent", userAgent] as const,
  ]) {
    const value = headerValue(source, apiContext.env);
    if (value && headerIn(headers, name) === undefined) headers.unshift([name, value]);
  }
  return { ...request, headers };
}

// ---- call/send-authenticated.ts ----
// A running call: its context, and its authenticated requests.

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

// ---- call/rejected-call.ts ----
// Calls that the API rejected without an effect, and that are sent once more in another form.

export interface RejectedCall {
  readonly prepared: PreparedCall;
  /** The same call with the credentials that were sent. */
  readonly answered: PreparedCall;
  readonly response: ApiResponse;
}

/** The call in another form, with a note for its result. */
export interface RepeatedCall {
  readonly prepared: PreparedCall;
  readonly note: string;
  /** True if values were sent in the types in which they were given. */
  readonly isAsGiven?: true;
}

/** Binds the inputs of a call with other values. */
export type BindValues = (values: readonly GivenValue[]) => BindResult;

// ---- call/given-values.ts ----
// Booleans, numbers, lists and objects in place of the text that the document declares.

/** Values in another form, with a note for the result. */
export interface DemandedValues {
  readonly values: readonly GivenValue[];
  readonly note: string;
}

/** Words about the type of a value. */
const TYPE = /\b(?:bool(?:ean)?s?|numbers?|numeric|integers?|ints?|strings?|types?)\b/i;

/**
 * Booleans that a JSON body has as they were given, where the document declares text without
 * listing its values: a server that reads the text "false" may take it for true.
 */
export function booleansAsGiven(
  { inputSchema }: ToolDefinition,
  request: RequestMapping,
  givenValues: readonly GivenValue[] = [],
): readonly GivenValue[] {
  const inputs = jsonInputs(request);
  return givenValues.filter(
    ({ path, part }) =>
      typeof part === "boolean" &&
      inputs.has(String(path[0])) &&
      !schemasAt(inputSchema, path).some((schema) => "enum" in schema || "const" in schema),
  );
}

/** Note about such booleans. */
export function booleansNote(values: readonly GivenValue[]): string | undefined {
  if (values.length === 0) return undefined;
  const names = values.map(({ path, part }) => `${formatPath(path)} as ${String(part)}`);
  const were = values.length === 1 ? "was" : "were";
  return `${names.join(", ")} ${were} sent as given, although the API's description declares text.`;
}

/**
 * The call with its values as they were given, if the API rejects the body that has their text: its
 * document may be wrong about their type. Booleans that were sent as given become text. A rejected
 * request had no effect.
 */
export function repeatAsGiven(
  { prepared, answered, response }: RejectedCall,
  bind: BindValues,
): RepeatedCall | undefined {
  const { givenValues = [], operation, call } = prepared;
  const isJsonBody = isJson(operation.request.body?.contentType ?? "");
  if (givenValues.length === 0 || !isJsonBody) return undefined;
  const { status } = response;
  if ((status !== 400 && status !== 422) || !isAbout(response, givenValues)) return undefined;
  const names = givenValues.map(({ path }) => formatPath(path)).join(", ");
  const repeatWith = (values: readonly GivenValue[]): PreparedCall | undefined => {
    const bound = bind(values);
    if (!bound.ok || bound.request.body === answered.call.request.body) return undefined;
    return { ...prepared, call: { ...call, request: bound.request, rejected: call } };
  };
  const given = repeatWith(givenValues);
  if (given) {
    const note = `The API rejected ${names} as text, which its description declares, so the value was sent as given.`;
    return { prepared: given, note, isAsGiven: true };
  }
  const texts = repeatWith([]);
  const note = `The API rejected ${names} as given, so the text that its description declares was sent.`;
  return texts && { prepared: texts, note };
}

/** True if a message is about types, or names one of the values. */
function isAbout(response: ApiResponse, values: readonly GivenValue[]): boolean {
  const text = JSON.stringify(extractApiError(response));
  return TYPE.test(text) || values.some(({ path }) => text.includes(fieldOf(path)));
}

/** The last name of a path. Indexes of lists are no names. */
const fieldOf = (path: GivenValue["path"]): string =>
  String(path.filter((step) => typeof step === "string").at(-1));

/** A text of JSON as the list or object that it holds. A fault leaves only a PUT without harm. */
export function parsedText(
  status: number,
  call: ApiCall,
  error: ApiErrorByInput,
): DemandedValues | undefined {
  if (status >= 500 && call.mapping.method !== "PUT") return undefined;
  const [demand, ...others] = readDemands(status, call, error).types;
  if (demand === undefined || others.length > 0) return undefined;
  const [input, type] = demand;
  const part = parseContainerText(call.input[input]);
  if ((Array.isArray(part) ? "array" : typeof part) !== type || typeof part !== "object")
    return undefined;
  const form = type === "array" ? "a list" : "an object";
  const note = `The API wants ${input} as ${form}, although its description declares text, so its JSON was sent as that.`;
  return { values: [{ path: [input], part }], note };
}

// ---- call/record-rejection.ts ----
// What later calls learn from a response that rejects a call.

/** Records a fault of the API, and what it demands of inputs against its document. */
export function recordRejection(rejected: PreparedCall, response: ApiResponse): void {
  recordFault(rejected, response.status);
  const { call, server } = rejected;
  const error = mapErrorsToInputs(extractApiError(response), call);
  server.corrections.add(call.tool, call.mapping, readDemands(response.status, call, error));
}

/** Records the types of inputs that an API has taken as given, after it rejected their text. */
export function recordGivenTypes({ call, server, givenValues = [] }: PreparedCall): void {
  const types = givenValues.flatMap(({ path: [input, ...inside], part }) => {
    const type = typeof part;
    const isSimple = inside.length === 0 && (type === "boolean" || type === "number");
    return isSimple ? [[String(input), type] as const] : [];
  });
  if (call.isCorrectable) server.corrections.add(call.tool, call.mapping, { types, fields: [] });
}

// ---- call/as-demanded.ts ----
// Values in the form in which the message of an API demands them, sent by the same call.

/**
 * The call with its values in the form that the API's message demands, if the rejected request had
 * no effect or has none the second time.
 */
export function repeatAsDemanded(
  { prepared, answered, response }: RejectedCall,
  bind: BindValues,
): RepeatedCall | undefined {
  const { status } = response;
  const { call } = answered;
  const error = mapErrorsToInputs(extractApiError(response), call);
  const demanded = parsedText(status, call, error) ?? doubledItem(status, call, error);
  const bound = demanded && bind(demanded.values);
  if (!bound?.ok) return undefined;
  recordRejection(answered, response);
  const repeated = { ...prepared.call, request: bound.request, rejected: prepared.call };
  return { prepared: { ...prepared, call: repeated }, note: demanded!.note };
}

/** The only item of a list in the query of a read, twice. */
function doubledItem(
  status: number,
  call: ApiCall,
  error: ApiErrorByInput,
): DemandedValues | undefined {
  const isRejectedRead = call.mapping.method === "GET" && (status === 400 || status === 422);
  const input = isRejectedRead ? singleItem(call, error) : undefined;
  if (input === undefined || hasUniqueItems(call.tool, input)) return undefined;
  const [item] = call.input[input] as readonly unknown[];
  const note = `The API reads one item of ${input} as a text and wants a list, so the item was sent twice.`;
  return { values: [{ path: [input], part: [item, item] }], note };
}

// ---- call/ask-for-inputs.ts ----
// Stands in for the inputs that users are asked for: no tool has any.

export const withAskedInputs = (_tool: unknown, args: unknown, _: unknown): unknown => args;

export const unaskedProblems = (..._: readonly unknown[]): readonly never[] => [];

export const askForInputs = (..._: readonly unknown[]): undefined => undefined;

// ---- call/before-write.ts ----
// Stands in for the reads before a question about a write, which nobody asks.

export const readsBeforeWrite = (..._: readonly unknown[]): object => ({});

// ---- call/status-notes.ts ----
// Notes about the status of a success: unchanged, not ready, and its documented meaning.

/** Sentences about the status of a success, if it means more than that the call succeeded. */
export interface StatusFacts {
  /** An event that the response has instead of data. */
  readonly event?: string;
  /** The documented meaning of the status. */
  readonly note?: string;
}

/** States the meaning of the status of a success. */
export function statusFacts(call: ApiCall, response: ApiResponse): StatusFacts {
  const { status } = response;
  const event = eventOf(call, response);
  const meaning = documentedStatus(call, status);
  const note = meaning && `The documentation says of ${status}: ${JSON.stringify(meaning)}`;
  return { ...(event && { event }), ...(note && { note }) };
}

function eventOf({ mapping, tool }: ApiCall, response: ApiResponse): string | undefined {
  if (response.status === 304) return "Nothing changed: the API responded with 304 Not Modified.";
  if (response.status !== 202 || mapping.method !== "GET") return undefined;
  const wait = retryAfter(response);
  const time = wait === undefined ? "later" : `in ${formatSeconds(wait)}`;
  return `The result is not ready yet (202 Accepted). Call ${tool.name} again ${time}.`;
}

// ---- call/build-result.ts ----
// Results of calls: from the response of the API, and about inputs.

/** A processed response: its outcome, and the data for the last steps of a call. */
interface ProcessedResponse extends CallOutcome {
  readonly failure?: Failure;
  /** The full result, when the result shows only a part of it. */
  readonly fullResult?: FullResult;
  readonly received?: ApiResponse;
}

/** A successful response with its content. */
export interface DecodedResponse {
  readonly response: ApiResponse;
  readonly content: ResponseContent["content"];
}

/** Decodes a response; the outcome of a failure, if it is one. */
export async function decodeContent(
  prepared: PreparedCall,
  response: ApiResponse | Failure,
  pages: CollectedPages | undefined,
): Promise<DecodedResponse | ProcessedResponse> {
  if (isFailure(response)) return failureOutcome(prepared, response);
  const silent = silentTimeout(prepared, response);
  if (silent) return failureOutcome(prepared, silent);
  const isUnchanged = response.status === 304;
  if (!isSuccess(response) && !isUnchanged)
    return failureOutcome(prepared, { kind: "status", response });
  const { call, operation } = prepared;
  const { outputSchema } = call.tool;
  const expected = ASKS_FOR_PAGE.test(call.request.url)
    ? "any"
    : expectedContent(outputSchema, operation.response);
  const content =
    pages?.content ?? (await runWithPauses(decodeInSteps(response, expected, call.mapping.method)));
  if (content.kind === "malformed") {
    const { reason, excerpt } = content;
    return failureOutcome(prepared, { kind: "unusable", response, reason, excerpt });
  }
  if (content.kind === "json" && isEmbeddedError(content.value, outputSchema, operation.outcome))
    return failureOutcome(prepared, { kind: "refused", response, value: content.value });
  const isSequence = content.kind === "json" && content.isSequence === true;
  const error = isSequence && (await runWithPauses(findErrorIn(content.value)));
  if (error)
    return failureOutcome(prepared, { kind: "refused", response, value: error.value }, [
      { type: "text", text: sequenceText(content.value, prepared) },
    ]);
  return { response, content: addStatus(content, statusFacts(call, response)) };
}

/** A URL that asks for a page, which is then no page of a sign-in or a proxy: `?format=html`. */
const ASKS_FOR_PAGE = /(?:[?&][^=&]{1,60}=|[./])html(?:$|[&?#])/i;

/** Words of operations whose responses go on: `watch`, `stream of events`, `follow the log`. */
const STREAMING =
  /\b(?:stream|watch|event|follow|tail|monitor|subscri|listen|notif|real-?time|live\b|attach|poll)/i;

/** The timeout of a response without a body, unless its operation may be a stream without events. */
function silentTimeout(
  { call }: Pick<PreparedCall, "call">,
  { cut, size, headers }: ApiResponse,
): Failure | undefined {
  if (cut?.kind !== "deadline" || size > 0) return undefined;
  const { tool, mapping } = call;
  const words = `${tool.name} ${mapping.path} ${tool.description}`.replaceAll("_", " ");
  const type = parseContentType(headers.get("content-type")).essence;
  const isDocument = tool.outputSchema !== undefined && !isSequence(type) && !STREAMING.test(words);
  return isDocument ? { kind: "timeout", afterMs: cut.afterMs, sent: true } : undefined;
}

/** The declared content of a response. A schema that allows text only is that of a string. */
function expectedContent(
  schema: JsonSchema | undefined,
  { wrap }: ResponseMapping,
): ExpectedContent {
  if (!schema) return "any";
  const types = [propertySchema(schema, "value")["type"]].flat().filter((type) => type !== "null");
  return wrap === "value" && types.join() === "string" ? "text" : "json";
}

/** The values of a sequence with an error in it, as far as the size of a result allows. */
function sequenceText(value: unknown, { server }: PreparedCall): string {
  const text = sanitize(JSON.stringify(value));
  const max = server.settings.maxResultCharacters;
  const shown = text.length > max ? `${text.slice(0, max / 2)} … ${text.slice(-max / 2)}` : text;
  return `The response has these values: ${shown}`;
}

/** Adds the meaning of the status to decoded content. */
function addStatus(
  content: ResponseContent["content"],
  { event, note }: StatusFacts,
): ResponseContent["content"] {
  if (content.kind === "empty" && event !== undefined) return { ...addNote(content, note), event };
  return addNote(addNote(content, event), note);
}

/** Size in bytes above which other calls go on between the steps of processing a response. */
const LARGE_RESPONSE = 500_000;

/**
 * Makes a result of content: customize → project, sanitize, truncate and coerce.
 * @param added facts of further requests
 */
export async function formatResult(
  prepared: PreparedCall,
  decoded: DecodedResponse | ProcessedResponse,
  pages: CollectedPages | undefined,
  added?: ResultFacts,
): Promise<ProcessedResponse> {
  if ("outcome" in decoded) return decoded;
  const { server, info, operation } = prepared;
  const { response, content } = decoded;
  if (response.size > LARGE_RESPONSE) await pause();
  const { next, mayBeLast, facts, isPartial } = pageHint(prepared, response, content, pages);
  const answer = { content, mapping: operation.response, next, mayBeLast };
  const customized = await runAfterResponse(server.hooks, answer, info);
  if (customized instanceof StoppedCall) return stoppedOutcome(info.tool, customized);
  const options = {
    ...resultOptions(prepared, customized, response),
    facts: mergeFacts(facts, added),
  };
  const toolResult = await runWithPauses(createToolResultInSteps(customized.content, options));
  if (toolResult.ok)
    return {
      ...successOutcome(toolResult, response),
      ...(isPartial && { isPartial: true as const }),
      ...(customized.content.kind === "text" && { isText: true as const }),
    };
  const { reason, content: shownContent } = toolResult;
  const failure = { kind: "unusable", response, reason, shown: shownContent.length > 0 } as const;
  return failureOutcome(prepared, failure, shownContent);
}

/** A hint about the next page, and whether there may be one. */
interface ListHint extends NextPageHint {
  readonly isPartial: boolean;
}

const withExtent = ({ next, mayBeLast, facts }: NextPageHint): ListHint => ({
  ...omitUndefined({ next, mayBeLast, facts }),
  isPartial: (next !== undefined && next !== null) || facts !== undefined,
});

/** Finds the next page, unless the API returned this page before as another one. */
function pageHint(
  prepared: PreparedCall,
  response: ApiResponse,
  content: DecodedContent,
  pages: CollectedPages | undefined,
): ListHint {
  const body = jsonOf(content);
  const note = repeatedPageNote(prepared, body, prepared.server.pageMemory);
  if (note !== undefined) return withExtent({ next: null, facts: { notes: [note] } });
  if (pages) return withExtent(pages);
  const hint = nextPageHint(prepared, response, content);
  const isKnown = hint.next !== undefined || hint.facts !== undefined;
  const known = withExtent(isKnown ? hint : (possibleRest(prepared, body, response.headers) ?? {}));
  const { maxResultCharacters } = prepared.server.settings;
  const { notes = [], values } = listFacts(prepared, body, response, maxResultCharacters);
  if (notes.length === 0) return known;
  const { facts } = known;
  return {
    ...known,
    isPartial: known.isPartial || values?.["total"] !== undefined,
    facts: {
      notes: [...notes, ...(facts?.notes ?? [])],
      values: { ...values, ...facts?.values },
    },
  };
}

/** Builds the outcome of a failed call, with advice for the agent. */
function failureOutcome(
  { call, context }: Pick<PreparedCall, "call" | "context">,
  failure: Failure,
  content?: readonly ContentBlock[],
): ProcessedResponse {
  const page = failure.kind === "status" ? paymentPage(failure.response) : undefined;
  if (page !== undefined) {
    if (context.payments) context.payments.page = { url: page, tool: call.tool.name };
    content = [...(content ?? []), { type: "resource_link", uri: page, name: "Payment page" }];
  }
  const isApiError = failure.kind === "status" || failure.kind === "refused";
  const outcome = isApiError ? "api_error" : failure.kind;
  return { ...errorResult(outcome, sanitize(explainFailure(failure, call)), content), failure };
}

/** Builds the outcome of a successful call. */
function successOutcome(
  { ok: _, fullResult, ...noted }: Extract<ToolResult, { ok: true }>,
  received: ApiResponse,
): ProcessedResponse {
  return { outcome: "ok", ...noted, ...(fullResult && { fullResult, received }) };
}

/** Collects the options by which a response becomes the tool's result. */
function resultOptions(
  { server, info, call }: PreparedCall,
  { mapping, next, mayBeLast }: ResponseContent,
  { status, headers }: ApiResponse,
): ToolResultOptions {
  return {
    tool: call.tool,
    mapping,
    next,
    mayBeLast,
    maxCharacters: server.settings.maxResultCharacters,
    url: call.request.url,
    status,
    headers,
    input: info.input,
    narrowing: isWrite(call) ? [] : queryInputs(call.mapping),
    isWrite: isWrite(call),
    saveFiles: server.files !== undefined,
  };
}

/** Adds a note to the notes of decoded content. */
function addNote<Content extends ResponseContent["content"]>(
  content: Content,
  note?: string,
): Content {
  if (note === undefined) return content;
  return { ...content, note: [content.note, note].filter(Boolean).join(" ") };
}

/**
 * Finishes a call: runs the result hooks, redacts secrets and links the full result. A result that
 * a hook has changed is not stored in full, because that would contain data that the hook removed.
 */
export async function finishCall(
  prepared: PreparedCall,
  processed: ProcessedResponse,
  firstOutcome: RequestOutcome,
  pages: CollectedPages | undefined,
): Promise<CallOutcome> {
  const { server, call } = prepared;
  const { fullResult, isPartial, isText } = processed;
  const { secrets, retries } = pages ?? firstOutcome;
  const { outcome, result, notesKey } = await runResultHooks(prepared, processed);
  const noted = omitUndefined({ result, notesKey });
  if ((processed.received?.size ?? 0) > LARGE_RESPONSE) await pause();
  const redact = server.redactorFor(secrets);
  const redacted = await redactWithNote(noted, redact, call.tool.outputSchema);
  const storage: Partial<ServerContext> = server.hooks.afterResponse ? {} : server;
  const linked =
    fullResult && outcome === "ok"
      ? await linkFullResult(redacted, fullResult, {
          tool: call.tool,
          call: prepared.info,
          isWrite: isWrite(call),
          resultStore: storage.resultStore,
          resultReader: storage.resultReader,
          files: storage.files,
          redact,
          source: { url: call.request.url, headers: processed.received?.headers },
        })
      : redacted;
  const received = isFailure(firstOutcome.response) ? undefined : firstOutcome.response;
  return {
    outcome,
    ...linked,
    ...(isPartial && { isPartial }),
    ...(isText && { isText }),
    ...(fullResult && { isTruncated: true }),
    status: received?.status,
    bytes: pages?.bytes ?? received?.size,
    retries: retries > 0 ? retries : undefined,
  };
}

/** Runs the hook for failures or the hook for results. A call that hooks outlasted has neither. */
async function runResultHooks(
  { server: { hooks }, info }: PreparedCall,
  { failure, ...processed }: ProcessedResponse,
): Promise<CallOutcome> {
  if (failure) return runMapError(hooks, processed, failure, info);
  return processed.result.isError ? processed : runResultHook(hooks, processed, info);
}

/**
 * Builds the outcome of a call whose input was rejected before a request was sent.
 * @param offer another way than to correct the input
 */
export function invalidInput(
  tool: ToolInputs,
  problems: readonly InputProblem[],
  offer?: string,
): CallOutcome {
  const text = invalidInputText(tool, problems);
  return errorResult("invalid", sanitize(offer === undefined ? text : `${text} ${offer}`));
}

/** Builds the outcome of a call over a rate limit of the server. */
export function rateLimited(
  { name }: Pick<AnyTool, "name">,
  { perMinute, isOfCaller, waitMs }: RateLimit,
): CallOutcome {
  const whose = isOfCaller ? " of each caller" : "";
  const limit = `this server allows ${perMinute} calls per minute${whose}`;
  const seconds = Math.ceil(waitMs / 1000);
  const text = `Not sent: ${limit}. Wait ${seconds} s, then call ${name} again.`;
  return errorResult("rate_limited", text);
}

/** Adds the signature to a rejected input, if the agent has not read the schema. */
export async function addSignature(
  outcome: CallOutcome,
  { signature }: CallContext,
): Promise<CallOutcome> {
  const [first, ...others] = outcome.result.content;
  if (!signature || outcome.outcome !== "invalid" || first?.type !== "text") return outcome;
  const text = `${first.text}\nSignature: ${await signature()}`;
  return { ...outcome, result: { ...outcome.result, content: [{ ...first, text }, ...others] } };
}

// ---- call/call-gate.ts ----
// Stands in for the gate of a call: every request is sent.

export const createGate = (..._: readonly unknown[]): undefined => undefined;

type Call = () => Promise<CallOutcome>;

export const settleGate = (_gate: unknown, _tool: unknown, call: Call) => call();

type Entered = CallContext | CallOutcome;

export const enterGate = (_tool: unknown, _input: unknown, context: CallContext): Entered =>
  context;

// ---- call/count-only.ts ----
// Stands in for calls that ask for a total alone: no tool has the input for it.

export const withSmallestPage = (_operation: unknown, input: ToolInput): ToolInput => input;

export const missingTotal = (..._: readonly unknown[]): undefined => undefined;

// ---- call/empty-body.ts ----
// Calls whose optional body was left out, although the API reads one.

const NOTE = "The API did not take the call without a body, so `{}` was sent.";

/**
 * True after a rejection whose message is about the JSON object that was not sent, because no input
 * of it was given. No input can send `{}` alone.
 */
function needsEmptyBody(call: ApiCall, response: ApiResponse): boolean {
  const { message } = mapErrorsToInputs(extractApiError(response), call);
  return takesEmptyBody(call, response.status) && asksForBody(call, message);
}

/**
 * The call with `{}` as its body, if the API rejected it without a body. After a call that may
 * create an empty thing, or that has failed because the body was absent, only the same call is sent
 * so.
 * @param bind binds the inputs of the call to an operation
 */
export function repeatWithEmptyBody(
  { prepared, answered, response }: RejectedCall,
  bind: (operation: OperationBinding) => BindResult,
): RepeatedCall | undefined {
  const { call, server } = answered;
  const { status } = response;
  // A fault may have had an effect, so that the agent decides about the second call.
  const isWanted = call.earlier?.hasFailed(status) === true;
  if (isWanted && failsWithoutBody(call, response)) return withEmptyBody(prepared, bind);
  if (!needsEmptyBody(call, response)) return undefined;
  if (!needsSecondCall(call, status)) return withEmptyBody(prepared, bind);
  server.successes.addFault(call, status);
  return undefined;
}

/**
 * The same call with `{}` as its body. It has the approval of the rejected request, which had no
 * effect: the user sees no difference between them.
 * @returns undefined if the request cannot be built
 */
function withEmptyBody(
  prepared: PreparedCall,
  bind: (operation: OperationBinding) => BindResult,
): RepeatedCall | undefined {
  const { call, operation } = prepared;
  if (!operation.request.body) return undefined;
  const body = { ...operation.request.body, required: true, emptyByDefault: true as const };
  const request = { ...operation.request, body };
  const changed = { ...operation, request };
  const bound = bind(changed);
  if (!bound.ok) return undefined;
  const repeated = { ...call, mapping: request, request: bound.request, rejected: call };
  return { prepared: { ...prepared, operation: changed, call: repeated }, note: NOTE };
}

// ---- call/form-objects.ts ----
// Objects in the fields of a form, which are sent as JSON as documented, where the API wants a field
// for each member: `schedule[updateAt]=…`.

/**
 * The call with brackets in the names of the objects that the API's message names. A rejected
 * request had no effect.
 * @param bind binds the inputs of the call to an operation
 */
export function repeatWithFormFields(
  { prepared, answered, response }: RejectedCall,
  bind: (operation: OperationBinding) => BindResult,
): RepeatedCall | undefined {
  const { call, operation } = prepared;
  const { body } = operation.request;
  const isRejected = response.status === 400 || response.status === 422;
  if (!isRejected || !body || !isFormBody(body)) return undefined;
  const message = lettersOf(JSON.stringify(extractApiError(response)));
  const names = objectFields(body, call.input).filter((name) => message.includes(lettersOf(name)));
  if (names.length === 0) return undefined;
  const request = { ...operation.request, body: withBrackets(body, names) };
  const changed = { ...operation, request };
  const bound = bind(changed);
  if (!bound.ok) return undefined;
  recordRejection(answered, response);
  const repeated = { ...call, mapping: request, request: bound.request, rejected: call };
  const note = `The API rejected ${names.join(", ")} as JSON, so the members were sent as fields, as in name[member]=value.`;
  return { prepared: { ...prepared, operation: changed, call: repeated }, note };
}

const isFormBody = ({ contentType }: BodyMapping): boolean =>
  isForm(contentType) || isMultipart(contentType);

/** Names of the fields that inputs give as objects, without a documented style. */
const objectFields = (body: BodyMapping, input: ToolInput): readonly string[] =>
  Object.entries(body.fields ?? {}).flatMap(([name, source]) => {
    const value = input[inputOf(source) ?? ""];
    return isObject(value) && !hasStyle(encodingOf(body, { name })) ? [name] : [];
  });

function withBrackets(body: BodyMapping, names: readonly string[]): BodyMapping {
  const bracketed = names.map((name): readonly [string, FieldEncoding] => [
    name,
    { ...encodingOf(body, { name }), style: "deepObject", explode: true },
  ]);
  return { ...body, encoding: { ...body.encoding, ...Object.fromEntries(bracketed) } };
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

// ---- call/called-tool.ts ----
// Tools that a call of another tool calls.

/** A call of a tool within another call, which shares its deadline and its context. */
export type NestedCall = RunningCall & { readonly info: { readonly tool: ToolDefinition } };

/**
 * Prepares the call of a tool within a running call. Names in its input are not looked up again.
 * @param input input of the running call, with IDs in place of names
 * @param maxResultCharacters maximum size of its result
 * @returns undefined if the server does not offer the tool, or a custom tool replaces it
 */
export function nestedCall(
  running: RunningCall,
  { tool: name, inputs }: CalledTool,
  input: ToolInput,
  maxResultCharacters: number,
): NestedCall | undefined {
  const { server, info } = running;
  const tool = server.tools.get(name);
  if (!tool || !("operations" in tool)) return undefined;
  const entries = Object.entries(inputs).map(([to, from]) => [to, input[from]] as const);
  return {
    ...running,
    server: nestedServer(server, maxResultCharacters),
    info: { ...info, tool, input: omitUndefined(Object.fromEntries(entries)) },
    hasLookedUp: true,
  };
}

/** The server for a call within another one: of one page, which is not remembered. */
export function nestedServer(server: ServerContext, maxResultCharacters: number): ServerContext {
  const { pageMemory: _, settings, ...others } = withResultLimit(server, maxResultCharacters);
  return { ...others, settings: { ...settings, followPages: false } };
}

// ---- call/run-at-once.ts ----
// Several calls of one call: at once, until the API limits the rate of requests.

/** Maximum number of calls at once. */
const MAX_AT_ONCE = 5;

/** Reason for which calls are not sent after the API has limited their rate. */
export const RATE_LIMITED = "the API limits the rate of requests";

/** Runs a call for each item. After a rate limit of the API, no further call is sent. */
export async function runAtOnce<Item>(
  items: readonly Item[],
  callFor: (item: Item) => Promise<CallOutcome>,
): Promise<readonly CallOutcome[]> {
  const outcomes: CallOutcome[] = [];
  let next = 0;
  let isLimited = false;
  const work = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) {
      outcomes[i] = isLimited ? notSent(RATE_LIMITED) : await callFor(items[i]!);
      isLimited ||= outcomes[i]?.status === 429 || outcomes[i]?.outcome === "rate_limited";
    }
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
  return outcomes;
}

/** Maximum number of characters of the text of one of the calls. */
const MAX_TEXT_OF_ONE = 1_000;

/** The text of one of the calls, which is an error or has no structure. */
export const textOfOne = (result: CallOutcome["result"]): string =>
  beginningOf(textOfResult(result), MAX_TEXT_OF_ONE);

/** Outcome of a call that was not sent. */
export const notSent = (reason: string): CallOutcome =>
  errorResult("cancelled", `Not sent, because ${reason}.`);

// ---- call/included-lists.ts ----
// Lists of the parts of a thing, read together with the thing.

/** Share of the characters of a result that all lists together may take. */
export const LISTS_SHARE = 0.5;

/** Names of the lists that a call asks for. */
export function includedNames(
  { included }: Pick<OperationBinding, "included">,
  input: ToolInput,
): readonly string[] {
  const given = included ? input[included.input] : undefined;
  return Array.isArray(given) ? [...new Set(given as readonly string[])] : [];
}

/**
 * Reads the lists that a call asks for: one request for each, with a share of the size of the
 * result. A failure stands in the place of its list, and is not one of the call.
 * @param input input of the call, with IDs in place of names
 * @param callOperation calls the operation of a tool
 */
export async function readIncludedLists(
  running: RunningCall,
  operation: OperationBinding,
  { headers }: ApiResponse,
  input: ToolInput,
  callOperation: (running: RunningCall) => Promise<CallOutcome>,
): Promise<ResultFacts | undefined> {
  const names = includedNames(operation, input);
  const { included } = operation;
  if (!included || names.length === 0) return undefined;
  const { lists } = included;
  const share = Math.floor(
    (running.server.settings.maxResultCharacters * LISTS_SHARE) / names.length,
  );
  const isExhausted = isRateLimitExhausted(headers);
  const outcomes = await runAtOnce(names, async (name) => {
    const call = nestedCall(running, lists[name]!, input, share);
    if (!call) return notSent(`this server does not offer ${lists[name]!.tool}`);
    return isExhausted ? notSent(RATE_LIMITED) : callOperation(call);
  });
  const isOffered = (tool: string): boolean => running.server.tools.lookUp(tool) !== undefined;
  return includedFacts(names, lists, outcomes, isOffered);
}

function includedFacts(
  names: readonly string[],
  lists: IncludedLists["lists"],
  outcomes: readonly CallOutcome[],
  isOffered: (tool: string) => boolean,
): ResultFacts {
  const included = Object.fromEntries(
    outcomes.map(({ result }, i) => [names[i]!, resultValue(result)] as const),
  );
  const notes = names.flatMap((name, i) => {
    const { result, isPartial } = outcomes[i]!;
    if (result.isError) return [`included.${name} could not be read; it has the error.`];
    const { tool } = lists[name]!;
    if (!isOffered(tool)) return isPartial ? [`included.${name} is not the whole list.`] : [];
    const source = `included.${name} is what ${tool} returned`;
    return [isPartial ? `${source}: not the whole list.` : `${source}.`];
  });
  const links = outcomes.flatMap(({ result }) =>
    result.content.filter(({ type }) => type !== "text"),
  );
  const text = { type: "text" as const, text: JSON.stringify({ included }) };
  return { notes, values: { included }, blocks: [text, ...links] };
}

/** The result of a list, or its error. */
function resultValue(result: CallOutcome["result"]): unknown {
  const { isError, structuredContent } = result;
  if (!isError && isObject(structuredContent)) return structuredContent;
  return { [isError ? "error" : "result"]: textOfOne(result) };
}

// ---- call/input-notes.ts ----
// Notes about inputs that were sent in another form than given, or not at all.

/** Maximum number of inputs that a note names. */
const MAX_NAMED_INPUTS = 8;

/**
 * Adds notes about inputs that were sent in another form, or not at all. An error that the API
 * answers gets those about nulls, about inputs that its document lacks, and about those that it
 * declares as text, which may be the cause.
 */
export function addInputNotes(
  tool: AnyTool,
  outcome: CallOutcome,
  changes: InputChanges,
  redact: Redact,
): CallOutcome {
  const { omittedNulls = [], converted = [], identifiers = [] } = changes;
  const { undocumented = [], doubtfulBytes = [], omittedIds = [], structures = [] } = changes;
  const { otherQuery = [] } = changes;
  const causes = [
    omittedNullsNote(tool, omittedNulls),
    ...undocumentedNotes(tool, undocumented),
    inputsNote(otherQuery, SENT, "although the API's description has that for other calls only."),
    inputsNote(structures, SENT, "as given, although the API's description declares text."),
  ].flatMap((text) => (text === undefined ? [] : [redact(text)]));
  if (outcome.outcome !== "ok") return withCause(outcome, causes);
  const notes = [
    ...causes,
    inputsNote(converted, SENT, CONVERTED),
    inputsNote(identifiers, SENT, "as given, although the API's description declares a number."),
    omittedIdsNote(omittedIds),
    doubtfulBytesNote(doubtfulBytes),
  ].flatMap((text) => (text === undefined ? [] : [redact(text)]));
  if (notes.length === 0) return outcome;
  return { ...outcome, ...addFacts(outcome, { notes }, tool.outputSchema) };
}

/** Notes about inputs that the document lacks, and the inputs that have a field of their name. */
function undocumentedNotes({ inputSchema }: AnyTool, names: readonly string[]): readonly string[] {
  const note = inputsNote(names, UNDOCUMENTED, "sent as given.");
  const inputs = Object.keys(propertiesOf(inputSchema));
  const documented = names.flatMap((name) =>
    inputs
      .filter((input) =>
        schemasAt(inputSchema, [input]).some((one) => Object.hasOwn(propertiesOf(one), name)),
      )
      .map((input) => `${input}.${name}`),
  );
  const home = documented.length === 0 ? [] : [`Documented: ${listNames(documented)}.`];
  return note === undefined ? [] : [note, ...home];
}

/** An error of the API with notes about its possible cause. */
function withCause(outcome: CallOutcome, notes: readonly string[]): CallOutcome {
  const [first, ...others] = outcome.result.content;
  if (notes.length === 0 || outcome.status === undefined || first?.type !== "text") return outcome;
  const text = `${first.text}\nNote: ${notes.join(" ")}`;
  return { ...outcome, result: { ...outcome.result, content: [{ ...first, text }, ...others] } };
}

/**
 * Note about inputs of a write that were null and therefore not sent: null may have been meant to
 * remove a value. In a read, it is no filter.
 */
function omittedNullsNote(tool: AnyTool, names: readonly string[]): string | undefined {
  const { name, annotations } = tool;
  if (names.length === 0 || annotations.readOnlyHint) return undefined;
  const pronoun = names.length === 1 ? "it" : "them";
  const note = `null is not a value of ${listNames(names)}, so nothing was sent for ${pronoun}.`;
  return isPartialUpdate(tool)
    ? `${note} To send null, call ${name} again without other changes.`
    : note;
}

/** A sentence about inputs, whose verb has their number. */
function inputsNote(
  names: readonly string[],
  [one, several]: readonly [string, string],
  rest: string,
): string | undefined {
  if (names.length === 0) return undefined;
  return `${listNames(names)} ${names.length === 1 ? one : several} ${rest}`;
}

const SENT = ["was sent", "were sent"] as const;

/** Numbers with a fraction may have had further zeros. */
const CONVERTED =
  'as the text of the number: pass text if another was meant, such as "1.10" for 1.1.';

/** Note about IDs of parts that were not given. */
function omittedIdsNote(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `The call was sent without ${listNames(names)}, although the API's description requires that.`;
}

const UNDOCUMENTED = [
  "is not a documented input. It was",
  "are not documented inputs. They were",
] as const;

/** Note about values that are base64, as the schema asks, and look like plain text. */
function doubtfulBytesNote(values: NonNullable<InputChanges["doubtfulBytes"]>): string | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  const names = listNames(values.map(([path]) => path));
  return `${names} was taken as base64. If it is plain text, pass text:${first[1]} instead.`;
}

function listNames(names: readonly string[]): string {
  return `${names.slice(0, MAX_NAMED_INPUTS).join(", ")}${names.length > MAX_NAMED_INPUTS ? " and others" : ""}`;
}

// ---- call/name-candidates.ts ----
// Candidates for a name: their comparison, their order and their text.

/** Maximum number of candidates in an error text. */
export const MAX_CANDIDATES = 5;

/** Maximum number of characters of a name in an error text. */
const MAX_CANDIDATE_NAME = 80;

/** A thing with its ID and its name. */
export interface Candidate {
  readonly id: unknown;
  readonly name: string;
  /** Further names, such as its URL. */
  readonly otherNames?: readonly string[];
}

/** True for a value that a request can take as an ID. */
export function isId(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}

/** A name without differences that do not matter: case, spaces around it, forms of a letter. */
export function normalizeName(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}

/**
 * Ranks candidates: similar names first, then names that contain the text. A thing without a name is
 * none, because an ID alone does not show which one is meant.
 */
export function rankCandidates(text: string, things: readonly Candidate[]): readonly Candidate[] {
  const items = things.filter(({ name }) => name !== "");
  const near = nearestNames(text, new Set(items.map(({ name }) => name)), MAX_CANDIDATES);
  const searched = normalizeName(text);
  const rank = ({ name }: Candidate): number => {
    if (near.includes(name)) return near.indexOf(name);
    const normalized = normalizeName(name);
    const isPart = normalized.includes(searched) || searched.includes(normalized);
    return isPart ? MAX_CANDIDATES : MAX_CANDIDATES + 1;
  };
  const ranked = items.map((item) => ({ item, rank: rank(item) }));
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_CANDIDATES)
    .map(({ item }) => item);
}

/** Lists candidates with their names. */
export function formatCandidates(items: readonly Candidate[]): string {
  return items.slice(0, MAX_CANDIDATES).map(formatCandidate).join(", ");
}

/** `7 (Rex)`, or `7` without a name. Text of the API stays in one line, and an ID that is no plain word is quoted. */
export function formatCandidate({ id, name }: Candidate): string {
  const text = shorten(String(id));
  const shown = /^[\p{L}\p{N}_.:@/+=-]+$/u.test(text) ? text : JSON.stringify(text);
  const label = name
    .slice(0, 2 * MAX_CANDIDATE_NAME)
    .replace(/\s+/g, " ")
    .trim();
  return label === "" ? shown : `${shown} (${shorten(label)})`;
}

/** The beginning of a name. */
export function shorten(text: string): string {
  return beginningOf(text, MAX_CANDIDATE_NAME);
}

// ---- call/select-fields.ts ----
// Stands in for the choice of fields: no tool of this project has the input for it.

export function selectFields(
  _tool: unknown,
  operation: OperationBinding,
  _input: unknown,
):
  | { readonly ok: true; readonly operation: OperationBinding }
  | { readonly ok: false; readonly problems: readonly InputProblem[] } {
  return { ok: true, operation };
}

export function withAllFields(operation: OperationBinding): OperationBinding {
  return operation;
}

// ---- call/look-up-names.ts ----
// Names where IDs are asked: lookups of values that the API does not know as IDs.

/** A call whose input has names. */
export interface NamingCall extends RunningCall {
  readonly operation: OperationBinding;
  readonly call: Pick<ApiCall, "tool" | "input">;
}

/** Calls the operation of a tool. */
export type CallOperation = (running: RunningCall) => Promise<CallOutcome>;

/** The input with IDs in place of names, or a text about candidates for the error. */
export type LookedUp =
  | { readonly input: ToolInput; readonly notes: readonly string[] }
  | { readonly text: string };

/** Share of the time until the deadline that lookups may take. */
const TIME_SHARE = 0.5;

/** Maximum number of characters of a name. */
const MAX_NAME_LENGTH = 200;

/**
 * Looks up the values that a failed call gave as IDs and that the API does not know. Exactly one
 * thing with that name gives its ID. A destructive call is not repeated with it.
 * @param callOperation calls the operation of a tool
 * @returns undefined where there is nothing to look up, and where a lookup fails
 */
export async function lookUpNames(
  prepared: PreparedCall,
  failure: Failure,
  callOperation: CallOperation,
): Promise<LookedUp | undefined> {
  const { operation, call } = prepared;
  const { lookUps = {} } = operation;
  if (!mayLookUp(prepared)) return undefined;
  const names = rejectedIds(call, failure).filter(
    (name) => Object.hasOwn(lookUps, name) && mayBeName(call.input[name]),
  );
  return lookUpInTime(prepared, names, callOperation);
}

/** True if the server looks up names, and this call is neither a lookup nor one after it. */
export const mayLookUp = ({ server, hasLookedUp }: RunningCall): boolean =>
  server.settings.lookUpNames && !hasLookedUp;

/** Looks up names within a share of the deadline. */
export async function lookUpInTime(
  naming: NamingCall,
  names: readonly string[],
  callOperation: CallOperation,
): Promise<LookedUp | undefined> {
  const { deadline, context } = naming;
  if (names.length === 0 || deadline.expired) return undefined;
  // Waits of a lookup for the API are not worth it, and the call needs time for its own result.
  const ms = deadline.remainingMs() * TIME_SHARE;
  const own = startDeadline(ms, context.signal, { remainingMs: 0 });
  try {
    return await lookUpEach({ ...naming, deadline: own }, names, callOperation);
  } finally {
    own.dispose();
  }
}

/** True for text that is not only an identifier. */
export function mayBeName(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length <= MAX_NAME_LENGTH &&
    /\p{L}/u.test(value) &&
    !isIdentifier(value.trim())
  );
}

/** A name with the ID of the one thing that has it. */
interface Match {
  readonly name: string;
  /** As the list has it. */
  readonly id: unknown;
  /** As the input takes it. */
  readonly value: unknown;
  readonly sentence: string;
}

/** Looks up one input after the other, those at the beginning of the path first. */
async function lookUpEach(
  prepared: NamingCall,
  names: readonly string[],
  callOperation: CallOperation,
): Promise<LookedUp | undefined> {
  let { input } = prepared.call;
  const matches: Match[] = [];
  for (const name of names) {
    const lookUp = prepared.operation.lookUps![name]!;
    const found = await findThing(prepared, lookUp, name, input, callOperation);
    if (found === undefined || "text" in found) return found;
    if ("isKnown" in found) continue;
    matches.push(found);
    input = { ...input, [name]: found.value };
  }
  if (matches.length === 0) return undefined;
  const { tool } = prepared.call;
  const { readOnlyHint, destructiveHint } = tool.annotations;
  // The user has approved the call with the name, not with the ID.
  const isApproved = needsApproval(tool, prepared.server);
  if ((destructiveHint && !readOnlyHint) || isApproved)
    return { text: destructiveText(tool.name, matches) };
  return {
    input,
    notes: matches.map(
      ({ name, id, sentence }) => `${sentence}; the call used ${quoteInput(name, id)}.`,
    ),
  };
}

type Found = Match | { readonly isKnown: true } | { readonly text: string };

/** Finds the thing with a name. Undefined if the list could not be read, or not all of it. */
async function findThing(
  prepared: NamingCall,
  lookUp: IdLookUp,
  name: string,
  input: ToolInput,
  callOperation: CallOperation,
): Promise<Found | undefined> {
  const text = (input[name] as string).trim();
  const list = findList(prepared, lookUp);
  if (!list) return undefined;
  const { idField } = lookUp;
  const listed = await listItems(prepared, list, lookUp, { input, text }, callOperation);
  const items = listed?.filter((item) => isId(ownProperty(item, idField)));
  if (!items) return undefined;
  if (items.some((item) => String(item[idField]) === text)) return { isKnown: true };
  const fields = list.names.fields.filter((field) => field !== idField);
  const namesakes = fields.map((field) => items.filter((item) => isNamed(item[field], text)));
  const all = new Map(namesakes.flat().map((item) => [String(item[idField]), item]));
  const candidatesOf = (these: Iterable<Item>) => candidates(these, idField, fields);
  const [only, ...others] = all.values();
  const about = { name, text, tool: lookUp.tool, caller: prepared.call.tool.name };
  if (!only) return noMatch(about, fields[0]!, candidatesOf(items));
  if (others.length > 0) return { text: ambiguousText(about, candidatesOf(all.values())) };
  const field = fields.find((_, i) => namesakes[i]!.includes(only))!;
  const id = only[idField];
  const value = toInputType(id, prepared.call.tool, name);
  const sentence = `${name} ${quoteInput(name, text)} is the ${field} of ${quoteInput(name, id)} in ${lookUp.tool}`;
  return { name, id, value, sentence };
}

type Item = Readonly<Record<string, unknown>>;

function isNamed(value: unknown, text: string): boolean {
  return typeof value === "string" && normalizeName(value) === normalizeName(text);
}

function candidates(items: Iterable<Item>, idField: string, fields: readonly string[]) {
  return [...items].map((item) => {
    const label = fields.map((field) => item[field]).find((value) => typeof value === "string");
    return { id: item[idField], name: (label as string | undefined) ?? "" };
  });
}

/** An ID as the input declares it: numbers as text where the input is text. */
function toInputType(id: unknown, { inputSchema }: ToolDefinition, name: string): unknown {
  return takesOnlyText(propertySchema(inputSchema, name)) ? String(id) : id;
}

function takesOnlyText(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, anyOf } = schema;
  return type === "string" || (Array.isArray(anyOf) && anyOf.every(takesOnlyText));
}

interface NameList {
  readonly tool: ToolDefinition;
  readonly names: ItemNames;
}

/** The tool of a lookup, as one that only lists. Undefined if it is not offered or replaced. */
function findList({ server }: NamingCall, { tool: name }: IdLookUp): NameList | undefined {
  const tool = server.tools.get(name);
  if (!tool || !("operations" in tool) || "run" in tool || !tool.annotations.readOnlyHint)
    return undefined;
  const operation = tool.operations.find(({ itemNames }) => itemNames !== undefined);
  const names = operation?.itemNames;
  if (!operation || !names) return undefined;
  const { items, pagination } = names;
  const total = pagination?.total;
  const { lookUps: _, resolve: __, ...list } = withAllFields(operation);
  const response = items === undefined ? {} : { response: { items, ...extraFields(total) } };
  const only = { ...list, ...response, whenProvided: [], ...omitUndefined({ pagination }) };
  const outputSchema = items === undefined ? tool.outputSchema : { type: "object" };
  return { names, tool: { ...tool, operations: [only], ...omitUndefined({ outputSchema }) } };
}

const extraFields = (total: string | undefined) =>
  total === undefined ? {} : { extraFields: { total } };

/** The items that a search for a text returns; of a list without a search, all of them. */
async function listItems(
  prepared: NamingCall,
  { tool, names }: NameList,
  { inputs = {} }: IdLookUp,
  { input, text }: { readonly input: ToolInput; readonly text: string },
  callOperation: CallOperation,
): Promise<readonly Item[] | undefined> {
  const { server, context, info } = prepared;
  const { searchInput, pageSize } = names;
  const shared = Object.entries(inputs).map(([to, from]) => [to, input[from]] as const);
  const given = omitUndefined({
    ...Object.fromEntries(shared),
    ...(pageSize && { [pageSize.input]: pageSize.size }),
    ...(searchInput !== undefined && { [searchInput]: text }),
  });
  context.progress?.(`Looking up ${formatInput("name", text)} with ${tool.name}.`);
  const { pageMemory: _, ...whole } = withWholeResults(server);
  const { outcome, result, isPartial } = await callOperation({
    ...prepared,
    server: whole,
    info: { ...info, tool, input: given },
    hasLookedUp: true,
  });
  const { structuredContent } = result;
  if (outcome !== "ok" || isPartial || !isObject(structuredContent)) return undefined;
  return isObject(structuredContent) ? completeItems(structuredContent) : undefined;
}

/** The items of a list; undefined if it says that there are more. */
function completeItems(list: Readonly<Record<string, unknown>>): readonly Item[] | undefined {
  const { items, next, nextUrl } = list;
  if (!Array.isArray(items) || nextUrl !== undefined) return undefined;
  if (isObject(next) && Object.keys(next).length > 0) return undefined;
  const hasMore = Object.entries(list).some(
    ([name, value]) =>
      typeof value === "number" && /total|count$/i.test(name) && value > items.length,
  );
  return hasMore ? undefined : (items as readonly unknown[]).filter(isObject);
}

/** The value of a lookup, and the tools around it. */
interface Subject {
  readonly name: string;
  readonly text: string;
  /** Tool with the list. */
  readonly tool: string;
  readonly caller: string;
}

type Candidates = Parameters<typeof formatCandidates>[0];

function noMatch(
  { name, text, tool, caller }: Subject,
  field: string,
  items: Candidates,
): { readonly text: string } | undefined {
  const ranked = rankCandidates(text, items);
  if (ranked.length === 0) return undefined;
  const event = `No result of ${tool} has the ${field} ${quoteInput(name, text)}`;
  return {
    text:
      `${event}. Candidates for ${name}: ${formatCandidates(ranked)}. ` +
      `If one of them is meant, call ${caller} again with its ID.`,
  };
}

function ambiguousText({ name, text, caller }: Subject, items: Candidates): string {
  const event = `${name} ${quoteInput(name, text)} is the name of ${items.length} things`;
  return (
    `${event}: ${formatCandidates(items)}. Call ${caller} again with the ID of the right one; ` +
    "if you cannot tell which it is, ask the user."
  );
}

function destructiveText(tool: string, matches: readonly Match[]): string {
  const sentences = matches.map(({ sentence }) => `${sentence}.`);
  const ids = matches.map(({ name, id }) => `${name}: ${quoteInput(name, id)}`).join(", ");
  return [
    ...sentences,
    `Nothing was done with that ID. If it is the right one, call ${tool} with ${ids}.`,
  ].join(" ");
}

/** Calls an operation with IDs in place of names, and says so in its result. */
export async function callWithIds(
  running: RunningCall,
  { input, notes }: Extract<LookedUp, { notes: readonly string[] }>,
  callOperation: CallOperation,
): Promise<CallOutcome> {
  const { info, server } = running;
  const foundInputs = Object.keys(input).filter((name) => input[name] !== info.input[name]);
  const repeated: RunningCall = {
    ...running,
    info: { ...info, input },
    hasLookedUp: true,
    foundInputs,
  };
  const outcome = await callOperation(repeated);
  const sentences = notes.map(server.redact);
  if (outcome.result.isError) return addText(outcome, sentences.join(" "));
  return { ...outcome, ...addFacts(outcome, { notes: sentences }, info.tool.outputSchema) };
}

/** Adds sentences to the text of an error. */
export function addText<Outcome extends CallOutcome>(outcome: Outcome, text: string): Outcome {
  const { result } = outcome;
  const [first, ...others] = result.content;
  if (first?.type !== "text") return outcome;
  const content = [{ ...first, text: `${first.text}\n${sanitize(text)}` }, ...others];
  return { ...outcome, result: { ...result, content } };
}

// ---- call/names-in-ids.ts ----
// Names where IDs have a form: lookups before a request that could not have an effect.

/** The input with digits as numbers, or the outcome of the call. */
type ReplacedNames = { readonly input: ToolInput } | { readonly outcome: CallOutcome };

/**
 * Replaces names in inputs that take IDs of a form that names may lack. The schema of such an
 * input allows any text.
 * @param callOperation calls the operation of a tool
 */
export async function replaceNames(
  running: RunningCall,
  tool: ToolDefinition,
  operation: OperationBinding,
  given: ToolInput,
  callOperation: CallOperation,
): Promise<ReplacedNames> {
  const { lookUps = {} } = operation;
  const formed = Object.keys(lookUps).filter((name) => lookUps[name]!.idForm !== undefined);
  const input = withNumbers(
    given,
    formed.filter((name) => lookUps[name]!.idForm === "integer"),
  );
  // The list has the ID, whatever the document says of its form.
  if (running.hasLookedUp) return { input };
  const wrong = formed.filter((name) => formProblem(lookUps[name]!, input[name]) !== undefined);
  if (wrong.length === 0) return { input };
  const naming = { ...running, operation, call: { tool, input } };
  const names = wrong.filter((name) => mayBeName(input[name]));
  const found = mayLookUp(running) ? await lookUpInTime(naming, names, callOperation) : undefined;
  if (found && "input" in found)
    return { outcome: await callWithIds(running, found, callOperation) };
  if (found) return { outcome: errorResult("invalid", sanitize(`Not sent. ${found.text}`)) };
  const problems = wrong.flatMap((name) => {
    const problem = formProblem(lookUps[name]!, input[name]);
    return problem ? [{ input: name, problem }] : [];
  });
  return problems.length > 0 ? { outcome: invalidInput(tool, problems) } : { input };
}

/** `"42"` → 42, as the API declares it. */
function withNumbers(input: ToolInput, names: readonly string[]): ToolInput {
  const numbers = names.flatMap((name) => {
    const value = input[name];
    const isNumber = typeof value === "string" && /^\s*-?\d{1,15}\s*$/.test(value);
    return isNumber ? [[name, Number(value)] as const] : [];
  });
  return numbers.length === 0 ? input : { ...input, ...Object.fromEntries(numbers) };
}

/**
 * Problem of a text that lacks the form of IDs. It is empty where the API may take the text, and
 * undefined for an ID.
 */
function formProblem({ idForm, tool }: IdLookUp, value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (isObject(idForm)) {
    const [problem] = validatorFor(idForm)(value);
    return problem && `${describeProblem(problem)}; use an ID from ${tool}`;
  }
  if (!mayBeName(value) || UUID.test(value.trim())) return undefined;
  return idForm === "integer" ? `must be an integer, an ID from ${tool}` : "";
}

// ---- call/other-query.ts ----
// Inputs that the document has for other calls of a read, sent in the query on demand.

/** A tool and its input, before the call is made. */
export interface CheckedInput {
  readonly tool: AnyTool | BuiltInTool;
  readonly prepared: PreparedInput;
  /** The way to send an input that is refused. */
  readonly offer?: string;
}

/**
 * Opens the operation that an input selects for the parameters that only other operations of the
 * tool declare, such as an `expand` of the list beside an ID: many APIs take them in both. The
 * first such call is refused and offered to its caller.
 */
export function sendOtherQuery(
  { corrections, settings }: Pick<ServerContext, "corrections" | "settings">,
  checked: CheckedInput,
  args: unknown,
  caller: string,
): CheckedInput {
  const { tool, prepared } = checked;
  if (!prepared.ok || !("operations" in tool) || settings.strictInputs) return checked;
  const selected = selectOperation(tool, prepared.input);
  if (selected.ok || !selected.withoutThem) return checked;
  const { withoutThem: operation, problems } = selected;
  const query = queryOfOthers(tool, problems);
  if (!query || operation.request.method !== "GET") return checked;
  const offer = corrections.offerOtherQuery({ caller, tool, args, problems });
  if (offer !== undefined) return { tool, prepared: { ok: false, problems }, offer };
  const { request } = operation;
  const opened = { ...operation, request: { ...request, query: { ...request.query, ...query } } };
  const operations = tool.operations.map((one) => (one === operation ? opened : one));
  const otherQuery = problems.map(({ input }) => input);
  const changes = { ...prepared.changes, otherQuery };
  return { tool: { ...tool, operations }, prepared: { ...prepared, changes } };
}

/**
 * Parameters of other operations that take these inputs. Undefined if one has none, or chooses the
 * operation itself, as words of a search do.
 */
function queryOfOthers(
  { annotations, operations }: ToolDefinition,
  problems: readonly InputProblem[],
): RequestMapping["query"] | undefined {
  const parameters = operations.flatMap(({ request }) => Object.entries(request.query ?? {}));
  const choosing = new Set(operations.flatMap(({ whenProvided }) => whenProvided));
  const found = problems.map(({ input }) =>
    choosing.has(input) ? undefined : parameters.find(([, source]) => inputOf(source) === input),
  );
  return annotations.readOnlyHint && found.every((one) => one !== undefined)
    ? Object.fromEntries(found)
    : undefined;
}

// ---- call/query-form.ts ----
// Parameters of a query in another form than the documented one, after the API has rejected that:
// `ids=1&ids=2` for `ids=1,2`, `date[gte]=1` for a member, `tag[]=a` for a list of one.

/** Name and source of a parameter. */
type Parameter = readonly [string, ParameterSource];

/** A parameter with its value and the API's message. */
interface Rejected {
  readonly name: string;
  readonly source: InputSource;
  readonly value: unknown;
  /** Words of the message, and the part of it that is about this input. */
  readonly words: ReadonlySet<string>;
  readonly ownMessage: string;
  /** True if the whole message is about lists. */
  readonly isAboutList: boolean;
}

/** Another form of parameters, and a note with the names of those that have it. */
interface QueryForm {
  /** The name and source in this form; undefined if it is not what the message is about. */
  apply(rejected: Rejected): Parameter | undefined;
  note(names: string): string;
}

const LIST_WANTED = /\b(?:array|list|sequence)\b/i;

/** Messages about the number of items, or that a value is not a list. */
const ABOUT_ITEMS =
  /\b(?:array|list|sequence|(?:fewer|less) than \d{1,6} items?|at least \d{1,6} items?)\b/i;

/** Forms in the order in which they are tried. */
const FORMS: readonly QueryForm[] = [
  {
    apply: separateItems,
    note: (names) =>
      `The API rejected ${names} joined by commas, as its document has it, so each item was sent as a parameter of its own.`,
  },
  {
    apply: bracketedName,
    note: (names) =>
      `The API rejected ${names} in the form of its document, so the names have brackets, as in name[member]=value.`,
  },
];

/**
 * The read with parameters of its query in another form, if the API's message is about their form.
 * @param bind binds the inputs of the call to an operation
 */
export function repeatInQueryForm(
  rejected: RejectedCall,
  bind: (operation: OperationBinding) => BindResult,
): RepeatedCall | undefined {
  const { prepared, answered, response } = rejected;
  const { call, operation } = prepared;
  const isRejected = response.status === 400 || response.status === 422;
  if (call.mapping.method !== "GET" || !isRejected) return undefined;
  const parameters = rejectedParameters(rejected);
  const forms = FORMS.map((form) => ({ ...form, changed: inForm(form, parameters) }));
  const form = forms.find(({ changed }) => changed.size > 0);
  if (!form) return undefined;
  const query = withChanged(operation.request.query ?? {}, form.changed);
  const request = { ...operation.request, query };
  const bound = bind({ ...operation, request });
  if (!bound.ok) return undefined;
  recordRejection(answered, response);
  const repeated = { ...call, mapping: request, request: bound.request, rejected: call };
  const again = { ...prepared, operation: { ...operation, request }, call: repeated };
  return { prepared: again, note: form.note([...form.changed.keys()].join(", ")) };
}

/** The parameters that change in a form, by their documented names. */
function inForm(form: QueryForm, parameters: readonly Rejected[]): ReadonlyMap<string, Parameter> {
  const changed = parameters.map((one) => [one.name, form.apply(one)] as const);
  return new Map(changed.flatMap(([name, to]) => (to ? [[name, to]] : [])));
}

const withChanged = (
  query: Readonly<Record<string, ParameterSource>>,
  changed: ReadonlyMap<string, Parameter>,
): Readonly<Record<string, ParameterSource>> =>
  Object.fromEntries(Object.entries(query).map((own) => changed.get(own[0]) ?? own));

/** Parameters of the query that inputs give as `name=value`. */
function rejectedParameters({ prepared, answered, response }: RejectedCall): readonly Rejected[] {
  const error = extractApiError(response);
  const message = JSON.stringify(error);
  const words = new Set(message.match(/[\w$.-]+/g));
  const { inputErrors } = mapErrorsToInputs(error, answered.call);
  return Object.entries(prepared.operation.request.query ?? {}).flatMap(([name, parameter]) => {
    const source = typeof parameter === "string" ? { from: parameter } : parameter;
    if (!("from" in source) || source.separator || (source.style ?? "form") !== "form") return [];
    const own = inputErrors.filter(({ input }) => input === source.from);
    return {
      name,
      source,
      value: prepared.call.input[source.from],
      words,
      ownMessage: own.map((one) => one.message).join(" "),
      isAboutList: LIST_WANTED.test(message),
    };
  });
}

/** A parameter for each item of a list that is joined by commas. */
function separateItems({ name, source, value, ownMessage }: Rejected): Parameter | undefined {
  const isJoined = source.explode === false && Array.isArray(value) && value.length > 1;
  return isJoined && ABOUT_ITEMS.test(ownMessage)
    ? [name, { ...source, explode: true }]
    : undefined;
}

/**
 * Brackets for an object of which the message names a member, and for a list of one, or one value,
 * that is to be a list.
 */
function bracketedName({
  name,
  source,
  value,
  words,
  isAboutList,
}: Rejected): Parameter | undefined {
  if (source.contentType !== undefined || source.explode === false) return undefined;
  if (isObject(value))
    return Object.keys(value).some((key) => words.has(key))
      ? [name, { ...source, style: "deepObject" }]
      : undefined;
  const isOne = Array.isArray(value) ? value.length === 1 : typeof value === "string";
  return isOne && isAboutList && words.has(name) ? [`${name}[]`, source] : undefined;
}

// ---- call/response-extent.ts ----
// Extent of a write's response: all, a part or nothing of the thing that was written.

/** `none`: only success. `less`: a part of the thing, such as its ID. `full`: the thing. */
export type Extent = "none" | "less" | "full";

/** Fields that report success, and nothing about a thing. */
const ACKNOWLEDGING =
  /^(?:code|stat(?:us)?|ok|succe(?:ss|eded)|done|result|message|msg|errors?|err(?:or)?_?(?:code|msg|message)|detail|info|data|response|(?:request|trace|correlation)_?id|time(?:stamp|_?ms)?|version)$/i;

/** Objects beside the content of a response, which say nothing about a thing. */
const ABOUT_RESPONSE = /^_?(?:meta(?:data)?|links)$/i;

/** Text that reports success. */
const ACKNOWLEDGEMENT = /^\s*"?(?:ok(?:ay)?|done|success\w*|accepted|true|1)\b[^\n]{0,60}$/i;

/** Minimum number of missing fields with which a response counts as a part of the thing. */
const MISSING_FIELDS = 3;

/** Maximum length of a message. */
const MAX_STATUS_TEXT = 300;

/**
 * Compares a response with the thing.
 * @param reader tool that gets the thing
 */
export function extentOf(
  content: Exclude<DecodedContent, { kind: "malformed" }>,
  reader: ToolDefinition,
  { created }: ReadBack,
): Extent {
  switch (content.kind) {
    case "empty":
      return "none";
    case "text":
      return ACKNOWLEDGEMENT.test(content.text) ? "none" : "full";
    case "binary":
      return "full";
    case "json":
      return extentOfValue(content.value, reader, created !== undefined);
  }
}

function extentOfValue(value: unknown, reader: ToolDefinition, isCreated: boolean): Extent {
  if (!isObject(value))
    return isEmptyValue(value) || typeof value === "boolean"
      ? "none"
      : scalarExtent(value, isCreated);
  const contents = Object.entries(value).filter(
    ([name, field]) => !(isObject(field) && ABOUT_RESPONSE.test(name)),
  );
  const entries = Object.entries(unwrap(Object.fromEntries(contents))).filter(
    ([, field]) => !isEmptyValue(field),
  );
  if (entries.every(([name, field]) => isAcknowledging(name, field))) return "none";
  if (entries.some(([, field]) => typeof field === "object")) return "full";
  const fields = fieldsOf(reader);
  const shared = entries.filter(([name]) => fields.has(name)).length;
  return shared <= 1 && fields.size - shared >= MISSING_FIELDS ? "less" : "full";
}

/** A number or a text alone is the ID of a created thing, or a message. */
function scalarExtent(value: unknown, isCreated: boolean): Extent {
  if (Array.isArray(value)) return "full";
  if (isCreated) return "less";
  return typeof value === "string" && !ACKNOWLEDGEMENT.test(value) ? "full" : "none";
}

/** The only object inside of an envelope, with the fields beside it. */
function unwrap(value: Record<string, unknown>): Record<string, unknown> {
  const objects = Object.entries(value).filter(
    ([, field]) => isObject(field) && !isEmptyValue(field),
  );
  const [only, ...others] = objects;
  if (!only || others.length > 0) return value;
  const { [only[0]]: _, ...beside } = value;
  return { ...beside, ...(only[1] as Record<string, unknown>) };
}

function isAcknowledging(name: string, value: unknown): boolean {
  if (!ACKNOWLEDGING.test(name)) return false;
  if (typeof value === "string") return value.length <= MAX_STATUS_TEXT;
  return typeof value === "boolean" || typeof value === "number";
}

/** Names of the declared fields of the thing, also inside of an envelope. */
function fieldsOf({ outputSchema, operations }: ToolDefinition): ReadonlySet<string> {
  const root = outputSchema ?? {};
  const isFound = operations.some(({ response }) => response.item !== undefined);
  const properties = documentedProperties(root, root);
  const items = isFound ? properties["items"]?.["items"] : undefined;
  const thing = isObject(items) ? documentedProperties(items as JsonSchema, root) : properties;
  const [only, ...others] = Object.values(thing);
  const inner = only && others.length === 0 ? documentedProperties(only, root) : {};
  return new Set(Object.keys(Object.keys(inner).length > 0 ? inner : thing));
}

const documentedProperties = (
  schema: JsonSchema,
  root: JsonSchema,
): Readonly<Record<string, JsonSchema>> => propertiesOf(targetOf(schema["$ref"], root) ?? schema);

// ---- call/sent-differences.ts ----
// Differences between what a write has sent and what a read shows after it. Fields of the same name
// are compared, and an ID with that of the thing it names: `status_id` and `status.id`. Fields that
// the read lacks, secrets, counters of versions and other forms of the same value are no
// differences.

/** A field whose value is not the one that was sent. */
export interface SentDifference {
  /** Path in the request body; `$` for the whole body. */
  readonly field: string;
  readonly sent: unknown;
  readonly current: unknown;
}

interface ReadValue {
  readonly value: unknown;
  /** True if lists and texts in it are whole. */
  readonly isWhole: boolean;
  /** True if the write may add to what was there before, such as `appendText`. */
  readonly mayAdd?: boolean;
}

/** Maximum number of differences in a note, and maximum number of characters of a value in it. */
const MAX_DIFFERENCES = 5;
const MAX_VALUE = 120;

/** Maximum depth at which fields are compared. */
const MAX_DEPTH = 8;

/** Maximum number of items of lists whose items are compared. */
const MAX_ITEMS = 200;

/** Fields that an API changes with every write. */
const CHANGES_ITSELF =
  /^_?(?:.*version|rev(?:ision)?|e_?tag|generation|(?:last_?)?(?:updated|modified|changed|edited)(?:_?(?:at|on|by|date|time))?|timestamp)$/i;

/** Fields of an item of a request that say how the item of the thing changes. */
const CHANGE_KIND =
  /^_?(?:change_?type|op|operation|action|method|patch_?type|destroy|deleted?|removed?)$/i;

/** A sentence about differences, if there are any. */
export function differenceNote(differences: readonly SentDifference[]): string | undefined {
  if (differences.length === 0) return undefined;
  const parts = differences.map(
    ({ field, sent, current }) =>
      `${field === "$" ? "" : `${field} `}(sent ${show(sent)}, current ${show(current)})`,
  );
  const colon = differences[0]!.field === "$" ? "" : ":";
  return `current differs from what was sent${colon} ${joinFirst(parts, MAX_DIFFERENCES)}.`;
}

const show = (value: unknown): string => beginningOf(JSON.stringify(value), MAX_VALUE);

/** What a request has sent: its body, or the query of a request without one. */
export function sentValue({ url, headers, body }: BoundRequest): unknown {
  if (body === undefined) return Object.fromEntries(new URL(url).searchParams);
  const type = headerIn(headers, "Content-Type") ?? "";
  if (typeof body !== "string") return undefined;
  if (isForm(type)) return Object.fromEntries(new URLSearchParams(body));
  if (!isJson(type) || essence(type) === "application/json-patch+json") return undefined;
  return parseJsonText(body);
}

/** The differences of a read value from a sent one. */
export function differencesFrom(sent: unknown, read: ReadValue): readonly SentDifference[] {
  if (sent === undefined) return [];
  const [given, value] = Array.isArray(sent)
    ? [sent, listOf(read.value)]
    : withoutEnvelopes(sent, read.value);
  return differencesAt(given, { ...read, value }, []);
}

/** The list of a result, which may stand in `items`. */
const listOf = (value: unknown): unknown =>
  isObject(value) && Array.isArray(value["items"]) ? value["items"] : value;

/** Both objects without envelopes that only one of them has: `{pet: {…}}`, `{items: [{…}]}`. */
function withoutEnvelopes(sent: unknown, read: unknown): readonly [unknown, unknown] {
  if (!isObject(sent) || !isObject(read) || shareName(sent, read)) return [sent, read];
  const [inSent, inRead] = [contentOf(sent), contentOf(read)];
  if (inRead && shareName(sent, inRead)) return [sent, inRead];
  if (inSent && shareName(inSent, read)) return [inSent, read];
  return [inSent, inRead];
}

/** The only object in an object, or in its only list. */
function contentOf(value: Record<string, unknown>): Record<string, unknown> | undefined {
  const inner = Object.values(value).map((one) =>
    Array.isArray(one) && one.length === 1 ? (one[0] as unknown) : one,
  );
  const [only, ...others] = inner.filter(isObject);
  return others.length === 0 ? only : undefined;
}

const shareName = (one: object, other: object): boolean =>
  Object.keys(one).some(
    (name) =>
      Object.hasOwn(other, name) || idOf(name, other as Record<string, unknown>) !== undefined,
  );

function differencesAt(
  sent: unknown,
  read: ReadValue,
  path: readonly PathSegment[],
): readonly SentDifference[] {
  const { value, isWhole } = read;
  if (isObject(sent) && isObject(value))
    return path.length >= MAX_DEPTH ? [] : fieldDifferences(sent, { ...read, value }, path);
  const isSame =
    Array.isArray(sent) && Array.isArray(value)
      ? !isWhole || isSameList(sent, value, read.mayAdd)
      : isObject(sent) || isObject(value) || isSameValue(sent, read);
  if (isSame) return [];
  return [{ field: path.length === 0 ? "$" : formatPath(path), sent, current: value }];
}

function fieldDifferences(
  sent: Record<string, unknown>,
  { value: fields, ...read }: ReadValue & { readonly value: Record<string, unknown> },
  path: readonly PathSegment[],
): readonly SentDifference[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    if (isSecretField(name) || CHANGES_ITSELF.test(name)) return [];
    const current = Object.hasOwn(fields, name) ? ownProperty(fields, name) : idOf(name, fields);
    return current === undefined
      ? []
      : differencesAt(value, { ...read, value: current }, [...path, name]);
  });
}

/** The ID of the thing that `status_id` names, if a read has the thing in its place. */
function idOf(name: string, fields: Record<string, unknown>): unknown {
  const [, thing = ""] = /^(.+?)(?:_id|Id)$/.exec(name) ?? [];
  const value = Object.hasOwn(fields, thing) ? ownProperty(fields, thing) : undefined;
  return isObject(value) ? ownProperty(value, "id") : undefined;
}

/** True if both lists have the same items in any order, as far as that can be told. */
function isSameList(sent: readonly unknown[], read: readonly unknown[], mayAdd?: boolean): boolean {
  if (mayAdd && sent.length === 0) return true;
  if (sent.length === 0 || read.length === 0) return sent.length === read.length;
  if (!canCompare(sent, read)) return true;
  if (mayAdd ? sent.length > read.length : sent.length !== read.length) return false;
  if (sent.length > MAX_ITEMS) return true;
  return sent.every((item) => read.some((other) => isSameItem(item, other)));
}

/** Items of the same kind. Objects need a name in common, and must not be changes of items. */
function canCompare(sent: readonly unknown[], read: readonly unknown[]): boolean {
  const areObjects = sent.every(isObject);
  if (areObjects !== read.every(isObject)) return false;
  if (areObjects)
    return (
      shareName(sent[0] as object, read[0] as object) && !sent.some((one) => isChange(one, read))
    );
  return [...sent, ...read].every((item) => typeof item !== "object" || item === null);
}

/** True for an item that says what happens to an item: `{name: "www", changetype: "REPLACE"}`. */
const isChange = (sent: unknown, read: readonly unknown[]): boolean =>
  Object.keys(sent as object).some(
    (name) => CHANGE_KIND.test(name) && !read.some((one) => Object.hasOwn(one as object, name)),
  );

const isSameItem = (sent: unknown, read: unknown): boolean =>
  differencesAt(sent, { value: read, isWhole: true }, []).length === 0;

/** True if two values are the same, one of them is hidden, or both only differ in their form. */
function isSameValue(sent: unknown, { value: read, isWhole, mayAdd }: ReadValue): boolean {
  if (isNothing(sent) || isNothing(read)) return isNothing(sent) === isNothing(read);
  if (Array.isArray(sent) || Array.isArray(read)) return true;
  const [one, other] = [textOf(sent), textOf(read)];
  if (isHidden(other) || (!isWhole && other.includes("… ["))) return true;
  if (isNumeric(one) || isNumeric(other))
    return !isNumeric(one) || !isNumeric(other) || Number(one) === Number(other);
  const areTexts = typeof sent === "string" && typeof read === "string";
  if (!areTexts || isSameInstant(one, other)) return true;
  const [given, current] = [comparableText(one), comparableText(other)];
  return mayAdd ? current.includes(given) : current === given;
}

/** A value as text, and flags as numbers, because APIs convert both. */
const textOf = (value: unknown): string =>
  /^(?:true|false)$/i.test(String(value))
    ? String(Number(/t/i.test(String(value))))
    : String(value);

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (value as unknown[]).length === 0;

/** Masked values: `****1234`, `[redacted]`, `<hidden>`. */
const isHidden = (text: string): boolean =>
  /[*\u2022\u25cf]{3}|x{4,}|^[[<(]?(?:redacted|hidden|masked|encrypted|secret)[\])>]?$/i.test(text);

const isNumeric = (text: string): boolean => /^\s*[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?\s*$/i.test(text);

const DATE = /^\d{4}-\d\d-\d\d/;

const isSameInstant = (one: string, other: string): boolean =>
  DATE.test(one) && DATE.test(other) && Date.parse(one) === Date.parse(other);

/** A text without markup, case, spaces and punctuation, which APIs normalize. */
function comparableText(text: string): string {
  const letters = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
  return letters === "" ? text.trim() : letters;
}

// ---- call/read-back.ts ----
// Reads of the things that writes have changed, created or removed.

/** Share of the characters of a result that the thing may take. */
const READ_BACK_SHARE = 0.25;

/** Maximum number of characters of a list in which a removed thing is sought. */
const MAX_LIST = 5_000_000;

interface Success {
  readonly request: BoundRequest;
  readonly response: ApiResponse;
  readonly content: Exclude<DecodedContent, { kind: "malformed" }>;
}

/**
 * Reads the thing that a write has changed, with the tool that the operation names, where the
 * response does not have it.
 * @param input input of the call, with IDs in place of names
 * @param callOperation calls the operation of a tool
 * @returns undefined where there is nothing to read, and after a failure, which is not one of the
 * call
 */
export async function readItemBack(
  running: RunningCall,
  operation: OperationBinding,
  { request, response, content }: Success,
  input: ToolInput,
  callOperation: (running: RunningCall) => Promise<CallOutcome>,
): Promise<ResultFacts | undefined> {
  const { server, context } = running;
  const { readBack } = operation;
  // 202: the change may come later. 304: nothing has changed.
  if (!readBack || ![200, 201, 204, 205].includes(response.status)) return undefined;
  const { maxResultCharacters } = server.settings;
  const max = readBack.listed ? MAX_LIST : Math.floor(maxResultCharacters * READ_BACK_SHARE);
  const call = nestedCall(running, readBack, input, max);
  if (!call || isRateLimitExhausted(response.headers)) return undefined;
  const { tool } = call.info;
  if (!isDue(extentOf(content, tool, readBack), readBack, server.settings)) return undefined;
  const known = withCreatedId(readBack, call.info.input, response, content);
  if (!known) return undefined;
  context.progress?.(`Reading it back with ${tool.name}.`);
  const outcome = await callOperation({ ...call, info: { ...call.info, input: known } });
  const { listed, isRemoval = false } = readBack;
  if (listed) return listedFacts(outcome, tool, { ...listed, isRemoval }, input);
  const sent = comparesFields(operation) ? sentValue(request) : undefined;
  // Only PUT and PATCH are known to set what they send.
  const mayAdd = request.method === "POST" && !readBack.created;
  const shown = jsonOf(content);
  return readBackFacts(outcome, tool, readBack, { sent, mayAdd, shown });
}

/** False for a removal, and for an action, whose fields may mean something else than the thing's. */
function comparesFields({ readBack, request: { method, path } }: OperationBinding): boolean {
  const isAction = method === "POST" && !readBack?.created && /\}\/[^/{}]+$/.test(path);
  return !readBack?.isRemoval && !isAction;
}

/** True if a response says so little that the thing is read. */
function isDue(
  extent: Extent,
  { evenAfterContent }: ReadBack,
  { readBack }: RunningCall["server"]["settings"],
): boolean {
  if (readBack === "never" || extent === "full") return false;
  return extent === "none" || readBack === "always" || evenAfterContent === true;
}

/** Input of the reader. Undefined if the ID of a created thing is not known. */
function withCreatedId(
  { created }: ReadBack,
  input: ToolInput,
  response: ApiResponse,
  content: Success["content"],
): ToolInput | undefined {
  if (!created) return input;
  const id = createdId(created, response.headers, jsonOf(content)) ?? input[created.input];
  return id === undefined ? undefined : { ...input, [created.input]: id };
}

/** Facts of a write before the thing is read. */
interface KnownOfWrite {
  readonly sent: unknown;
  readonly mayAdd: boolean;
  /** JSON of the response, which the result shows. */
  readonly shown: unknown;
}

function readBackFacts(
  read: CallOutcome,
  { name }: ToolDefinition,
  { isRemoval }: ReadBack,
  { sent, mayAdd, shown }: KnownOfWrite,
): ResultFacts | undefined {
  const { outcome, status } = read;
  // A reader without content says by its status that the thing exists.
  if (status === 204 || (isRemoval && (status === 404 || status === 410)))
    return { notes: [`${name} answers ${status} for it now.`] };
  const current = valueOf(read);
  const isWhole = !read.isTruncated && !read.isPartial;
  const isText = typeof current !== "object";
  if (outcome !== "ok" || current === undefined || current === null) return undefined;
  if (isText && !isWhole) return undefined;
  const differences = isText ? [] : differencesFrom(sent, { value: current, isWhole, mayAdd });
  const fields = differences.map(({ field }) => field);
  if (fields.length === 0 && isSame(shown, current))
    return { notes: [`${name} returns the same after it.`] };
  return {
    notes: [`current is what ${name} returned right after it.`, differenceNote(differences)],
    values: { current, ...(fields.length > 0 && { differsFromSent: fields }) },
    blocks: [{ type: "text", text: JSON.stringify({ current }) }],
  };
}

/** True if the result shows a value already, so that it would be there twice. */
const isSame = (shown: unknown, current: unknown): boolean =>
  JSON.stringify(Array.isArray(shown) ? { items: shown } : shown) === JSON.stringify(current);

/**
 * Says whether a list still has a removed thing, or shows what it has of a changed one. A list that
 * may have more items shows no absence.
 */
function listedFacts(
  read: CallOutcome,
  { name }: ToolDefinition,
  { input, fields, list, isRemoval }: ListedId & { readonly isRemoval: boolean },
  given: ToolInput,
): ResultFacts | undefined {
  const { outcome, isPartial, isTruncated } = read;
  const value = outcome === "ok" ? valueOf(read) : undefined;
  const items = list === undefined && isObject(value) ? value["items"] : valueAt(value, list);
  if (!Array.isArray(items) || !items.every(isObject)) return undefined;
  const id = String(given[input]);
  const field = fields.find((one) => items.every((item) => isSameKind(item[one], id)));
  if (field === undefined) return undefined;
  const [item, ...others] = items.filter((one) => String(one[field]) === id);
  if (item && isRemoval) return { notes: [`${name} still lists it.`] };
  if (item) return others.length === 0 ? listedItemFacts(item, name) : undefined;
  const isKnown = items.some((one) => Object.values(one).some((other) => String(other) === id));
  if (isPartial || isTruncated || isKnown || isRoundCount(items.length)) return undefined;
  return { notes: [`${name} does not list it now.`] };
}

const listedItemFacts = (
  current: Readonly<Record<string, unknown>>,
  name: string,
): ResultFacts => ({
  notes: [`current is what ${name} lists of it now.`],
  values: { current },
  blocks: [{ type: "text", text: JSON.stringify({ current }) }],
});

/** True for an ID of the same kind, so that a slug is not compared with numbers. */
const isSameKind = (value: unknown, id: string): boolean =>
  (typeof value === "string" || typeof value === "number") &&
  /^\d+$/.test(String(value)) === /^\d+$/.test(id);

/** The value of a result: structured, or its only text, as JSON unless the API sent text. */
function valueOf({ result: { structuredContent, content }, isText }: CallOutcome): unknown {
  const [block, ...others] = content;
  if (structuredContent !== undefined || others.length > 0 || block?.type !== "text")
    return structuredContent;
  const value = isText ? undefined : parseJsonText(block.text);
  return value === undefined ? block.text : value;
}

// ---- call/read-urls.ts ----
// Stands in for inputs that take URLs: no tool of this project has one.

export function readUrls(
  _tool: unknown,
  args: unknown,
): { readonly args: unknown } | { readonly problems: readonly InputProblem[] } {
  return { args };
}

// ---- call/record-effect.ts ----
// Record of the writes of a call, which may be a part of another one.

/** Records a write that took effect, for a call that it is a part of. */
export function recordEffect(
  { server, call, operation, context }: PreparedCall,
  { response, content }: DecodedResponse,
): void {
  if (!isPossibleWrite(call)) return;
  const created = { url: call.request.url, headers: response.headers, body: jsonOf(content) };
  const revert = revertingCall(server.tools, operation, created);
  context.requests?.addEffect({ tool: call.tool.name, ...(revert !== undefined && { revert }) });
}

// ---- call/repeat-call.ts ----
// Reads a full result without a store: the call that its URI states is made again.

type CallWith = (server: ServerContext, tool: AnyTool, input: ToolInput) => Promise<CallToolResult>;

/**
 * Repeats a call with a store that takes its full result. Only tools of the caller that just read
 * are called.
 */
export async function readByCalling(
  server: ServerContext,
  uri: string,
  call: CallWith,
): Promise<RepeatedResult | undefined> {
  const reference = readCall(uri);
  const tool = reference && server.tools.get(reference.tool);
  if (!reference || !tool?.annotations.readOnlyHint) return undefined;
  const { input, digest } = reference;
  const taken: FullResult[] = [];
  const result = await call({ ...server, resultStore: capturingStore(taken) }, tool, input);
  if (result.isError) return { ok: false, result };
  const full = taken[0] ?? { mimeType: "application/json", text: textOfWhole(result) };
  const current = "text" in full ? await digestOf(full.text) : "";
  const base = `result://${tool.name}`;
  const contents: StoredContents = contentsOf(withCall(base, input, current) ?? uri, full);
  return { ok: true, contents, tool: tool.name, hasChanged: current !== digest };
}

/** The text of a result that is not too large any more. */
function textOfWhole(result: CallToolResult): string {
  const { structuredContent } = result;
  return structuredContent ? JSON.stringify(structuredContent) : textOfResult(result);
}

/** A store that only takes results. */
function capturingStore(taken: FullResult[]): ResultStore {
  const store: ResultStore = {
    lifetimeText: "this call",
    store: (_, fullResult) => void taken.push(fullResult),
    read: () => undefined,
    forCaller: () => store,
  };
  return store;
}

// ---- call/resolve-names.ts ----
// Stands in for the resolution of names: no tool of this project has one.

export function createLookUp(..._: readonly unknown[]): undefined {
  return undefined;
}

export function resolveNames(
  _server: unknown,
  _tool: unknown,
  input: ToolInput,
  ..._: readonly unknown[]
):
  | { readonly ok: true; readonly input: ToolInput }
  | { readonly ok: false; readonly outcome: CallOutcome } {
  return { ok: true, input };
}

// ---- call/several-ids.ts ----
// Calls with a list of IDs: one call for each, and one result.

/** Maximum number of IDs of one call. */
const MAX_IDS = 20;

/** Maximum number of requests of one call. */
const MAX_REQUESTS = 40;

/** A tool as it is called for one ID, and the IDs of a call that has a list of them. */
interface SplitCall {
  readonly tool: ToolDefinition;
  readonly binding: OperationBinding & { readonly severalIds: SeveralIds };
  /** Lists by input. */
  readonly lists: Readonly<Record<string, readonly unknown[]>>;
  readonly args: unknown;
}

/** The IDs of one of several calls, by input. */
type Ids = Readonly<Record<string, unknown>>;

/** Calls the tool for one ID, with a share of the size of a result. */
type CallOne = (tool: ToolDefinition, args: unknown, share: number) => Promise<CallOutcome>;

/**
 * Calls a tool for each ID of a list, within the deadline of one call. Reads are in parallel, and a
 * failure stands in the place of its ID. Writes are one after the other, up to the first failure
 * that is not about its ID alone.
 * @returns `undefined` for a tool that takes one ID
 */
export async function callForEach(
  given: AnyTool | BuiltInTool,
  args: unknown,
  timeoutMs: number,
  callOne: CallOne,
): Promise<CallOutcome | undefined> {
  const split = splitCall(given, args);
  if (!split) return undefined;
  const { tool, binding, lists } = split;
  const [input] = Object.keys(lists);
  if (input === undefined) return callOne(tool, split.args, 1);
  const wrong = listProblem(lists);
  const calls = wrong === undefined ? idsOfCalls(lists) : [];
  const included = includedNames(binding, args as ToolInput).length;
  const problem = wrong ?? countProblem(calls.length, included);
  if (problem !== undefined) return invalidInput(given, [{ input, problem }]);
  const endsAt = performance.now() + (tool.timeoutMs ?? timeoutMs);
  const callFor = (ids: Ids): Promise<CallOutcome> => {
    const remaining = Math.max(1, Math.ceil(endsAt - performance.now()));
    return callOne(
      { ...withoutWaiting(tool), timeoutMs: remaining },
      { ...(split.args as object), ...ids },
      1 / calls.length,
    );
  };
  const { isWrite } = binding.severalIds;
  const outcomes = await (isWrite ? runInOrder(calls, callFor) : runAtOnce(calls, callFor));
  return combine(split, calls, outcomes, given as ToolDefinition);
}

/** Finds the lists of IDs in the arguments of a call; hosts may send them as JSON text. */
function splitCall(tool: AnyTool | BuiltInTool, args: unknown): SplitCall | undefined {
  const binding = "operations" in tool ? tool.operations.find(takesSeveral) : undefined;
  if (!binding || !("operations" in tool)) return undefined;
  const { input, others = [] } = binding.severalIds;
  const inputs = [input, ...others];
  const given = isObject(args) ? args : {};
  const lists = inputs.flatMap((name) => {
    const list = listIn(given[name]);
    return list ? [[name, list] as const] : [];
  });
  const single = lists.flatMap(([name, ids]) => (ids.length === 1 ? [[name, ids[0]]] : []));
  return {
    tool: toolOfOneId(tool, inputs),
    binding,
    lists: Object.fromEntries(lists.filter(([, { length }]) => length !== 1)),
    args: single.length === 0 ? args : { ...given, ...(Object.fromEntries(single) as object) },
  };
}

/** The IDs of each call: those of one list, or of several in pairs, each once. */
function idsOfCalls(lists: SplitCall["lists"]): readonly Ids[] {
  const [longest = []] = Object.values(lists).toSorted((a, b) => b.length - a.length);
  const calls = longest.map((_, i) =>
    Object.fromEntries(Object.entries(lists).map(([name, ids]) => [name, ids[i]])),
  );
  return [...new Map(calls.map((ids) => [JSON.stringify(ids), ids])).values()];
}

const takesSeveral = (
  binding: OperationBinding,
): binding is OperationBinding & { readonly severalIds: SeveralIds } =>
  binding.severalIds !== undefined;

function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const parsed = parseContainerText(value);
  return Array.isArray(parsed) ? parsed : undefined;
}

/** Tools with the schema of one ID. Their validators are compiled once, and not by each call. */
const toolsOfOneId = new WeakMap<ToolDefinition, ToolDefinition>();

function toolOfOneId(tool: ToolDefinition, inputs: readonly string[]): ToolDefinition {
  let single = toolsOfOneId.get(tool);
  if (!single) toolsOfOneId.set(tool, (single = inputs.reduce(withoutList, tool)));
  return single;
}

/** The tool with the schema of one ID, which its values are validated against. */
function withoutList(tool: ToolDefinition, input: string): ToolDefinition {
  const properties = tool.inputSchema["properties"] as Readonly<Record<string, JsonSchema>>;
  const { anyOf, ...about } = properties[input] ?? {};
  const forms = Array.isArray(anyOf) ? (anyOf as readonly JsonSchema[]).slice(0, -1) : [];
  const schema = forms.length === 1 ? { ...forms[0], ...about } : { anyOf: forms, ...about };
  return {
    ...tool,
    inputSchema: { ...tool.inputSchema, properties: { ...properties, [input]: schema } },
  };
}

/** The tool without waiting for work that it starts, which would take that time for each ID. */
function withoutWaiting(tool: ToolDefinition): ToolDefinition {
  const operations = tool.operations.map((one) =>
    one.job ? { ...one, job: { ...one.job, waitMs: 0 } } : one,
  );
  return { ...tool, operations };
}

function listProblem(lists: SplitCall["lists"]): string | undefined {
  const all = Object.values(lists);
  if (all.some(({ length }) => length === 0)) return "is an empty list; pass at least one ID";
  if (all.flat().some((id) => typeof id === "object")) return "has an item that is not an ID";
  const [first, ...others] = Object.entries(lists).map(
    ([name, ids]) => [name, ids.length] as const,
  );
  const other = others.find(([, length]) => length !== first![1]);
  if (other)
    return `has ${first![1]} IDs, and ${other[0]} has ${other[1]}; lists of one call are taken in pairs`;
  return undefined;
}

/**
 * @param count number of calls
 * @param lists number of lists that are read with each thing
 */
function countProblem(count: number, lists: number): string | undefined {
  if (count > MAX_IDS) return `has ${count} IDs, and a call takes ${MAX_IDS} at most`;
  const requests = count * (1 + lists);
  return requests > MAX_REQUESTS
    ? `has ${count} IDs with ${lists} lists each; pass fewer, a call sends ${MAX_REQUESTS} requests at most`
    : undefined;
}

async function runInOrder(
  calls: readonly Ids[],
  callFor: (ids: Ids) => Promise<CallOutcome>,
): Promise<readonly CallOutcome[]> {
  const outcomes: CallOutcome[] = [];
  let isStopped = false;
  for (const ids of calls) {
    const outcome: CallOutcome = isStopped
      ? notSent("a call before it failed")
      : await callFor(ids);
    isStopped ||= outcome.result.isError === true && !REJECTIONS_OF_ID.has(outcome.status ?? 0);
    outcomes.push(outcome);
  }
  return outcomes;
}

/** Statuses of APIs that reject one ID and have done nothing; the others concern every call. */
const REJECTIONS_OF_ID: ReadonlySet<number> = new Set([400, 403, 404, 409, 410, 412, 422]);

/** One result of several. It is an error if every call failed. */
function combine(
  { binding }: SplitCall,
  calls: readonly Ids[],
  outcomes: readonly CallOutcome[],
  { outputSchema }: ToolDefinition,
): CallOutcome {
  const [first] = outcomes;
  const failed = outcomes.filter(({ result }) => result.isError);
  const figures = omitUndefined({
    status: first?.status,
    bytes: sumOf(outcomes.map(({ bytes }) => bytes)),
    retries: sumOf(outcomes.map(({ retries }) => retries)),
  });
  if (failed.length === outcomes.length) {
    const errors = outcomes.map(({ result }, i) => `${idsText(calls[i]!)}: ${textOfOne(result)}`);
    return { ...errorResult(first?.outcome ?? "invalid", errors.join("\n")), ...figures };
  }
  const items = outcomes.map(({ result }, i) => itemOf(result, calls[i]!, binding));
  const note = `${failed.length} of ${calls.length} IDs have no result. Their items have an error.`;
  const notes = failed.length > 0 ? [note] : [];
  const blocks = outcomes.flatMap(({ result }) =>
    result.content.filter(({ type }) => type !== "text"),
  );
  return { outcome: "ok", result: resultOf(items, notes, blocks, outputSchema), ...figures };
}

const idsText = (ids: Ids): string =>
  Object.entries(ids)
    .map(([name, id]) => `${name} ${JSON.stringify(id)}`)
    .join(", ");

function sumOf(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, number) => sum + number, 0);
}

/** The item of one ID: what a call with this ID alone returns, or its error. */
function itemOf(
  result: CallToolResult,
  ids: Ids,
  { severalIds: { isWrite }, response }: SplitCall["binding"],
): Record<string, unknown> {
  if (result.isError) return { ...ids, error: textOfOne(result) };
  const structured = result.structuredContent;
  if (!isObject(structured)) return { ...ids, result: textOfOne(result) };
  if (response.item === undefined) return isWrite ? { ...ids, ...structured } : structured;
  const { items, ...facts } = structured;
  const [item] = Array.isArray(items) ? (items as readonly unknown[]) : [];
  if (!isObject(item)) return { ...ids, ...structured };
  return addValues(item, pathsInItem(facts), undefined);
}

/** Facts of a list of one item, with the paths of its fields as the item has them. */
function pathsInItem({
  nullFields,
  ...facts
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!Array.isArray(nullFields)) return omitUndefined({ ...facts, nullFields });
  const paths = nullFields.map((path) => String(path).replace(/^items\[0?\]\.?/, ""));
  return { ...facts, nullFields: paths };
}

/** The items as both forms of a result. */
function resultOf(
  items: readonly unknown[],
  notes: readonly string[],
  blocks: readonly ContentBlock[],
  outputSchema: JsonSchema | undefined,
): CallToolResult {
  const data = { items, ...(notes.length > 0 && { notes }) };
  const text = { type: "text" as const, text: JSON.stringify({ items }) };
  const lines = notes.map((note) => ({ type: "text" as const, text: `Note: ${note}` }));
  const content = [text, ...lines, ...blocks];
  if (!outputSchema) return { content, structuredContent: data };
  const coerced = coerceOutput(data, outputSchema);
  if (!coerced.ok) return { content };
  const { notes: differences = [], values = {} } = coercionFacts(coerced);
  const all = [...notes, ...differences.filter((note) => note !== undefined)];
  const structuredContent = {
    ...(coerced.value as Record<string, unknown>),
    ...values,
    ...(all.length > 0 && { notes: all }),
  };
  return { content, structuredContent };
}

// ---- call/wait-for-job.ts ----
// Stands in for the wait for work: no tool of this project starts work that takes time.

interface FollowedJob {
  readonly decoded?: DecodedResponse;
  readonly facts: ResultFacts;
}

export function waitForJob(..._: readonly unknown[]): FollowedJob | undefined {
  return undefined;
}

export function withJob<Outcome>(outcome: Outcome, _: FollowedJob | undefined): Outcome {
  return outcome;
}

export function withSecrets<Sent>(sent: Sent, _: FollowedJob | undefined): Sent {
  return sent;
}

// ---- call/call-tool.ts ----
// The flow of a tool call:
// validate input → select operation → resolve names → read local files → bind request
// → authenticate and send (retry, redirect) → follow pages → decode
// → format (project, sanitize, truncate, coerce) → redact → result
// Every other path ends with an error result that advises the agent.

/**
 * Calls a tool. Never throws: every failure is a result with `isError` and one line in the log. A
 * forwarding tool calls the tool that its arguments name.
 */
export function callTool(
  server: ServerContext,
  tool: ServedTool,
  args: unknown,
  context: CallContext = {},
): Promise<CallToolResult> {
  if (!("forward" in tool)) return callServedTool(server, tool, args, context);
  const target = tool.forward(args);
  if ("tool" in target) {
    const { signature, show } = target;
    const call = (one: ServerContext): Promise<CallToolResult> =>
      callTool(one, target.tool, target.arguments, { ...context, signature });
    return show
      ? call(withWholeResults(server)).then((result) => show(result, server))
      : call(server);
  }
  return observeCall(server, { name: tool.name }, context, async () =>
    errorResult("invalid", target.problem),
  );
}

/** Calls a tool that forwards to no other, and adds the requests that were sent to its result. */
async function callServedTool(
  caller: ServerContext,
  tool: AnyTool | BuiltInTool,
  args: unknown,
  given: CallContext,
): Promise<CallToolResult> {
  const server = contextOfTool(caller, tool);
  const requests = new RequestRecord(given.requests);
  const policyOf = (one: Pick<AnyTool, "api">): ServerContext => contextOfTool(caller, one);
  const gate = given.gate ?? createGate(server, policyOf, given.approvals);
  // A call that is a part of another one counts for itself.
  const isCounted = !given.requests && given.approvals?.isContinued === true;
  const context = { ...given, requests, gate, isCounted };
  const call = async (): Promise<CallOutcome> =>
    addSignature(await runCall(server, tool, args, context), context);
  // A call that is a part of another one leaves the gate to it.
  const run = gate && !given.gate ? () => settleGate(gate, tool, call) : call;
  const result = await observeCall(server, tool, context, run, requests);
  return requests.addTo(result, server);
}

/** Runs the call of a tool, once for each ID of a list. */
async function runCall(
  server: ServerContext,
  tool: AnyTool | BuiltInTool,
  args: unknown,
  context: CallContext,
): Promise<CallOutcome> {
  const { settings } = server;
  const run = (one: ToolDefinition, input: unknown, share: number): Promise<CallOutcome> => {
    const max = Math.floor(settings.maxResultCharacters * share);
    return runOne(withResultLimit(server, max), one, input, context);
  };
  const repeated = await callForEach(tool, args, settings.timeoutMs, run);
  return repeated ?? runOne(server, tool, args, context);
}

/** Limits the rate, validates the input and runs the tool under a deadline. */
async function runOne(
  server: ServerContext,
  documented: AnyTool | BuiltInTool,
  args: unknown,
  context: CallContext,
): Promise<CallOutcome> {
  const corrected = server.corrections.of(documented);
  const taken = context.isCounted ? undefined : server.rateLimiter.take(context.caller);
  const limit = taken instanceof Promise ? await taken : taken;
  if (limit) return rateLimited(corrected, limit);
  const asked = withAskedInputs(corrected, args, context);
  const read = "operations" in corrected ? readUrls(corrected, asked) : { args: asked };
  if ("problems" in read) return invalidInput(corrected, read.problems);
  const { args: given } = read;
  const { caller = "" } = context;
  const doubtful = prepareDoubtful(server, corrected, given, caller);
  const { tool, prepared, offer } = sendOtherQuery(server, doubtful, given, caller);
  if (!prepared.ok) {
    const problems = [...prepared.problems, ...unaskedProblems(tool, given, context)];
    const call = { caller, tool, args: given, problems };
    return invalidInput(tool, problems, offer ?? offerFor(server, call));
  }
  const question = askForInputs(tool, given, context);
  if (question) return question;
  const { input } = prepared;
  if ("handle" in tool)
    return tool.handle(input, {
      ...omitUndefined({ resultStore: server.resultStore }),
      repeatCall: (uri) => repeatCall(server, uri, context),
    });
  const entered = await enterGate(tool, input, context);
  if ("outcome" in entered) return entered;
  const { timeoutMs, maxRetryWaitMs } = server.settings;
  const retryWait = { remainingMs: maxRetryWaitMs };
  const deadline = startDeadline(tool.timeoutMs ?? timeoutMs, context.signal, retryWait);
  const remove = server.runningCalls.add(deadline);
  const info = createCallInfo(server, tool, input, deadline, entered, callTool);
  try {
    const running = { server, info, deadline, context: entered, ...givenValuesOf(prepared) };
    const ended = await runTool(tool, running).catch((error: unknown) =>
      toolErrorOutcome(error, server, tool, context),
    );
    const outcome = "run" in tool ? withEffects(ended, context, server) : ended;
    return addInputNotes(tool, outcome, prepared.changes, server.redact);
  } finally {
    remove();
    deadline.dispose();
  }
}

const givenValuesOf = ({
  changes: { givenValues, largeIntegers },
}: ValidInput): Pick<RunningCall, "givenValues" | "largeIntegers"> =>
  omitUndefined({ givenValues, largeIntegers });

/** Reads a full result by repeating the call that its URI states. */
export function repeatCall(
  server: ServerContext,
  uri: string,
  { approvals: _, tasks: __, signature: ___, ...context }: CallContext,
): Promise<RepeatedResult | undefined> {
  return readByCalling(server, uri, (capturing, tool, input) =>
    callTool(capturing, tool, input, context),
  );
}

/**
 * The outcome of an error that code of the project threw for the agent, or of a withheld write.
 * Others are thrown again.
 */
function toolErrorOutcome(
  error: unknown,
  { redact, log }: ServerContext,
  { name }: AnyTool,
  { requests }: CallContext,
): CallOutcome {
  const withheld = withheldOutcome(error);
  if (withheld) return withheld;
  if (!isToolError(error)) {
    if (!requests || requests.effects.length === 0) throw error;
    log.error(`${name} failed`, error);
    return errorResult("internal", INTERNAL_ERROR);
  }
  return errorResult("failed", redact(sanitize(error.message)));
}

/** Adds to the failure of code the writes that took effect before it. */
function withEffects(
  outcome: CallOutcome,
  { requests }: CallContext,
  { redact }: ServerContext,
): CallOutcome {
  const { result } = outcome;
  const lines = effectLines(requests?.effects ?? []);
  if (!result.isError || lines.length === 0) return outcome;
  const block = { type: "text" as const, text: redact(sanitize(lines.join("\n"))) };
  return { ...outcome, result: { ...result, content: [...result.content, block] } };
}

function runTool(tool: AnyTool, running: RunningCall): Promise<CallOutcome> {
  if ("run" in tool) return runCustomTool(running.server, tool, running.info);
  if ("perform" in tool) return tool.perform(running);
  return callOperation(running);
}

/** The request that the input of `send_request` describes; undefined for other tools. */
const readRaw = (
  request: RequestMapping,
  input: ToolInput,
): ReturnType<typeof readRawRequest> | undefined =>
  request.isRaw ? readRawRequest(request, input) : undefined;

/** A call that is ready to be sent. */
interface BoundCall {
  readonly prepared: PreparedCall;
  /** Input with IDs in place of names. */
  readonly input: ToolInput;
  /** Booleans that are sent as given in place of the declared text. */
  readonly asGiven: readonly GivenValue[];
  /**
   * Binds an input, with local files in place of their paths, to an operation.
   * @param changes values in place of those of the input; those of `asGiven` by default
   */
  bindInput(operation: OperationBinding, changes?: readonly GivenValue[]): BindResult;
}

/** Selects the operation that serves a validated input, resolves names and binds the request. */
async function bindCall(running: RunningCall): Promise<BoundCall | { outcome: CallOutcome }> {
  const { server, info } = running;
  const { tool } = info;
  const invalid = (problems: readonly InputProblem[]) => ({
    outcome: invalidInput(tool, problems),
  });
  const selected = selectOperation(tool, info.input);
  if (!selected.ok) return invalid(selected.problems);
  const raw = readRaw(selected.operation.request, info.input);
  if (raw && !raw.ok) return invalid(raw.problems);
  const chosen = selectFields(tool, selected.operation, info.input);
  if (!chosen.ok) return invalid(chosen.problems);
  const operation = raw ? { ...chosen.operation, request: raw.mapping } : chosen.operation;
  const lookUp = createLookUp(running, callOperation);
  const sized = withSmallestPage(operation, info.input);
  const resolved = await resolveNames(server, tool, sized, operation.resolve, lookUp);
  if (!resolved.ok) return resolved;
  const named = await replaceNames(running, tool, operation, resolved.input, callOperation);
  if ("outcome" in named) return named;
  const { input } = named;
  const loaded = await readLocalFiles(input, operation.request, server.files);
  if (!loaded.ok) return invalid(loaded.problems);
  const others = undocumentedFields(tool, loaded.input);
  const asGiven = booleansAsGiven(tool, operation.request, running.givenValues);
  const bindInput: BoundCall["bindInput"] = ({ request }, changes = asGiven) => {
    const exact = withLargeIntegers(loaded.input, running.largeIntegers);
    const changed = replaceParts(exact, changes) as ToolInput;
    return bindRequest(request, changed, server.apiContext, others);
  };
  const bound = raw ? bindRawRequest(raw, server.apiContext) : bindInput(operation);
  if (!bound.ok) return invalid(bound.problems);
  const call = {
    ...createApiCall(running, tool, operation, input, bound.request),
    ...(running.foundInputs && { foundInputs: running.foundInputs }),
    ...readsBeforeWrite(running, operation, input, callOperation),
  };
  return { prepared: { ...running, call, operation }, input, asGiven, bindInput };
}

/** Calls the API operation that serves a validated input. */
export async function callOperation(running: RunningCall): Promise<CallOutcome> {
  const bound = await bindCall(running);
  if ("outcome" in bound) return bound.outcome;
  const { prepared, input } = bound;
  const { server, info } = running;
  const { tool } = info;
  if (!tool.annotations.readOnlyHint) server.pageMemory?.clear();
  const first = await sendAndDecode(prepared);
  const repeated = repeatRejected(bound, first);
  const exchanged = repeated ? await sendAndDecode(repeated.prepared) : first;
  const { sent, pages, answered, received, failure } = exchanged;
  if (failure?.kind === "status") recordRejection(answered, failure.response);
  const found = failure && (await lookUpNames(answered, failure, callOperation));
  if (found && "input" in found) return callWithIds(running, found, callOperation);
  const decoded = "outcome" in received && found ? addText(received, found.text) : received;
  const done = "outcome" in decoded ? undefined : decoded;
  if (done) recordDone(answered, done, repeated);
  const job = done && (await waitForJob(answered, done, input));
  const added =
    job?.facts ??
    (done &&
      (missingTotal(prepared.operation, info.input, done.content) ??
        (await readMore(answered, done, input))));
  const final = job?.decoded ?? decoded;
  const formatted = await formatResult(withRoom(answered, added), final, pages, added);
  const ended = await finishCall(answered, withJob(formatted, job), withSecrets(sent, job), pages);
  const note = repeated ? repeated.note : booleansNote(bound.asGiven);
  return note === undefined ? ended : addResultNote(ended, note, tool.outputSchema);
}

/** The call in another form, if the API rejected it for its form. */
function repeatRejected(
  { prepared, asGiven, bindInput }: BoundCall,
  { answered, failure }: DecodedExchange,
): RepeatedCall | undefined {
  if (failure?.kind !== "status") return undefined;
  const rejected = { prepared, answered, response: failure.response };
  const bindValues: BindValues = (values) => bindInput(prepared.operation, values);
  const bindDemanded: BindValues = (values) => bindValues([...values, ...asGiven]);
  return (
    repeatWithEmptyBody(rejected, bindInput) ??
    repeatAsGiven(rejected, bindValues) ??
    repeatAsDemanded(rejected, bindDemanded) ??
    repeatInQueryForm(rejected, bindInput) ??
    repeatWithFormFields(rejected, bindInput)
  );
}

/** Records what later calls learn from a success. */
function recordDone(
  answered: PreparedCall,
  done: DecodedResponse,
  repeated: RepeatedCall | undefined,
): void {
  recordSuccess(answered, jsonOf(done.content));
  recordEffect(answered, done);
  if (repeated?.isAsGiven) recordGivenTypes(repeated.prepared);
}

/** A response with the pages after it, decoded. */
interface DecodedExchange {
  readonly sent: RequestOutcome;
  readonly pages: Awaited<ReturnType<typeof followPages>>;
  /** The call with the credentials that were sent. */
  readonly answered: PreparedCall;
  readonly received: Awaited<ReturnType<typeof decodeContent>>;
  readonly failure?: Failure;
}

/** Sends the request of a call, follows its pages and decodes them. */
async function sendAndDecode(prepared: PreparedCall): Promise<DecodedExchange> {
  const sent = await sendAuthenticated(prepared);
  const pages = await followPages(prepared, sent, sendAuthenticated);
  const call = { ...prepared.call, credentials: sent.credentials };
  const answered = { ...prepared, call };
  const received = await decodeContent(answered, sent.response, pages);
  const failure = "outcome" in received ? received.failure : undefined;
  return { sent, pages, answered, received, ...omitUndefined({ failure }) };
}

/** Reads what belongs to a success: the changed thing, or lists of the parts of a thing. */
function readMore(
  { call: { request }, operation, ...running }: PreparedCall,
  done: DecodedResponse,
  input: ToolInput,
): Promise<ResultFacts | undefined> {
  return operation.readBack
    ? readItemBack(running, operation, { ...done, request }, input, callOperation)
    : readIncludedLists(running, operation, done.response, input, callOperation);
}

/** Leaves room for added lists in the size of a result. */
function withRoom(prepared: PreparedCall, added: ResultFacts | undefined): PreparedCall {
  if (!added || !prepared.operation.included) return prepared;
  const { server } = prepared;
  const max = Math.floor(server.settings.maxResultCharacters * (1 - LISTS_SHARE));
  return { ...prepared, server: withResultLimit(server, max) };
}
