/** The APIs of a server of several, and their settings. */
import { type ApiDefinition, loginCommandOf } from "../api-definition.js";
import type { Env } from "../request/types.js";

/** Settings of an API whose default is the setting of the server. */
const sharedSettings = (
  "AUTH TIMEOUT_MS MAX_RETRY_WAIT_MS STRICT_INPUTS MAX_RESPONSE_BYTES MAX_CONCURRENCY " +
  "MAX_CONCURRENCY_PER_CALLER MAX_QUEUE CALLS_PER_MINUTE CALLS_PER_MINUTE_PER_CALLER RAW_REQUESTS " +
  "LOOK_UP_NAMES READ_BACK FOLLOW_PAGES DRY_RUN APPROVALS JOB_WAIT HTTP_SIGN_IN_CLIENT_ID"
).split(" ");

/** The environment of an API: settings that it lacks are those of the server. */
export function environmentOf({ envPrefix }: ApiDefinition, server: ApiDefinition, env: Env): Env {
  const inherited = sharedSettings.flatMap((name) => {
    const value = env[`${server.envPrefix}_${name}`];
    const isSet = Boolean(env[`${envPrefix}_${name}`]?.trim());
    return isSet || value === undefined ? [] : [[`${envPrefix}_${name}`, value] as const];
  });
  return { ...env, ...Object.fromEntries(inherited) };
}

/** The APIs of a server, with the commands that sign their users in. */
export function apisOf(server: ApiDefinition): readonly (readonly [string, ApiDefinition])[] {
  return Object.entries(server.apis ?? {}).map(([name, api]) => {
    const login = loginCommandOf(server).slice(1, -1);
    return [name, { ...api, loginCommand: `${login} ${name}` }];
  });
}
