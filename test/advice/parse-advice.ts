/** A step that an error text tells the agent to take. */
export type Step =
  /** The same call again, after a wait. */
  | { readonly kind: "retry"; readonly tool: string }
  /** The same tool without one input. */
  | { readonly kind: "omit"; readonly tool: string; readonly input: string }
  /** Tools that return a value for an input. */
  | { readonly kind: "get"; readonly tools: readonly string[]; readonly input: string }
  /** A tool that shows the state. */
  | { readonly kind: "read"; readonly tool: string }
  /** Another input for the same tool. */
  | { readonly kind: "change"; readonly inputs: readonly string[] };

/** The content of an error text that an agent acts on. */
export interface Advice {
  readonly steps: readonly Step[];
  /** True if the advice ends the task: tell the user, or do not call again. */
  readonly isFinal: boolean;
  /** Every name that stands in the place of a tool. */
  readonly tools: readonly string[];
  readonly variables: readonly string[];
}

const NAME = String.raw`([A-Za-z0-9_-]+)`;
const GET = new RegExp(`[Gg]et a valid (\\S+) from ${NAME}(?: or ${NAME})?`, "g");
const USE = new RegExp(`[Uu]se the (\\S+) that ${NAME}(?: or ${NAME})? returned`, "g");
const OMIT = new RegExp(`(?<!\\w)[Cc]all ${NAME} without (\\S+) to get`, "g");
const READ = new RegExp(`(?<!\\w)[Cc]all ${NAME} to see`, "g");
const RETRY = new RegExp(`(?:wait .*?then|before you) call ${NAME} again`, "gi");
const CHANGE = /(?:[Cc]orrect|[Aa]dd|Change) ([\w., [\]-]+?), (?:then call|or ask)/g;
const CALL = new RegExp(`(?<!\\w)[Cc]all ${NAME}`, "g");

/** Words after "call" that are not names of tools. */
const PRONOUNS: ReadonlySet<string> = new Set(["it", "again", "has", "and", "is"]);

/** Reads the advice of an error text literally. */
export function parseAdvice(text: string): Advice {
  const [, advice = text] = text.replace(/"(?:[^"\\]|\\.)*"/g, '""').split(/\nNext: /);
  const all = (pattern: RegExp): readonly (readonly string[])[] =>
    [...advice.matchAll(pattern)].map(([, ...groups]) => groups.filter((one) => one !== undefined));
  const steps: Step[] = [
    ...all(GET).map(([input = "", ...tools]) => ({ kind: "get" as const, input, tools })),
    ...all(USE).map(([input = "", ...tools]) => ({ kind: "get" as const, input, tools })),
    ...all(OMIT).map(([tool = "", input = ""]) => ({ kind: "omit" as const, tool, input })),
    ...all(READ).map(([tool = ""]) => ({ kind: "read" as const, tool })),
    ...all(RETRY).map(([tool = ""]) => ({ kind: "retry" as const, tool })),
    ...all(CHANGE).map(([inputs = ""]) => ({ kind: "change" as const, inputs: namesIn(inputs) })),
  ];
  const called = all(CALL).flatMap(([name = ""]) => (PRONOUNS.has(name) ? [] : [name]));
  const producers = steps.flatMap((step) => (step.kind === "get" ? step.tools : []));
  return {
    steps,
    isFinal:
      /[Tt]ell the user|[Dd]o not call|do not retry|another input|as the API says|refuses this|while it lasts/.test(
        advice,
      ),
    tools: [...new Set([...called, ...producers])],
    variables: advice.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [],
  };
}

/** Names in a list such as `a, b and c.d`; "the input" names none. */
function namesIn(list: string): readonly string[] {
  if (/^the input/.test(list)) return [];
  return list.split(/, | and /).flatMap((name) => (/^\d+ more$/.test(name) ? [] : [name.trim()]));
}
