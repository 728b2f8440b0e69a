/** Bytes: UTF-8, base64, binary strings, and comparison. */

/**
 * Concatenates chunks.
 * @param size number of bytes of all chunks
 */
export function concatBytes(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** Encodes text as UTF-8. */
export function utf8Bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Maximum number of arguments of one call of `String.fromCharCode`. */
const maxArguments = 8192;

/** Converts bytes to a binary string: one character per byte, as `btoa` takes it. */
export function toBinaryString(bytes: Uint8Array): string {
  const buffer = asBuffer(bytes);
  if (buffer) return buffer.toString("latin1");
  let text = "";
  for (let start = 0; start < bytes.length; start += maxArguments)
    text += String.fromCharCode(...bytes.subarray(start, start + maxArguments));
  return text;
}

/** Encodes bytes, or a text in UTF-8, as base64. RFC 4648, section 4. */
export function base64(content: Uint8Array | string): string {
  const bytes = typeof content === "string" ? utf8Bytes(content) : content;
  return asBuffer(bytes)?.toString("base64") ?? btoa(toBinaryString(bytes));
}

/** Encodes bytes as base64url without padding. RFC 4648, section 5. */
export function base64Url(bytes: Uint8Array): string {
  return base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The same bytes as a `Buffer`, whose conversions are 20 times as fast; undefined in workers. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer | undefined {
  if (typeof Buffer === "undefined") return undefined;
  return Buffer.from(buffer, byteOffset, byteLength);
}

/**
 * Decodes base64.
 * @throws DOMException for text that is not base64
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** SHA-256 of a text, in hexadecimal. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", utf8Bytes(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Compares two texts in a time that does not depend on where they differ. */
export function timingSafeEqual(presented: string, secret: string): boolean {
  const [a, b] = [utf8Bytes(presented), utf8Bytes(secret)];
  let difference = a.length ^ b.length;
  for (let i = 0; i < b.length; i++) difference |= (a[i % Math.max(1, a.length)] ?? 0) ^ b[i]!;
  return difference === 0;
}
