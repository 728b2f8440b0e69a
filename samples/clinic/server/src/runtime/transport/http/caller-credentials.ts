/** Credentials of callers for the API: the settings of consent and token exchange, and consent pages. */
import { signInSchemes } from "../../auth/signed-in.js";
import { isLocalOrHttps } from "../../auth/token-endpoint.js";
import type { ConsentBroker, LoadSignIn, UserConsent } from "../../auth/types.js";
import type { Env, TokenExchangeSettings } from "../../request/types.js";
import type { ServerContext } from "../../server/context.js";
import { neededScopes } from "../../tools/selection.js";
import { errorReply, type Reply } from "./messages.js";

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

/** Consent of callers, and the pages for it. */
export interface ConsentPages {
  /** @param user undefined for a caller that is not known as a user */
  of(user: string | undefined): UserConsent;
  /** Serves a page; undefined for other paths. */
  answer(head: PageRequest): Promise<Reply> | undefined;
}

/** The reason why callers cannot consent to an API; undefined if they can. */
export function consentProblem({ api, apiContext }: ServerContext): string | undefined {
  const variable = `${api.envPrefix}_HTTP_SIGN_IN_CLIENT_ID`;
  const schemes = signInSchemes(api);
  if (schemes.length === 0)
    return `${variable} is set, but ${api.title} declares no scheme with a sign-in.`;
  const missing = schemes.flatMap(([, { clientIdEnv = "" }]) =>
    apiContext.env[clientIdEnv]?.trim() ? [] : [clientIdEnv],
  );
  if (missing.length === 0) return undefined;
  return `${variable} needs ${missing.join(" and ")}, the client of this server at the API's provider.`;
}

interface PageRequest {
  readonly method: string;
  readonly path: string;
  /** Query of the target, without `?`. */
  readonly query: string;
  header(name: string): string | undefined;
}

const paths = ["/oauth/start", "/oauth/user", "/oauth/callback"];

const pageHeaders = {
  "content-type": "text/plain; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

/** Creates the pages. The first use loads the code for them. */
export function createConsentPages(
  { api, offeredTools, store }: ServerContext,
  settings: CallerSignInSettings,
  loadSignIn: LoadSignIn,
): ConsentPages {
  let loading: Promise<ConsentBroker> | undefined;
  const load = (): Promise<ConsentBroker> =>
    (loading ??= loadSignIn().then(({ createConsentBroker }) =>
      createConsentBroker({
        ...settings,
        title: api.title,
        ...(store && { store }),
        scopesOf: (scheme) => neededScopes(offeredTools, api, scheme),
      }),
    ));
  const answer = async ({ path, query, header }: PageRequest): Promise<Reply> => {
    const broker = await load();
    const cookies = header("cookie") ?? "";
    const reply = await broker.answer({ path, query: new URLSearchParams(query), cookies });
    return { ...reply, headers: { ...pageHeaders, ...reply.headers } };
  };
  return {
    of: (user) => ({
      replacesSharedTokens: true,
      token: async (...request) => (await load()).of(user).token(...request),
      request: async (...request) => (await load()).of(user).request(...request),
      settled: async (tool) => (await load()).of(user).settled(tool),
    }),
    answer(head) {
      if (!paths.includes(head.path)) return undefined;
      if (head.method === "GET") return answer(head);
      return Promise.resolve(errorReply(405, "Method not allowed.", { allow: "GET" }));
    },
  };
}
