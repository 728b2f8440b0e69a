/** Failed requests: the cause of a network error, their effect, and when a retry may help. */
import type { ParameterSource, RequestMapping } from "../types.js";
import {
  type ApiCall,
  type ApiResponse,
  type Failure,
  isFailure,
  type ResponseHeaders,
} from "../request/types.js";

type ConnectionFailure = Extract<Failure, { kind: "connection" }>;

/** Causes of one kind by the code of the error, or by the beginning of the code. */
interface CauseGroup extends Pick<ConnectionFailure, "sent" | "permanent"> {
  readonly codes: Readonly<Record<string, string>>;
  readonly prefixes?: Readonly<Record<string, string>>;
}

const timedOut = "the connection to the API timed out";
const connectionClosed = "the API closed the connection";
const tlsFailed = "no TLS connection could be made with the API";
const certificate = "the TLS certificate of the API";
const unknownAuthority = `${certificate} is signed by an unknown authority`;
const headersTooLarge = "the headers of the API's response are too large";
const badHeader = "the request has a header that cannot be sent";
const badEncoding = "the API's response is not compressed as its Content-Encoding states";

const causeGroups: readonly CauseGroup[] = [
  {
    sent: false,
    permanent: false,
    codes: {
      EAI_AGAIN: "the API's host name could not be resolved (DNS)",
      ECONNREFUSED: "the API refused the connection",
      EHOSTUNREACH: "the API's host cannot be reached",
      ENETUNREACH: "the API's network cannot be reached",
      ETIMEDOUT: timedOut,
      UND_ERR_CONNECT_TIMEOUT: timedOut,
      UND_ERR_PRX_CONNECT: "the proxy cannot be reached (HTTPS_PROXY, HTTP_PROXY)",
    },
  },
  {
    sent: false,
    permanent: true,
    codes: {
      ENOTFOUND: "the API's host name does not exist (DNS)",
      UND_ERR_ABORTED: "the proxy rejected the request",
      GET_BODY: "only Node can send a GET request with a body, as the document has it",
      ERR_INVALID_URL: "the address of the proxy is not valid (HTTPS_PROXY, HTTP_PROXY)",
      UND_ERR_PRX_TLS: "no TLS connection could be made with the proxy",
      UND_ERR_INVALID_ARG: badHeader,
      UND_ERR_NOT_SUPPORTED: badHeader,
      ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED:
        "the API requires a client certificate (mutual TLS)",
      EPROTO: tlsFailed,
      CERT_HAS_EXPIRED: `${certificate} has expired`,
      DEPTH_ZERO_SELF_SIGNED_CERT: `${certificate} is self-signed (NODE_EXTRA_CA_CERTS can name it)`,
      SELF_SIGNED_CERT_IN_CHAIN: `${unknownAuthority} (NODE_EXTRA_CA_CERTS can name it)`,
      UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        `${unknownAuthority}, or without the certificates between them ` +
        "(NODE_EXTRA_CA_CERTS can name those)",
      UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `${unknownAuthority} (NODE_EXTRA_CA_CERTS can name it)`,
      ERR_TLS_CERT_ALTNAME_INVALID: `${certificate} is for another host name`,
    },
    prefixes: {
      ERR_OSSL_:
        "the client certificate and its key cannot be used: one of them is damaged or encrypted, " +
        "or they do not belong together",
      ERR_INVALID_: badHeader,
      ERR_SSL_: tlsFailed,
      ERR_TLS_: tlsFailed,
      CERT_: `${certificate} is not valid`,
    },
  },
  {
    sent: true,
    permanent: false,
    codes: {
      ECONNRESET: connectionClosed,
      EPIPE: connectionClosed,
      UND_ERR_SOCKET: connectionClosed,
      UND_ERR_HEADERS_TIMEOUT: "the API did not respond",
      UND_ERR_BODY_TIMEOUT: "the API stopped sending its response",
    },
  },
  {
    sent: true,
    permanent: true,
    codes: {
      HPE_HEADER_OVERFLOW: headersTooLarge,
      UND_ERR_HEADERS_OVERFLOW: headersTooLarge,
      UND_ERR_RES_CONTENT_LENGTH_MISMATCH:
        "the API's response does not have the length that it declares",
    },
    prefixes: {
      HPE_: "the API's response is not valid HTTP",
      Z_: badEncoding,
      // Brotli
      ERR__ERROR_: badEncoding,
      ZSTD_: badEncoding,
    },
  },
];

/**
 * The failure that an exception of sending or reading means. Its text comes from the code of the
 * error; messages of errors are not used, because they can contain secrets.
 * @param sent whether the API may have seen the request, as far as the sender knows
 */
export function connectionFailure(error: unknown, sent = true): ConnectionFailure {
  const { code = "", syscall } = findRootError(error) ?? {};
  const known = findByMessage(error) ?? findByCode(code);
  const { cause, ...group } = known ?? {
    cause: "the request to the API failed",
    sent: true,
    permanent: false,
  };
  // Errors of a new connection can also occur on a connection that has been used.
  const mayHaveBeenSent = group.sent || syscall === "read" || syscall === "write";
  return { kind: "connection", ...group, cause, sent: sent && mayHaveBeenSent };
}

type Cause = Omit<ConnectionFailure, "kind">;

function findByCode(code: string): Cause | undefined {
  for (const { codes, sent, permanent } of causeGroups) {
    if (Object.hasOwn(codes, code)) return { cause: codes[code]!, sent, permanent };
  }
  for (const { prefixes = {}, sent, permanent } of causeGroups) {
    const prefix = Object.keys(prefixes).find((start) => code.startsWith(start));
    if (prefix !== undefined) return { cause: prefixes[prefix]!, sent, permanent };
  }
  return undefined;
}

