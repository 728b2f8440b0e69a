/** The APIs of a server of several: their settings, and their parts of its context. */
import { type ApiDefinition, loginCommandOf } from "../api-definition.js";
import type { AuthContext } from "../auth/types.js";
import type { Env } from "../request/types.js";
import { namespaceStore } from "../store/namespace.js";
import { hooksOfApi } from "../tools/api-hooks.js";
import type { Hooks } from "../tools/definitions.js";
import { readSettings, type Settings } from "./settings.js";

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

/** Reads the settings of each API of a server of several. */
export function readMembers(server: ApiDefinition, env: Env): MembersResult {
  const problems: string[] = [];
  const list = apisOf(server).flatMap(([name, api]): readonly Member[] => {
    const own = environmentOf(api, server, env);
    const result = readSettings(api.envPrefix, own, api);
    if (result.ok) return [{ name, api, env: own, settings: result.settings }];
    problems.push(...result.problems);
    return [];
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, list };
}

/** The parts of a context that an API has of its server's: credentials, state and hooks. */
export interface SharedParts {
  readonly apiContext: AuthContext;
  readonly hooks: Hooks;
}

/** The parts of an API, made from those of its server. */
export function partsOfMember({ name, api, env }: Member, server: SharedParts): SharedParts {
  const { store } = server.apiContext;
  const scoped = store && { store: namespaceStore(store, name) };
  return {
    apiContext: { ...server.apiContext, api, env, ...scoped },
    hooks: hooksOfApi(server.hooks, name),
  };
}

/** Settings of an API whose default is the setting of the server. */
const sharedSettings = (
  "AUTH TIMEOUT_MS MAX_RETRY_WAIT_MS STRICT_INPUTS MAX_RESPONSE_BYTES MAX_CONCURRENCY " +
  "MAX_CONCURRENCY_PER_CALLER MAX_QUEUE CALLS_PER_MINUTE CALLS_PER_MINUTE_PER_CALLER RAW_REQUESTS " +
  "LOOK_UP_NAMES READ_BACK FOLLOW_PAGES DRY_RUN APPROVALS JOB_WAIT HTTP_SIGN_IN_CLIENT_ID"
).split(" ");

/** The environment of an API: settings that it lacks are those of the server. */
function environmentOf({ envPrefix }: ApiDefinition, server: ApiDefinition, env: Env): Env {
  const inherited = sharedSettings.flatMap((name) => {
    const value = env[`${server.envPrefix}_${name}`];
    const isSet = Boolean(env[`${envPrefix}_${name}`]?.trim());
    return isSet || value === undefined ? [] : [[`${envPrefix}_${name}`, value] as const];
  });
  return { ...env, ...Object.fromEntries(inherited) };
}

/** The APIs of a server, with the commands that sign their users in. */
function apisOf(server: ApiDefinition): readonly (readonly [string, ApiDefinition])[] {
  return Object.entries(server.apis ?? {}).map(([name, api]) => {
    const login = loginCommandOf(server).slice(1, -1);
    return [name, { ...api, loginCommand: `${login} ${name}` }];
  });
}
