import type { Compilation, Keyword } from "./compile.js";
import { type Check, type Problem, type Trace, wrong } from "./problem.js";

/**
 * A value that follows more references than this is nested beyond use, or its schema refers to
 * itself without end.
 */
const deepest = 200;

/** References that are followed without remembering what came of them: most values have no more. */
const mostForgotten = 1000;

/** Problems of one part that are remembered. */
const mostKept = 100;

/**
 * References within the schema: `#`, `#/$defs/Pet`. Others are notes; the generator writes none.
 */
export const refKeywords: readonly (readonly [string, Keyword])[] = [["$ref", ref]];

function ref(rule: unknown, { refs, root, compile }: Compilation): Check | undefined {
  if (typeof rule !== "string" || !rule.startsWith("#")) return undefined;
  let target = refs.get(rule);
  return (value, trace) => {
    if (!target) refs.set(rule, (target = compile(resolve(root, rule))));
    if (trace.refs >= deepest) return wrong(trace, "depth", deepest, value);
    return ++trace.spent.followed > mostForgotten
      ? remembered(target, value, trace)
      : followed(target, value, trace);
  };
}

function followed(target: Check, value: unknown, trace: Trace): boolean {
  trace.refs++;
  const fine = target(value, trace);
  trace.refs--;
  return fine;
}

/**
 * The same as `followed`, but asked once only: alternatives that all lead on to the same part would
 * double the work on every level.
 */
function remembered(target: Check, value: unknown, trace: Trace): boolean {
  const { problems, path, spent } = trace;
  const known = spent.known.get(target) ?? new Map<unknown, readonly Problem[]>();
  spent.known.set(target, known);
  const again = known.get(value);
  if (again) {
    // An object is a part in one place; the same text or number can be in many.
    problems.push(
      ...(typeof value === "object"
        ? again
        : again.map((problem) => ({ ...problem, path: [...path] }))),
    );
    return again.length === 0;
  }
  const before = problems.length;
  const fine = followed(target, value, trace);
  known.set(value, fine ? [] : problems.slice(before, before + mostKept));
  return fine;
}

/** The schema at a JSON pointer fragment; one that leads nowhere allows everything. RFC 6901. */
function resolve(root: Compilation["root"], fragment: string): unknown {
  let at: unknown = root;
  for (const step of fragment.split("/").slice(1)) {
    const key = unescape(step);
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return true;
    at = at[key as keyof typeof at];
  }
  return at;
}

function unescape(step: string): string {
  const pointer = /%[^0-9a-f]|%.?$/i.test(step) ? step : decodeURIComponent(step);
  return pointer.replaceAll("~1", "/").replaceAll("~0", "~");
}
