import { concatBytes } from "../data/values.js";
import type { Body, CollectedBody, Failure, HttpResponse, ResponseHeaders } from "./types.js";
import { isJsonType, isReadableText, isXmlType, parseContentType } from "../data/media-types.js";

/** A body and its size in bytes. */
interface BodyWithSize {
  readonly body: Body;
  readonly size: number;
}

const utf8 = new TextDecoder();

/**
 * Reads a body up to a limit of decoded bytes, because a megabyte of gzip can hold a gigabyte.
 * @param truncates return the first `limit` bytes of a larger body instead of a failure
 * @throws the error of a broken connection or of corrupt compression
 */
export async function readBody(
  response: HttpResponse,
  limit: number,
  truncates: boolean,
): Promise<BodyWithSize | Failure> {
  const { headers, hasBody } = response;
  if (!hasBody) return { body: "", size: 0 };
  if (!truncates && declaredSize(headers) > limit) {
    response.discard();
    return { kind: "tooLarge", limit };
  }
  const collected = await response.collect(limit);
  const { chunks, size } = collected;
  if (size > limit) {
    if (!truncates) return { kind: "tooLarge", limit };
    return { body: concatBytes(chunks, size).subarray(0, limit), size: limit };
  }
  const isText = isUtf8Text(headers, collected);
  return { body: isText ? utf8.decode(concatenate(collected)) : concatBytes(chunks, size), size };
}

/** The length on the wire is the length of the content only without a content coding. */
function declaredSize(headers: ResponseHeaders): number {
  return headers.has("content-encoding") ? 0 : Number(headers.get("content-length") ?? 0);
}

/**
 * True if the body is UTF-8 text. XML and a byte order mark of UTF-16 can declare another encoding.
 */
function isUtf8Text(headers: ResponseHeaders, { chunks: [first] }: CollectedBody): boolean {
  const { essence, charset } = parseContentType(headers.get("content-type"));
  if (charset === undefined ? isXmlType(essence) : charset !== "utf-8") return false;
  return (
    (isJsonType(essence) || isReadableText(essence)) && !(first !== undefined && first[0]! >= 0xfe)
  );
}

/** Concatenates chunks; one chunk is not copied. */
function concatenate({ chunks, size }: CollectedBody): Uint8Array {
  return chunks.length === 1 ? chunks[0]! : concatBytes(chunks, size);
}

/** A buffer that stops at a limit of bytes. */
export class BoundedBuffer implements CollectedBody {
  readonly chunks: Uint8Array[] = [];
  size = 0;

  constructor(private readonly limit: number) {}

  /**
   * Appends a chunk.
   * @returns whether the limit leaves room for more
   */
  add(chunk: Uint8Array): boolean {
    if (this.size > this.limit) return false;
    this.chunks.push(chunk);
    this.size += chunk.byteLength;
    return this.size <= this.limit;
  }
}
