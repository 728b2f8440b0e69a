import { isObject } from "../../json.js";

/** Gives the value that a `$ref` holder leads to, when it leads anywhere. */
export type Follow = (holder: Record<string, unknown>) => unknown;

/**
 * Looks for `$ref`s that lead back to themselves without ever reaching data: pure aliases (A → B →
 * A) and `allOf` that includes itself. Recursion through properties, items or alternatives is legal
 * and not reported.
 * @returns the holders on the first loop found from `starts`, in order
 */
export function findLoop(
  starts: Iterable<Record<string, unknown>>,
  follow: Follow,
): Record<string, unknown>[] | undefined {
  const done = new Set<object>();
  for (const start of starts) {
    const loop = done.has(start) ? undefined : loopFrom(start, follow, done);
    if (loop) return loop;
  }
  return undefined;
}

interface Frame {
  readonly node: Record<string, unknown>;
  readonly next: Record<string, unknown>[];
}

/** Depth first with a stack of its own: chains of references can be longer than the call stack. */
function loopFrom(
  start: Record<string, unknown>,
  follow: Follow,
  done: Set<object>,
): Record<string, unknown>[] | undefined {
  const stack: Frame[] = [{ node: start, next: inPlace(start, follow) }];
  const open = new Set<object>([start]);
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const next = frame.next.pop();
    if (!next) {
      open.delete(frame.node);
      done.add(frame.node);
      stack.pop();
    } else if (open.has(next)) {
      const nodes = stack.map(({ node }) => node);
      return nodes.slice(nodes.indexOf(next));
    } else if (!done.has(next)) {
      open.add(next);
      stack.push({ node: next, next: inPlace(next, follow) });
    }
  }
  return undefined;
}

/**
 * What applies to the same value as `node`: the target of its `$ref`, and the members of its
 * `allOf`.
 */
function inPlace(node: Record<string, unknown>, follow: Follow): Record<string, unknown>[] {
  const members = Array.isArray(node.allOf) ? (node.allOf as unknown[]) : [];
  return [typeof node.$ref === "string" ? follow(node) : undefined, ...members].filter(isObject);
}
