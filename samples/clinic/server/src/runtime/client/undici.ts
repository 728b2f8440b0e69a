import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { BoundRequest } from "../request/types.js";
import { BoundedBuffer } from "./bounded-body.js";
import { dispatcherFor, startsOnNewConnection } from "./connections.js";
import { HeaderLines, requestHeaders } from "./headers.js";
import type { Deadline, CollectedBody, HttpResponse, SendFunction } from "./types.js";

/** Codes of a connection that was closed while a request was in flight. */
const closedCodes: ReadonlySet<unknown> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/**
 * Largest request body in bytes that is written at once. Larger ones are written piece by piece, so
 * that a response which comes early stops the rest.
 */
const maxWriteBytes = 64 * 1024;

/** Milliseconds for reading an unwanted body to its end. A new connection costs less than more. */
const drainMs = 100;

/**
 * Sends with undici. If a kept-alive connection turns out to be closed and the request is
 * repeatable, it is sent once more over a new connection. RFC 9112, section 9.3.1.
 * @throws an error of undici, Node or zlib, with its code
 */
export const sendByUndici: SendFunction = async (request, { deadline, isRepeatable, tls }) => {
  if (tls && !request.url.startsWith("https:")) {
    throw new Error("A client certificate requires TLS.");
  }
  const exchange = new Exchange(request, deadline);
  try {
    return await exchange.start(dispatcherFor(tls, { keepAlive: true }));
  } catch (error) {
    if (!isRepeatable || deadline.expired || !exchange.metClosedConnection(error)) throw error;
    return new Exchange(request, deadline).start(dispatcherFor(tls, { keepAlive: false }));
  }
};

/** One request over one connection, and its response. */
class Exchange implements Dispatcher.DispatchHandler {
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
    if (this.#deadline.expired) controller.abort(expiryError());
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
    const error = expiryError();
    if (this.#response) return this.#response.fail(error);
    this.#reject(error);
    this.#controller?.abort(error);
  }
}

/** A response whose body stays in the connection until it is collected. */
class UndiciResponse implements HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderLines;
  readonly hasBody: boolean;
  readonly #method: string;
  readonly #body: Readable;
  /** Bytes that are still to come, if the response declares its length. */
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
    // Without a listener, an error of a body that nobody reads would end the process.
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

  async collect(limit: number): Promise<CollectedBody> {
    const encoding = this.headers.get("content-encoding");
    if (encoding === null || this.#isEmpty()) return collectBody(this.#body, this.#body, limit);
    return collectBody(await this.#decompress(encoding), this.#body, limit);
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
      const { decompress } = await import("./decompress.js");
      return decompress(this.#body, encoding);
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
 * @param source the body as it comes from the connection; `body` itself unless that is decompressed
 */
function collectBody(body: Readable, source: Readable, limit: number): Promise<CollectedBody> {
  return new Promise((resolve, reject) => {
    if (source.errored) return reject(source.errored);
    const buffer = new BoundedBuffer(limit);
    const finish = (): void => {
      resolve(buffer);
      if (!source.readableEnded) source.destroy(new Error("The rest was discarded."));
    };
    body.on("data", (chunk: Uint8Array) => void (buffer.add(chunk) || finish()));
    body.on("end", finish).on("error", reject);
    if (body !== source) source.on("error", reject);
  });
}

/** Types of undici know no iterables, which it takes. */
function toDispatchBody(bytes: Uint8Array | undefined): Uint8Array | Readable | undefined {
  if (bytes === undefined || bytes.byteLength <= maxWriteBytes) return bytes;
  return slices(bytes) as unknown as Readable;
}

async function* slices(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += maxWriteBytes) {
    yield bytes.subarray(start, start + maxWriteBytes);
  }
}

function expiryError(): Error {
  const error = new Error("The deadline of the call has expired.");
  return Object.assign(error, { code: "ETIMEDOUT" });
}
