import type { Env } from "../request/types.js";
import { nearestNames } from "../nearest-names.js";
import type { ApiDefinition } from "../types.js";

/**
 * Everything about the running server that its owner can set, however it is served; see
 * `readSettings` for the variables.
 */
export interface Settings {
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  /**
   * Most characters of a result. Set in tokens, because that is what it costs; a model reads about
   * four characters as one.
   */
  readonly maxResultCharacters: number;
  /** Most bytes of results that are kept to be read as resources. 0: none. */
  readonly resultStoreBytes: number;
  readonly maxConcurrency: number;
  readonly maxQueue: number;
  /** 0: no limit. */
  readonly callsPerMinute: number;
  readonly logLevel: LogLevel;
  /** Toolsets that are offered; none: all. */
  readonly toolsets: readonly string[];
  /** Only tools that change nothing are offered. */
  readonly readOnly: boolean;
  /**
   * Whether the list has every tool, or three that find, describe and call all others; absent: as
   * it was generated.
   */
  readonly listMode?: ListMode;
}

export const listModes = ["tools", "discovery"] as const;
export type ListMode = (typeof listModes)[number];

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads the settings from the environment. A variable that is absent or empty has its default; one
 * that makes no sense is a problem in one sentence, because a limit that silently is not there is
 * worse than a server that does not start.
 */
export function readSettings(
  prefix: string,
  env: Env,
  { maxResultTokens = 8_000 }: Pick<ApiDefinition, "maxResultTokens"> = {},
): SettingsResult {
  const problems: string[] = [];
  const readInteger = (name: string, fallback: number, min: number, max: number): number => {
    const variable = `${prefix}_${name}`;
    const text = env[variable]?.trim();
    if (!text) return fallback;
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    problems.push(`${variable} must be a whole number from ${min} to ${max}.`);
    return fallback;
  };
  const settings: Settings = {
    timeoutMs: readInteger("TIMEOUT_MS", 30_000, 1, 3_600_000),
    maxResponseBytes: readInteger("MAX_RESPONSE_BYTES", 10_000_000, 1, 1_000_000_000),
    maxResultCharacters: 4 * readInteger("MAX_RESULT_TOKENS", maxResultTokens, 100, 10_000_000),
    resultStoreBytes: readInteger("KEPT_RESULT_BYTES", 50_000_000, 0, 10_000_000_000),
    maxConcurrency: readInteger("MAX_CONCURRENCY", 32, 1, 10_000),
    maxQueue: readInteger("MAX_QUEUE", 10_000, 0, 1_000_000),
    callsPerMinute: readInteger("CALLS_PER_MINUTE", 0, 0, 1_000_000),
    logLevel: readLogLevel(env, problems),
    toolsets: readArray(env[`${prefix}_TOOLSETS`]),
    readOnly: readBoolean(
      `--read-only (${prefix}_READ_ONLY)`,
      env[`${prefix}_READ_ONLY`],
      problems,
    ),
    listMode: readListMode(`--mode (${prefix}_MODE)`, env[`${prefix}_MODE`], problems),
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
}

function readLogLevel(env: Env, problems: string[]): LogLevel {
  const text = env["LOG_LEVEL"]?.trim().toLowerCase() || "info";
  const level = logLevels.find((known) => known === text);
  if (!level) problems.push(`LOG_LEVEL must be one of ${logLevels.join(", ")}.`);
  return level ?? "info";
}

function readListMode(
  variable: string,
  value: string | undefined,
  problems: string[],
): ListMode | undefined {
  const text = value?.trim().toLowerCase() || undefined;
  const mode = listModes.find((known) => known === text);
  if (!mode && text !== undefined) {
    const [nearestMode] = nearestNames(text, listModes);
    problems.push(
      `${variable} must be ${listModes.join(" or ")}, not ${JSON.stringify(text.slice(0, 40))}${nearestMode === undefined ? "." : `; did you mean ${nearestMode}?`}`,
    );
  }
  return mode;
}

function readBoolean(variable: string, value: string | undefined, problems: string[]): boolean {
  const text = value?.trim().toLowerCase() ?? "";
  if (["true", "1", "yes", "on"].includes(text)) return true;
  if (!["", "false", "0", "no", "off"].includes(text))
    problems.push(`${variable} must be true or false, not ${JSON.stringify(text.slice(0, 40))}.`);
  return false;
}

function readArray(text = ""): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}
