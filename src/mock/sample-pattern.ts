/** Strings that match the pattern of a schema. */
import { isValidPattern } from "./schema-set.js";
import { mayTakeLong, runInTime } from "./time-limit.js";

/** Length of a string, and the number that makes it different from others. */
interface TextBounds {
  readonly n: number;
  readonly least: number;
  readonly most: number;
}

/**
 * A string that matches a pattern.
 * @param others strings that may match it
 * @returns undefined without a valid pattern, and if no string was found
 */
export function patternText(
  pattern: unknown,
  [formatted, hint]: readonly [formatted: string | undefined, hint: string],
  { n, least, most }: TextBounds,
): string | undefined {
  if (typeof pattern !== "string" || !isValidPattern(pattern)) return undefined;
  const expression = new RegExp(pattern, "u");
  const candidates = [
    formatted,
    textForPattern(pattern, least, n),
    textForPattern(pattern, Math.max(least, 1)),
    hint,
    "A",
    "1",
    "a1",
  ];
  const fitting = candidates.filter(
    (text): text is string => text !== undefined && hasLength(text, least, most),
  );
  // The empty string only as a last resort: a path parameter cannot be empty.
  const find = () =>
    fitting.find((text) => text !== "" && expression.test(text)) ??
    fitting.find((text) => expression.test(text));
  const longest = Math.max(0, ...fitting.map(({ length }) => length));
  return mayTakeLong(pattern, longest) ? runInTime(find) : find();
}

export function hasLength(text: string, least: number, most: number): boolean {
  return text.length >= least && text.length <= most;
}

/**
 * A short string that matches a regular expression. Supports literals, classes, groups,
 * alternatives, quantifiers and anchors. Lookaround, back references and Unicode properties are not
 * supported.
 * @param length minimum length; unbounded quantifiers are extended to reach it
 * @param variant different numbers give different strings where the expression allows it
 * @returns undefined for unsupported expressions
 */
export function textForPattern(pattern: string, length = 0, variant = 0): string | undefined {
  for (const stretch of [0, 1, 2, 4, 8, 16, 32, 64, 128, 256]) {
    const text = new PatternReader(pattern, stretch, variant).read();
    if (text === undefined) return undefined;
    if (text.length >= length) return text;
  }
  return undefined;
}

const SETS: Readonly<Record<string, string>> = {
  d: "0123456789",
  w: "abcdefghijklmnopqrstuvwxyz0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  s: " ",
};
const CONTROL: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  f: "\f",
  v: "\v",
  "0": "\0",
};
/** Characters for negated classes. */
const PRINTABLE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/ ";

/** Recursive-descent parser of an expression that generates the string while it reads. */
class PatternReader {
  #at = 0;
  #failed = false;
  #depth = 0;
  readonly #pattern: string;
  readonly #stretch: number;
  readonly #variant: number;

  constructor(pattern: string, stretch: number, variant: number) {
    this.#pattern = pattern;
    this.#stretch = stretch;
    this.#variant = variant;
  }

  read(): string | undefined {
    const text = this.#alternatives();
    return this.#failed || this.#at < this.#pattern.length || text.length > 10_000
      ? undefined
      : text;
  }

