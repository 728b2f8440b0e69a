import type { BoundRequest, ClientCertificate } from "../bind/types.js";
import { readBody } from "./body.js";
import { sendByFetch } from "./by-fetch.js";
import { connectionFailure } from "./causes.js";
import type { Deadline } from "./deadline.js";
import type { Failure } from "./failure.js";
import type { Incoming, Send } from "./incoming.js";
import { isRedirect, mostRedirects, redirected } from "./redirect.js";
import { type ApiResponse, isSuccess } from "./response.js";

/** Of an answer that is not success, more than this is never shown. */
const errorBytes = 64 * 1024;

export interface ExchangeOptions {
  readonly deadline: Deadline;
  /** Sending it again is harmless. */
  readonly repeatable: boolean;
  /** Limit of a successful body, decoded. */
  readonly maxBytes: number;
  /** What the connection has to present (mutual TLS), which `fetch` cannot. */
  readonly tls?: ClientCertificate;
  /** How a request gets to the API; `fetch` by default. */
  readonly send?: Send;
  /** A redirect is an answer like any other. */
  readonly keepRedirects?: boolean;
}

/** One request and its response, redirects included. Never throws. */
export async function exchange(
  request: BoundRequest,
  options: ExchangeOptions,
): Promise<ApiResponse | Failure> {
  const { deadline, maxBytes } = options;
  let hops = 0;
  try {
    let current = request;
    for (; hops <= mostRedirects; hops++) {
      if (deadline.over) return deadline.over;
      const incoming = await sendOnce(current, options);
      if (options.keepRedirects === true || !isRedirect(incoming))
        return await readResponse(incoming, maxBytes);
      const next = redirected(current, incoming);
      if ("kind" in next) return (incoming.discard(), next);
      await incoming.pass(errorBytes);
      current = next;
    }
    return { kind: "redirect", cause: `the API redirected more than ${mostRedirects} times` };
  } catch (error) {
    const failure = connectionFailure(error, deadline.sent);
    // Who redirects has got the request, and may have done what it asks for.
    return deadline.over ?? (hops > 0 ? { ...failure, sent: true } : failure);
  } finally {
    deadline.wake(undefined);
  }
}

function sendOnce(
  request: BoundRequest,
  { deadline, repeatable, tls, send = sendByFetch }: ExchangeOptions,
): Promise<Incoming> {
  return send(request, { deadline, repeatable, ...(tls && { tls }) });
}

async function readResponse(incoming: Incoming, maxBytes: number): Promise<ApiResponse | Failure> {
  const success = isSuccess(incoming);
  const read = await readBody(incoming, success ? maxBytes : errorBytes, !success);
  if ("kind" in read) return read;
  return {
    status: incoming.status,
    statusText: incoming.statusText,
    headers: incoming.headers,
    ...read,
  };
}
