/** What is said of an API where nothing gets out but through a proxy. */
const walls: ReadonlySet<unknown> = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variable that names a proxy, when a connection could not be made without it: Node goes
 * through the proxies of the environment only if it is told to at its start.
 */
export function unusedProxy(
  error: unknown,
  { protocol, hostname }: URL,
  env: Environment,
): string | undefined {
  if (!walls.has((error as { readonly code?: unknown }).code) || needsNone(hostname, env))
    return undefined;
  const names =
    protocol === "https:" ? ["HTTPS_PROXY", "https_proxy"] : ["HTTP_PROXY", "http_proxy"];
  return names.find((name) => env[name]);
}

/** This machine, and what `NO_PROXY` names: hosts, and domains with all that is under them. */
function needsNone(hostname: string, { NO_PROXY, no_proxy: small }: Environment): boolean {
  if (/^(?:localhost|127\..*|\[::1\])$/.test(hostname)) return true;
  const names = (NO_PROXY || small || "")
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return names.some(
    (name) =>
      name === "*" ||
      `.${hostname}`.endsWith(`.${name.replace(/^\*?\./, "").replace(/:\d+$/, "")}`),
  );
}
