/** Credentials of users who signed in, as if their variables were set. */
import { type ApiDefinition, loginCommandOf, type SecurityRequirement } from "../api-definition.js";
import { rememberToken } from "./recent-tokens.js";
import type { SignInRequest, SignInToken } from "./consent-types.js";
import type { AuthContext, AuthFailure, SignedInContext, SignInScheme } from "./types.js";
import { resolveBaseUrl } from "../request/base-url.js";
import type { BoundRequest } from "../request/types.js";

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
