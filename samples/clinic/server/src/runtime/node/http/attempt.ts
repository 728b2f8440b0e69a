import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Deadline } from "../../client/deadline.js";
import { Answer } from "./answer.js";

/**
 * A connection that is not there by then never will be; the deadline of a call may be much longer.
 */
const connectMs = 10_000;

/** One request over one connection, from its begin until its answer begins. */
export class Attempt {
  /** @throws what node:http says of the connection, with its code */
  readonly answered: Promise<Answer>;
  /** The other end had closed the kept connection before it got the request, most likely. */
  isStale = false;
  private resolve!: (answer: Answer) => void;
  private reject!: (error: Error) => void;
  private answer: Answer | undefined;
  private isSilent = (): boolean => true;

  constructor(
    private readonly request: ClientRequest,
    private readonly deadline: Deadline,
  ) {
    this.answered = new Promise(
      (resolve, reject) => ([this.resolve, this.reject] = [resolve, reject]),
    );
    // The size of the head is bounded already.
    request.maxHeadersCount = 0;
    request.once("socket", (socket) => this.connect(socket));
    request.once("response", (message) => this.begin(message));
    request.on("error", (error) => this.fail(error));
    request.once("close", () => this.end(errorOf("ECONNRESET")));
    deadline.onExpire(() =>
      this.answer ? this.answer.stop(errorOf("ETIMEDOUT")) : request.destroy(),
    );
  }

  private connect(socket: Socket): void {
    this.isSilent = silenceOf(socket);
    if (this.request.reusedSocket) this.deadline.markSent();
    else prepare(socket, () => this.deadline.markSent());
  }

  private begin(message: IncomingMessage): void {
    this.answer = new Answer(message, this.request);
    // What is no status is no HTTP, and what leads to another protocol was not asked for.
    if (this.answer.status >= 200) return this.resolve(this.answer);
    this.answer.discard();
    this.reject(errorOf("HPE_INVALID_STATUS"));
  }

  private fail(error: Error): void {
    const { code } = error as NodeJS.ErrnoException;
    this.isStale =
      this.request.reusedSocket && (code === "ECONNRESET" || code === "EPIPE") && this.isSilent();
    this.end(error);
  }

  private end(error: Error): void {
    if (this.answer) this.answer.fail(error);
    else this.reject(error);
  }
}

export function errorOf(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** @returns whether nothing came from now on */
function silenceOf(socket: Socket): () => boolean {
  const { bytesRead } = socket;
  return () => socket.bytesRead === bytesRead;
}

/**
 * A new connection. What goes wrong with it is told by its request; once that has its answer there
 * is nobody to tell, and nobody must be.
 */
function prepare(socket: Socket | TLSSocket, connected: () => void): void {
  socket.on("error", () => {});
  if (isConnected(socket)) return connected();
  const timer = setTimeout(() => socket.destroy(errorOf("ETIMEDOUT")), connectMs);
  const done = (): void => clearTimeout(timer);
  socket
    .once("encrypted" in socket ? "secureConnect" : "connect", () => (done(), connected()))
    .once("close", done);
}

/** One that goes through a proxy is, before it is handed over. */
function isConnected(socket: Socket | TLSSocket): boolean {
  return !socket.connecting && !("encrypted" in socket && socket.getFinished() === undefined);
}
