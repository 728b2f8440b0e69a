import type { BoundRequest, ClientCertificate } from "../request/types.js";
import { readBody } from "./bounded-body.js";
import { sendByFetch } from "./fetch.js";
import { connectionFailure } from "./network-errors.js";
import {
  type Deadline,
  type ApiResponse,
  type Failure,
  type HttpResponse,
  isSuccess,
  type SendFunction,
} from "./types.js";

/** Maximum number of bytes read of an error response. */
const maxErrorBytes = 64 * 1024;

export interface RedirectOptions {
  readonly deadline: Deadline;
  /** A second request does no harm. */
  readonly isRepeatable: boolean;
  /** Maximum size of a successful body in bytes, decoded. */
  readonly maxBytes: number;
  /** Client certificate (mutual TLS), which `fetch` cannot present. */
  readonly tls?: ClientCertificate;
  /** Sends one request; `fetch` by default. */
  readonly send?: SendFunction;
  /** Return redirects instead of following them. */
  readonly keepRedirects?: boolean;
}

/** Sends a request, follows redirects and reads the response. Never throws. */
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
      const response = await sendOnce(current, options);
      if (options.keepRedirects === true || !isRedirect(response)) {
        return await readResponse(response, maxBytes);
      }
      const next = redirectRequest(current, response);
      if ("kind" in next) return (response.discard(), next);
      await response.drain(maxErrorBytes);
      current = next;
    }
    return { kind: "redirect", cause: `the API redirected more than ${maxRedirects} times` };
  } catch (error) {
    const failure = connectionFailure(error, deadline.sent);
    // A server that redirects has received the request and may have acted on it.
    return deadline.expired ?? (hops > 0 ? { ...failure, sent: true } : failure);
  } finally {
    deadline.onExpire(undefined);
  }
}

function sendOnce(
  request: BoundRequest,
  { deadline, isRepeatable, tls, send = sendByFetch }: RedirectOptions,
): Promise<HttpResponse> {
  return send(request, { deadline, isRepeatable, ...(tls && { tls }) });
}

async function readResponse(
  response: HttpResponse,
  maxBytes: number,
): Promise<ApiResponse | Failure> {
  const isOk = isSuccess(response);
  const body = await readBody(response, isOk ? maxBytes : maxErrorBytes, !isOk);
  if ("kind" in body) return body;
  const { status, statusText, headers } = response;
  return { status, statusText, headers, ...body };
}

/** Maximum number of redirects. */
const maxRedirects = 5;

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** True if a response is a redirect. */
function isRedirect({ status, headers }: Pick<HttpResponse, "status" | "headers">): boolean {
  return redirectStatuses.has(status) && headers.has("location");
}

/**
 * The request to the target of a redirect. The target must have the same origin, because the
 * request carries credentials and a body. RFC 9110, section 15.4.
 */
function redirectRequest(
  request: BoundRequest,
  { status, headers }: Pick<HttpResponse, "status" | "headers">,
): BoundRequest | Failure {
  const location = decodeLocation(headers.get("location") ?? "");
  const currentUrl = new URL(request.url);
  const nextUrl = URL.canParse(location, currentUrl.href)
    ? new URL(location, currentUrl)
    : undefined;
  if (!nextUrl) return { kind: "redirect", cause: "the API redirected to an invalid URL" };
  if (nextUrl.origin !== currentUrl.origin || nextUrl.username || nextUrl.password) {
    const target = nextUrl.origin === "null" ? nextUrl.protocol : nextUrl.origin;
    const cause = `the API redirected to another origin (${target}), which is not followed`;
    return { kind: "redirect", cause };
  }
  return changesToGet(status, request.method)
    ? toGet(request, nextUrl)
    : { ...request, url: nextUrl.href };
}

/**
 * Decodes a location outside of ASCII, which was read as Latin-1, as UTF-8 if it is valid. All
 * browsers do so.
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

function toGet({ headers }: BoundRequest, nextUrl: URL): BoundRequest {
  return {
    method: "GET",
    url: nextUrl.href,
    headers: headers.filter(([name]) => !/^content-/i.test(name)),
  };
}
