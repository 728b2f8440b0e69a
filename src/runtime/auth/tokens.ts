/**
 * Access tokens of OAuth 2.0: grants of the environment, exchanges of tokens of callers (RFC 8693),
 * and the cache of both.
 */
import { raceWithAbort } from "../data/abort.js";
import { canParseUrl } from "../data/urls.js";
import type { SecuritySchemeDefinition } from "../security-schemes.js";
import type { ApiContext, BoundRequest, CallerExchange } from "../request/types.js";
import { resolveBaseUrl } from "../request/base-url.js";
import { withStoreLock } from "../store/lock.js";
import { isStoreUnavailable, type Store } from "../store/types.js";
import {
  callerFailure,
  type ChosenScheme,
  temporaryAuthFailure,
  unsupportedCredentials,
} from "./requirements.js";
import { sha256 } from "../data/bytes.js";
import { secretForms } from "../response/secret-forms.js";
import { rememberToken, removeOldest } from "./recent-tokens.js";
import { type Grant, type Refusal, requestToken } from "./token-endpoint.js";
import type { AccessTokenResult, AuthContext, AuthFailure, AuthOptions } from "./types.js";

type OAuthScheme = Extract<SecuritySchemeDefinition, { kind: "oauth2" }>;

/**
 * Gets the token of a scheme from the cache or the token endpoint. Rejects only if `options.signal`
 * is aborted.
 */
export async function getAccessToken(
  choice: ChosenScheme,
  scheme: OAuthScheme,
  context: AuthContext,
  options: AuthOptions,
): Promise<AccessTokenResult> {
  const grant = buildGrant(choice, scheme, context);
  return getToken(JSON.stringify(grant), grant, context, options);
}

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
 * The token endpoint: the configured one, else the document's. OpenAPI 3.2, "Relative
 * References in API URLs".
 */
function tokenEndpoint(
  { tokenUrl, tokenUrlEnv, discoveryUrl }: OAuthScheme,
  context: ApiContext,
): Pick<Grant, "tokenUrl" | "discoveryUrl"> {
  const url = context.env[tokenUrlEnv ?? ""]?.trim() || tokenUrl;
  if (url === undefined) return { tokenUrl: "", discoveryUrl };
  if (canParseUrl(url)) return { tokenUrl: url };
  const base = resolveBaseUrl(context.api.servers, context);
  return {
    tokenUrl: base.ok && canParseUrl(url, `${base.url}/`) ? new URL(url, `${base.url}/`).href : "",
  };
}

const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

/**
 * Gets the token of the API for one caller, from the cache or the token endpoint. The key of the
 * cache has the hash of the caller's token. Rejects only if `options.signal` is aborted.
 */
export async function getExchangedToken(
  { scheme, scopes }: ChosenScheme,
  exchange: CallerExchange,
  context: AuthContext,
  options: AuthOptions,
): Promise<AccessTokenResult> {
  if (exchange.token === "")
    return callerFailure(
      "this caller has no access token to exchange: it did not sign in at the issuer",
    );
  const grant = exchangeGrant(scheme, scopes, exchange, context);
  const { parameters } = grant;
  const subject_token = await sha256(exchange.token);
  const key = JSON.stringify({ ...grant, parameters: { ...parameters, subject_token } });
  return getToken(key, grant, context, options);
}

function exchangeGrant(
  { kind }: SecuritySchemeDefinition,
  scopes: readonly string[],
  { token, settings }: CallerExchange,
  { api }: ApiContext,
): Grant {
  const { issuer, tokenUrl, clientId, clientSecret, fields } = settings;
  // "Roles" of other schemes are not scopes. OpenAPI 3.1.1, Security Requirement Object.
  const scope = fields["scope"] ?? (kind === "oauth2" ? scopes.join(" ") : "");
  const { scope: _, ...others } = fields;
  return {
    ...(tokenUrl === undefined ? { tokenUrl: "", issuer } : { tokenUrl }),
    clientId,
    clientSecret,
    parameters: {
      ...others,
      ...(scope !== "" && { scope }),
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      requested_token_type: ACCESS_TOKEN,
      subject_token: token,
      subject_token_type: ACCESS_TOKEN,
    },
    variables: [`${api.envPrefix}_TOKEN_EXCHANGE`],
    explainRefusal: (refusal) => explainRefusal(refusal, scope, api.envPrefix),
  };
}

