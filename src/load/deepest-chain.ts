import { formatPointerFragment } from "../json-pointer.js";
import { isObject } from "../json.js";

/** A part of a document that refers to others in a long row. */
interface Chain {
  /** Pointer of the first part, as a fragment. */
  readonly pointer: string;
  /** Number of parts. */
  readonly length: number;
}

/** Folders of named parts: of `components`, of Swagger 2.0, and path items. */
const FOLDERS = ["definitions", "parameters", "responses", "paths"];

/**
 * Finds the longest row of named parts of which each refers to the next. Nothing recurses, so that
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
  const folders = [
    ...components.map(([name, parts]) => [["components", name], parts] as const),
    ...FOLDERS.map((name) => [[name], root[name]] as const),
  ];
  return folders.flatMap(([path, parts]) =>
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
