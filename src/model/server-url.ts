/** A server URL that requests may go to. */
export interface ServerUrl {
  /** As written, without credentials, query and fragment. */
  readonly url: string;
  readonly hadCredentials: boolean;
  /** It had a query or a fragment. */
  readonly hadMore: boolean;
}
export interface BadUrl {
  readonly problem: string;
}

/** Hosts as DNS, IPv4, IPv6 and internationalised names have them, and `{templates}`. */
const HOST = /^(\[[0-9a-fA-F:.]+\]|[\p{L}\p{N}._~{}-]+)(:[0-9]*|:\{[^{}]*\})?$/u;

/**
 * Takes a server URL (or its template) apart. Only `http:` and `https:` and relative URLs are
 * usable; user names and passwords are cut off. Nothing of a bad URL is repeated in the problem: it
 * may hold secrets.
 */
export function parseServerUrl(written: string): ServerUrl | BadUrl {
  const text = written.trim();
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    return { problem: "has a space, a backslash or a control character" };
  const { before, hadMore } = cut(text);
  // `{host}:8080` has no scheme; `{scheme}://host` has one.
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):|^\{[^{}]*\}:(?=\/\/)/.exec(before)?.[1];
  if (scheme !== undefined && !/^https?$/i.test(scheme))
    return { problem: `is no http or https URL (\`${scheme.slice(0, 20).toLowerCase()}:\`)` };
  const authority = /^(?:[^/]*:)?\/\/([^/]*)(.*)$/s.exec(before);
  if (!authority)
    return scheme === undefined
      ? { url: before, hadCredentials: false, hadMore }
      : { problem: "has no host" };
  const [, host = "", path = ""] = authority;
  const at = host.lastIndexOf("@");
  const bareHost = host.slice(at + 1);
  if (!HOST.test(bareHost)) return { problem: "has no legal host" };
  const prefix = before.slice(0, before.indexOf("//") + 2);
  return { url: `${prefix}${bareHost}${path}`, hadCredentials: at >= 0, hadMore };
}

/** Everything before a query or a fragment. */
function cut(text: string): { readonly before: string; readonly hadMore: boolean } {
  const end = text.search(/[?#]/);
  return { before: end < 0 ? text : text.slice(0, end), hadMore: end >= 0 };
}

/** The names in braces, each once. */
export function variableNames(url: string): readonly string[] {
  return [...new Set([...url.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? ""))];
}

/**
 * A relative server URL against the URL of the document (RFC 3986, section 5.2); braces survive.
 */
export function resolveAgainst(url: string, base: string): string {
  const open = url.replaceAll("{", "%7B").replaceAll("}", "%7D");
  return URL.canParse(open, base)
    ? new URL(open, base).href.replaceAll("%7B", "{").replaceAll("%7D", "}")
    : url;
}
