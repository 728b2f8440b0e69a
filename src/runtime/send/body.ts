import { joined } from "../bytes.js";
import { isJson, isText, parseMediaType } from "../read/media-type.js";
import type { Failure } from "./failure.js";
import type { Body } from "./response.js";

/** A body, and how many bytes it has. */
export interface ReadBody {
  readonly body: Body;
  readonly size: number;
}

/**
 * Reads a body up to a limit of decoded bytes: a megabyte of gzip can be a gigabyte. At the limit the connection is closed.
 * @returns the body, or `tooLarge`; with `cut`, the first `limit` bytes instead
 * @throws what the stream throws: a broken connection or compression
 */
export async function readBody(response: Response, limit: number, cut: boolean): Promise<ReadBody | Failure> {
  const { body, headers } = response;
  if (!body) return { body: "", size: 0 };
  // The length on the wire is that of the content only when it is not compressed.
  const size = headers.has("content-encoding") ? Number.NaN : Number(headers.get("content-length") ?? Number.NaN);
  if (size <= limit) return { body: isUtf8Text(headers) ? await response.text() : new Uint8Array(await response.arrayBuffer()), size };
  if (size > limit && !cut) {
    await body.cancel();
    return { kind: "tooLarge", limit };
  }
  const bytes = await readStream(body, limit, cut);
  return bytes instanceof Uint8Array ? { body: bytes, size: bytes.byteLength } : bytes;
}

function isUtf8Text(headers: Headers): boolean {
  const { essence, charset = "utf-8" } = parseMediaType(headers.get("content-type"));
  return charset === "utf-8" && (isJson(essence) || isText(essence));
}

async function readStream(stream: ReadableStream<Uint8Array>, limit: number, cut: boolean): Promise<Uint8Array | Failure> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= limit) {
    const { done, value } = await reader.read();
    if (done) return chunks.length === 1 ? chunks[0]! : joined(chunks, size);
    chunks.push(value);
    size += value.byteLength;
  }
  await reader.cancel();
  return cut ? joined(chunks, size).subarray(0, limit) : { kind: "tooLarge", limit };
}
