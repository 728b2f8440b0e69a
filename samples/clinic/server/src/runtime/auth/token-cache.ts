/**
 * Cache of access tokens. A token is requested once, shared by concurrent calls with the same grant,
 * and kept until it expires.
 */
import type { BoundRequest } from "../request/types.js";
import { secretForms } from "./secrets.js";
import { type Grant, requestToken } from "./token-endpoint.js";
import type { AuthFailure, AuthOptions } from "./types.js";

export type AccessTokenResult =
  | { readonly ok: true; readonly value: string; readonly secrets: readonly string[] }
  | AuthFailure;

interface CacheEntry {
  readonly token: Promise<AccessTokenResult>;
  /** The token, once it has arrived. */
  value?: string;
  /** Milliseconds since the epoch; infinite while the token is requested. */
  usableUntil: number;
}

/** Maximum number of tokens. The one that was not used for the longest time makes room. */
const MAX_ENTRIES = 2_000;

/** Entries by key of the grant, in the order of their last use. */
const tokenCache = new Map<string, CacheEntry>();

/** Tokens that were obtained, the latest last. */
const obtainedTokens = new Set<string>();

/** Refresh tokens that replaced configured ones. Most servers accept each only once. */
const rotatedRefreshTokens = new Map<string, string>();

/**
 * Gets a token from the cache or the token endpoint. Rejects only if `options.signal` is aborted.
 * @param key everything that the token depends on
 */
export async function getToken(
  key: string,
  grant: Grant,
  options: AuthOptions,
): Promise<AccessTokenResult> {
  const cached = tokenCache.get(key);
  const entry =
    cached !== undefined && cached.usableUntil > Date.now()
      ? cached
      : startRequest(key, grant, options.fetch ?? fetch);
  tokenCache.delete(key);
  tokenCache.set(key, entry);
  trim(tokenCache);
  return raceWithAbort(entry.token, options.signal);
}

/**
 * Drops the token of a request that the API rejected with 401. Returns true if this server obtained
 * it, also if a concurrent call has replaced it: `authenticate` gets another one, so that the call
 * can be repeated once.
 */
export function invalidateToken(request: BoundRequest): boolean {
  const [, authorization = ""] = request.headers.find(([name]) => name === "Authorization") ?? [];
  const token = authorization.replace(/^Bearer /, "");
  for (const [key, { value }] of tokenCache) {
    if (value === token) tokenCache.delete(key);
  }
  return obtainedTokens.has(token);
}

/** Removes the oldest entries above the maximum. */
function trim(entries: Map<string, unknown> | Set<string>): void {
  for (const key of entries.keys()) {
    if (entries.size <= MAX_ENTRIES) return;
    entries.delete(key);
  }
}

/** Starts a request, which concurrent calls share. Failures are not cached. */
function startRequest(key: string, grant: Grant, send: typeof fetch): CacheEntry {
  const entry: CacheEntry = {
    token: Promise.resolve().then(() => complete(key, grant, send, entry)),
    usableUntil: Infinity,
  };
  return entry;
}

async function complete(
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
    if (tokenCache.get(key) === entry) tokenCache.delete(key);
    return response;
  }
  const { refresh_token: sent, subject_token: subject } = current.parameters;
  if (sent !== undefined && response.refreshToken !== undefined)
    rotatedRefreshTokens.set(key, response.refreshToken);
  entry.value = response.accessToken;
  obtainedTokens.add(response.accessToken);
  trim(obtainedTokens);
  entry.usableUntil = Date.now() + usableSeconds(response.expiresIn) * 1000;
  return {
    ok: true,
    value: response.accessToken,
    secrets: [grant.clientSecret, sent ?? "", subject ?? ""].flatMap(secretForms),
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
