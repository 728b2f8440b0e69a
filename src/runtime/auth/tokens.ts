/**
 * Access tokens that are obtained rather than given: asked for once, kept until they expire, shared
 * by concurrent calls.
 */
import { baseUrl } from "../base-url.js";
import type { ApiContext, BoundRequest } from "../bind/types.js";
import type { SecuritySchemeDefinition } from "../types.js";
import type { ChosenScheme } from "./choose.js";
import type { AuthOptions } from "./index.js";
import type { Refusal } from "./refusal.js";
import { formsOf } from "./secrets.js";
import { requestToken, type Grant } from "./token-endpoint.js";

export type AccessToken =
  | { readonly ok: true; readonly value: string; readonly secrets: readonly string[] }
  | Refusal;

interface Entry {
  readonly token: Promise<AccessToken>;
  /** The token, once it is here. */
  value?: string;
  /** Milliseconds since the epoch; never, while the token is awaited. */
  usableUntil: number;
}

/**
 * By everything that a token depends on. As many as there are grants in the configuration, so
 * nothing is evicted.
 */
const entries = new Map<string, Entry>();

/** Refresh tokens that replaced the configured ones: most servers accept each only once. */
const rotated = new Map<string, string>();

/**
 * The token for one scheme: a kept one, or one that is asked for now. Rejects only when
 * `options.signal` is aborted.
 */
export async function accessToken(
  chosen: ChosenScheme,
  scheme: OAuthScheme,
  context: ApiContext,
  options: AuthOptions,
): Promise<AccessToken> {
  const grant = grantOf(chosen, scheme, context);
  const key = JSON.stringify(grant);
  const known = entries.get(key);
  const entry =
    known !== undefined && known.usableUntil > Date.now()
      ? known
      : obtain(key, grant, options.fetch ?? fetch);
  return unlessAborted(entry.token, options.signal);
}

/**
 * Drops the token that `request` carried, because the API answered 401 to it. True when it was
 * obtained here: `authenticate` will get another one, so that the call may be repeated once.
 */
export function forgetToken(request: BoundRequest): boolean {
  const [, authorization] = request.headers.find(([name]) => name === "Authorization") ?? [];
  const refused = [...entries].filter(
    ([, entry]) => entry.value !== undefined && authorization === `Bearer ${entry.value}`,
  );
  for (const [key] of refused) entries.delete(key);
  return refused.length > 0;
}

export type OAuthScheme = Extract<SecuritySchemeDefinition, { kind: "oauth2" }>;

/**
 * A refresh token is good for the scopes it was granted; client credentials ask for those of the
 * operation.
 */
function grantOf(chosen: ChosenScheme, scheme: OAuthScheme, context: ApiContext): Grant {
  const { env } = context;
  const client = {
    ...endpointOf(scheme, context),
    clientId: env[scheme.clientIdEnv ?? ""] ?? "",
    clientSecret: env[scheme.clientSecretEnv ?? ""] ?? "",
    variables: chosen.variables,
  };
  const refreshToken = chosen.variables.includes(scheme.refreshTokenEnv ?? "")
    ? env[scheme.refreshTokenEnv ?? ""]
    : undefined;
  const more = Object.fromEntries(new URLSearchParams(env[scheme.tokenParametersEnv ?? ""] ?? ""));
  if (refreshToken !== undefined)
    return {
      ...client,
      parameters: { ...more, grant_type: "refresh_token", refresh_token: refreshToken },
    };
  const scope = (chosen.scopes.length > 0 ? chosen.scopes : (scheme.scopes ?? [])).join(" ");
  return {
    ...client,
    parameters: { ...more, grant_type: "client_credentials", ...(scope === "" ? {} : { scope }) },
  };
}

/**
 * The owner's token endpoint goes before that of the document. OpenAPI 3.2, "Relative References in
 * API URLs".
 */
function endpointOf(
  { tokenUrl, tokenUrlEnv, discoveryUrl }: OAuthScheme,
  context: ApiContext,
): Pick<Grant, "tokenUrl" | "discoveryUrl"> {
  const url = context.env[tokenUrlEnv ?? ""]?.trim() || tokenUrl;
  if (url === undefined) return { tokenUrl: "", discoveryUrl };
  if (URL.canParse(url)) return { tokenUrl: url };
  const base = baseUrl(context.api.servers, context);
  return {
    tokenUrl: base.ok && URL.canParse(url, `${base.url}/`) ? new URL(url, `${base.url}/`).href : "",
  };
}

/**
 * Starts the request and enters it at once, so that calls in the meantime find it. A failure is not
 * kept.
 */
function obtain(key: string, grant: Grant, send: typeof fetch): Entry {
  const entry: Entry = {
    token: Promise.resolve().then(() => exchange(key, grant, send, entry)),
    usableUntil: Infinity,
  };
  entries.set(key, entry);
  return entry;
}

async function exchange(
  key: string,
  grant: Grant,
  send: typeof fetch,
  entry: Entry,
): Promise<AccessToken> {
  const newest = rotated.get(key);
  const current =
    newest === undefined
      ? grant
      : { ...grant, parameters: { ...grant.parameters, refresh_token: newest } };
  const answer = await requestToken(current, send);
  if (!answer.ok) {
    entries.delete(key);
    return answer;
  }
  if (answer.refreshToken !== undefined) rotated.set(key, answer.refreshToken);
  entry.value = answer.accessToken;
  entry.usableUntil = Date.now() + usableFor(answer.expiresIn) * 1000;
  return {
    ok: true,
    value: answer.accessToken,
    secrets: [grant.clientSecret, current.parameters["refresh_token"] ?? ""].flatMap(formsOf),
  };
}

/**
 * Seconds. A minute early, so that the token does not expire on its way; half its life if that is
 * shorter than two.
 */
function usableFor(lifetime: number): number {
  return Math.max(lifetime - 60, lifetime / 2);
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", abort));
}
