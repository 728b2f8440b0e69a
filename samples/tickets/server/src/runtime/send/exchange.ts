import type { BoundRequest, ClientCertificate } from "../bind/types.js";
import { readBody } from "./body.js";
import { connectionFailure } from "./causes.js";
import type { Deadline } from "./deadline.js";
import type { Platform } from "../platform.js";
import type { Failure } from "./failure.js";
import { isRedirect, mostRedirects, redirected } from "./redirect.js";
import { type ApiResponse, isSuccess } from "./response.js";

/** Of an answer that is not success, more than this is never shown. */
const errorBytes = 64 * 1024;

export interface ExchangeOptions {
  readonly deadline: Deadline;
  /** Limit of a successful body, decoded. */
  readonly maxBytes: number;
  /** What the connection has to present (mutual TLS); `fetchWithCertificate` does it. */
  readonly tls?: ClientCertificate;
  readonly fetchWithCertificate?: Platform["fetchWithCertificate"];
  /** A redirect is an answer like any other. */
  readonly keepRedirects?: boolean;
}

/** One request and its response, redirects included. Never throws. */
export async function exchange(request: BoundRequest, options: ExchangeOptions): Promise<ApiResponse | Failure> {
  const { deadline, maxBytes } = options;
  try {
    let current = request;
    for (let hops = 0; hops <= mostRedirects; hops++) {
      const response = await fetchOnce(current, options);
      if (options.keepRedirects === true || !isRedirect(response)) return await readResponse(response, maxBytes);
      await response.body?.cancel();
      const next = redirected(current, response);
      if ("kind" in next) return next;
      current = next;
    }
    return { kind: "redirect", cause: `the API redirected more than ${mostRedirects} times` };
  } catch (error) {
    return deadline.signal.aborted ? (deadline.signal.reason as Failure) : connectionFailure(error);
  }
}

function fetchOnce({ method, url, headers, body }: BoundRequest, { deadline, tls, fetchWithCertificate }: ExchangeOptions): Promise<Response> {
  const init: RequestInit = { method, headers: headers as [string, string][], body: body as RequestInit["body"], redirect: "manual", signal: deadline.signal };
  deadline.started();
  return tls && fetchWithCertificate ? fetchWithCertificate(tls, url, init) : fetch(url, init);
}

async function readResponse(response: Response, maxBytes: number): Promise<ApiResponse | Failure> {
  const success = isSuccess(response);
  const read = await readBody(response, success ? maxBytes : errorBytes, !success);
  if ("kind" in read) return read;
  return { status: response.status, statusText: response.statusText, headers: response.headers, ...read };
}
