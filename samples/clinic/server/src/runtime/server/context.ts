import type { Env } from "../request/types.js";
import type { AuthContext } from "../auth/types.js";
import type { Folder } from "../files/folder.js";
import type { Platform } from "../platform.js";
import type { AnyHooks, Hooks } from "../tools/hooks.js";
import { discoveryInstructions, discoveryNames, createDiscoveryTools } from "../discovery/index.js";
import { type ToolRegistry, createToolRegistry, estimateTokens } from "../tools/tool-registry.js";
import { createResultStore, type ResultStore } from "../response/result-store/result-store.js";
import type { ToolListChanges } from "./hot-reload.js";
import { createLog, type Log } from "./log.js";
import { type ToolSelection, selectTools } from "../tools/selection.js";
import { applyCustomizations } from "../tools/customizations.js";
import type { StoredTool } from "../tools/serialized-tools.js";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.js";
import { configuredSecrets, type Redact, createRedactor } from "../response/redact.js";
import { createSemaphore, type Semaphore } from "../client/index.js";
import { readSettings, type Settings } from "./settings.js";
import type { ApiDefinition } from "../types.js";

/** What a generated project brings: its API, its tools, and what its owner added. */
export interface ServerContextOptions {
  readonly api: ApiDefinition;
  readonly tools: readonly StoredTool[];
  readonly custom?: AnyHooks;
  readonly env?: Env;
  /** What only some platforms can do. */
  readonly platform?: Platform;
  /** Where the log goes, in whole lines; stderr by default. */
  write?(lines: string): void;
  /**
   * Results too large to be shown can be read as resources: for processes that get the requests of
   * all their clients.
   */
  readonly storeResults?: boolean;
  /** The folder in which tools may read and save files. */
  readonly files?: Folder;
}

/** Everything that the connections of one server process share. */
export interface ServerContext {
  readonly api: ApiDefinition;
  readonly tools: ToolRegistry;
  /** Text for the model about the whole server. */
  readonly instructions?: string;
  readonly hooks: Hooks;
  readonly apiContext: AuthContext;
  /** How requests to the API say who sends them. RFC 9110, section 10.1.5. */
  readonly userAgent: string;
  readonly settings: Settings;
  readonly log: Log;
  /** A redactor of the configured secrets and, if given, of others that a call came by. */
  readonly redact: Redact;
  redactorFor(secrets: readonly string[]): Redact;
  readonly semaphore: Semaphore;
  readonly rateLimiter: RateLimiter;
  /** The folder in which tools may read and save files. */
  readonly files?: Folder;
  /** Results that were too large to be shown. */
  readonly resultStore?: ResultStore;
  /** There when the tools may change while the server runs. */
  readonly toolListChanges?: ToolListChanges;
}

export type ServerContextResult =
  | { readonly ok: true; readonly context: ServerContext }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Puts a server together, without starting anything. Settings that make no sense are problems, a
 * sentence each.
 */
export function createServerContext({
  api,
  tools,
  custom = {},
  env = process.env,
  platform = {},
  write,
  storeResults: keepResults = false,
  files,
}: ServerContextOptions): ServerContextResult {
  const read = readSettings(api.envPrefix, env, api);
  if (!read.ok) return read;
  const { settings } = read;
  const customized = applyCustomizations(tools, custom);
  if (!customized.ok) return customized;
  const selection = selectTools(customized.tools, settings, api.envPrefix);
  if (!selection.ok) return selection;
  // A copy: reading process.env calls the system each time, and settings do not change under a
  // running server.
  const context = { api, env: { ...env }, platform };
  const secrets = new Set(configuredSecrets(api, context.env));
  const redact = createRedactor([...secrets]);
  return {
    ok: true,
    context: {
      api,
      apiContext: context,
      userAgent: `${toHeaderToken(api.name)}-mcp/${toHeaderToken(api.version)}`,
      settings,
      redact,
      redactorFor: (others) =>
        others.every((secret) => secrets.has(secret))
          ? redact
          : createRedactor([...secrets, ...others]),
      hooks: customized.hooks,
      ...createToolListing(api, selection, settings),
      log: createLog(settings.logLevel, redact, write),
      semaphore: createSemaphore(settings.maxConcurrency, settings.maxQueue),
      rateLimiter: createRateLimiter(settings.callsPerMinute),
      ...(files && { files }),
      ...(keepResults &&
        settings.resultStoreBytes > 0 && {
          resultStore: createResultStore(settings.resultStoreBytes),
        }),
    },
  };
}

/** How the tools are shown: all of them, or three that find, describe and call them. */
function createToolListing(
  api: ApiDefinition,
  { tools, excluded: withheld }: Extract<ToolSelection, { ok: true }>,
  settings: Settings,
): Pick<ServerContext, "tools" | "instructions"> {
  if (!usesDiscovery(api, tools, settings))
    return {
      tools: createToolRegistry(tools, { excluded: withheld }),
      instructions: api.instructions,
    };
  const taken = new Set([...tools.map(({ name }) => name), ...withheld.keys()]);
  const names = discoveryNames(api.namespace, (name) => taken.has(name));
  return {
    tools: createToolRegistry(tools, {
      excluded: withheld,
      discovery: (registered) =>
        createDiscoveryTools(registered, names, settings.maxResultCharacters),
      namesHint: `Find tools with ${names.search}.`,
    }),
    instructions: [api.instructions, discoveryInstructions(names, tools.length)]
      .filter(Boolean)
      .join(" "),
  };
}

/**
 * As the owner says; else as it was generated, unless what is left of the tools is few enough to be
 * listed.
 */
function usesDiscovery(
  { listBudget }: ApiDefinition,
  tools: readonly StoredTool[],
  { listMode: mode, toolsets, readOnly }: Settings,
): boolean {
  if (mode !== undefined || !listBudget) return mode === "discovery";
  const isNarrowed = toolsets.length > 0 || readOnly;
  return (
    !isNarrowed || tools.length > listBudget.tools || estimateTokens(tools) > listBudget.tokens
  );
}

function toHeaderToken(text: string): string {
  return text.replace(/[^!#$%&'*+.^_`|~0-9A-Za-z-]+/g, "-").slice(0, 64);
}
