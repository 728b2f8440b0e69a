import { localhostAllowedHostnames, localhostAllowedOrigins } from "@modelcontextprotocol/server";
import type { ServerContext } from "../../server/context.js";
import type { Log } from "../../server/log.js";
import { type HttpSettings, readHttpSettings } from "./http-settings.js";
import {
  createTokenVerifier,
  resourceMetadata,
  type ResourceMetadata,
  type VerifyToken,
} from "./oauth-resource-server.js";

/** Access rules: authentication, hosts and origins, and forwarded headers. */
export interface Policy {
  /** Bearer tokens, of which a caller must present one. Empty: only `verify` decides. */
  readonly tokens: readonly string[];
  /** Verifies access tokens of an authorization server. */
  readonly verify?: VerifyToken;
  readonly metadata?: ResourceMetadata;
  readonly scopes: readonly string[];
  /**
   * Allowed host names of the server; `undefined` allows any. Prevents DNS rebinding, by which web
   * pages could reach a server on this machine.
   */
  readonly hosts?: readonly string[];
  /** Allowed host names of web pages. */
  readonly origins: readonly string[];
  readonly forwardHeaders: HttpSettings["forwardHeaders"];
  readonly log: Log;
}

type PolicyResult =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reachability of a server, and consent that is not in the environment. */
interface Exposure {
  /** Whether only this machine can reach the server. */
  readonly isLocal: boolean;
  readonly allowUnauthenticated: boolean;
  /** The flag or variable that allows access without authentication, for messages. */
  readonly optIn: string;
}

/**
 * Reads the access rules. Access is denied by default: other machines need a token, unless the
 * administrator allows open access.
 */
export function createPolicy(
  { api, apiContext, log }: ServerContext,
  { isLocal, allowUnauthenticated, optIn }: Exposure,
): PolicyResult {
  const result = readHttpSettings(api.envPrefix, apiContext.env);
  if (!result.ok) return result;
  const { settings } = result;
  const { tokens, oauth, allowedHosts, allowedOrigins, forwardHeaders } = settings;
  const isOpen = tokens.length === 0 && !oauth;
  if (isOpen && !isLocal && !allowUnauthenticated && !settings.allowUnauthenticated) {
    const variables = `${api.envPrefix}_HTTP_TOKEN or ${api.envPrefix}_HTTP_OAUTH_ISSUER`;
    const problem =
      `Refusing to serve other machines without authentication: set ${variables}, ` +
      `or allow it with ${optIn}.`;
    return { ok: false, problems: [problem] };
  }
  const namesHosts = isLocal || allowedHosts.length > 0;
  const policy: Policy = {
    tokens,
    ...(oauth && {
      verify: createTokenVerifier(oauth),
      metadata: resourceMetadata(oauth, api.title),
    }),
    scopes: oauth?.scopes ?? [],
    hosts: namesHosts
      ? [...localhostAllowedHostnames(), ...publicHostnames(oauth?.publicUrl), ...allowedHosts]
      : undefined,
    origins: [...localhostAllowedOrigins(), ...allowedOrigins],
    forwardHeaders,
    log,
  };
  return { ok: true, policy };
}

function publicHostnames(url: string | undefined): readonly string[] {
  return url === undefined ? [] : [new URL(url).hostname];
}
