// server: files of the runtime of mcp-gen as one module, each after those that it uses.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { type AuthContext, chooseAlternative, type Platform, requirementsOf } from "./auth.js";
import {
  type CircuitBreaker, createCircuitBreaker, createRateLimiter, createSemaphore,
  createSharedRateLimiter, type RateLimiter, type Semaphore,
} from "./client.js";
import {
  addNewest, fnv1a, isLocalOrHttps, isObject, leftOut, nearestNames, omitUndefined, sha256,
  singularize, type Store,
} from "./data.js";
import { baseUrlOf, INTERNAL_ERROR } from "./errors.js";
import { createPageMemory, onlyList, type PageMemory } from "./pagination.js";
import {
  type ApiCall, type ApiContext, type Deadline, type EarlierSuccesses, type Env, type Folder,
  inputOf, percentEncode, resolveBaseUrl, type SentCredentials,
} from "./request.js";
import {
  configuredSecrets, createRedactor, createResultStore, createSharedResultStore, type Redact,
  type ResultStore,
} from "./response.js";
import {
  type AnyHooks, type AnyTool, applyCustomizations, ASKED, type CallOutcome, configuredListed,
  type Corrections, createCorrections, createDescribeListed, createDiscoveryListing,
  createPermittedTools, createReadDocumentation, createReadResult, createRunSteps,
  createSendRequest, createToolRegistry, discoveryProblem, type DoubtContext, errorResult,
  findUnknownTools, type Hooks, joinInstructions, type ListMode, listModeOf, listModes, nameTest,
  narrowSelection, type OwnTool, rawRequestsProblem, readResultName, runStepsName,
  type SelectedTools, type SelectPermittedTools, selectTools, type StepSetting, stepsInstruction,
  stepsProblem, stepToolsIn, type StoredTool, type ToolLookup, type ToolRegistry,
} from "./tools.js";
import type { ApiDefinition, ApprovalScope, ToolDefinition } from "./types.js";

// ---- approvals/approval-gate.ts ----
// Stands in for approvals, which are left out.

export interface ApprovalSession {
  readonly isContinued?: never;
}

/** Sentence for the user who asks for approvals. */
export const approvalsProblem: string | undefined =
  "This server was generated without approvals. Generate it again with approve: destructive " +
  "(or writes, or a list of tools) in mcp-gen.yaml, or with --features approvals.";

// ---- approvals/dry-run.ts ----
// Stands in for dry runs, which are left out.

/** Sentence for the user who asks for a dry run. */
export const dryRunProblem: string | undefined = leftOut("dry runs", "dry-run");

export function withDryRun(
  tools: readonly StoredTool[],
  _settingsOf: (tool: StoredTool) => unknown,
): readonly StoredTool[] {
  return tools;
}

// ---- approvals/policy.ts ----
// The tools whose writes the user must approve.

/** `ask`: through the client; `refuse`: nothing that needs approval is sent; `off`: all is sent. */
export const approvalModes = ["ask", "refuse", "off"] as const;
export type ApprovalMode = (typeof approvalModes)[number];

/** The part of a server that decides about approvals. */
export interface ApprovalPolicy {
  readonly api: {
    readonly approve?: ApprovalScope;
    readonly envPrefix: string;
    readonly title?: string;
  };
  readonly settings: { readonly approvals: ApprovalMode };
}

/** True if writes of a tool need the user's approval. */
export function needsApproval(
  { name, annotations, approve }: Pick<ToolDefinition, "name" | "annotations" | "approve">,
  { api, settings }: ApprovalPolicy,
): boolean {
  if (settings.approvals === "off" || annotations.readOnlyHint) return false;
  if (approve !== undefined) return approve !== false;
  const scope = api.approve ?? "destructive";
  if (scope === "writes") return true;
  return scope === "destructive" ? annotations.destructiveHint : scope.includes(name);
}

// ---- approvals/state.ts ----
// Stands in for the states of questions, which nothing asks.

export type QuestionStates = undefined;

export const createQuestionStates = (..._: readonly unknown[]): undefined => undefined;

// ---- approvals/write-gate.ts ----
// Stands in for gates: every write is sent.

export interface WriteGate {
  readonly hasWithheld: false;
}

export const withheldOutcome = (_error: unknown): undefined => undefined;

export function requireSent(..._: readonly unknown[]): void {}

// ---- server/call-origin.ts ----

/** The origin of a call: its client, and the trace that it belongs to. */
/**
 * `_meta` of a request, where clients put their trace context (`traceparent`, `tracestate`,
 * `baggage`).
 */
export type TraceCarrier = Readonly<Record<string, unknown>>;

/** The connection of a client. */
export interface McpConnection {
  /** Revision of MCP; absent if it is not known. */
  readonly protocolVersion?: string | undefined;
  /** `pipe` for stdio, `tcp` for HTTP. */
  readonly transport: "pipe" | "tcp";
}

/** The origin of a call. */
export interface CallOrigin {
  readonly connection?: McpConnection;
  /** Trace context of the client. */
  readonly carrier?: TraceCarrier;
  /** Identity of the caller, for limits and the hash in the log. Absent: the only one. */
  readonly caller?: string;
  /** The caller as people know it. */
  readonly callerName?: string;
  /** A user that authentication names, or another client of HTTP. Absent: the process that started it. */
  readonly callerKind?: "user" | "client";
  readonly requestId?: string;
}

// ---- tasks/task-ids.ts ----
// Stands in for the IDs of tasks: no tool of this project starts work that takes time.

export interface TaskSession {
  readonly started?: never;
}

export type TaskIds = Readonly<Record<string, never>>;

export const createTaskIds = (..._: readonly unknown[]): TaskIds => ({});

// ---- server/measured-calls.ts ----
// Measured calls: their fields, and the outcomes that are errors.

interface MeasuredCall {
  readonly tool: string;
  readonly outcome: string;
  readonly connection?:
    | { readonly protocolVersion?: string | undefined; readonly transport: string }
    | undefined;
  /** Kind of the caller: `user`, `client` or `local`. */
  readonly callerKind: string;
  readonly ms: number;
  /** Milliseconds for which its requests waited for their turn. */
  readonly queueMs?: number | undefined;
  readonly retries?: number | undefined;
  readonly status?: number | undefined;
}

/** Metrics of one process. */
export interface Metrics {
  addCall(call: MeasuredCall): void;
  /** Counts a rejected HTTP request. */
  addRejection(status: number): void;
  /** The metrics in the text format of Prometheus, version 0.0.4. */
  text(): string;
}

// ---- server/settings.ts ----
// Settings of a server, from the environment, and a warning about missing ones.

