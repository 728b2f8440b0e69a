/** Context of a server, which can be replaced by a newer one while the server runs. */
import type { ApiDefinition } from "../api-definition.js";
import { approvalsProblem } from "../approvals/approval-gate.js";
import { dryRunProblem, withDryRun } from "../approvals/dry-run.js";
import { createQuestionStates, type QuestionStates } from "../approvals/state.js";
import { createTaskIds, type TaskIds } from "../tasks/task-ids.js";
import type { AuthContext, Platform } from "../auth/types.js";
import { type CircuitBreaker, createCircuitBreaker } from "../client/circuit-breaker.js";
import { createRateLimiter, type RateLimiter } from "../client/rate-limiter.js";
import { createSharedRateLimiter } from "../client/shared-rate-limiter.js";
import { createSemaphore, type Semaphore } from "../client/semaphore.js";
import { type Corrections, createCorrections } from "../tools/corrections.js";
import type { DoubtContext } from "../tools/doubtful-input.js";
import { createSuccessRecord, type SuccessRecord } from "./successes.js";
import { createDescribeListed } from "../discovery/describe-listed.js";
import { createDiscoveryListing, discoveryProblem } from "../discovery/listing.js";
import type { Folder } from "../files/files.js";
import type { Env } from "../request/types.js";
import { createPageMemory, type PageMemory } from "../pagination/page-memory.js";
import { configuredSecrets, createRedactor, type Redact } from "../response/redact.js";
import {
  createResultStore,
  createSharedResultStore,
  type ResultStore,
} from "../response/result-store.js";
import type { Store } from "../store/types.js";
import { applyCustomizations } from "../tools/customizations.js";
import {
  type AnyTool,
  type AnyHooks,
  type Hooks,
  type StoredTool,
  type ToolLookup,
} from "../tools/definitions.js";
import { joinInstructions } from "../tools/describe-toolsets.js";
import { configuredListed, type ListMode, listModeOf, nameTest } from "../tools/listing.js";
import {
  createPermittedTools,
  findUnknownTools,
  narrowSelection,
  type SelectPermittedTools,
  type SelectedTools,
  selectTools,
} from "../tools/selection.js";
import { createReadDocumentation } from "../tools/read-documentation.js";
import { createReadResult, readResultName } from "../tools/read-result.js";
import {
  createRunSteps,
  runStepsName,
  stepsInstruction,
  stepsProblem,
} from "../tools/run-steps.js";
import { stepToolsIn } from "../tools/step-tools.js";
import { createSendRequest, rawRequestsProblem } from "../tools/send-request.js";
import { createToolRegistry, type OwnTool, type ToolRegistry } from "../tools/tool-registry.js";
import { type Member, partsOfMember, readMembers } from "./members.js";
import { createRunningCalls, type RunningCalls } from "./running-calls.js";
import type { Metrics } from "./measured-calls.js";
import { createServerMetrics, metricsProblem } from "./metrics.js";
import { createLog, type Log } from "./telemetry.js";
import { readSettings, type Settings } from "./settings.js";
import { ShownPages } from "./shown-pages.js";

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
