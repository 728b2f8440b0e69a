/** Stands in for the settings of callers that an authorization server knows, which are left out. */
import { leftOut } from "../../left-out.js";
import type { Env } from "../../request/types.js";
import type { CallerSettings } from "./caller-settings.js";

/** Sentence about the feature. */
export const callersProblem: string | undefined = leftOut("access tokens of callers", "oauth");

/** @param problems receives a sentence if one of the settings is present */
export function readCallerSettings(
  prefix: string,
  apiPrefixes: readonly string[],
  env: Env,
  problems: string[],
): CallerSettings {
  const names = [
    ...["HTTP_OAUTH_ISSUER", "HTTP_SIGN_IN_CLIENT_ID"].map((name) => `${prefix}_${name}`),
    ...apiPrefixes.map((own) => `${own}_TOKEN_EXCHANGE`),
  ];
  const set = names.filter((name) => env[name]?.trim());
  if (set.length > 0) problems.push(leftOut(`the access tokens of ${set.join(" and ")}`, "oauth"));
  return {};
}
