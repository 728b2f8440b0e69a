// auth: files of the runtime of mcp-gen as one module, each after those that it uses.

import {
  base64,
  canParseUrl,
  isStoreUnavailable,
  sha256,
  type Store,
  withStoreLock,
} from "./data.js";
import {
  type ApiContext,
  type AuthResult,
  type BoundRequest,
  type CallerExchange,
  callsAnonymously,
  type ClientCertificate,
  describeForeignOrigin,
  encodeCookieName,
  type Env,
  type Folder,
  type ForwardedHeader,
  isCookieValue,
  isHeaderValue,
  isWellFormed,
  percentEncode,
  receivesCredentials,
  resolveBaseUrl,
  type SendFunction,
} from "./request.js";
import { secretForms } from "./response.js";
import {
  type ApiDefinition,
  bearerCredential,
  credentialHeader,
  type CredentialPlace,
  fixedCredential,
  type FixedScheme,
  loginCommandOf,
  type RequestMapping,
  rulesOf,
  type SchemeOf,
  type SecurityRequirement,
  type SecuritySchemeDefinition,
} from "./types.js";

// ---- auth/types.ts ----
// Types of authentication, of the consent of users, and of the platform that a server runs on.

/** Context of authentication: the API, its environment and the functions of the platform. */
export interface AuthContext extends ApiContext {
  readonly platform?: Platform;
  /** State that several processes share. */
  readonly store?: Store;
  /** Consent of the user behind the caller, for one tool. */
  readonly consent?: ToolConsent;
}

/** Consent of one user to calls of an API. */
export interface UserConsent {
  /** True if no other caller's token is used instead. */
  readonly replacesSharedTokens: boolean;
  /**
   * Returns the token of a scheme; undefined without consent.
   * @param rejected a token that the API no longer accepts
   */
  token(request: SignInRequest, rejected?: string): Promise<SignInToken | undefined>;
  /**
   * Asks for consent to the calls of a tool.
   * @returns the address for the user, a problem as sentences, or undefined if it is not possible
   */
  request(request: SignInRequest, tool: string): Promise<SignInLink | string | undefined>;
  /** Waits until a requested consent is given. */
  settled(tool: string): Promise<void>;
}

/** Consent of one user to the calls of a tool. */
export interface ToolConsent extends Pick<UserConsent, "replacesSharedTokens" | "token"> {
  readonly tool: string;
  settled(): Promise<void>;
  request(request: SignInRequest): Promise<SignInLink | string | undefined>;
}

/** Context of a command that signs in or out. */
export interface SignInCommandContext {
  readonly api: ApiDefinition;
  readonly apiContext: AuthContext;
  /** Scopes that the offered tools need of a scheme. */
  readonly scopesOf: (schemeName: string) => readonly string[];
}

/** Settings of consent over HTTP. */
export interface ConsentSettings {
  /** Title of the API. */
  readonly title: string;
  /** Public address of this server. */
  readonly publicUrl: string;
  /** Issuer of the callers' tokens, and this server as its client. */
  readonly issuer: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
  scopesOf(schemeName: string): readonly string[];
  /** State that several processes share. Absent: it is in memory. */
  readonly store?: Store;
}

/** A request of a browser. */
export interface BrowserRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly cookies: string;
}

/** A response to a browser. */
export interface BrowserReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Consent of callers over HTTP. */
export interface ConsentBroker {
  /**
   * The consent of one user.
   * @param subject undefined for a caller that is not known as a user
   */
  of(subject: string | undefined): UserConsent;
  /** Serves a request of a browser. No part of the request becomes the target of a redirect. */
  answer(request: BrowserRequest): Promise<BrowserReply>;
}

/** The module auth/sign-in, which only APIs with a sign-in need. */
export interface SignInModule {
  /**
   * Runs `login`, `logout` or `status`.
   * @returns the exit code
   */
  runSignInCommand(
    action: string,
    argv: readonly string[],
    context: SignInCommandContext,
  ): Promise<number>;
  createConsentBroker(settings: ConsentSettings): ConsentBroker;
  readonly signedInToken: NonNullable<Platform["signedInToken"]>;
  readonly requestSignIn: NonNullable<Platform["requestSignIn"]>;
  readonly signInsSettled: NonNullable<Platform["signInsSettled"]>;
}

/** Loads the module auth/sign-in on first use. */
export type LoadSignIn = () => Promise<SignInModule>;

/** A credential in the request itself. */
export interface MessageCredential {
  readonly in: "header" | "query" | "cookie";
  readonly name: string;
  readonly value: string;
  /** Forms in which the API may return the secret. */
  readonly secrets: readonly string[];
}

type Credential =
  | MessageCredential
  | { readonly in: "connection"; readonly tls: ClientCertificate };

/** The credential of one scheme, or the reason why there is none. */
export type CredentialResult = { readonly ok: true; readonly credential: Credential } | AuthFailure;

/** Options of the authentication of one call. */
export interface AuthOptions {
  /** Sends requests to token endpoints. */
  readonly fetch?: typeof globalThis.fetch;
  /** Ends the wait of this call. A token request that other calls wait for continues. */
  readonly signal?: AbortSignal;
}

/** The reason why a request is not sent. It names variables, never their values. */
export interface AuthFailure {
  readonly ok: false;
  readonly message: string;
  /** Alternatives to set, such as `CLINIC_USERNAME and CLINIC_PASSWORD`, if none is complete. */
  readonly missing?: readonly string[];
}

/** The client of a request over HTTP, once it is authenticated. */
export interface Caller {
  /** Identity under which data of one caller is stored. Empty: an unidentified caller. */
  readonly id: string;
  /** What the identity depends on: the issuer of its token, or the digest of a bearer token. */
  readonly realm?: string;
  /** True if several callers may have the identity, because they share a bearer token. */
  readonly isShared?: true;
  /** Address of its connection, which tells callers without an identity apart. */
  readonly address?: string;
  /** Scopes of its access token. Absent for other credentials. */
  readonly scopes?: readonly string[];
  /** Subject of its access token, if that has one: the user. */
  readonly user?: string;
  /** Its verified access token, for an exchange. Absent for other credentials. */
  readonly token?: string;
  /** Name of the API or toolset at whose address it calls. Absent: all of them. */
  readonly view?: string;
}

