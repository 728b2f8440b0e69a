import type { BoundRequest } from "../../request/types.js";
import { codings } from "./codings.js";

/**
 * Of the connection, of how the body is framed, or `fetch`'s own: what a request says of them
 * itself is not sent. RFC 9110, section 7.6.1; RFC 9112, section 6.
 */
const ofTheMessage: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "sec-fetch-mode",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Methods whose requests say that they have no content; others just have none. RFC 9110, section
 * 8.6.
 */
const withoutContent: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS"]);

const acceptEncoding = codings.join(", ");

/**
 * The header lines of a request as `fetch` sends them, in its order, but for the codings: name,
 * value, name, value.
 * @param host of the URL. @param kept whether the connection may serve further requests
 */
export function headerLines(
  { method, headers, body }: BoundRequest,
  host: string,
  kept: boolean,
  length: number | undefined,
): string[] {
  const own = combined(headers);
  const lines = ["host", host, "connection", kept ? "keep-alive" : "close"];
  for (const [name, value] of own.values()) lines.push(name, value);
  if (typeof body === "string" && !own.has("content-type"))
    lines.push("content-type", "text/plain;charset=UTF-8");
  if (!own.has("accept")) lines.push("accept", "*/*");
  if (!own.has("accept-language")) lines.push("accept-language", "*");
  lines.push("sec-fetch-mode", "cors");
  if (!own.has("user-agent")) lines.push("user-agent", "node");
  // A part of coded content cannot be decoded. Fetch Standard, "HTTP-network-or-cache fetch".
  if (!own.has("accept-encoding"))
    lines.push("accept-encoding", own.has("range") ? "identity" : acceptEncoding);
  if (length !== undefined || !withoutContent.has(method))
    lines.push("content-length", String(length ?? 0));
  return lines;
}

/** Whether a request asks for a connection of its own. RFC 9112, section 9.6. */
export function wantsClose({ headers }: BoundRequest): boolean {
  return headers.some(
    ([name, value]) =>
      name.length === 10 &&
      name.toLowerCase() === "connection" &&
      /(?:^|,)\s*close\s*(?:,|$)/i.test(value),
  );
}

/**
 * By name in lower case; what has the same name becomes one line. RFC 9110, section 5.3; for
 * cookies RFC 9113, section 8.2.3.
 */
function combined(
  headers: BoundRequest["headers"],
): ReadonlyMap<string, readonly [string, string]> {
  const lines = new Map<string, readonly [string, string]>();
  for (const [name, given] of headers) {
    const key = name.toLowerCase();
    if (ofTheMessage.has(key)) continue;
    const value = trimmed(given);
    const before = lines.get(key);
    lines.set(
      key,
      before ? [before[0], `${before[1]}${key === "cookie" ? "; " : ", "}${value}`] : [name, value],
    );
  }
  return lines;
}

const blank: ReadonlySet<string | undefined> = new Set(["\t", "\n", "\r", " "]);

/**
 * Fetch Standard, "normalize a byte sequence". By hand: an expression for the end would look at
 * every run of spaces in between, again from each of them.
 */
function trimmed(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && blank.has(value[start])) start++;
  while (end > start && blank.has(value[end - 1])) end--;
  return value.slice(start, end);
}
