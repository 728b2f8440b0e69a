import { pipeline, type Readable, Transform } from "node:stream";
import * as zlib from "node:zlib";
import { contentCodings } from "./headers.js";

/** Codings that are removed from one body; RFC 9110 sets no limit. */
const maxCodings = 5;

/**
 * Removes the codings of a `Content-Encoding` header from a body, in pieces as they come. A body
 * with an unknown coding stays as it is. Of compressed data that breaks off, the part that could be
 * decoded is kept, as in browsers and curl, because some servers leave out its end. An error of any
 * step is an error of the returned stream.
 * @throws Error with the code `Z_DATA_ERROR` for too many codings
 */
export function decompress(body: Readable, contentEncoding: string): Readable {
  const codings = parseContentEncoding(contentEncoding);
  const steps = codings.map(createDecoder).reverse();
  if (steps.length > 0) pipeline([body, ...steps], () => {});
  return steps.at(-1) ?? body;
}

/** Codings in the order in which they were applied; none if one of them is unknown. */
function parseContentEncoding(contentEncoding: string): readonly string[] {
  const names = contentEncoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const codings = names.filter((name) => name !== "" && name !== "identity");
  const normalized = codings.map((name) => (name === "x-gzip" ? "gzip" : name));
  if (!normalized.every((name) => contentCodings.includes(name))) return [];
  if (normalized.length <= maxCodings) return normalized;
  throw Object.assign(new Error("Too many content codings."), { code: "Z_DATA_ERROR" });
}

const lenient = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
const { BROTLI_OPERATION_FLUSH: brotliFlush } = zlib.constants;

function createDecoder(coding: string): Transform {
  switch (coding) {
    case "gzip":
      return zlib.createGunzip(lenient);
    case "br":
      return zlib.createBrotliDecompress({ flush: brotliFlush, finishFlush: brotliFlush });
    case "zstd":
      return (zlib as unknown as { createZstdDecompress(): Transform }).createZstdDecompress();
    default:
      return createDeflateDecoder();
  }
}

/**
 * `deflate` is the zlib format, and from some servers raw deflate data; the first byte tells which.
 * RFC 9110, section 8.4.1.2. Data behind its end is dropped.
 */
function createDeflateDecoder(): Transform {
  let inner: Transform | undefined;
  const open = (firstByte: number): Transform => {
    const isZlib = (firstByte & 0x0f) === 8;
    const decoder = isZlib ? zlib.createInflate(lenient) : zlib.createInflateRaw(lenient);
    decoder.on("data", (chunk) => outer.push(chunk)).on("error", (error) => outer.destroy(error));
    return decoder.once("end", () => outer.push(null));
  };
  const outer: Transform = new Transform({
    transform: (chunk: Uint8Array, _, done) =>
      void (inner ??= open(chunk[0] ?? 0)).write(chunk, () => done()),
    flush: (done) =>
      inner && !inner.readableEnded ? void inner.once("end", () => done()).end() : done(),
    destroy: (error, done) => {
      inner?.destroy();
      done(error);
    },
  });
  return outer;
}
