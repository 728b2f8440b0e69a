/** Requests over undici: their header lines, and their one repetition on a closed connection. */
import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { BoundRequest, Deadline, HttpResponse, SendFunction } from "../request/types.js";
import { dispatcherFor, startsOnNewConnection } from "./dispatchers.js";
import { contentCodings, ExpiryError, trimWhitespace, UndiciResponse } from "./undici-response.js";

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
