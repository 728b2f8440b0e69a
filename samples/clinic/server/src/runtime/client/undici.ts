// client/undici: files of the runtime of mcp-gen as one module, each after those that it uses.

import { pipeline, Readable, Transform } from "node:stream";
import type { buildConnector, Dispatcher, Pool as PoolType } from "undici";
import connect from "undici/lib/api/api-connect.js";
import createConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import { BoundedBuffer } from "../client.js";
import type {
  BoundRequest, ClientCertificate, CollectedBody, Deadline, HttpResponse, ResponseHeaders,
  SendFunction,
} from "../request.js";

// ---- client/dispatchers.ts ----
// Connections of undici, which are kept alive, directly or through the proxies of the environment.

/** Milliseconds to open a connection. The deadline of a call may be much longer. */
const connectMs = 10_000;

/** Milliseconds after which an idle connection is closed, which is sooner than most servers do it. */
const idleMs = 4_000;

/** Milliseconds that are subtracted from the `timeout` of a `Keep-Alive` header. */
const idleMarginMs = 1_000;

const dispatchers = new Map<string, Dispatcher>();

/**
 * The dispatcher for a client certificate, or for none. Its connections are kept alive, or serve
 * one request each.
 */
export function dispatcherFor(
  tls: ClientCertificate | undefined,
  { keepAlive }: { readonly keepAlive: boolean },
): Dispatcher {
  const key = JSON.stringify([keepAlive, tls?.cert, tls?.key]);
  const dispatcher = dispatchers.get(key) ?? createDispatcher(tls, keepAlive);
  dispatchers.set(key, dispatcher);
  return dispatcher;
}

function createDispatcher(tls: ClientCertificate | undefined, keepAlive: boolean): Dispatcher {
  const connectOptions = { timeout: connectMs, ...tls };
  const options = {
    connect: connectOptions,
    factory: createPool,
    // The deadline of the call covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveTimeoutThreshold: idleMarginMs,
    pipelining: keepAlive ? 1 : 0,
  };
  const httpProxy = proxyAddress("http_proxy", "HTTP_PROXY");
  const httpsProxy = proxyAddress("https_proxy", "HTTPS_PROXY");
  if (!httpProxy && !httpsProxy) return new Agent(options);
  const noProxy = withLoopback(process.env["no_proxy"] ?? process.env["NO_PROXY"]);
  return new EnvHttpProxyAgent({
    ...options,
    ...(httpProxy && { httpProxy }),
    ...(httpsProxy && { httpsProxy }),
    clientFactory: createProxyClient,
    requestTls: connectOptions,
    proxyTunnel: false,
    noProxy,
  });
}

/** The address in the first variable that is set. Without a scheme it is one of HTTP, as in curl. */
function proxyAddress(...variables: readonly string[]): string | undefined {
  const address = variables.map((name) => process.env[name]?.trim()).find(Boolean);
  return !address || address.includes("://") ? address : `http://${address}`;
}

/** `NO_PROXY`, and this machine: an API on it is never reached through a proxy. */
function withLoopback(noProxy = ""): string {
  return noProxy.trim() === "*" ? "*" : [noProxy, "localhost", "127.0.0.1", "[::1]"].join(",");
}

let isNewConnection = false;

/** True if the request that starts now is the first one of its connection. */
export function startsOnNewConnection(): boolean {
  return isNewConnection;
}

function createPool(origin: string | URL, options: object): Dispatcher {
  const { connect: connectOptions } = options as PoolType.Options;
  return new Pool(origin, { ...options, connect: observeConnections(connectOptions) });
}

/** Connections to a proxy. Only the main module of undici gives its classes a `connect`. */
function createProxyClient(proxy: URL, options: object): Dispatcher {
  return Object.assign(new Pool(proxy, options), { connect });
}

/** Wraps a connector: undici starts the first request of a connection within the callback. */
function observeConnections(connectOptions: PoolType.Options["connect"]): buildConnector.connector {
  const isProxyTunnel = typeof connectOptions === "function";
  const open = isProxyTunnel ? connectOptions : createConnector(connectOptions ?? {});
  return (target, callback) =>
    open(target, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error) return callback(isProxyTunnel ? toProxyError(error) : error, null);
      isNewConnection = true;
      try {
        callback(null, socket);
      } finally {
        isNewConnection = false;
      }
    });
}

/** Codes of a connection that could not be made. */
const unreachableCodes: ReadonlySet<unknown> = new Set(
  (
    "EAI_AGAIN ECONNREFUSED EHOSTUNREACH ENETUNREACH ENOTFOUND ETIMEDOUT " +
    "UND_ERR_CONNECT_TIMEOUT"
  ).split(" "),
);

/**
 * Replaces codes that would name the API, and those after which undici connects again and again,
 * until the deadline.
 */
