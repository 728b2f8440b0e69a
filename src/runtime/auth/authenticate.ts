/** Authentication of requests: credentials of the chosen schemes, and their secrets. */
import { raceWithAbort } from "../data/abort.js";
import { receivesCredentials } from "../request/origins.js";
import { encodeCookieName, percentEncode } from "../request/serialize.js";
import {
  type ApiContext,
  type AuthResult,
  type BoundRequest,
  type ForwardedHeader,
  headerIn,
} from "../request/types.js";
import { type ApiDefinition, loginCommandOf, type SecurityRequirement } from "../api-definition.js";
import { credentialHeader } from "../security-schemes.js";
import type { RequestMapping } from "../types.js";
import {
  type ChosenScheme,
  chooseAlternative,
  foreignOriginFailure,
  requirementsOf,
} from "./requirements.js";
import { readCredential } from "./schemes.js";
import { secretForms } from "../response/secret-forms.js";
import {
  addSignedInTokens,
  rejectSignedInToken,
  requestConsent,
  signInSteps,
} from "./signed-in.js";
import { invalidateCachedToken } from "./tokens.js";
import type {
  AuthContext,
  AuthFailure,
  AuthOptions,
  CredentialResult,
  MessageCredential,
  SignedInContext,
} from "./types.js";

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
