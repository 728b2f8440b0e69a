/**
 * Sign-in in a browser: authorization code with PKCE (RFC 8252), with a redirect to this machine
 * (section 7.3), or a device code (RFC 8628).
 */
import { canParseUrl } from "../../data/urls.js";
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as oauth from "oauth4webapi";
import { timingSafeEqual } from "../../data/bytes.js";
import type { SignInLink, SignInRequest } from "../consent-types.js";
import {
  findAuthorizationServer,
  requestOptions,
  SignInError,
  type TrustedServer,
} from "./authorization-server.js";
import { authorizationUrl, clientOf, exchangeCode, pollDeviceCode, sessionOf } from "./grants.js";
import { type Session, sessionPath, withLock, writeSession } from "./store.js";

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
  process.stderr.write(
    `Open this address in a browser on this machine:\n\n  ${url}\n\n` +
      `If the provider rejects the redirect URI, ${redirectAdvice(port)}.\n`,
  );
  return session;
}

/** Names a redirect URI for providers that accept no other port than the registered one. */
function redirectAdvice(port: number): string {
  const register = `register http://127.0.0.1:${port || 8123}/callback there`;
  return port === 0 ? `${register} and add --port 8123` : register;
}

/** A sign-in that waits for the user. */
interface StartedSignIn {
  /** Address for a browser on this machine. */
  readonly url: string;
  /** The stored session. Rejects after the deadline of the listener. */
  readonly session: Promise<Session>;
}

/**
 * Starts a sign-in in a browser, with a redirect to this process.
 * @param port 0 for a free one
 */
async function startSignIn(
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

/** The `scope` parameter; none without scopes. RFC 8628, section 3.1. */
function scopeParameters(scopes: readonly string[]): Readonly<Record<string, string>> {
  return scopes.length === 0 ? {} : { scope: scopes.join(" ") };
}

interface CallbackListener {
  readonly redirectUri: string;
  /** Parameters of the redirect with the expected state. Rejects at the deadline. */
  readonly parameters: Promise<URLSearchParams>;
  /** Stops listening. `parameters` does not settle after that. */
  readonly close: () => void;
}

const DEADLINE_MS = 10 * 60_000;
const EXPIRED = "The sign-in was not completed within 10 minutes. Start again.";

const headers = {
  "Content-Type": "text/plain; charset=utf-8",
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  Connection: "close",
};

/**
 * Listens on 127.0.0.1 for the redirect with a state. Requests with another state, path, method or
 * host are refused, and the listener continues to wait.
 * @param port 0 for a free one
 */
async function listenForCallback(state: string, port = 0): Promise<CallbackListener> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  let timer: NodeJS.Timeout | undefined;
  const close = (): void => {
    clearTimeout(timer);
    server.close();
  };
  const parameters = new Promise<URLSearchParams>((resolve, reject) => {
    const expire = (): void => reject(new SignInError(EXPIRED));
    timer = setTimeout(expire, DEADLINE_MS).unref();
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      const found = callbackParameters(request, host, state);
      respond(response, found !== undefined);
      if (!found) return;
      close();
      resolve(found);
    });
  });
  return { redirectUri: `http://${host}/callback`, parameters, close };
}

/** Parameters of the expected redirect; undefined for any other request. */
function callbackParameters(
  { method, url = "/", headers: { host } }: IncomingMessage,
  ownHost: string,
  state: string,
): URLSearchParams | undefined {
  if (method !== "GET" || host !== ownHost || !canParseUrl(url, `http://${ownHost}`)) {
    return undefined;
  }
  const { pathname, searchParams } = new URL(url, `http://${ownHost}`);
  const [received = "", ...others] = searchParams.getAll("state");
  const isExpected = others.length === 0 && timingSafeEqual(received, state);
  return pathname === "/callback" && isExpected ? searchParams : undefined;
}

function respond(response: ServerResponse, isAccepted: boolean): void {
  response.writeHead(isAccepted ? 200 : 400, headers);
  response.end(
    isAccepted
      ? "Return to the terminal to see the result. You can close this page.\n"
      : "This response does not belong to the pending sign-in. Start again in the terminal.\n",
  );
}

/** Sign-ins of the user of this machine that a call has started. */
interface RunningSignIn {
  readonly request: SignInLink;
  readonly settled: Promise<void>;
}

/** Sign-ins that wait for the user, by the path of their session. */
const running = new Map<string, Promise<RunningSignIn>>();

/** Starts a sign-in, or returns the one that waits already. */
export async function requestSignIn(
  request: SignInRequest,
  scopes: readonly string[],
): Promise<SignInLink> {
  const path = sessionPath(request);
  const started = running.get(path) ?? start(path, request, scopes);
  running.set(path, started);
  return (await started).request;
}

async function start(
  path: string,
  request: SignInRequest,
  scopes: readonly string[],
): Promise<RunningSignIn> {
  try {
    const trusted = await findAuthorizationServer(request);
    const { url, session } = await startSignIn(request, trusted, scopes);
    const settled = session.then(
      () => void running.delete(path),
      () => void running.delete(path),
    );
    const id = createHash("sha256").update(url).digest("hex");
    return { request: { id, url }, settled };
  } catch (error) {
    running.delete(path);
    throw error;
  }
}

/** Waits for the sign-ins that were started. */
export async function signInsSettled(): Promise<void> {
  const started = await Promise.allSettled(running.values());
  await Promise.all(started.map((one) => one.status === "fulfilled" && one.value.settled));
}
