import { toPointer } from "../pointer.js";
import type { Site, Target } from "./site.js";

/** A target in text: its file and pointer. */
export function keyOf({ file, tokens }: Pick<Target, "file" | "tokens">): string {
  return `${file.id}${toPointer(tokens)}`;
}

/**
 * The targets that contain references back to themselves, by `keyOf`, and those between two such
 * circles: putting them in the place of their references would never end.
 */
export function circularTargets(references: ReadonlyMap<Site, Target>): ReadonlySet<string> {
  const sites = [...references]
    .map(([site, target]) => ({ at: `${keyOf(site)}/`, to: keyOf(target) }))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const next = new Map<string, Set<string>>();
  for (const target of references.values()) {
    const key = keyOf(target);
    if (!next.has(key)) next.set(key, targetsInside(`${key}/`, sites));
  }
  return new Set(withoutEnds(reversed(withoutEnds(next))).keys());
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
  const inside = new Set<string>();
  for (let i = low; i < sites.length; i++) {
    const site = sites[i];
    if (!site?.at.startsWith(prefix)) break;
    inside.add(site.to);
  }
  return inside;
}

/** Removes nodes that lead nowhere until none is left that does. */
function withoutEnds(next: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Set<string>> {
  const before = reversed(next);
  const open = new Map([...next].map(([node, to]) => [node, to.size]));
  const ends = [...open].flatMap(([node, count]) => (count === 0 ? [node] : []));
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    open.delete(end);
    for (const from of before.get(end) ?? []) {
      const left = (open.get(from) ?? 0) - 1;
      if (!open.has(from)) continue;
      open.set(from, left);
      if (left === 0) ends.push(from);
    }
  }
  return new Map(
    [...open.keys()].map((node) => [
      node,
      new Set([...(next.get(node) ?? [])].filter((to) => open.has(to))),
    ]),
  );
}

function reversed(next: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Set<string>> {
  const before = new Map<string, Set<string>>([...next.keys()].map((node) => [node, new Set()]));
  for (const [from, targets] of next) for (const to of targets) before.get(to)?.add(from);
  return before;
}