/** Errors without a code of their own: of `fetch` for a blocked port, of undici for a proxy. */
function findByMessage(error: unknown): Cause | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error.cause instanceof Error ? error.cause : error;
  const cause = causesByMessage.get(message);
  return cause === undefined ? undefined : { cause, sent: false, permanent: true };
}

const causesByMessage: ReadonlyMap<string, string> = new Map([
  ["bad port", "the API's port belongs to another protocol, and fetch blocks it"],
  ["Proxy Authentication Required (407)", "the proxy requires other credentials"],
]);

interface RootError {
  readonly code: string;
  /** The system call that failed. */
  readonly syscall?: unknown;
}

/**
 * The innermost error with a code, among the error and its causes. Several attempts (IPv6, IPv4)
 * are an AggregateError.
 */
function findRootError(error: unknown, depth = 0): RootError | undefined {
  if (typeof error !== "object" || error === null || depth > 4) return undefined;
  const { code, cause, errors, name, syscall } = error as {
    readonly code?: unknown;
    readonly cause?: unknown;
    readonly errors?: readonly unknown[];
    readonly name?: unknown;
    readonly syscall?: unknown;
  };
  const inner = findRootError(cause, depth + 1) ?? findRootError(errors?.[0], depth + 1);
  if (inner) return inner;
  if (typeof code === "string") return { code, syscall };
  // Newer versions of undici give these errors no code.
  return name === "HTTPParserError" ? { code: "HPE_" } : undefined;
}

/**
 * True if a second request does no harm: by the definition of the method, or because the API
 * recognizes an idempotency key. RFC 9110, section 9.2.2.
 */
export function isRepeatable({ method, unsafe, query, headers, body }: RequestMapping): boolean {
  return (
    (idempotentMethods.has(method) && !unsafe) ||
    [query, headers, body?.fields].some(hasGeneratedKey)
  );
}

/** True if a value is generated for each call: an idempotency key. */
function hasGeneratedKey(sources: Readonly<Record<string, ParameterSource>> = {}): boolean {
  return Object.values(sources).some(
    (source) => typeof source === "object" && "generate" in source,
  );
}

/** Methods whose repetition has no further effect. RFC 9110, section 9.2.2. */
const idempotentMethods: ReadonlySet<string> = new Set(
  "GET HEAD PUT DELETE OPTIONS QUERY".split(" "),
);

/**
 * Statuses of temporary failures. Servers also send 408 over a connection that they close while a
 * request is in flight. RFC 9110, section 15.5.9.
 */
const temporaryStatuses: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);

/**
 * Milliseconds to wait before a retry; `undefined` if a retry cannot help.
 * @param attempt number of the failed attempt, from 0
 */
export function retryDelay(outcome: ApiResponse | Failure, attempt: number): number | undefined {
  const backoff = backoffMs(attempt);
  if (isFailure(outcome)) {
    return outcome.kind === "connection" && !outcome.permanent ? backoff : undefined;
  }
  if (!temporaryStatuses.has(outcome.status)) return undefined;
  const requested = retryAfter(outcome);
  return requested === undefined ? backoff : Math.max(requested, backoff);
}

/** True if the API accepted a request for data that it has not prepared yet: 202 to a GET. */
export function isNotReady(outcome: ApiResponse | Failure): outcome is ApiResponse {
  return !isFailure(outcome) && outcome.status === 202;
}

/** Milliseconds before data is asked for again; `undefined` if the API names no time. */
export function notReadyDelay(response: ApiResponse, attempt: number): number | undefined {
  const requested = retryAfter(response);
  return requested === undefined ? undefined : Math.max(requested, backoffMs(attempt));
}

/** Random, because clients that failed together must not return together. */
function backoffMs(attempt: number): number {
  return 250 * 2 ** attempt * (0.5 + Math.random() / 2);
}

/**
 * Milliseconds that the API asks to wait: the longest `Retry-After` (RFC 9110, section 10.2.3),
 * else, for 403 and 429, the reset of a quota. `undefined` without a valid header.
 */
export function retryAfter({
  headers,
  status,
}: Pick<ApiResponse, "headers" | "status">): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  const seconds = value.split(",").map((item) => item.trim());
  if (seconds.every((item) => /^\d{1,9}(?:\.\d{1,9})?$/.test(item))) {
    return Math.ceil(Math.max(...seconds.map(Number)) * 1000);
  }
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(date)) return Math.max(0, date - Date.now());
  return status === 429 || status === 403 ? quotaReset(headers) : undefined;
}

/**
 * Headers with the reset of a quota, in seconds from now (Discord, the IETF draft) or since 1970
 * (GitHub, Okta, X).
 */
const resetHeaders = [
  "x-ratelimit-reset-after",
  "ratelimit-reset",
  "x-ratelimit-reset",
  "x-rate-limit-reset",
];

function quotaReset(headers: ResponseHeaders): number | undefined {
  const value = resetHeaders
    .map((name) => headers.get(name)?.trim() ?? "")
    .find((text) => /^\d{1,13}(?:\.\d{1,9})?$/.test(text));
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (seconds < 1e8) return Math.ceil(seconds * 1000);
  return Math.max(0, (seconds < 1e12 ? seconds * 1000 : seconds) - Date.now());
}

const READ_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY"]);

/** True if the call may change something. RFC 9110, section 9.2.1. */
export function isWrite({ mapping }: { readonly mapping: RequestMapping }): boolean {
  return mapping.unsafe === true || !READ_METHODS.has(mapping.method);
}

/** True if a request may change something: its tool does not only read, and neither does it. */
export const isPossibleWrite = (call: ApiCall): boolean =>
  isWrite(call) && call.onlyReads !== true && !call.tool.annotations.readOnlyHint;
