import type { BoundRequest, ClientCertificate } from "../request/types.js";
import type { Deadline } from "./deadline.js";

/**
 * Sends one request, and tells the deadline when the API may see it; a redirect is an answer like
 * any other. Where the server runs decides how: by `fetch`, or by something that costs less.
 * @throws whatever broke, with a code that causes.ts knows, and the variable of a proxy that was
 *   not used (`unusedProxy`); anything at all when the deadline ended it
 */
export type SendFunction = (request: BoundRequest, how: SendOptions) => Promise<HttpResponse>;

export interface SendOptions {
  /** Ends the request, and the reading of its answer, wherever they are. */
  readonly deadline: Deadline;
  /** Sending it again is harmless. */
  readonly isRepeatable: boolean;
  /** What the connection has to present (mutual TLS). */
  readonly tls?: ClientCertificate;
}

/** An answer whose body is still on its way. It must be collected, passed over or discarded. */
export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: ResponseHeaders;
  /** False where HTTP allows none: after HEAD, with 204, 205 and 304. */
  readonly hasBody: boolean;
  /**
   * The body, decoded from any `Content-Encoding`, until it is more than `limit` bytes: then its
   * connection is closed.
   */
  collect(limit: number): Promise<CollectedBody>;
  /** Gives the body up; the next request can have its connection, if that costs little. */
  drain(limit: number): Promise<void>;
  /** Gives the body up, and its connection. */
  discard(): void;
}

export interface CollectedBody {
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

/**
 * Text where the body says that it is UTF-8 text, because that is the cheapest way to read it;
 * otherwise bytes.
 */
export type Body = string | Uint8Array;

/** A response as it came, its body read. */
export interface ApiResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: ResponseHeaders;
  /** Decoded from any `Content-Encoding`. */
  readonly body: Body;
  /** Bytes of the decoded body. */
  readonly size: number;
}

/** Whether the API says that it did what was asked. */
export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

/**
 * Every way in which a call can end without a result. Values, not exceptions: what to tell the
 * agent about each is decided in one place, errors/. `sent` says whether the API may have seen the
 * request.
 */
export type Failure =
  /** The credentials that the API wants are not there. `message` says which variables to set. */
  | { readonly kind: "credentials"; readonly message: string }
  /** The API answered with a status that is not success. */
  | { readonly kind: "status"; readonly response: ApiResponse }
  /**
   * The API answered with a status of success, and says in its answer that it did not do what was
   * asked.
   */
  | { readonly kind: "refused"; readonly response: ApiResponse; readonly value: unknown }
  /**
   * The API says that it did what was asked, but its answer is not what it promises. `excerpt` is
   * the start of the answer; `shown` when the agent gets all of it.
   */
  | {
      readonly kind: "unusable";
      readonly response: ApiResponse;
      readonly reason: string;
      readonly excerpt?: string;
      readonly shown?: boolean;
    }
  | { readonly kind: "tooLarge"; readonly limit: number }
  | { readonly kind: "timeout"; readonly afterMs: number; readonly sent: boolean }
  /** The client took the call back, or the server is stopping. */
  | { readonly kind: "cancelled" }
  /**
   * No answer: name resolution, connection, TLS, broken HTTP. `lasting` when another try meets the
   * same.
   */
  | {
      readonly kind: "connection";
      readonly cause: string;
      readonly sent: boolean;
      readonly permanent: boolean;
    }
  | { readonly kind: "redirect"; readonly cause: string }
  /** Too many calls wait already. */
  | { readonly kind: "busy" };

/** Whether a value is a failure rather than a response. */
export function isFailure(outcome: ApiResponse | Failure): outcome is Failure {
  return "kind" in outcome;
}

/** Outcome of one authenticated request. */
export interface RequestOutcome {
  readonly response: ApiResponse | Failure;
  /** Credentials that were sent. They must not leave the server. */
  readonly secrets: readonly string[];
  readonly retries: number;
}
