import type { BoundRequest } from "../../request/types.js";

/**
 * Ports of other protocols from 1024 on. Below, only those of HTTP itself are known not to be
 * blocked. Fetch Standard, "port blocking".
 */
const blocked: ReadonlySet<string> = new Set(
  "1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080".split(
    " ",
  ),
);

/**
 * Whether a request is one that `fetch` refuses, or that node:http would change: then `fetch` has
 * it, so that what is refused stays refused. These are credentials in the URL, a blocked port,
 * TRACE and CONNECT, a body with GET, and methods that are not in capitals.
 */
export function isLeftToFetch(
  { method, body }: BoundRequest,
  { protocol, username, password, port }: URL,
): boolean {
  if (protocol !== "http:" && protocol !== "https:") return true;
  if (username !== "" || password !== "") return true;
  if (!/^[A-Z]+$/.test(method) || method === "TRACE" || method === "CONNECT" || method === "TRACK")
    return true;
  if (body !== undefined && (method === "GET" || method === "HEAD")) return true;
  return port !== "" && (Number(port) < 1024 || blocked.has(port));
}
