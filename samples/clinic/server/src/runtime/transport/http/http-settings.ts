/** Settings of the HTTP transport, from the environment. */
import { isLocalOrHttps } from "../../auth/token-endpoint.js";
import type { ApiDefinition } from "../../api-definition.js";
import type { Env, TokenExchangeSettings } from "../../request/types.js";
import { readArray, readBoolean } from "../../server/settings.js";
import {
  type CallerSignInSettings,
  readCallerSignIn,
  readExchangeSettings,
} from "./caller-credentials.js";

/** Settings of the HTTP transport; see `readHttpSettings` for the variables. */
export interface HttpSettings {
  /**
   * Bearer tokens, of which clients must present one. Empty: no authentication, unless `oauth` is
   * set.
   */
  readonly tokens: readonly string[];
  /** Accepts access tokens of an authorization server. */
  readonly oauth?: OAuthSettings;
  /** Allows access without authentication. */
  readonly allowUnauthenticated: boolean;
  /** Allowed host names in `Host`, in addition to those of this machine. */
  readonly allowedHosts: readonly string[];
  /** Allowed origins of pages, `https://app.example.com`, in addition to those of this machine. */
  readonly allowedOrigins: readonly string[];
  /**
   * Headers of clients that are forwarded to the API: the name in the request to the API, by the
   * client's name in lower case.
   */
  readonly forwardHeaders: ReadonlyMap<string, string>;
  /** The same for each API of a server of several, by its name. */
  readonly forwardHeadersOfApis?: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Header by which a proxy names the caller, in lower case. */
  readonly callerHeader?: string;
  /** Addresses and networks of the proxies that may send it. */
  readonly trustedProxies: readonly string[];
  /** Exchanges the tokens of callers for those of the API. */
  readonly exchange?: TokenExchangeSettings;
  /** Lets each caller consent in a browser. */
  readonly signIn?: CallerSignInSettings;
}

/** The server as an OAuth 2.0 protected resource. RFC 9728. */
export interface OAuthSettings {
  /** Issuer identifier, compared with `iss` character by character. */
  readonly issuer: string;
  /** Public address of this server: the `resource` of its metadata. */
  readonly publicUrl: string;
  /** Accepted audiences; `aud` of a token must contain one of them. */
  readonly audiences: readonly string[];
  /** Address of the keys. Found through the issuer's metadata by default. */
  readonly jwksUrl?: string;
  /** Required scopes. A broader scope satisfies a narrower one. */
  readonly scopes: readonly string[];
  /** Broader scopes by narrower scope. */
  readonly broaderScopes: ReadonlyMap<string, readonly string[]>;
  /**
   * Callers whose scopes limit the tools: those with a scope that the API knows (`auto`), all or
   * none.
   */
  readonly toolScopes: ToolScopes;
  readonly algorithms: readonly string[];
}

const toolScopesModes = ["auto", "always", "never"] as const;
export type ToolScopes = (typeof toolScopesModes)[number];

