/** Settings of the HTTP transport, from the environment. */
import type { ApiDefinition } from "../../api-definition.js";
import type { Env } from "../../request/types.js";
import { readArray, readBoolean } from "../../server/settings.js";
import type { CallerSettings } from "./caller-settings.js";
import { findSharedCredentials, forwardHeadersOfApis, prefixesOf } from "./member-settings.js";
import { readCallerSettings } from "./oauth-settings.js";

/** Settings of the HTTP transport; see `readHttpSettings` for the variables. */
export interface HttpSettings extends CallerSettings {
  /**
   * Bearer tokens, of which clients must present one. Empty: no authentication, unless `oauth` is
   * set.
   */
  readonly tokens: readonly string[];
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
}

type HttpSettingsResult =
  | { readonly ok: true; readonly settings: HttpSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the settings of the HTTP transport. Each invalid setting is a problem, as a sentence. */
export function readHttpSettings(
  prefix: string,
  env: Env,
  apis: ApiDefinition["apis"] = undefined,
): HttpSettingsResult {
  const problems: string[] = [...findSharedCredentials(prefix, apis, env)];
  const openAccess = `${prefix}_ALLOW_UNAUTHENTICATED`;
  const settings: HttpSettings = {
    tokens: readArray(env[`${prefix}_HTTP_TOKEN`]),
    allowUnauthenticated: readBoolean(openAccess, env[openAccess], problems),
    allowedHosts: readArray(env[`${prefix}_ALLOWED_HOSTS`]),
    allowedOrigins: readArray(env[`${prefix}_ALLOWED_ORIGINS`]),
    forwardHeaders: readForwardHeaders(`${prefix}_FORWARD_HEADERS`, env, problems),
    ...(apis && {
      forwardHeadersOfApis: forwardHeadersOfApis(apis, (name) =>
        readForwardHeaders(name, env, problems),
      ),
    }),
    callerHeader: readHeaderName(`${prefix}_CALLER_HEADER`, env, problems),
    trustedProxies: readArray(env[`${prefix}_TRUSTED_PROXIES`]),
    ...readCallerSettings(prefix, prefixesOf(prefix, apis), env, problems),
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
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
