/** One request to a token endpoint. RFC 6749, sections 2.3.1, 4.4, 5 and 6. */
import { percentEncode } from "../request/percent-encoding.js";
import { unsupportedCredentials, invalidCredentials, temporaryAuthFailure } from "./failures.js";
import { base64 } from "./secrets.js";
import { type AuthFailure } from "./types.js";

/** What to ask for, and as whom. */
export interface Grant {
  readonly tokenUrl: string;
  /** Metadata (OpenID Connect, RFC 8414) that name the token endpoint, when `tokenUrl` is empty. */
  readonly discoveryUrl?: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
  /** `grant_type` and what belongs to it. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The variables to name when the server refuses. */
  readonly variables: readonly string[];
}

export type TokenResponse =
  | {
      readonly ok: true;
      readonly accessToken: string;
      readonly refreshToken?: string;
      readonly expiresIn: number;
    }
  | AuthFailure;

const TIMEOUT_MS = 20_000;
const MAX_RESPONSE_LENGTH = 100_000;
/** Seconds, for a server that does not say. */
const DEFAULT_LIFETIME = 300;

/**
 * Asks for a token: with HTTP Basic authentication, as every server has to accept it, then once
 * more with the secret in the form, because some do not. Never rejects; messages hold no secrets
 * and nothing that the server could have put in.
 */
export async function requestToken(grant: Grant, send: typeof fetch): Promise<TokenResponse> {
  const configuredUrl = parseSecureUrl(grant.discoveryUrl ?? grant.tokenUrl);
  if (configuredUrl === undefined)
    return unsupportedCredentials("the token URL is neither https nor on this machine.");
  try {
    const url =
      grant.discoveryUrl === undefined
        ? configuredUrl
        : await discoverTokenEndpoint(configuredUrl, send);
    if (url === undefined)
      return temporaryAuthFailure(`${configuredUrl.host} does not say where its token endpoint is`);
    const response = await postGrant(url, grant, grant.clientSecret !== "", send);
    const isClientRefused =
      grant.clientSecret !== "" &&
      (response.status === 401 || response.body["error"] === "invalid_client");
    return readTokenResponse(
      isClientRefused ? await postGrant(url, grant, false, send) : response,
      url,
      grant,
    );
  } catch {
    return temporaryAuthFailure(`no answer came from the token endpoint at ${configuredUrl.host}`);
  }
}

interface EndpointResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Secrets go over TLS or nowhere; a redirect would carry them elsewhere, so that it is an answer
 * like any other.
 */
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

/** Token endpoints that metadata have named. */
const discoveredEndpoints = new Map<string, URL>();

/** OpenID Connect Discovery 1.0, section 4; RFC 8414, section 3. */
async function discoverTokenEndpoint(
  metadataUrl: URL,
  send: typeof fetch,
): Promise<URL | undefined> {
  const known = discoveredEndpoints.get(metadataUrl.href);
  if (known) return known;
  const response = await send(metadataUrl, {
    headers: { Accept: "application/json" },
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { token_endpoint: endpoint } = parseObject(await readBoundedText(response));
  const url =
    response.status === 200 && typeof endpoint === "string" ? parseSecureUrl(endpoint) : undefined;
  if (url) discoveredEndpoints.set(metadataUrl.href, url);
  return url;
}

/** Where credentials may go: over TLS, or nowhere else than this machine. */
function parseSecureUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback) ? url : undefined;
}

function readTokenResponse(
  { status, body }: EndpointResponse,
  url: URL,
  grant: Grant,
): TokenResponse {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: lifetime } = body;
  if (status === 200 && typeof accessToken === "string" && /^[\x20-\x7e]+$/.test(accessToken)) {
    const expiresIn = Number(lifetime) > 0 ? Number(lifetime) : DEFAULT_LIFETIME;
    return {
      ok: true,
      accessToken,
      expiresIn,
      ...(typeof refreshToken === "string" ? { refreshToken } : {}),
    };
  }
  if (status === 429 || status >= 500)
    return temporaryAuthFailure(`the token endpoint at ${url.host} answered ${status}`);
  const cause = [status, errorCode(body["error"])].filter((part) => part !== undefined).join(" ");
  return invalidCredentials(grant.variables, `got no access token from ${url.host} (${cause})`);
}

/** Codes of RFC 6749, section 5.2, and those of extensions; not free text. */
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

async function readBoundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_RESPONSE_LENGTH) return "";
  }
  return text;
}
