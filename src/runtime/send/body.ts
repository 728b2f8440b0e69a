import { joined } from "../bytes.js";
import { isJson, isText, isXml, parseMediaType } from "../read/media-type.js";
import type { Failure } from "./failure.js";
import type { Collected, Incoming, ResponseHeaders } from "./incoming.js";
import type { Body } from "./response.js";

/** A body, and how many bytes it has. */
export interface ReadBody {
  readonly body: Body;
  readonly size: number;
}

const utf8 = new TextDecoder();

/**
 * Reads a body up to a limit of decoded bytes: a megabyte of gzip can be a gigabyte. At the limit
 * the connection is closed.
 * @returns the body, or `tooLarge`; with `cut`, the first `limit` bytes instead
 * @throws what the stream throws: a broken connection or compression
 */
export async function readBody(
  incoming: Incoming,
  limit: number,
  cut: boolean,
): Promise<ReadBody | Failure> {
  const { headers, hasBody } = incoming;
  if (!hasBody) return { body: "", size: 0 };
  if (!cut && declaredSize(headers) > limit) {
    incoming.discard();
    return { kind: "tooLarge", limit };
  }
  const collected = await incoming.collect(limit);
  if (collected.size <= limit)
    return {
      body: isUtf8Text(headers, collected)
        ? utf8.decode(inOnePiece(collected))
        : joined(collected.chunks, collected.size),
      size: collected.size,
    };
  return cut
    ? { body: joined(collected.chunks, collected.size).subarray(0, limit), size: limit }
    : { kind: "tooLarge", limit };
}

/** The length on the wire is that of the content only when it is not compressed. */
function declaredSize(headers: ResponseHeaders): number {
  return headers.has("content-encoding") ? 0 : Number(headers.get("content-length") ?? 0);
}

/**
 * Unless its own first bytes can say that it is something else: the byte order mark of UTF-16, or
 * XML.
 */
function isUtf8Text(headers: ResponseHeaders, { chunks: [first] }: Collected): boolean {
  const { essence, charset } = parseMediaType(headers.get("content-type"));
  if (charset === undefined ? isXml(essence) : charset !== "utf-8") return false;
  return (isJson(essence) || isText(essence)) && !(first !== undefined && first[0]! >= 0xfe);
}

/** Without a copy where it is one already. */
function inOnePiece({ chunks, size }: Collected): Uint8Array {
  return chunks.length === 1 ? chunks[0]! : joined(chunks, size);
}