/** Settings of a running server, for all transports; see `readSettings` for the variables. */
export interface Settings {
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  /** Maximum characters of a result. Set in tokens, of about four characters each. */
  readonly maxResultCharacters: number;
  /** Maximum bytes of stored results. 0 stores none. */
  readonly resultStoreBytes: number;
  readonly maxConcurrency: number;
  /** 0: no limit. */
  readonly maxConcurrencyPerCaller: number;
  readonly maxQueue: number;
  /** Maximum milliseconds that a call waits before retries, for all of them together. */
  readonly maxRetryWaitMs: number;
  /** True if inputs are not converted to the types of the input schema, and all are documented. */
  readonly strictInputs: boolean;
  /** 0: no limit. */
  readonly callsPerMinute: number;
  /** 0: no limit. */
  readonly callsPerMinutePerCaller: number;
  readonly logLevel: LogLevel;
  /** Form of a caller's name in the log. */
  readonly logCallers: "hash" | "name";
  /** Port of the metrics; 0 is a free one. Absent: there are none. */
  readonly metricsPort?: number;
  readonly metricsHost: string;
  /** True if a process that has lost its store gets no requests. */
  readonly readyNeedsStore: boolean;
  /** Milliseconds that calls in flight may take after a signal. Absent: as the transport does. */
  readonly shutdownGraceMs?: number;
  /** Toolsets to offer; empty offers all. */
  readonly toolsets: readonly string[];
  /** True if only read-only tools are listed. */
  readonly readOnly: boolean;
  /** Whether the user is asked before writes that need approval. */
  readonly approvals: ApprovalMode;
  /** True if only reads are sent, and writes are shown. */
  readonly dryRun: boolean;
  /** In a dry run, reads are shown, too. */
  readonly dryRunReads: boolean;
  /** True if there is a tool for any request. */
  readonly rawRequests: boolean;
  readonly readBack: ReadBackMode;
  /** Maximum milliseconds that a call waits for work that it started. 0 does not wait. */
  readonly jobWaitMs: number;
  /** True if pages of lists are followed while the result is small. */
  readonly followPages: boolean;
  /** Look up the ID of a name that a call gives where the API asks for an ID. */
  readonly lookUpNames: boolean;
  /** True if there is a tool that reads stored results. */
  readonly readResults: boolean;
  /** Tools that can be steps of one call: those that only read, or all that destroy nothing. */
  readonly runSteps: StepSetting | undefined;
  /** Content of the tool list. Absent: as generated. */
  readonly listMode?: ListMode;
  /** Names of tools that are always listed. Absent: as generated. */
  readonly listed?: readonly string[];
}

/**
 * Writes after which a thing is read: those without content in the response, also those with a part
 * of the thing, or none.
 */
export type ReadBackMode = "noContent" | "always" | "never";

/** Levels of the log, from the most to the least detailed. */
export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Settings whose defaults the configuration may change. */
type SettingDefaults = Pick<
  ApiDefinition,
  | "approve"
  | "maxResultTokens"
  | "strictInputs"
  | "rawRequests"
  | "runSteps"
  | "readBack"
  | "followPages"
>;

type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads the settings from the environment. An absent or empty variable has its default. An invalid
 * one is a problem, because a silently missing limit is worse than a server that does not start.
 */
export function readSettings(
  prefix: string,
  env: Env,
  {
    maxResultTokens = 8_000,
    strictInputs = false,
    rawRequests = false,
    runSteps,
    readBack,
    followPages = true,
    approve,
  }: SettingDefaults = {},
): SettingsResult {
  const problems: string[] = [];
  const readInteger = (name: string, fallback: number, min: number, max: number): number => {
    const variable = `${prefix}_${name}`;
    const text = env[variable]?.trim();
    if (!text) return fallback;
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    problems.push(`${variable} must be an integer from ${min} to ${max}.`);
    return fallback;
  };
  const readSwitch = (name: string, fallback = false, flag?: string): boolean => {
    const variable = `${prefix}_${name}`;
    const label = flag === undefined ? variable : `${flag} (${variable})`;
    return readBoolean(label, env[variable] || String(fallback), problems);
  };
  const readWord = <Choice extends string>(
    name: string,
    choices: readonly [Choice, ...Choice[]],
    fallback: Choice,
  ): Choice =>
    readChoice(`${prefix}_${name}`, env[`${prefix}_${name}`], choices, fallback, problems);
  const auth = env[`${prefix}_AUTH`]?.trim().toLowerCase();
  if (auth && auth !== "none") problems.push(`${prefix}_AUTH must be none, or not set.`);
  const settings: Settings = {
    timeoutMs: readInteger("TIMEOUT_MS", 30_000, 1, 3_600_000),
    maxRetryWaitMs: readInteger("MAX_RETRY_WAIT_MS", 5_000, 0, 3_600_000),
    strictInputs: readSwitch("STRICT_INPUTS", strictInputs),
    maxResponseBytes: readInteger("MAX_RESPONSE_BYTES", 10_000_000, 1, 1_000_000_000),
    maxResultCharacters: 4 * readInteger("MAX_RESULT_TOKENS", maxResultTokens, 100, 10_000_000),
    resultStoreBytes: readInteger("KEPT_RESULT_BYTES", 50_000_000, 0, 10_000_000_000),
    maxConcurrency: readInteger("MAX_CONCURRENCY", 32, 1, 10_000),
    maxConcurrencyPerCaller: readInteger("MAX_CONCURRENCY_PER_CALLER", 0, 0, 10_000),
    maxQueue: readInteger("MAX_QUEUE", 10_000, 0, 1_000_000),
    callsPerMinute: readInteger("CALLS_PER_MINUTE", 0, 0, 1_000_000),
    callsPerMinutePerCaller: readInteger("CALLS_PER_MINUTE_PER_CALLER", 0, 0, 1_000_000),
    ...(env[`${prefix}_SHUTDOWN_GRACE_MS`]?.trim() && {
      shutdownGraceMs: readInteger("SHUTDOWN_GRACE_MS", 0, 0, 3_600_000),
    }),
    logLevel: readChoice("LOG_LEVEL", env["LOG_LEVEL"], logLevels, "info", problems),
    logCallers: readWord("LOG_CALLERS", ["hash", "name"], "hash"),
    ...(env[`${prefix}_METRICS_PORT`]?.trim() && {
      metricsPort: readInteger("METRICS_PORT", 0, 0, 65_535),
    }),
    metricsHost: env[`${prefix}_METRICS_HOST`]?.trim() || "127.0.0.1",
    readyNeedsStore: readSwitch("READY_NEEDS_STORE"),
    toolsets: readArray(env[`${prefix}_TOOLSETS`]),
    readOnly: readSwitch("READ_ONLY", false, "--read-only"),
    // Approvals are asked for where they are configured.
    approvals: readWord("APPROVALS", approvalModes, approve === undefined ? "off" : "ask"),
    ...readDryRun(`--dry-run (${prefix}_DRY_RUN)`, env[`${prefix}_DRY_RUN`], problems),
    rawRequests: readSwitch("RAW_REQUESTS", rawRequests, "--raw-requests"),
    lookUpNames: readSwitch("LOOK_UP_NAMES", true),
    readBack: readReadBack(`${prefix}_READ_BACK`, env, readBack, problems),
    jobWaitMs: 1000 * readInteger("JOB_WAIT", 45, 0, 3_600),
    followPages: readSwitch("FOLLOW_PAGES", followPages),
    runSteps: readStepTools(
      `${prefix}_RUN_STEPS`,
      env[`${prefix}_RUN_STEPS`] || String(runSteps ?? false),
      problems,
    ),
    readResults: readSwitch("READ_RESULTS", true),
    listMode: readListMode(`--mode (${prefix}_MODE)`, env[`${prefix}_MODE`], problems),
    ...(env[`${prefix}_LISTED`]?.trim() && { listed: readArray(env[`${prefix}_LISTED`]) }),
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
}

/** Reads one of some words, in any case. Empty is the default. */
function readChoice<Choice extends string>(
  variable: string,
  value: string | undefined,
  choices: readonly [Choice, ...Choice[]],
  fallback: Choice,
  problems: string[],
): Choice {
  const text = value?.trim().toLowerCase() || fallback;
  const choice = choices.find((candidate) => candidate === text);
  if (!choice) problems.push(`${variable} must be one of ${choices.join(", ")}.`);
  return choice ?? fallback;
}

function readListMode(
  variable: string,
  value: string | undefined,
  problems: string[],
): ListMode | undefined {
  const text = value?.trim().toLowerCase() || undefined;
  const mode = listModes.find((candidate) => candidate === text);
  if (!mode && text !== undefined) {
    const [nearestMode] = nearestNames(text, listModes);
    const suggestion = nearestMode === undefined ? "." : `; did you mean ${nearestMode}?`;
    const actual = JSON.stringify(text.slice(0, 40));
    problems.push(`${variable} must be tools, hybrid or discovery, not ${actual}${suggestion}`);
  }
  return mode;
}

/** Reads the mode of reads after writes. The default is after responses without content. */
function readReadBack(
  variable: string,
  env: Env,
  configured: boolean | undefined,
  problems: string[],
): ReadBackMode {
  const text = env[variable] || configured?.toString();
  if (text === undefined) return "noContent";
  return readBoolean(variable, text, problems) ? "always" : "never";
}

/** Reads which tools can be steps of one call. */
function readStepTools(
  variable: string,
  text: string,
  problems: string[],
): StepSetting | undefined {
  const word = text.trim();
  if (word === "byMode") return word;
  if (word.toLowerCase() === "reads") return "reads";
  return readBoolean(variable, text, problems) ? "all" : undefined;
}

/** Reads a switch: true, 1, yes or on, or the opposite, in any case. Empty is false. */
export function readBoolean(
  variable: string,
  value: string | undefined,
  problems: string[],
): boolean {
  const text = value?.trim().toLowerCase() ?? "";
  if (["true", "1", "yes", "on"].includes(text)) return true;
  if (!["", "false", "0", "no", "off"].includes(text))
    problems.push(`${variable} must be true or false, not ${JSON.stringify(text.slice(0, 40))}.`);
  return false;
}

/** Reads the setting of a dry run: of writes, or of `all` requests. */
function readDryRun(
  variable: string,
  value: string | undefined,
  problems: string[],
): Pick<Settings, "dryRun" | "dryRunReads"> {
  const dryRunReads = value?.trim().toLowerCase() === "all";
  return { dryRun: dryRunReads || readBoolean(variable, value, problems), dryRunReads };
}

/** Reads a list. Blanks around its items and empty items are removed. */
export function readArray(text = "", separator: RegExp = /,/): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);
}

