/** Text in binary contents: logs behind the headers of frames, and text without a type of its own. */

/** Maximum size in bytes of a file that is also shown as text. */
const MAX_SIZE = 256 * 1024;

/**
 * Types that have their own form, also where they look like text. A readable video is none: servers
 * send TypeScript as `video/mp2t`, by its suffix.
 */
const OPAQUE = /^(?:image|audio|font|model)\/|\b(?:pdf|zip|gzip|tar|zstd|protobuf)\b/;

/** Sizes of the headers of frames, whose last four bytes are the length of the frame. */
const HEADER_SIZES = [8, 5];

/** The text of a small binary content; `undefined` for any other. */
export function textInBytes(bytes: Uint8Array, mimeType: string): string | undefined {
  if (bytes.byteLength === 0 || bytes.byteLength > MAX_SIZE || OPAQUE.test(mimeType))
    return undefined;
  return framedText(bytes) ?? readableText(bytes);
}

/** The text in frames that fill the bytes, such as a log of two streams. */
export function framedText(bytes: Uint8Array): string | undefined {
  for (const size of HEADER_SIZES) {
    const text = readableText(withoutFrames(bytes, size)?.payload);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** True if bytes hold nothing but a text: its UTF-8, or frames of one stream. */
export function isWholeText(bytes: Uint8Array, text: string): boolean {
  const encoded = new TextEncoder().encode(text);
  const isSame = (part: Uint8Array): boolean =>
    part.byteLength === encoded.byteLength && part.every((byte, i) => byte === encoded[i]);
  const ofOneStream = HEADER_SIZES.map((size) => withoutFrames(bytes, size)).filter(
    (frames) => frames?.streams.size === 1,
  );
  return isSame(bytes) || ofOneStream.some((frames) => frames && isSame(frames.payload));
}

/** Payload of frames, and the first bytes of their headers. */
interface Frames {
  readonly payload: Uint8Array;
  readonly streams: ReadonlySet<number>;
}

/**
 * Payload of frames that fill the bytes; the last of several may be cut. The first byte of a header
 * is a small number, such as that of a stream, and those before the length are zero.
 */
function withoutFrames(bytes: Uint8Array, headerSize: number): Frames | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const payload = new Uint8Array(bytes.byteLength);
  const streams = new Set<number>();
  let size = 0;
  let start = 0;
  while (start < bytes.byteLength) {
    if (start + headerSize > bytes.byteLength) break;
    const header = bytes.subarray(start + 1, start + headerSize - 4);
    if (bytes[start]! > 8 || header.some((byte) => byte !== 0)) return undefined;
    streams.add(bytes[start]!);
    const end = start + headerSize + view.getUint32(start + headerSize - 4);
    if (start === 0 && end > bytes.byteLength) return undefined;
    payload.set(bytes.subarray(start + headerSize, end), size);
    size += Math.min(end, bytes.byteLength) - start - headerSize;
    start = end;
  }
  return size === 0 ? undefined : { payload: payload.subarray(0, size), streams };
}

/** UTF-8 text with hardly any other characters. A zero byte is a sign of other content. */
function readableText(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes || bytes.includes(0)) return undefined;
  const text = new TextDecoder().decode(bytes);
  const others = text.match(/[^\P{C}\t\n\r\u001b]|\ufffd/gu)?.length ?? 0;
  return others * 20 <= text.length ? text : undefined;
}
