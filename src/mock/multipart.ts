/** One part of a multipart body. */
export interface Part {
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  /** `name` of its `Content-Disposition`. */
  readonly name?: string;
  readonly filename?: string;
  /** Without parameters; `text/plain` when it has no `Content-Type` (RFC 7578, 4.4). */
  readonly mediaType: string;
  readonly content: Buffer;
}

/**
 * Splits a multipart body (RFC 2046, 5.1.1).
 * @returns a sentence instead of the parts when the body is malformed
 */
export function parseMultipart(body: Uint8Array, contentType: string): readonly Part[] | string {
  const boundary = headerParameter(contentType, "boundary");
  if (boundary === undefined) return "has no boundary in its Content-Type";
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  let at = bytes.indexOf(delimiter);
  if (at < 0) return "does not contain its boundary";
  const parts: Part[] = [];
  for (;;) {
    const start = at + delimiter.length;
    if (bytes.toString("latin1", start, start + 2) === "--") return parts;
    if (bytes.toString("latin1", start, start + 2) !== "\r\n")
      return "has a boundary that no CRLF follows";
    const end = bytes.indexOf(Buffer.concat([Buffer.from("\r\n"), delimiter]), start);
    if (end < 0) return "has no closing boundary";
    const part = parsePart(bytes.subarray(start + 2, end));
    if (typeof part === "string") return part;
    parts.push(part);
    at = end + 2;
  }
}

function parsePart(bytes: Buffer): Part | string {
  // A part may have no headers at all; its empty line then follows the boundary at once.
  const split = bytes.subarray(0, 2).toString("latin1") === "\r\n" ? 0 : bytes.indexOf("\r\n\r\n");
  if (split < 0) return "has a part without an empty line after its headers";
  const headers = new Map<string, string>();
  for (const line of bytes.toString("utf8", 0, split).split("\r\n").filter(Boolean)) {
    const colon = line.indexOf(":");
    if (colon < 1) return "has a part with a malformed header";
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = headers.get("content-disposition") ?? "";
  return {
    headers,
    name: headerParameter(disposition, "name"),
    filename: headerParameter(disposition, "filename"),
    mediaType: mediaTypeOf(headers.get("content-type") ?? "text/plain"),
    content: bytes.subarray(split === 0 ? 2 : split + 4),
  };
}

/**
 * `form-data; name="a b"` → `a b` for `name`. Browsers escape quotes and line breaks as `%22`,
 * `%0D`, `%0A`.
 */
export function headerParameter(header: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, "iu").exec(
    header,
  );
  const text = found?.[1]?.replace(/\\(.)/gu, "$1") ?? found?.[2];
  return text?.replace(/%(22|0D|0A)/gu, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** Lower case, without parameters. */
export function mediaTypeOf(contentType: string): string {
  return (contentType.split(";")[0] ?? "").trim().toLowerCase();
}