/**
 * Functions that only some platforms have. The entry point passes them in, so that no other module
 * imports `node:` modules: the same tools run in Cloudflare Workers, Deno and Bun.
 */
export interface Platform {
  /** Reads a text file that a setting names. */
  readTextFile?(path: string): Promise<string>;
  /**
   * Opens the folder in which tools may read and save files.
   * @returns the folder, or the problem as a clause without a subject
   */
  openFolder?(path: string): Promise<Folder | string>;
  /**
   * Returns the token of a user who signed in on this machine; undefined without a sign-in.
   * @param rejected a token that the API no longer accepts
   */
  signedInToken?(request: SignInRequest, rejected?: string): Promise<SignInToken | undefined>;
  /**
   * Starts a sign-in of the user of this machine.
   * @returns the address for a browser on this machine
   */
  requestSignIn?(request: SignInRequest, scopes: readonly string[]): Promise<SignInLink>;
  /** Waits for the sign-ins that were started. */
  signInsSettled?(): Promise<void>;
  /** Sends requests to the API instead of `fetch`, which cannot present client certificates. */
  readonly send?: SendFunction;
  /** Sends requests to authorization servers. The default is the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** An address at which a user signs in. */
export interface SignInLink {
  readonly id: string;
  readonly url: string;
}

/** A sign-in: everything that its tokens are bound to, and the secret of the client. */
export interface SignInRequest {
  /** Name of the API. */
  readonly api: string;
  readonly schemeName: string;
  readonly scheme: Extract<SecuritySchemeDefinition, { kind: "oauth2" }>;
  readonly baseUrl: string;
  /** Origins other than that of the base URL to which the token may be sent. */
  readonly hosts?: readonly string[];
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
  /** Command that signs the user of this machine in, as texts name it. */
  readonly loginCommand?: string;
}

/** An access token, or the reason why there is none, as a sentence for the agent. */
export type SignInToken =
  | {
      readonly ok: true;
      readonly value: string;
      readonly secrets: readonly string[];
      /** Scopes of the token. Empty: not stated. */
      readonly scopes: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

// ---- auth/requirements.ts ----
// Security requirements of requests: the alternative whose variables are set, required scopes, and
// the failures of credentials.

/** A scheme and the variables that satisfy it. */
export interface ChosenScheme {
  readonly scheme: SecuritySchemeDefinition;
  readonly scopes: readonly string[];
  readonly variables: readonly string[];
  /** True if a forwarded header of the client satisfies it. */
  readonly isForwarded?: boolean;
  /** True if the token of the caller is exchanged for one of the API. */
  readonly isExchanged?: boolean;
}

/**
 * The alternative requirements of a request: those of its operation or the API's default, and none
 * if `<PREFIX>_AUTH` is `none`.
 */
export function requirementsOf(
  { security }: Pick<RequestMapping, "security">,
  { api, env }: ApiContext,
): readonly SecurityRequirement[] {
  return callsAnonymously(api, env) ? [] : (security ?? api.security ?? []);
}

type SchemeChoice = { readonly ok: true; readonly schemes: readonly ChosenScheme[] } | AuthFailure;

/**
 * Chooses the first complete alternative. `{}`, which is anonymous access, is the last choice at
 * any position, and the result if there are no alternatives.
 */
export function chooseAlternative(
  requirements: readonly SecurityRequirement[],
  context: ApiContext,
): SchemeChoice {
  const alternatives = requirements.flatMap((requirement) => combinationsOf(requirement, context));
  const complete = alternatives.filter(
    (schemes) => missingVariables(schemes, context.env).length === 0,
  );
  const schemesToUse = complete.find((schemes) => schemes.length > 0) ?? complete[0];
  if (schemesToUse !== undefined) return { ok: true, schemes: schemesToUse };
  if (requirements.length === 0) return { ok: true, schemes: [] };
  if (alternatives.length === 0)
    return unsupportedCredentials(
      `${context.api.title} asks for a kind of credentials that its document does not define.`,
    );
  return missingCredentials(
    context.api,
    alternatives.map((schemes) => missingVariables(schemes, context.env)),
    (context.forwarded ?? []).map(({ from }) => from),
  );
}

/** The options that the document offers. Only these are proposed to users. */
export function documentedOptions(
  scheme: SecuritySchemeDefinition,
): readonly (readonly string[])[] {
  const options = rulesOf(scheme).options(scheme);
  if (scheme.kind !== "oauth2" || !scheme.withoutClientGrant) return options;
  return options.filter((variables) => !variables.includes(scheme.clientSecretEnv ?? ""));
}

/**
 * Maximum number of combinations per requirement. Three options for each of a dozen schemes would
 * be half a million.
 */
const maxCombinations = 20;

/**
 * All combinations of options that satisfy every scheme; none if the document does not define one
 * of the schemes. A scheme with a complete option has only this one, so that messages list options
 * for missing variables only.
 */
function combinationsOf(
  requirement: SecurityRequirement,
  { api, env, forwarded = [], exchange }: ApiContext,
): readonly (readonly ChosenScheme[])[] {
  let combinations: readonly (readonly ChosenScheme[])[] = [[]];
  for (const [name, scopes] of Object.entries(requirement)) {
    const scheme = Object.hasOwn(api.securitySchemes, name) ? api.securitySchemes[name] : undefined;
    if (scheme === undefined) return [];
    const isForwarded = forwarded.some(
      ({ name: header, value }) =>
        value !== "" && header.toLowerCase() === credentialHeader(scheme),
    );
    const isExchanged = !isForwarded && exchange !== undefined && rulesOf(scheme).isToken;
    const withVariables = (variables: readonly string[]) => ({ scheme, scopes, variables });
    const options =
      isForwarded || isExchanged
        ? [{ ...withVariables([]), isForwarded, isExchanged }]
        : rulesOf(scheme).options(scheme).map(withVariables);
    const complete = options.find((option) => missingVariables([option], env).length === 0);
    const remaining = complete ? [complete] : documentedOptions(scheme).map(withVariables);
    combinations = combinations
      .flatMap((combination) => remaining.map((option) => [...combination, option]))
      .slice(0, maxCombinations);
  }
  return combinations;
}

function missingVariables(schemes: readonly ChosenScheme[], env: Env): readonly string[] {
  const missingNames = schemes.flatMap(({ scheme, variables }) =>
    variables.filter((variable) => !isSet(variable, scheme, env)),
  );
  return [...new Set(missingNames)];
}

/**
 * True if a variable is set. A password may be empty, because some APIs take a key as the user
 * name, but must be present.
 */
function isSet(variable: string, scheme: SecuritySchemeDefinition, env: Env): boolean {
  if (scheme.kind === "basic" && variable === scheme.passwordEnv)
    return env[variable] !== undefined;
  return (env[variable] ?? "").trim() !== "";
}

/** Sets of scopes, one of which suffices. An empty set is always granted. */
export type ScopeAlternatives = readonly (readonly string[])[];

/**
 * Lists the sets of scopes with which a caller may send a request. Requirements without OAuth 2.0
 * count only where no other has it: a key of this server must not allow a caller more than its
 * token does. An anonymous requirement needs no scope. OpenAPI 3.1.1, Security Requirement Object.
 */
export function scopeAlternatives(
  { security }: Pick<RequestMapping, "security">,
  api: Pick<ApiDefinition, "security" | "securitySchemes">,
): ScopeAlternatives {
  const requirements = security ?? api.security ?? [];
  const scoped = requirements.filter((one) => oauthSchemes(one, api).length > 0);
  const isAnonymous = requirements.some((one) => Object.keys(one).length === 0);
  if (scoped.length === 0 || isAnonymous) return [[]];
  return scoped.map((one) => [
    ...new Set(oauthSchemes(one, api).flatMap((name) => one[name] ?? [])),
  ]);
}

function oauthSchemes(
  requirement: SecurityRequirement,
  { securitySchemes }: Pick<ApiDefinition, "securitySchemes">,
): readonly string[] {
  return Object.keys(requirement).filter(
    (name) => Object.hasOwn(securitySchemes, name) && securitySchemes[name]?.kind === "oauth2",
  );
}

/** The set of scopes that lacks the fewest; undefined if one of the sets is granted. */
export function ungrantedScopes(
  alternatives: ScopeAlternatives,
  granted: ReadonlySet<string>,
): readonly string[] | undefined {
  const missing = (scopes: readonly string[]): number =>
    scopes.filter((scope) => !granted.has(scope)).length;
  const [nearest] = [...alternatives].sort((a, b) => missing(a) - missing(b));
  return nearest && missing(nearest) > 0 ? nearest : undefined;
}

/** Names scopes in a sentence: `the scope a`, `the scopes a and b`. */
export function describeScopes(scopes: readonly string[]): string {
  const last = scopes.at(-1) ?? "";
  if (scopes.length < 2) return `the scope ${last}`;
  return `the scopes ${scopes.slice(0, -1).join(", ")} and ${last}`;
}

const RESTART = "in the environment of this server, then restart it; do not retry.";

/**
 * Credentials are missing.
 * @param sets alternative sets of variables
 * @param headers headers that clients may send instead
 */
function missingCredentials(
  { title, envPrefix }: ApiDefinition,
  sets: readonly (readonly string[])[],
  headers: readonly string[] = [],
): AuthFailure {
  const options = [...new Set(sets.map((set) => set.join(" and ")))];
  const [first = ""] = options;
  const variables = options.length === 1 ? first : options.join(", or ");
  const setting =
    `Not sent: the description of ${title} asks for credentials that are not set. Set ${variables}, ` +
    `or ${envPrefix}_AUTH=none to call without any, ${RESTART}`;
  if (headers.length === 0) return { ok: false, message: setting, missing: options };
  const header = `the header ${headers.join(" or ")} with its own credentials`;
  const message = `${setting} Or let the client of this server send ${header}.`;
  return { ok: false, message, missing: options };
}

/** The failure of a request that needs credentials and goes to an origin that does not get them. */
export function foreignOriginFailure(url: string, context: ApiContext): AuthFailure {
  return {
    ok: false,
    message:
      `Not sent: ${describeForeignOrigin(url, context)}. Tell the user; do not retry. To send them ` +
      `there, the user adds \`hosts: [${new URL(url).origin}]\` to mcp-gen.yaml and generates this ` +
      "server again.",
  };
}

/**
 * A variable is set to an unusable value.
 * @param problem a clause without a subject
 */
export function invalidCredentials(variables: readonly string[], problem: string): AuthFailure {
  return {
    ok: false,
    message: `Not sent: ${variables.join(" or ")} ${problem}. Correct it ${RESTART}`,
  };
}

/**
 * No variable can satisfy the scheme.
 * @param problem a sentence
 */
export function unsupportedCredentials(problem: string): AuthFailure {
  return { ok: false, message: `Not sent: ${problem} Tell the user; do not retry.` };
}

/**
 * A failure that may be temporary.
 * @param problem a main clause
 */
export function temporaryAuthFailure(problem: string): AuthFailure {
  return {
    ok: false,
    message: `Not sent: ${problem}. Try again in a minute; if it persists, tell the user.`,
  };
}

/**
 * The caller's own access is refused.
 * @param problem a main clause
 */
export function callerFailure(problem: string): AuthFailure {
  return {
    ok: false,
    message:
      `Not sent: ${problem}. Tell the user to sign in to this server again in its client, or to ` +
      "ask its administrator for access; do not retry before.",
  };
}

// ---- auth/token-endpoint.ts ----
// Requests to token endpoints (RFC 6749, sections 2.3.1, 4.4, 5 and 6), and metadata of issuers
// (RFC 8414; OpenID Connect Discovery 1.0).

/** A grant, with its client and its endpoint. */
export interface Grant {
  readonly tokenUrl: string;
  /** Metadata (OpenID Connect, RFC 8414) with the token endpoint, if `tokenUrl` is empty. */
  readonly discoveryUrl?: string;
  /** Issuer whose metadata has the token endpoint, if `tokenUrl` is empty. */
  readonly issuer?: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
  /** `grant_type` and its parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Variables that failures name. */
  readonly variables: readonly string[];
  /** Explains a refusal instead of naming variables. */
  readonly explainRefusal?: (refusal: Refusal) => AuthFailure;
}

/** A response without a usable token. */
export interface Refusal {
  /** Host of the token endpoint. */
  readonly host: string;
  readonly status: number;
  /** Error code of RFC 6749, section 5.2, or of an extension. */
  readonly code: string | undefined;
}

type TokenResponse =
  | {
      readonly ok: true;
      readonly accessToken: string;
      readonly refreshToken?: string;
      readonly expiresIn: number;
    }
  | AuthFailure;

const TIMEOUT_MS = 20_000;
/** Maximum length of a response in characters. */
const MAX_RESPONSE_LENGTH = 100_000;
/** Lifetime in seconds of a token whose response has none. */
const DEFAULT_LIFETIME = 300;

/**
 * Requests a token, first with HTTP Basic authentication, which every server must support, then
 * with the secret in the form. Never rejects. Messages hold neither secrets nor text of the server.
 */
export async function requestToken(grant: Grant, send: typeof fetch): Promise<TokenResponse> {
  const configuredUrl = parseSecureUrl(grant.issuer ?? grant.discoveryUrl ?? grant.tokenUrl);
  if (configuredUrl === undefined)
    return unsupportedCredentials("the token URL is neither https nor on this machine.");
  try {
    const url = await tokenEndpointOf(grant, configuredUrl, send);
    if (url === undefined)
      return temporaryAuthFailure(`${configuredUrl.host} does not publish its token endpoint`);
    const response = await postGrant(url, grant, grant.clientSecret !== "", send);
    const isClientRefused =
      grant.clientSecret !== "" &&
      (response.status === 401 || response.body["error"] === "invalid_client");
    const final = isClientRefused ? await postGrant(url, grant, false, send) : response;
    return readTokenResponse(final, url, grant);
  } catch {
    return temporaryAuthFailure(
      `no response came from the token endpoint at ${configuredUrl.host}`,
    );
  }
}

interface EndpointResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a grant. Redirects are not followed, because they could carry secrets elsewhere. */
async function postGrant(
  url: URL,
  grant: Grant,
  useBasic: boolean,
  send: typeof fetch,
): Promise<EndpointResponse> {
  const { clientId, clientSecret, parameters } = grant;
  const client = useBasic
    ? {}
    : { client_id: clientId, ...(clientSecret === "" ? {} : { client_secret: clientSecret }) };
  const basic = base64(`${percentEncode(clientId)}:${percentEncode(clientSecret)}`);
  const response = await send(url, {
    method: "POST",
    headers: {
      Accept: "application/json",
      "Content-Type": "application/x-www-form-urlencoded",
      ...(useBasic ? { Authorization: `Basic ${basic}` } : {}),
    },
    body: new URLSearchParams({ ...parameters, ...client }).toString(),
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, body: parseObject(await readBoundedText(response)) };
}

/** Token endpoints by issuer or by the URL of their metadata. */
const discoveredEndpoints = new Map<string, URL>();

/** Finds the token endpoint of a grant. Metadata is cached, a failure is not. */
async function tokenEndpointOf(
  { issuer, discoveryUrl }: Grant,
  configuredUrl: URL,
  send: typeof fetch,
): Promise<URL | undefined> {
  const source = issuer ?? discoveryUrl;
  if (source === undefined) return configuredUrl;
  const cached = discoveredEndpoints.get(source);
  if (cached) return cached;
  const endpoint =
    issuer === undefined
      ? await readTokenEndpoint(configuredUrl, send)
      : await findEndpoint(issuer, "token_endpoint", send);
  const url = typeof endpoint === "string" ? parseSecureUrl(endpoint) : undefined;
  if (url) discoveredEndpoints.set(source, url);
  return url;
}

/**
 * Reads the token endpoint from metadata. OpenID Connect Discovery 1.0, section 4; RFC 8414,
 * section 3.
 */
async function readTokenEndpoint(metadataUrl: URL, send: typeof fetch): Promise<unknown> {
  const response = await send(metadataUrl, {
    headers: { Accept: "application/json" },
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const metadata = parseObject(await readBoundedText(response));
  return response.status === 200 ? metadata["token_endpoint"] : undefined;
}

/**
 * Parses a URL that may receive credentials: https, or http on this machine; undefined for any other.
 * A user name or password in it would be sent along.
 * @param base base of a relative URL
 */
export function parseSecureUrl(text: string, base?: string): URL | undefined {
  if (!canParseUrl(text, base)) return undefined;
  const url = new URL(text, base);
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  const isSecure = url.protocol === "https:" || (url.protocol === "http:" && isLoopback);
  return isSecure && url.username === "" && url.password === "" ? url : undefined;
}

function readTokenResponse(
  { status, body }: EndpointResponse,
  url: URL,
  grant: Grant,
): TokenResponse {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: lifetime } = body;
  if (status === 200 && isBearerToken(accessToken, body["token_type"])) {
    const expiresIn = Number(lifetime) > 0 ? Number(lifetime) : DEFAULT_LIFETIME;
    return {
      ok: true,
      accessToken,
      expiresIn,
      ...(typeof refreshToken === "string" ? { refreshToken } : {}),
    };
  }
  if (status === 429 || status >= 500)
    return temporaryAuthFailure(`the token endpoint at ${url.host} responded with ${status}`);
  const code = errorCode(body["error"]);
  if (grant.explainRefusal) return grant.explainRefusal({ host: url.host, status, code });
  const cause = [status, code].filter((part) => part !== undefined).join(" ");
  return invalidCredentials(
    grant.variables,
    `received no access token from ${url.host} (${cause})`,
  );
}

/** True for a token that a header can carry as `Bearer`. RFC 8693, section 2.2.1: `N_A` cannot. */
function isBearerToken(token: unknown, type: unknown): token is string {
  const isOtherType = typeof type === "string" && /^(?:n_a|dpop|pop|mac)$/i.test(type);
  return !isOtherType && typeof token === "string" && /^[\x20-\x7e]+$/.test(token);
}

/** The error code of RFC 6749, section 5.2, or of an extension; `undefined` for free text. */
function errorCode(error: unknown): string | undefined {
  return typeof error === "string" && /^[a-z_]{1,40}$/.test(error) ? error : undefined;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The text of a response; empty if it is longer than the maximum. */
async function readBoundedText(
  response: Response,
  maxLength = MAX_RESPONSE_LENGTH,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxLength) return "";
  }
  return text;
}

const METADATA_TIMEOUT_MS = 5000;
const MAX_METADATA_LENGTH = 1_000_000;

/**
 * Finds an endpoint in the metadata of an issuer (RFC 8414, section 3.1, or OpenID Connect).
 * @returns undefined if no metadata of this issuer has it. Rejects if the issuer cannot be reached.
 */
export async function findEndpoint(
  issuer: string,
  member: "jwks_uri" | "token_endpoint",
  send: typeof fetch = fetch,
): Promise<string | undefined> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  for (const metadataPath of [
    `/.well-known/oauth-authorization-server${path}`,
    `${path}/.well-known/openid-configuration`,
  ]) {
    const metadata = await readMetadata(new URL(metadataPath, origin), send);
    // RFC 8414, section 3.3: metadata of another issuer must not be used.
    const endpoint = metadata?.["issuer"] === issuer ? metadata[member] : undefined;
    if (typeof endpoint === "string" && isLocalOrHttps(endpoint)) return endpoint;
  }
  return undefined;
}

async function readMetadata(
  url: URL,
  send: typeof fetch,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const response = await send(url, {
    headers: { Accept: "application/json" },
    redirect: "manual",
    signal: AbortSignal.timeout(METADATA_TIMEOUT_MS),
  });
  const text = await readBoundedText(response, MAX_METADATA_LENGTH);
  return response.status === 200 ? parseObject(text) : undefined;
}

/**
 * True if a URL is https or on this machine, so that it may be asked for keys, receive credentials
 * and be named to clients.
 */
export function isLocalOrHttps(text: string): boolean {
  return parseSecureUrl(text) !== undefined;
}

// ---- auth/tokens.ts ----
// Access tokens of OAuth 2.0: grants of the environment, exchanges of tokens of callers (RFC 8693),
// and the cache of both.

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

/** An access token with the secrets of its grant, for redaction. */
export type AccessTokenResult =
  | { readonly ok: true; readonly value: string; readonly secrets: readonly string[] }
  | AuthFailure;

/** A token that concurrent calls with the same grant share until it expires. */
interface CacheEntry {
  readonly token: Promise<AccessTokenResult>;
  /** The token, once it has arrived. */
  value?: string;
  /** Milliseconds since the epoch; infinite while the token is requested. */
  usableUntil: number;
}

/** Maximum number of tokens. The one that was not used for the longest time makes room. */
const MAX_ENTRIES = 2_000;

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
  trim(tokenCache);
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

/** Adds a token, or moves it to the end. The oldest tokens above the maximum are removed. */
export function rememberToken(tokens: Set<string>, token: string): void {
  tokens.delete(token);
  tokens.add(token);
  trim(tokens);
}

/** Removes the oldest entries above the maximum. */
function trim(entries: Map<string, unknown> | Set<string>): void {
  for (const key of entries.keys()) {
    if (entries.size <= MAX_ENTRIES) return;
    entries.delete(key);
  }
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
 * Gets a token by a refresh token that all processes use: the one that another process has obtained,
 * or a new one. One process at a time requests, because most refresh tokens are accepted only once.
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

/** Waits for a promise, or rejects with the reason of an aborted signal. */
export async function raceWithAbort<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return promise;
  // Nobody handles a rejection after the signal.
  promise.catch(() => undefined);
  signal.throwIfAborted();
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", abort));
}

// ---- auth/schemes.ts ----
// Reads the credential of a security scheme from its variables.

/**
 * Reads a credential, or requests an access token with OAuth 2.0. Failures name variables, never
 * their values.
 */
export async function readCredential(
  choice: ChosenScheme,
  context: AuthContext,
  options: AuthOptions,
): Promise<CredentialResult> {
  const { scheme, variables, isExchanged } = choice;
  const { env, exchange } = context;
  if (isExchanged && exchange)
    return tokenCredential(await getExchangedToken(choice, exchange, context, options), variables);
  if (scheme.kind === "mutualTLS") return readCertificate(scheme, context);
  if (scheme.kind !== "oauth2") return readFixedCredential(scheme, env, variables);
  if (variables.includes(scheme.tokenEnv))
    return checkCredential(bearer(env[scheme.tokenEnv] ?? ""), variables);
  return tokenCredential(await getAccessToken(choice, scheme, context, options), variables);
}

/** The credential of a token that an authorization server issued. */
function tokenCredential(token: AccessTokenResult, variables: readonly string[]): CredentialResult {
  if (!token.ok) return token;
  const credential = bearer(token.value);
  return checkCredential(
    { ...credential, secrets: [...credential.secrets, ...token.secrets] },
    variables,
  );
}

function readFixedCredential(
  scheme: FixedScheme,
  env: Env,
  variables: readonly string[],
): CredentialResult {
  const credential = fixedCredential(scheme, env);
  if ("invalid" in credential) return invalidCredentials([credential.invalid], credential.problem);
  const place = rulesOf(scheme).place(scheme) as CredentialPlace;
  const secrets = credential.secrets.flatMap(secretForms);
  return checkCredential({ ...place, value: credential.value, secrets }, variables);
}

function bearer(token: string): MessageCredential {
  const { value, secrets } = bearerCredential(token);
  return { in: "header", name: "Authorization", value, secrets: secrets.flatMap(secretForms) };
}

/** Rejects a value that cannot be sent, because the error of the HTTP client would contain it. */
function checkCredential(
  credential: MessageCredential,
  variables: readonly string[],
): CredentialResult {
  const isLegal = { header: isHeaderValue, cookie: isCookieValue, query: isWellFormed }[
    credential.in
  ];
  if (isLegal(credential.value)) return { ok: true, credential };
  return invalidCredentials(
    variables,
    `has a character that a ${credential.in} cannot carry, such as a line break`,
  );
}

const UNREADABLE = "does not name a readable PEM file";

/**
 * Reads certificate and key. Each variable holds a path, or PEM text on platforms without files.
 */
async function readCertificate(
  scheme: SchemeOf<"mutualTLS">,
  { env, platform = {} }: AuthContext,
): Promise<CredentialResult> {
  if (!platform.send)
    return unsupportedCredentials(
      "client certificates cannot be presented where this server runs.",
    );
  const [cert, key] = await Promise.all([
    readPem(env[scheme.certEnv] ?? "", platform),
    readPem(env[scheme.keyEnv] ?? "", platform),
  ]);
  if (cert === undefined) return invalidCredentials([scheme.certEnv], UNREADABLE);
  if (key === undefined) return invalidCredentials([scheme.keyEnv], UNREADABLE);
  return { ok: true, credential: { in: "connection", tls: { cert, key } } };
}

async function readPem(value: string, { readTextFile }: Platform): Promise<string | undefined> {
  if (isPem(value)) return value;
  try {
    const text = (await readTextFile?.(value)) ?? "";
    return isPem(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

function isPem(text: string): boolean {
  return text.includes("-----BEGIN ");
}

// ---- auth/signed-in.ts ----
// Credentials of users who signed in, as if their variables were set.

/** A context with the tokens of signed-in users. */
export interface SignedInContext {
  readonly ok: true;
  readonly context: AuthContext;
  /** Secrets in addition to the tokens, for redaction. */
  readonly secrets: readonly string[];
  /** Scopes of the tokens, by the variable that holds a token. Empty: not stated. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
}

/** Longest time, in milliseconds, for which a call waits for the address of a sign-in. */
const MAX_REQUEST_MS = 5000;

/** Tokens of sign-ins that were sent, the latest last. */
const sentTokens = new Set<string>();

/** Tokens of sign-ins that the API rejected and that were not replaced yet. */
const rejectedSignIns = new Set<string>();

/**
 * Sets the access token of each required scheme whose user signed in. Where callers consent
 * themselves, shared tokens are unset.
 */
export async function addSignedInTokens(
  requirements: readonly SecurityRequirement[],
  context: AuthContext,
): Promise<SignedInContext | AuthFailure> {
  const env: Record<string, string> = {};
  const secrets: string[] = [];
  const scopes = new Map<string, readonly string[]>();
  for (const request of signInRequests(requirements, context)) {
    const { tokenEnv, refreshTokenEnv = tokenEnv, clientSecretEnv = tokenEnv } = request.scheme;
    if (context.consent?.replacesSharedTokens)
      for (const name of [tokenEnv, refreshTokenEnv, clientSecretEnv]) env[name] = "";
    else if (context.env[tokenEnv]?.trim()) continue;
    const token = await tokenFor(request, context);
    if (!token) continue;
    if (!token.ok) return token;
    env[tokenEnv] = token.value;
    scopes.set(tokenEnv, token.scopes);
    secrets.push(...token.secrets);
  }
  return { ok: true, context: { ...context, env: { ...context.env, ...env } }, secrets, scopes };
}

/** The token of a sign-in, another one if the API rejected the last; undefined without a sign-in. */
async function tokenFor(
  request: SignInRequest,
  { platform, consent }: AuthContext,
): Promise<SignInToken | undefined> {
  const read = consent ? consent.token : platform?.signedInToken;
  const stored = await read?.(request);
  const isRejected = stored?.ok && rejectedSignIns.has(stored.value);
  const token = isRejected ? await read?.(request, stored.value) : stored;
  if (isRejected) rejectedSignIns.delete(stored.value);
  if (token?.ok) rememberToken(sentTokens, token.value);
  return token;
}

/**
 * Marks the token of a request that the API rejected.
 * @returns true if it belongs to a sign-in: the next request is sent with another token
 */
export function rejectSignedInToken({ headers }: BoundRequest): boolean {
  const [, value = ""] = headers.find(([name]) => name === "Authorization") ?? [];
  const token = value.replace(/^Bearer /, "");
  if (!sentTokens.has(token)) return false;
  rememberToken(rejectedSignIns, token);
  return true;
}

type SignInScheme = Extract<SecuritySchemeDefinition, { kind: "oauth2" }>;

/** The schemes with a sign-in, by name. */
export function signInSchemes({
  securitySchemes,
}: ApiDefinition): readonly (readonly [name: string, scheme: SignInScheme])[] {
  return Object.entries(securitySchemes).flatMap(([name, scheme]) =>
    scheme.kind === "oauth2" && scheme.signIn ? [[name, scheme] as const] : [],
  );
}

/** The reason why sign-in is not possible, as a sentence. */
export function noSignInProblem(api: ApiDefinition): string {
  return signInSchemes(api).length === 0
    ? `There is nothing to sign in to: ${api.title} declares no scheme with a sign-in.`
    : "src/main.ts passes no signIn to serve: generate the project again.";
}

/** The possible sign-ins of requirements: schemes with endpoints whose client ID is set. */
export function signInRequests(
  requirements: readonly SecurityRequirement[],
  context: Pick<AuthContext, "api" | "env">,
): readonly SignInRequest[] {
  const { api, env } = context;
  const names = new Set(requirements.flatMap((requirement) => Object.keys(requirement)));
  return [...names].flatMap((schemeName) => {
    const scheme = Object.hasOwn(api.securitySchemes, schemeName)
      ? api.securitySchemes[schemeName]
      : undefined;
    if (scheme?.kind !== "oauth2" || !scheme.signIn) return [];
    const clientId = env[scheme.clientIdEnv ?? ""]?.trim() ?? "";
    const clientSecret = env[scheme.clientSecretEnv ?? ""]?.trim() ?? "";
    const base = resolveBaseUrl(api.servers, context);
    const baseUrl = base.ok ? base.url : "";
    const loginCommand = loginCommandOf(api);
    const hosts = api.hosts && { hosts: api.hosts };
    const binding = { api: api.name, schemeName, scheme, baseUrl, ...hosts, clientId };
    const request = { ...binding, clientSecret, loginCommand };
    return clientId === "" ? [] : [request];
  });
}

/**
 * Asks the user for consent. Returns the text for the user; undefined if no required scheme
 * supports consent.
 */
export async function requestConsent(
  requirements: readonly SecurityRequirement[],
  context: AuthContext,
): Promise<string | undefined> {
  const { consent, api } = context;
  const [request] = signInRequests(requirements, context);
  const link = request && consent && (await withinTime(consent.request(request)));
  if (typeof link === "string" || !consent || !link) return link as string | undefined;
  const isLocal = !consent.replacesSharedTokens;
  return (
    `Not sent: ${api.title} needs the user's consent. Give the user this link to open in a ` +
    `browser${isLocal ? " on this machine" : ""}: ${link.url} (valid for 10 minutes). ` +
    `${isLocal ? `Or tell the user to run ${loginCommandOf(api)}. ` : ""}` +
    `Call ${consent.tool} again when they have signed in.`
  );
}

/** The result of a promise; undefined if it rejects or takes too long. */
async function withinTime<T>(promise: Promise<T>): Promise<T | undefined> {
  let timeout: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timeout = setTimeout(() => resolve(undefined), MAX_REQUEST_MS);
  });
  return Promise.race([promise.catch(() => undefined), late]).finally(() => clearTimeout(timeout));
}

/** The steps by which the user signs in, in the imperative; undefined where no scheme has a sign-in. */
export function signInSteps(
  requirements: readonly SecurityRequirement[],
  { api, env, platform }: AuthContext,
): string | undefined {
  if (!platform?.signedInToken) return undefined;
  for (const name of requirements.flatMap((requirement) => Object.keys(requirement))) {
    const scheme = Object.hasOwn(api.securitySchemes, name) ? api.securitySchemes[name] : undefined;
    if (scheme?.kind !== "oauth2" || !scheme.signIn) continue;
    const isReady = Boolean(env[scheme.clientIdEnv ?? ""]?.trim());
    return `${isReady ? "" : `set ${scheme.clientIdEnv} and `}run ${loginCommandOf(api)}`;
  }
  return undefined;
}

// ---- auth/authenticate.ts ----
// Authentication of requests: credentials of the chosen schemes, and their secrets.

/**
 * Drops the token of a request that the API rejected with 401.
 * @returns true if another token can be obtained, so that the call can be repeated once
 */
export function invalidateToken(request: BoundRequest): boolean {
  return invalidateCachedToken(request) || rejectSignedInToken(request);
}

/**
 * Adds credentials to a request: those of the first alternative of its security requirements whose
 * variables are all set. An anonymous alternative is the last choice. OpenAPI 3.1.1, Security
 * Requirement Object. Headers that the client forwards replace those of the environment, and both
 * replace values that an input has set. A request to another origin gets none of them: it is sent
 * without, or refused if it needs credentials. Rejects only with the reason of an aborted `signal`.
 */
export async function authenticate(
  request: BoundRequest,
  mapping: Pick<RequestMapping, "security">,
  context: AuthContext,
  options: AuthOptions = {},
): Promise<AuthResult> {
  const requirements = requirementsOf(mapping, context);
  const forwarded = (context.forwarded ?? []).filter(({ value }) => value !== "");
  if (requirements.length === 0 && forwarded.length === 0) return withoutCredentials(request);
  if (!receivesCredentials(request.url, context))
    return findOriginFailure(requirements, request.url, context) ?? withoutCredentials(request);
  const choice = await chooseCredentials(requirements, context, options);
  if (!choice.ok) return choice;
  const { schemes, signedIn } = choice;
  const results = await Promise.all(
    schemes
      .filter((scheme) => !scheme.isForwarded)
      .map((scheme) => readCredential(scheme, signedIn.context, options)),
  );
  const credentials = {
    variables: describeVariables(schemes, signedIn.scopes, context),
    headers: credentialHeaders(forwarded, context.api),
    missingScopes: missingScopes(schemes, signedIn.scopes),
  };
  const forwardedAuth = {
    credentials,
    request: forwarded.reduce(withHeader, request),
    secrets: [
      ...signedIn.secrets,
      ...forwarded.flatMap(({ value }) => [
        ...secretForms(value),
        ...secretForms(value.replace(/^\S+ +/, "")),
      ]),
    ],
  };
  return results.reduce<AuthResult>(addCredential, { ok: true, ...forwardedAuth });
}

function withoutCredentials(request: BoundRequest): AuthResult {
  return { ok: true, request, secrets: [], credentials: { variables: [], headers: [] } };
}

/** The failure of a request that needs credentials, to an origin that gets none. */
export function findOriginFailure(
  requirements: readonly SecurityRequirement[],
  url: string,
  context: ApiContext,
): AuthFailure | undefined {
  const needsCredentials =
    requirements.length > 0 && requirements.every((one) => Object.keys(one).length > 0);
  if (!needsCredentials || receivesCredentials(url, context)) return undefined;
  return foreignOriginFailure(url, context);
}

/** Scopes that a sign-in was not granted; undefined if it has all. */
function missingScopes(
  schemes: readonly ChosenScheme[],
  granted: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const missing = schemes.flatMap(({ scopes, variables }) =>
    variables.flatMap((name) => {
      const held = granted.get(name) ?? [];
      return held.length === 0 ? [] : scopes.filter((scope) => !held.includes(scope));
    }),
  );
  return missing.length > 0 ? missing : undefined;
}

/**
 * Chooses the schemes of a request, with the tokens of signed-in users.
 * @returns the schemes, or the reason why there are none. Rejects only with the reason of an aborted
 *   `options.signal`.
 */
export async function chooseCredentials(
  requirements: readonly SecurityRequirement[],
  context: AuthContext,
  options: Pick<AuthOptions, "signal"> = {},
): Promise<
  | {
      readonly ok: true;
      readonly schemes: readonly ChosenScheme[];
      readonly signedIn: SignedInContext;
    }
  | AuthFailure
> {
  const signedIn: SignedInContext | AuthFailure = context.exchange
    ? { ok: true, context, secrets: [], scopes: new Map() }
    : await readSignIns(requirements, context, options);
  if (!signedIn.ok) return signedIn;
  const choice = chooseAlternative(requirements, signedIn.context);
  if (choice.ok) return { ...choice, signedIn };
  return choice.missing ? withSignInAdvice(choice, requirements, context) : choice;
}

/**
 * Adds the tokens of signed-in users. A refresh may wait for another process. Most APIs have no
 * sign-in; their calls do not use the signal, which is created on first use.
 */
function readSignIns(
  requirements: readonly SecurityRequirement[],
  context: AuthContext,
  options: Pick<AuthOptions, "signal">,
): Promise<SignedInContext | AuthFailure> {
  const reading = addSignedInTokens(requirements, context);
  const canWait = context.consent !== undefined || context.platform?.signedInToken !== undefined;
  return canWait ? raceWithAbort(reading, options.signal) : reading;
}

/** Sources of credentials other than headers, as messages name them. */
function describeVariables(
  schemes: readonly ChosenScheme[],
  signedIn: ReadonlyMap<string, readonly string[]>,
  { api }: AuthContext,
): readonly string[] {
  const names = schemes.flatMap(({ variables, isExchanged }) =>
    isExchanged
      ? [`the token that this caller's was exchanged for (${api.envPrefix}_TOKEN_EXCHANGE)`]
      : variables.map((name) =>
          signedIn.has(name) ? `the sign-in (${loginCommandOf(api)})` : name,
        ),
  );
  return [...new Set(names)];
}

async function withSignInAdvice(
  failure: AuthFailure,
  requirements: readonly SecurityRequirement[],
  context: AuthContext,
): Promise<AuthFailure> {
  const request = await requestConsent(requirements, context);
  if (request !== undefined) return { ok: false, message: request };
  const steps = signInSteps(requirements, context);
  if (steps === undefined) return failure;
  const advice = `Or tell the user to ${steps}, then call again.`;
  return { ...failure, message: `${failure.message} ${advice}` };
}

/** Forwarded headers that hold credentials; all of them where the API declares no scheme. */
function credentialHeaders(
  forwarded: readonly ForwardedHeader[],
  { securitySchemes }: ApiDefinition,
): readonly string[] {
  const schemes = Object.values(securitySchemes);
  const names = new Set(["authorization", "cookie", ...schemes.flatMap(credentialHeader)]);
  const isCredential = ({ name }: ForwardedHeader): boolean =>
    schemes.length === 0 || names.has(name.toLowerCase());
  return forwarded.filter(isCredential).map(({ from }) => from);
}

function addCredential(auth: AuthResult, result: CredentialResult): AuthResult {
  if (!auth.ok) return auth;
  if (!result.ok) return result;
  const { credential } = result;
  if (credential.in === "connection") return { ...auth, tls: credential.tls };
  const secrets = [...new Set([...auth.secrets, ...credential.secrets])];
  return { ...auth, request: applyCredential(auth.request, credential), secrets };
}

/** Adds a credential to a request, and replaces any value of the same name. */
function applyCredential(request: BoundRequest, credential: MessageCredential): BoundRequest {
  switch (credential.in) {
    case "header":
      return withHeader(request, credential);
    case "query":
      return { ...request, url: withQueryParameter(request.url, credential) };
    case "cookie":
      return withCookie(request, credential);
  }
}

/** Sets a header, and replaces all others of the same name. */
function withHeader(
  request: BoundRequest,
  { name, value }: { readonly name: string; readonly value: string },
): BoundRequest {
  const others = request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  return { ...request, headers: [...others, [name, value]] };
}

function withQueryParameter(url: string, { name, value }: MessageCredential): string {
  const [path = "", ...rest] = url.split("?");
  const others = rest
    .join("?")
    .split("&")
    .filter((pair) => pair !== "" && !new URLSearchParams(pair).has(name));
  return `${path}?${[...others, `${percentEncode(name)}=${percentEncode(value)}`].join("&")}`;
}

function withCookie(request: BoundRequest, credential: MessageCredential): BoundRequest {
  const name = encodeCookieName(credential.name);
  const [, cookies = ""] =
    request.headers.find(([header]) => header.toLowerCase() === "cookie") ?? [];
  const others = cookies
    .split("; ")
    .filter((cookie) => cookie !== "" && !cookie.startsWith(`${name}=`));
  return withHeader(request, {
    name: "Cookie",
    value: [...others, `${name}=${credential.value}`].join("; "),
  });
}
