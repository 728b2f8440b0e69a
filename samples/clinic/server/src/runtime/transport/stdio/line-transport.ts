import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import {
  batchRevision,
  createBatchTracker,
  type ErrorResponse,
  messageTooLarge,
  parseLine,
} from "./messages.js";

/** Longest message that is read. */
const maxBytes = 10 * 1024 * 1024;

/** How long a client that has closed its end may still wait for answers to what it asked before. */
const drainMs = 1500;

/** How long the last answers may take to leave. */
const flushMs = 300;

/**
 * Writes text to the output; false when the output wants no more for now. `done` is told when the
 * text has left.
 */
export type WriteOut = (text: string, done?: () => void) => boolean;

/**
 * JSON-RPC over two streams, one message per line. The SDK has such a transport too; this one
 * answers lines that are no messages instead of dropping them, survives messages that are too long,
 * answers what was asked before the input ended, and does not read on while the client does not
 * take its answers. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#stdio
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /**
   * Called when no more is to be answered, to say good-bye and close; soon after, the connection is
   * closed in any case.
   */
  onfinished?: () => void;

  readonly #lines = createLineReader(
    maxBytes,
    (line) => this.#receive(line),
    () => void this.#write(messageTooLarge(maxBytes)),
  );
  /** Requests that wait for their answers, by id; an id can be used more than once at a time. */
  readonly #waiting = new Map<unknown, number>();
  readonly #batches = createBatchTracker((answers) => void this.#write(answers));
  #revision: string | undefined;
  /** Lines that leave at the end of this turn of the event loop, in one write. */
  #outbox = "";
  #leaving: Promise<void> | undefined;
  #left: () => void = () => {};
  #ending = false;
  #closed = false;
  #resolveClosed!: () => void;

  /** Resolves when the connection is over and everything has left. */
  readonly closed = new Promise<void>((resolve) => (this.#resolveClosed = resolve));

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #writeOut: WriteOut;

  /**
   * @param writeOut writes to the output; given apart, because the process may have taken
   *   `output.write` for itself
   */
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
    // The client is gone: there is nobody left to tell.
    this.#output.on("error", () => void this.close());
  }

  /** The revision that the client and the server have agreed on, before 2026-07-28. */
  setProtocolVersion(version: string): void {
    this.#revision = version;
  }

  /**
   * Takes no more requests, and closes when those in flight are answered, or when the time is up.
   */
  end(graceMs: number): void {
    this.#ending = true;
    if (this.#waiting.size === 0) this.#finish();
    else setTimeout(() => this.#finish(), graceMs);
  }

  #finish(): void {
    if (!this.onfinished) return void this.close();
    this.onfinished();
    setTimeout(() => void this.close(), flushMs);
  }

  /** Resolves when the client takes the message, or never will. */
  send(message: JSONRPCMessage): Promise<void> {
    if (!("id" in message) || "method" in message) return this.#write(message);
    const leaving = this.#batches.complete(message.id, message)
      ? Promise.resolve()
      : this.#write(message);
    this.#settle(message.id);
    return leaving;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.pause();
    this.onclose?.();
    this.#writeOut(this.#outbox, this.#resolveClosed);
    setTimeout(this.#resolveClosed, flushMs);
  }

  #receive(line: string): void {
    if (this.#closed || this.#ending || line.trim() === "") return;
    const parsed = parseLine(line, this.#revision === batchRevision);
    if ("batch" in parsed) {
      this.#batches.start(parsed.batch);
      for (const each of parsed.batch) if (each.ok) this.#take(each.message);
    } else if (parsed.ok) this.#take(parsed.message);
    else void this.#write(parsed.response);
  }

  #take(message: JSONRPCMessage): void {
    if ("method" in message) this.#note(message);
    this.onmessage?.(message);
  }

  /** Subscriptions are answered when they end, so nobody waits for that. */
  #note(
    message: JSONRPCMessage & {
      readonly method: string;
      readonly params?: Readonly<Record<string, unknown>>;
    },
  ): void {
    if ("id" in message) {
      if (message.method !== "subscriptions/listen")
        this.#waiting.set(message.id, (this.#waiting.get(message.id) ?? 0) + 1);
    } else if (message.method === "notifications/cancelled") {
      this.#batches.complete(message.params?.["requestId"]);
      this.#settle(message.params?.["requestId"]);
    }
  }

  #write(
    message: JSONRPCMessage | ErrorResponse | readonly (JSONRPCMessage | ErrorResponse)[],
  ): Promise<void> {
    this.#outbox += `${JSON.stringify(message)}\n`;
    return (this.#leaving ??= new Promise((resolve) => {
      this.#left = resolve;
      setImmediate(() => this.#flush());
    }));
  }

  #flush(): void {
    const lines = this.#outbox;
    this.#outbox = "";
    if (!this.#closed && lines && !this.#writeOut(lines)) return this.#flushWhenDrained();
    this.#leaving = undefined;
    this.#left();
  }

  /**
   * While the client does not take its answers, it gets to ask nothing more: otherwise they would
   * pile up here.
   */
  #flushWhenDrained(): void {
    this.#input.pause();
    const go = (): void => {
      this.#output.off("drain", go).off("close", go);
      if (!this.#closed) this.#input.resume();
      this.#flush();
    };
    this.#output.on("drain", go).on("close", go);
  }

  #settle(id: unknown): void {
    const others = (this.#waiting.get(id) ?? 0) - 1;
    if (others > 0) this.#waiting.set(id, others);
    else this.#waiting.delete(id);
    if (this.#ending && this.#waiting.size === 0) this.#finish();
  }
}

/** Cuts a stream of bytes into lines. */
export interface LineReader {
  push(chunk: Uint8Array): void;
  /** The stream is over: what stands after the last line feed is a line, too. */
  end(): void;
}

const lineFeed = 0x0a;

/**
 * Gives each line as text, without its end. A line longer than `maxBytes` is not kept: `onTooLong`
 * is told once, and reading goes on with the next line.
 */
export function createLineReader(
  maxBytes: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): LineReader {
  let parts: Uint8Array[] = [];
  let size = 0;

  function keep(part: Uint8Array): void {
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
        keep(chunk.subarray(from, end));
        endLine();
        from = end + 1;
      }
      if (from < chunk.byteLength) keep(chunk.subarray(from));
    },
    end() {
      if (size > 0) endLine();
    },
  };
}
