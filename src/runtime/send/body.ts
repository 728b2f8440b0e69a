import type { Failure } from "./failure.js";

/**
 * Reads a body up to a limit of decoded bytes: a megabyte of gzip can be a gigabyte. At the limit the connection is closed.
 * @returns the bytes, or `tooLarge`; with `cut`, the first `limit` bytes instead
 * @throws what the stream throws: a broken connection or compression
 */
export async function readBody(response: Response, limit: number, cut: boolean): Promise<Uint8Array | Failure> {
  if (!response.body) return new Uint8Array();
  const plain = !response.headers.has("content-encoding");
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  if (plain && length <= limit) return new Uint8Array(await response.arrayBuffer());
  if (plain && length > limit && !cut) {
    await response.body.cancel();
    return { kind: "tooLarge", limit };
  }
  return readStream(response.body, limit, cut);
}

async function readStream(stream: ReadableStream<Uint8Array>, limit: number, cut: boolean): Promise<Uint8Array | Failure> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= limit) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks, size);
    chunks.push(value);
    size += value.byteLength;
  }
  await reader.cancel();
  return cut ? joined(chunks, size).subarray(0, limit) : { kind: "tooLarge", limit };
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}
