/** Bodies of responses, read within the limits of size and time. */
import { concatBytes } from "../data/bytes.js";
import {
  isJson,
  isReadableText,
  isSequence,
  isXml,
  parseContentType,
} from "../data/media-types.js";
import type {
  Body,
  BodyCut,
  CollectedBody,
  Deadline,
  Failure,
  HttpResponse,
  ResponseHeaders,
} from "../request/types.js";
import { isBeginningOfStream, isLargeSequence } from "./streams.js";

interface BodyWithSize {
  readonly body: Body;
  readonly size: number;
  readonly cut?: BodyCut;
}

const utf8 = new TextDecoder();

/**
 * Reads a body up to a limit of decoded bytes, because a megabyte of gzip can expand to a gigabyte.
 * Of a stream that goes on after the limit or the deadline, the beginning is returned.
 * @throws the error of a broken connection or of corrupt compression
 */
export async function readBody(
  response: HttpResponse,
  limit: number,
  deadline: Deadline,
): Promise<BodyWithSize | Failure> {
  const { headers, hasBody } = response;
  if (!hasBody) return { body: "", size: 0 };
  if (declaredSize(headers) > limit && !isSequence(headers.get("content-type") ?? "")) {
    response.discard();
    return { kind: "tooLarge", limit };
  }
  const collected = await response.collect(limit, true);
  if (collected.isPart) return beginningOf(collected, headers, deadline.expired!);
  if (collected.size <= limit) return decoded(collected, headers);
  const part = decoded(firstBytes(collected, limit), headers);
  if (!isLargeSequence(headers, part.body)) return { kind: "tooLarge", limit };
  return { ...part, cut: { kind: "size", limit } };
}

/** Reads the body of an error response, of which the beginning is enough. */
export async function readErrorBody(
  response: HttpResponse,
  limit: number,
  deadline: Deadline,
): Promise<BodyWithSize | Failure> {
  if (!response.hasBody) return { body: "", size: 0 };
  const collected = await response.collect(limit, true);
  if (collected.isPart && deadline.expired && deadline.expired.kind !== "timeout")
    return deadline.expired;
  return collected.size > limit
    ? { body: firstBytes(collected, limit).chunks[0]!, size: limit }
    : decoded(collected, response.headers);
}

/** The beginning of a stream whose deadline has expired; the failure for any other body. */
function beginningOf(
  collected: CollectedBody,
  headers: ResponseHeaders,
  expired: Failure,
): BodyWithSize | Failure {
  if (expired.kind !== "timeout") return expired;
  const part = decoded(collected, headers);
  return isBeginningOfStream(headers, part.body, part.size)
    ? { ...part, cut: { kind: "deadline", afterMs: expired.afterMs } }
    : expired;
}

function decoded(collected: CollectedBody, headers: ResponseHeaders): BodyWithSize {
  const { chunks, size } = collected;
  const isText = isUtf8Text(headers, collected);
  return { body: isText ? utf8.decode(concatenate(collected)) : concatBytes(chunks, size), size };
}

function firstBytes({ chunks, size }: CollectedBody, limit: number): CollectedBody {
  return { chunks: [concatBytes(chunks, size).subarray(0, limit)], size: limit };
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
  if (charset === undefined ? isXml(essence) : charset !== "utf-8") return false;
  return (
    (isJson(essence) || isReadableText(essence)) && !(first !== undefined && first[0]! >= 0xfe)
  );
}

/** Concatenates chunks; one chunk is not copied. */
function concatenate({ chunks, size }: CollectedBody): Uint8Array {
  return chunks.length === 1 ? chunks[0]! : concatBytes(chunks, size);
}
