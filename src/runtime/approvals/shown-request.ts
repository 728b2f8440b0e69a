/** A request as people and agents read it: without credentials, and with a body of bounded size. */
import { parseJsonText } from "../data/json-text.js";
import type { BoundRequest } from "../request/types.js";
import { REDACTED, type Redact } from "../response/redact.js";
import { sanitize } from "../response/shape.js";

/** A request without credentials. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value, a text, or the size of other content. Absent without a body. */
  readonly body?: unknown;
}

/** Headers whose values this server sets itself, and that hold no credential. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "user-agent"]);

/**
 * Shows a request as it would be sent.
 * @param bound the request before credentials were added: what differs from it is redacted
 * @param redact redacts the credentials of the request
 */
export function showRequest(
  sent: BoundRequest,
  bound: BoundRequest,
  redact: Redact,
  maxCharacters: number,
): ShownRequest {
  const { method, url, headers, body } = sent;
  const known = new Set(bound.headers.map(headerKey));
  const shown = headers.map(([name, value]): readonly [string, string] => {
    const isOwn = known.has(headerKey([name, value])) || OWN_HEADERS.has(name.toLowerCase());
    return [name, isOwn ? redact(value) : hideValue(value)];
  });
  return {
    method,
    url: sanitize(redact(hideAddedParameters(url, bound.url))),
    headers: Object.fromEntries(shown),
    ...(body !== undefined && { body: showBody(body, redact, maxCharacters) }),
  };
}

const headerKey = ([name, value]: readonly [string, string]): string =>
  `${name.toLowerCase()}: ${value}`;

/** The scheme of a credential is shown: it is what people get wrong. */
function hideValue(value: string): string {
  const scheme = /^(?:basic|bearer|digest|token) /i.exec(value)?.[0] ?? "";
  return `${scheme}${REDACTED}`;
}

/** Hides the values of query parameters that another URL lacks. */
function hideAddedParameters(url: string, boundUrl: string): string {
  const [base = "", query] = url.split("?", 2);
  if (query === undefined) return base;
  const known = new Set((boundUrl.split("?", 2)[1] ?? "").split("&"));
  const parts = query
    .split("&")
    .map((part) => (known.has(part) ? part : `${part.split("=", 1)[0]}=${REDACTED}`));
  return `${base}?${parts.join("&")}`;
}

/** Content that is not text. */
// oxlint-disable-next-line no-control-regex
const BINARY = /[\0-\x08\x0e-\x1f\ufffd]/;

function showBody(body: string | Uint8Array, redact: Redact, maxCharacters: number): unknown {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  if (BINARY.test(text)) return `[${body.length} bytes]`;
  const safe = sanitize(redact(text));
  if (safe.length > maxCharacters)
    return `${safe.slice(0, maxCharacters)}… (${text.length} characters in all)`;
  // Numbers that a parser would change stay text.
  return (/\d{16}/.test(safe) ? undefined : parseJsonText(safe)) ?? safe;
}

/** The request as text, in the form of HTTP/1.1. */
export function requestText({ method, url, headers, body }: ShownRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const content = typeof body === "string" ? body : JSON.stringify(body);
  return [`${method} ${url}`, ...lines, ...(body === undefined ? [] : ["", content])].join("\n");
}
