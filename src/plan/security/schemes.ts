import { quoteText, toSingleLine } from "../../diagnostics/text.js";
import type { SecurityScheme } from "../../model/security-scheme-kinds.js";
import type { SecuritySchemeDefinition, SignInEndpoints } from "../../runtime/security-schemes.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { Environment } from "../server-names.js";
import { splitWords } from "../../language/words.js";
import { isCallableServer } from "../servers.js";
import { flattenMarkdown } from "../text/markdown.js";
import { truncateText } from "../text/sentences.js";

/** Use of a scheme by the operations. */
export interface SchemeUse {
  readonly name: string;
  /** Scopes of all operations. */
  readonly scopes: readonly string[];
  /** Most operations need it. */
  readonly isRequired: boolean;
  /** Wherever it is required, another scheme is required with it. */
  readonly isAccompanied: boolean;
}

/**
 * Adds an environment variable for one value of a scheme.
 * @param suffix name of the variable after that of the scheme
 * @param required defaults to `isRequired` of the scheme
 * @param secret defaults to true
 * @returns the name of the variable
 */
type AddVariable = (
  suffix: string,
  what: string,
  options?: { readonly required?: boolean; readonly secret?: boolean },
) => string;

/** Defines a scheme for the runtime and adds the variables of its credentials. */
export function defineScheme(
  scheme: SecurityScheme,
  use: SchemeUse,
  environment: Environment,
  diagnostics: DiagnosticCollector,
): SecuritySchemeDefinition {
  const { name, isRequired } = use;
  const add: AddVariable = (suffix, what, { required = isRequired, secret = true } = {}) =>
    environment.add([suffix, variableName(name, suffix)], {
      description: describeVariable(what, name, scheme),
      required,
      secret,
    });
  switch (scheme.kind) {
    case "apiKey":
      return defineApiKey(scheme, use, add);
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

type ApiKeyScheme = Extract<SecurityScheme, { kind: "apiKey" }>;

function defineApiKey(
  { in: location, name }: ApiKeyScheme,
  { name: schemeName, isAccompanied }: SchemeUse,
  add: AddVariable,
): SecuritySchemeDefinition {
  const noun = location === "query" ? "query parameter" : location;
  const isWhole = location === "header" && name.toLowerCase() === "authorization";
  const prefix = isWhole ? ", with its prefix (such as Bearer) if the API expects one" : "";
  const sent = `sent as the ${noun} ${toSingleLine(name)}${prefix}`;
  const identity = isAccompanied ? (identityIn(name) ?? identityIn(schemeName)) : undefined;
  if (identity === undefined)
    return { kind: "apiKey", in: location, name, env: add("api key", `API key, ${sent}`) };
  const what = `${identity.charAt(0).toUpperCase()}${identity.slice(1)}, ${sent}`;
  const env = add(identity, what, NOT_SECRET);
  return { kind: "apiKey", in: location, name, env, isIdentity: true };
}

/**
 * Names of values that are not secret: those that identify the caller, and those of the protocol.
 * APIs return them in results.
 */
const IDENTITY =
  /(?:^| )(user ?name|login|e ?mail|(?:user|account|tenant|organi[sz]ation) id|(?:app|application|client) name|(?:(?:api|protocol) )?version|format)$/;

/** The end of a name that names the caller, such as `user name` of `X-User-Name`. */
function identityIn(name: string): string | undefined {
  return IDENTITY.exec(splitWords(name).join(" "))?.[1];
}

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
      `The HTTP authentication scheme ${quoteText(scheme)} of ${quoteText(name)} uses challenges. ` +
        "Only fixed credentials can be sent.",
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

/** Schemes whose credentials depend on a challenge of the API. */
const CHALLENGE_SCHEMES = new Set(["digest", "hoba", "negotiate", "mutual", "vapid"]);

/** `<scheme> token`, without repeating a word. */
function variableName(name: string, suffix: string): string {
  const words = splitWords(name);
  const suffixWords = suffix.split(" ").filter((word) => !words.includes(word));
  return [...words, ...suffixWords].join(" ") || suffix;
}

function describeVariable(what: string, name: string, scheme: SecurityScheme): string {
  const text = truncateText(flattenMarkdown(scheme.description ?? ""), 160, false);
  const label = `${what} (${toSingleLine(name)})`;
  const labeled = text === "" ? `${label}.` : `${label}: ${text}`;
  return scheme.deprecated ? `${labeled} Deprecated.` : labeled;
}

type OAuthScheme = Extract<SecurityScheme, { kind: "oauth2" }>;

/** Source of tokens. */
type TokenEndpoint = { readonly tokenUrl: string } | { readonly discoveryUrl: string };

/**
 * Takes an access token. With a trusted metadata URL, the server can also request and refresh
 * tokens.
 */
function defineOpenIdConnect(
  url: string,
  { scopes, isRequired }: SchemeUse,
  add: AddVariable,
): SecuritySchemeDefinition {
  const isFound = isAbsolute(url) && isEndpoint(url);
  const tokenEnv = add("token", "Access token (OpenID Connect)", {
    required: isRequired && !isFound,
  });
  return isFound
    ? withTokenEndpoint(
        tokenEnv,
        { discoveryUrl: url, signIn: { metadataUrl: url } },
        true,
        scopes,
        add,
      )
    : tokenOnly(tokenEnv, scopes);
}

/** Takes an access token. With a token endpoint, the server can also request and refresh tokens. */
function defineOAuth2(
  { flows, metadataUrl }: OAuthScheme,
  { scopes, isRequired }: SchemeUse,
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
  const endpoint = tokenUrl !== undefined ? { tokenUrl } : discoveryEndpoint(metadataUrl);
  const tokenEnv = add("token", "Access token (OAuth 2.0)", {
    required: isRequired && endpoint === undefined,
  });
  if (endpoint === undefined) return tokenOnly(tokenEnv, scopes);
  const refreshes = user !== undefined || "discoveryUrl" in endpoint;
  const signIn = signInEndpoints(flows, metadataUrl);
  const endpoints = { ...endpoint, ...(signIn && { signIn }) };
  const defined = withTokenEndpoint(tokenEnv, endpoints, refreshes, scopes, add);
  return machine === undefined && "tokenUrl" in endpoint
    ? { ...defined, withoutClientGrant: true }
    : defined;
}

/** Endpoints for a sign-in with the user's consent: those of the flows, else the metadata's. */
function signInEndpoints(
  flows: OAuthScheme["flows"],
  metadataUrl: string | undefined,
): SignInEndpoints | undefined {
  const find = (name: OAuthScheme["flows"][number]["flow"]) =>
    flows.find(
      ({ flow, authorizationUrl, tokenUrl }) =>
        flow === name && isEndpoint(authorizationUrl) && isEndpoint(tokenUrl),
    );
  const [code, device] = [find("authorizationCode"), find("deviceAuthorization")];
  const tokenUrl = code?.tokenUrl ?? device?.tokenUrl;
  if (tokenUrl === undefined) {
    const endpoint = discoveryEndpoint(metadataUrl);
    return endpoint && "discoveryUrl" in endpoint
      ? { metadataUrl: endpoint.discoveryUrl }
      : undefined;
  }
  return {
    ...(code?.authorizationUrl !== undefined && { authorizationUrl: code.authorizationUrl }),
    ...(device?.authorizationUrl !== undefined && { deviceUrl: device.authorizationUrl }),
    tokenUrl,
  };
}

function discoveryEndpoint(url: string | undefined): TokenEndpoint | undefined {
  return url !== undefined && isAbsolute(url) && isEndpoint(url)
    ? { discoveryUrl: url }
    : undefined;
}

function tokenOnly(tokenEnv: string, scopes: readonly string[]): SecuritySchemeDefinition {
  return { kind: "oauth2", tokenEnv, ...(scopes.length > 0 && { scopes }) };
}

/**
 * Adds the variables for requesting tokens.
 * @param refreshes a refresh token can be configured
 */
function withTokenEndpoint(
  tokenEnv: string,
  endpoint: TokenEndpoint & { readonly signIn?: SignInEndpoints },
  refreshes: boolean,
  scopes: readonly string[],
  add: AddVariable,
): Extract<SecuritySchemeDefinition, { kind: "oauth2" }> {
  const optional = { required: false };
  const notSecret = { required: false, secret: false };
  const login = endpoint.signIn ? "signing in (login) and for " : "";
  const origin = "tokenUrl" in endpoint ? "the document's" : "the one in the metadata";
  return {
    kind: "oauth2",
    tokenEnv,
    clientIdEnv: add(
      "client id",
      `OAuth 2.0 client ID for ${login}requesting access tokens`,
      notSecret,
    ),
    clientSecretEnv: add("client secret", "OAuth 2.0 client secret", optional),
    ...(refreshes && {
      refreshTokenEnv: add("refresh token", "OAuth 2.0 refresh token", optional),
    }),
    ...endpoint,
    tokenUrlEnv: add("token url", `Token endpoint, instead of ${origin}`, notSecret),
    tokenParametersEnv: add(
      "token parameters",
      "Additional fields of token requests, such as audience=https://api.example.com",
      notSecret,
    ),
    ...(scopes.length > 0 && { scopes }),
  };
}

function isAbsolute(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(url);
}

/**
 * True for endpoints that may receive credentials: `https:`, or this machine. Relative URLs are at
 * the API's own address, which the runtime checks.
 */
function isEndpoint(url: string | undefined): boolean {
  if (url === undefined || url === "" || url.includes("{")) return false;
  if (!isAbsolute(url)) return true;
  return (
    isCallableServer({ url }) &&
    (/^https:/i.test(url) || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$)/i.test(url))
  );
}
