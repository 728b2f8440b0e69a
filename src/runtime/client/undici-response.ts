/** A response of undici: its status, its headers, and its body without content codings. */
import { pipeline, Readable, Transform } from "node:stream";
import type { Dispatcher } from "undici";
import { BoundedBuffer } from "./limits.js";
import type { CollectedBody, HttpResponse, ResponseHeaders } from "../request/types.js";

/** Milliseconds for reading an unwanted body to its end. A new connection costs less than more. */
const drainMs = 100;

/** The deadline of the call expired. */
export class ExpiryError extends Error {
  readonly code = "ETIMEDOUT";

  constructor() {
    super("The deadline of the call has expired.");
  }
}

/** A response whose body stays in the connection until it is collected. */
export class UndiciResponse implements HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderLines;
  readonly hasBody: boolean;
  readonly #method: string;
  readonly #body: Readable;
  /** Remaining bytes, if the response declares its length. */
  #remaining: number;

  constructor(
    method: string,
    status: number,
    statusText: string,
    controller: Dispatcher.DispatchController,
  ) {
    this.#method = method;
    this.status = status;
    this.statusText = statusText;
    this.headers = new HeaderLines(controller.rawHeaders as readonly Buffer[]);
    this.#remaining = Number(this.headers.get("content-length") ?? Infinity);
    this.hasBody = method !== "HEAD" && ![204, 205, 304].includes(status);
    this.#body = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        if (error) controller.abort(error);
        done(error);
      },
    });
    // Without a listener, an error of an unread body would end the process.
    this.#body.on("error", () => {});
  }

  /** @returns whether the connection may go on. undici fails if it pauses at the very end. */
  push(chunk: Buffer): boolean {
    this.#remaining -= chunk.byteLength;
    return this.#body.push(chunk) || this.#remaining <= 0;
  }

  end(): void {
    this.#body.push(null);
  }

  fail(error: Error): void {
    this.#body.destroy(error);
  }

  async collect(limit: number, acceptsPart = false): Promise<CollectedBody> {
    const encoding = this.headers.get("content-encoding");
    const isPlain = encoding === null || this.#isEmpty();
    const body = isPlain ? this.#body : await this.#decompress(encoding);
    return collectBody(body, this.#body, limit, acceptsPart);
  }

  async drain(limit: number): Promise<void> {
    if (!this.hasBody) return;
    const timer = setTimeout(() => this.discard(), drainMs);
    await this.collect(limit).catch(() => this.discard());
    clearTimeout(timer);
  }

  discard(): void {
    this.#body.destroy(new Error("The body was discarded."));
  }

  /** True if a body may follow that the status forbids. It must not pass for the next response. */
  hasUnexpectedBody(): boolean {
    if (this.#method === "HEAD" || this.#isEmpty()) return false;
    if (this.status === 205) return true;
    const hasLength = this.headers.has("content-length") || this.headers.has("transfer-encoding");
    return this.status === 204 && hasLength;
  }

  async #decompress(encoding: string): Promise<Readable> {
    try {
      return decompress(this.#body, encoding, await import("node:zlib"));
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  #isEmpty(): boolean {
    return this.headers.get("content-length") === "0";
  }
}

/**
 * Reads up to `limit` bytes of `body`, and closes the connection if more follow.
 * @param source the body of the connection; the same as `body` unless that is decompressed
 */
function collectBody(
  body: Readable,
  source: Readable,
  limit: number,
  acceptsPart: boolean,
): Promise<CollectedBody> {
  return new Promise((resolve, reject) => {
    if (source.errored) return reject(source.errored);
    const buffer = new BoundedBuffer(limit);
    const finish = (): void => {
      resolve(buffer);
      if (!source.readableEnded) source.destroy(new Error("The rest was discarded."));
    };
    body.on("data", (chunk: Uint8Array) => void (buffer.add(chunk) || finish()));
    const fail = (error: Error): void => {
      if (!acceptsPart || !(error instanceof ExpiryError)) return reject(error);
      resolve({ chunks: buffer.chunks, size: buffer.size, isPart: true });
    };
    body.on("end", finish).on("error", fail);
    if (body !== source) source.on("error", fail);
  });
}

/** The headers of a response, as `Headers` of the Fetch Standard shows them. */
class HeaderLines implements ResponseHeaders {
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

  /** Sorted by name; each cookie separately. Fetch Standard, "sort and combine". */
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

const whitespace: ReadonlySet<string | undefined> = new Set(["\t", "\n", "\r", " "]);

/** Fetch Standard, "normalize a byte sequence". A pattern for the end would take quadratic time. */
export function trimWhitespace(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && whitespace.has(value[start])) start++;
  while (end > start && whitespace.has(value[end - 1])) end--;
  return value.slice(start, end);
}

/** Content codings that zlib decodes. Node 20 lacks zstd. RFC 9110, section 8.4.1; RFC 8878. */
export const contentCodings: readonly string[] = [
  "gzip",
  "deflate",
  "br",
  ...(process.versions["zstd"] === undefined ? [] : ["zstd"]),
];

/** zlib, which is loaded by the first body with a content coding. */
type Zlib = typeof import("node:zlib");

/** Codings that are removed from one body; RFC 9110 sets no limit. */
const maxCodings = 5;

/**
 * Removes the codings of a `Content-Encoding` header from a body, chunk by chunk. A body with an
 * unknown coding is not changed. Of compressed data that breaks off, the part that could be decoded
 * is kept, as in browsers and curl, because some servers leave out its end. An error of any step is
 * an error of the returned stream.
 * @throws Error with the code `Z_DATA_ERROR` for too many codings
 */
function decompress(body: Readable, contentEncoding: string, zlib: Zlib): Readable {
  const codings = parseContentEncoding(contentEncoding);
  const steps = codings.map((coding) => createDecoder(coding, zlib)).reverse();
  if (steps.length > 0) pipeline([body, ...steps], () => {});
  return steps.at(-1) ?? body;
}

/** Codings in the order in which they were applied; none if one of them is unknown. */
function parseContentEncoding(contentEncoding: string): readonly string[] {
  const names = contentEncoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const codings = names.filter((name) => name !== "" && name !== "identity");
  const normalized = codings.map((name) => (name === "x-gzip" ? "gzip" : name));
  if (!normalized.every((name) => contentCodings.includes(name))) return [];
  if (normalized.length <= maxCodings) return normalized;
  throw Object.assign(new Error("Too many content codings."), { code: "Z_DATA_ERROR" });
}

/** Options of decoders that accept data which breaks off. */
function lenientOptions({ constants }: Zlib) {
  const { Z_SYNC_FLUSH: zlib, BROTLI_OPERATION_FLUSH: brotli } = constants;
  return {
    zlib: { flush: zlib, finishFlush: zlib },
    brotli: { flush: brotli, finishFlush: brotli },
  };
}

function createDecoder(coding: string, zlib: Zlib): Transform {
  const lenient = lenientOptions(zlib);
  switch (coding) {
    case "gzip":
      return zlib.createGunzip(lenient.zlib);
    case "br":
      return zlib.createBrotliDecompress(lenient.brotli);
    case "zstd":
      return (zlib as unknown as { createZstdDecompress(): Transform }).createZstdDecompress();
    default:
      return createDeflateDecoder(zlib);
  }
}

/**
 * `deflate` is the zlib format, and from some servers raw deflate data; the first byte
 * distinguishes them. RFC 9110, section 8.4.1.2. Data behind its end is dropped.
 */
function createDeflateDecoder(zlib: Zlib): Transform {
  const lenient = lenientOptions(zlib).zlib;
  let inner: Transform | undefined;
  const open = (firstByte: number): Transform => {
    const isZlib = (firstByte & 0x0f) === 8;
    const decoder = isZlib ? zlib.createInflate(lenient) : zlib.createInflateRaw(lenient);
    decoder.on("data", (chunk) => outer.push(chunk)).on("error", (error) => outer.destroy(error));
    return decoder.once("end", () => outer.push(null));
  };
  const outer: Transform = new Transform({
    transform: (chunk: Uint8Array, _, done) =>
      void (inner ??= open(chunk[0] ?? 0)).write(chunk, () => done()),
    flush: (done) =>
      inner && !inner.readableEnded ? void inner.once("end", () => done()).end() : done(),
    destroy: (error, done) => {
      inner?.destroy();
      done(error);
    },
  });
  return outer;
}
