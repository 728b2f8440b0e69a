/** JSON values in a row, as streams of events and build logs send them under `application/json`. */

/**
 * Splits a text into objects and arrays that follow each other, with or without white space and
 * record separators between them. The last part may be incomplete. Takes linear time.
 * @throws SyntaxError at any other text
 */
export function* splitJsonSequence(text: string): Generator<string> {
  for (let start = nextValue(text, 0); start < text.length;) {
    if (text[start] !== "{" && text[start] !== "[") throw new SyntaxError("Not a JSON value.");
    const end = endOfValue(text, start) ?? text.length;
    yield text.slice(start, end);
    start = nextValue(text, end);
  }
}

/** Counts the complete values at the beginning of a text. */
export function countJsonValues(text: string, max: number): number {
  let count = 0;
  for (let start = nextValue(text, 0); count < max; count++) {
    const isValue = text[start] === "{" || text[start] === "[";
    const end = isValue ? endOfValue(text, start) : undefined;
    if (end === undefined) break;
    start = nextValue(text, end);
  }
  return count;
}

/** Index of the next character other than white space and separators of records. RFC 7464. */
function nextValue(text: string, from: number): number {
  const separator = /[\s\u001e\ufeff]*/y;
  separator.lastIndex = from;
  separator.exec(text);
  return separator.lastIndex;
}

/** Index after the bracket that closes the one at `start`. */
function endOfValue(text: string, start: number): number | undefined {
  const token = /["[\]{}]/g;
  token.lastIndex = start;
  let depth = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [character] = match;
    if (character === '"') {
      const end = endOfJsonString(text, match.index);
      if (end === undefined) return undefined;
      token.lastIndex = end;
    } else {
      depth += character === "{" || character === "[" ? 1 : -1;
      if (depth === 0) return match.index + 1;
    }
  }
  return undefined;
}

/** Index after the quote that closes the one at `start`. */
function endOfJsonString(text: string, start: number): number | undefined {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === "\\") escapes++;
    if (escapes % 2 === 0) return quote + 1;
  }
  return undefined;
}
