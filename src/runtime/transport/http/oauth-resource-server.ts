/** The server as an OAuth resource server: access tokens, its metadata, and scopes of tools. */
import { getOAuthProtectedResourceMetadataUrl } from "@modelcontextprotocol/server";
import type { JWTPayload, JWTVerifyGetKey } from "jose";
import { findEndpoint } from "../../auth/token-endpoint.js";
import type { Caller } from "../../auth/types.js";
import { findMissingPermission, type MissingPermission } from "../../call/select-operation.js";
import { createRateLimiter } from "../../client/rate-limiter.js";
import { isObject } from "../../data/values.js";
import { isModernRevision } from "../../protocol/messages.js";
import type { ServerContext } from "../../server/context.js";
import type { PermittedTools } from "../../tools/selection.js";
import type { OAuthSettings } from "./caller-settings.js";
import {
  challenge,
  type OAuthRules,
  type ResourceMetadata,
  type TokenVerdict,
  type VerifyToken,
} from "./challenge.js";
import { jsonReply, type Reply } from "./messages.js";

interface IssuerKeys {
  readonly get: JWTVerifyGetKey;
  /** Loads the keys, unless they are known. */
  load(): Promise<void>;
}

/** Tolerated difference of clocks in seconds. */
const clockTolerance = 30;
/**
 * Maximum reloads of the keys per minute, which tokens with unknown keys cause. Reloads replace the
 * keys for all tokens, so that a flood of unknown keys delays rotated ones by at most six seconds.
 */
const keyReloadsPerMinute = 10;
const maxTokenLength = 16 * 1024;

/**
 * Creates a verifier of access tokens: JWTs that one issuer signed for this server. The keys are
 * cached for ten minutes and reloaded when a token names an unknown key. RFC 9068, section 4; RFC
 * 8725.
 * @param send sends requests to the issuer
 */
function createTokenVerifier(settings: OAuthSettings, send: typeof fetch = fetch): VerifyToken {
  let keys: Promise<IssuerKeys> | undefined;
  const load = (): Promise<IssuerKeys> => {
    const loading = loadKeys(settings, send);
    // A failure is not cached.
    loading.catch(() => (keys = undefined));
    return loading;
  };
  const verify = async (token: string): Promise<TokenVerdict> => {
    if (token.length > maxTokenLength) return { kind: "invalid", reason: "The token is too long." };
    try {
      const payload = await verifyToken(token, (await (keys ??= load())).get, settings);
      const scopes = withNarrowerScopes(readScopes(payload), settings);
      return settings.scopes.every((scope) => scopes.includes(scope))
        ? { kind: "granted", subject: readSubject(payload) ?? token, user: payload.sub, scopes }
        : { kind: "insufficient", reason: "The token lacks a scope that this server requires." };
    } catch (error) {
      return toVerdict(error);
    }
  };
  const hasKeys = async (): Promise<boolean> => {
    await (await (keys ??= load())).load();
    return true;
  };
  return Object.assign(verify, { hasKeys });
}

/** Verifies signature and claims. `jose` is imported dynamically, for servers with OAuth only. */
async function verifyToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audiences, algorithms }: OAuthSettings,
): Promise<JWTPayload> {
  const { jwtVerify } = await import("jose/jwt/verify");
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience: [...audiences],
    algorithms: [...algorithms],
    clockTolerance,
    requiredClaims: ["exp", "aud", "iss"],
  });
  return payload;
}

/** Adds the scopes for which a token has a configured broader one. */
function withNarrowerScopes(
  granted: readonly string[],
  { broaderScopes }: OAuthSettings,
): readonly string[] {
  const implied = [...broaderScopes].flatMap(([scope, broader]) =>
    broader.some((sufficient) => granted.includes(sufficient)) ? [scope] : [],
  );
  return [...new Set([...granted, ...implied])];
}

/**
 * The user, or the client that acts for itself, which may have the name of a user. RFC 9068,
 * sections 2.2 and 5.
 */
function readSubject({ sub, client_id }: JWTPayload): string | undefined {
  if (typeof sub === "string") return `user ${sub}`;
  return typeof client_id === "string" ? `client ${client_id}` : undefined;
}

/** The scopes of a token: `scope` (RFC 8693, section 4.2), or `scp` of Entra and Okta. */
function readScopes({ scope, scp }: JWTPayload): readonly string[] {
  return [scope, scp].flatMap((claim: unknown) => {
    if (typeof claim === "string") return claim.split(" ").filter(Boolean);
    return Array.isArray(claim) ? claim.filter((part) => typeof part === "string") : [];
  });
}

async function loadKeys(settings: OAuthSettings, send: typeof fetch): Promise<IssuerKeys> {
  const { createRemoteJWKSet, customFetch } = await import("jose/jwks/remote");
  const url = new URL(settings.jwksUrl ?? (await discoverKeys(settings.issuer, send)));
  const remote = createRemoteJWKSet(url, { cooldownDuration: Infinity, [customFetch]: send });
  const reloads = createRateLimiter({ perMinute: keyReloadsPerMinute });
  const get: JWTVerifyGetKey = async (header, token) => {
    try {
      return await remote(header, token);
    } catch (error) {
      if (errorCode(error) !== "ERR_JWKS_NO_MATCHING_KEY") throw error;
      // Tokens that arrive during a reload share it, and the permit that it took.
      if (!remote.reloading && reloads.take() !== undefined) throw error;
      await remote.reload();
      return remote(header, token);
    }
  };
  return { get, load: async () => void (remote.jwks() ?? (await remote.reload())) };
}