/**
 * Names the part that the authorization server rejected. RFC 6749, section 5.2; RFC 8693, section
 * 2.2.2.
 */
function explainRefusal({ host, status, code }: Refusal, scope: string, prefix: string) {
  const variable = `${prefix}_TOKEN_EXCHANGE`;
  const cause = code === undefined ? `${status}` : `${status} ${code}`;
  const refuse = (what: string): string => `${host} refused ${what} (${cause})`;
  switch (code) {
    case "invalid_client":
      return serverFailure(refuse(`this server's client (${variable}_CLIENT_ID)`));
    case "unauthorized_client":
    case "unsupported_grant_type":
      return serverFailure(
        refuse(`to exchange tokens for this server's client (${variable}_CLIENT_ID)`),
      );
    case "invalid_target":
      return serverFailure(refuse(`the audience or resource of ${variable}`));
    case "invalid_scope":
      return callerFailure(refuse(`the scopes of this call (${scope}) for this caller`));
    case undefined:
      return serverFailure(refuse("the exchange of the caller's token"));
    default:
      return callerFailure(refuse("the caller's token"));
  }
}

/** A failure that the administrator of the server settles. */
function serverFailure(problem: string): AuthFailure {
  return unsupportedCredentials(`${problem}.`);
}

/** A token that concurrent calls with the same grant share until it expires. */
interface CacheEntry {
  readonly token: Promise<AccessTokenResult>;
  /** The token, once it has arrived. */
  value?: string;
  /** Milliseconds since the epoch; infinite while the token is requested. */
  usableUntil: number;
}

/** Entries by key of the grant, in the order of their last use. */
const tokenCache = new Map<string, CacheEntry>();

/** Tokens that were obtained, the latest last. */
const obtainedTokens = new Set<string>();

/** Tokens that an API rejected, the latest last. */
const rejectedTokens = new Set<string>();

/** Refresh tokens that replaced configured ones. Most servers accept each only once. */
const rotatedRefreshTokens = new Map<string, string>();

/**
 * Gets a token from the cache or the token endpoint. Rejects only if `options.signal` is aborted.
 * @param key everything that the token depends on
 */
async function getToken(
  key: string,
  grant: Grant,
  { platform, store }: AuthContext,
  options: AuthOptions,
): Promise<AccessTokenResult> {
  const send = options.fetch ?? platform?.fetch ?? fetch;
  const cached = tokenCache.get(key);
  const entry =
    cached !== undefined && cached.usableUntil > Date.now()
      ? cached
      : startRequest(key, grant, send, store);
  tokenCache.delete(key);
  tokenCache.set(key, entry);
  removeOldest(tokenCache);
  return raceWithAbort(entry.token, options.signal);
}

/**
 * Drops the token of a request that the API rejected with 401. Returns true if this server obtained
 * it, also if a concurrent call has replaced it: `authenticate` gets another one, so that the call
 * can be repeated once.
 */
export function invalidateCachedToken(request: BoundRequest): boolean {
  const [, authorization = ""] = request.headers.find(([name]) => name === "Authorization") ?? [];
  const token = authorization.replace(/^Bearer /, "");
  for (const [key, { value }] of tokenCache) {
    if (value === token) tokenCache.delete(key);
  }
  rememberToken(rejectedTokens, token);
  return obtainedTokens.has(token);
}

