import { endOfString, skipSpace } from "./json-scan.js";

/** The first mistake in text that is not JSON: the byte, and what is wrong as a clause. */
export interface JsonMistake {
  readonly offset: number;
  readonly what: string;
}

/**
 * Finds the first mistake in JSON text (RFC 8259). JSON.parse says where only sometimes, and
 * differently in every release of Node, so that this is read again by hand, and only when parsing
 * failed.
 */
export function jsonMistake(bytes: Uint8Array): JsonMistake {
  const open: number[] = [];
  let i = skipSpace(bytes, 0);
  for (;;) {
    // A value is expected at i.
    const byte = bytes[i];
    if (byte === 0x7b || byte === 0x5b) {
      i = skipSpace(bytes, i + 1);
      if (bytes[i] !== (byte === 0x7b ? 0x7d : 0x5d)) {
        open.push(byte);
        if (byte === 0x5b) continue;
        const key = afterKey(bytes, i);
        if (typeof key !== "number") return key;
        i = key;
        continue;
      }
      i++;
    } else {
      const end = afterScalar(bytes, i);
      if (typeof end !== "number") return end;
      i = end;
    }
    // A value has ended at i: commas, closing brackets, or the end.
    const next = afterValue(bytes, i, open);
    if (typeof next !== "number") return next;
    i = next;
  }
}

/** From the end of a value to the start of the next. */
function afterValue(bytes: Uint8Array, from: number, open: number[]): number | JsonMistake {
  let i = skipSpace(bytes, from);
  for (;;) {
    const inside = open.at(-1);
    if (inside === undefined)
      return mistake(
        bytes,
        i,
        "text follows after the end of the document",
        "the document ends too early",
      );
    if (bytes[i] === 0x2c) {
      i = skipSpace(bytes, i + 1);
      if (bytes[i] === 0x7d || bytes[i] === 0x5d)
        return { offset: i, what: "a comma stands before a closing bracket" };
      return inside === 0x7b ? afterKey(bytes, i) : i;
    }
    if (bytes[i] !== (inside === 0x7b ? 0x7d : 0x5d))
      return mistake(bytes, i, `"," or "${inside === 0x7b ? "}" : "]"}" is missing`);
    open.pop();
    i = skipSpace(bytes, i + 1);
  }
}

function afterKey(bytes: Uint8Array, i: number): number | JsonMistake {
  if (bytes[i] !== 0x22) return mistake(bytes, i, "a key in double quotes is missing");
  const end = afterScalar(bytes, i);
  if (typeof end !== "number") return end;
  const colon = skipSpace(bytes, end);
  if (bytes[colon] !== 0x3a) return mistake(bytes, colon, '":" is missing after the key');
  return skipSpace(bytes, colon + 1);
}

function afterScalar(bytes: Uint8Array, i: number): number | JsonMistake {
  if (bytes[i] === 0x22) return afterString(bytes, i);
  const word = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/.exec(
    ascii(bytes, i, i + 400),
  );
  return word
    ? i + word[0].length
    : mistake(bytes, i, "a value is missing or not in double quotes");
}

function afterString(bytes: Uint8Array, start: number): number | JsonMistake {
  const end = endOfString(bytes, start);
  if (end >= bytes.length) return { offset: start, what: "a string has no closing quote" };
  for (let i = start + 1; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x20)
      return { offset: i, what: "a string holds a line break or another control character" };
    if (byte !== 0x5c) continue;
    if (!/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(ascii(bytes, i, i + 6)))
      return { offset: i, what: "a string holds an unknown escape" };
    i++;
  }
  return end + 1;
}

function mistake(
  bytes: Uint8Array,
  offset: number,
  what: string,
  atEnd = "the document ends too early",
): JsonMistake {
  return { offset, what: offset >= bytes.length ? atEnd : what };
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(
    bytes.buffer,
    bytes.byteOffset + from,
    Math.max(0, Math.min(to, bytes.length) - from),
  ).toString("latin1");
}
