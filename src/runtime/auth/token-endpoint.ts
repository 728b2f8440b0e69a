/**
 * Requests to token endpoints (RFC 6749, sections 2.3.1, 4.4, 5 and 6), and metadata of issuers
 * (RFC 8414; OpenID Connect Discovery 1.0).
 */
import { parseJsonText } from "../data/json-text.js";
import { isLocalOrHttps, parseSecureUrl } from "../data/urls.js";
import { percentEncode } from "../request/serialize.js";
import {
  invalidCredentials,
  temporaryAuthFailure,
  unsupportedCredentials,
} from "./requirements.js";
import { base64 } from "../data/bytes.js";
import type { AuthFailure } from "./types.js";

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
  const value = parseJsonText(text);
  return typeof value === "object" && value !== null ? { ...value } : {};
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
