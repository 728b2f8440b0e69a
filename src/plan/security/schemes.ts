import { toSingleLine, quoteText } from "../../diagnostics/text.js";
import type { SecurityScheme } from "../../model/types.js";
import type { SecuritySchemeDefinition } from "../../runtime/types.js";
import type { Environment } from "../environment.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { splitWords } from "../names/words.js";
import { isCallableServer } from "../servers.js";
import { flattenMarkdown } from "../text/markdown.js";
import { truncateText } from "../text/sentences.js";

/** How the operations use a scheme. */
export interface SchemeUse {
  readonly name: string;
  /** All that some operation asks for. */
  readonly scopes: readonly string[];
  /** Most operations cannot be called without it. */
  readonly isRequired: boolean;
}

/**
 * Adds a variable for one of a scheme's values.
 * @param suffix its name behind that of the scheme
 * @param required `needed` of the scheme, when it is left out
 * @param secret true, when it is left out
 * @returns the name of the variable
 */
export type AddVariable = (
  suffix: string,
  what: string,
  options?: { readonly required?: boolean; readonly secret?: boolean },
) => string;

/** A scheme as the runtime knows it, and the variables that hold its credentials. */
export function defineScheme(
  scheme: SecurityScheme,
  use: SchemeUse,
  environment: Environment,
  diagnostics: DiagnosticCollector,
): SecuritySchemeDefinition {
  const { name, isRequired: needed } = use;
  const add: AddVariable = (suffix, what, { required = needed, secret = true } = {}) =>
    environment.add([suffix, variableName(name, suffix)], {
      description: describeVariable(what, name, scheme),
      required,
      secret,
    });
  switch (scheme.kind) {
    case "apiKey":
      return {
        kind: "apiKey",
        in: scheme.in,
        name: scheme.name,
        env: add(
          "api key",
          `API key, sent as the ${scheme.in === "query" ? "query parameter" : scheme.in} ${toSingleLine(scheme.name)}`,
        ),
      };
    case "mutualTLS":
      return {
        kind: "mutualTLS",
        certEnv: add("client cert", "Path of the client certificate (PEM)", NOT_SECRET),
        keyEnv: add("client key", "Path of the client certificate's private key (PEM)", NOT_SECRET),
      };
    case "openIdConnect":
      return defineOpenIdConnect(scheme.url, use, add);
    case "oauth2":
      return defineOAuth2(scheme, use, add);
    case "http":
      return defineHttp(name, scheme.scheme, add, diagnostics);
  }
}

const NOT_SECRET = { secret: false };

function defineHttp(
  name: string,
  scheme: string,
  add: AddVariable,
  diagnostics: DiagnosticCollector,
): SecuritySchemeDefinition {
  const lower = scheme.toLowerCase();
  if (lower === "basic")
    return {
      kind: "basic",
      usernameEnv: add("username", "User name", NOT_SECRET),
      passwordEnv: add("password", "Password"),
    };
  if (lower === "bearer") return { kind: "bearer", env: add("token", "Bearer token") };
  if (CHALLENGE_SCHEMES.has(lower) || lower.startsWith("scram")) {
    diagnostics.add(
      "plan-security-scheme",
      `The HTTP authentication scheme ${quoteText(scheme)} of ${quoteText(name)} needs a dialogue with the API; only fixed credentials can be sent.`,
      { pointer: "#" },
    );
  }
  return {
    kind: "http",
    scheme,
    env: add(
      "credentials",
      `Credentials of the HTTP authentication scheme ${toSingleLine(scheme)}, without the scheme name`,
    ),
  };
}

/** Schemes whose credentials depend on what the API said before. */
const CHALLENGE_SCHEMES = new Set(["digest", "hoba", "negotiate", "mutual", "vapid"]);

/** `<scheme> token`, without saying token twice. */
function variableName(name: string, suffix: string): string {
  const words = splitWords(name);
  const own = suffix.split(" ").filter((word) => !words.includes(word));
  return [...words, ...own].join(" ") || suffix;
}

function describeVariable(what: string, name: string, scheme: SecurityScheme): string {
  const text = truncateText(flattenMarkdown(scheme.description ?? ""), 160, false);
  const said =
    text === "" ? `${what} (${toSingleLine(name)}).` : `${what} (${toSingleLine(name)}): ${text}`;
  return scheme.deprecated ? `${said} Deprecated.` : said;
}

