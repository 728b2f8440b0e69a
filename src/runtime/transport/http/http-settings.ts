import type { Env } from "../../request/types.js";

/** What serving over HTTP can be told; see `readHttpSettings` for the variables. */
export interface HttpSettings {
  /** Bearer tokens of which clients must show one; none: nothing is wanted, unless `oauth` is. */
  readonly tokens: readonly string[];
  /** Access tokens of an authorization server are taken. */
  readonly oauth?: OAuthSettings;
  /** Let anybody call. */
  readonly allowUnauthenticated: boolean;
  /** Host names of the `Host` header that clients may use, besides those of this machine. */
  readonly allowedHosts: readonly string[];
  /** Host names of the `Origin` header of browsers that may call, besides this machine's. */
  readonly allowedOrigins: readonly string[];
  /**
   * Headers of the client's request that are passed on to the API: its name there, by its name here
   * in lower case.
   */
  readonly forwardHeaders: ReadonlyMap<string, string>;
}

/** The server as an OAuth 2.0 protected resource. RFC 9728. */
export interface OAuthSettings {
  /** As the authorization server writes itself: compared with `iss` to the letter. */
  readonly issuer: string;
  /** Address under which clients know this server: the `resource` of its metadata. */
  readonly publicUrl: string;
  /** What `aud` of a token must hold one of. */
  readonly audiences: readonly string[];
  /** Where the keys are; found through the issuer's metadata when it is not set. */
  readonly jwksUrl?: string;
  /** All of them must be granted, or broader ones. */
  readonly scopes: readonly string[];
  /** Scopes that do for a narrower one, by that. */
  readonly broaderScopes: ReadonlyMap<string, readonly string[]>;
  readonly algorithms: readonly string[];
}

export type HttpSettingsResult =
  | { readonly ok: true; readonly settings: HttpSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Signatures whose keys anybody may know. With HMAC, who can check a token can make one; and `none`
 * is no signature. RFC 8725, section 3.1.
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

/** Reads what concerns serving over HTTP. What makes no sense is a problem, a sentence each. */
export function readHttpSettings(prefix: string, env: Env): HttpSettingsResult {
  const problems: string[] = [];
  const settings: HttpSettings = {
    tokens: readArray(env[`${prefix}_HTTP_TOKEN`]),
    oauth: readOAuthSettings(prefix, env, problems),
    allowUnauthenticated: readBoolean(`${prefix}_ALLOW_UNAUTHENTICATED`, env, problems),
    allowedHosts: readArray(env[`${prefix}_ALLOWED_HOSTS`]),
    allowedOrigins: readArray(env[`${prefix}_ALLOWED_ORIGINS`]),
    forwardHeaders: readForwardHeaders(`${prefix}_FORWARD_HEADERS`, env, problems),
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
}

function readOAuthSettings(
  prefix: string,
  env: Env,
  problems: string[],
): OAuthSettings | undefined {
  const issuer = readUrl(`${prefix}_HTTP_OAUTH_ISSUER`, env, problems);
  if (issuer === undefined) return undefined;
  const publicUrl = readUrl(`${prefix}_HTTP_PUBLIC_URL`, env, problems);
  if (publicUrl === undefined)
    problems.push(
      `${prefix}_HTTP_OAUTH_ISSUER needs ${prefix}_HTTP_PUBLIC_URL, the address under which clients know this server, such as https://mcp.example.com/mcp.`,
    );
  const audiences = readArray(env[`${prefix}_HTTP_OAUTH_AUDIENCE`]);
  // `pets:read|pets:write`: the first is what clients are to ask for, the others do as well.
  const scopes = readArray(env[`${prefix}_HTTP_OAUTH_SCOPES`], /[\s,]+/).map((scope) =>
    readArray(scope, /\|/),
  );
  // Refresh tokens are between client and authorization server. MCP 2026-07-28, Authorization,
  // "Refresh Tokens".
  if (scopes.flat().includes("offline_access"))
    problems.push(
      `${prefix}_HTTP_OAUTH_SCOPES cannot name offline_access: it is no right to anything here.`,
    );
  return {
    issuer,
    publicUrl: publicUrl ?? "",
    audiences: audiences.length > 0 || publicUrl === undefined ? audiences : spellingsOf(publicUrl),
    jwksUrl: readUrl(`${prefix}_HTTP_OAUTH_JWKS_URL`, env, problems),
    scopes: scopes.flatMap(([scope = []]) => scope),
    broaderScopes: new Map(scopes.map(([scope = "", ...broader]) => [scope, broader])),
    algorithms: readAlgorithms(`${prefix}_HTTP_OAUTH_ALGORITHMS`, env, problems),
  };
}

/**
 * Clients name the resource as `URL` writes it: `https://mcp.example.com/` for
 * `https://mcp.example.com`. Both are the same. RFC 3986, section 6.2.3.
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

function readAlgorithms(variable: string, env: Env, problems: string[]): readonly string[] {
  const named = readArray(env[variable], /[\s,]+/);
  if (named.some((name) => !safeAlgorithms.includes(name)))
    problems.push(`${variable} may name ${safeAlgorithms.join(", ")}.`);
  return named.length > 0 ? named : safeAlgorithms;
}

/**
 * `X-Api-Key` is passed on as it is, `X-User-Token=Authorization` under another name. RFC 9110,
 * section 5.1.
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
        ? "names something that is no header"
        : forwardingProblem(name, apiName);
    if (problem === undefined) headers.set(name.toLowerCase(), apiName);
    else problems.push(`${variable} ${problem}.`);
  }
  return headers;
}

function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(text);
}

/**
 * What belongs to the conversation between this server and its client, or to a connection and its
 * message.
 */
const ownHeaders =
  /^(?:authorization|cookie|host|origin|accept|accept-.*|content-.*|mcp-.*|proxy-.*|sec-.*|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|last-event-id)$/i;
const messageHeaders =
  /^(?:host|content-.*|mcp-.*|proxy-.*|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect)$/i;

function forwardingProblem(name: string, apiName: string): string | undefined {
  if (/^authorization$/i.test(name))
    return "cannot pass on Authorization: it holds the client's token for this server. Let clients send another one, as in X-User-Token=Authorization";
  if (ownHeaders.test(name))
    return `cannot pass on ${name}: it belongs to the connection with this server`;
  return messageHeaders.test(apiName)
    ? `cannot set ${apiName}: this server writes it itself`
    : undefined;
}

function readBoolean(variable: string, env: Env, problems: string[]): boolean {
  const text = env[variable]?.trim().toLowerCase() ?? "";
  if (!["", "0", "1", "true", "false"].includes(text)) problems.push(`${variable} must be 1 or 0.`);
  return text === "1" || text === "true";
}

function readArray(text = "", separator: RegExp = /,/): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Whether a URL may be asked for keys and named to clients: https, or anything on this machine. */
export function isLocalOrHttps(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return (
    username === "" &&
    password === "" &&
    (protocol === "https:" || (protocol === "http:" && isLoopback))
  );
}
