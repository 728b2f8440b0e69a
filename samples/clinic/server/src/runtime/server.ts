// server: files of the runtime of mcp-gen as one module, each after those that it uses.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { type AuthContext, chooseAlternative, type Platform, requirementsOf } from "./auth.js";
import {
  type CircuitBreaker,
  createCircuitBreaker,
  createRateLimiter,
  createSemaphore,
  createSharedRateLimiter,
  type RateLimiter,
  type Semaphore,
} from "./client.js";
import {
  fnv1a,
  isLocalOrHttps,
  isObject,
  leftOut,
  nearestNames,
  omitUndefined,
  parseJsonText,
  sha256,
  type Store,
} from "./data.js";
import { baseUrlOf, INTERNAL_ERROR } from "./errors.js";
import { createPageMemory, onlyList, type PageMemory } from "./pagination.js";
import {
  type ApiCall,
  type ApiContext,
  type BoundRequest,
  type Deadline,
  type EarlierSuccesses,
  type Env,
  type Folder,
  inputOf,
  percentEncode,
  resolveBaseUrl,
  type SentCredentials,
} from "./request.js";
import {
  configuredSecrets,
  createRedactor,
  createResultStore,
  createSharedResultStore,
  type Redact,
  REDACTED,
  type ResultStore,
  sanitize,
} from "./response.js";
import {
  type AnyHooks,
  type AnyTool,
  applyCustomizations,
  ASKED,
  type BuiltInTool,
  type CallOutcome,
  configuredListed,
  type Corrections,
  createCorrections,
  createDescribeListed,
  createDiscoveryListing,
  createPermittedTools,
  createReadDocumentation,
  createReadResult,
  createRunSteps,
  createSendRequest,
  createToolRegistry,
  deserializeTool,
  discoveryProblem,
  errorResult,
  findUnknownTools,
  type Hooks,
  joinInstructions,
  type ListMode,
  listModeOf,
  listModes,
  nameTest,
  narrowSelection,
  type OwnTool,
  rawRequestsProblem,
  readResultName,
  runStepsName,
  type SelectedTools,
  type SelectPermittedTools,
  selectTools,
  stepsInstruction,
  stepsProblem,
  type StepTools,
  type StoredTool,
  type ToolLookup,
  type ToolRegistry,
} from "./tools.js";
import type { ApiDefinition, ApprovalScope, ToolDefinition, ToolInput } from "./types.js";

// ---- approvals/asked-inputs.ts ----
// Inputs that the user is asked for, where a call lacks them.

export function missingInputs(_tool: unknown, _args: unknown): readonly string[] {
  return [];
}

/** @throws always */
export function inputForm({ name }: Pick<ToolDefinition, "name">, ..._: unknown[]): InputForm {
  throw new Error(`${name} asks for no inputs.`);
}

export function addInputs<Args>(args: Args, ..._: readonly unknown[]): Args {
  return args;
}

/** A form for the missing inputs of a call. */
export interface InputForm {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, object>>;
    readonly required: readonly string[];
  };
}

// ---- approvals/question.ts ----
// The question about writes, as a person reads it, and the form of its answer.

/** A question with the form of its answer. */
export interface ApprovalQuestion {
  readonly message: string;
  /** First line of the message. */
  readonly summary: string;
  readonly requestedSchema: {
    type: "object";
    properties: Record<
      string,
      { type: "boolean"; title: string } | { type: "string"; title: string }
    >;
    required: string[];
  };
  /** Text that the user must type; absent for a yes or no. */
  readonly expected?: string;
  /** Digests of what is approved, with the versions of the things. */
  readonly grants: readonly (readonly [string, string])[];
}

// ---- approvals/approval-gate.ts ----
// Approvals: a write that needs one is withheld until the user has agreed to this very write.

/** Approvals of one call, and the question that it leads to. */
export interface ApprovalSession {
  /** True if the client can show a question. Otherwise nothing is read for one. */
  readonly canAsk?: boolean;
  /** True for a call that goes on after an answer. It was counted before the question. */
  readonly isContinued?: boolean;
  /** Approved digests, with the versions of the things as the user saw them. */
  readonly grants: ReadonlyMap<string, string>;
  /** Values that the user gave for missing inputs. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Set by the call if it lacks inputs that the user is asked for. Nothing was sent then. */
  form?: InputForm;
  /** Set by the gate if the user must be asked. Nothing was sent then that needs approval. */
  question?: ApprovalQuestion;
}

