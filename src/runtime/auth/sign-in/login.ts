/** Sign-in in a browser: authorization code with PKCE (RFC 8252), or a device code (RFC 8628). */
import * as oauth from "oauth4webapi";
import type { SignInRequest } from "../../client/platform.js";
import {
  findAuthorizationServer,
  requestOptions,
  SignInError,
  type TrustedServer,
} from "./authorization-server.js";
import { listenForCallback } from "./callback.js";
import { clientOf, exchangeCode, pollDeviceCode, sessionOf } from "./grants.js";
import { type Session, withLock, writeSession } from "./store.js";

interface SignInOptions {
  readonly device: boolean;
  /** Port of the redirect; 0 for a free one. */
  readonly port: number;
}

/** Signs a user in and stores the session. */
export async function signIn(
  request: SignInRequest,
  scopes: readonly string[],
  { device, port }: SignInOptions,
): Promise<Session> {
  const trusted = await findAuthorizationServer(request);
  const usesDevice = device || trusted.server.authorization_endpoint === undefined;
  const tokens = usesDevice
    ? await signInOnDevice(request, trusted, scopes)
    : await signInInBrowser(request, trusted, scopes, port);
  if (tokens.token_type !== "bearer")
    throw new SignInError("The authorization server sent a token that is not a bearer token.");
  const session = sessionOf(request, trusted, tokens, scopes);
  await withLock(request, () => writeSession(request, session));
  return session;
}

async function signInInBrowser(
  request: SignInRequest,
  trusted: TrustedServer,
  scopes: readonly string[],
  port: number,
): Promise<oauth.TokenEndpointResponse> {
  const { server } = trusted;
  const state = oauth.generateRandomState();
  const verifier = oauth.generateRandomCodeVerifier();
  const listener = await listenForCallback(state, port);
  try {
    const { redirectUri } = listener;
    const url = new URL(server.authorization_endpoint ?? "");
    const parameters = {
      response_type: "code",
      client_id: request.clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...scopeParameters(scopes),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    process.stderr.write(`Open this address in a browser on this machine:\n\n  ${url.href}\n\n`);
    const answer = await listener.parameters;
    return await exchangeCode(request, trusted, answer, { state, verifier, redirectUri });
  } finally {
    listener.close();
  }
}

async function signInOnDevice(
  request: SignInRequest,
  trusted: TrustedServer,
  scopes: readonly string[],
): Promise<oauth.TokenEndpointResponse> {
  const { server } = trusted;
  if (server.device_authorization_endpoint === undefined)
    throw new SignInError("The authorization server has no device authorization. Omit --device.");
  const { client, authentication } = clientOf(request, server);
  const response = await oauth.deviceAuthorizationRequest(
    server,
    client,
    authentication,
    scopeParameters(scopes),
    requestOptions(),
  );
  const code = await oauth.processDeviceAuthorizationResponse(server, client, response);
  const { verification_uri: url, user_code: userCode } = code;
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(url) || !/^[\x20-\x7e]{1,40}$/.test(userCode))
    throw new SignInError("The authorization server sent an unusable address or code.");
  process.stderr.write(`Open ${url} on any device and enter the code ${userCode}\n`);
  return pollDeviceCode(request, trusted, code);
}

/** `scope`, with `openid` where it is among the needed ones. */
function scopeParameters(scopes: readonly string[]): Readonly<Record<string, string>> {
  return scopes.length === 0 ? {} : { scope: scopes.join(" ") };
}
