import type { Collected } from "./incoming.js";

/** A body as it comes, until it is more than a limit: what comes after that is not kept. */
export class Pieces implements Collected {
  readonly chunks: Uint8Array[] = [];
  size = 0;

  constructor(private readonly limit: number) {}

  /** @returns whether there is room for more */
  add(chunk: Uint8Array): boolean {
    if (this.size > this.limit) return false;
    this.chunks.push(chunk);
    this.size += chunk.byteLength;
    return this.size <= this.limit;
  }
}