type OAuthScheme = Extract<SecurityScheme, { kind: "oauth2" }>;

/** Where tokens come from. */
type TokenEndpoint = { readonly tokenUrl: string } | { readonly discoveryUrl: string };

/**
 * A token can always be given; where the address of the metadata is one to trust, the server can
 * also get one, or refresh it.
 */
export function defineOpenIdConnect(
  url: string,
  { scopes, isRequired: needed }: SchemeUse,
  add: AddVariable,
): SecuritySchemeDefinition {
  const isFound = isAbsolute(url) && isEndpoint(url);
  const tokenEnv = add("token", "Access token (OpenID Connect)", { required: needed && !isFound });
  return isFound
    ? withTokenEndpoint(tokenEnv, { discoveryUrl: url }, true, scopes, add)
    : tokenOnly(tokenEnv, scopes);
}

/** A token can always be given; a flow with a token endpoint can also get one, or refresh it. */
export function defineOAuth2(
  { flows, metadataUrl }: OAuthScheme,
  { scopes, isRequired: needed }: SchemeUse,
  add: AddVariable,
): SecuritySchemeDefinition {
  const machine = flows.find(
    (flow) => flow.flow === "clientCredentials" && isEndpoint(flow.tokenUrl),
  );
  const user = flows.find(
    (flow) =>
      flow.flow !== "clientCredentials" &&
      (isEndpoint(flow.refreshUrl) || isEndpoint(flow.tokenUrl)),
  );
  const tokenUrl =
    machine?.tokenUrl ?? (isEndpoint(user?.refreshUrl) ? user?.refreshUrl : user?.tokenUrl);
  const discoveryUrl =
    metadataUrl !== undefined && isAbsolute(metadataUrl) && isEndpoint(metadataUrl)
      ? metadataUrl
      : undefined;
  const endpoint =
    tokenUrl !== undefined
      ? { tokenUrl }
      : discoveryUrl !== undefined
        ? { discoveryUrl }
        : undefined;
  const tokenEnv = add("token", "Access token (OAuth 2.0)", {
    required: needed && endpoint === undefined,
  });
  if (endpoint === undefined) return tokenOnly(tokenEnv, scopes);
  return withTokenEndpoint(
    tokenEnv,
    endpoint,
    user !== undefined || "discoveryUrl" in endpoint,
    scopes,
    add,
  );
}

function tokenOnly(tokenEnv: string, scopes: readonly string[]): SecuritySchemeDefinition {
  return { kind: "oauth2", tokenEnv, ...(scopes.length > 0 && { scopes }) };
}

/** @param refreshes there may be a refresh token */
function withTokenEndpoint(
  tokenEnv: string,
  endpoint: TokenEndpoint,
  refreshes: boolean,
  scopes: readonly string[],
  add: AddVariable,
): SecuritySchemeDefinition {
  const optional = { required: false };
  const plain = { required: false, secret: false };
  const where = "tokenUrl" in endpoint ? "the document's" : "the one that the metadata name";
  return {
    kind: "oauth2",
    tokenEnv,
    clientIdEnv: add("client id", "OAuth 2.0 client ID, to get access tokens with", plain),
    clientSecretEnv: add("client secret", "OAuth 2.0 client secret", optional),
    ...(refreshes && {
      refreshTokenEnv: add("refresh token", "OAuth 2.0 refresh token", optional),
    }),
    ...endpoint,
    tokenUrlEnv: add("token url", `Token endpoint, instead of ${where}`, plain),
    tokenParametersEnv: add(
      "token parameters",
      "More fields of token requests, such as audience=https://api.example.com",
      plain,
    ),
    ...(scopes.length > 0 && { scopes }),
  };
}

function isAbsolute(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(url);
}

/**
 * Credentials go nowhere but to `https:`, or to this machine. What is relative is at the API's own
 * address; the runtime looks at it.
 */
function isEndpoint(url: string | undefined): boolean {
  if (url === undefined || url === "" || url.includes("{")) return false;
  if (!isAbsolute(url)) return true;
  return (
    isCallableServer({ url }) &&
    (/^https:/i.test(url) || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$)/i.test(url))
  );
}
