/** Reads the settings of callers that an authorization server knows, from the environment. */
import { isLocalOrHttps } from "../../data/urls.js";
import type { Env, TokenExchangeSettings } from "../../request/types.js";
import { readArray } from "../../server/settings.js";
import {
  type CallerSettings,
  type CallerSignInSettings,
  type OAuthSettings,
  type ToolScopes,
  toolScopesModes,
} from "./caller-settings.js";

/**
 * Asymmetric signature algorithms. With HMAC, every verifier could sign tokens; `none` is not a
 * signature. RFC 8725, section 3.1.
 */
const safeAlgorithms = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(
  " ",
);

/** Sentence for the user who sets one of the variables, if they are left out. */
export const callersProblem: string | undefined = undefined;

/**
 * @param prefix that of the server's variables
 * @param apiPrefixes those of its APIs
 * @param problems receives invalid settings, as sentences
 */
export function readCallerSettings(
  prefix: string,
  apiPrefixes: readonly string[],
  env: Env,
  problems: string[],
): CallerSettings {
  const oauth = readOAuthSettings(prefix, env, problems);
  const issuer = { variable: `${prefix}_HTTP_OAUTH_ISSUER`, url: oauth?.issuer };
  const tokenExchanges = apiPrefixes.flatMap((own) => {
    const settings = readExchangeSettings(own, env, issuer, problems);
    return settings ? [[own, settings] as const] : [];
  });
  return {
    oauth,
    ...(tokenExchanges.length > 0 && { tokenExchanges: new Map(tokenExchanges) }),
    signIn: readCallerSignIn(prefix, env, oauth, problems),
  };
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

/** Reads `<PREFIX>_HTTP_SIGN_IN_CLIENT_ID`. Undefined if callers do not consent themselves. */
function readCallerSignIn(
  prefix: string,
  env: Env,
  oauth: { readonly issuer: string; readonly publicUrl: string } | undefined,
  problems: string[],
): CallerSignInSettings | undefined {
  const variable = `${prefix}_HTTP_SIGN_IN_CLIENT_ID`;
  const clientId = env[variable]?.trim() ?? "";
  if (clientId === "") return undefined;
  if (!oauth)
    problems.push(
      `${variable} needs ${prefix}_HTTP_OAUTH_ISSUER: only users of verified tokens can sign in.`,
    );
  if (env[`${prefix}_TOKEN_EXCHANGE`]?.trim())
    problems.push(`Set ${variable} or ${prefix}_TOKEN_EXCHANGE, not both.`);
  return {
    issuer: oauth?.issuer ?? "",
    publicUrl: oauth?.publicUrl ?? "",
    clientId,
    clientSecret: env[`${prefix}_HTTP_SIGN_IN_CLIENT_SECRET`]?.trim() ?? "",
  };
}

/** Fields of an exchange that the server sends itself. RFC 8693, section 2.1; RFC 6749, section 2.3. */
const OWN_FIELDS =
  /^(?:grant_type|(?:subject|actor)_token(?:_type)?|requested_token_type|client_.*|assertion)$/;

/**
 * Reads `<PREFIX>_TOKEN_EXCHANGE`: the audience, or fields of the request such as
 * `resource=https://api.example.com&scope=read`. Undefined if tokens are not exchanged.
 */
function readExchangeSettings(
  prefix: string,
  env: Env,
  issuer: { readonly variable: string; readonly url: string | undefined },
  problems: string[],
): TokenExchangeSettings | undefined {
  const variable = `${prefix}_TOKEN_EXCHANGE`;
  const read = (suffix: string): string => env[`${variable}${suffix}`]?.trim() ?? "";
  if (read("") === "") return undefined;
  if (issuer.url === undefined)
    problems.push(
      `${variable} needs ${issuer.variable}: only verified tokens of callers are exchanged.`,
    );
  if (read("_CLIENT_ID") === "")
    problems.push(
      `${variable} needs ${variable}_CLIENT_ID, the client of this server at the issuer.`,
    );
  const tokenUrl = read("_URL");
  if (tokenUrl !== "" && !isLocalOrHttps(tokenUrl))
    problems.push(`${variable}_URL must be an https URL.`);
  return {
    issuer: issuer.url ?? "",
    ...(tokenUrl !== "" && { tokenUrl }),
    clientId: read("_CLIENT_ID"),
    clientSecret: read("_CLIENT_SECRET"),
    fields: readFields(variable, read(""), problems),
  };
}

function readFields(
  variable: string,
  text: string,
  problems: string[],
): Readonly<Record<string, string>> {
  const pairs = text.includes("=") ? [...new URLSearchParams(text)] : [["audience", text] as const];
  const names = pairs.map(([name]) => name);
  const own = names.find((name) => OWN_FIELDS.test(name));
  if (own !== undefined) problems.push(`${variable} cannot set ${own}: the server sends it.`);
  if (new Set(names).size < names.length) problems.push(`${variable} has a field twice.`);
  const target = pairs.find(([name, value]) => /^(?:audience|resource)$/.test(name) && value);
  if (!target) problems.push(`${variable} must name the API: audience=… or resource=https://….`);
  return Object.fromEntries(pairs);
}
