/** MCP over stdin and stdout, for one client. */
import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Server, Transport } from "@modelcontextprotocol/server";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import { localConsent } from "./local-consent.js";
import { createMcpServer } from "../../protocol/mcp-server.js";
import type { ServerContext } from "../../server/context.js";
import { interruptCalls } from "../../server/running-calls.js";
import { onShutdownSignal } from "../../server/node-platform.js";
import {
  batchRevision,
  createBatchTracker,
  type ErrorResponse,
  messageTooLarge,
  parseLine,
} from "../../protocol/messages.js";

/** Serves one client over stdin and stdout. The process ends with the connection. */
export function serveStdio(context: ServerContext): void {
  const transport = new LineTransport(process.stdin, process.stdout, reserveStdout());
  const { close } = serveConnection(() => createConnection(context), {
    transport,
    onerror: (error) => context.log.debug("stdio", error),
  });
  transport.onfinished = () => void close();
  void transport.closed.then(() => process.exit(0));
  onShutdownSignal(() => {
    transport.end(context.settings.shutdownGraceMs ?? graceMs, () => interruptCalls(context));
    return transport.closed;
  });
}

/**
 * Creates a server. A connection may have two: one for version negotiation, and the one that stays.
 */
function createConnection(context: ServerContext): Server {
  const server = createMcpServer(context, { consent: localConsent(context) });
  context.toolListChanges?.subscribe(() => void server.sendToolListChanged().catch(() => {}));
  return server;
}

/**
 * Reserves stdout for the protocol. Other output of the process (console.log, a dependency) goes to
 * stderr, because any other line would break the client.
 * @returns a function that writes to stdout
 */
function reserveStdout(): WriteOut {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (text, done) => write(text, done);
}

/** Maximum size of a message in bytes. */
const maxBytes = 10 * 1024 * 1024;

/** Milliseconds for calls in flight after a signal. Clients end a process that takes longer. */
const graceMs = 4000;

/** Milliseconds for responses in flight after the client has closed its end. */
const drainMs = 1500;

/** Milliseconds for writing the last responses. */
const flushMs = 300;

/**
 * Writes text to the output. Returns false when the output is full; `done` is called when the text
 * is written.
 */
type WriteOut = (text: string, done?: () => void) => boolean;

/**
 * JSON-RPC over two streams, one message per line. Unlike the transport of the SDK, it responds to
 * invalid lines, survives messages that are too large, responds to requests in flight when the
 * input ends, and pauses the input while the output is full.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#stdio
 */
