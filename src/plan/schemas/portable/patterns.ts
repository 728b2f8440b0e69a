/**
 * Which regular expressions may stand in a tool's input schema. Hosts run patterns with engines of
 * every kind: ECMA-262 with the `u` flag, RE2 (no lookaround, no back-references), converters to
 * grammars; and ours backtracks, so that a document could otherwise make one short input block the
 * server.
 */
const MAX_PATTERN = 500;
const MAX_REPEAT = 1000;
/** Open-ended repetitions in a row multiply: each adds a power to the time. */
const MAX_OPEN = 8;

/** Why a pattern cannot be used, as a clause; undefined when it can. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN) return `is longer than ${MAX_PATTERN} characters`;
  if (!compiles(pattern)) return "is not a regular expression of ECMA-262 with the u flag";
  return scan(pattern);
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}

/** One open group: whether its length can vary, and whether it has alternatives. */
interface Group {
  varies: boolean;
  alternatives: boolean;
}

/** One pass over a pattern that compiles. */
function scan(pattern: string): string | undefined {
  const groups: Group[] = [{ varies: false, alternatives: false }];
  let atom: Group | undefined;
  let open = 0;
  for (let i = 0; i < pattern.length;) {
    const token = tokenAt(pattern, i);
    i += token.length;
    const unknown = unportable(token);
    if (unknown !== undefined) return unknown;
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
      const [least, most] = repetition(token);
      const slow =
        repeating(atom, most) ??
        (most === Number.POSITIVE_INFINITY && ++open > MAX_OPEN
          ? `has more than ${MAX_OPEN} open-ended repetitions`
          : undefined);
      if (slow !== undefined) return slow;
      group.varies ||= most > least;
    } else atom = { varies: false, alternatives: false };
  }
  return undefined;
}

/** What many engines cannot do. */
function unportable(token: string): string | undefined {
  if (/^\(\?(?!:|<[^=!])/.test(token))
    return "looks around or sets flags, which many hosts cannot do";
  if (/^\\([1-9]|k<)/.test(token)) return "refers back to a group, which many hosts cannot do";
  return /^\\[pP]\{/.test(token)
    ? "uses Unicode properties, which many hosts cannot do"
    : undefined;
}

/** What takes too long when it is repeated so often. */
function repeating(atom: Group | undefined, most: number): string | undefined {
  if (Number.isFinite(most) && most > MAX_REPEAT)
    return `repeats something more than ${MAX_REPEAT} times`;
  if (most > 1 && atom?.varies) return "nests repetitions, which can take forever to match";
  return most > 10 && atom?.alternatives
    ? "repeats alternatives, which can take forever to match"
    : undefined;
}

/** The next piece: an escape, a class, the start of a group, a quantifier, or one character. */
function tokenAt(pattern: string, at: number): string {
  const token = TOKEN.exec(pattern.slice(at, at + MAX_PATTERN));
  return token?.[0] ?? pattern.charAt(at);
}

const TOKEN =
  /^(?:\\[pP]\{[^}]*\}|\\k<[^>]*>|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Za-z]|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?(?:<[^>=!]*>|<?[=!]|[a-z-]*:)?|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S])/;

/** Least and most times that a quantifier asks for. */
function repetition(token: string): readonly [least: number, most: number] {
  if (token.startsWith("?")) return [0, 1];
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(token) ?? [];
  if (least === undefined) return [token.startsWith("+") ? 1 : 0, Number.POSITIVE_INFINITY];
  if (comma === "") return [Number(least), Number(least)];
  return [Number(least), most === "" ? Number.POSITIVE_INFINITY : Number(most)];
}
