/** Waiting for work that a write starts: one call returns its result, or the way to follow it. */
import { jsonOf } from "../response/decode.js";
import { retryAfter } from "../client/failures.js";
import { nestedDeadline, pauseFor } from "../client/limits.js";
import { type FieldPath, readSingleField } from "../data/field-paths.js";
import { isObject } from "../data/values.js";
import { extractErrorFromValue } from "../errors/api-error/extract.js";
import { formatSeconds, quoteInput } from "../errors/next-tools.js";
import {
  type FollowedCall,
  locationCall,
  maxCharacters,
  nestedAt,
  resultUrl,
} from "./job-location.js";
import {
  holderOf,
  readJobState,
  type ReadState,
  readState,
  readUnknownState,
} from "./job-stage.js";
import { isRateLimitExhausted } from "../client/rate-limit-headers.js";
import type { ApiResponse, RequestOutcome } from "../request/types.js";
import type { ResultFacts } from "../response/result-facts.js";
import { sanitize } from "../response/shape.js";
import type { CallOutcome } from "../tools/definitions.js";
import { textOfResult } from "../tools/tool-error.js";
import type { JobMapping, ToolDefinition, ToolInput } from "../types.js";
import { type DecodedResponse, finishCall, formatResult } from "./build-result.js";
import { type NestedCall, nestedCall } from "./called-tool.js";
import { readThing, type ReadThing } from "./read-thing.js";
import type { PreparedCall } from "./send-authenticated.js";

/** Work after a call waited for it. */
export interface FollowedJob {
  /** The thing as it was read last, in place of the response of the write, which has no more. */
  readonly decoded?: DecodedResponse;
  readonly facts: ResultFacts;
  /** Sentence about work that failed. */
  readonly failure?: string;
  readonly secrets: readonly string[];
}

/** Milliseconds before the reads of an API that does not say when. The last one repeats. */
const DELAYS = [1_000, 2_000, 4_000, 5_000];

/** Shortest pause before a read, whatever the API says. */
const MIN_DELAY = 200;

/** Number of failed reads in a row after which waiting ends. */
const MAX_FAILURES = 3;

/** A call that waits, or has left that to its client: its job, the call that reads the state, and its time. */
export interface Wait {
  readonly prepared: PreparedCall;
  readonly job: Pick<JobMapping, "waitMs">;
  readonly follow: FollowedCall;
  readonly startedAt: number;
  stateOf(read: DecodedResponse): ReadState;
}

/** The thing as it was read last, if it was, and the pause that the API wants before the next read. */
export interface Progress {
  readonly read?: Extract<ReadThing, { ok: true }>;
  readonly state: ReadState;
  readonly delayMs: number;
  /** Status of the last read, if too many have failed; 0 without a response. */
  readonly unreadStatus?: number;
}

/**
 * Waits until the work that a write has started is done, and reports it. A failed read never makes
 * the write a failure.
 * @param started response of the write
 * @param input input of the call, with IDs in place of names
 * @returns undefined if nothing is running, or the server does not offer the tool that follows it
 */
export async function waitForJob(
  prepared: PreparedCall,
  started: DecodedResponse,
  input: ToolInput,
): Promise<FollowedJob | undefined> {
  const { job } = prepared.operation;
  const state = job && startState(job, started);
  const follow = job && followCall(prepared, job, started, input);
  if (!job || !follow) return waitAtLocation(prepared, started);
  const named = otherReader(prepared, started, follow);
  if (named) return waitAtLocation(prepared, started, named, stateLikeStart(job));
  if (state?.stage !== "running") return undefined;
  if (startTask(prepared, job, follow, started)) return undefined;
  return waitWith({ ...waitFor(prepared, job), follow }, started, state);
}

/** Waits for work that the response names by its URL. */
async function waitAtLocation(
  prepared: PreparedCall,
  started: DecodedResponse,
  follow = namedCall(prepared, started),
  given?: Wait["stateOf"],
): Promise<FollowedJob | undefined> {
  const { job = {}, jobLocation } = prepared.operation;
  if (!follow) return undefined;
  const place = jobLocation?.states?.[follow.info.tool.name];
  const stateOf = given ?? ((read) => unknownState(read, place));
  const wait = { prepared, job, follow, startedAt: performance.now(), stateOf };
  return waitWith(wait, started, { ...stateOf(started), stage: "running" });
}

/** The call that reads the URL in a response. */
function namedCall(prepared: PreparedCall, started: DecodedResponse): FollowedCall | undefined {
  const { jobLocation } = prepared.operation;
  return jobLocation && locationCall(prepared, started, jobLocation);
}

