import type { ValidationCost } from "./check.js";

/**
 * Regular expressions of a schema come from strangers, and `^(a+)+$` against 30 characters blocks a
 * process for minutes. JavaScript cannot interrupt a match, so each one gets a price before it
 * runs: an upper guess of the steps it may take for a text of this length. What is too dear is not
 * tried here; the API will check it.
 */
const maxSteps = 2_000_000;

/** Steps for all the texts of one value together. */
const maxTotalSteps = 100_000_000;

/** Longer ones are not even priced. */
const maxPatternLength = 10_000;

/**
 * How many steps a pattern may take: about `choices * length ** degree * base ** length`, and for
 * each as many as it has characters.
 */
interface PatternCost {
  /** More than 1 when repetition is nested. */
  readonly base: number;
  /** Repetitions in a row: each can take any share of the text. */
  readonly degree: number;
  /** Ways through alternatives and optional parts. */
  readonly choices: number;
  /** Characters that it wants one after the other, without what is open-ended. */
  readonly fixedLength: number;
}

/**
 * A test for texts that match the pattern. Texts it must not try pass, and all texts when the
 * pattern is not JavaScript's.
 */
export function createMatcher(
  pattern: string,
): (text: string, spent?: Pick<ValidationCost, "patternSteps">) => boolean {
  const regex = toRegExp(pattern);
  if (!regex) return () => true;
  const price = costOf(pattern);
  return (text, spent) => !chargeSteps(price, text.length, spent) || regex.test(text);
}

/** Whether a pattern may be tried on a text of this length, and after what was spent on others. */
export function isWithinBudget(
  pattern: string,
  length: number,
  spent?: Pick<ValidationCost, "patternSteps">,
): boolean {
  return chargeSteps(costOf(pattern), length, spent);
}

function chargeSteps(
  price: PatternCost,
  length: number,
  spent: Pick<ValidationCost, "patternSteps"> | undefined,
): boolean {
  const dear = estimateSteps(price, length);
  if (dear > maxSteps) return false;
  return !spent || (spent.patternSteps += dear) <= maxTotalSteps;
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

function estimateSteps(
  { base, degree, choices, fixedLength: span }: PatternCost,
  length: number,
): number {
  const ways = choices * Math.max(1, length) ** degree;
  return base > 1 ? ways * base ** length : ways * Math.max(1, Math.min(span, length));
}

/** A piece of a pattern, and what it costs. */
interface PatternPart extends PatternCost {
  /** It can match in more than one way. */
  readonly isVariable: boolean;
  /** It can match nothing. */
  readonly canBeEmpty: boolean;
}

/**
 * What was seen of a group: of all of it, but `choices`, `span` and `solid` are those of the
 * alternative that is open.
 */
interface GroupState {
  base: number;
  degree: number;
  choices: number;
  fixedLength: number;
  isVariable: boolean;
  /** Something must be there. */
  requiresText: boolean;
  /**
   * Of the alternatives that have ended: their choices, the longest, and whether one of them can
   * match nothing.
   */
  closedChoices: number;
  longest: number;
  canBeEmpty: boolean;
  readonly isLookaround: boolean;
}

const token =
  /\\(?:k<\w+>|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[a-z-]*:|[=!]|<[=!]|<[^>]*>))?|\)|\||[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/gsu;

function costOf(pattern: string): PatternCost {
  if (pattern.length > maxPatternLength)
    return { base: 1, degree: 0, choices: Infinity, fixedLength: 0 };
  const open: GroupState[] = [newGroup("")];
  let last: PatternPart | undefined;
  for (const [text] of pattern.matchAll(token)) {
    const times = parseQuantifier(text);
    if (times && last) last = applyQuantifier(last, times);
    else {
      if (last) addToGroup(open.at(-1)!, last);
      last = undefined;
      if (text.startsWith("(")) open.push(newGroup(text));
      else if (text === "|") closeAlternative(open.at(-1)!);
      else last = text === ")" && open.length > 1 ? closeGroup(open.pop()!) : atomCost(text);
    }
  }
  if (last) addToGroup(open.at(-1)!, last);
  const isAnchored = pattern.startsWith("^") && open[0]!.closedChoices === 0;
  const { degree, ...whole } = closeGroup(open[0]!);
  return { ...whole, degree: isAnchored ? degree : degree + 1 };
}

function newGroup(text: string): GroupState {
  return {
    base: 1,
    degree: 0,
    choices: 1,
    fixedLength: 0,
    isVariable: false,
    requiresText: false,
    closedChoices: 0,
    longest: 0,
    canBeEmpty: false,
    isLookaround: /[=!]$/.test(text),
  };
}

/** One character, an assertion, or what a group has matched before. */
function atomCost(text: string): PatternPart {
  const refersBack = /^\\[1-9k]/.test(text);
  const isPlace = /^(?:[$^]|\\b)$/i.test(text);
  return {
    base: refersBack ? 2 : 1,
    degree: 0,
    choices: 1,
    fixedLength: isPlace ? 0 : 1,
    isVariable: refersBack,
    canBeEmpty: refersBack || isPlace,
  };
}

function addToGroup(
  group: GroupState,
  { base, degree, choices, fixedLength: span, isVariable: varies, canBeEmpty: hollow }: PatternPart,
): void {
  // Where two share the text, there are as many ways to share it as it has characters.
  group.degree += degree + (base > 1 && group.base > 1 ? 1 : 0);
  group.base = Math.max(group.base, base);
  group.choices *= choices;
  group.fixedLength += span;
  group.isVariable ||= varies;
  group.requiresText ||= !hollow;
}

function closeAlternative(group: GroupState): void {
  group.closedChoices += group.choices;
  group.longest = Math.max(group.longest, group.fixedLength);
  group.canBeEmpty ||= !group.requiresText;
  group.choices = 1;
  group.fixedLength = 0;
  group.requiresText = false;
  group.isVariable = true;
}

/** A group that is closed. */
function closeGroup({
  base,
  degree,
  choices,
  fixedLength: span,
  isVariable: varies,
  requiresText: solid,
  closedChoices: ended,
  longest,
  canBeEmpty: hollow,
  isLookaround: looksAround,
}: GroupState): PatternPart {
  return {
    base,
    degree,
    choices: choices + ended,
    fixedLength: Math.max(span, longest),
    isVariable: varies,
    canBeEmpty: hollow || !solid || looksAround,
  };
}

/**
 * A piece with its quantifier. What varies and is repeated multiplies with every character: by the
 * ways in which one repetition can go, and end. Those that may be empty multiply even without
 * characters, as often as they must be there. A few are as if written out.
 */
function applyQuantifier(
  { base, degree, choices, fixedLength: span, isVariable: varies, canBeEmpty: hollow }: PatternPart,
  [least, most]: readonly [number, number],
): PatternPart {
  const more = {
    isVariable: varies || most > least,
    canBeEmpty: hollow || least === 0,
    fixedLength: span * Math.max(1, Number.isFinite(most) ? most : least),
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
function parseQuantifier(text: string): readonly [number, number] | undefined {
  if (text.startsWith("*")) return [0, Infinity];
  if (text.startsWith("+")) return [1, Infinity];
  if (text.startsWith("?")) return [0, 1];
  const [, least, comma, most] = /^\{(\d+)(?:(,)(\d*))?\}/.exec(text) ?? [];
  if (least === undefined) return undefined;
  return [Number(least), comma ? (most ? Number(most) : Infinity) : Number(least)];
}
