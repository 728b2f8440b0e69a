/**
 * The connection of a client to a server that takes long to start. Hosts wait for the answer to
 * `initialize` only some seconds, so it is given here if the server is late. Everything else that
 * the client sends waits for the server.
 */
import type { Readable, Writable } from "node:stream";
import { isObject } from "../json.js";

/** Revisions of MCP with `initialize` that the server has, the latest first. */
export const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

const NEWLINE = 0x0a;

interface Client {
  readonly input: Readable;
  readonly output: Writable;
}

interface RelayOptions {
  /** Time that the server has to answer itself. */
  readonly delayMs: number;
  /** Version of mcp-gen, which answers instead. */
  readonly version: string;
}

/** A server with pipes instead of the streams of this process. */
export interface PipedServer {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

type Message = Readonly<Record<string, unknown>>;

/** Connects a client to a server that is started later. */
export class StdioRelay {
  readonly #client: Client;
  readonly #version: string;
  readonly #timer: NodeJS.Timeout;
  #server: PipedServer | undefined;
  #hasEnded = false;
  #isLate = false;
  /** Input that the server has not got. */
  #waiting: Buffer[] = [];
  /** Beginning of the input, up to the end of the first message. */
  #beginning: Buffer | undefined = Buffer.alloc(0);
  /** Request whose response is awaited. */
  #initialize: Message | undefined;
  #isAnswered = false;

  constructor(client: Client, { delayMs, version }: RelayOptions) {
    this.#client = client;
    this.#version = version;
    this.#timer = setTimeout(() => this.#answerIfLate((this.#isLate = true)), delayMs);
    client.input.on("data", this.#receive).once("end", () => this.#end());
  }

  /** Passes on what the client has sent and sends, and what the server responds. */
  connect(server: PipedServer): void {
    this.#server = server;
    // The server may have ended.
    server.stdin.on("error", () => undefined);
    for (const chunk of this.#waiting.splice(0)) server.stdin.write(chunk);
    if (this.#hasEnded) server.stdin.end();
    server.stdout.on("data", this.#createForwarder(server.stdout));
  }

  /** Stops reading, so that the process can end. */
  close(): void {
    clearTimeout(this.#timer);
    this.#client.input.destroy();
  }

  readonly #receive = (chunk: Buffer): void => {
    const { input } = this.#client;
    const stdin = this.#server?.stdin;
    if (!stdin) this.#waiting.push(chunk);
    else if (!stdin.write(chunk)) {
      input.pause();
      stdin.once("drain", () => input.resume());
    }
    if (this.#beginning) this.#readBeginning(Buffer.concat([this.#beginning, chunk]));
  };

  /** Looks for `initialize`, which can only be the first message. */
  #readBeginning(bytes: Buffer): void {
    const end = bytes.indexOf(NEWLINE);
    this.#beginning = end < 0 ? bytes : undefined;
    if (end < 0) return;
    const message = parseMessage(bytes.subarray(0, end));
    if (message?.["method"] !== "initialize" || message["id"] === undefined) return;
    this.#initialize = message;
    this.#answerIfLate(this.#isLate);
  }

  #answerIfLate(isLate: boolean): void {
    if (!isLate || !this.#initialize || this.#isAnswered) return;
    this.#isAnswered = true;
    this.#client.output.write(`${JSON.stringify(answerTo(this.#initialize, this.#version))}\n`);
  }

  #end(): void {
    this.#hasEnded = true;
    this.#server?.stdin.end();
  }

  /** Forwards the output of the server, without the response to a request that has one. */
  #createForwarder(stdout: Readable): (chunk: Buffer) => void {
    const { output } = this.#client;
    let pending = Buffer.alloc(0);
    const forward = (chunk: Buffer): void => {
      pending = Buffer.concat([pending, chunk]);
      for (let end = pending.indexOf(NEWLINE); end >= 0; end = pending.indexOf(NEWLINE)) {
        const line = pending.subarray(0, end + 1);
        pending = pending.subarray(end + 1);
        const isResponse = parseMessage(line)?.["id"] === this.#initialize?.["id"];
        if (!isResponse || !this.#isAnswered) output.write(line);
        if (!isResponse && this.#initialize) continue;
        clearTimeout(this.#timer);
        stdout.off("data", forward);
        output.write(pending);
        stdout.pipe(output);
        return;
      }
    };
    return forward;
  }
}

function answerTo({ id, params }: Message, version: string): object {
  const requested = isObject(params) ? params["protocolVersion"] : undefined;
  const protocolVersion = REVISIONS.find((revision) => revision === requested) ?? REVISIONS[0];
  const result = {
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: "mcp-gen", version },
  };
  return { jsonrpc: "2.0", id, result };
}

function parseMessage(line: Buffer): Message | undefined {
  try {
    const message: unknown = JSON.parse(line.toString("utf8"));
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
