/** Metadata of authorization servers. OpenID Connect Discovery 1.0; RFC 8414. */
import { canParseUrl } from "../../data/urls.js";
import * as oauth from "oauth4webapi";
import { nodeFetch } from "../../client/node-client.js";
import { parseSecureUrl } from "../../data/urls.js";
import type { SignInRequest } from "../consent-types.js";

/** An authorization server whose endpoints may receive credentials. */
export interface TrustedServer {
  readonly server: oauth.AuthorizationServer;
  /** True if the server publishes no metadata, so that its issuer is inferred. */
  readonly isIssuerInferred: boolean;
}

/** A reason why a sign-in cannot go on, as a sentence for the user. */
export class SignInError extends Error {}

const TIMEOUT_MS = 20_000;
const PROBE_TIMEOUT_MS = 5000;

/** Options of requests. Plain HTTP is for this machine only; `secureUrl` checks that. */
export function requestOptions(timeout = TIMEOUT_MS) {
  const signal = AbortSignal.timeout(timeout);
  return { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: nodeFetch, signal } as const;
}

/**
 * Finds the authorization server of a scheme: through the metadata that the document names, else
 * through the document's endpoints, which metadata at their origin may complete.
 */
export async function findAuthorizationServer(request: SignInRequest): Promise<TrustedServer> {
  const { metadataUrl } = request.scheme.signIn ?? {};
  if (metadataUrl === undefined) return completeEndpoints(documentedServer(request));
  const issuer = issuerOf(secureUrl(metadataUrl));
  const server = await discover(issuer.url, issuer.algorithm, TIMEOUT_MS).catch(() => undefined);
  if (!server) throw new SignInError(`${issuer.url.host} sent no usable metadata of its issuer.`);
  return { server: checkEndpoints(server), isIssuerInferred: false };
}

type Algorithm = "oidc" | "oauth2";

/** The issuer of a metadata URL. */
function issuerOf(url: URL): { readonly url: URL; readonly algorithm: Algorithm } {
  const oidc = "/.well-known/openid-configuration";
  const oauth2 = "/.well-known/oauth-authorization-server";
  if (url.pathname.endsWith(oidc))
    return { url: new URL(url.pathname.slice(0, -oidc.length) || "/", url), algorithm: "oidc" };
  if (url.pathname.startsWith(oauth2))
    return { url: new URL(url.pathname.slice(oauth2.length) || "/", url), algorithm: "oauth2" };
  throw new SignInError(`${url.href} is not a metadata URL of OpenID Connect or RFC 8414.`);
}

async function discover(
  issuer: URL,
  algorithm: Algorithm,
  timeout: number,
): Promise<oauth.AuthorizationServer> {
  const options = { ...requestOptions(timeout), algorithm };
  const response = await oauth.discoveryRequest(issuer, options);
  return oauth.processDiscoveryResponse(issuer, response);
}

/** The server as the document describes it. */
function documentedServer({ scheme, baseUrl }: SignInRequest): oauth.AuthorizationServer {
  const { authorizationUrl, deviceUrl, tokenUrl } = scheme.signIn ?? {};
  const resolve = (url: string): string => secureUrl(url, baseUrl).href;
  const token = resolve(tokenUrl ?? "");
  return {
    issuer: new URL(token).origin,
    token_endpoint: token,
    ...(authorizationUrl !== undefined && { authorization_endpoint: resolve(authorizationUrl) }),
    ...(deviceUrl !== undefined && { device_authorization_endpoint: resolve(deviceUrl) }),
  };
}

/** Uses metadata at the origin of the endpoints, if it has the same endpoints. */
async function completeEndpoints(server: oauth.AuthorizationServer): Promise<TrustedServer> {
  for (const algorithm of ["oauth2", "oidc"] as const) {
    const found = await discover(new URL(server.issuer), algorithm, PROBE_TIMEOUT_MS).catch(
      () => undefined,
    );
    const isSame =
      found?.token_endpoint === server.token_endpoint &&
      (server.authorization_endpoint ?? found?.authorization_endpoint) ===
        found?.authorization_endpoint;
    if (found && isSame) return { server: checkEndpoints(found), isIssuerInferred: false };
  }
  return { server, isIssuerInferred: true };
}

/** Keeps the metadata that a session needs, with secure endpoints only. */
function checkEndpoints(server: oauth.AuthorizationServer): oauth.AuthorizationServer {
  const endpoints = [
    "authorization_endpoint",
    "token_endpoint",
    "device_authorization_endpoint",
    "revocation_endpoint",
    "jwks_uri",
  ] as const;
  for (const name of endpoints) if (server[name] !== undefined) secureUrl(server[name]);
  const kept = [
    ...endpoints,
    "issuer",
    "token_endpoint_auth_methods_supported",
    "authorization_response_iss_parameter_supported",
    "id_token_signing_alg_values_supported",
    "code_challenge_methods_supported",
  ] as const;
  const entries = kept.flatMap((name) =>
    server[name] === undefined ? [] : [[name, server[name]]],
  );
  return Object.fromEntries(entries) as oauth.AuthorizationServer;
}

/** @throws SignInError for a URL that must not receive credentials */
function secureUrl(text: string, base?: string): URL {
  const root = base ? `${base.replace(/\/$/, "")}/` : undefined;
  const url = parseSecureUrl(text, root);
  if (url) return url;
  const { origin } = canParseUrl(text, root) ? new URL(text, root) : {};
  throw new SignInError(`${origin ?? "The URL of the sign-in"} is not an https address.`);
}
