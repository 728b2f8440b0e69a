/** Settings by which callers use credentials of their own: consent, and exchange of tokens. */
import { isLocalOrHttps } from "../../auth/token-endpoint.js";
import type { Env, TokenExchangeSettings } from "../../request/types.js";

/** Consent of each caller in a browser: this server as a client of the callers' issuer. */
export interface CallerSignInSettings {
  readonly issuer: string;
  readonly publicUrl: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
}

/** Reads `<PREFIX>_HTTP_SIGN_IN_CLIENT_ID`. Undefined if callers do not consent themselves. */
export function readCallerSignIn(
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
export function readExchangeSettings(
  prefix: string,
  env: Env,
  issuer: string | undefined,
  problems: string[],
): TokenExchangeSettings | undefined {
  const variable = `${prefix}_TOKEN_EXCHANGE`;
  const read = (suffix: string): string => env[`${variable}${suffix}`]?.trim() ?? "";
  if (read("") === "") return undefined;
  if (issuer === undefined)
    problems.push(
      `${variable} needs ${prefix}_HTTP_OAUTH_ISSUER: only verified tokens of callers are exchanged.`,
    );
  if (read("_CLIENT_ID") === "")
    problems.push(
      `${variable} needs ${variable}_CLIENT_ID, the client of this server at the issuer.`,
    );
  const tokenUrl = read("_URL");
  if (tokenUrl !== "" && !isLocalOrHttps(tokenUrl))
    problems.push(`${variable}_URL must be an https URL.`);
  return {
    issuer: issuer ?? "",
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
