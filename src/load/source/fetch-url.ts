import { canParseUrl } from "../../runtime/data/urls.js";
import type { SourceLocation } from "../../diagnostics/index.js";
import type { Limits } from "../limits.js";
import { failure, type Outcome, type RequestHeader, success } from "../types.js";
import { collectBytes, sizeFailure } from "./read-file.js";

/** A fetched document. */
export interface FetchedDocument {
  readonly bytes: Uint8Array;
  /** Final URL after redirects. */
  readonly url: URL;
  /** Entity tag of the response (RFC 9110, section 8.8.3). */
  readonly etag?: string | undefined;
  /** True if the document still has the requested entity tag. `bytes` are empty then. */
  readonly isUnmodified?: boolean;
}

/**
 * Additional check of every URL in a redirect chain. Returns the reason for a rejection as a
 * clause.
 */
type HostPolicy = (url: URL) => string | undefined;

interface FetchOptions {
  readonly rule?: HostPolicy;
  /** Sent to the origin of the first URL only. */
  readonly header?: RequestHeader | undefined;
  /** Entity tag of the document that the caller has. */
  readonly etag?: string | undefined;
}

/*
 * Listener for the URLs that a run fetches, like the one for the files that it reads.
 */
let listener: ((requested: URL, fetched: FetchedDocument | undefined) => void) | undefined;

/**
 * Registers the listener that is called after every fetch, without a document after a failure.
 * `undefined` removes it.
 */
export function onUrlFetched(newListener: typeof listener): void {
  listener = newListener;
}

/**
 * Fetches a document over https (or loopback http) within the limits. Redirects are followed here,
 * so that each is checked by the same policy.
 */
export async function fetchUrl(
  start: URL,
  file: string,
  bounds: Limits,
  options: FetchOptions = {},
): Promise<Outcome<FetchedDocument>> {
  const fetched = await fetchWithin(start, file, bounds, options);
  listener?.(start, fetched.value);
  return fetched;
}

async function fetchWithin(
  start: URL,
  file: string,
  bounds: Limits,
  { rule = () => undefined, header, etag }: FetchOptions,
): Promise<Outcome<FetchedDocument>> {
  const location: SourceLocation = { file, pointer: "#" };
  const rejection = urlRejection(start) ?? rule(start);
  if (rejection)
    return failure(
      "load-url-rejected",
      `The URL was not fetched: ${rejection}`,
      location,
      rejectionHint(start),
    );
  try {
    return await followRedirects(start, file, bounds, { rule, header, etag });
  } catch (error) {
    return failure(
      "load-fetch-failed",
      `The document could not be fetched: ${describeFetchError(error, bounds)}`,
      location,
      "Check the URL and the network.",
    );
  }
}

/** Advice for a rejected URL. Development servers print `0.0.0.0` as their address. */
function rejectionHint(url: URL): string {
  if (url.protocol === "file:") return "Pass the path of the file.";
  const isWildcard = url.hostname === "0.0.0.0" || url.hostname === "[::]";
  if (url.protocol === "http:" && isWildcard)
    return `Use http://localhost${url.port && `:${url.port}`}${url.pathname}.`;
  return "Use an https: URL, or download the document and pass the file.";
}

const ACCEPT: RequestHeader = [
  "accept",
  "application/json, application/yaml, text/yaml, */*;q=0.8",
];

