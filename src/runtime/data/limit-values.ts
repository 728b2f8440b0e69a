/** Limits the number of values of JSON text before it is parsed. */
import { parseJsonText } from "./json-text.js";
import { runAtOnce, type Steps } from "./steps.js";

/**
 * Maximum number of values of a request or a response. The cost of parsing and checking grows with
 * the number of values, not of bytes: 10 MB may be one file or five million zeros.
 */
export const MAX_VALUES = 250_000;

/**
 * Maximum number of properties of one object. Names that no other object has are slow to parse, and
 * every use of the object lists all of them.
 */
export const MAX_PROPERTIES = 50_000;

/** A limit by which values are left out: of all values, or of the properties of one object. */
export type ValueLimit = "values" | "properties";

/** JSON text of a limited number of values. */
export interface LimitedText {
  readonly text: string;
  readonly count: number;
  /** The limit behind which values were left out; absent if there are all. */
  readonly exceeded?: ValueLimit;
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
  return runAtOnce(limitValuesInSteps(text, max));
}

/** Parses the first values of JSON text; undefined for text that is not JSON. */
export function parseLimitedJson(text: string, max: number): unknown {
  return parseJsonText(limitValues(text, max).text);
}

/** Number of characters that one step reads. */
const STEP_CHARACTERS = 500_000;

/** `limitValues` in steps. */
export function* limitValuesInSteps(text: string, max = MAX_VALUES): Steps<LimitedText> {
  const counter = new ValueCounter();
  let nextStep = STEP_CHARACTERS;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === quote) i = endOfString(text, i);
    else counter.read(char);
    const exceeded = counter.exceeded(max);
    if (exceeded) {
      const end = char === comma ? i : i + 1;
      const kept = yield* cutAt(text, end, counter.closers);
      return { text: kept, count: counter.count, depth: counter.depth, exceeded };
    }
    if (i < nextStep) continue;
    yield;
    nextStep = i + STEP_CHARACTERS;
  }
  return { text, count: counter.count, depth: counter.depth };
}

/** Counts values by the characters between strings. */
class ValueCounter {
  count = 1;
  depth = 0;
  /** Closing brackets of the open lists and objects. */
  readonly closers: string[] = [];
  /** Number of commas in each of them. */
  readonly #commas: number[] = [];

  read(char: number): void {
    if (char === comma) {
      this.count++;
      this.#commas[this.#commas.length - 1]!++;
    } else if (char === openList || char === openObject) {
      this.count++;
      this.closers.push(char === openList ? "]" : "}");
      this.#commas.push(0);
      this.depth = Math.max(this.depth, this.closers.length);
    } else if (char === closeList || char === closeObject) {
      this.closers.pop();
      this.#commas.pop();
    }
  }

  exceeded(max: number): ValueLimit | undefined {
    if (this.closers.length === 0) return undefined;
    if (this.count > max) return "values";
    const isWide = this.#commas.at(-1)! >= MAX_PROPERTIES && this.closers.at(-1) === "}";
    return isWide ? "properties" : undefined;
  }
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

function* cutAt(text: string, end: number, closers: readonly string[]): Steps<string> {
  const [root, ...inner] = closers;
  const kept = text.slice(0, end) + inner.toReversed().join("");
  const members = root === "}" ? yield* scalarMembers(text, end, closers.length) : [];
  return `${kept}${members.join("")}${root}`;
}

/** Maximum number of members of the root that are kept after the limit. */
const MAX_MEMBERS = 100;

/** A member of an object that is not a list or an object, before the next one or the end. */
const SCALAR_MEMBER =
  /,\s*"[^"\\]*(?:\\.[^"\\]*)*"\s*:\s*(?:"[^"\\]*(?:\\.[^"\\]*)*"|[-+.\w]+)(?=\s*[,}])/y;

/** Scalar members of the root after an offset, each with the comma before it. */
function* scalarMembers(text: string, start: number, startDepth: number): Steps<readonly string[]> {
  const members: string[] = [];
  let depth = startDepth;
  let nextStep = start + STEP_CHARACTERS;
  for (let i = start; i < text.length && members.length < MAX_MEMBERS; i++) {
    if (i > nextStep) {
      yield;
      nextStep = i + STEP_CHARACTERS;
    }
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
