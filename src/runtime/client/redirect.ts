import type { BoundRequest, ClientCertificate } from "../request/types.js";
import { readBody } from "./bounded-body.js";
import type { Deadline } from "./deadline.js";
import { sendByFetch } from "./fetch.js";
import { connectionFailure } from "./network-errors.js";
import {
  type ApiResponse,
  type Failure,
  type HttpResponse,
  isSuccess,
  type SendFunction,
} from "./types.js";

/** Of an answer that is not success, more than this is never shown. */
const maxErrorBytes = 64 * 1024;

export interface RedirectOptions {
  readonly deadline: Deadline;
  /** Sending it again is harmless. */
  readonly isRepeatable: boolean;
  /** Limit of a successful body, decoded. */
  readonly maxBytes: number;
  /** What the connection has to present (mutual TLS), which `fetch` cannot. */
  readonly tls?: ClientCertificate;
  /** How a request gets to the API; `fetch` by default. */
  readonly send?: SendFunction;
  /** A redirect is an answer like any other. */
  readonly keepRedirects?: boolean;
}

/** One request and its response, redirects included. Never throws. */
export async function sendFollowingRedirects(
  request: BoundRequest,
  options: RedirectOptions,
): Promise<ApiResponse | Failure> {
  const { deadline, maxBytes } = options;
  let hops = 0;
  try {
    let current = request;
    for (; hops <= maxRedirects; hops++) {
      if (deadline.expired) return deadline.expired;
      const incoming = await sendOnce(current, options);
      if (options.keepRedirects === true || !isRedirect(incoming))
        return await readResponse(incoming, maxBytes);
      const next = redirectRequest(current, incoming);
      if ("kind" in next) return (incoming.discard(), next);
      await incoming.drain(maxErrorBytes);
      current = next;
    }
    return { kind: "redirect", cause: `the API redirected more than ${maxRedirects} times` };
  } catch (error) {
    const failure = connectionFailure(error, deadline.sent);
    // Who redirects has got the request, and may have done what it asks for.
    return deadline.expired ?? (hops > 0 ? { ...failure, sent: true } : failure);
  } finally {
    deadline.onExpire(undefined);
  }
}

function sendOnce(
  request: BoundRequest,
  { deadline, isRepeatable: repeatable, tls, send = sendByFetch }: RedirectOptions,
): Promise<HttpResponse> {
  return send(request, { deadline, isRepeatable: repeatable, ...(tls && { tls }) });
}

async function readResponse(
  incoming: HttpResponse,
  maxBytes: number,
): Promise<ApiResponse | Failure> {
  const success = isSuccess(incoming);
  const read = await readBody(incoming, success ? maxBytes : maxErrorBytes, !success);
  if ("kind" in read) return read;
  return {
    status: incoming.status,
    statusText: incoming.statusText,
    headers: incoming.headers,
    ...read,
  };
}

/** Redirects followed before giving up. */
export const maxRedirects = 5;

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether a response asks for the request to be sent elsewhere. */
export function isRedirect({ status, headers }: Pick<HttpResponse, "status" | "headers">): boolean {
  return redirectStatuses.has(status) && headers.has("location");
}

/**
 * The request that a redirect asks for. Only within the origin: the request carries credentials,
 * and a body that was not meant for anybody else. RFC 9110, section 15.4.
 */
export function redirectRequest(
  request: BoundRequest,
  { status, headers }: Pick<HttpResponse, "status" | "headers">,
): BoundRequest | Failure {
  const location = decodeLocation(headers.get("location") ?? "");
  const from = new URL(request.url);
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (!to) return { kind: "redirect", cause: "the API redirected to an address that is no URL" };
  if (to.origin !== from.origin || to.username || to.password) {
    return {
      kind: "redirect",
      cause: `the API redirected to another origin (${to.origin === "null" ? to.protocol : to.origin}), which is not followed`,
    };
  }
  return changesToGet(status, request.method) ? toGet(request, to) : { ...request, url: to.href };
}

/**
 * An address is ASCII. Where it is not, its bytes, which came as Latin-1, are UTF-8 if they can be,
 * as in every browser.
 */
function decodeLocation(location: string): string {
  if (/^[\0-\x7f]*$/.test(location)) return location;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(
      Uint8Array.from(location, (byte) => byte.charCodeAt(0)),
    );
  } catch {
    return location;
  }
}

function changesToGet(status: number, method: string): boolean {
  return (
    (status === 303 && method !== "HEAD") ||
    ((status === 301 || status === 302) && method === "POST")
  );
}

function toGet({ headers }: BoundRequest, to: URL): BoundRequest {
  return {
    method: "GET",
    url: to.href,
    headers: headers.filter(([name]) => !/^content-/i.test(name)),
  };
}