/** Starts a request, which concurrent calls share. Failures are not cached. */
function startRequest(
  key: string,
  grant: Grant,
  send: typeof fetch,
  store: Store | undefined,
): CacheEntry {
  const isRotating = grant.parameters["grant_type"] === "refresh_token";
  const request = async (): Promise<ObtainedToken | AuthFailure> =>
    store && isRotating
      ? obtainShared(store, key, grant, send).catch(unlessUnavailable)
      : obtainAlone(key, grant, send);
  const entry: CacheEntry = {
    token: Promise.resolve().then(() => complete(key, grant, request, entry)),
    usableUntil: Infinity,
  };
  return entry;
}

/** A token that was requested, and the refresh token for the next request. */
interface ObtainedToken {
  readonly ok: true;
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds since the epoch. */
  readonly usableUntil: number;
}

async function complete(
  key: string,
  grant: Grant,
  request: () => Promise<ObtainedToken | AuthFailure>,
  entry: CacheEntry,
): Promise<AccessTokenResult> {
  const obtained = await request();
  if (!obtained.ok) {
    if (tokenCache.get(key) === entry) tokenCache.delete(key);
    return obtained;
  }
  const { accessToken, refreshToken = "", usableUntil } = obtained;
  entry.value = accessToken;
  rememberToken(obtainedTokens, accessToken);
  entry.usableUntil = usableUntil;
  const { refresh_token: configured = "", subject_token: subject = "" } = grant.parameters;
  const secrets = [grant.clientSecret, configured, refreshToken, subject].flatMap(secretForms);
  return { ok: true, value: accessToken, secrets };
}

/** Requests a token. This process remembers a refresh token that replaces the one it sent. */
async function obtainAlone(
  key: string,
  grant: Grant,
  send: typeof fetch,
): Promise<ObtainedToken | AuthFailure> {
  const obtained = await obtain(grant, rotatedRefreshTokens.get(key), send);
  if (obtained.ok && obtained.refreshToken !== undefined)
    rotatedRefreshTokens.set(key, obtained.refreshToken);
  return obtained;
}

async function obtain(
  grant: Grant,
  rotated: string | undefined,
  send: typeof fetch,
): Promise<ObtainedToken | AuthFailure> {
  const { parameters } = grant;
  const current =
    rotated === undefined
      ? grant
      : { ...grant, parameters: { ...parameters, refresh_token: rotated } };
  const response = await requestToken(current, send);
  if (!response.ok) return response;
  const { accessToken, refreshToken: replacement, expiresIn } = response;
  const isRefresh = parameters["refresh_token"] !== undefined;
  const refreshToken = isRefresh ? (replacement ?? rotated) : undefined;
  return {
    ok: true,
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    usableUntil: Date.now() + usableSeconds(expiresIn) * 1000,
  };
}

/** Milliseconds for which a rotated refresh token is stored. */
const STORED_MS = 90 * 24 * 60 * 60_000;

/**
 * Gets a token by a refresh token that all processes use: the one that another process has
 * obtained, or a new one. One process at a time requests, because most refresh tokens are accepted
 * only once.
 */
async function obtainShared(
  store: Store,
  key: string,
  grant: Grant,
  send: typeof fetch,
): Promise<ObtainedToken | AuthFailure> {
  const name = JSON.stringify(["token", key]);
  return withStoreLock(store, name, async () => {
    const text = await store.get(name);
    const stored = text === undefined ? undefined : (JSON.parse(text) as ObtainedToken);
    const isUsable = stored && stored.usableUntil > Date.now();
    if (isUsable && !rejectedTokens.has(stored.accessToken)) return stored;
    const obtained = await obtain(grant, stored?.refreshToken, send);
    if (obtained.ok) await store.set(name, JSON.stringify(obtained), STORED_MS);
    return obtained;
  });
}

/** Without the store, the current refresh token is unknown; an old one could end the sign-in. */
function unlessUnavailable(error: unknown): AuthFailure {
  if (!isStoreUnavailable(error)) throw error;
  return temporaryAuthFailure("the store with the refresh token cannot be reached by this server");
}

/**
 * Seconds for which a token is used: a minute less than its lifetime, or half of a lifetime below
 * two minutes.
 */
function usableSeconds(lifetime: number): number {
  return Math.max(lifetime - 60, lifetime / 2);
}
