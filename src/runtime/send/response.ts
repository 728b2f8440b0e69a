/** A response as it came, its body read. */
export interface ApiResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** Decoded from any `Content-Encoding`. */
  readonly body: Uint8Array;
}

/** Whether the API says that it did what was asked. */
export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}
