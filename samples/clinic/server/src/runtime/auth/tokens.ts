/**
 * Cache of access tokens. A token is requested once, shared by concurrent calls, and kept until it
 * expires.
 */
import { resolveBaseUrl } from "../request/base-url.js";
import type { ApiContext, BoundRequest } from "../request/types.js";
import type { SecuritySchemeDefinition } from "../api-definition.js";
import type { ChosenScheme } from "./choice.js";
import { secretForms } from "./secrets.js";
import { type Grant, requestToken } from "./token-endpoint.js";
import type { AuthFailure, AuthOptions } from "./types.js";

type AccessTokenResult =
  | { readonly ok: true; readonly value: string; readonly secrets: readonly string[] }
  | AuthFailure;

interface CacheEntry {
  readonly token: Promise<AccessTokenResult>;
  /** The token, once it has arrived. */
  value?: string;
  /** Milliseconds since the epoch; infinite while the token is requested. */
  usableUntil: number;
}

/** Entries by grant. The configuration limits their number, so none is evicted. */
const tokenCache = new Map<string, CacheEntry>();

/** Refresh tokens that replaced configured ones. Most servers accept each only once. */
const rotatedRefreshTokens = new Map<string, string>();

/**
 * Gets the token of a scheme from the cache or the token endpoint. Rejects only if `options.signal`
 * is aborted.
 */
export async function getAccessToken(
  choice: ChosenScheme,
  scheme: OAuthScheme,
  context: ApiContext,
  options: AuthOptions,
): Promise<AccessTokenResult> {
  const grant = buildGrant(choice, scheme, context);
  const key = JSON.stringify(grant);
  const cached = tokenCache.get(key);
  const entry =
    cached !== undefined && cached.usableUntil > Date.now()
      ? cached
      : requestAndCache(key, grant, options.fetch ?? fetch);
  return raceWithAbort(entry.token, options.signal);
}

/**
 * Drops the token of a request that the API rejected with 401. Returns true if it was in the cache:
 * `authenticate` gets another one, so that the call can be repeated once.
 */
export function invalidateToken(request: BoundRequest): boolean {
  const [, authorization] = request.headers.find(([name]) => name === "Authorization") ?? [];
  const rejectedEntries = [...tokenCache].filter(
    ([, entry]) => entry.value !== undefined && authorization === `Bearer ${entry.value}`,
  );
  for (const [key] of rejectedEntries) tokenCache.delete(key);
  return rejectedEntries.length > 0;
}

export type OAuthScheme = Extract<SecuritySchemeDefinition, { kind: "oauth2" }>;

/**
 * A refresh token is good for the scopes it was granted; client credentials ask for those of the
 * operation.
 */
function buildGrant(choice: ChosenScheme, scheme: OAuthScheme, context: ApiContext): Grant {
  const { env } = context;
  const client = {
    ...tokenEndpoint(scheme, context),
    clientId: env[scheme.clientIdEnv ?? ""] ?? "",
    clientSecret: env[scheme.clientSecretEnv ?? ""] ?? "",
    variables: choice.variables,
  };
  const refreshToken = choice.variables.includes(scheme.refreshTokenEnv ?? "")
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
  const scope = (choice.scopes.length > 0 ? choice.scopes : (scheme.scopes ?? [])).join(" ");
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
 * The token endpoint: the configured one before that of the document. OpenAPI 3.2, "Relative
 * References in API URLs".
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
 * Starts a request and caches it at once, so that concurrent calls share it. Failures are not
 * cached.
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
 * Seconds for which a token is used: a minute less than its lifetime, or half of a lifetime below
 * two minutes.
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
