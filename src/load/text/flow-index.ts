import { endOfString, stringAt } from "./scan-json.js";

interface Entry {
  /** Offset of the key or the element. */
  readonly start: number;
  /** Offset of the value. */
  readonly value: number;
}

interface Container {
  readonly entries: Map<string, Entry>;
  /** Offset of the next entry; -1 when all are read. */
  next: number;
  readonly isList: boolean;
}

const isOpener = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
const isCloser = (byte: number): boolean => byte === 0x7d || byte === 0x5d;

/**
 * Finds the position of a pointer in JSON or in YAML's flow style (unquoted keys, single quotes,
 * comments, trailing commas). Reads only the containers on the path and remembers their entries, so
 * that a thousand lookups in a large document cost little more than one.
 */
export class FlowIndex {
  private readonly containers = new Map<number, Container>();

  /** @param ends end offsets of long containers, as far as known */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly ends: ReadonlyMap<number, number> = new Map(),
  ) {}

  /** Offset of the pointer's key or element, or of its nearest existing ancestor. */
  find(tokens: readonly string[]): number {
    let value = this.skip(0);
    let offset = value;
    for (const token of tokens) {
      const entry = this.entry(value, token);
      if (!entry) break;
      offset = entry.start;
      value = entry.value;
    }
    return offset;
  }

  private entry(offset: number, key: string): Entry | undefined {
    const first = this.bytes[offset];
    if (first === undefined || !isOpener(first)) return undefined;
    let container = this.containers.get(offset);
    if (!container)
      this.containers.set(
        offset,
        (container = { entries: new Map(), next: this.skip(offset + 1), isList: first === 0x5b }),
      );
    while (container.next !== -1 && !container.entries.has(key)) this.readEntry(container);
    return container.entries.get(key);
  }

  private readEntry(container: Container): void {
    const start = container.next;
    const byte = this.bytes[start];
    if (byte === undefined || isCloser(byte)) return void (container.next = -1);
    let value = start;
    let key = String(container.entries.size);
    if (!container.isList) {
      const end = this.endOfScalar(start, true);
      key = this.textOf(start, end);
      const colon = this.skip(end);
      value = this.bytes[colon] === 0x3a ? this.skip(colon + 1) : colon;
    }
    if (!container.entries.has(key)) container.entries.set(key, { start, value });
    const after = this.skip(this.endOfValue(value));
    container.next =
      this.bytes[after] === 0x2c ? this.skip(after + 1) : after === start ? -1 : after;
  }

  private endOfValue(offset: number): number {
    const end = this.ends.get(offset);
    if (end !== undefined) return end;
    let depth = 0;
    let i = offset;
    do {
      const byte = this.bytes[i];
      if (byte === undefined) return i;
      if (isOpener(byte)) (depth++, i++);
      else if (isCloser(byte)) {
        if (depth === 0) return i;
        (depth--, i++);
      } else if (byte === 0x2c || byte === 0x3a) {
        if (depth === 0) return i;
        i++;
      } else i = this.endOfScalar(i, depth > 0);
      if (depth > 0) i = this.skip(i);
    } while (depth > 0);
    return i;
  }

  /** `key`: stops at the colon after a key. Always advances. */
  private endOfScalar(offset: number, key: boolean): number {
    const { bytes } = this;
    if (bytes[offset] === 0x22) return Math.min(endOfString(bytes, offset) + 1, bytes.length);
    if (bytes[offset] === 0x27) return this.endOfSingleQuoted(offset);
    let i = offset;
    for (; i < bytes.length; i++) {
      const byte = bytes[i] ?? 0;
      if (byte === 0x2c || isOpener(byte) || isCloser(byte)) break;
      if (byte === 0x23 && isSpace(bytes[i - 1])) break;
      if (key && byte === 0x3a && (isSpace(bytes[i + 1]) || bytes[i + 1] === undefined)) break;
    }
    return Math.max(i, offset + 1);
  }

  private endOfSingleQuoted(offset: number): number {
    let i = offset + 1;
    for (; i < this.bytes.length; i++) {
      if (this.bytes[i] !== 0x27) continue;
      if (this.bytes[i + 1] !== 0x27) break;
      i++;
    }
    return i + 1;
  }

  private textOf(start: number, end: number): string {
    const { bytes } = this;
    if (bytes[start] === 0x22) return stringAt(bytes, start, end - 1);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.max(0, end - start))
      .toString("utf8")
      .trim();
    return bytes[start] === 0x27 ? text.slice(1, -1).replaceAll("''", "'") : text;
  }

  /** Skips white space and comments. */
  private skip(from: number): number {
    let i = from;
    for (;;) {
      let byte = this.bytes[i];
      while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)
        byte = this.bytes[++i];
      if (byte !== 0x23) return i;
      const end = this.bytes.indexOf(0x0a, i);
      i = end === -1 ? this.bytes.length : end;
    }
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
