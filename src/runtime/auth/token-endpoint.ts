/** One request to a token endpoint. RFC 6749, sections 2.3.1, 4.4, 5 and 6. */
import { percentEncode } from "../bind/percent.js";
import { impossible, incorrect, later, type Refusal } from "./refusal.js";
import { base64 } from "./secrets.js";

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

export type TokenAnswer =
  | {
      readonly ok: true;
      readonly accessToken: string;
      readonly refreshToken?: string;
      readonly expiresIn: number;
    }
  | Refusal;

const TIMEOUT_MS = 20_000;
const MAX_ANSWER_LENGTH = 100_000;
/** Seconds, for a server that does not say. */
const DEFAULT_LIFETIME = 300;

/**
 * Asks for a token: with HTTP Basic authentication, as every server has to accept it, then once
 * more with the secret in the form, because some do not. Never rejects; messages hold no secrets
 * and nothing that the server could have put in.
 */
export async function requestToken(grant: Grant, send: typeof fetch): Promise<TokenAnswer> {
  const place = safeUrl(grant.discoveryUrl ?? grant.tokenUrl);
  if (place === undefined) return impossible("the token URL is neither https nor on this machine.");
  try {
    const url = grant.discoveryUrl === undefined ? place : await discover(place, send);
    if (url === undefined) return later(`${place.host} does not say where its token endpoint is`);
    const answer = await ask(url, grant, grant.clientSecret !== "", send);
    const isClientRefused =
      grant.clientSecret !== "" &&
      (answer.status === 401 || answer.body["error"] === "invalid_client");
    return tokenOf(isClientRefused ? await ask(url, grant, false, send) : answer, url, grant);
  } catch {
    return later(`no answer came from the token endpoint at ${place.host}`);
  }
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Secrets go over TLS or nowhere; a redirect would carry them elsewhere, so that it is an answer
 * like any other.
 */
async function ask(url: URL, grant: Grant, useBasic: boolean, send: typeof fetch): Promise<Answer> {
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
  return { status: response.status, body: parseObject(await boundedText(response)) };
}

/** Token endpoints that metadata have named. */
const discovered = new Map<string, URL>();

/** OpenID Connect Discovery 1.0, section 4; RFC 8414, section 3. */
async function discover(place: URL, send: typeof fetch): Promise<URL | undefined> {
  const known = discovered.get(place.href);
  if (known) return known;
  const response = await send(place, {
    headers: { Accept: "application/json" },
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { token_endpoint: endpoint } = parseObject(await boundedText(response));
  const url =
    response.status === 200 && typeof endpoint === "string" ? safeUrl(endpoint) : undefined;
  if (url) discovered.set(place.href, url);
  return url;
}

/** Where credentials may go: over TLS, or nowhere else than this machine. */
function safeUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback) ? url : undefined;
}

function tokenOf({ status, body }: Answer, url: URL, grant: Grant): TokenAnswer {
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
    return later(`the token endpoint at ${url.host} answered ${status}`);
  const cause = [status, errorCode(body["error"])].filter((part) => part !== undefined).join(" ");
  return incorrect(grant.variables, `got no access token from ${url.host} (${cause})`);
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

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ANSWER_LENGTH) return "";
  }
  return text;
}