function toProxyError(error: Error): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (unreachableCodes.has(code))
    return Object.assign(new Error("The proxy cannot be reached."), {
      code: "UND_ERR_PRX_CONNECT",
    });
  if (code !== "UND_ERR_SOCKET" && code !== "UND_ERR_INFO") return error;
  return Object.assign(new Error("The proxy closed the connection."), { code: "UND_ERR_ABORTED" });
}

// ---- client/undici-response.ts ----
// A response of undici: its status, its headers, and its body without content codings.

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

// ---- client/undici.ts ----
// Requests over undici: their header lines, and their one repetition on a closed connection.

/** Codes of a connection that was closed while a request was in flight. */
const closedCodes: ReadonlySet<unknown> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/**
 * Largest request body in bytes that is written at once. Larger ones are written in chunks, so that
 * an early response stops the rest.
 */
const maxWriteBytes = 64 * 1024;

/**
 * Sends with undici. If a kept-alive connection turns out to be closed and the request is
 * repeatable, it is sent once more over a new connection. RFC 9112, section 9.3.1.
 * @throws an error of undici, Node or zlib, with its code
 */
export const sendByUndici: SendFunction = async (request, { deadline, isRepeatable, tls }) => {
  if (tls && !request.url.startsWith("https:")) {
    throw new Error("A client certificate requires TLS.");
  }
  const attempt = new UndiciRequest(request, deadline);
  try {
    return await attempt.start(dispatcherFor(tls, { keepAlive: true }));
  } catch (error) {
    if (!isRepeatable || deadline.expired || !attempt.metClosedConnection(error)) throw error;
    return new UndiciRequest(request, deadline).start(dispatcherFor(tls, { keepAlive: false }));
  }
};

/** One request over one connection, and its response. */
class UndiciRequest implements Dispatcher.DispatchHandler {
  readonly #request: BoundRequest;
  readonly #deadline: Deadline;
  #controller: Dispatcher.DispatchController | undefined;
  #response: UndiciResponse | undefined;
  #isOnUsedConnection = false;
  #hasResponseStarted = false;
  #resolve!: (response: HttpResponse) => void;
  #reject!: (error: Error) => void;

  constructor(request: BoundRequest, deadline: Deadline) {
    this.#request = request;
    this.#deadline = deadline;
  }

  /** Resolves when the head of the response is there. */
  start(dispatcher: Dispatcher): Promise<HttpResponse> {
    const { method, url, body } = this.#request;
    const { origin, pathname, search } = new URL(url);
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    const headers = requestHeaders(this.#request, bytes?.byteLength);
    const options = {
      origin,
      path: pathname + search,
      method,
      headers,
      body: toDispatchBody(bytes),
    };
    return new Promise((resolve, reject) => {
      [this.#resolve, this.#reject] = [resolve, reject];
      this.#deadline.onExpire(() => this.#expire());
      if (!this.#deadline.expired) dispatcher.dispatch(options, this);
    });
  }

  /** True if the other end had closed the connection, most likely before it got the request. */
  metClosedConnection(error: unknown): boolean {
    const { code } = error as NodeJS.ErrnoException;
    return this.#isOnUsedConnection && !this.#hasResponseStarted && closedCodes.has(code);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#isOnUsedConnection = !startsOnNewConnection();
    if (this.#deadline.expired) controller.abort(new ExpiryError());
    else this.#deadline.markSent();
  }

  onResponseStarted(): void {
    this.#hasResponseStarted = true;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _: unknown,
    statusText = "",
  ): void {
    if (status < 200) return;
    this.#response = new UndiciResponse(this.#request.method, status, statusText, controller);
    this.#resolve(this.#response);
    if (this.#response.hasUnexpectedBody()) this.#response.discard();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#response?.push(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#response?.end();
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.#response) this.#response.fail(error);
    else this.#reject(error);
  }

  #expire(): void {
    const error = new ExpiryError();
    if (this.#response) return this.#response.fail(error);
    this.#reject(error);
    this.#controller?.abort(error);
  }
}

/** undici accepts iterables, which its types lack. */
function toDispatchBody(bytes: Uint8Array | undefined): Uint8Array | Readable | undefined {
  if (bytes === undefined || bytes.byteLength <= maxWriteBytes) return bytes;
  return slices(bytes) as unknown as Readable;
}

async function* slices(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += maxWriteBytes) {
    yield bytes.subarray(start, start + maxWriteBytes);
  }
}

/** Fields of the connection and of message framing, which undici writes. RFC 9110, section 7.6.1. */
const connectionFields: ReadonlySet<string> = new Set(
  "content-length expect host keep-alive proxy-connection transfer-encoding upgrade".split(" "),
);

/** The header lines of a request in the form of undici: name, value, name, value. */
function requestHeaders({ headers, body }: BoundRequest, length = 0): string[] {
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
