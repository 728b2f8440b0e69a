/** What is said of an API where nothing gets out but through a proxy. */
const walls: ReadonlySet<unknown> = new Set(["ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "ENETUNREACH"]);

/**
 * The variable that names a proxy, when a connection could not be made without it: Node goes through the proxies of the environment only if it
 * is told to at its start.
 */
export function unusedProxy(error: unknown, { protocol, hostname }: URL, env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (!walls.has((error as { readonly code?: unknown }).code) || /^(?:localhost|127\..*|\[::1\])$/.test(hostname)) return undefined;
  const names = protocol === "https:" ? ["HTTPS_PROXY", "https_proxy"] : ["HTTP_PROXY", "http_proxy"];
  return names.find((name) => env[name]);
}