  #alternatives(): string {
    if (++this.#depth > 50) this.#failed = true;
    const found = [this.#sequence()];
    while (!this.#failed && this.#pattern[this.#at] === "|") {
      this.#at++;
      found.push(this.#sequence());
    }
    this.#depth--;
    return found[this.#variant % found.length] ?? "";
  }

  #sequence(): string {
    let text = "";
    while (
      !this.#failed &&
      this.#at < this.#pattern.length &&
      !"|)".includes(this.#pattern[this.#at] ?? "")
    ) {
      const atom = this.#atom();
      text += this.#repeat(atom);
    }
    return text;
  }

  #atom(): string {
    const char = this.#pattern[this.#at++] ?? "";
    if (char === "^" || char === "$") return "";
    if (char === "(") return this.#group();
    if (char === "[") return this.#pick(this.#characterClass());
    if (char === ".") return "a";
    if (char === "\\") return this.#escape();
    if ("*+?".includes(char)) this.#failed = true;
    return char;
  }

  #group(): string {
    const lead = /^\?(?::|<[A-Za-z_]\w*>)/u.exec(this.#pattern.slice(this.#at));
    if (lead) this.#at += lead[0].length;
    else if (this.#pattern[this.#at] === "?") this.#failed = true;
    const text = this.#alternatives();
    if (this.#pattern[this.#at++] !== ")") this.#failed = true;
    return text;
  }

  #escape(): string {
    const char = this.#pattern[this.#at++] ?? "";
    if (char === "b" || char === "B") return "";
    return this.#pick(this.#escaped(char));
  }

  /** Characters of an escape sequence. */
  #escaped(char: string): string {
    if (SETS[char] !== undefined) return SETS[char];
    if (SETS[char.toLowerCase()] !== undefined)
      return printableExcept(SETS[char.toLowerCase()] ?? "");
    if (CONTROL[char] !== undefined) return CONTROL[char];
    const hex = char === "x" ? /^[\da-fA-F]{2}/u : char === "u" ? /^[\da-fA-F]{4}/u : undefined;
    const digits = hex?.exec(this.#pattern.slice(this.#at))?.[0];
    if (digits !== undefined) {
      this.#at += digits.length;
      return String.fromCharCode(parseInt(digits, 16));
    }
    if (/[a-zA-Z1-9]/u.test(char)) this.#failed = true;
    return char;
  }

  #characterClass(): string {
    const negated = this.#pattern[this.#at] === "^";
    if (negated) this.#at++;
    let members = "";
    while (!this.#failed && this.#pattern[this.#at] !== "]") {
      if (this.#at >= this.#pattern.length) this.#failed = true;
      else members += this.#member();
    }
    this.#at++;
    return negated ? printableExcept(members) : members;
  }

  #member(): string {
    const from = this.#classCharacter();
    if (from.length !== 1 || this.#pattern[this.#at] !== "-" || this.#pattern[this.#at + 1] === "]")
      return from;
    this.#at++;
    const to = this.#classCharacter();
    if (to.length !== 1) return `${from}-${to}`;
    const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)];
    return Array.from({ length: Math.min(Math.max(high - low + 1, 1), 128) }, (_, i) =>
      String.fromCharCode(low + i),
    ).join("");
  }

  #classCharacter(): string {
    const char = this.#pattern[this.#at++] ?? "";
    if (char !== "\\") return char;
    const escaped = this.#pattern[this.#at++] ?? "";
    return escaped === "b" ? "\b" : this.#escaped(escaped);
  }

  #pick(members: string): string {
    if (members === "") this.#failed = true;
    return members[this.#variant % Math.max(members.length, 1)] ?? "";
  }

  #repeat(atom: string): string {
    const found = /^(?:([*+?])|\{(\d{1,5})(?:(,)(\d{1,5})?)?\})\??/u.exec(
      this.#pattern.slice(this.#at, this.#at + 20),
    );
    if (!found) return atom;
    this.#at += found[0].length;
    const [least, most] = repetitionBounds(found);
    const count = Math.min(Math.max(least, this.#stretch), most);
    if (atom.length * count > 10_000) this.#failed = true;
    return this.#failed ? "" : atom.repeat(count);
  }
}

/** Minimum and maximum of a quantifier: `*`, `+`, `?`, `{2}`, `{2,}` or `{2,4}`. */
function repetitionBounds([, sign, low, comma, high]: RegExpExecArray): readonly [number, number] {
  if (sign === "?") return [0, 1];
  if (sign !== undefined) return [sign === "+" ? 1 : 0, Infinity];
  if (comma === undefined) return [Number(low), Number(low)];
  return [Number(low), high === undefined ? Infinity : Number(high)];
}

function printableExcept(members: string): string {
  return [...PRINTABLE].filter((c) => !members.includes(c)).join("");
}
