import { formatPointerFragment, resolvePointer } from "../../json-pointer.js";
import { isObject } from "../../json.js";
import type { RefOccurrence, RefTarget } from "./scan-references.js";

/**
 * True when every `$ref` of a document is local, leads to an object (or a boolean schema), and none
 * leads only to itself. Most documents need no further resolution, and crawling the largest is
 * expensive.
 */
export function areRefsLocalAndValid(root: unknown, refs: ReadonlySet<string>): boolean {
  const targets = new Map<string, unknown>();
  for (const ref of refs) {
    if (ref !== "#" && !ref.startsWith("#/")) return false;
    const target = resolvePointer(root, ref);
    if (!isObject(target) && typeof target !== "boolean") return false;
    targets.set(ref, target);
  }
  const starts = [...targets.values()]
    .filter(isObject)
    .filter((target) => target.$ref !== undefined || target.allOf !== undefined);
  return findRefLoop(starts, (holder) => targets.get(holder.$ref as string)) === undefined;
}

/** Returns the target of the `$ref` in an object, if any. */
type FollowRef = (holder: Record<string, unknown>) => unknown;

/**
 * Finds `$ref`s that lead only to themselves: pure aliases (A → B → A) and `allOf` that includes
 * itself. Recursion through properties, items or alternatives is valid.
 * @returns the objects on the first cycle found from `starts`, in order
 */
export function findRefLoop(
  starts: Iterable<Record<string, unknown>>,
  follow: FollowRef,
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

/**
 * Searches depth-first with an explicit stack, because chains of references can exceed the call
 * stack.
 */
function loopFrom(
  start: Record<string, unknown>,
  follow: FollowRef,
  done: Set<object>,
): Record<string, unknown>[] | undefined {
  const stack: Frame[] = [{ node: start, next: inlineTargets(start, follow) }];
  const open = new Set<object>([start]);
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const successor = frame.next.pop();
    if (!successor) {
      open.delete(frame.node);
      done.add(frame.node);
      stack.pop();
    } else if (open.has(successor)) {
      const nodes = stack.map(({ node }) => node);
      return nodes.slice(nodes.indexOf(successor));
    } else if (!done.has(successor)) {
      open.add(successor);
      stack.push({ node: successor, next: inlineTargets(successor, follow) });
    }
  }
  return undefined;
}

/**
 * Schemas that apply to the same value as `node`: the target of its `$ref` and the members of its
 * `allOf`.
 */
function inlineTargets(
  node: Record<string, unknown>,
  follow: FollowRef,
): Record<string, unknown>[] {
  const members = Array.isArray(node.allOf) ? (node.allOf as unknown[]) : [];
  return [typeof node.$ref === "string" ? follow(node) : undefined, ...members].filter(isObject);
}

/** Key of a target: file and pointer. */
export function targetKey({ file, tokens }: Pick<RefTarget, "file" | "tokens">): string {
  return `${file.id}${formatPointerFragment(tokens)}`;
}

/**
 * Finds targets that contain references to themselves, and those between two such cycles. They
 * cannot be inlined. The result has the keys of `targetKey`.
 */
export function findCircularTargets(
  references: ReadonlyMap<RefOccurrence, RefTarget>,
): ReadonlySet<string> {
  const sites = [...references]
    .map(([occurrence, target]) => ({ at: `${targetKey(occurrence)}/`, to: targetKey(target) }))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const successors = new Map<string, Set<string>>();
  for (const target of references.values()) {
    const key = targetKey(target);
    if (!successors.has(key)) successors.set(key, targetsInside(`${key}/`, sites));
  }
  return new Set(removeLeaves(reverseEdges(removeLeaves(successors))).keys());
}

interface Edge {
  readonly at: string;
  readonly to: string;
}