/**
 * The call that the URL in a response names, if another tool reads the same ID: what the POST of a
 * snapshot returns may be the ID of an operation.
 */
function otherReader(
  prepared: PreparedCall,
  started: DecodedResponse,
  { info: { tool, input } }: NestedCall,
): FollowedCall | undefined {
  const fields = prepared.operation.job?.follow.fields ?? {};
  const named = namedCall(prepared, started);
  if (!named || named.label !== undefined || named.info.tool.name === tool.name) return undefined;
  const values = new Set(Object.values(named.info.input).map(String));
  return Object.keys(fields).some((name) => values.has(String(input[name]))) ? named : undefined;
}

/** Reads a state in the place where the response of the write has it. */
const stateLikeStart =
  (job: JobMapping) =>
  (read: DecodedResponse): ReadState => {
    if (job.started === undefined) return unknownState(read);
    const state = readState(job, jsonOf(read.content), job.started);
    return state.value === undefined ? unknownState(read) : state;
  };

const unknownState = ({ response, content }: DecodedResponse, place?: FieldPath): ReadState =>
  readUnknownState(response.status, jsonOf(content), place);

/** A wait whose state the document describes. */
export function waitFor(prepared: PreparedCall, job: JobMapping): Omit<Wait, "follow"> {
  const stateOf = (read: DecodedResponse): ReadState =>
    readJobState(job, read.response.status, jsonOf(read.content));
  return { prepared, job, startedAt: performance.now(), stateOf };
}

async function waitWith(
  wait: Wait,
  started: DecodedResponse,
  state: ReadState,
): Promise<FollowedJob> {
  const progress = await followInTime(wait, state, started.response);
  const result = progress.state.stage === "done" ? await readResult(wait, progress) : undefined;
  return describeJob(wait, started, result ? { ...progress, read: result } : progress);
}

/** Reads the result of work that is done, where the API names it by a URL of its own. */
async function readResult(
  { follow, prepared }: Wait,
  { read }: Progress,
): Promise<Progress["read"] | undefined> {
  const url = read && resultUrl(follow, jsonOf(read.decoded.content));
  if (url === undefined) return undefined;
  const result = await readThing(nestedAt(prepared, follow, url));
  return result.ok ? result : undefined;
}

/** Maximum number of characters of a response that the ID of a task has. It is sent as a header. */
const MAX_STARTED = 2_000;

/** Leaves the work to a client that follows tasks. False if the call has to wait itself. */
function startTask(
  { context, server, info: { tool } }: PreparedCall,
  job: JobMapping,
  { info: { tool: reader, input } }: NestedCall,
  started: DecodedResponse,
): boolean {
  const isWaiting = (job.waitMs ?? server.settings.jobWaitMs) > 0;
  if (!context.tasks || !isWaiting || !("operations" in tool)) return false;
  const operation = (tool as ToolDefinition).operations.findIndex((one) => one.job === job);
  const task = { tool: tool.name, operation, follow: reader.name, input };
  const body = jsonOf(started.content);
  if (operation < 0 || JSON.stringify([input, body]).length > MAX_STARTED) return false;
  context.tasks.started = { ...task, started: body, pollMs: delayAfter(started.response, 0) };
  return true;
}

/** State in the response of the write. A response without one has started something. */
function startState(job: JobMapping, { content }: DecodedResponse): ReadState {
  if (job.started === undefined) return { path: job.state, value: undefined, stage: "running" };
  const state = readState(job, jsonOf(content), job.started);
  return state.value === undefined ? { ...state, stage: "running" } : state;
}

/** The call that reads the state; undefined without the ID, or without the tool. */
function followCall(
  prepared: PreparedCall,
  { follow }: JobMapping,
  { content }: DecodedResponse,
  input: ToolInput,
): NestedCall | undefined {
  const nested = nestedCall(prepared, follow, input, maxCharacters(prepared));
  // The whole text may be the ID.
  const body = content.kind === "text" ? content.text.trim() : jsonOf(content);
  const ids = Object.entries(follow.fields).map(([to, path]) => [to, readSingleField(body, path)]);
  if (!nested || !ids.every(([, id]) => isIdValue(id))) return undefined;
  const { info } = nested;
  return { ...nested, info: { ...info, input: { ...info.input, ...Object.fromEntries(ids) } } };
}

const isIdValue = (value: unknown): boolean =>
  (typeof value === "string" && value !== "") || typeof value === "number";

