import type { ResponseHeaders } from "./incoming.js";

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