/** True if callers use credentials of their own for an API. */
function haveCallersOwn({
  api,
  apiContext,
}: Parameters<typeof describeMissingSettings>[0]): boolean {
  const isSet = (name: string): boolean => Boolean(apiContext.env[`${api.envPrefix}_${name}`]);
  if (isSet("FORWARD_HEADERS") || isSet("TOKEN_EXCHANGE")) return true;
  const consents = Object.values(api.securitySchemes).some(
    (scheme) =>
      scheme.kind === "oauth2" && scheme.signIn && apiContext.env[scheme.clientIdEnv ?? ""]?.trim(),
  );
  return isSet("HTTP_SIGN_IN_CLIENT_ID") && consents;
}

/**
 * Finds the settings without which most calls fail: base URL and credentials. The server starts
 * nevertheless, because some tools may need neither.
 * @returns a sentence for the user who starts the server; undefined if nothing is missing
 */
export function describeMissingSettings({
  api,
  apiContext,
}: {
  readonly api: ApiDefinition;
  readonly apiContext: ApiContext;
}): string | undefined {
  const missing: string[] = [];
  const variable = `${api.envPrefix}_BASE_URL`;
  const hasBaseUrl = resolveBaseUrl(api.servers, apiContext).ok;
  if (!hasBaseUrl && apiContext.env[variable])
    return `${variable} is not an absolute http(s) URL. Calls fail until it is corrected in .env or the environment.`;
  const path = api.basePath === undefined ? "" : ` with the base path ${api.basePath}`;
  if (!hasBaseUrl) missing.push(`${variable} (base URL of the API${path})`);
  const credentials = chooseAlternative(requirementsOf({}, apiContext), apiContext);
  if (!credentials.ok && credentials.missing && !haveCallersOwn({ api, apiContext }))
    missing.push(`${listAlternatives(credentials.missing)} (credentials)`);
  if (missing.length === 0) return undefined;
  return `Not set: ${missing.join("; ")}. Most calls fail until they are set in .env or the environment.`;
}

/**
 * Finds credentials that are sent unencrypted to another machine.
 * @returns a sentence for the user who starts the server; undefined if there are none
 */
export function describePlainHttp({
  api,
  apiContext,
}: Parameters<typeof describeMissingSettings>[0]): string | undefined {
  const base = resolveBaseUrl(api.servers, apiContext);
  if (!base.ok || isLocalOrHttps(base.url)) return undefined;
  const credentials = chooseAlternative(requirementsOf({}, apiContext), apiContext);
  if (!credentials.ok || credentials.schemes.length === 0) return undefined;
  const { origin } = new URL(base.url);
  return (
    `Credentials are sent unencrypted to ${origin}. ` +
    `If the API has an https address, set ${api.envPrefix}_BASE_URL to it.`
  );
}

function listAlternatives(alternatives: readonly string[]): string {
  if (alternatives.length === 1) return alternatives[0]!;
  const hasSets = alternatives.some((variables) => variables.includes(" "));
  return `one of ${alternatives.join(hasSets ? ", or " : " or ")}`;
}

// ---- server/members.ts ----
// The APIs of a server of several: their settings, and their parts of its context.

export function readMembers(..._: readonly unknown[]): MembersResult {
  return { ok: true, list: [] };
}

export function partsOfMember(_: Member, server: SharedParts): SharedParts {
  return server;
}

/** An API of a server of several, with its settings. */
export interface Member {
  readonly name: string;
  readonly api: ApiDefinition;
  readonly env: Env;
  readonly settings: Settings;
}

