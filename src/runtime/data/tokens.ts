/** Kinds of characters, as tokenizers group them. */
const other = 0;
const lower = 1;
const upper = 2;
const digit = 3;
const space = 4;
const mark = 5;
const beyondAscii = 6;

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 32) return space;
  if (code < 32 || code === 127) return other;
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return lower;
  if (/[A-Z]/.test(character)) return upper;
  return /\d/.test(character) ? digit : mark;
});

/**
 * Estimates the tokens of a text for a language model. The text is split like by a tokenizer: words
 * with the character before them, groups of three digits, and runs of marks. The costs of the parts
 * were fitted to o200k_base over tool definitions of 22 APIs. A tokenizer itself has megabytes, and
 * fits one model only.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let start = 0; start < text.length;) {
    const first = kindAt(text, start);
    const isPrefix = first === space || first === mark;
    const wordStart = isPrefix ? start + 1 : start;
    const kind = kindAt(text, wordStart);
    const part =
      kind === lower || kind === upper
        ? word(text, wordStart, isPrefix ? first : undefined)
        : otherPart(text, start, first);
    tokens += part.tokens;
    start = part.end;
  }
  return Math.ceil(tokens);
}

interface Part {
  readonly end: number;
  readonly tokens: number;
}

/** Tokens of a word without a character before it, after a blank, and after a mark. */
const wordCost = 1.03;
const wordAfterSpace = 0.87;
const wordAfterMark = 1.64;
/** Further tokens of each letter of a word of the text after the sixth one, and of an acronym. */
const longWord = 0.113;
const acronym = 0.114;

/** A word ends where the case changes: `petId` is two words. */
function word(text: string, start: number, prefix: number | undefined): Part {
  const cost = prefix === undefined ? wordCost : prefix === space ? wordAfterSpace : wordAfterMark;
  const capitals = endOf(text, start, upper);
  if (capitals - start > 1) {
    // The last capital letter belongs to the next word: `URLPath`.
    const end = kindAt(text, capitals) === lower ? capitals - 1 : capitals;
    return { end, tokens: cost + acronym * (end - start - 1) };
  }
  const end = endOf(text, capitals, lower);
  const more = prefix === space ? longWord * Math.max(0, end - start - 6) : 0;
  return { end, tokens: cost + more };
}

function otherPart(text: string, start: number, kind: number): Part {
  if (kind === digit) return { end: endOf(text, start, digit, start + 3), tokens: 1.1 };
  if (kind === beyondAscii) {
    const end = endOf(text, start, beyondAscii);
    return { end, tokens: 0.5 + 0.55 * (end - start) };
  }
  const hasMarks = kind === mark || (kind === space && kindAt(text, start + 1) === mark);
  if (!hasMarks) return { end: endOf(text, start + 1, other), tokens: 1 };
  const end = endOf(text, start + 1, mark);
  return { end, tokens: 1.06 + 0.27 * Math.max(0, end - start - 3) };
}

function kindAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (Number.isNaN(code)) return other;
  return code < 128 ? asciiKinds[code]! : beyondAscii;
}

/** End of a run of one kind, at most `max`. */
function endOf(text: string, start: number, kind: number, max = text.length): number {
  // Without a call for each character: tool lists have millions of them.
  for (let end = start; end < max; end++) {
    const code = text.charCodeAt(end);
    if ((code < 128 ? asciiKinds[code] : beyondAscii) !== kind) return end;
  }
  return Math.max(start, max);
}
