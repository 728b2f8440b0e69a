import { chooseAlternative } from "../auth/choice.js";
import { resolveBaseUrl } from "../request/url.js";
import type { ServerContext } from "./context.js";

/** Variables by which callers use credentials of their own. */
const callerVariables = ["FORWARD_HEADERS", "TOKEN_EXCHANGE", "HTTP_SIGN_IN_CLIENT_ID"];

/**
 * Finds the settings without which most calls fail: base URL and credentials. The server starts
 * nevertheless, because some tools may need neither.
 * @returns a sentence for the person who starts the server; undefined if nothing is missing
 */
export function describeMissingSettings({ api, apiContext }: ServerContext): string | undefined {
  const missing: string[] = [];
  if (!resolveBaseUrl(api.servers, apiContext).ok)
    missing.push(`${api.envPrefix}_BASE_URL (base URL of the API)`);
  const credentials = chooseAlternative(api.security ?? [], apiContext);
  const callersHaveOwn = callerVariables.some((name) => apiContext.env[`${api.envPrefix}_${name}`]);
  if (!credentials.ok && credentials.missing && !callersHaveOwn)
    missing.push(`${listAlternatives(credentials.missing)} (credentials)`);
  if (missing.length === 0) return undefined;
  return `Not set: ${missing.join("; ")}. Most calls fail until they are set in .env or the environment.`;
}

function listAlternatives(alternatives: readonly string[]): string {
  if (alternatives.length === 1) return alternatives[0]!;
  const hasSets = alternatives.some((variables) => variables.includes(" "));
  return `one of ${alternatives.join(hasSets ? ", or " : " or ")}`;
}