/** Reads the state within the time that the call may wait. The deadline of the call is later by it. */
async function followInTime(
  wait: Wait,
  state: ReadState,
  response: ApiResponse,
): Promise<Progress> {
  const { prepared, job, follow } = wait;
  const { server, deadline, info } = prepared;
  const { jobWaitMs, timeoutMs } = server.settings;
  const spentMs = (info.tool.timeoutMs ?? timeoutMs) - deadline.remainingMs();
  const waitMs = Math.max(0, (job.waitMs ?? jobWaitMs) - spentMs);
  deadline.extend(waitMs);
  const own = nestedDeadline(deadline, waitMs);
  try {
    return await poll({ ...wait, follow: { ...follow, deadline: own } }, state, response);
  } finally {
    own.dispose();
  }
}

async function poll(wait: Wait, start: ReadState, first: ApiResponse): Promise<Progress> {
  const { follow } = wait;
  const { deadline } = follow;
  let progress: Progress = { state: start, delayMs: delayAfter(first, 0) };
  let failures = 0;
  for (let count = 1; ; count++) {
    if (progress.delayMs >= deadline.remainingMs()) return progress;
    await pauseFor(progress.delayMs, deadline);
    if (deadline.expired) return progress;
    reportProgress(wait, progress.state);
    const read = await readThing(follow);
    failures = read.ok ? 0 : failures + 1;
    if (!read.ok && failures === MAX_FAILURES) return { ...progress, unreadStatus: read.status };
    if (!read.ok) continue;
    const { response } = read.decoded;
    const state = wait.stateOf(read.decoded);
    progress = { read, state, delayMs: delayAfter(response, count) };
    if (state.stage !== "running" || isRateLimitExhausted(response.headers)) return progress;
  }
}

export function delayAfter(response: ApiResponse, count: number): number {
  const wanted = retryAfter(response);
  return Math.max(MIN_DELAY, wanted ?? DELAYS[Math.min(count, DELAYS.length - 1)]!);
}

function reportProgress({ prepared, startedAt }: Wait, current: ReadState): void {
  const seconds = formatSeconds(performance.now() - startedAt);
  const state = current.value === undefined ? "" : `: ${stateText(current)}`;
  prepared.context.progress?.(sanitize(`Waiting for the result, ${seconds}${state}`));
}

/** `status is "running"`. */
export function stateText({ path, value }: ReadState): string {
  const name = typeof path === "string" ? path : path.join(".");
  return `${name} is ${quoteInput(name, value)}`;
}

/** What the call returns about the work. */
export async function describeJob(
  wait: Wait,
  started: DecodedResponse,
  progress: Progress,
): Promise<FollowedJob> {
  const { read, state } = progress;
  const shown = read && (await showThing(wait, started, read));
  const failure = state.stage === "failed" ? failureText(wait, progress) : undefined;
  const notes = [failure ?? progressText(wait, progress), shown?.note];
  return {
    ...(shown?.decoded && { decoded: shown.decoded }),
    ...(failure !== undefined && { failure }),
    facts: { ...shown?.facts, notes },
    secrets: read?.secrets ?? [],
  };
}

/** The result of a call whose work failed: the same result, as an error that the sentence opens. */
export function withJob<Outcome extends CallOutcome>(
  outcome: Outcome,
  job: FollowedJob | undefined,
): Outcome {
  if (job?.failure === undefined || outcome.result.isError) return outcome;
  const { result } = outcome;
  const opening = { type: "text" as const, text: job.failure };
  const others = result.content.filter(
    (block) => block.type !== "text" || block.text !== `Note: ${job.failure}`,
  );
  const failed = { ...result, isError: true, content: [opening, ...others] };
  return { ...outcome, outcome: "api_error", result: failed };
}

/** Adds the secrets of the requests that followed the work, which no result may have. */
export const withSecrets = (sent: RequestOutcome, job: FollowedJob | undefined): RequestOutcome =>
  job ? { ...sent, secrets: [...sent.secrets, ...job.secrets] } : sent;

/** Ways of showing a thing: in place of the response, or beside it. */
interface ShownThing {
  readonly decoded?: DecodedResponse;
  readonly facts?: ResultFacts;
  readonly note?: string;
}

/** The thing replaces a response that has nothing else, so that nothing is lost. */
async function showThing(
  { follow }: Wait,
  started: DecodedResponse,
  read: Extract<ReadThing, { ok: true }>,
): Promise<ShownThing> {
  const name = follow.label ?? follow.info.tool.name;
  if (contains(jsonOf(read.decoded.content), jsonOf(started.content)))
    return { decoded: read.decoded, note: `This is what ${name} returned last.` };
  const { result } = await formatThing(read);
  if (result.isError) return {};
  const note = `current is what ${name} returned last.`;
  const current = result.structuredContent ?? textOfResult(result);
  if (current === "")
    return {
      facts: { blocks: result.content },
      note: `The last block${note.slice("current".length)}`,
    };
  const block = { type: "text" as const, text: JSON.stringify({ current }) };
  return { facts: { values: { current }, blocks: [block] }, note };
}

