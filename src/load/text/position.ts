/** Position in a text, 1-based. Columns count UTF-16 units, as editors do. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export const lineFeed = 10;
const chunk = 16 * 1024;

/** Line and column of one byte of UTF-8 text. For many bytes of one text use `LineTable`. */
export function positionOfByte(bytes: Uint8Array, offset: number): TextPosition {
  return new LineTable(bytes.subarray(0, offset)).position(offset);
}

export const linesPerMark = 256;

/** Finds positions in a text efficiently, also in very long lines. */
export class LineTable {
  /** UTF-16 units before each chunk. */
  private readonly units: number[] = [0];
  /** Ends of lines longer than a chunk, by their starts. */
  private readonly longLines = new Map<number, number>();

  /** @param marks start offsets of every 256th line (the 257th first), if known */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly marks: readonly number[] = findMarks(bytes),
  ) {}

  position(offset: number): TextPosition {
    let low = 0;
    let high = this.marks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.marks[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    let line = low * linesPerMark;
    let start = low === 0 ? 0 : (this.marks[low - 1] ?? 0);
    for (let end = this.endOfLine(start); end < offset; end = this.endOfLine(start)) {
      line++;
      start = end + 1;
    }
    return { line: line + 1, column: this.unitsBetween(start, offset) + 1 };
  }

  /** Offset of the line feed that ends a line. A text of one line is searched once. */
  private endOfLine(start: number): number {
    const known = this.longLines.get(start);
    if (known !== undefined) return known;
    const at = this.bytes.indexOf(lineFeed, start);
    const end = at === -1 ? this.bytes.length : at;
    if (end - start > chunk) this.longLines.set(start, end);
    return end;
  }

  private unitsBetween(from: number, to: number): number {
    return to - from < chunk
      ? countUnits(this.bytes, from, to)
      : this.unitsBefore(to) - this.unitsBefore(from);
  }

  private unitsBefore(offset: number): number {
    const whole = Math.floor(offset / chunk);
    for (let n = this.units.length; n <= whole; n++)
      this.units.push(
        (this.units[n - 1] ?? 0) + countUnits(this.bytes, (n - 1) * chunk, n * chunk),
      );
    return (this.units[whole] ?? 0) + countUnits(this.bytes, whole * chunk, offset);
  }
}

function findMarks(bytes: Uint8Array): number[] {
  const marks: number[] = [];
  let lines = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1))
    if (++lines % linesPerMark === 0) marks.push(at + 1);
  return marks;
}

/** UTF-16 units of UTF-8 bytes: one for each first byte, two for characters of four bytes. */
function countUnits(bytes: Uint8Array, from: number, to: number): number {
  let units = 0;
  for (let i = from; i < to && i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}
