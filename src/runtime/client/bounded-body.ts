import { concatBytes } from "../bytes.js";
import type { Body, CollectedBody, Failure, HttpResponse, ResponseHeaders } from "./types.js";
import { isJsonType, isReadableText, isXmlType, parseContentType } from "../media-types.js";

/** A body, and how many bytes it has. */
export interface BodyWithSize {
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
  incoming: HttpResponse,
  limit: number,
  cut: boolean,
): Promise<BodyWithSize | Failure> {
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
        ? utf8.decode(concatenate(collected))
        : concatBytes(collected.chunks, collected.size),
      size: collected.size,
    };
  return cut
    ? { body: concatBytes(collected.chunks, collected.size).subarray(0, limit), size: limit }
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
function isUtf8Text(headers: ResponseHeaders, { chunks: [first] }: CollectedBody): boolean {
  const { essence, charset } = parseContentType(headers.get("content-type"));
  if (charset === undefined ? isXmlType(essence) : charset !== "utf-8") return false;
  return (
    (isJsonType(essence) || isReadableText(essence)) && !(first !== undefined && first[0]! >= 0xfe)
  );
}

/** Without a copy where it is one already. */
function concatenate({ chunks, size }: CollectedBody): Uint8Array {
  return chunks.length === 1 ? chunks[0]! : concatBytes(chunks, size);
}

/** A body as it comes, until it is more than a limit: what comes after that is not kept. */
export class BoundedBuffer implements CollectedBody {
  readonly chunks: Uint8Array[] = [];
  size = 0;

  constructor(private readonly limit: number) {}

  /** @returns whether there is room for more */
  add(chunk: Uint8Array): boolean {
    if (this.size > this.limit) return false;
    this.chunks.push(chunk);
    this.size += chunk.byteLength;
    return this.size <= this.limit;
  }
}
