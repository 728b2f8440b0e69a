/**
 * Regular expressions of a schema come from strangers, and `^(a+)+$` against 30 characters blocks a process for minutes.
 * JavaScript cannot interrupt a match, so each one gets a price before it runs: an upper guess of the steps it may take for a
 * text of this length. What is too dear is not tried here; the API will check it.
 */
const mostSteps = 2_000_000;

/** How many steps a pattern may take: about `base ** length` when repetition is nested, else about `choices * length ** degree`. */
interface Price {
  readonly base: number;
  readonly degree: number;
  readonly choices: number;
}

/** A test for texts that match the pattern. Texts it must not try pass, and all texts when the pattern is not JavaScript's. */
export function matcher(pattern: string): (text: string) => boolean {
  const regex = toRegExp(pattern);
  if (!regex) return () => true;
  const price = priceOf(pattern);
  return (text) => steps(price, text.length) > mostSteps || regex.test(text);
}

/** Whether a pattern may be tried on a text of this length. */
export function isAffordable(pattern: string, length: number): boolean {
  return steps(priceOf(pattern), length) <= mostSteps;
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

function steps({ base, degree, choices }: Price, length: number): number {
  return base > 1 ? base ** length : choices * Math.max(1, length) ** degree;
}

/** What was seen inside one group. */
interface Group {
  varies: boolean;
  alternatives: number;
}

const token = /\\(?:k<\w+>|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|\)|\||[*+?]\??|\{\d+,?\d*\}\??|[^]/gsu;

function priceOf(pattern: string): Price {
  const open: Group[] = [{ varies: false, alternatives: 1 }];
  const price = { base: 1, degree: pattern.startsWith("^") ? 0 : 1, choices: 1 };
  let repeated: Group | undefined;
  for (const [text] of pattern.matchAll(token)) {
    const group = open.at(-1)!;
    const times = repetition(text);
    if (times) charge(price, times, repeated, group);
    if (text.startsWith("(")) open.push({ varies: false, alternatives: 1 });
    else if (text === "|") group.alternatives++;
    else if (/^\\[1-9k]/.test(text)) price.base = Math.max(price.base, 2);
    repeated = text === ")" && open.length > 1 ? leave(open) : undefined;
  }
  return price;
}

function charge(price: { -readonly [K in keyof Price]: number }, [least, most]: readonly [number, number], repeated: Group | undefined, group: Group): void {
  if (repeated?.varies && most > 1) price.base = Math.max(price.base, repeated.alternatives + 1);
  else if (most - least > 2) price.degree++;
  else if (most > least) price.choices *= most - least + 1;
  if (most > least) group.varies = true;
}

/** Least and most repetitions that a quantifier asks for; `undefined` when the token is none. */
function repetition(text: string): readonly [number, number] | undefined {
  if (text.startsWith("*")) return [0, Infinity];
  if (text.startsWith("+")) return [1, Infinity];
  if (text.startsWith("?")) return [0, 1];
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(text) ?? [];
  if (least === undefined) return undefined;
  return [Number(least), comma ? (most ? Number(most) : Infinity) : Number(least)];
}

/** A group whose content can match in more than one way makes the group around it vary too. */
function leave(open: Group[]): Group {
  const group = open.pop()!;
  if (group.alternatives > 1) group.varies = true;
  if (group.varies) open.at(-1)!.varies = true;
  return group;
}