async function formatThing({ prepared, decoded, secrets }: Extract<ReadThing, { ok: true }>) {
  const formatted = await formatResult(prepared, decoded, undefined);
  const sent = { response: decoded.response, secrets, retries: 0 };
  return finishCall(prepared, formatted, sent, undefined) as Promise<CallOutcome>;
}

/** True if an object has all fields of another one that have a value. */
function contains(whole: unknown, part: unknown): boolean {
  if (!isObject(whole) || !isObject(part)) return false;
  return Object.entries(part).every(
    ([name, value]) => value === null || Object.hasOwn(whole, name),
  );
}

/** How the work stands, and the call that follows it while it runs. */
function progressText(wait: Wait, { state, delayMs, unreadStatus }: Progress): string {
  const { prepared, follow, startedAt } = wait;
  const waitedMs = performance.now() - startedAt;
  const after = waitedMs < MIN_DELAY ? "" : ` after ${formatSeconds(waitedMs)}`;
  const stated = state.value === undefined ? "" : `: ${stateText(state)}`;
  if (state.stage === "done") return `Done${after}${stated}.`;
  const read = readAdvice(follow);
  if (unreadStatus === 404 || unreadStatus === 410)
    return (
      `Not known to be done${after}${stated}. ${failedRead(follow, unreadStatus)}: the API has forgotten it. ` +
      `Read what ${prepared.info.tool.name} changes before you call it again.`
    );
  if (state.stage === undefined)
    return `Not known to be done${after}${stated}. ${read} to read it again.`;
  const soon = formatSeconds(Math.max(delayMs, MIN_ADVISED_DELAY));
  const opening =
    unreadStatus !== undefined
      ? `Not known to be done${after}: ${failedRead(follow, unreadStatus)}`
      : `${after === "" ? "In progress" : "Still in progress"}${after}${stated}`;
  return `${opening}. ${read} in about ${soon}, and do not call ${prepared.info.tool.name} again for it.`;
}

/** `get_report returned 500`. */
function failedRead({ info, label }: FollowedCall, status: number): string {
  const name = label ?? info.tool.name;
  if (status === 0) return `${name} got no response`;
  return status < 300 ? `${name} returned no state` : `${name} returned ${status}`;
}

/** The call that reads the state, or its URL if no tool does. */
function readAdvice({ info, label, isUncallable }: FollowedCall): string {
  if (isUncallable) return `Send ${label}`;
  const values = Object.entries(info.input).map(
    ([name, value]) => `${name} ${quoteInput(name, value)}`,
  );
  return `Call ${info.tool.name} with ${values.join(" and ")}`;
}

/** Shortest pause that an agent is told, in milliseconds. */
const MIN_ADVISED_DELAY = 5_000;

function failureText({ prepared }: Wait, { read, state }: Progress): string {
  const { name } = prepared.info.tool;
  const message = read ? apiMessage(jsonOf(read.decoded.content), state.path) : "";
  const said = message === "" ? "" : ` The API says: ${message}`;
  return sanitize(`${name} was accepted, but its work failed: ${stateText(state)}.${said}`);
}

/** Fields with the reason of a failure, beside the state. */
const REASON =
  /^(?!.*(?:code|count|url|id)$).*(?:error|fail|reason|message|msg|detail|problem|exception|(?:^|_)err(?:_|$))/i;

/** The API's own message about work that failed. Empty if it has none. */
function apiMessage(body: unknown, state: FieldPath): string {
  const holder = holderOf(body, state);
  if (!isObject(holder)) return "";
  const isReason = ([name, value]: [string, unknown]): boolean =>
    REASON.test(name) && Boolean(value) && Object.keys(value as object).length > 0;
  const reasons = Object.entries(holder).filter(isReason);
  const messages = reasons.flatMap(([, value]) => {
    if (typeof value === "string") return value;
    const { message } = extractErrorFromValue(isObject(value) ? value : { error: value });
    return message === "" ? [] : message;
  });
  return [...new Set(messages)].join(" ").slice(0, MAX_JOB_MESSAGE);
}

/** Maximum number of characters of the API's message. */
const MAX_JOB_MESSAGE = 2_000;
