import type { ApiContext, Env } from "./bind/types.js";
import type { Folder } from "./files/folder.js";
import type { Platform } from "./platform.js";
import type { AnyHooks, Hooks } from "./hooks.js";
import { discoveryInstructions, discoveryNames, discoveryTools } from "./discovery/index.js";
import { type Catalogue, createCatalogue, tokensOf } from "./list.js";
import { createKept, type Kept } from "./kept/index.js";
import type { Changes } from "./live.js";
import { createLog, type Log } from "./log.js";
import { type Offer, offer } from "./offer.js";
import { withOwnersPart } from "./owner.js";
import type { StoredTool } from "./packed.js";
import { createRate, type Rate } from "./rate.js";
import { configuredSecrets, type Redact, redactor } from "./redact.js";
import { createSlots, type Slots } from "./send/index.js";
import { readSettings, type Settings } from "./settings.js";
import type { ApiDefinition } from "./types.js";

/** What a generated project brings: its API, its tools, and what its owner added. */
export interface AppOptions {
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
  readonly keepResults?: boolean;
  /** The folder in which tools may read and save files. */
  readonly files?: Folder;
}

/** Everything that the connections of one server process share. */
export interface App {
  readonly api: ApiDefinition;
  readonly catalogue: Catalogue;
  /** Text for the model about the whole server. */
  readonly instructions?: string;
  readonly hooks: Hooks;
  readonly context: ApiContext;
  /** How requests to the API say who sends them. RFC 9110, section 10.1.5. */
  readonly userAgent: string;
  readonly settings: Settings;
  readonly log: Log;
  /** A redactor of the configured secrets and, if given, of others that a call came by. */
  readonly redact: Redact;
  redactorOf(secrets: readonly string[]): Redact;
  readonly slots: Slots;
  readonly rate: Rate;
  /** The folder in which tools may read and save files. */
  readonly files?: Folder;
  /** Results that were too large to be shown. */
  readonly kept?: Kept;
  /** There when the tools may change while the server runs. */
  readonly changes?: Changes;
}

export type AppResult =
  | { readonly ok: true; readonly app: App }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Puts a server together, without starting anything. Settings that make no sense are problems, a
 * sentence each.
 */
export function createApp({
  api,
  tools,
  custom = {},
  env = process.env,
  platform = {},
  write,
  keepResults = false,
  files,
}: AppOptions): AppResult {
  const read = readSettings(api.envPrefix, env, api);
  if (!read.ok) return read;
  const { settings } = read;
  const owned = withOwnersPart(tools, custom);
  if (!owned.ok) return owned;
  const offered = offer(owned.tools, settings, api.envPrefix);
  if (!offered.ok) return offered;
  // A copy: reading process.env calls the system each time, and settings do not change under a
  // running server.
  const context = { api, env: { ...env }, platform };
  const secrets = new Set(configuredSecrets(api, context.env));
  const redact = redactor([...secrets]);
  return {
    ok: true,
    app: {
      api,
      context,
      userAgent: `${asToken(api.name)}-mcp/${asToken(api.version)}`,
      settings,
      redact,
      redactorOf: (others) =>
        others.every((secret) => secrets.has(secret)) ? redact : redactor([...secrets, ...others]),
      hooks: owned.hooks,
      ...listing(api, offered, settings),
      log: createLog(settings.logLevel, redact, write),
      slots: createSlots(settings.maxConcurrency, settings.maxQueue),
      rate: createRate(settings.callsPerMinute),
      ...(files && { files }),
      ...(keepResults &&
        settings.keptResultBytes > 0 && { kept: createKept(settings.keptResultBytes) }),
    },
  };
}

/** How the tools are shown: all of them, or three that find, describe and call them. */
function listing(
  api: ApiDefinition,
  { tools, withheld }: Extract<Offer, { ok: true }>,
  settings: Settings,
): Pick<App, "catalogue" | "instructions"> {
  if (!discovers(api, tools, settings))
    return { catalogue: createCatalogue(tools, { withheld }), instructions: api.instructions };
  const taken = new Set([...tools.map(({ name }) => name), ...withheld.keys()]);
  const names = discoveryNames(api.namespace, (name) => taken.has(name));
  return {
    catalogue: createCatalogue(tools, {
      withheld,
      discovery: (known) => discoveryTools(known, names, settings.maxResultCharacters),
      where: `Find tools with ${names.search}.`,
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
function discovers(
  { listBudget }: ApiDefinition,
  tools: readonly StoredTool[],
  { mode, toolsets, readOnly }: Settings,
): boolean {
  if (mode !== undefined || !listBudget) return mode === "discovery";
  const isNarrowed = toolsets.length > 0 || readOnly;
  return !isNarrowed || tools.length > listBudget.tools || tokensOf(tools) > listBudget.tokens;
}

function asToken(text: string): string {
  return text.replace(/[^!#$%&'*+.^_`|~0-9A-Za-z-]+/g, "-").slice(0, 64);
}
