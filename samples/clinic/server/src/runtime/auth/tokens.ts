/**
 * Access tokens that are obtained rather than given: asked for once, kept until they expire, shared
 * by concurrent calls.
 */
import { resolveBaseUrl } from "../request/base-url.js";
import type { ApiContext, BoundRequest } from "../request/types.js";
import type { SecuritySchemeDefinition } from "../types.js";
import type { ChosenScheme } from "./choice.js";
import { secretForms } from "./secrets.js";
import { type Grant, requestToken } from "./token-endpoint.js";
import type { AuthFailure, AuthOptions } from "./types.js";

export type AccessTokenResult =
  | { readonly ok: true; readonly value: string; readonly secrets: readonly string[] }
  | AuthFailure;

interface CacheEntry {
  readonly token: Promise<AccessTokenResult>;
  /** The token, once it is here. */
  value?: string;
  /** Milliseconds since the epoch; never, while the token is awaited. */
  usableUntil: number;
}

/**
 * By everything that a token depends on. As many as there are grants in the configuration, so
 * nothing is evicted.
 */
const tokenCache = new Map<string, CacheEntry>();

/** Refresh tokens that replaced the configured ones: most servers accept each only once. */
const rotatedRefreshTokens = new Map<string, string>();

/**
 * The token for one scheme: a kept one, or one that is asked for now. Rejects only when
 * `options.signal` is aborted.
 */
export async function getAccessToken(
  chosen: ChosenScheme,
  scheme: OAuthScheme,
  context: ApiContext,
  options: AuthOptions,
): Promise<AccessTokenResult> {
  const grant = buildGrant(chosen, scheme, context);
  const key = JSON.stringify(grant);
  const known = tokenCache.get(key);
  const entry =
    known !== undefined && known.usableUntil > Date.now()
      ? known
      : requestAndCache(key, grant, options.fetch ?? fetch);
  return raceWithAbort(entry.token, options.signal);
}

/**
 * Drops the token that `request` carried, because the API answered 401 to it. True when it was
 * obtained here: `authenticate` will get another one, so that the call may be repeated once.
 */
export function invalidateToken(request: BoundRequest): boolean {
  const [, authorization] = request.headers.find(([name]) => name === "Authorization") ?? [];
  const rejected = [...tokenCache].filter(
    ([, entry]) => entry.value !== undefined && authorization === `Bearer ${entry.value}`,
  );
  for (const [key] of rejected) tokenCache.delete(key);
  return rejected.length > 0;
}

export type OAuthScheme = Extract<SecuritySchemeDefinition, { kind: "oauth2" }>;

/**
 * A refresh token is good for the scopes it was granted; client credentials ask for those of the
 * operation.
 */
function buildGrant(chosen: ChosenScheme, scheme: OAuthScheme, context: ApiContext): Grant {
  const { env } = context;
  const client = {
    ...tokenEndpoint(scheme, context),
    clientId: env[scheme.clientIdEnv ?? ""] ?? "",
    clientSecret: env[scheme.clientSecretEnv ?? ""] ?? "",
    variables: chosen.variables,
  };
  const refreshToken = chosen.variables.includes(scheme.refreshTokenEnv ?? "")
    ? env[scheme.refreshTokenEnv ?? ""]
    : undefined;
  const extraParameters = Object.fromEntries(
    new URLSearchParams(env[scheme.tokenParametersEnv ?? ""] ?? ""),
  );
  if (refreshToken !== undefined)
    return {
      ...client,
      parameters: { ...extraParameters, grant_type: "refresh_token", refresh_token: refreshToken },
    };
  const scope = (chosen.scopes.length > 0 ? chosen.scopes : (scheme.scopes ?? [])).join(" ");
  return {
    ...client,
    parameters: {
      ...extraParameters,
      grant_type: "client_credentials",
      ...(scope === "" ? {} : { scope }),
    },
  };
}

/**
 * The owner's token endpoint goes before that of the document. OpenAPI 3.2, "Relative References in
 * API URLs".
 */
function tokenEndpoint(
  { tokenUrl, tokenUrlEnv, discoveryUrl }: OAuthScheme,
  context: ApiContext,
): Pick<Grant, "tokenUrl" | "discoveryUrl"> {
  const url = context.env[tokenUrlEnv ?? ""]?.trim() || tokenUrl;
  if (url === undefined) return { tokenUrl: "", discoveryUrl };
  if (URL.canParse(url)) return { tokenUrl: url };
  const base = resolveBaseUrl(context.api.servers, context);
  return {
    tokenUrl: base.ok && URL.canParse(url, `${base.url}/`) ? new URL(url, `${base.url}/`).href : "",
  };
}

/**
 * Starts the request and enters it at once, so that calls in the meantime find it. A failure is not
 * kept.
 */
function requestAndCache(key: string, grant: Grant, send: typeof fetch): CacheEntry {
  const entry: CacheEntry = {
    token: Promise.resolve().then(() => exchangeGrant(key, grant, send, entry)),
    usableUntil: Infinity,
  };
  tokenCache.set(key, entry);
  return entry;
}

async function exchangeGrant(
  key: string,
  grant: Grant,
  send: typeof fetch,
  entry: CacheEntry,
): Promise<AccessTokenResult> {
  const refreshToken = rotatedRefreshTokens.get(key);
  const current =
    refreshToken === undefined
      ? grant
      : { ...grant, parameters: { ...grant.parameters, refresh_token: refreshToken } };
  const response = await requestToken(current, send);
  if (!response.ok) {
    tokenCache.delete(key);
    return response;
  }
  if (response.refreshToken !== undefined) rotatedRefreshTokens.set(key, response.refreshToken);
  entry.value = response.accessToken;
  entry.usableUntil = Date.now() + usableSeconds(response.expiresIn) * 1000;
  return {
    ok: true,
    value: response.accessToken,
    secrets: [grant.clientSecret, current.parameters["refresh_token"] ?? ""].flatMap(secretForms),
  };
}

/**
 * Seconds. A minute early, so that the token does not expire on its way; half its life if that is
 * shorter than two.
 */
function usableSeconds(lifetime: number): number {
  return Math.max(lifetime - 60, lifetime / 2);
}

async function raceWithAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", abort));
}
