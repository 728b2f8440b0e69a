import type { Spent } from "./problem.js";

/**
 * Regular expressions of a schema come from strangers, and `^(a+)+$` against 30 characters blocks a
 * process for minutes. JavaScript cannot interrupt a match, so each one gets a price before it
 * runs: an upper guess of the steps it may take for a text of this length. What is too dear is not
 * tried here; the API will check it.
 */
const mostSteps = 2_000_000;

/** Steps for all the texts of one value together. */
const mostStepsInAll = 100_000_000;

/** Longer ones are not even priced. */
const longestPattern = 10_000;

/**
 * How many steps a pattern may take: about `choices * length ** degree * base ** length`, and for
 * each as many as it has characters.
 */
interface Price {
  /** More than 1 when repetition is nested. */
  readonly base: number;
  /** Repetitions in a row: each can take any share of the text. */
  readonly degree: number;
  /** Ways through alternatives and optional parts. */
  readonly choices: number;
  /** Characters that it wants one after the other, without what is open-ended. */
  readonly span: number;
}

/**
 * A test for texts that match the pattern. Texts it must not try pass, and all texts when the
 * pattern is not JavaScript's.
 */
export function matcher(pattern: string): (text: string, spent?: Pick<Spent, "steps">) => boolean {
  const regex = toRegExp(pattern);
  if (!regex) return () => true;
  const price = priceOf(pattern);
  return (text, spent) => !isPaid(price, text.length, spent) || regex.test(text);
}

/** Whether a pattern may be tried on a text of this length, and after what was spent on others. */
export function isAffordable(
  pattern: string,
  length: number,
  spent?: Pick<Spent, "steps">,
): boolean {
  return isPaid(priceOf(pattern), length, spent);
}

function isPaid(price: Price, length: number, spent: Pick<Spent, "steps"> | undefined): boolean {
  const dear = steps(price, length);
  if (dear > mostSteps) return false;
  return !spent || (spent.steps += dear) <= mostStepsInAll;
}

function toRegExp(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Not valid with this flag: many documents carry escapes that only the lenient grammar takes.
    }
  }
  return undefined;
}

function steps({ base, degree, choices, span }: Price, length: number): number {
  const ways = choices * Math.max(1, length) ** degree;
  return base > 1 ? ways * base ** length : ways * Math.max(1, Math.min(span, length));
}

/** A piece of a pattern, and what it costs. */
interface Piece extends Price {
  /** It can match in more than one way. */
  readonly varies: boolean;
  /** It can match nothing. */
  readonly hollow: boolean;
}

/**
 * What was seen of a group: of all of it, but `choices`, `span` and `solid` are those of the
 * alternative that is open.
 */
interface Group {
  base: number;
  degree: number;
  choices: number;
  span: number;
  varies: boolean;
  /** Something must be there. */
  solid: boolean;
  /**
   * Of the alternatives that have ended: their choices, the longest, and whether one of them can
   * match nothing.
   */
  ended: number;
  longest: number;
  hollow: boolean;
  readonly looksAround: boolean;
}

const token =
  /\\(?:k<\w+>|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[a-z-]*:|[=!]|<[=!]|<[^>]*>))?|\)|\||[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/gsu;

function priceOf(pattern: string): Price {
  if (pattern.length > longestPattern) return { base: 1, degree: 0, choices: Infinity, span: 0 };
  const open: Group[] = [groupOf("")];
  let last: Piece | undefined;
  for (const [text] of pattern.matchAll(token)) {
    const times = repetition(text);
    if (times && last) last = repeated(last, times);
    else {
      if (last) add(open.at(-1)!, last);
      last = undefined;
      if (text.startsWith("(")) open.push(groupOf(text));
      else if (text === "|") endAlternative(open.at(-1)!);
      else last = text === ")" && open.length > 1 ? pieceOf(open.pop()!) : atom(text);
    }
  }
  if (last) add(open.at(-1)!, last);
  const isAnchored = pattern.startsWith("^") && open[0]!.ended === 0;
  const { degree, ...whole } = pieceOf(open[0]!);
  return { ...whole, degree: isAnchored ? degree : degree + 1 };
}

function groupOf(text: string): Group {
  return {
    base: 1,
    degree: 0,
    choices: 1,
    span: 0,
    varies: false,
    solid: false,
    ended: 0,
    longest: 0,
    hollow: false,
    looksAround: /[=!]$/.test(text),
  };
}

/** One character, an assertion, or what a group has matched before. */
function atom(text: string): Piece {
  const refersBack = /^\\[1-9k]/.test(text);
  const isPlace = /^(?:[$^]|\\b)$/i.test(text);
  return {
    base: refersBack ? 2 : 1,
    degree: 0,
    choices: 1,
    span: isPlace ? 0 : 1,
    varies: refersBack,
    hollow: refersBack || isPlace,
  };
}

function add(group: Group, { base, degree, choices, span, varies, hollow }: Piece): void {
  // Where two share the text, there are as many ways to share it as it has characters.
  group.degree += degree + (base > 1 && group.base > 1 ? 1 : 0);
  group.base = Math.max(group.base, base);
  group.choices *= choices;
  group.span += span;
  group.varies ||= varies;
  group.solid ||= !hollow;
}

function endAlternative(group: Group): void {
  group.ended += group.choices;
  group.longest = Math.max(group.longest, group.span);
  group.hollow ||= !group.solid;
  group.choices = 1;
  group.span = 0;
  group.solid = false;
  group.varies = true;
}

/** A group that is closed. */
function pieceOf({
  base,
  degree,
  choices,
  span,
  varies,
  solid,
  ended,
  longest,
  hollow,
  looksAround,
}: Group): Piece {
  return {
    base,
    degree,
    choices: choices + ended,
    span: Math.max(span, longest),
    varies,
    hollow: hollow || !solid || looksAround,
  };
}

/**
 * A piece with its quantifier. What varies and is repeated multiplies with every character: by the
 * ways in which one repetition can go, and end. Those that may be empty multiply even without
 * characters, as often as they must be there. A few are as if written out.
 */
function repeated(
  { base, degree, choices, span, varies, hollow }: Piece,
  [least, most]: readonly [number, number],
): Piece {
  const more = {
    varies: varies || most > least,
    hollow: hollow || least === 0,
    span: span * Math.max(1, Number.isFinite(most) ? most : least),
  };
  const unrolled = { degree: degree * most, choices: choices ** most * (most - least + 1) };
  if (varies && most > 1 && base === 1 && unrolled.degree <= 4 && unrolled.choices <= 10_000)
    return { ...more, base, ...unrolled };
  if (varies && most > 1) {
    const nested = base * choices + Math.max(1, 1.5 * degree - 0.5);
    return { ...more, base: nested, degree: 0, choices: hollow ? nested ** least : 1 };
  }
  if (most - least > 2) return { ...more, base, degree: degree + 1, choices };
  return { ...more, base, degree, choices: choices * (most - least + 1) };
}

/** Least and most repetitions that a quantifier asks for; `undefined` when the token is none. */
function repetition(text: string): readonly [number, number] | undefined {
  if (text.startsWith("*")) return [0, Infinity];
  if (text.startsWith("+")) return [1, Infinity];
  if (text.startsWith("?")) return [0, 1];
  const [, least, comma, most] = /^\{(\d+)(?:(,)(\d*))?\}/.exec(text) ?? [];
  if (least === undefined) return undefined;
  return [Number(least), comma ? (most ? Number(most) : Infinity) : Number(least)];
}
