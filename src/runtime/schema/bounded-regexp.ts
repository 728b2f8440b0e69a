/** Regular expressions of documents, matched within a budget of steps. */
import type { ValidationCost } from "./check.js";

/**
 * Regular expressions of a document are untrusted: `^(a+)+$` on 30 characters blocks a process for
 * minutes, and JavaScript cannot interrupt a match. The cost of each match is therefore estimated
 * before: an upper bound of its steps for the length of the text. A text over the budget is not
 * matched and counts as valid; the API validates it.
 */
const maxSteps = 2_000_000;

/** Budget of all texts of one value. */
const maxTotalSteps = 100_000_000;

/** Longer patterns are never matched. */
const maxPatternLength = 10_000;

/** Cost of a pattern: about `choices * length ** degree * base ** length` attempts. */
interface PatternCost {
  /** Greater than 1 for nested quantifiers. */
  readonly base: number;
  /** Number of unbounded quantifiers in sequence. */
  readonly degree: number;
  /** Number of ways through alternatives and optional parts. */
  readonly choices: number;
  /** Length of the parts without unbounded quantifiers: the steps of one attempt. */
  readonly fixedLength: number;
}

type StepBudget = Pick<ValidationCost, "patternSteps">;

/**
 * A test for a pattern. It returns true for texts over the budget, and for all texts when the
 * pattern is invalid in JavaScript.
 */
export function createMatcher(pattern: string): (text: string, used?: StepBudget) => boolean {
  const regex = toRegExp(pattern);
  if (!regex) return () => true;
  const cost = costOf(pattern);
  return (text, used) => !chargeSteps(cost, text.length, used) || regex.test(text);
}

/** True if a match is within the budget. Adds its steps to the used ones. */
export function isWithinBudget(pattern: string, length: number, used?: StepBudget): boolean {
  return chargeSteps(costOf(pattern), length, used);
}

function chargeSteps(cost: PatternCost, length: number, used: StepBudget | undefined): boolean {
  const steps = estimateSteps(cost, length);
  if (steps > maxSteps) return false;
  return !used || (used.patternSteps += steps) <= maxTotalSteps;
}

function toRegExp(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Many documents contain escapes that are valid only without the `u` flag.
    }
  }
  return undefined;
}

function estimateSteps(
  { base, degree, choices, fixedLength }: PatternCost,
  length: number,
): number {
  const attempts = choices * Math.max(1, length) ** degree;
  if (base > 1) return attempts * base ** length;
  return attempts * Math.max(1, Math.min(fixedLength, length));
}

/** An atom or a group with its quantifier. */
interface PatternPart extends PatternCost {
  /** It can match the same text in several ways. */
  readonly isVariable: boolean;
  readonly canBeEmpty: boolean;
}

/**
 * A group during parsing. `choices`, `fixedLength` and `requiresText` are those of the current
 * alternative.
 */
interface GroupState {
  base: number;
  degree: number;
  choices: number;
  fixedLength: number;
  isVariable: boolean;
  /** The current alternative cannot be empty. */
  requiresText: boolean;
  /** Sum of the choices of the alternatives before. */
  closedChoices: number;
  /** Maximum length of the alternatives before. */
  longest: number;
  /** One of the alternatives before can be empty. */
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
  const { degree, ...cost } = closeGroup(open[0]!);
  return { ...cost, degree: isAnchored ? degree : degree + 1 };
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

/** A character, a character class, an assertion or a back reference. */
function atomCost(text: string): PatternPart {
  const isBackReference = /^\\[1-9k]/.test(text);
  const isAssertion = /^(?:[$^]|\\b)$/i.test(text);
  return {
    base: isBackReference ? 2 : 1,
    degree: 0,
    choices: 1,
    fixedLength: isAssertion ? 0 : 1,
    isVariable: isBackReference,
    canBeEmpty: isBackReference || isAssertion,
  };
}

function addToGroup(group: GroupState, part: PatternPart): void {
  // Two exponential parts can divide the text at every character.
  group.degree += part.degree + (part.base > 1 && group.base > 1 ? 1 : 0);
  group.base = Math.max(group.base, part.base);
  group.choices *= part.choices;
  group.fixedLength += part.fixedLength;
  group.isVariable ||= part.isVariable;
  group.requiresText ||= !part.canBeEmpty;
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

/** The part that a group is after its last alternative. */
function closeGroup(group: GroupState): PatternPart {
  return {
    base: group.base,
    degree: group.degree,
    choices: group.choices + group.closedChoices,
    fixedLength: Math.max(group.fixedLength, group.longest),
    isVariable: group.isVariable,
    canBeEmpty: group.canBeEmpty || !group.requiresText || group.isLookaround,
  };
}

/**
 * A part with its quantifier. Repeating a variable part multiplies the attempts with every
 * character. If the part can be empty, the required repetitions multiply them even without
 * characters. A small number of repetitions counts as if it were written out.
 */
function applyQuantifier(part: PatternPart, [min, max]: readonly [number, number]): PatternPart {
  const { base, degree, choices } = part;
  const repeated = {
    isVariable: part.isVariable || max > min,
    canBeEmpty: part.canBeEmpty || min === 0,
    fixedLength: part.fixedLength * Math.max(1, Number.isFinite(max) ? max : min),
  };
  if (part.isVariable && max > 1) {
    const unrolled = { degree: degree * max, choices: choices ** max * (max - min + 1) };
    if (base === 1 && unrolled.degree <= 4 && unrolled.choices <= 10_000)
      return { ...repeated, base, ...unrolled };
    const nested = base * choices + Math.max(1, 1.5 * degree - 0.5);
    return { ...repeated, base: nested, degree: 0, choices: part.canBeEmpty ? nested ** min : 1 };
  }
  if (max - min > 2) return { ...repeated, base, degree: degree + 1, choices };
  return { ...repeated, base, degree, choices: choices * (max - min + 1) };
}

/** Minimum and maximum of a quantifier. Undefined for any other token. */
function parseQuantifier(token: string): readonly [number, number] | undefined {
  if (token.startsWith("*")) return [0, Infinity];
  if (token.startsWith("+")) return [1, Infinity];
  if (token.startsWith("?")) return [0, 1];
  const [, min, comma, max] = /^\{(\d+)(?:(,)(\d*))?\}/.exec(token) ?? [];
  if (min === undefined) return undefined;
  if (!comma) return [Number(min), Number(min)];
  return [Number(min), max ? Number(max) : Infinity];
}