// ---- approvals/shown-request.ts ----
// A request as people and agents read it: without credentials, and with a body of bounded size.

/** A request without credentials. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value, a text, or the size of other content. Absent without a body. */
  readonly body?: unknown;
}

/** Headers whose values this server sets itself, and that hold no credential. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "user-agent"]);

/**
 * Shows a request as it would be sent.
 * @param bound the request before credentials were added: what differs from it is redacted
 * @param redact redacts the credentials of the request
 */
export function showRequest(
  sent: BoundRequest,
  bound: BoundRequest,
  redact: Redact,
  maxCharacters: number,
): ShownRequest {
  const { method, url, headers, body } = sent;
  const known = new Set(bound.headers.map(headerKey));
  const shown = headers.map(([name, value]): readonly [string, string] => {
    const isOwn = known.has(headerKey([name, value])) || OWN_HEADERS.has(name.toLowerCase());
    return [name, isOwn ? redact(value) : hideValue(value)];
  });
  return {
    method,
    url: sanitize(redact(hideAddedParameters(url, bound.url))),
    headers: Object.fromEntries(shown),
    ...(body !== undefined && { body: showBody(body, redact, maxCharacters) }),
  };
}

const headerKey = ([name, value]: readonly [string, string]): string =>
  `${name.toLowerCase()}: ${value}`;

/** The scheme of a credential is shown: it is what people get wrong. */
function hideValue(value: string): string {
  const scheme = /^(?:basic|bearer|digest|token) /i.exec(value)?.[0] ?? "";
  return `${scheme}${REDACTED}`;
}

/** Hides the values of query parameters that another URL lacks. */
function hideAddedParameters(url: string, boundUrl: string): string {
  const [base = "", query] = url.split("?", 2);
  if (query === undefined) return base;
  const known = new Set((boundUrl.split("?", 2)[1] ?? "").split("&"));
  const parts = query
    .split("&")
    .map((part) => (known.has(part) ? part : `${part.split("=", 1)[0]}=${REDACTED}`));
  return `${base}?${parts.join("&")}`;
}

/** Content that is not text. */
// oxlint-disable-next-line no-control-regex
const BINARY = /[\0-\x08\x0e-\x1f\ufffd]/;

function showBody(body: string | Uint8Array, redact: Redact, maxCharacters: number): unknown {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  if (BINARY.test(text)) return `[${body.length} bytes]`;
  const safe = sanitize(redact(text));
  if (safe.length > maxCharacters)
    return `${safe.slice(0, maxCharacters)}… (${text.length} characters in all)`;
  // Numbers that a parser would change stay text.
  return (/\d{16}/.test(safe) ? undefined : parseJsonText(safe)) ?? safe;
}

/** The request as text, in the form of HTTP/1.1. */
export function requestText({ method, url, headers, body }: ShownRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const content = typeof body === "string" ? body : JSON.stringify(body);
  return [`${method} ${url}`, ...lines, ...(body === undefined ? [] : ["", content])].join("\n");
}

// ---- approvals/write-gate.ts ----
// The gate before every write of a call: a write that it withholds is not sent.

/** A write that is about to be sent. */
export interface PendingWrite {
  readonly call: ApiCall;
  /** With credentials, as hooks left it. */
  readonly request: BoundRequest;
  readonly credentials: SentCredentials;
  /** Redacts the credentials of the request. */
  readonly redact: Redact;
  /** Shows the request without credentials. */
  show(): ShownRequest;
}

/** Decides about the writes of one call, and of the calls within it. */
export interface WriteGate {
  /**
   * Decides about a tool whose code sends several requests, before it runs.
   * @returns the gate of its requests
   * @throws WithheldError if it must not run
   */
  enter(tool: AnyTool, input: ToolInput): Promise<WriteGate>;
  /** @throws WithheldError if the write must not be sent */
  pass(write: PendingWrite): void | Promise<void>;
  /** True if a write was withheld. Code of the project may have caught the error. */
  readonly hasWithheld: boolean;
  /**
   * The outcome of the whole call.
   * @param outcome what its parts made of it
   */
  settle(tool: Pick<AnyTool, "name"> & object, outcome: CallOutcome): CallOutcome;
}