export type MembersResult =
  | { readonly ok: true; readonly list: readonly Member[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The parts of a context that an API has of its server's: credentials, state and hooks. */
export interface SharedParts {
  readonly apiContext: AuthContext;
  readonly hooks: Hooks;
}

// ---- server/metrics.ts ----
// Stands in for the metrics, which are left out.

/** Sentence for the user who asks for metrics. */
export const metricsProblem: string | undefined = leftOut("metrics", "metrics");

/** @throws always */
export function createServerMetrics(..._: readonly unknown[]): Metrics {
  throw new Error(metricsProblem);
}

// ---- server/running-calls.ts ----
// Calls in flight, which the end of the process interrupts.

/** The calls in flight of a server. */
export interface RunningCalls {
  readonly count: number;
  /** Milliseconds until the last of their deadlines; 0 without calls. */
  longestMs(): number;
  /**
   * Adds a call.
   * @returns a function that removes it
   */
  add(deadline: Deadline): () => void;
  /**
   * Ends all calls, each with a result.
   * @returns their number
   */
  interrupt(): number;
}

/** Creates an empty set of calls. */
export function createRunningCalls(): RunningCalls {
  const deadlines = new Set<Deadline>();
  return {
    get count() {
      return deadlines.size;
    },
    add(deadline) {
      deadlines.add(deadline);
      return () => void deadlines.delete(deadline);
    },
    longestMs: () => Math.max(0, ...[...deadlines].map((deadline) => deadline.remainingMs())),
    interrupt() {
      const calls = [...deadlines];
      for (const deadline of calls) deadline.interrupt();
      return calls.length;
    },
  };
}

/** Interrupts the calls in flight at the end of the grace period, and logs their number. */
export function interruptCalls({
  runningCalls,
  log,
}: {
  readonly runningCalls: RunningCalls;
  readonly log: { warn(message: string): void };
}): void {
  const count = runningCalls.interrupt();
  if (count > 0) log.warn(`Stopping: ${count === 1 ? "1 call" : `${count} calls`} interrupted.`);
}

// ---- server/shown-pages.ts ----
// Pages to pay that were shown to users.

/** Milliseconds for which a client that repeats its call is not asked again. */
const SHOWN_MS = 600_000;

/** Maximum number of remembered calls. */
const MAX_SHOWN = 1_000;

/** The calls of clients before 2026-07-28 for which a page was shown. Their repetitions look the same. */
export class ShownPages {
  readonly #times = new Map<number, number>();

  /** Remembers a call; false if it was remembered already. */
  add(call: number, now = Date.now()): boolean {
    const shown = this.#times.get(call);
    if (shown !== undefined && now - shown < SHOWN_MS) return false;
    this.#times.delete(call);
    this.#times.set(call, now);
    if (this.#times.size > MAX_SHOWN) this.#times.delete(this.#times.keys().next().value!);
    return true;
  }
}

// ---- server/successes.ts ----
// Record of calls: base URLs, credentials and paths that work, and requests that have failed.

/** Maximum number of entries. An API has few base URLs and sets of credentials. */
const MAX_ENTRIES = 100;

/** Maximum number of paths. */
const MAX_PATHS = 1_000;

/** Maximum number of paths of deleted items. */
const MAX_DELETED = 200;

/** Maximum number of items of a list whose IDs are recorded. */
const MAX_ITEMS = 100;

/** Maximum number of characters of a body that are compared. */
const MAX_COMPARED = 10_000;

/** Record of a server process. It holds names of variables, never their values. */
export interface SuccessRecord {
  /**
   * Records the success of a call.
   * @param isShared true if all callers of the server send these credentials. Only then the paths
   * of
   *   the call are recorded, because one caller may not learn what another one has
   * @param body JSON of the response. The items of a list are known by their IDs
   */
  add(
    call: RequestOfCall,
    credentials: SentCredentials | undefined,
    isShared: boolean,
    body?: unknown,
  ): void;
  /** Records that the API failed at a call. */
  addFault(call: RequestOfCall, status: number): void;
  /** Reads the record for one call. */
  of(call: RequestOfCall): EarlierSuccesses;
}

type RequestOfCall = Pick<ApiCall, "mapping" | "request" | "rejected" | "caller"> & {
  /** Absent where the record is only read. */
  readonly tool?: Pick<ApiCall["tool"], "name">;
};

/** Creates a record. The oldest entries make room for new ones. */
export function createSuccessRecord(): SuccessRecord {
  const entries = new Set<string>();
  const paths = new Set<string>();
  const deleted = new Map<string, string>();
  const operations = new Set<string>();
  const faults = new Set<string>();
  return {
    add: (call, credentials, isShared, body) => {
      const base = baseUrlOf(call);
      addNewest(entries, `base ${base}`, MAX_ENTRIES);
      addNewest(operations, operationKey(call, base), MAX_ENTRIES);
      if (faults.size > 0) removeFaults(faults, call);
      const key = isShared && credentials ? credentialKey(call, credentials) : undefined;
      if (key !== undefined) addNewest(entries, key, MAX_ENTRIES);
      if (!isShared) return;
      recordPaths(paths, call);
      if (!hasErrors(body)) recordDeletion(deleted, call);
      recordItems(paths, call, body);
    },
    addFault: (call, status) => addNewest(faults, faultKey(call, status), MAX_ENTRIES),
    of: (call) => ({
      hasOperation: () => operations.has(operationKey(call, baseUrlOf(call))),
      hasFailed: (status) => faults.has(faultKey(call, status)),
      isBaseUrlRight: () => entries.has(`base ${baseUrlOf(call)}`),
      haveSucceeded: (credentials) => {
        const key = credentialKey(call, credentials);
        return key !== undefined && entries.has(key);
      },
      hasAccepted: (input, value) =>
        pathsOf(call).some((one) => one.input === input && paths.has(one.path)) ||
        isIdIn(paths, input, value),
      deletedBy: (input) => {
        const path = pathsOf(call).find((one) => one.input === input)?.path;
        return path === undefined ? undefined : deleted.get(path);
      },
    }),
  };
}

/** Forgets the faults of a request that has succeeded, and of the one that it replaced. */
function removeFaults(faults: Set<string>, call: RequestOfCall): void {
  const keys = [call, call.rejected].flatMap((one) => (one ? ` ${requestKey(one)}` : []));
  for (const fault of faults) if (keys.some((key) => fault.endsWith(key))) faults.delete(fault);
}

/** Identifies an operation at its base URL. */
const operationKey = ({ request, mapping }: RequestOfCall, base: string): string =>
  `${request.method} ${base} ${mapping.path}`;

/** Identifies a fault that a caller has seen: a call of another one is not the second one. */
const faultKey = (call: RequestOfCall, status: number): string =>
  `${status} ${call.caller ?? ""} ${requestKey(call)}`;

/** Identifies a request by a number, so that the record has no values. */
function requestKey({ request: { method, url, body = "" } }: RequestOfCall): string {
  const text = typeof body === "string" ? body : String(body.length);
  return String(fnv1a(`${method} ${url} ${text.slice(0, MAX_COMPARED)}`));
}

/** Records the paths of the items of a call. What it deleted, and what was in there, is gone. */
function recordPaths(paths: Set<string>, call: RequestOfCall): void {
  const { method, url } = call.request;
  const own = withoutQuery(url);
  for (const { path } of pathsOf(call)) if (path !== own) addNewest(paths, path, MAX_PATHS);
  if (method !== "DELETE") return addNewest(paths, own, MAX_PATHS);
  for (const path of paths) if (path === own || path.startsWith(`${own}/`)) paths.delete(path);
}

/** True if a success reports errors of its items: `[{"Name": "a", "Err": "cannot be removed"}]`. */
const hasErrors = (body: unknown): boolean =>
  [body, ...(onlyList(body)?.slice(0, MAX_ITEMS) ?? [])].some(
    (one) =>
      isObject(one) &&
      Object.entries(one).some(([name, value]) => /^err(?:ors?)?$/i.test(name) && isPresent(value)),
  );

const isPresent = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value);

/** Records the path of a deleted item, until a call succeeds with it again. */
function recordDeletion(deleted: Map<string, string>, call: RequestOfCall): void {
  const { mapping, request, tool } = call;
  for (const { path } of pathsOf(call)) deleted.delete(path);
  if (request.method !== "DELETE" || !mapping.path.endsWith("}") || !tool) return;
  deleted.set(withoutQuery(request.url), tool.name);
  const [oldest = ""] = deleted.keys();
  if (deleted.size > MAX_DELETED) deleted.delete(oldest);
}

/** Records the paths of the items that a list has returned, from the last to the first. */
function recordItems(paths: Set<string>, { request }: RequestOfCall, body: unknown): void {
  if (request.method !== "GET") return;
  const items = onlyList(body)?.slice(0, MAX_ITEMS) ?? [];
  const base = withoutQuery(request.url).replace(/\/$/, "");
  for (const item of items.toReversed()) {
    const id = idOf(item);
    if (typeof id === "string" || typeof id === "number")
      addNewest(paths, `${base}/${percentEncode(String(id))}`, MAX_PATHS);
  }
}

/** The ID of an item: a field of this name in any spelling, or a text that is all of the item. */
function idOf(item: unknown): unknown {
  if (!isObject(item)) return item;
  return item["id"] ?? Object.entries(item).find(([name]) => /^_?(?:id|[ug]uid)$/i.test(name))?.[1];
}

/** True for the ID of a thing at one of the paths: `db1` as `database_id` for `/databases/db1`. */
function isIdIn(paths: ReadonlySet<string>, input: string, value: unknown): boolean {
  const noun = lettersOf((input.split(".").at(-1) ?? "").replace(ID_WORD, ""));
  if (typeof value !== "string" && typeof value !== "number") return false;
  const end = `/${percentEncode(String(value))}`;
  return [...paths].some((path) => {
    if (!path.endsWith(end)) return false;
    const [collection = ""] = path.slice(0, -end.length).split("/").slice(-1);
    const one = singularize(lettersOf(collection));
    return one.length >= MIN_NOUN && noun.endsWith(one);
  });
}

const ID_WORD = /_?(?:[ug]?u?id|key|name|slug)$/i;

/** Minimum number of letters of a noun. */
const MIN_NOUN = 3;

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, "");

/** The path of each input in a call's path, up to and with the input. */
function pathsOf(
  call: RequestOfCall,
): readonly { readonly input: string; readonly path: string }[] {
  const { path, pathParams = {} } = call.mapping;
  const template = path.split("/");
  const steps = withoutQuery(call.request.url).split("/");
  const before = steps.length - template.length;
  return Object.entries(pathParams).flatMap(([name, source]) => {
    const input = inputOf(source);
    const at = template.findIndex((step) => step.includes(`{${name}}`));
    if (input === undefined || at < 0 || before < 0) return [];
    return [{ input, path: steps.slice(0, before + at + 1).join("/") }];
  });
}

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, "");

