import type { BoundRequest, ClientCertificate, SentCredentials } from "../request/types.js";

/**
 * Sends one request, without following redirects, and marks the deadline when the API may have seen
 * it.
 * @throws an error with a code of network-errors.ts; any error once the deadline has expired
 */
export type SendFunction = (request: BoundRequest, options: SendOptions) => Promise<HttpResponse>;

interface SendOptions {
  /** Aborts the request and the reading of its response. */
  readonly deadline: Deadline;
  /** A second request does no harm. */
  readonly isRepeatable: boolean;
  /** Client certificate of the connection (mutual TLS). */
  readonly tls?: ClientCertificate;
}

/** A response whose body is still to come. It must be collected, drained or discarded. */
export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: ResponseHeaders;
  /** False after HEAD, and with 204, 205 and 304. */
  readonly hasBody: boolean;
  /** Reads the body without its content codings. Beyond `limit` bytes, the connection is closed. */
  collect(limit: number): Promise<CollectedBody>;
  /** Skips the body, so that the connection can be reused if that costs little. */
  drain(limit: number): Promise<void>;
  /** Skips the body and closes the connection. */
  discard(): void;
}

export interface CollectedBody {
  readonly chunks: readonly Uint8Array[];
  /** Size of all chunks in bytes. */
  readonly size: number;
}

/**
 * The part of `Headers` (Fetch Standard) that the runtime uses. Node loads its whole `fetch` for
 * the first `Headers`.
 */
export interface ResponseHeaders extends Iterable<[string, string]> {
  /** Values of the same name, joined by commas. */
  get(name: string): string | null;
  has(name: string): boolean;
  getSetCookie(): string[];
}

/** UTF-8 text, which is the cheapest to read, or bytes of any other content. */
export type Body = string | Uint8Array;

/** A response with its body. */
export interface ApiResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: ResponseHeaders;
  /** Without its content codings. */
  readonly body: Body;
  /** Size of the decoded body in bytes. */
  readonly size: number;
}

/** True if the status is one of success (2xx). */
export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

/**
 * A call that ended without a result. Failures are values, not exceptions; errors/ decides the text
 * for the agent. `sent` says whether the API may have seen the request.
 */
export type Failure =
  /** Credentials are missing. `message` names the variables to set. */
  | { readonly kind: "credentials"; readonly message: string }
  /** The API responded with an error status. */
  | { readonly kind: "status"; readonly response: ApiResponse }
  /** The API responded with a success status and an error in the body. */
  | { readonly kind: "refused"; readonly response: ApiResponse; readonly value: unknown }
  /**
   * The API responded with a success status, but the body breaks its description. `excerpt` is the
   * start of the body; `shown` is set if the agent gets all of it.
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
  /** The client cancelled the call, or the server is stopping. */
  | { readonly kind: "cancelled" }
  /**
   * No response: name resolution, connection, TLS or invalid HTTP. `permanent` if a retry fails the
   * same way.
   */
  | {
      readonly kind: "connection";
      readonly cause: string;
      readonly sent: boolean;
      readonly permanent: boolean;
    }
  | { readonly kind: "redirect"; readonly cause: string }
  /** Too many calls are waiting. */
  | { readonly kind: "busy" };

/** True if a value is a failure rather than a response. */
export function isFailure(outcome: ApiResponse | Failure): outcome is Failure {
  return "kind" in outcome;
}

/** Time that a call may still spend waiting before retries, for all of its requests together. */
export interface RetryWait {
  remainingMs: number;
}

/** The end of a call: by the clock, by its client or by the shutdown of the server. */
export interface Deadline {
  /** The reason, once the call must end. */
  readonly expired: Failure | undefined;
  /**
   * Aborted at the end, with the failure as its reason. Created on first use, because most calls
   * need none.
   */
  readonly signal: AbortSignal;
  /** True if the API may have seen the request. */
  readonly sent: boolean;
  readonly retryWait: RetryWait;
  /** Milliseconds until the deadline. */
  remainingMs(): number;
  /** Notes that the request is about to be written to a connection. */
  markSent(): void;
  /**
   * Sets the one listener for the end of the call, or removes it. It is called at once if the call
   * must end already. A call waits for one thing at a time, and an abort listener costs more than
   * the rest of such a wait.
   */
  onExpire(listener: (() => void) | undefined): void;
  /** Stops the clock. To be called at the end of the call. */
  dispose(): void;
}

/** Outcome of one authenticated request. */
export interface RequestOutcome {
  readonly response: ApiResponse | Failure;
  /** Credentials that were sent. They must not leave the server. */
  readonly secrets: readonly string[];
  /** Sources of the credentials. Absent if nothing was sent. */
  readonly credentials?: SentCredentials;
  readonly retries: number;
}
