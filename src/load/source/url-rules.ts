/** An absolute URL, not a path: at least two letters before the colon, so that `C:\x` is none. */
export function looksLikeUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(source);
}

/** True for names of this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Why a URL is never fetched, as a clause; `undefined` when it may be. */
export function urlObjection(url: URL): string | undefined {
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return `${url.protocol} URLs are not fetched`;
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    return "http: is allowed only for this machine (loopback)";
  if (url.username || url.password) return "the URL holds credentials, which are never sent";
  return undefined;
}

/** Why a redirect is not followed, as a clause; `undefined` when it may be. */
export function redirectObjection(from: URL, to: URL): string | undefined {
  const objection = urlObjection(to);
  if (objection) return objection;
  if (isLoopback(to.hostname) && !isLoopback(from.hostname))
    return "it leads from another host to this machine";
  return undefined;
}

/**
 * A URL as it may be shown: without credentials, query and fragment, any of which can hold a
 * secret.
 */
export function publicUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}
