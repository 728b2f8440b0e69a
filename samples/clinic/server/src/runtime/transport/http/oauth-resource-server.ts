import type { JWTPayload, JWTVerifyGetKey } from "jose";
import { createRateLimiter } from "../../server/rate-limiter.js";
import { isLocalOrHttps, type OAuthSettings } from "./http-settings.js";
import type { Policy } from "./policy.js";
import { jsonReply, type Reply } from "./reply.js";

/** What a token is worth: enough, not (and why, for the client), or nobody can tell now. */
export type TokenVerdict =
  /** `subject`: whose it is. */
  | { readonly kind: "granted"; readonly subject: string }
  | { readonly kind: "invalid" | "insufficient" | "unknown"; readonly reason: string };

export type VerifyToken = (token: string) => Promise<TokenVerdict>;

/** Seconds that clocks may differ. */
const clockTolerance = 30;
/** Tokens with keys that nobody knows make the keys be read again, so many times a minute. */
const keyReloadsPerMinute = 10;
const maxTokenLength = 16 * 1024;

/**
 * Checks access tokens: JWTs of one issuer for this server, signed with one of its published keys.
 * The keys are kept for ten minutes, and read again when a token names one that is not among them.
 * RFC 9068, section 4; RFC 8725.
 */
export function createTokenVerifier(settings: OAuthSettings): VerifyToken {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  const load = (): Promise<JWTVerifyGetKey> => {
    const loading = loadKeys(settings);
    // The issuer may be there the next time.
    loading.catch(() => (keys = undefined));
    return loading;
  };
  return async (token) => {
    if (token.length > maxTokenLength) return { kind: "invalid", reason: "The token is too long." };
    try {
      const payload = await verifyToken(token, await (keys ??= load()), settings);
      return hasRequiredScopes(payload, settings)
        ? { kind: "granted", subject: readSubject(payload) ?? token }
        : { kind: "insufficient", reason: "The token lacks a scope that this server requires." };
    } catch (error) {
      return toVerdict(error);
    }
  };
}

/** `jose` is loaded here: servers without OAuth never need it. */
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

/** A broader scope does for a narrower one: which do, is for the owner to say. */
function hasRequiredScopes(payload: JWTPayload, { scopes, broaderScopes }: OAuthSettings): boolean {
  const granted = readScopes(payload);
  return scopes.every((scope) =>
    [scope, ...(broaderScopes.get(scope) ?? [])].some((sufficient) => granted.includes(sufficient)),
  );
}

/** RFC 9068, section 2.2: the user, or the client that acts for itself. */
function readSubject({ sub, client_id }: JWTPayload): string | undefined {
  return [sub, client_id].find((claim) => typeof claim === "string");
}

/** RFC 8693, section 4.2 (`scope`), and what Entra and Okta write (`scp`). */
function readScopes({ scope, scp }: JWTPayload): readonly unknown[] {
  return [scope, scp].flatMap((claim) =>
    typeof claim === "string"
      ? claim.split(" ")
      : Array.isArray(claim)
        ? (claim as readonly unknown[])
        : [],
  );
}

async function loadKeys(settings: OAuthSettings): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet } = await import("jose/jwks/remote");
  const remote = createRemoteJWKSet(
    new URL(settings.jwksUrl ?? (await discoverKeys(settings.issuer))),
    { cooldownDuration: Infinity },
  );
  const reloads = createRateLimiter(keyReloadsPerMinute);
  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (error) {
      if (errorCode(error) !== "ERR_JWKS_NO_MATCHING_KEY" || reloads.take() > 0) throw error;
      await remote.reload();
      return remote(header, token);
    }
  };
}

/**
 * The address of the issuer's keys, from its metadata: that of OAuth 2.0 (RFC 8414, section 3.1),
 * else that of OpenID Connect.
 */
async function discoverKeys(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  for (const metadataPath of [
    `/.well-known/oauth-authorization-server${path}`,
    `${path}/.well-known/openid-configuration`,
  ]) {
    const metadata = await readMetadata(new URL(metadataPath, origin));
    // RFC 8414, section 3.3: metadata of somebody else must not be used.
    const keys = metadata?.["issuer"] === issuer ? metadata["jwks_uri"] : undefined;
    if (typeof keys === "string" && isLocalOrHttps(keys)) return keys;
  }
  throw new Error(`${issuer} publishes no metadata that names its keys`);
}

async function readMetadata(url: URL): Promise<Readonly<Record<string, unknown>> | undefined> {
  const response = await fetch(url, {
    headers: { Accept: "application/json" },
    redirect: "manual",
    signal: AbortSignal.timeout(5000),
  });
  const isJson =
    response.status === 200 && Number(response.headers.get("content-length") ?? 0) < 1_000_000;
  const value: unknown = isJson
    ? await response.json().catch(() => undefined)
    : await response.body?.cancel();
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)
    : undefined;
}

/**
 * What is wrong with the token itself. Everything else, such as keys that cannot be read, says
 * nothing about it.
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
  ["ERR_JOSE_ALG_NOT_ALLOWED", "The token is signed in a way that is not allowed."],
  ["ERR_JOSE_NOT_SUPPORTED", "The token is signed in a way that is not supported."],
  ["ERR_JWS_INVALID", "The token is malformed."],
  ["ERR_JWT_INVALID", "The token is malformed."],
]);

function toVerdict(error: unknown): TokenVerdict {
  const why = tokenErrors.get(errorCode(error));
  if (why !== undefined) return { kind: "invalid", reason: why };
  return { kind: "unknown", reason: error instanceof Error ? error.message : "" };
}

function errorCode(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

/** How clients learn where to get a token for this server. RFC 9728. */
export interface ResourceMetadata {
  /**
   * Where clients find it. Section 3.1: the well-known path goes before the path of the resource.
   */
  readonly url: string;
  readonly document: object;
}

const wellKnownPath = "/.well-known/oauth-protected-resource";

export function resourceMetadata(
  { issuer, publicUrl, scopes }: OAuthSettings,
  title: string,
): ResourceMetadata {
  const { origin, pathname } = new URL(publicUrl);
  return {
    url: `${origin}${wellKnownPath}${pathname.replace(/\/$/, "")}`,
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
 * The metadata, at its place and, for clients that only look there, without the path of the
 * resource. Public: any page may read it.
 */
export function metadataReply(
  path: string,
  { metadata }: Pick<Policy, "metadata">,
): Reply | undefined {
  if (!metadata || (path !== wellKnownPath && path !== new URL(metadata.url).pathname))
    return undefined;
  return jsonReply(200, metadata.document, {
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "mcp-protocol-version",
    "cache-control": "max-age=3600",
  });
}
