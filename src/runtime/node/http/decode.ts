import type { Readable, Transform } from "node:stream";

type Modules = Pick<typeof import("node:stream"), "Transform"> & typeof import("node:zlib");

/**
 * A body without its codings, in pieces as they come. What was decoded of one that breaks off is
 * kept, as browsers and curl do, because servers leave the end of it out. An error of any step is
 * one of the stream that is returned.
 */
export async function decoded(body: Readable, codings: readonly string[]): Promise<Readable> {
  if (codings.length === 0) return body;
  const { pipeline, Transform } = await import("node:stream");
  const modules: Modules = { ...(await import("node:zlib")), Transform };
  const steps = codings.map((coding) => decoderOf(coding, modules)).reverse();
  pipeline([body, ...steps], () => {});
  return steps.at(-1) ?? body;
}

function decoderOf(coding: string, modules: Modules): Transform {
  const { constants } = modules;
  switch (coding) {
    case "gzip":
      return modules.createGunzip({
        flush: constants.Z_SYNC_FLUSH,
        finishFlush: constants.Z_SYNC_FLUSH,
      });
    case "br":
      return modules.createBrotliDecompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      });
    case "zstd":
      return (modules as unknown as { createZstdDecompress(): Transform }).createZstdDecompress();
    default:
      return inflater(modules);
  }
}

/**
 * `deflate` is the zlib format, and with some servers what is inside of it; the first byte tells.
 * RFC 9110, section 8.4.1.2. Node never asks for more after the end of either: what follows it ends
 * here, too.
 */
function inflater({ Transform, constants, createInflate, createInflateRaw }: Modules): Transform {
  const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  let inner: Transform | undefined;
  const open = (first: number): Transform => {
    const opened = (first & 0x0f) === 8 ? createInflate(lenient) : createInflateRaw(lenient);
    return opened
      .on("data", (chunk) => outer.push(chunk))
      .on("error", (error) => outer.destroy(error))
      .once("end", () => outer.push(null));
  };
  const outer: Transform = new Transform({
    transform: (chunk: Uint8Array, _, done) =>
      void (inner ??= open(chunk[0] ?? 0)).write(chunk, () => done()),
    flush: (done) =>
      inner && !inner.readableEnded ? void inner.once("end", () => done()).end() : done(),
    destroy: (error, done) => (inner?.destroy(), done(error)),
  });
  return outer;
}
