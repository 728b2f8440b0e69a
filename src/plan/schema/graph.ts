import { namedSchema, refsIn, type Schemas } from "./refs.js";

/** Which named schemas refer to which. Every question is answered once and remembered. */
export interface SchemaGraph {
  /** Names that one named schema refers to directly. */
  refs(name: string): readonly string[];
  /** True when following references from a name leads back to it. */
  isRecursive(name: string): boolean;
  /** The given names and everything they lead to. */
  closure(names: Iterable<string>): Set<string>;
}

/** Builds the graph lazily: a schema that nobody asks about is never read. */
export function schemaGraph(schemas: Schemas): SchemaGraph {
  const direct = new Map<string, readonly string[]>();
  const refs = (name: string): readonly string[] => {
    const known = direct.get(name);
    if (known) return known;
    const schema = namedSchema(schemas, name);
    const found = schema ? refsIn(schema).filter((ref) => namedSchema(schemas, ref) !== undefined) : [];
    direct.set(name, found);
    return found;
  };
  const closure = (names: Iterable<string>): Set<string> => {
    const seen = new Set<string>();
    const stack = [...names].filter((name) => namedSchema(schemas, name) !== undefined);
    for (let name = stack.pop(); name !== undefined; name = stack.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      stack.push(...refs(name));
    }
    return seen;
  };
  const recursive = new Map<string, boolean>();
  const isRecursive = (name: string): boolean => {
    if (!recursive.has(name)) markComponents(name, refs, recursive);
    return recursive.get(name) as boolean;
  };
  return { refs, isRecursive, closure };
}

interface Visit {
  readonly name: string;
  readonly refs: readonly string[];
  next: number;
}

/** Tarjan's strongly connected components without recursion: chains of references may be thousands long. */
function markComponents(root: string, refs: (name: string) => readonly string[], recursive: Map<string, boolean>): void {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const path: string[] = [];
  const open = new Set<string>();
  const visits: Visit[] = [];
  const enter = (name: string): void => {
    index.set(name, index.size);
    low.set(name, index.size - 1);
    path.push(name);
    open.add(name);
    visits.push({ name, refs: refs(name), next: 0 });
  };
  const lower = (name: string, value: number): void => void low.set(name, Math.min(low.get(name) as number, value));
  const leave = (visit: Visit): void => {
    if (low.get(visit.name) === index.get(visit.name)) closeComponent(visit, path, open, recursive);
    visits.pop();
    const parent = visits.at(-1);
    if (parent) lower(parent.name, low.get(visit.name) as number);
  };
  enter(root);
  for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
    const ref = visit.refs[visit.next++];
    if (ref === undefined) leave(visit);
    else if (recursive.has(ref)) continue;
    else if (!index.has(ref)) enter(ref);
    else if (open.has(ref)) lower(visit.name, index.get(ref) as number);
  }
}

/** Everything above a component's root on the path belongs to it; alone, it is recursive only when it names itself. */
function closeComponent(visit: Visit, path: string[], open: Set<string>, recursive: Map<string, boolean>): void {
  const members = path.splice(path.lastIndexOf(visit.name));
  for (const member of members) {
    open.delete(member);
    recursive.set(member, members.length > 1 || visit.refs.includes(visit.name));
  }
}
