import type { BoundRequest } from "../request/types.js";
import type { ResponseHeaders } from "./types.js";

/** Content codings that zlib decodes. Node 20 lacks zstd. RFC 9110, section 8.4.1; RFC 8878. */
export const contentCodings: readonly string[] = [
  "gzip",
  "deflate",
  "br",
  ...(process.versions["zstd"] === undefined ? [] : ["zstd"]),
];

/** Fields of the connection and of message framing, which undici writes. RFC 9110, section 7.6.1. */
const connectionFields: ReadonlySet<string> = new Set([
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

/** The header lines of a request as undici takes them: name, value, name, value. */
export function requestHeaders({ headers, body }: BoundRequest, length = 0): string[] {
  const fields = combineFields(headers);
  const lines = [...fields.values()].flat();
  const addDefault = (name: string, value: string): void => {
    if (!fields.has(name)) lines.push(name, value);
  };
  if (typeof body === "string") addDefault("content-type", "text/plain;charset=UTF-8");
  addDefault("accept", "*/*");
  // A range of an encoded body cannot be decoded. Fetch Standard, "HTTP-network-or-cache fetch".
  addDefault("accept-encoding", fields.has("range") ? "identity" : contentCodings.join(", "));
  if (length > 0) lines.push("content-length", String(length));
  return lines;
}

/** One line per field name, by name in lower case. RFC 9110, section 5.3; RFC 9113, section 8.2.3. */
function combineFields(
  headers: BoundRequest["headers"],
): ReadonlyMap<string, readonly [string, string]> {
  const fields = new Map<string, readonly [string, string]>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (connectionFields.has(key) || (key === "connection" && !asksToClose(value))) continue;
    const [firstName, before] = fields.get(key) ?? [name, undefined];
    const text = key === "connection" ? "close" : trimWhitespace(value);
    const separator = key === "cookie" ? "; " : ", ";
    fields.set(key, [firstName, before === undefined ? text : before + separator + text]);
  }
  return fields;
}

/** RFC 9112, section 9.6. */
function asksToClose(connection: string): boolean {
  return /(?:^|,)\s*close\s*(?:,|$)/i.test(connection);
}

const whitespace: ReadonlySet<string | undefined> = new Set(["\t", "\n", "\r", " "]);

/** Fetch Standard, "normalize a byte sequence". A pattern for the end would take quadratic time. */
function trimWhitespace(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && whitespace.has(value[start])) start++;
  while (end > start && whitespace.has(value[end - 1])) end--;
  return value.slice(start, end);
}

/** The headers of a response, as `Headers` of the Fetch Standard shows them. */
export class HeaderLines implements ResponseHeaders {
  readonly #values = new Map<string, string>();
  readonly #cookies: string[] = [];

  /** @param raw name, value, name, value, in Latin-1 */
  constructor(raw: readonly Buffer[]) {
    const texts = raw.map((bytes) => bytes.toString("latin1"));
    for (let i = 0; i + 1 < texts.length; i += 2) {
      this.#add(texts[i]!.toLowerCase(), trimWhitespace(texts[i + 1]!));
    }
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  getSetCookie(): string[] {
    return [...this.#cookies];
  }

  /** Sorted by name; each cookie by itself. Fetch Standard, "sort and combine". */
  *[Symbol.iterator](): Iterator<[string, string]> {
    for (const name of [...this.#values.keys()].sort()) {
      if (name !== "set-cookie") yield [name, this.#values.get(name)!];
      else yield* this.#cookies.map((cookie): [string, string] => [name, cookie]);
    }
  }

  #add(name: string, value: string): void {
    const before = this.#values.get(name);
    this.#values.set(name, before === undefined ? value : `${before}, ${value}`);
    if (name === "set-cookie") this.#cookies.push(value);
  }
}