async function followRedirects(
  start: URL,
  file: string,
  bounds: Limits,
  { rule, header, etag }: FetchOptions & { readonly rule: HostPolicy },
): Promise<Outcome<FetchedDocument>> {
  const location: SourceLocation = { file, pointer: "#" };
  const signal = AbortSignal.timeout(bounds.milliseconds);
  const condition: RequestHeader[] = etag === undefined ? [] : [["if-none-match", etag]];
  let url = start;
  for (let hops = 0; hops <= bounds.redirects; hops++) {
    const response = await fetch(url, {
      redirect: "manual",
      signal,
      credentials: "omit",
      headers: [
        ACCEPT,
        ...condition,
        ...(header && url.origin === start.origin ? [header] : []),
      ] as [string, string][],
    });
    if (response.status === 304 && etag !== undefined)
      return success({ bytes: new Uint8Array(), url, etag, isUnmodified: true });
    const target =
      response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (target === null) return await readBody(response, url, file, bounds.bytes);
    await response.body?.cancel();
    const next = redirectTarget(url, target, rule);
    if (typeof next === "string")
      return failure(
        "load-url-rejected",
        `A redirect was not followed: ${next}`,
        location,
        "Download the document and pass the file.",
      );
    url = next;
  }
  return failure(
    "load-url-rejected",
    `The URL has more than ${bounds.redirects} redirects`,
    location,
    "Pass the final URL.",
  );
}

function redirectTarget(from: URL, target: string, rule: HostPolicy): URL | string {
  if (!canParseUrl(target, from.href)) return "its address is not a URL";
  const to = new URL(target, from);
  return redirectRejection(from, to) ?? rule(to) ?? to;
}

async function readBody(
  response: Response,
  url: URL,
  file: string,
  maxBytes: number,
): Promise<Outcome<FetchedDocument>> {
  if (!response.ok) {
    await response.body?.cancel();
    const hint =
      response.status === 401 || response.status === 403
        ? 'Set MCP_GEN_HEADER to your credentials, as in "Authorization: Bearer …", or download the document.'
        : "Check the URL.";
    return failure(
      "load-fetch-failed",
      `${publicUrl(url)} returned ${response.status}${response.statusText ? ` ${response.statusText}` : ""}`,
      { file, pointer: "#" },
      hint,
    );
  }
  const etag = response.headers.get("etag") ?? undefined;
  if (!response.body) return success({ bytes: new Uint8Array(), url, etag });
  const bytes = await collectBytes(response.body as unknown as AsyncIterable<Uint8Array>, maxBytes);
  return bytes ? success({ bytes, url, etag }) : sizeFailure(file, maxBytes);
}

/** Describes a network error without its own text, which may contain secrets. */
function describeFetchError(error: unknown, bounds: Limits): string {
  const { name, cause } = error as {
    readonly name?: string;
    readonly cause?: { readonly code?: unknown };
  };
  if (name === "TimeoutError" || name === "AbortError")
    return `no complete response within ${Math.round(bounds.milliseconds / 1000)} s`;
  const code = typeof cause?.code === "string" ? cause.code : undefined;
  const texts: Record<string, string> = {
    ENOTFOUND: "the host name is unknown",
    EAI_AGAIN: "the host name could not be looked up",
    ECONNREFUSED: "the connection was refused",
    ECONNRESET: "the connection was closed",
    UND_ERR_SOCKET: "the connection was closed",
  };
  return (
    (code && texts[code]) ?? (code ? `the connection failed (${code})` : "the connection failed")
  );
}

/** True for an absolute URL. The scheme has at least two letters, so that `C:\x` is a path. */
export function looksLikeUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(source);
}

/** True for host names of the loopback interface. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Reason why a URL must not be fetched, as a clause; `undefined` when it may be. */
export function urlRejection(url: URL): string | undefined {
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return `${url.protocol} URLs are not supported`;
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    return "http: is allowed only for loopback addresses";
  if (url.username || url.password) return "the URL contains credentials, which are never sent";
  return undefined;
}

/** Reason why a redirect must not be followed, as a clause; `undefined` when it may be. */
export function redirectRejection(from: URL, to: URL): string | undefined {
  const objection = urlRejection(to);
  if (objection) return objection;
  if (isLoopback(to.hostname) && !isLoopback(from.hostname))
    return "it leads from another host to a loopback address";
  return undefined;
}

/** URL for messages: without credentials, query and fragment, which may contain secrets. */
export function publicUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}
