/** Limits the number of values of JSON text before it is parsed. */

/**
 * Maximum number of values of a request or a response. The cost of parsing and checking grows with
 * the number of values, not of bytes: 10 MB may be one file or five million zeros.
 */
export const MAX_VALUES = 250_000;

/** JSON text of a limited number of values. */
export interface LimitedText {
  readonly text: string;
  readonly count: number;
  /** True if values were left out. */
  readonly isCut: boolean;
  /** Nesting of the lists and objects that were read. */
  readonly depth: number;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Keeps the first values of JSON text. Of an object at its root, the texts, numbers and booleans
 * after a cut part stay, because they have the position of the next page. Text that is not JSON
 * stays so, unless the error is in the part that is left out.
 */
export function limitValues(text: string, max = MAX_VALUES): LimitedText {
  const closers: string[] = [];
  let count = 1;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === quote) i = endOfString(text, i);
    else if (char === closeList || char === closeObject) closers.pop();
    else if (char === comma) count++;
    else if (char === openList || char === openObject) {
      closers.push(char === openList ? "]" : "}");
      depth = Math.max(depth, closers.length);
      count++;
    }
    if (count > max && closers.length > 0)
      return { text: cutAt(text, char === comma ? i : i + 1, closers), count, depth, isCut: true };
  }
  return { text, count, depth, isCut: false };
}

/** Offset of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let escapes = end;
    while (text.charCodeAt(escapes - 1) === backslash) escapes--;
    if ((end - escapes) % 2 === 0) return end;
  }
  return text.length;
}

function cutAt(text: string, end: number, closers: readonly string[]): string {
  const [root, ...inner] = closers;
  const kept = text.slice(0, end) + inner.toReversed().join("");
  return `${kept}${root === "}" ? scalarMembers(text, end, closers.length).join("") : ""}${root}`;
}

/** Maximum number of members of the root that are kept after the limit. */
const MAX_MEMBERS = 100;

/** A member of an object that is not a list or an object, before the next one or the end. */
const SCALAR_MEMBER =
  /,\s*"[^"\\]*(?:\\.[^"\\]*)*"\s*:\s*(?:"[^"\\]*(?:\\.[^"\\]*)*"|[-+.\w]+)(?=\s*[,}])/y;

/** Scalar members of the root after an offset, each with the comma before it. */
function scalarMembers(text: string, start: number, startDepth: number): readonly string[] {
  const members: string[] = [];
  let depth = startDepth;
  for (let i = start; i < text.length && members.length < MAX_MEMBERS; i++) {
    const char = text.charCodeAt(i);
    if (char === quote) i = endOfString(text, i);
    else if (char === openList || char === openObject) depth++;
    else if (char === closeList || char === closeObject) depth--;
    else if (char === comma && depth === 1) {
      SCALAR_MEMBER.lastIndex = i;
      const [member] = SCALAR_MEMBER.exec(text) ?? [];
      if (member === undefined) continue;
      members.push(member);
      i += member.length - 1;
    }
  }
  return members;
}
