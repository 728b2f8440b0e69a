/** A valid server URL. */
interface ParsedServerUrl {
  /** As written, without credentials, query and fragment. */
  readonly url: string;
  readonly hadCredentials: boolean;
  /** True when a query or a fragment was removed. */
  readonly hadQueryOrFragment: boolean;
}
interface InvalidServerUrl {
  readonly problem: string;
}

/** Hosts as DNS, IPv4, IPv6 and internationalized names, and `{templates}`. */
const HOST = /^(\[[0-9a-fA-F:.]+\]|[\p{L}\p{N}._~{}-]+)(:[0-9]*|:\{[^{}]*\})?$/u;

/**
 * Parses a server URL or its template. Only `http:`, `https:` and relative URLs are valid. User
 * names and passwords are removed. Problems never quote an invalid URL, which may contain secrets.
 */
export function parseServerUrl(rawUrl: string): ParsedServerUrl | InvalidServerUrl {
  const text = rawUrl.trim();
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    return { problem: "has a space, a backslash or a control character" };
  const { before, hadQueryOrFragment } = cutQueryAndFragment(text);
  // `{host}:8080` has no scheme; `{scheme}://host` has one.
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):|^\{[^{}]*\}:(?=\/\/)/.exec(before)?.[1];
  if (scheme !== undefined && !/^https?$/i.test(scheme))
    return { problem: `is not an http(s) URL (\`${scheme.slice(0, 20).toLowerCase()}:\`)` };
  const authority = /^(?:[^/]*:)?\/\/([^/]*)(.*)$/s.exec(before);
  if (!authority)
    return scheme === undefined
      ? { url: before, hadCredentials: false, hadQueryOrFragment }
      : { problem: "has no host" };
  const [, host = "", path = ""] = authority;
  const atSign = host.lastIndexOf("@");
  const hostname = host.slice(atSign + 1);
  if (!HOST.test(hostname)) return { problem: "has an invalid host" };
  const prefix = before.slice(0, before.indexOf("//") + 2);
  return { url: `${prefix}${hostname}${path}`, hadCredentials: atSign >= 0, hadQueryOrFragment };
}

/** Splits off the query and the fragment. */
function cutQueryAndFragment(text: string): {
  readonly before: string;
  readonly hadQueryOrFragment: boolean;
} {
  const end = text.search(/[?#]/);
  return { before: end < 0 ? text : text.slice(0, end), hadQueryOrFragment: end >= 0 };
}