function targetsInside(prefix: string, sites: readonly Edge[]): Set<string> {
  let low = 0;
  let high = sites.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sites[middle]?.at ?? "") < prefix) low = middle + 1;
    else high = middle;
  }
  const targets = new Set<string>();
  for (let i = low; i < sites.length; i++) {
    const occurrence = sites[i];
    if (!occurrence?.at.startsWith(prefix)) break;
    targets.add(occurrence.to);
  }
  return targets;
}

/** Removes nodes without successors until none is left. */
function removeLeaves(
  successors: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, Set<string>> {
  const predecessors = reverseEdges(successors);
  const open = new Map([...successors].map(([node, to]) => [node, to.size]));
  const ends = [...open].flatMap(([node, count]) => (count === 0 ? [node] : []));
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    open.delete(end);
    for (const from of predecessors.get(end) ?? []) {
      const left = (open.get(from) ?? 0) - 1;
      if (!open.has(from)) continue;
      open.set(from, left);
      if (left === 0) ends.push(from);
    }
  }
  return new Map(
    [...open.keys()].map((node) => [
      node,
      new Set([...(successors.get(node) ?? [])].filter((to) => open.has(to))),
    ]),
  );
}

function reverseEdges(
  successors: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, Set<string>> {
  const predecessors = new Map<string, Set<string>>(
    [...successors.keys()].map((node) => [node, new Set()]),
  );
  for (const [from, targets] of successors)
    for (const to of targets) predecessors.get(to)?.add(from);
  return predecessors;
}

/** A part of a document that begins a long chain of references. */
interface Chain {
  /** Pointer of the first part, as a fragment. */
  readonly pointer: string;
  readonly length: number;
}

/** Root fields with named parts, in addition to those of `components`. */
const NAMED_PARTS = ["definitions", "parameters", "responses", "paths"];

/**
 * Finds the longest chain of named parts of which each refers to the next. Not recursive, so that
 * any document can be inspected.
 */
export function findDeepestChain(root: unknown): Chain | undefined {
  const references = new Map<string, readonly string[]>();
  for (const [pointer, part] of namedParts(root)) references.set(pointer, refsIn(part));
  const lengths = new Map<string, number>();
  for (const start of references.keys()) measureChain(start, references, lengths);
  const [longest] = [...lengths].sort((a, b) => b[1] - a[1]);
  return longest && { pointer: longest[0], length: longest[1] };
}

function namedParts(root: unknown): readonly (readonly [string, unknown])[] {
  if (!isObject(root)) return [];
  const components = isObject(root["components"]) ? Object.entries(root["components"]) : [];
  const containers = [
    ...components.map(([name, parts]) => [["components", name], parts] as const),
    ...NAMED_PARTS.map((name) => [[name], root[name]] as const),
  ];
  return containers.flatMap(([path, parts]) =>
    isObject(parts)
      ? Object.entries(parts).map(
          ([name, part]) => [formatPointerFragment([...path, name]), part] as const,
        )
      : [],
  );
}

function refsIn(part: unknown): readonly string[] {
  const refs = new Set<string>();
  const open = [part];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      if (key === "$ref" && typeof member === "string") refs.add(member);
      else open.push(member);
    }
  }
  return [...refs];
}

/** Measures the chain from a part, and from all parts that it leads to. A cycle ends a chain. */
function measureChain(
  start: string,
  references: ReadonlyMap<string, readonly string[]>,
  lengths: Map<string, number>,
): void {
  const entered = new Set<string>();
  const open = [start];
  for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
    const next = references.get(at) ?? [];
    if (lengths.has(at)) open.pop();
    else if (entered.has(at)) {
      const below = next.map((ref) => lengths.get(ref) ?? 0);
      lengths.set(at, 1 + below.reduce((a, b) => Math.max(a, b), 0));
      open.pop();
    } else {
      entered.add(at);
      for (const ref of next)
        if (references.has(ref) && !lengths.has(ref) && !entered.has(ref)) open.push(ref);
    }
  }
}
