import { namedSchema, referencedNames, type Schemas } from "./refs.js";

/** References between named schemas. Results are cached. */
export interface SchemaGraph {
  /** Names that a named schema refers to directly. */
  refs(name: string): readonly string[];
  /** True when a schema refers to itself, directly or through others. */
  isRecursive(name: string): boolean;
  /** The given names and all names reachable from them. */
  closure(names: Iterable<string>): Set<string>;
}

/** Builds the graph lazily. Only queried schemas are read. */
export function buildSchemaGraph(schemas: Schemas): SchemaGraph {
  const refs = memoizedRefs(schemas);
  const recursive = new Map<string, boolean>();
  const isRecursive = (name: string): boolean => {
    if (!recursive.has(name)) new ComponentWalk(refs, recursive).from(name);
    return recursive.get(name) as boolean;
  };
  const closure = (names: Iterable<string>): Set<string> =>
    closureOf(
      [...names].filter((name) => namedSchema(schemas, name) !== undefined),
      refs,
    );
  return { refs, isRecursive, closure };
}

type Refs = SchemaGraph["refs"];

function memoizedRefs(schemas: Schemas): Refs {
  const direct = new Map<string, readonly string[]>();
  return (name) => {
    const cached = direct.get(name);
    if (cached) return cached;
    const schema = namedSchema(schemas, name);
    const names = schema
      ? referencedNames(schema).filter((ref) => namedSchema(schemas, ref) !== undefined)
      : [];
    direct.set(name, names);
    return names;
  };
}

function closureOf(names: string[], refs: Refs): Set<string> {
  const seen = new Set<string>();
  const stack = names;
  for (let name = stack.pop(); name !== undefined; name = stack.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    stack.push(...refs(name));
  }
  return seen;
}

interface Visit {
  readonly name: string;
  readonly refs: readonly string[];
  next: number;
}

/**
 * Tarjan's strongly connected components without recursion, because chains of references can be
 * thousands long.
 */
class ComponentWalk {
  private readonly index = new Map<string, number>();
  private readonly low = new Map<string, number>();
  private readonly path: string[] = [];
  private readonly open = new Set<string>();
  private readonly visits: Visit[] = [];

  /** @param recursive receives every name reached; names it already has are skipped */
  constructor(
    private readonly refs: Refs,
    private readonly recursive: Map<string, boolean>,
  ) {}

  from(root: string): void {
    this.enter(root);
    for (let visit = this.visits.at(-1); visit !== undefined; visit = this.visits.at(-1)) {
      const ref = visit.refs[visit.next++];
      if (ref === undefined) this.leave(visit);
      else if (this.recursive.has(ref)) continue;
      else if (!this.index.has(ref)) this.enter(ref);
      else if (this.open.has(ref)) this.lower(visit.name, this.index.get(ref) as number);
    }
  }

  private enter(name: string): void {
    this.low.set(name, this.index.size);
    this.index.set(name, this.index.size);
    this.path.push(name);
    this.open.add(name);
    this.visits.push({ name, refs: this.refs(name), next: 0 });
  }

  private lower(name: string, value: number): void {
    this.low.set(name, Math.min(this.low.get(name) as number, value));
  }

  private leave(visit: Visit): void {
    if (this.low.get(visit.name) === this.index.get(visit.name)) this.close(visit);
    this.visits.pop();
    const parent = this.visits.at(-1);
    if (parent) this.lower(parent.name, this.low.get(visit.name) as number);
  }

  /**
   * Closes a component: the names above its root on the path. A single name is recursive only when
   * it refers to itself.
   */
  private close(visit: Visit): void {
    const members = this.path.splice(this.path.lastIndexOf(visit.name));
    for (const member of members) {
      this.open.delete(member);
      this.recursive.set(member, members.length > 1 || visit.refs.includes(visit.name));
    }
  }
}