type HttpSettingsResult =
  | { readonly ok: true; readonly settings: HttpSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Asymmetric signature algorithms. With HMAC, every verifier could sign tokens; `none` is not a
 * signature. RFC 8725, section 3.1.
 */
const safeAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** Reads the settings of the HTTP transport. Each invalid setting is a problem, as a sentence. */
export function readHttpSettings(
  prefix: string,
  env: Env,
  apis: ApiDefinition["apis"] = undefined,
): HttpSettingsResult {
  const problems: string[] = [...findSharedCredentials(prefix, apis, env)];
  const oauth = readOAuthSettings(prefix, env, problems);
  const openAccess = `${prefix}_ALLOW_UNAUTHENTICATED`;
  const settings: HttpSettings = {
    tokens: readArray(env[`${prefix}_HTTP_TOKEN`]),
    oauth,
    allowUnauthenticated: readBoolean(openAccess, env[openAccess], problems),
    allowedHosts: readArray(env[`${prefix}_ALLOWED_HOSTS`]),
    allowedOrigins: readArray(env[`${prefix}_ALLOWED_ORIGINS`]),
    forwardHeaders: readForwardHeaders(`${prefix}_FORWARD_HEADERS`, env, problems),
    ...(apis && { forwardHeadersOfApis: readForwardHeadersOfApis(apis, env, problems) }),
    callerHeader: readHeaderName(`${prefix}_CALLER_HEADER`, env, problems),
    trustedProxies: readArray(env[`${prefix}_TRUSTED_PROXIES`]),
    exchange: readExchangeSettings(prefix, env, oauth?.issuer, problems),
    signIn: readCallerSignIn(prefix, env, oauth, problems),
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
}

/** Credentials of callers for one API, of which a server of several does not know for which. */
function findSharedCredentials(
  envPrefix: string,
  apis: ApiDefinition["apis"],
  env: Env,
): readonly string[] {
  if (!apis) return [];
  const prefixes = Object.values(apis).map((api) => api.envPrefix);
  const isSet = (name: string): boolean => Boolean(env[name]?.trim());
  const forwarded = `${envPrefix}_FORWARD_HEADERS`;
  const unsupported = [envPrefix, ...prefixes]
    .flatMap((prefix) => [`${prefix}_TOKEN_EXCHANGE`, `${prefix}_HTTP_SIGN_IN_CLIENT_ID`])
    .filter(isSet);
  return [
    ...(isSet(forwarded)
      ? [`${forwarded} does not say to which API: set ${prefixes[0]}_FORWARD_HEADERS.`]
      : []),
    ...unsupported.map((name) => `${name} is for servers of one API, and this one has several.`),
  ];
}

function readForwardHeadersOfApis(
  apis: NonNullable<ApiDefinition["apis"]>,
  env: Env,
  problems: string[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  return new Map(
    Object.entries(apis).map(([name, { envPrefix }]) => [
      name,
      readForwardHeaders(`${envPrefix}_FORWARD_HEADERS`, env, problems),
    ]),
  );
}

function readOAuthSettings(
  prefix: string,
  env: Env,
  problems: string[],
): OAuthSettings | undefined {
  const issuer = readUrl(`${prefix}_HTTP_OAUTH_ISSUER`, env, problems);
  if (issuer === undefined) return undefined;
  const publicUrl = readUrl(`${prefix}_HTTP_PUBLIC_URL`, env, problems);
  if (publicUrl === undefined) {
    problems.push(
      `${prefix}_HTTP_OAUTH_ISSUER needs ${prefix}_HTTP_PUBLIC_URL, the public address of this ` +
        "server, such as https://mcp.example.com/mcp.",
    );
  }
  const audiences = readArray(env[`${prefix}_HTTP_OAUTH_AUDIENCE`]);
  // In `pets:read|pets:write`, clients ask for the first; the others satisfy it, too.
  const scopes = readArray(env[`${prefix}_HTTP_OAUTH_SCOPES`], /[\s,]+/).map((scope) =>
    readArray(scope, /\|/),
  );
  // Refresh tokens concern client and authorization server. MCP 2026-07-28, Authorization,
  // "Refresh Tokens".
  if (scopes.flat().includes("offline_access")) {
    problems.push(
      `${prefix}_HTTP_OAUTH_SCOPES cannot name offline_access: it grants nothing on this server.`,
    );
  }
  return {
    issuer,
    publicUrl: publicUrl ?? "",
    audiences: audiences.length > 0 || publicUrl === undefined ? audiences : spellingsOf(publicUrl),
    jwksUrl: readUrl(`${prefix}_HTTP_OAUTH_JWKS_URL`, env, problems),
    scopes: scopes.flatMap(([scope = []]) => scope),
    broaderScopes: new Map(scopes.map(([scope = "", ...broader]) => [scope, broader])),
    toolScopes: readToolScopes(`${prefix}_HTTP_OAUTH_TOOL_SCOPES`, env, problems),
    algorithms: readAlgorithms(`${prefix}_HTTP_OAUTH_ALGORITHMS`, env, problems),
  };
}

/**
 * Both spellings of a URL. Clients name the resource as `URL` writes it: `https://mcp.example.com/`
 * for `https://mcp.example.com`. RFC 3986, section 6.2.3.
 */
function spellingsOf(url: string): readonly string[] {
  return [...new Set([url, new URL(url).href])];
}

function readUrl(variable: string, env: Env, problems: string[]): string | undefined {
  const text = env[variable]?.trim();
  if (!text) return undefined;
  // RFC 8414, section 2, and RFC 9728, section 1.2: no fragment.
  if (isLocalOrHttps(text) && !text.includes("#")) return text;
  problems.push(
    `${variable} must be an https URL${text.includes("#") ? " without a fragment" : ""}.`,
  );
  return undefined;
}

function readToolScopes(variable: string, env: Env, problems: string[]): ToolScopes {
  const text = env[variable]?.trim() || "auto";
  const mode = toolScopesModes.find((name) => name === text);
  if (!mode) problems.push(`${variable} must be ${toolScopesModes.join(", ")}.`);
  return mode ?? "auto";
}

function readAlgorithms(variable: string, env: Env, problems: string[]): readonly string[] {
  const names = readArray(env[variable], /[\s,]+/);
  if (names.some((name) => !safeAlgorithms.includes(name))) {
    problems.push(`${variable} may name ${safeAlgorithms.join(", ")}.`);
  }
  return names.length > 0 ? names : safeAlgorithms;
}

/**
 * Reads `X-Api-Key`, which keeps its name, and `X-User-Token=Authorization`, which is renamed. RFC
 * 9110, section 5.1.
 */
function readForwardHeaders(
  variable: string,
  env: Env,
  problems: string[],
): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const entry of readArray(env[variable])) {
    const [name = "", apiName = name, ...more] = entry.split("=").map((part) => part.trim());
    const problem =
      more.length > 0 || !isHeaderName(name) || !isHeaderName(apiName)
        ? "names an invalid header"
        : forwardingProblem(name, apiName);
    if (problem === undefined) headers.set(name.toLowerCase(), apiName);
    else problems.push(`${variable} ${problem}.`);
  }
  return headers;
}

function readHeaderName(variable: string, env: Env, problems: string[]): string | undefined {
  const name = env[variable]?.trim();
  if (!name) return undefined;
  if (isHeaderName(name)) return name.toLowerCase();
  problems.push(`${variable} names an invalid header.`);
  return undefined;
}

function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(text);
}

/**
 * Headers of the conversation between this server and its client, or of a connection and its
 * message.
 */
const messageHeaders = [
  ...["host", "content-.*", "mcp-.*", "proxy-.*", "connection", "keep-alive", "te", "trailer"],
  ...["transfer-encoding", "upgrade", "expect"],
];
const conversationHeaders = [
  ...messageHeaders,
  ...["authorization", "cookie", "origin", "accept", "accept-.*", "sec-.*", "last-event-id"],
];

function matchesAny(name: string, patterns: readonly string[]): boolean {
  return new RegExp(`^(?:${patterns.join("|")})$`, "i").test(name);
}

function forwardingProblem(name: string, apiName: string): string | undefined {
  if (/^authorization$/i.test(name)) {
    return (
      "cannot forward Authorization: it holds the client's token for this server. " +
      "Let clients send another header, as in X-User-Token=Authorization"
    );
  }
  if (matchesAny(name, conversationHeaders)) {
    return `cannot forward ${name}: it belongs to the connection with this server`;
  }
  if (matchesAny(apiName, messageHeaders)) {
    return `cannot set ${apiName}: this server writes it itself`;
  }
  return undefined;
}