/** Ends a call whose write is withheld. Its message is a text for the agent. */
export class WithheldError extends Error {
  override readonly name = "WithheldError";

  /** @param isRefusal true if the calls after it must not be made either */
  constructor(
    message: string,
    readonly isRefusal = false,
  ) {
    super(message);
  }
}

/** True for a `WithheldError`, also of another copy of this module. */
export const isWithheld = (error: unknown): error is WithheldError =>
  error instanceof Error && error.name === "WithheldError";

/** The outcome of a part of a call whose write was withheld. */
export const withheldOutcome = ({ message, isRefusal }: WithheldError): CallOutcome => ({
  outcome: "withheld",
  result: { content: [{ type: "text", text: message }], ...(isRefusal && { isError: true }) },
});

// ---- approvals/dry-run.ts ----
// Dry run: reads are sent; a write is shown instead, with what was checked.

/** A request that was not sent, with its tool. */
interface UnsentRequest extends ShownRequest {
  readonly tool: string;
}

/** Creates the gate of a call of a dry run. */
export function createDryRunGate(envPrefix: string): WriteGate | undefined {
  return new DryRunGate(envPrefix);
}

/** Withholds every write, and shows them in place of the result. */
class DryRunGate implements WriteGate {
  private readonly requests: UnsentRequest[] = [];
  private readonly variables = new Set<string>();
  private readonly setting: string;

  constructor(envPrefix: string) {
    this.setting = `--dry-run and ${envPrefix}_DRY_RUN`;
  }

  async enter(): Promise<WriteGate> {
    return this;
  }

  get hasWithheld(): boolean {
    return this.requests.length > 0;
  }

  pass({ call, credentials, show }: PendingWrite): never {
    this.requests.push({ tool: call.tool.name, ...show() });
    for (const variable of credentials.variables) this.variables.add(variable);
    throw new WithheldError("A dry run does not send this request.");
  }

  settle(tool: Pick<AnyTool, "name"> & object, outcome: CallOutcome): CallOutcome {
    const isSequence = "run" in tool || "perform" in tool;
    const { name } = tool;
    if (!this.hasWithheld) return outcome;
    const { requests } = this;
    const data = omitUndefined({
      dryRun: true,
      requests,
      checked: this.checks(),
      notChecked: "whether the API accepts it",
      stopsAt: isSequence && requests.length === 1 ? stopText(name, requests) : undefined,
      next: nextText(requests, this.setting),
    });
    return {
      outcome: "dry_run",
      result: {
        content: [{ type: "text", text: textOf(name, data) }],
        structuredContent: data,
      },
    };
  }

  private checks(): readonly string[] {
    const variables = [...this.variables].join(", ");
    return [
      "the input matches the input schema",
      "the request can be built",
      ...(variables === "" ? [] : [`credentials are set (${variables})`]),
    ];
  }
}

function stopText(tool: string, [first]: readonly UnsentRequest[]): string {
  const at = first ? ` (${first.method} ${new URL(first.url).pathname})` : "";
  return (
    `${tool} stops at its first write${at}, because what follows may need its result. ` +
    "Further requests are not shown."
  );
}

/** The facts of a dry run, as the structured result has them. */
interface DryRunFacts {
  readonly requests: readonly UnsentRequest[];
  readonly checked: readonly string[];
  readonly notChecked: string;
  readonly stopsAt?: string;
  readonly next: string;
}

const nextText = (requests: readonly UnsentRequest[], setting: string): string =>
  `show this to the user. The server sends ${requests.length === 1 ? "it" : "them"} when it is started without ${setting}.`;

