/** Settings of a server, from the environment, and a warning about missing ones. */
import type { ApiDefinition } from "../api-definition.js";
import { type ApprovalMode, approvalModes } from "../approvals/policy.js";
import { chooseAlternative, requirementsOf } from "../auth/requirements.js";
import { isLocalOrHttps } from "../data/urls.js";
import { nearestNames } from "../data/values.js";
import type { ApiContext, Env } from "../request/types.js";
import { resolveBaseUrl } from "../request/base-url.js";
import { type ListMode, listModes } from "../tools/listing.js";
import type { StepSetting } from "../tools/step-tools.js";

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
