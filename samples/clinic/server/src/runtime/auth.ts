// auth: files of the runtime of mcp-gen as one module, each after those that it uses.

import { raceWithAbort, type Store } from "./data.js";
import {
  type ApiContext, type AuthResult, type BoundRequest, type CallerExchange, callsAnonymously,
  describeForeignOrigin, encodeCookieName, type Env, type Folder, type ForwardedHeader, headerIn,
  isCookieValue, isHeaderValue, isWellFormed, percentEncode, receivesCredentials, type SendFunction,
  type WrapSend,
} from "./request.js";
import { secretForms } from "./response.js";
import {
  type ApiDefinition, bearerCredential, credentialHeader, type CredentialPlace, fixedCredential,
  type FixedScheme, loginCommandOf, type RequestMapping, rulesOf, type SecurityRequirement,
  type SecuritySchemeDefinition,
} from "./types.js";

// ---- auth/consent-types.ts ----
// Stands in for sign-ins and the consent of users, which no scheme of the API has.

export interface UserConsent {
  readonly replacesSharedTokens: boolean;
}

export type ToolConsent = UserConsent;

export interface SignInPlatform {
  readonly signedInToken?: never;
}

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

/** A credential in the request itself. */
export interface MessageCredential {
  readonly in: "header" | "query" | "cookie";
  readonly name: string;
  readonly value: string;
  /** Forms in which the API may return the secret. */
  readonly secrets: readonly string[];
}

/** A credential that needs the connection or the API's answer: it wraps the function that sends. */
interface ExchangeCredential {
  readonly in: "exchange";
  readonly wrapSend: WrapSend;
  /** Forms in which the API may return the secret. */
  readonly secrets: readonly string[];
}

type Credential = MessageCredential | ExchangeCredential;

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
  /** True if its client answers forms while the request runs. */
  readonly answersForms?: true;
}

/**
 * Functions that only some platforms have. The entry point passes them in, so that no other module
 * imports `node:` modules: the same tools run in Cloudflare Workers, Deno and Bun.
 */
export interface Platform extends SignInPlatform {
  /** Reads a text file that a setting names. */
  readTextFile?(path: string): Promise<string>;
  /**
   * Opens the folder in which tools may read and save files.
   * @returns the folder, or the problem as a clause without a subject
   */
  openFolder?(path: string): Promise<Folder | string>;
  /** Sends requests to the API instead of `fetch`, which cannot present client certificates. */
  readonly send?: SendFunction;
  /** Sends requests to authorization servers. The default is the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** An access token with the secrets of its grant, for redaction. */
export type AccessTokenResult =
  | { readonly ok: true; readonly value: string; readonly secrets: readonly string[] }
  | AuthFailure;

/** A context with the tokens of signed-in users. */
export interface SignedInContext {
  readonly ok: true;
  readonly context: AuthContext;
  /** Secrets in addition to the tokens, for redaction. */
  readonly secrets: readonly string[];
  /** Scopes of the tokens, by the variable that holds a token. Empty: not stated. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
}

// ---- auth/requirements.ts ----
// Security requirements of requests: the alternative whose variables are set, and the failures of
// credentials.

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
  const { options, unproposed } = rulesOf(scheme);
  const variable = unproposed?.(scheme);
  return options(scheme).filter(
    (variables) => variable === undefined || !variables.includes(variable),
  );
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

function isSet(variable: string, scheme: SecuritySchemeDefinition, env: Env): boolean {
  return variable === rulesOf(scheme).mayBeEmpty?.(scheme)
    ? env[variable] !== undefined
    : (env[variable] ?? "").trim() !== "";
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

// ---- auth/client-certificate.ts ----
// Stands in for client certificates: no scheme of this API has one.

export function readCertificate(..._: readonly unknown[]): Promise<CredentialResult> {
  return Promise.reject(new Error("This server was generated without client certificates."));
}

// ---- auth/tokens.ts ----
// Stands in for access tokens that servers request, which no scheme of the API has.

const noTokens = unsupportedCredentials("This server requests no access tokens.");

/** There is no token to request. */
export async function getAccessToken(
  _choice: ChosenScheme,
  _scheme: object,
  _context: AuthContext,
  _options: AuthOptions,
): Promise<AccessTokenResult> {
  return noTokens;
}

/** There is no token to exchange. */
export async function getExchangedToken(
  _choice: ChosenScheme,
  _exchange: CallerExchange,
  _context: AuthContext,
  _options: AuthOptions,
): Promise<AccessTokenResult> {
  return noTokens;
}

/** No token was requested. */
export function invalidateCachedToken(_request: BoundRequest): boolean {
  return false;
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

// ---- auth/signed-in.ts ----
// Stands in for the sign-in of users, which no scheme of the API has.

/** No user signs in. */
export async function addSignedInTokens(
  _requirements: readonly SecurityRequirement[],
  context: AuthContext,
): Promise<SignedInContext | AuthFailure> {
  return { ok: true, context, secrets: [], scopes: new Map() };
}

/** No token belongs to a sign-in. */
export function rejectSignedInToken(_request: BoundRequest): boolean {
  return false;
}

/** The reason why sign-in is not possible, as a sentence. */
export function noSignInProblem({ title }: ApiDefinition): string {
  return `There is nothing to sign in to: ${title} declares no scheme with a sign-in.`;
}

/** There is nobody to ask for consent. */
export async function requestConsent(
  _requirements: readonly SecurityRequirement[],
  _context: AuthContext,
): Promise<string | undefined> {
  return undefined;
}

/** Nobody has to sign in, so there are no steps to name. */
export function signInSteps(
  _requirements: readonly SecurityRequirement[],
  _context: AuthContext,
): string | undefined {
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
 * @returns the schemes, or the reason why there are none. Rejects only with the reason of an
 * aborted
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
  const secrets = [...new Set([...auth.secrets, ...credential.secrets])];
  if (credential.in === "exchange") return { ...auth, secrets, wrapSend: credential.wrapSend };
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
export function withHeader(
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
  const others = (headerIn(request.headers, "Cookie") ?? "")
    .split("; ")
    .filter((cookie) => cookie !== "" && !cookie.startsWith(`${name}=`));
  return withHeader(request, {
    name: "Cookie",
    value: [...others, `${name}=${credential.value}`].join("; "),
  });
}

// ---- auth/scopes.ts ----
// Scopes of access tokens that requests require.

export function scopeAlternatives(..._: readonly unknown[]): ScopeAlternatives {
  return [[]];
}

export function ungrantedScopes(..._: readonly unknown[]): readonly string[] | undefined {
  return undefined;
}

export function describeScopes(_: readonly string[]): string {
  return "";
}

/** Sets of scopes, one of which suffices. An empty set is always granted. */
export type ScopeAlternatives = readonly (readonly string[])[];

// ---- auth/sign-in-module.ts ----
// Stands in for the module of sign-ins, which no scheme of the API has.

export type LoadSignIn = () => Promise<never>;

export const signInFunctions = (_: unknown): object => ({});
