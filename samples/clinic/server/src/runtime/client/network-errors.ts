import type { Failure } from "./types.js";

type ConnectionFailure = Extract<Failure, { kind: "connection" }>;

type Cause = Omit<ConnectionFailure, "kind">;

/**
 * What went wrong with a connection, in words, by the code that Node gives it. Messages of errors
 * are not used: they can hold secrets.
 */
const causesByCode: ReadonlyMap<string, Cause> = new Map([
  [
    "ENOTFOUND",
    { cause: "the API's host name does not exist (DNS)", sent: false, permanent: true },
  ],
  [
    "EAI_AGAIN",
    { cause: "the API's host name could not be resolved (DNS)", sent: false, permanent: false },
  ],
  ["ECONNREFUSED", { cause: "the API refused the connection", sent: false, permanent: false }],
  ["EHOSTUNREACH", { cause: "the API's host cannot be reached", sent: false, permanent: false }],
  ["ENETUNREACH", { cause: "the API's network cannot be reached", sent: false, permanent: false }],
  ["ETIMEDOUT", { cause: "the connection to the API timed out", sent: false, permanent: false }],
  [
    "UND_ERR_ABORTED",
    { cause: "the proxy did not let the request through", sent: false, permanent: true },
  ],
  [
    "UND_ERR_CONNECT_TIMEOUT",
    { cause: "the connection to the API timed out", sent: false, permanent: false },
  ],
  ["ECONNRESET", { cause: "the API closed the connection", sent: true, permanent: false }],
  ["EPIPE", { cause: "the API closed the connection", sent: true, permanent: false }],
  ["UND_ERR_SOCKET", { cause: "the API closed the connection", sent: true, permanent: false }],
  ["UND_ERR_HEADERS_TIMEOUT", { cause: "the API did not answer", sent: true, permanent: false }],
  [
    "UND_ERR_BODY_TIMEOUT",
    { cause: "the API stopped sending its answer", sent: true, permanent: false },
  ],
  [
    "HPE_HEADER_OVERFLOW",
    { cause: "the headers of the API's answer are too large", sent: true, permanent: true },
  ],
  [
    "UND_ERR_HEADERS_OVERFLOW",
    { cause: "the headers of the API's answer are too large", sent: true, permanent: true },
  ],
  [
    "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
    { cause: "the API's answer does not have the length it declares", sent: true, permanent: true },
  ],
  [
    "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED",
    { cause: "the API wants a client certificate (mutual TLS)", sent: false, permanent: true },
  ],
  [
    "EPROTO",
    { cause: "no TLS connection could be made with the API", sent: false, permanent: true },
  ],
  [
    "CERT_HAS_EXPIRED",
    { cause: "the TLS certificate of the API has expired", sent: false, permanent: true },
  ],
  [
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    {
      cause: "the TLS certificate of the API is self-signed (NODE_EXTRA_CA_CERTS can name it)",
      sent: false,
      permanent: true,
    },
  ],
  [
    "SELF_SIGNED_CERT_IN_CHAIN",
    {
      cause:
        "the TLS certificate of the API is signed by an unknown authority (NODE_EXTRA_CA_CERTS can name it)",
      sent: false,
      permanent: true,
    },
  ],
  [
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    {
      cause:
        "the TLS certificate of the API is signed by an unknown authority, or without the certificates between them (NODE_EXTRA_CA_CERTS can name those)",
      sent: false,
      permanent: true,
    },
  ],
  [
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    {
      cause:
        "the TLS certificate of the API is signed by an unknown authority (NODE_EXTRA_CA_CERTS can name it)",
      sent: false,
      permanent: true,
    },
  ],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    {
      cause: "the TLS certificate of the API is for another host name",
      sent: false,
      permanent: true,
    },
  ],
]);

const causesByPrefix: readonly (readonly [string, Cause])[] = [
  ["HPE_", { cause: "the API's answer is not valid HTTP", sent: true, permanent: true }],
  ["Z_", { cause: "the API's answer is not compressed as it says", sent: true, permanent: true }],
  // Brotli and Zstandard.
  [
    "ERR__ERROR_",
    { cause: "the API's answer is not compressed as it says", sent: true, permanent: true },
  ],
  [
    "ZSTD_",
    { cause: "the API's answer is not compressed as it says", sent: true, permanent: true },
  ],
  [
    "ERR_OSSL_",
    {
      cause:
        "the client certificate and its key cannot be used: one of them is damaged or encrypted, or they do not belong together",
      sent: false,
      permanent: true,
    },
  ],
  [
    "ERR_INVALID_",
    { cause: "the request has a header that cannot be sent", sent: false, permanent: true },
  ],
  [
    "ERR_SSL_",
    { cause: "no TLS connection could be made with the API", sent: false, permanent: true },
  ],
  [
    "ERR_TLS_",
    { cause: "no TLS connection could be made with the API", sent: false, permanent: true },
  ],
  ["CERT_", { cause: "the TLS certificate of the API is not valid", sent: false, permanent: true }],
];

const unknownCause: Cause = {
  cause: "the request to the API failed",
  sent: true,
  permanent: false,
};

/**
 * The failure behind an error that sending or reading threw.
 * @param sent whether the API may have seen the request, as far as the one who sent it knows
 */
export function connectionFailure(error: unknown, sent = true): ConnectionFailure {
  const { code, syscall } = findRootError(error) ?? {};
  if (code === undefined && isBlockedPort(error))
    return {
      kind: "connection",
      cause: "the API's port is one that no fetch opens, because other protocols own it",
      sent: false,
      permanent: true,
    };
  const cause =
    causesByCode.get(code ?? "") ??
    causesByPrefix.find(([prefix]) => code?.startsWith(prefix))?.[1] ??
    unknownCause;
  // What can be found when a connection is made can also be found when it has long been there.
  return {
    kind: "connection",
    ...cause,
    cause: cause.cause + proxyHint(error),
    sent: sent && (cause.sent || syscall === "read" || syscall === "write"),
  };
}

/** Who sends knows of a proxy that is not used. */
function proxyHint(error: unknown): string {
  const { unusedProxy } = (error ?? {}) as { readonly unusedProxy?: string };
  return unusedProxy === undefined
    ? ""
    : `; ${unusedProxy} names a proxy, which Node (from 22.21 and 24.5 on) goes through only where NODE_USE_ENV_PROXY=1 is set before it starts`;
}

/** Fetch Standard, "port blocking". The error has no code. */
function isBlockedPort(error: unknown): boolean {
  return (
    error instanceof Error && error.cause instanceof Error && error.cause.message === "bad port"
  );
}

interface RootError {
  readonly code: string;
  /** What of the system's failed. */
  readonly syscall?: unknown;
}

/**
 * The error, or what caused it, that has a code; several attempts (IPv6, IPv4) come as an
 * AggregateError.
 */
function findRootError(error: unknown, depth = 0): RootError | undefined {
  if (typeof error !== "object" || error === null || depth > 4) return undefined;
  const { code, cause, errors, name, syscall } = error as {
    code?: unknown;
    cause?: unknown;
    errors?: readonly unknown[];
    name?: unknown;
    syscall?: unknown;
  };
  // Of newer versions of undici these have no code.
  const current =
    typeof code === "string"
      ? { code, syscall }
      : name === "HTTPParserError"
        ? { code: "HPE_" }
        : undefined;
  return findRootError(cause, depth + 1) ?? findRootError(errors?.[0], depth + 1) ?? current;
}
