/**
 * Requests for tokens with `oauth4webapi`, and the sessions that they give: the tokens of signed-in
 * users, refreshed by one process at a time.
 */
import * as oauth from "oauth4webapi";
import { loginCommandOf } from "../../api-definition.js";
import type { SignInRequest, SignInToken } from "../consent-types.js";
import { secretForms } from "../../response/secret-forms.js";
import { requestOptions, SignInError, type TrustedServer } from "./authorization-server.js";
import {
  readSession,
  removeSession,
  type Session,
  StoreError,
  withLock,
  writeSession,
} from "./store.js";

/** The client in the library's form: its ID and authentication method. */
export function clientOf(
  { clientId, clientSecret }: SignInRequest,
  {
    token_endpoint_auth_methods_supported: methods = ["client_secret_basic"],
  }: oauth.AuthorizationServer,
): { readonly client: oauth.Client; readonly authentication: oauth.ClientAuth } {
  const client = { client_id: clientId };
  if (clientSecret === "") return { client, authentication: oauth.None() };
  const authentication = methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret);
  return { client, authentication };
}

/** Values that a redirect to an authorization server is bound to. */
interface RedirectSecrets {
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
  /** Present if an ID token is needed. */
  readonly nonce?: string;
}

/** The address at which a user consents: authorization code with PKCE. */
export async function authorizationUrl(
  { clientId }: SignInRequest,
  { server }: TrustedServer,
  scopes: readonly string[],
  { state, verifier, redirectUri, nonce }: RedirectSecrets,
): Promise<URL> {
  if (server.authorization_endpoint === undefined)
    throw new SignInError("The authorization server has no authorization endpoint.");
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(nonce !== undefined && { nonce }),
    ...(scopes.length > 0 && { scope: scopes.join(" ") }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** Exchanges a code. The parameters are those of the redirect; `iss` is checked (RFC 9207). */
export async function exchangeCode(
  request: SignInRequest,
  trusted: TrustedServer,
  parameters: URLSearchParams,
  { state, verifier, redirectUri, nonce }: RedirectSecrets,
): Promise<oauth.TokenEndpointResponse> {
  const { server } = trusted;
  const { client, authentication } = clientOf(request, server);
  const valid = oauth.validateAuthResponse(server, client, parameters, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    valid,
    redirectUri,
    verifier,
    requestOptions(),
  );
  const readable = await withoutUncheckableIdToken(response, trusted);
  const expected = nonce === undefined ? {} : { expectedNonce: nonce, requireIdToken: true };
  return oauth.processAuthorizationCodeResponse(server, client, readable, expected);
}

/**
 * Polls for the token of a device code until the user has decided. A server that does not respond
 * is asked less often. RFC 8628, section 3.5.
 */
export async function pollDeviceCode(
  request: SignInRequest,
  trusted: TrustedServer,
  { device_code: code, expires_in: lifetime, interval = 5 }: oauth.DeviceAuthorizationResponse,
): Promise<oauth.TokenEndpointResponse> {
  const { server } = trusted;
  const { client, authentication } = clientOf(request, server);
  const deadline = Date.now() + lifetime * 1000;
  for (let seconds = interval; Date.now() < deadline;) {
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    const response = await oauth
      .deviceCodeGrantRequest(server, client, authentication, code, requestOptions())
      .catch(() => undefined);
    if (!response || response.status >= 500) {
      await response?.body?.cancel();
      seconds *= 2;
      continue;
    }
    try {
      const readable = await withoutUncheckableIdToken(response, trusted);
      return await oauth.processDeviceCodeResponse(server, client, readable);
    } catch (error) {
      const problem = errorCode(error);
      if (problem === "slow_down") seconds += 5;
      else if (problem !== "authorization_pending") throw error;
    }
  }
  throw new SignInError("The code expired before the sign-in was completed. Start again.");
}

/** Requests new tokens. The response of a server with rotation has a new refresh token, too. */
export async function refreshSession(request: SignInRequest, session: Session): Promise<Session> {
  const { server, refreshToken = "" } = session;
  const { client, authentication } = clientOf(request, server);
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    authentication,
    refreshToken,
    requestOptions(),
  );
  const readable = await withoutUncheckableIdToken(response, session);
  const tokens = await oauth.processRefreshTokenResponse(server, client, readable);
  const { refreshToken: rotated = refreshToken, ...renewed } = sessionOf(request, session, tokens);
  const { user } = session;
  return {
    ...renewed,
    ...(user !== undefined && { user }),
    ...(tokens.scope === undefined && { scopes: session.scopes }),
    refreshToken: rotated,
  };
}

/** Revokes the tokens of a session (RFC 7009). Returns false if the server cannot. */
export async function revokeSession(request: SignInRequest, session: Session): Promise<boolean> {
  const { server, accessToken, refreshToken } = session;
  if (server.revocation_endpoint === undefined) return false;
  const { client, authentication } = clientOf(request, server);
  for (const token of [refreshToken, accessToken]) {
    if (token === undefined) continue;
    const options = requestOptions();
    const response = await oauth.revocationRequest(server, client, authentication, token, options);
    await oauth.processRevocationResponse(response);
  }
  return true;
}

/** True if a session's token can be sent: it is not about to expire, and was not rejected. */
export function isUsable(
  { accessToken, usableUntil = Infinity }: Session,
  rejected?: string,
): boolean {
  return accessToken !== rejected && Date.now() < usableUntil;
}

/** The token of a session. */
export function tokenOf(
  { clientSecret }: SignInRequest,
  { accessToken: value, refreshToken = "", scopes }: Session,
): SignInToken {
  const secrets = [refreshToken, clientSecret].filter((secret) => secret !== "");
  return { ok: true, value, scopes, secrets: secrets.flatMap(secretForms) };
}

/** The session of a token response. */
export function sessionOf(
  { api, schemeName: scheme, baseUrl, hosts, clientId }: SignInRequest,
  { server, isIssuerInferred }: TrustedServer,
  tokens: oauth.TokenEndpointResponse,
  requestedScopes: readonly string[] = [],
): Session {
  const claims = isIssuerInferred ? undefined : oauth.getValidatedIdTokenClaims(tokens);
  const user = claims?.["preferred_username"] ?? claims?.["email"] ?? claims?.sub;
  return {
    ...{ api, scheme, baseUrl, clientId, server, isIssuerInferred },
    ...(hosts && { hosts }),
    accessToken: tokens.access_token,
    ...(tokens.refresh_token !== undefined && { refreshToken: tokens.refresh_token }),
    ...(tokens.expires_in !== undefined && expiryOf(tokens.expires_in)),
    scopes: tokens.scope?.split(" ").filter(Boolean) ?? requestedScopes,
    ...(typeof user === "string" && { user }),
  };
}

/** Times of a lifetime in seconds: a token is used until a minute, or half of it, remains. */
function expiryOf(lifetime: number): Pick<Session, "expiresAt" | "usableUntil"> {
  const now = Date.now();
  const usable = Math.max(lifetime - 60, lifetime / 2);
  return { expiresAt: now + lifetime * 1000, usableUntil: now + usable * 1000 };
}

/** The error code of a response of the authorization server. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { readonly error?: unknown } | undefined)?.error;
  return typeof code === "string" && /^[a-z_]{1,40}$/.test(code) ? code : undefined;
}

/** Removes an ID token whose issuer is not known. Nothing in it is used. */
async function withoutUncheckableIdToken(
  response: Response,
  { isIssuerInferred }: Pick<TrustedServer, "isIssuerInferred">,
): Promise<Response> {
  if (!isIssuerInferred || !response.ok) return response;
  const { id_token: _, ...rest } = (await response.json()) as Record<string, unknown>;
  const { status, headers } = response;
  return new Response(JSON.stringify(rest), {
    status,
    headers: { "content-type": headers.get("content-type") ?? "" },
  });
}

/**
 * Returns the token of a session, refreshed if it is about to expire.
 * @param rejected a token that the API no longer accepts
 */
export async function signedInToken(
  request: SignInRequest,
  rejected?: string,
): Promise<SignInToken | undefined> {
  try {
    const session = await readSession(request);
    if (!session || isUsable(session, rejected)) return session && tokenOf(request, session);
    if (session.refreshToken === undefined)
      return { ok: false, message: `Not sent: the sign-in has expired. ${signInAgain(request)}` };
    return await withLock(request, () => refreshOnce(request, rejected));
  } catch (error) {
    return { ok: false, message: `Not sent: ${describeFailure(error, request)}` };
  }
}

/** Refreshes a session, unless another process has just done so. */
async function refreshOnce(
  request: SignInRequest,
  rejected: string | undefined,
): Promise<SignInToken | undefined> {
  const session = await readSession(request);
  if (!session || isUsable(session, rejected)) return session && tokenOf(request, session);
  try {
    const renewed = await refreshSession(request, session);
    await writeSession(request, renewed);
    return tokenOf(request, renewed);
  } catch (error) {
    if (errorCode(error) === "invalid_grant") await removeSession(request);
    throw error;
  }
}

function signInAgain({ loginCommand = loginCommandOf({}) }: SignInRequest): string {
  return `Tell the user to run ${loginCommand}, then call again.`;
}

function describeFailure(error: unknown, request: SignInRequest): string {
  if (error instanceof StoreError) return `${error.message} Tell the user; do not retry.`;
  const code = errorCode(error);
  if (code === "invalid_grant")
    return `the sign-in has expired or was revoked. ${signInAgain(request)}`;
  if (code !== undefined)
    return `the authorization server refused to refresh the sign-in (${code}). ${signInAgain(request)}`;
  return "the sign-in could not be refreshed. Try again in a minute; if it persists, tell the user.";
}
