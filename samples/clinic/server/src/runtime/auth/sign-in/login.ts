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
import { authorizationUrl, clientOf, exchangeCode, pollDeviceCode, sessionOf } from "./grants.js";
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
  if (device || trusted.server.authorization_endpoint === undefined) {
    const tokens = await signInOnDevice(request, trusted, scopes);
    return storeSession(request, trusted, tokens, scopes);
  }
  const { url, session } = await startSignIn(request, trusted, scopes, port);
  process.stderr.write(`Open this address in a browser on this machine:\n\n  ${url}\n\n`);
  return session;
}

/** A sign-in that waits for the user. */
interface StartedSignIn {
  /** Address for a browser on this machine. */
  readonly url: string;
  /** The stored session. Rejects after the deadline of the listener. */
  readonly session: Promise<Session>;
}

/**
 * Starts a sign-in in a browser, whose redirect goes to this process.
 * @param port 0 for a free one
 */
export async function startSignIn(
  request: SignInRequest,
  trusted: TrustedServer,
  scopes: readonly string[],
  port = 0,
): Promise<StartedSignIn> {
  const state = oauth.generateRandomState();
  const listener = await listenForCallback(state, port);
  const secrets = {
    state,
    verifier: oauth.generateRandomCodeVerifier(),
    redirectUri: listener.redirectUri,
  };
  const finish = async (): Promise<Session> => {
    try {
      const tokens = await exchangeCode(request, trusted, await listener.parameters, secrets);
      return await storeSession(request, trusted, tokens, scopes);
    } finally {
      listener.close();
    }
  };
  try {
    const { href } = await authorizationUrl(request, trusted, scopes, secrets);
    return { url: href, session: finish() };
  } catch (error) {
    listener.close();
    throw error;
  }
}

async function storeSession(
  request: SignInRequest,
  trusted: TrustedServer,
  tokens: oauth.TokenEndpointResponse,
  scopes: readonly string[],
): Promise<Session> {
  if (tokens.token_type !== "bearer")
    throw new SignInError("The authorization server sent a token that is not a bearer token.");
  const session = sessionOf(request, trusted, tokens, scopes);
  await withLock(request, () => writeSession(request, session));
  return session;
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
