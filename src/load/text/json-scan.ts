import { limits, type Limits } from "../limits.js";

/** What one pass over JSON text finds without parsing it. */
export interface JsonScan {
  /** Keys of all objects, duplicates included. */
  readonly keys: number;
  /** Byte at which the nesting passes the limit. */
  readonly tooDeepAt?: number;
  /** Byte at which there are more objects and arrays than the limit allows. */
  readonly tooManyAt?: number;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/**
 * Measures JSON text before it is parsed, so that hostile nesting never costs memory, and counts its keys, so that
 * duplicates (which JSON.parse drops silently) show as a difference. Text that is not JSON gives some numbers, too.
 */
export function scanJson(bytes: Uint8Array, bounds: Pick<Limits, "depth" | "containers"> = limits): JsonScan {
  let depth = 0;
  let containers = 0;
  let keys = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === quote) {
      i = endOfString(bytes, i);
      const next = skipSpace(bytes, i + 1);
      if (bytes[next] === colon) keys++;
      i = next - 1;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > bounds.depth) return { keys, tooDeepAt: i };
      if (++containers > bounds.containers) return { keys, tooManyAt: i };
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return { keys };
}

/** Offset of the quote that ends the string which begins at `start`; the end of the text when none does. */
export function endOfString(bytes: Uint8Array, start: number): number {
  let i = start + 1;
  for (; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++;
  return i;
}

export function skipSpace(bytes: Uint8Array, start: number): number {
  let i = start;
  while (bytes[i] === 0x20 || bytes[i] === 0x0a || bytes[i] === 0x0d || bytes[i] === 0x09) i++;
  return i;
}

/** A key that occurs twice in one object: where it stands the second time. */
export interface DuplicateKey {
  readonly key: string;
  readonly offset: number;
}

/** Keys that occur twice in one object of valid JSON text, at most `most` of them. */
export function duplicateKeys(bytes: Uint8Array, most: number): DuplicateKey[] {
  const found: DuplicateKey[] = [];
  const open: Set<string>[] = [];
  for (let i = 0; i < bytes.length && found.length < most; i++) {
    const byte = bytes[i];
    if (byte === quote) {
      const end = endOfString(bytes, i);
      const keys = open.at(-1);
      if (keys && bytes[skipSpace(bytes, end + 1)] === colon) {
        const key = stringAt(bytes, i, end);
        if (keys.has(key)) found.push({ key, offset: i });
        keys.add(key);
      }
      i = end;
    } else if (byte === 0x7b || byte === 0x5b) open.push(new Set());
    else if (byte === 0x7d || byte === 0x5d) open.pop();
  }
  return found;
}

/** The value of the JSON string between the quotes at `start` and `end`; its raw text when it is not well formed. */
export function stringAt(bytes: Uint8Array, start: number, end: number): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end + 1 - start).toString("utf8");
  if (!text.includes("\\")) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}
