import type { Compilation, Keyword } from "./compile.js";
import { type Check, wrong } from "./problem.js";

/** A value that follows more references than this is nested beyond use, or its schema refers to itself without end. */
const deepest = 200;

/** References within the schema: `#`, `#/$defs/Pet`. Others are notes; the generator writes none. */
export const refKeywords: readonly (readonly [string, Keyword])[] = [["$ref", ref]];

function ref(rule: unknown, { refs, root, compile }: Compilation): Check | undefined {
  if (typeof rule !== "string" || !rule.startsWith("#")) return undefined;
  let target = refs.get(rule);
  return (value, trace) => {
    if (!target) refs.set(rule, (target = compile(resolve(root, rule))));
    if (trace.refs >= deepest) return wrong(trace, "depth", deepest, value);
    trace.refs++;
    const fine = target(value, trace);
    trace.refs--;
    return fine;
  };
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