async function discoverKeys(issuer: string, send: typeof fetch): Promise<string> {
  const keys = await findEndpoint(issuer, "jwks_uri", send);
  if (keys !== undefined) return keys;
  throw new Error(`${issuer} publishes no metadata that names its keys`);
}

/**
 * Messages for errors of the token itself. Any other error, such as unreachable keys, is not
 * evidence about the token.
 */
const tokenErrors: ReadonlyMap<string, string> = new Map([
  ["ERR_JWT_EXPIRED", "The token has expired."],
  [
    "ERR_JWT_CLAIM_VALIDATION_FAILED",
    "The token is not from the issuer that this server trusts, not for this server, or not valid now.",
  ],
  ["ERR_JWS_SIGNATURE_VERIFICATION_FAILED", "The signature of the token is wrong."],
  ["ERR_JWKS_NO_MATCHING_KEY", "The token is signed with an unknown key."],
  ["ERR_JWKS_MULTIPLE_MATCHING_KEYS", "The token does not say which key it is signed with."],
  ["ERR_JOSE_ALG_NOT_ALLOWED", "The signature algorithm of the token is not allowed."],
  ["ERR_JOSE_NOT_SUPPORTED", "The signature algorithm of the token is not supported."],
  ["ERR_JWS_INVALID", "The token is malformed."],
  ["ERR_JWT_INVALID", "The token is malformed."],
]);

function toVerdict(error: unknown): TokenVerdict {
  const reason = tokenErrors.get(errorCode(error));
  if (reason !== undefined) return { kind: "invalid", reason };
  return { kind: "unknown", reason: error instanceof Error ? error.message : "" };
}

function errorCode(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

const wellKnownPath = "/.well-known/oauth-protected-resource";

/**
 * The metadata of the server as a protected resource. RFC 9728, section 2.
 * @param title title of the API
 */
function resourceMetadata(
  { issuer, publicUrl, scopes }: OAuthSettings,
  title: string,
): ResourceMetadata {
  return {
    url: getOAuthProtectedResourceMetadataUrl(new URL(publicUrl)),
    document: {
      resource: publicUrl,
      authorization_servers: [issuer],
      ...(scopes.length > 0 && { scopes_supported: scopes }),
      bearer_methods_supported: ["header"],
      resource_name: title,
    },
  };
}

/**
 * Serves the metadata at its path, and at the bare well-known path, which some clients try first.
 * Any page may read it.
 */
export function metadataReply(
  path: string,
  { metadata }: Pick<OAuthRules, "metadata">,
): Reply | undefined {
  const paths = metadata ? [wellKnownPath, new URL(metadata.url).pathname] : [];
  if (!metadata || !paths.includes(path)) return undefined;
  return jsonReply(200, metadata.document, {
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "mcp-protocol-version",
    "cache-control": "max-age=3600",
  });
}

/**
 * Access rules of a server whose callers an authorization server knows.
 * @param title title of the API
 */
export function oauthRules(
  settings: OAuthSettings,
  title: string,
  send: typeof fetch | undefined,
): OAuthRules {
  return {
    verify: createTokenVerifier(settings, send),
    issuer: settings.issuer,
    metadata: resourceMetadata(settings, title),
    scopes: settings.scopes,
    toolScopes: settings.toolScopes,
  };
}

/** The tools for a caller; undefined if its scopes do not limit them. */
export function permittedTools(
  { selectPermitted }: Pick<ServerContext, "selectPermitted">,
  { toolScopes }: Pick<OAuthRules, "toolScopes">,
  { scopes }: Caller,
): PermittedTools | undefined {
  if (toolScopes === "never" || !scopes) return undefined;
  return selectPermitted(scopes, toolScopes === "always");
}

/**
 * The challenge for calls that need more scopes than their caller has. Clients then ask their user
 * for them. MCP 2025-11-25 and 2026-07-28, Authorization, "Scope Challenge Handling".
 * @param message a request, or several
 * @param revision value of the `MCP-Protocol-Version` header
 */
export function scopeChallenge(
  server: ServerContext,
  policy: OAuthRules,
  caller: Caller,
  { message, revision }: { readonly message: unknown; readonly revision: string | undefined },
): Reply | undefined {
  const permitted = permittedTools(server, policy, caller);
  if (!permitted) return undefined;
  const granted = permitted.grantedScopes;
  for (const request of [message].flat()) {
    const missing = missingPermission(server, request, granted);
    if (!missing) continue;
    // Clients before 2026-07-28 replace the scopes of their token instead of adding to them.
    const held = isModernRevision(revision) ? [] : granted;
    const scopes = [...new Set([...policy.scopes, ...held, ...missing.scopes])];
    return challenge({ ...policy, scopes }, 403, missing.message, "insufficient_scope");
  }
  return undefined;
}

function missingPermission(
  server: ServerContext,
  request: unknown,
  granted: ReadonlySet<string>,
): MissingPermission | undefined {
  const params = isObject(request) && request["method"] === "tools/call" && request["params"];
  if (!isObject(params)) return undefined;
  const { name, arguments: args } = params;
  const tool = typeof name === "string" ? server.tools.lookUp(name) : undefined;
  return tool && findMissingPermission(server, tool, args, granted);
}