function textOf(tool: string, facts: DryRunFacts): string {
  const { requests, checked, notChecked, stopsAt, next } = facts;
  const isOne = requests.length === 1;
  const what = isOne ? "This request" : `These ${requests.length} requests`;
  return [
    `Dry run: ${tool} changed nothing. ${what} would be sent:`,
    ...requests.map((request) => `\n${requestText(request)}`),
    "",
    ...(stopsAt === undefined ? [] : [stopsAt]),
    `Checked: ${checked.join("; ")}. Not checked: ${notChecked}.`,
    `Next: ${next}`,
  ].join("\n");
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

// ---- approvals/call-gate.ts ----
// The gate of one call: made before it, and asked for the outcome after it.

/** Sentence for the user who asks for approvals. */
export const approvalsProblem: string | undefined =
  "This server was generated without approvals. Generate it again with approve: destructive " +
  "(or writes, or a list of tools) in mcp-gen.yaml, or with --features approvals.";

/** Creates the gate of a call; undefined if all writes are sent. */
export function createGate(server: GateServer, ..._: readonly unknown[]): WriteGate | undefined {
  return server.settings.dryRun ? createDryRunGate(server.api.envPrefix) : undefined;
}

/** The part of a server that a gate needs. */
export interface GateServer extends ApprovalPolicy {
  readonly settings: ApprovalPolicy["settings"] & { readonly dryRun: boolean };
}

/** Runs a call. If a write was withheld, the gate decides about the outcome. */
export async function settleGate(
  gate: WriteGate,
  tool: AnyTool | BuiltInTool,
  call: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const outcome = await call().catch((error: unknown) => {
    if (isWithheld(error)) return withheldOutcome(error);
    throw error;
  });
  return gate.settle(tool, outcome);
}

// ---- approvals/state.ts ----
// The state of a question, which the client returns with the answer. It is sealed, valid for five
// minutes, and used once. MCP 2026-07-28, "Multi Round-Trip Requests", server requirements.

/** @param shared state of all processes of the server */
export function createQuestionStates(shared: Store | undefined): QuestionStates {
  return {
    isShared: shared !== undefined,
    seal: () => Promise.reject(new Error("This server was generated without questions.")),
    open: async () => undefined,
  };
}

/** The call that a question belongs to. */
export interface QuestionBinding {
  readonly tool: string;
  /** Digest of the arguments. */
  readonly args: string;
  /** Digest of the caller. */
  readonly caller: string;
}

/** Sealed content: digests, and what the user gave. The client can read it. */
export interface QuestionState extends QuestionBinding {
  readonly nonce: string;
  /** Approved digests, with the versions of the things. */
  readonly grants: readonly (readonly [string, string])[];
  /** Digest of the text to type. */
  readonly expected?: string;
  /** Inputs that the question asks for. */
  readonly inputs?: readonly string[];
  /** Values that the user gave in an earlier round. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** First line of the question. */
  readonly summary: string;
}

/** Seals and opens states. */
export interface QuestionStates {
  /** True if several processes share the states. */
  readonly isShared: boolean;
  seal(state: Omit<QuestionState, "nonce">): Promise<string>;
  /** Opens a state of this call, once. Undefined for any other. */
  open(sealed: string, binding: QuestionBinding): Promise<QuestionState | undefined>;
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

/** Outcomes of calls that did what they should: also those that show a request, or need a yes. */
const SUCCESSES: ReadonlySet<string> = new Set(["ok", "dry_run", "approval", ASKED]);

/** True for the outcome of a call that failed. */
export const isErrorOutcome = (outcome: string): boolean => !SUCCESSES.has(outcome);

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
  readonly runSteps: StepTools | undefined;
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
    logLevel: readLogLevel(env, problems),
    logCallers: readLogCallers(`${prefix}_LOG_CALLERS`, env, problems),
    ...(env[`${prefix}_METRICS_PORT`]?.trim() && {
      metricsPort: readInteger("METRICS_PORT", 0, 0, 65_535),
    }),
    metricsHost: env[`${prefix}_METRICS_HOST`]?.trim() || "127.0.0.1",
    readyNeedsStore: readSwitch("READY_NEEDS_STORE"),
    toolsets: readArray(env[`${prefix}_TOOLSETS`]),
    readOnly: readSwitch("READ_ONLY", false, "--read-only"),
    approvals: readApprovals(`${prefix}_APPROVALS`, env, approve, problems),
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

function readLogLevel(env: Env, problems: string[]): LogLevel {
  const text = env["LOG_LEVEL"]?.trim().toLowerCase() || "info";
  const level = logLevels.find((candidate) => candidate === text);
  if (!level) problems.push(`LOG_LEVEL must be one of ${logLevels.join(", ")}.`);
  return level ?? "info";
}

/** Approvals are asked for where they are configured. */
function readApprovals(
  variable: string,
  env: Env,
  approve: SettingDefaults["approve"],
  problems: string[],
): ApprovalMode {
  const text = env[variable]?.trim().toLowerCase() || (approve === undefined ? "off" : "ask");
  const mode = approvalModes.find((candidate) => candidate === text);
  if (!mode) problems.push(`${variable} must be one of ${approvalModes.join(", ")}.`);
  return mode ?? "refuse";
}

function readLogCallers(variable: string, env: Env, problems: string[]): "hash" | "name" {
  const text = env[variable]?.trim().toLowerCase() || "hash";
  if (text !== "hash" && text !== "name") problems.push(`${variable} must be hash or name.`);
  return text === "name" ? "name" : "hash";
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
function readStepTools(variable: string, text: string, problems: string[]): StepTools | undefined {
  if (text.trim().toLowerCase() === "reads") return "reads";
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

type RequestOfCall = Pick<ApiCall, "mapping" | "request" | "rejected"> & {
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
    addFault: (call, status) => addNewest(faults, `${status} ${requestKey(call)}`, MAX_ENTRIES),
    of: (call) => ({
      hasOperation: () => operations.has(operationKey(call, baseUrlOf(call))),
      hasFailed: (status) => faults.has(`${status} ${requestKey(call)}`),
      isBaseUrlRight: () => entries.has(`base ${baseUrlOf(call)}`),
      haveSucceeded: (credentials) => {
        const key = credentialKey(call, credentials);
        return key !== undefined && entries.has(key);
      },
      hasAccepted: (input) =>
        pathsOf(call).some((one) => one.input === input && paths.has(one.path)),
      deletedBy: (input) => {
        const path = pathsOf(call).find((one) => one.input === input)?.path;
        return path === undefined ? undefined : deleted.get(path);
      },
    }),
  };
}

function addNewest(entries: Set<string>, entry: string, max: number): void {
  entries.delete(entry);
  entries.add(entry);
  const [oldest = ""] = entries;
  if (entries.size > max) entries.delete(oldest);
}

/** Forgets the faults of a request that has succeeded, and of the one that it replaced. */
function removeFaults(faults: Set<string>, call: RequestOfCall): void {
  const keys = [call, call.rejected].flatMap((one) => (one ? ` ${requestKey(one)}` : []));
  for (const fault of faults) if (keys.some((key) => fault.endsWith(key))) faults.delete(fault);
}

/** Identifies an operation at its base URL. */
const operationKey = ({ request, mapping }: RequestOfCall, base: string): string =>
  `${request.method} ${base} ${mapping.path}`;

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

// ---- server/telemetry.ts ----
// Log and traces of calls.
// Traces are one OpenTelemetry span for each call, if an SDK is registered in this process (`node
// --import ./telemetry.js dist/server.js`). The OpenTelemetry API stores registrations in a global
// object that all of its 1.x versions share, so no package is needed here. Requests to the API get
// their spans, inside the span of the call, from the instrumentation of undici.

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

/** The part of `@opentelemetry/api` that is used. */
interface OpenTelemetry {
  readonly trace?: { getTracer(name: string, version: string): Tracer };
  readonly context?: { active(): Context; with<T>(context: Context, run: () => T): T };
  readonly propagation?: {
    extract(context: Context, carrier: TraceCarrier, getter: Getter): Context;
  };
  readonly metrics?: MeterProvider;
}

interface MeterProvider {
  getMeter(
    name: string,
    version: string,
  ): { createHistogram(name: string, options: object): DurationHistogram };
}

interface DurationHistogram {
  record(value: number, attributes: Attributes): void;
}

interface Getter {
  keys(carrier: TraceCarrier): string[];
  get(carrier: TraceCarrier, key: string): string | undefined;
}

interface Tracer {
  startSpan(
    name: string,
    options: { readonly kind: number; readonly attributes: Attributes },
    context?: Context,
  ): Span;
}

interface Span {
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { readonly code: number }): unknown;
  end(): void;
}

interface Context {
  setValue(key: symbol, value: unknown): Context;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;
type CallAttributes = Attributes & { readonly "gen_ai.tool.name": string };

/**
 * `_meta` of a request, where clients put their trace context (`traceparent`, `tracestate`,
 * `baggage`).
 */
export type TraceCarrier = Readonly<Record<string, unknown>>;

const registryKey = Symbol.for("opentelemetry.js.api.1");
const activeSpanKey = Symbol.for("OpenTelemetry Context Key SPAN");
/** `SpanKind.SERVER` of OpenTelemetry. */
const serverKind = 1;
/** `SpanStatusCode.ERROR` of OpenTelemetry. */
const errorStatus = 2;

const getter: Getter = {
  keys: (carrier) => Object.keys(carrier),
  get: (carrier, key) => (typeof carrier[key] === "string" ? carrier[key] : undefined),
};

interface ApiIdentity {
  readonly name: string;
  readonly version: string;
}

/**
 * Runs a call inside a span, by the semantic conventions for MCP, if tracing is registered. Spans
 * contain no arguments and no results, which may be secret.
 */
function traceCall(
  api: ApiIdentity,
  tool: string,
  { carrier = {}, connection }: CallOrigin,
  run: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const telemetry = registeredTelemetry();
  if (!telemetry?.trace) return run();
  const tracer = telemetry.trace.getTracer(api.name, api.version);
  return runInSpan(telemetry, tracer, callAttributes(tool, connection), carrier, run);
}

function registeredTelemetry(): OpenTelemetry | undefined {
  return (globalThis as { readonly [registryKey]?: OpenTelemetry })[registryKey];
}

/** Attributes of spans and durations, by the semantic conventions for MCP. */
function callAttributes(tool: string, connection: McpConnection | undefined): CallAttributes {
  return {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool,
    ...(connection?.protocolVersion && { "mcp.protocol.version": connection.protocolVersion }),
    ...(connection && { "network.transport": connection.transport }),
  };
}

/**
 * Headers that pass the trace of the client on to the API. With an SDK there are none, because its
 * instrumentation of requests adds those of their spans.
 */
export function traceHeaders(
  carrier: TraceCarrier = {},
): readonly (readonly [name: string, value: string])[] {
  const { traceparent, tracestate } = carrier;
  if (registeredTelemetry()?.trace || typeof traceparent !== "string") return [];
  if (!TRACEPARENT.test(traceparent)) return [];
  const hasState = typeof tracestate === "string" && TRACESTATE.test(tracestate);
  return [["traceparent", traceparent], ...(hasState ? [["tracestate", tracestate] as const] : [])];
}

/** Values of W3C Trace Context, of the version that this server can read. */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

async function runInSpan(
  { context, propagation }: OpenTelemetry,
  tracer: Tracer,
  attributes: CallAttributes,
  carrier: TraceCarrier,
  run: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const activeContext = context?.active();
  const parent =
    activeContext && propagation && typeof carrier["traceparent"] === "string"
      ? propagation.extract(activeContext, carrier, getter)
      : activeContext;
  const name = `tools/call ${attributes["gen_ai.tool.name"]}`;
  const span = tracer.startSpan(name, { kind: serverKind, attributes }, parent);
  const outcome = await (context && parent
    ? context.with(parent.setValue(activeSpanKey, span), run)
    : run());
  describeOutcome(span, outcome);
  span.end();
  return outcome;
}

function describeOutcome(
  span: Span,
  { outcome, status, bytes, retries, result }: CallOutcome,
): void {
  span.setAttributes({
    "mcp.tool.outcome": outcome,
    "http.response.status_code": status,
    "http.response.body.size": bytes,
    "http.request.resend_count": retries,
    "error.type": result.isError ? "tool_error" : undefined,
  });
  if (result.isError) span.setStatus({ code: errorStatus });
}

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
  recordDuration(api, callAttributes(tool, connection), outcome, ms / 1000);
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

/** Records a duration, if an OpenTelemetry SDK for metrics is registered in this process. */
function recordDuration(
  { name, version }: ApiIdentity,
  attributes: CallAttributes,
  outcome: string,
  seconds: number,
): void {
  const provider = registeredTelemetry()?.metrics;
  if (!provider) return;
  const histogram = histograms.get(provider) ?? createHistogram(provider, name, version);
  histograms.set(provider, histogram);
  histogram.record(seconds, {
    ...attributes,
    ...(isErrorOutcome(outcome) && { "error.type": outcome }),
  });
}

/** Bounds of durations in seconds, as the semantic conventions for MCP advise. */
const DURATION_BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

const histograms = new WeakMap<MeterProvider, DurationHistogram>();

function createHistogram(
  provider: MeterProvider,
  name: string,
  version: string,
): DurationHistogram {
  const options = {
    unit: "s",
    description: "Duration of calls of tools.",
    // The defaults of SDKs are for milliseconds.
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  };
  return provider.getMeter(name, version).createHistogram("mcp.server.operation.duration", options);
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
  if (settings.metricsPort !== undefined && metricsProblem)
    return { ok: false, problems: [metricsProblem] };
  const members = readMembers(api, env);
  if (!members.ok) return members;
  const asks = [{ settings }, ...members.list].some((one) => one.settings.approvals !== "off");
  if (asks && approvalsProblem) return { ok: false, problems: [approvalsProblem] };
  const sendsRaw = [{ settings }, ...members.list].some((one) => one.settings.rawRequests);
  if (settings.runSteps && stepsProblem) return { ok: false, problems: [stepsProblem] };
  if (sendsRaw && rawRequestsProblem) return { ok: false, problems: [rawRequestsProblem] };
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
  const correct: Corrections["of"] = (tool) =>
    (parts.get((tool as { readonly api?: string }).api ?? "") ?? own).corrections.of(tool);
  const createListing = listingFactory(api, selection, settings, mode, { reader, correct });
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

/** In a dry run, tools return requests, not what their output schema says. */
function withDryRun(
  tools: readonly StoredTool[],
  settingsOf: (tool: StoredTool) => Settings,
): readonly StoredTool[] {
  return tools.map((tool) => {
    const { dryRun, dryRunReads } = settingsOf(tool);
    if (!dryRun || (tool.annotations.readOnlyHint && !dryRunReads)) return tool;
    const { outputSchema: _, ...rest } = deserializeTool(tool);
    return rest as StoredTool;
  });
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
  { reader, correct }: { readonly reader: string | undefined; readonly correct: Corrections["of"] },
): (selection: SelectedTools) => Pick<ServerContext, "tools" | "instructions"> {
  const isOpenWorld = selected.tools.some(({ annotations }) => annotations.openWorldHint);
  const { runSteps } = settings;
  const steps =
    runSteps && runStepsName(selected.tools, runSteps, api.namespace, nameTest(selected));
  const builtIn = (lookup: ToolLookup): readonly OwnTool[] => [
    ...(steps === undefined
      ? []
      : [
          createRunSteps(steps, lookup, {
            namespace: api.namespace,
            timeoutMs: settings.timeoutMs,
            takes: runSteps!,
            correct,
            reader,
          }),
        ]),
    ...createReadDocumentation(api, lookup.tools, nameTest(selected), settings.maxResultCharacters),
    ...(reader ? [createReadResult(reader, settings.maxResultCharacters, isOpenWorld)] : []),
  ];
  const texts = steps === undefined ? [] : [stepsInstruction(steps, runSteps!)];
  const own = { names: steps === undefined ? [] : [steps], texts, create: builtIn };
  if (mode !== "tools") return createDiscoveryListing({ api, selected, settings, mode, own });
  const listed = [...configuredListed(api, selected.tools, settings), ...own.names];
  const describers = (lookup: ToolLookup): readonly OwnTool[] =>
    createDescribeListed(lookup, api.namespace, nameTest(selected), settings.maxResultCharacters);
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