/** Identifies configured credentials at an origin. Those of a caller are not identified. */
function credentialKey(
  { request }: RequestOfCall,
  { variables, headers }: SentCredentials,
): string | undefined {
  if (variables.length === 0 || headers.length > 0) return undefined;
  return `credentials ${new URL(request.url).origin} ${variables.toSorted().join(" ")}`;
}

// ---- server/open-telemetry.ts ----
// Stands in for OpenTelemetry, which is left out.

/** Sentence for the user who registers an SDK in vain. */
export const telemetryProblem: string | undefined = leftOut("OpenTelemetry", "telemetry");

export interface ApiIdentity {
  readonly name: string;
}

export const isTracing = (): boolean => false;

export function traceCall(
  _api: unknown,
  _tool: unknown,
  _origin: unknown,
  run: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  return run();
}

export function recordDuration(..._: readonly unknown[]): void {}

// ---- server/telemetry.ts ----
// Log of calls, and their observation: log, traces and metrics.

/** Log record of one call. It contains no arguments and no result. */
export interface CallRecord extends Omit<CallOutcome, "result"> {
  readonly tool: string;
  /** The caller over HTTP: a hash, or the name by setting. */
  readonly caller?: string;
  /** `X-Request-Id` of the HTTP request. */
  readonly requestId?: string;
  /** Trace of the client. */
  readonly traceId?: string;
  readonly ms: number;
  /** Milliseconds for which its requests waited for their turn. Absent if they did not. */
  readonly queueMs?: number;
  /** Requests to the API, with paths of the document. */
  readonly requests?: readonly object[];
  /** Number of all requests, if not all are listed. */
  readonly requestCount?: number;
}

interface LoggedRequests {
  forLog(): Pick<CallRecord, "queueMs" | "requests" | "requestCount">;
}

/** The log: JSON lines on stderr, because stdout belongs to the protocol. */
export interface Log {
  /** @param isWrite true for a call that may change something, which is logged at any level */
  call(record: CallRecord, isWrite?: boolean): void;
  info(message: string): void;
  /** A setting with which most calls will fail. */
  warn(message: string): void;
  /** A mistake of a client, or a note of the protocol layer. */
  debug(message: string, error?: unknown): void;
  /** An error that should not happen. Its text appears in the log only. */
  error(message: string, error?: unknown): void;
}

/**
 * Creates a log.
 * @param write writes whole lines
 */
export function createLog(
  level: LogLevel,
  redact: Redact,
  write: (lines: string) => void = writeBuffered,
): Log {
  const threshold = logLevels.indexOf(level);
  const writeLine = (lineLevel: LogLevel, fields: object, isAudit = false): void => {
    if (!isAudit && logLevels.indexOf(lineLevel) < threshold) return;
    const line = JSON.stringify({ time: new Date().toISOString(), level: lineLevel, ...fields });
    write(`${escapeInvisible(redact(line))}\n`);
  };
  return {
    call(record, isWrite = false) {
      const lineLevel = record.outcome === "internal" ? "error" : "info";
      writeLine(lineLevel, isWrite ? { audit: true, ...record } : record, isWrite);
    },
    info: (message) => writeLine("info", { message }),
    warn: (message) => writeLine("warn", { message }),
    debug: (message, error) => writeLine("debug", { message, error: errorDetail(error) }),
    error: (message, error) => writeLine("error", { message, error: errorDetail(error) }),
  };
}

/**
 * Escapes characters that a terminal interprets or does not show, and that JSON leaves as they are.
 * Clients and APIs choose some of the texts.
 */