class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Called after the last response, to end subscriptions. The connection closes soon after. */
  onfinished?: () => void;

  readonly #lines = createLineReader(
    maxBytes,
    (line) => this.#receive(line),
    () => void this.#write(messageTooLarge(maxBytes)),
  );
  /** Number of requests in flight by id. An id may be in use more than once. */
  readonly #inFlight = new Map<unknown, number>();
  readonly #batches = createBatchTracker((responses) => void this.#write(responses));
  #revision: string | undefined;
  /** Lines to write at the end of this turn of the event loop. */
  #pendingLines = "";
  #flushing: Promise<void> | undefined;
  #resolveFlushed: () => void = () => {};
  #isEnding = false;
  #closed = false;
  #resolveClosed!: () => void;

  /** Resolves when the connection is closed and all lines are written. */
  readonly closed = new Promise<void>((resolve) => (this.#resolveClosed = resolve));

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #writeOut: WriteOut;

  /** @param writeOut writes to the output; separate, because `output.write` may be redirected */
  constructor(input: Readable, output: Writable, writeOut: WriteOut) {
    this.#input = input;
    this.#output = output;
    this.#writeOut = writeOut;
  }

  async start(): Promise<void> {
    this.#input.on("data", (chunk: Uint8Array) => this.#lines.push(chunk));
    this.#input.on("end", () => {
      this.#lines.end();
      this.end(drainMs);
    });
    this.#input.on("error", () => this.end(drainMs));
    // The client has disconnected.
    this.#output.on("error", () => void this.close());
  }

  /** Sets the negotiated revision, before 2026-07-28. */
  setProtocolVersion(version: string): void {
    this.#revision = version;
  }

  /**
   * Accepts no more requests, and closes after the requests in flight or the grace period.
   * @param interrupt ends the requests in flight, whose responses are written then
   */
  end(afterMs: number, interrupt = (): void => {}): void {
    this.#isEnding = true;
    if (this.#inFlight.size === 0) return this.#finish();
    setTimeout(() => {
      interrupt();
      setTimeout(() => this.#finish(), flushMs);
    }, afterMs);
  }

  #finish(): void {
    if (!this.onfinished) return void this.close();
    this.onfinished();
    setTimeout(() => void this.close(), flushMs);
  }

  /** Resolves when the output has room for the next message. */
  send(message: JSONRPCMessage): Promise<void> {
    if (!("id" in message) || "method" in message) return this.#write(message);
    const writing = this.#batches.complete(message.id, message)
      ? Promise.resolve()
      : this.#write(message);
    this.#finishRequest(message.id);
    return writing;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.pause();
    this.onclose?.();
    this.#writeOut(this.#pendingLines, this.#resolveClosed);
    setTimeout(this.#resolveClosed, flushMs);
  }

  #receive(line: string): void {
    if (this.#closed || this.#isEnding || line.trim() === "") return;
    const parsed = parseLine(line, this.#revision === batchRevision);
    if ("batch" in parsed) {
      this.#batches.start(parsed.batch);
      for (const entry of parsed.batch) if (entry.ok) this.#deliver(entry.message);
    } else if (parsed.ok) this.#deliver(parsed.message);
    else void this.#write(parsed.response);
  }

  #deliver(message: JSONRPCMessage): void {
    if ("method" in message) this.#countRequest(message);
    this.onmessage?.(message);
  }

  /**
   * Counts requests in flight. Subscriptions do not count, because their response is sent at their
   * end.
   */
  #countRequest(
    message: JSONRPCMessage & {
      readonly method: string;
      readonly params?: Readonly<Record<string, unknown>>;
    },
  ): void {
    if ("id" in message) {
      if (message.method !== "subscriptions/listen")
        this.#inFlight.set(message.id, (this.#inFlight.get(message.id) ?? 0) + 1);
    } else if (message.method === "notifications/cancelled") {
      this.#batches.complete(message.params?.["requestId"]);
      this.#finishRequest(message.params?.["requestId"]);
    }
  }

  #write(
    message: JSONRPCMessage | ErrorResponse | readonly (JSONRPCMessage | ErrorResponse)[],
  ): Promise<void> {
    this.#pendingLines += `${JSON.stringify(message)}\n`;
    return (this.#flushing ??= new Promise((resolve) => {
      this.#resolveFlushed = resolve;
      setImmediate(() => this.#flush());
    }));
  }

  #flush(): void {
    const lines = this.#pendingLines;
    this.#pendingLines = "";
    if (!this.#closed && lines && !this.#writeOut(lines)) return this.#flushWhenDrained();
    this.#flushing = undefined;
    this.#resolveFlushed();
  }

  /** Pauses the input until the output drains, so that responses do not pile up. */
  #flushWhenDrained(): void {
    this.#input.pause();
    const resume = (): void => {
      this.#output.off("drain", resume).off("close", resume);
      if (!this.#closed) this.#input.resume();
      this.#flush();
    };
    this.#output.on("drain", resume).on("close", resume);
  }

  #finishRequest(id: unknown): void {
    const remaining = (this.#inFlight.get(id) ?? 0) - 1;
    if (remaining > 0) this.#inFlight.set(id, remaining);
    else this.#inFlight.delete(id);
    if (this.#isEnding && this.#inFlight.size === 0) this.#finish();
  }
}

/** Splits a stream of bytes into lines. */
interface LineReader {
  push(chunk: Uint8Array): void;
  /** Ends the stream. Text after the last line feed is a line. */
  end(): void;
}

const lineFeed = 0x0a;

/**
 * Calls `onLine` with each line, without its end. A line above `maxBytes` is dropped, with one call
 * of `onTooLong`.
 */
function createLineReader(
  maxBytes: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): LineReader {
  let parts: Uint8Array[] = [];
  let size = 0;

  function append(part: Uint8Array): void {
    size += part.byteLength;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  }

  function endLine(): void {
    if (size > maxBytes) onTooLong();
    else onLine(Buffer.concat(parts).toString("utf8"));
    parts = [];
    size = 0;
  }

  return {
    push(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
        append(chunk.subarray(from, end));
        endLine();
        from = end + 1;
      }
      if (from < chunk.byteLength) append(chunk.subarray(from));
    },
    end() {
      if (size > 0) endLine();
    },
  };
}
