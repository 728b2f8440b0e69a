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

/** Who may call, and what of their requests goes further. */
export interface Policy {
  /** Bearer tokens of which one is wanted; none: only what `verify` says counts. */
  readonly tokens: readonly string[];
  /** Checks access tokens of an authorization server. */
  readonly verify?: VerifyToken;
  readonly metadata?: ResourceMetadata;
  readonly scopes: readonly string[];
  /**
   * Host names that the server may be called by; `undefined`: any. Keeps web pages from reaching a
   * server on this machine by DNS rebinding.
   */
  readonly hosts?: readonly string[];
  /** Host names of the pages that may call. */
  readonly origins: readonly string[];
  readonly forwardHeaders: HttpSettings["forwardHeaders"];
  readonly log: Log;
}

export type PolicyResult =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * From where a server can be reached, and what its owner said about that elsewhere than in the
 * environment.
 */
export interface Exposure {
  /** Only this machine can reach it. */
  readonly isLocal: boolean;
  readonly allowUnauthenticated: boolean;
  /** How somebody who starts it says that anybody may call. */
  readonly optIn: string;
}

/**
 * Reads who may call. Nobody is let in by accident: others than this machine need a token, or
 * somebody's word that they do not.
 */
export function createPolicy(
  { api, apiContext: context, log }: ServerContext,
  { isLocal, allowUnauthenticated, optIn: consent }: Exposure,
): PolicyResult {
  const read = readHttpSettings(api.envPrefix, context.env);
  if (!read.ok) return read;
  const { settings } = read;
  const { tokens, oauth, allowedHosts, allowedOrigins, forwardHeaders } = settings;
  const isOpen = tokens.length === 0 && !oauth;
  if (isOpen && !isLocal && !allowUnauthenticated && !settings.allowUnauthenticated) {
    return {
      ok: false,
      problems: [
        `Refusing to serve other machines without authentication: set ${api.envPrefix}_HTTP_TOKEN or ${api.envPrefix}_HTTP_OAUTH_ISSUER, or say ${consent}.`,
      ],
    };
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