function escapeInvisible(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

function errorDetail(error: unknown): string | undefined {
  return error instanceof Error ? (error.stack ?? error.message) : undefined;
}

/** Bytes that may wait for the reader of stderr. Lines beyond them are dropped. */
const maxUnreadBytes = 1_000_000;

let bufferedLines = "";
let flushesAtExit = false;

/**
 * Writes the lines of one turn of the event loop at once. A write per call would cost more than the
 * rest of the call.
 */
function writeBuffered(line: string): void {
  if (!bufferedLines) setImmediate(flush);
  bufferedLines += line;
  if (!flushesAtExit) process.once("exit", flush);
  flushesAtExit = true;
}

function flush(): void {
  const lines = bufferedLines;
  bufferedLines = "";
  if (lines && process.stderr.writableLength < maxUnreadBytes) process.stderr.write(lines);
}

/**
 * Headers that pass the trace of the client on to the API. With an SDK there are none, because its
 * instrumentation of requests adds those of their spans.
 */
export function traceHeaders(
  carrier: TraceCarrier = {},
): readonly (readonly [name: string, value: string])[] {
  const { traceparent, tracestate } = carrier;
  if (isTracing() || typeof traceparent !== "string") return [];
  if (!TRACEPARENT.test(traceparent)) return [];
  const hasState = typeof tracestate === "string" && TRACESTATE.test(tracestate);
  return [["traceparent", traceparent], ...(hasState ? [["tracestate", tracestate] as const] : [])];
}

/** Values of W3C Trace Context, of the version that this server can read. */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** The part of a server that observes calls. */
interface Observer {
  readonly api: ApiIdentity;
  readonly log: Log;
  readonly metrics?: Metrics;
  readonly settings: { readonly logCallers: "hash" | "name" };
}

interface ObservedTool {
  readonly name: string;
  /** Absent for tools that call others. */
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

/**
 * Runs a call with its span, its metrics and its line in the log. An exception becomes an error
 * result. A call that was sent nowhere, because its input is invalid, is no write.
 */
export async function observeCall(
  { api, log, metrics, settings }: Observer,
  { name: tool, annotations }: ObservedTool,
  origin: CallOrigin,
  run: () => Promise<CallOutcome>,
  requests?: LoggedRequests,
): Promise<CallToolResult> {
  const { carrier = {}, connection, requestId } = origin;
  const startedAt = performance.now();
  const runSafely = (): Promise<CallOutcome> =>
    run().catch((error: unknown): CallOutcome => {
      log.error(`${tool} failed`, error);
      return errorResult("internal", INTERNAL_ERROR);
    });
  const { result, outcome, status, bytes, retries } = await traceCall(api, tool, origin, runSafely);
  const ms = Math.round(performance.now() - startedAt);
  const caller = settings.logCallers === "name" ? origin.callerName : await hashOf(origin.caller);
  const traceId = traceIdOf(carrier);
  const measured = { ms, status, bytes, retries, ...requests?.forLog() };
  const isWrite = annotations?.readOnlyHint === false && outcome !== "invalid";
  const from = omitUndefined({ caller, requestId, traceId });
  log.call({ tool, outcome, ...from, ...measured }, isWrite);
  if (outcome === ASKED) return result;
  metrics?.addCall({
    tool,
    outcome,
    connection,
    callerKind: origin.callerKind ?? "local",
    ...measured,
  });
  recordDuration(api, tool, origin, outcome, ms / 1000);
  return result;
}

/** Hashes of callers. The oldest make room for new ones. */
const hashes = new Map<string, Promise<string>>();
const MAX_HASHES = 10_000;

/** A short hash by which the calls of a caller are found in the log. */
async function hashOf(caller: string | undefined): Promise<string | undefined> {
  if (!caller) return undefined;
  const hash = hashes.get(caller) ?? sha256(caller).then((hash) => hash.slice(0, 16));
  hashes.set(caller, hash);
  if (hashes.size > MAX_HASHES) hashes.delete([...hashes.keys()][0]!);
  return hash;
}

/** The trace of a W3C `traceparent`. */
function traceIdOf({ traceparent }: TraceCarrier): string | undefined {
  if (typeof traceparent !== "string") return undefined;
  return /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent)?.[1];
}

// ---- server/context.ts ----
// Context of a server, which can be replaced by a newer one while the server runs.

/** The API, the tools and the customizations of a generated project. */
export interface ServerContextOptions {
  readonly api: ApiDefinition;
  readonly tools: readonly StoredTool[];
  readonly custom?: AnyHooks;
  readonly env?: Env;
  /** Functions that only some platforms have. */
  readonly platform?: Platform;
  /** Writes whole lines of the log; to stderr by default. */
  write?(lines: string): void;
  /** Serves large results as resources. For processes that receive all requests of a client. */
  readonly storeResults?: boolean;
  /** State that several processes share. Absent: each has its own, in memory. */
  readonly store?: Store;
  /** Folder in which tools may read and save files. */
  readonly files?: Folder;
}

interface ToolListChanges {
  subscribe(listener: () => void): void;
}

/** State that all connections of a server process share. */
export interface ServerContext {
  readonly api: ApiDefinition;
  readonly tools: ToolRegistry;
  /** Tools of the API that settings select. */
  readonly offeredTools: readonly StoredTool[];
  /** Tools of the API that only other tools call. */
  readonly hiddenTools: readonly StoredTool[];
  /** Selects the tools that the scopes of a caller permit. */
  readonly selectPermitted: SelectPermittedTools;
  /** The server with the tools of one API or toolset only; undefined if there is none of the name. */
  narrowTo(name: string): NarrowedTools | undefined;
  /** Scopes of the caller that the API knows. Absent: they do not limit its calls. */
  readonly grantedScopes?: ReadonlySet<string>;
  /** The parts of each API of a server of several, by name; those of the server itself are at "". */
  readonly apis?: ReadonlyMap<string, ApiParts>;
  /** True if callers get different tool lists. */
  readonly listsPerCaller?: boolean;
  /** Instructions for the model. */
  readonly instructions?: string;
  readonly hooks: Hooks;
  readonly apiContext: AuthContext;
  /** `User-Agent` of requests to the API. RFC 9110, section 10.1.5. */
  readonly userAgent: string;
  readonly settings: Settings;
  readonly log: Log;
  /** Redacts the configured secrets. */
  readonly redact: Redact;
  /** Redacts the configured secrets and others, such as obtained tokens. */
  redactorFor(secrets: readonly string[]): Redact;
  /** Adds secrets that the server obtained to those that it redacts, in a server of several APIs. */
  readonly rememberSecrets?: (secrets: readonly string[]) => void;
  readonly semaphore: Semaphore;
  readonly rateLimiter: RateLimiter;
  readonly circuits: CircuitBreaker;
  readonly runningCalls: RunningCalls;
  /** Present if metrics are served. */
  readonly metrics?: Metrics;
  /** Folder in which tools may read and save files. */
  readonly files?: Folder;
  /** Base URLs and credentials of successful calls. */
  readonly successes: SuccessRecord;
  /** Inputs in which the API has contradicted its document. */
  readonly corrections: Corrections;
  /** Pages that earlier calls returned. Absent for callers that cannot be distinguished. */
  readonly pageMemory?: PageMemory;
  /** States of questions to users. */
  readonly questions: QuestionStates;
  /** Calls for which a page to pay was shown. */
  readonly shownPages: ShownPages;
  /** IDs of tasks that clients follow. */
  readonly taskIds: TaskIds;
  /** State that several processes share. */
  readonly store?: Store;
  /** Store of results that were truncated. */
  readonly resultStore?: ResultStore;
  /** Name of the tool that reads full results. */
  readonly resultReader?: string;
  /** Present if the tools may change while the server runs. */
  readonly toolListChanges?: ToolListChanges;
}

/** The parts of a context that depend on the tools that it offers. */
type NarrowedTools = Pick<
  ServerContext,
  "tools" | "instructions" | "offeredTools" | "hiddenTools" | "selectPermitted"
>;

/** The parts of a context that concern one API. */
export type ApiParts = Pick<
  ServerContext,
  | "api"
  | "apiContext"
  | "userAgent"
  | "settings"
  | "semaphore"
  | "rateLimiter"
  | "circuits"
  | "successes"
  | "corrections"
  | "hooks"
>;

/** The server with another maximum size of results, in characters. */
export const withResultLimit = (
  server: ServerContext,
  maxResultCharacters: number,
): ServerContext => ({ ...server, settings: { ...server.settings, maxResultCharacters } });

/** The server for code, which reads whole results. */
export const withWholeResults = (server: ServerContext): ServerContext =>
  withResultLimit(server, server.settings.maxResponseBytes);

/** A context, or the problems of settings and customizations, as sentences. */
export type ServerContextResult =
  | { readonly ok: true; readonly context: ServerContext }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Creates the context of a server, without starting anything. Invalid settings are problems, as
 * sentences.
 */
export function createServerContext({
  api: given,
  tools,
  custom = {},
  env = process.env,
  platform = {},
  write,
  storeResults = false,
  store,
  files,
}: ServerContextOptions): ServerContextResult {
  const loginCommand = env[`${given.envPrefix}_LOGIN_COMMAND`]?.trim();
  const api = loginCommand ? { ...given, loginCommand } : given;
  const result = readSettings(api.envPrefix, env, api);
  if (!result.ok) return result;
  const { settings } = result;
  const members = readMembers(api, env);
  if (!members.ok) return members;
  const missing = findLeftOut(settings, members.list);
  if (missing) return { ok: false, problems: [missing] };
  const customized = applyCustomizations(tools, custom);
  if (!customized.ok) return customized;
  const redaction = createRedaction(api, env);
  const whole = { name: "", api, env, settings };
  const offered = withDryRun(
    withRawRequests(customized.tools, whole, members.list, redaction.redact),
    ({ api: name }) => members.list.find((member) => member.name === name)?.settings ?? settings,
  );
  const problems = findUnknownTools(offered, settings.listed, api.envPrefix);
  if (problems.length > 0) return { ok: false, problems };
  const selection = selectTools(offered, settings, api.envPrefix);
  if (!selection.ok) return selection;
  const mode = listModeOf(api, selection.tools, settings);
  if (mode !== "tools" && discoveryProblem) return { ok: false, problems: [discoveryProblem] };
  // A copy, because each access of process.env is a system call.
  const apiContext = { api, env: { ...env }, platform, ...(store && { store }) };
  const resultStore = storeResults ? chooseResultStore(settings, store) : undefined;
  const reader = settings.readResults
    ? readResultName(api.namespace, nameTest(selection))
    : undefined;
  const log = createLog(settings.logLevel, redaction.redact, write);
  const limits = { ...createLimits(settings, log, store), runningCalls: createRunningCalls() };
  const { hooks } = customized;
  const own = { api, apiContext, settings, hooks, ...createParts(api), ...limits };
  const apis = members.list.map((member): readonly [string, ApiParts] => {
    const { name, env: _, ...parts } = member;
    const ownParts = { ...createParts(member.api), ...partsOfMember(member, own) };
    const memberLimits = createLimits(member.settings, log, ownParts.apiContext.store);
    return [name, { ...parts, ...ownParts, ...memberLimits }];
  });
  const parts = new Map(apis);
  const doubtOf = (tool: AnyTool): DoubtContext => parts.get(tool.api ?? "") ?? own;
  const createListing = listingFactory(api, selection, settings, mode, { reader, doubtOf });
  const offer = (offered: SelectedTools): NarrowedTools => ({
    ...createListing(offered),
    offeredTools: offered.tools,
    hiddenTools: offered.hidden,
    selectPermitted: createPermittedTools(offered, api, createListing),
  });
  const semaphores = [limits, ...apis.map(([, parts]) => parts)].map(({ semaphore }) => semaphore);
  return {
    ok: true,
    context: {
      ...own,
      ...(apis.length > 0 && { apis: new Map([["", own], ...apis]) }),
      ...redaction,
      ...offer(selection),
      narrowTo: memoizeViews((name) => {
        const narrowed = narrowSelection(selection, name);
        return narrowed && offer(narrowed);
      }),
      log,
      ...(settings.metricsPort !== undefined && {
        metrics: createServerMetrics(semaphores, limits.runningCalls),
      }),
      pageMemory: createPageMemory(),
      questions: createQuestionStates(store),
      shownPages: new ShownPages(),
      taskIds: createTaskIds(store),
      ...(files && { files }),
      ...(store && { store }),
      ...(resultStore && { resultStore }),
      ...(reader && { resultReader: reader }),
    },
  };
}

/** The sentence about a feature that settings ask for and the project lacks. */
function findLeftOut(own: Settings, members: readonly Member[]): string | false | undefined {
  const some = (asks: (settings: Settings) => boolean): boolean =>
    asks(own) || members.some(({ settings }) => asks(settings));
  return (
    (own.metricsPort !== undefined && metricsProblem) ||
    (some(({ approvals }) => approvals !== "off") && approvalsProblem) ||
    (some(({ dryRun }) => dryRun) && dryRunProblem) ||
    (own.runSteps !== undefined && stepsProblem) ||
    (some(({ rawRequests }) => rawRequests) && rawRequestsProblem)
  );
}

/** Remembers the views that exist: their names are those of APIs and toolsets. */
function memoizeViews(
  create: (name: string) => NarrowedTools | undefined,
): (name: string) => NarrowedTools | undefined {
  const views = new Map<string, NarrowedTools>();
  return (name) => {
    const view = views.get(name) ?? create(name);
    if (view) views.set(name, view);
    return view;
  };
}

/** The store of results: the shared one, else memory; none if the settings allow none. */
function chooseResultStore(
  { resultStoreBytes, maxResponseBytes }: Settings,
  store: Store | undefined,
): ResultStore | undefined {
  if (store?.isMemory && resultStoreBytes === 0) return undefined;
  if (store) return createSharedResultStore(store, resultStoreBytes || maxResponseBytes);
  return resultStoreBytes > 0 ? createResultStore(resultStoreBytes) : undefined;
}

/** The parts of a context that its API decides alone. */
function createParts(
  api: ApiDefinition,
): Pick<ServerContext, "userAgent" | "successes" | "corrections"> {
  return {
    userAgent: `${toHeaderToken(api.name)}-mcp/${toHeaderToken(api.version)}`,
    successes: createSuccessRecord(),
    corrections: createCorrections(),
  };
}

/** Creates the limits that all callers share. */
function createLimits(
  settings: Settings,
  log: Log,
  store: Store | undefined,
): Pick<ServerContext, "semaphore" | "rateLimiter" | "circuits"> {
  const { maxConcurrencyPerCaller, callsPerMinutePerCaller } = settings;
  const perMinute = {
    perMinute: settings.callsPerMinute,
    perMinuteOfCaller: callsPerMinutePerCaller,
  };
  const local = createRateLimiter(perMinute);
  return {
    semaphore: createSemaphore({
      permits: settings.maxConcurrency,
      ...(maxConcurrencyPerCaller > 0 && { permitsPerCaller: maxConcurrencyPerCaller }),
      maxWaiting: settings.maxQueue,
    }),
    rateLimiter: store ? createSharedRateLimiter(store, perMinute, local) : local,
    circuits: createCircuitBreaker({
      onChange: (origin, isOpen, { status, cause } = {}) =>
        isOpen
          ? log.warn(`${origin} does not work (${cause ?? status}). Requests are not sent for now.`)
          : log.info(`${origin} works again.`),
    }),
  };
}

/** Adds `send_request`, if the settings have it: one for each API of a server of several. */
function withRawRequests(
  tools: readonly StoredTool[],
  server: Member,
  members: readonly Member[],
  redact: Redact,
): readonly StoredTool[] {
  const names = new Set(tools.map(({ name }) => name));
  const isTaken = (name: string): boolean => names.has(name);
  const create = ({ api, env }: Pick<Member, "api" | "env">): StoredTool =>
    createSendRequest({ api, env }, redact, isTaken);
  if (!server.api.apis) return server.settings.rawRequests ? [...tools, create(server)] : tools;
  const added = members
    .filter(({ settings }) => settings.rawRequests)
    .map(({ name, api, env }) => ({
      ...create({ api: { ...api, namespace: name }, env }),
      ...{ api: name, toolset: name },
    }));
  return [...tools, ...added];
}

/** Maximum number of obtained secrets that are remembered. */
const MAX_OBTAINED = 64;

/**
 * Redaction of the configured secrets, and of others. A server of several APIs remembers the tokens
 * that it obtained for one, because another may repeat them.
 */
function createRedaction(
  api: ApiDefinition,
  env: Env,
): Pick<ServerContext, "redact" | "redactorFor" | "rememberSecrets"> {
  const apis = [api, ...Object.values(api.apis ?? {})];
  const configured = apis.flatMap((one) => configuredSecrets(one, env));
  const obtained = new Set<string>();
  let secrets = new Set(configured);
  let redact = createRedactor([...secrets]);
  // A token is that of many calls, and each of them redacts several parts of its result.
  let last = { key: "", redact };
  const remember = (others: readonly string[]): void => {
    const added = others.filter((secret) => !secrets.has(secret));
    if (added.length === 0) return;
    for (const secret of added) obtained.add(secret);
    const [...all] = obtained;
    for (const secret of all.slice(0, -MAX_OBTAINED)) obtained.delete(secret);
    secrets = new Set([...configured, ...obtained]);
    redact = createRedactor([...secrets]);
    last = { key: "", redact };
  };
  return {
    redact: (text) => redact(text),
    redactorFor: (others) => {
      if (others.every((secret) => secrets.has(secret))) return redact;
      const key = JSON.stringify(others);
      if (key !== last.key) last = { key, redact: createRedactor([...secrets, ...others]) };
      return last.redact;
    },
    ...(api.apis && { rememberSecrets: remember }),
  };
}

/**
 * Returns the function that creates registries of the selected tools or of some of them: with all
 * tools, or with those that find, describe and call them.
 */
function listingFactory(
  api: ApiDefinition,
  selected: SelectedTools,
  settings: Settings,
  mode: ListMode,
  {
    reader,
    doubtOf,
  }: { readonly reader: string | undefined; readonly doubtOf: (tool: AnyTool) => DoubtContext },
): (selection: SelectedTools) => Pick<ServerContext, "tools" | "instructions"> {
  const isOpenWorld = selected.tools.some(({ annotations }) => annotations.openWorldHint);
  const isTaken = nameTest(selected);
  const runners = stepToolsIn(settings.runSteps, mode, selected.tools).flatMap((takes) => {
    const name = runStepsName(selected.tools, takes, api.namespace, isTaken);
    return name === undefined ? [] : [{ name, takes }];
  });
  const [reads, writes] = runners.length > 1 ? runners.map(({ name }) => name) : [];
  const builtIn = (lookup: ToolLookup): readonly OwnTool[] => [
    ...runners.map(({ name, takes }) =>
      createRunSteps(name, lookup, {
        namespace: api.namespace,
        timeoutMs: settings.timeoutMs,
        takes,
        doubtOf,
        reader,
        reads: takes === "all" ? reads : undefined,
        writes: takes === "reads" ? writes : undefined,
      }),
    ),
    ...createReadDocumentation(api, lookup.tools, isTaken, settings.maxResultCharacters),
    ...(reader ? [createReadResult(reader, settings.maxResultCharacters, isOpenWorld)] : []),
  ];
  const texts = runners.map(({ name, takes }) => stepsInstruction(name, takes, runners.length > 1));
  const own = { names: runners.map(({ name }) => name), texts, create: builtIn };
  if (mode !== "tools") return createDiscoveryListing({ api, selected, settings, mode, own });
  const listed = [...configuredListed(api, selected.tools, settings), ...own.names];
  const describers = (lookup: ToolLookup): readonly OwnTool[] =>
    createDescribeListed(lookup, api.namespace, isTaken, settings.maxResultCharacters);
  const allOwn = (lookup: ToolLookup) => [...describers(lookup), ...builtIn(lookup)];
  return ({ tools, hidden, excluded }) => ({
    tools: createToolRegistry(tools, { excluded, hidden, builtIn: allOwn, listed }),
    instructions: joinInstructions(api, tools, ...texts),
  });
}

function toHeaderToken(text: string): string {
  return text.replace(/[^!#$%&'*+.^_`|~0-9A-Za-z-]+/g, "-").slice(0, 64);
}

/**
 * Subscribes to new tools. It is called once with a function that replaces the tools and returns
 * problems of the new ones, as sentences.
 */
export type ReloadSource = (
  replace: (next: Pick<ServerContextOptions, "api" | "tools" | "custom">) => readonly string[],
) => void;

/**
 * Creates a context whose tools can be replaced while the server runs. Calls in flight end with the
 * tools that they started with.
 * @param create creates a context of new tools
 */
export function createReloadableContext(
  initial: ServerContext,
  reloadSource: ReloadSource,
  create: (next: Pick<ServerContextOptions, "api" | "tools" | "custom">) => ServerContextResult,
): ServerContext {
  let current = initial;
  const listeners: (() => void)[] = [];
  const changes: ToolListChanges = { subscribe: (listener) => void listeners.push(listener) };
  reloadSource((next) => {
    const result = create(next);
    if (!result.ok) return result.problems;
    const hasChanged = result.context.tools.serializeList() !== current.tools.serializeList();
    current = result.context;
    if (hasChanged) for (const listener of listeners) listener();
    return [];
  });
  return new Proxy(initial, {
    get: (_, key) => (key === "toolListChanges" ? changes : (Reflect.get(current, key) as unknown)),
  });
}

// ---- server/api-contexts.ts ----
// Stands in for the contexts of several APIs: that of the server is the only one.

export function contextOfTool(server: ServerContext, _tool: unknown): ServerContext {
  return server;
}

export function contextsOfApis(server: ServerContext): readonly ServerContext[] {
  return [server];
}

// ---- server/worker-channel.ts ----
// The channel of a process that is one of several to the process that started it.

/** Connection of a worker to its primary process. */
export interface WorkerChannel {
  /** The state that all workers share. */
  readonly store: Store;
  /** True for the worker that starts before the others. */
  readonly isFirst: boolean;
  /** Calls a listener when the server stops. */
  onStop(listener: () => void): void;
  /** Ends the channel of a worker that cannot start, so that its process ends. */
  close(): void;
  /** Sets the function that returns the metrics of the worker. */
  serveMetrics(read: () => string): void;
}
