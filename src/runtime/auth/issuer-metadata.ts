/** Metadata of an issuer. RFC 8414; OpenID Connect Discovery 1.0. */

const TIMEOUT_MS = 5000;
const MAX_BYTES = 1_000_000;

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
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const isJson =
    response.status === 200 && Number(response.headers.get("content-length") ?? 0) < MAX_BYTES;
  const value: unknown = isJson
    ? await response.json().catch(() => undefined)
    : await response.body?.cancel();
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)
    : undefined;
}

/**
 * True if a URL is https or on this machine, so that it may be asked for keys, receive credentials
 * and be named to clients.
 */
export function isLocalOrHttps(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return (
    username === "" &&
    password === "" &&
    (protocol === "https:" || (protocol === "http:" && isLoopback))
  );
}
