/** What the first bytes of a file say that it is: for APIs that take several kinds. */

const SIGNATURES: readonly (readonly [mediaType: string, bytes: string, offset?: number])[] = [
  ["image/png", "89504e470d0a1a0a"],
  ["image/jpeg", "ffd8ff"],
  ["image/gif", "47494638"],
  ["image/webp", "57454250", 8],
  ["image/bmp", "424d"],
  ["image/tiff", "49492a00"],
  ["image/tiff", "4d4d002a"],
  ["application/pdf", "25504446"],
  ["application/zip", "504b0304"],
  ["application/gzip", "1f8b"],
  ["audio/mpeg", "494433"],
  ["audio/wav", "57415645", 8],
  ["audio/ogg", "4f676753"],
  ["video/mp4", "66747970", 4],
];

/** @returns `undefined` when the bytes say nothing */
export function sniff(bytes: Uint8Array): string | undefined {
  const hex = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  return SIGNATURES.find(([, signature, offset = 0]) => hex.startsWith(signature, offset * 2))?.[0];
}
