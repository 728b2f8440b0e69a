import type { ClientRequest, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { CollectedBody, HttpResponse } from "../../client/types.js";
import { BoundedBuffer } from "../../client/bounded-body.js";
import { AnswerHeaders } from "./answer-headers.js";
import { codingsOf } from "./codings.js";

const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** A new connection takes less than to wait longer for the end of what nobody wants. */
const soonMs = 100;

/** An answer that begins to come over node:http. */
export class Answer implements HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: AnswerHeaders;
  readonly hasBody: boolean;
  private body: Readable;
  private broken: Error | undefined;
  private reject = (error: Error): void => void (this.broken ??= error);

  constructor(
    private readonly message: IncomingMessage,
    private readonly request: ClientRequest,
  ) {
    this.status = message.statusCode ?? 0;
    this.statusText = message.statusMessage ?? "";
    this.headers = new AnswerHeaders(message.rawHeaders);
    this.hasBody = request.method !== "HEAD" && !bodiless.has(this.status);
    this.body = message
      .on("error", (error) => this.fail(error))
      .once("end", () => this.stopSending());
    if (!this.hasBody) void (this.mayGoOn() ? this.discard() : message.resume());
  }

  /** What goes wrong with the connection; it matters until all of the answer is here. */
  fail(error: Error): void {
    if (!this.message.complete) this.reject(error);
  }

  /** Ends the reading, wherever it is. */
  stop(error: Error): void {
    this.reject(error);
    this.discard();
  }

  async collect(limit: number): Promise<CollectedBody> {
    const codings = this.headers.get("content-encoding");
    if (codings !== null && !this.isEmpty()) await this.decode(codings);
    return this.gathered(limit);
  }

  async drain(limit: number): Promise<void> {
    if (!this.hasBody) return;
    const late = setTimeout(() => this.stop(new Error("The body is late.")), soonMs);
    await this.collect(limit).catch(() => this.discard());
    clearTimeout(late);
  }

  discard(): void {
    this.request.destroy();
    this.body.destroy();
  }

  /**
   * With 205, and with what says the length of a 204, a body can come that is none, and must not be
   * taken for the next answer.
   */
  private mayGoOn(): boolean {
    if (this.isEmpty() || this.request.method === "HEAD") return false;
    return (
      this.status === 205 ||
      (this.status === 204 &&
        (this.headers.has("content-length") || this.headers.has("transfer-encoding")))
    );
  }

  private isEmpty(): boolean {
    return this.headers.get("content-length") === "0";
  }

  private async decode(contentEncoding: string): Promise<void> {
    try {
      const codings = codingsOf(contentEncoding);
      const { decoded } = await import("./decode.js");
      this.body = await decoded(this.message, codings);
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /**
   * An answer can be there before all of its request is sent, and then nobody may ever read the
   * rest.
   */
  private stopSending(): void {
    if (!this.request.writableFinished) this.request.destroy();
  }

  private gathered(limit: number): Promise<CollectedBody> {
    return new Promise((resolve, reject) => {
      this.reject = reject;
      const pieces = new BoundedBuffer(limit);
      const end = (): void => {
        resolve(pieces);
        // Above the limit, or behind the end of what is compressed.
        if (!this.message.readableEnded) this.discard();
      };
      this.body.on("data", (chunk: Uint8Array) => void (pieces.add(chunk) || end()));
      this.body.on("end", end).on("error", reject);
      if (this.broken) this.stop(this.broken);
    });
  }
}
