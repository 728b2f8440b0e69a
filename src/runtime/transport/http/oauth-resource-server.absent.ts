/** Stands in for the OAuth resource server, which is left out. */
import type { Caller } from "../../auth/types.js";
import type { ServerContext } from "../../server/context.js";
import type { PermittedTools } from "../../tools/selection.js";
import type { OAuthSettings } from "./caller-settings.js";
import type { OAuthRules } from "./challenge.js";
import type { Reply } from "./messages.js";

/** No tokens are verified: there are no such settings. */
export function oauthRules(
  _settings: OAuthSettings,
  _title: string,
  _send: typeof fetch | undefined,
): OAuthRules {
  return { scopes: [], toolScopes: "never" };
}

/** The server has no metadata. */
export function metadataReply(
  _path: string,
  _rules: Pick<OAuthRules, "metadata">,
): Reply | undefined {
  return undefined;
}

/** No scopes limit the tools. */
export function permittedTools(
  _server: Pick<ServerContext, "selectPermitted">,
  _rules: Pick<OAuthRules, "toolScopes">,
  _caller: Caller,
): PermittedTools | undefined {
  return undefined;
}

/** No call needs scopes. */
export function scopeChallenge(
  _server: ServerContext,
  _rules: OAuthRules,
  _caller: Caller,
  _request: { readonly message: unknown; readonly revision: string | undefined },
): Reply | undefined {
  return undefined;
}
