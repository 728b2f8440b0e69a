const MAX_PATTERN_LENGTH = 500;
const MAX_REPEAT = 1000;
/** Consecutive open-ended repetitions multiply: each adds a power to the time. */
const MAX_OPEN = 8;

/**
 * Problem of a pattern in a tool's input schema, as a clause for messages. Undefined when it is
 * portable. Hosts use various engines: ECMA-262 with the `u` flag, RE2 (without lookaround and
 * back-references), and converters to grammars. The runtime's engine backtracks, so an unchecked
 * pattern could block the server with one short input.
 */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH) return `is longer than ${MAX_PATTERN_LENGTH} characters`;
  if (!compiles(pattern)) return "is not a regular expression of ECMA-262 with the u flag";
  if (isExample(pattern)) return "is one text, as an example has it";
  return scan(pattern);
}

/** True for an ID such as `ds_j04jmxh5xg10lu`, which documents give where an example belongs. */
export const isExample = (pattern: string): boolean =>
  /^[\w-]{6,}$/.test(pattern) && /\d/.test(pattern);

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}

/** An open group: its length varies, it has alternatives. */
interface Group {
  varies: boolean;
  alternatives: boolean;
}

/** Scans a pattern that compiles, in one pass. */
function scan(pattern: string): string | undefined {
  const groups: Group[] = [{ varies: false, alternatives: false }];
  let atom: Group | undefined;
  let openRepetitions = 0;
  for (let i = 0; i < pattern.length;) {
    const token = tokenAt(pattern, i);
    i += token.length;
    const problem = unportableFeature(token);
    if (problem !== undefined) return problem;
    const group = groups.at(-1) as Group;
    if (token.startsWith("(")) {
      groups.push({ varies: false, alternatives: false });
      atom = undefined;
    } else if (token === ")") {
      atom = groups.pop() as Group;
      (groups.at(-1) as Group).varies ||= atom.varies || atom.alternatives;
    } else if (token === "|") {
      group.alternatives = true;
      atom = undefined;
    } else if (/^([*+?]|\{\d)/.test(token)) {
      const [min, max] = repetition(token);
      const slow = slowRepetition(atom, max);
      if (slow !== undefined) return slow;
      if (max === Number.POSITIVE_INFINITY && ++openRepetitions > MAX_OPEN) {
        return `has more than ${MAX_OPEN} open-ended repetitions`;
      }
      group.varies ||= max > min;
    } else atom = { varies: false, alternatives: false };
  }
  return undefined;
}

/** Features that many engines lack. */
function unportableFeature(token: string): string | undefined {
  if (/^\(\?(?!:|<[^=!])/.test(token))
    return "uses lookaround or flags, which many hosts do not support";
  if (/^\\([1-9]|k<)/.test(token)) return "uses back-references, which many hosts do not support";
  return /^\\[pP]\{/.test(token)
    ? "uses Unicode properties, which many hosts do not support"
    : undefined;
}

/** Repetitions that take too long. */
function slowRepetition(atom: Group | undefined, max: number): string | undefined {
  if (Number.isFinite(max) && max > MAX_REPEAT)
    return `has a repetition of more than ${MAX_REPEAT} times`;
  if (max > 1 && atom?.varies) return "nests repetitions, which can take exponential time";
  return max > 10 && atom?.alternatives
    ? "repeats alternatives, which can take exponential time"
    : undefined;
}

/** Next token: an escape, a class, the start of a group, a quantifier, or one character. */
function tokenAt(pattern: string, index: number): string {
  const token = TOKEN.exec(pattern.slice(index, index + MAX_PATTERN_LENGTH));
  return token?.[0] ?? pattern.charAt(index);
}

const TOKEN_KINDS = [
  // Escapes
  /\\[pP]\{[^}]*\}|\\k<[^>]*>|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Za-z]|\\[\s\S]/,
  // Character classes
  /\[(?:\\[\s\S]|[^\]\\])*\]/,
  // Starts of groups with a modifier
  /\(\?(?:<[^>=!]*>|<?[=!]|[a-z-]*:)?/,
  // Quantifiers
  /[*+?]\??|\{\d+(?:,\d*)?\}\??/,
  // Single characters
  /[\s\S]/,
];
const TOKEN = new RegExp(`^(?:${TOKEN_KINDS.map(({ source }) => source).join("|")})`);

/** Minimum and maximum of a quantifier. */
function repetition(token: string): readonly [min: number, max: number] {
  if (token.startsWith("?")) return [0, 1];
  const [, min, comma, max] = /^\{(\d+)(,?)(\d*)\}/.exec(token) ?? [];
  if (min === undefined) return [token.startsWith("+") ? 1 : 0, Number.POSITIVE_INFINITY];
  if (comma === "") return [Number(min), Number(min)];
  return [Number(min), max === "" ? Number.POSITIVE_INFINITY : Number(max)];
}
