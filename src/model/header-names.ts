/** Treatment of a header parameter by its name. */
type HeaderClass = "use" | "ignored" | "reserved" | "illegal";

/** OpenAPI 3.x: a parameter with one of these names "shall be ignored". */
const IGNORED = new Set(["accept", "content-type", "authorization"]);

/**
 * Headers that the HTTP client sets, or that could change the destination or framing of a request.
 */
const RESERVED = new Set(
  (
    "host content-length transfer-encoding connection keep-alive te trailer upgrade expect " +
    "cookie cookie2 http2-settings"
  ).split(" "),
);

/** RFC 9110, section 5.6.2: a token, as names of headers, cookies and methods are. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export function isToken(name: string): boolean {
  return TOKEN.test(name);
}

export function classifyHeader(name: string): HeaderClass {
  if (!isToken(name)) return "illegal";
  const lower = name.toLowerCase();
  if (IGNORED.has(lower)) return "ignored";
  return RESERVED.has(lower) || lower.startsWith("proxy-") ? "reserved" : "use";
}
