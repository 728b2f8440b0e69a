import { limits, type Limits } from "../limits.js";
import { lineFeed, linesPerMark } from "./position.js";

/** Result of one pass over JSON text without parsing it. */
export interface JsonScan {
  /** Number of keys of all objects, including duplicates. */
  readonly keys: number;
  /** Offset at which the nesting exceeds the limit. */
  readonly tooDeepAt?: number;
  /** Offset at which the number of objects and arrays exceeds the limit. */
  readonly tooManyAt?: number;
  /** End offsets of long objects and arrays by start offset, to skip them in lookups. */
  readonly ends: ReadonlyMap<number, number>;
  /** See `LineTable`. */
  readonly marks: readonly number[];
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** Minimum size in bytes of a container worth skipping. */
const LONG_CONTAINER = 4096;

/**
 * Measures JSON text before it is parsed, so that hostile nesting costs no memory. Counts the keys,
 * so that duplicates, which JSON.parse drops silently, are detected. Collects offsets for later
 * position lookups. The result for invalid JSON is arbitrary.
 */
export function scanJson(
  bytes: Uint8Array,
  bounds: Pick<Limits, "depth" | "containers"> = limits,
): JsonScan {
  const open: number[] = [];
  const ends = new Map<number, number>();
  const marks: number[] = [];
  let containers = 0;
  let keys = 0;
  let lines = 0;
  let afterString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte <= 0x20) {
      if (byte === lineFeed && ++lines % linesPerMark === 0) marks.push(i + 1);
      while (bytes[i + 1] === 0x20) i++; // indentation, a third of many documents
      continue;
    }
    if (byte === quote) {
      i = endOfString(bytes, i);
      afterString = true;
      continue;
    }
    if (afterString && byte === colon) keys++;
    afterString = false;
    if (byte === 0x7b || byte === 0x5b) {
      if (open.push(i) > bounds.depth) return { keys, ends, marks, tooDeepAt: i };
      if (++containers > bounds.containers) return { keys, ends, marks, tooManyAt: i };
    } else if (byte === 0x7d || byte === 0x5d) {
      const start = open.pop();
      if (start !== undefined && i - start > LONG_CONTAINER) ends.set(start, i + 1);
    }
  }
  return { keys, ends, marks };
}

/**
 * Offset of the quote that ends the string which begins at `start`; the end of the text when none
 * does.
 */
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

/** Duplicate key of an object, with the offset of its second occurrence. */
interface DuplicateKey {
  readonly key: string;
  readonly offset: number;
}

/** Finds at most `maxCount` duplicate keys in valid JSON text. */
export function duplicateKeys(bytes: Uint8Array, maxCount: number): DuplicateKey[] {
  const duplicates: DuplicateKey[] = [];
  const open: Set<string>[] = [];
  for (let i = 0; i < bytes.length && duplicates.length < maxCount; i++) {
    const byte = bytes[i];
    if (byte === quote) {
      const end = endOfString(bytes, i);
      const keys = open.at(-1);
      if (keys && bytes[skipSpace(bytes, end + 1)] === colon) {
        const key = stringAt(bytes, i, end);
        if (keys.has(key)) duplicates.push({ key, offset: i });
        keys.add(key);
      }
      i = end;
    } else if (byte === 0x7b || byte === 0x5b) open.push(new Set());
    else if (byte === 0x7d || byte === 0x5d) open.pop();
  }
  return duplicates;
}

/**
 * Value of the JSON string between the quotes at `start` and `end`; the raw text if it is
 * malformed.
 */
export function stringAt(bytes: Uint8Array, start: number, end: number): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end + 1 - start).toString(
    "utf8",
  );
  if (!text.includes("\\")) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}
