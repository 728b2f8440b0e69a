import type { BoundRequest, ClientCertificate } from "../bind/types.js";
import type { Deadline } from "./deadline.js";

/**
 * Sends one request, and tells the deadline when the API may see it; a redirect is an answer like
 * any other. Where the server runs decides how: by `fetch`, or by something that costs less.
 * @throws whatever broke, with a code that causes.ts knows, and the variable of a proxy that was
 *   not used (`unusedProxy`); anything at all when the deadline ended it
 */
export type Send = (request: BoundRequest, how: SendHow) => Promise<Incoming>;

export interface SendHow {
  /** Ends the request, and the reading of its answer, wherever they are. */
  readonly deadline: Deadline;
  /** Sending it again is harmless. */
  readonly repeatable: boolean;
  /** What the connection has to present (mutual TLS). */
  readonly tls?: ClientCertificate;
}

/** An answer whose body is still on its way. It must be collected, passed over or discarded. */
export interface Incoming {
  readonly status: number;
  readonly statusText: string;
  readonly headers: ResponseHeaders;
  /** False where HTTP allows none: after HEAD, with 204, 205 and 304. */
  readonly hasBody: boolean;
  /**
   * The body, decoded from any `Content-Encoding`, until it is more than `limit` bytes: then its
   * connection is closed.
   */
  collect(limit: number): Promise<Collected>;
  /** Gives the body up; the next request can have its connection, if that costs little. */
  pass(limit: number): Promise<void>;
  /** Gives the body up, and its connection. */
  discard(): void;
}

export interface Collected {
  readonly chunks: readonly Uint8Array[];
  /** Bytes of them all. */
  readonly size: number;
}

/**
 * As much of the Fetch Standard's `Headers` as is needed: Node loads its whole `fetch` for the
 * first of those.
 */
export interface ResponseHeaders extends Iterable<[string, string]> {
  /** Values of the same name are joined by a comma. */
  get(name: string): string | null;
  has(name: string): boolean;
  getSetCookie(): string[];
}
