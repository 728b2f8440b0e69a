/** URLs: whether they can be parsed, and whether they may receive credentials. */

/**
 * True if a text is a URL, relative to a base if there is one. WHATWG URL, `URL.canParse`, which is
 * not used: in Node 20 it returns false for every text outside of ASCII once it is optimized.
 */
export function canParseUrl(text: string, base?: string | URL): boolean {
  try {
    return Boolean(new URL(text, base).href);
  } catch {
    return false;
  }
}

/**
 * Parses a URL that may receive credentials: https, or http on this machine; undefined for any
 * other. A user name or password in it would be sent along.
 * @param base base of a relative URL
 */
export function parseSecureUrl(text: string, base?: string): URL | undefined {
  if (!canParseUrl(text, base)) return undefined;
  const url = new URL(text, base);
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  const isSecure = url.protocol === "https:" || (url.protocol === "http:" && isLoopback);
  return isSecure && url.username === "" && url.password === "" ? url : undefined;
}

/**
 * True if a URL is https or on this machine, so that it may be asked for keys, receive credentials
 * and be named to clients.
 */
export function isLocalOrHttps(text: string): boolean {
  return parseSecureUrl(text) !== undefined;
}
