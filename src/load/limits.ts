/** Limits for input documents. The largest known document has 60 MB. */
export const limits = {
  /** Bytes of one document or referenced file. */
  bytes: 64 * 1024 * 1024,
  /** Bytes of all files of one document. */
  totalBytes: 256 * 1024 * 1024,
  /** Files of one document. DigitalOcean's has 1,485. */
  files: 10_000,
  /** `$ref`s of a document with several files; bundling is not linear. */
  refs: 100_000,
  /** Objects and arrays in one file. GitHub's 13 MB have 90,570. */
  containers: 2_000_000,
  /** Values of a YAML document with all aliases expanded. */
  expanded: 2_000_000,
  /** Nesting depth. The deepest known document has 50 levels. */
  depth: 200,
  redirects: 5,
  /** For one URL with its redirects, or for a pipe. */
  milliseconds: 30_000,
} as const;

export type Limits = { readonly [key in keyof typeof limits]: number };

/** `64 MB`, for messages. */
export function megabytes(bytes: number): string {
  return `${Math.round(bytes / (1024 * 1024))} MB`;
}

/** Statistics of parsed data from one traversal. */
export interface DocumentStats {
  /** Every string value of a `$ref` key. */
  readonly refs: ReadonlySet<string>;
  /** Number of keys of all objects. */
  readonly keys: number;
}

/** Measures a tree (JSON), in which objects occur once and the depth is bounded. */
export function measureTree(root: unknown): DocumentStats {
  const refs = new Set<string>();
  let keys = 0;
  const visit = (value: object): void => {
    if (Array.isArray(value)) {
      for (const item of value as unknown[])
        if (typeof item === "object" && item !== null) visit(item);
      return;
    }
    const object = value as Record<string, unknown>;
    for (const key in object) {
      keys++;
      const item = object[key];
      if (typeof item === "object" && item !== null) visit(item);
      else if (key === "$ref" && typeof item === "string") refs.add(item);
    }
  };
  if (typeof root === "object" && root !== null) visit(root);
  return { refs, keys };
}

/** Limit that a graph of YAML aliases exceeds, with the path to the value. */
export interface GraphLimit {
  readonly kind: "cycle" | "expansion" | "depth";
  readonly path: readonly (string | number)[];
}

interface ExpandedSize {
  /** Number of values with all aliases expanded. */
  readonly size: number;
  readonly height: number;
}

/**
 * Measures data with shared objects (YAML aliases) in time linear to the distinct objects. Size and
 * depth count every alias as expanded, because later modules traverse it so.
 */
export function measureGraph(
  root: unknown,
  bounds: { readonly expanded: number; readonly depth: number } = limits,
): DocumentStats | GraphLimit {
  const walk = new GraphWalk(bounds);
  if (typeof root === "object" && root !== null) walk.measure(root, 1);
  return walk.problem ?? { refs: walk.refs, keys: walk.keys };
}

class GraphWalk {
  readonly refs = new Set<string>();
  keys = 0;
  problem: GraphLimit | undefined;
  private readonly done = new Map<object, ExpandedSize>();
  private readonly open = new Set<object>();
  private readonly path: (string | number)[] = [];
  /** Number of values as written, without expansion. */
  private written = 0;

  constructor(private readonly bounds: { readonly expanded: number; readonly depth: number }) {}

  measure(value: object, depth: number): ExpandedSize {
    const cached = this.done.get(value);
    if (cached) return cached;
    if (this.open.has(value)) this.fail("cycle");
    if (depth > this.bounds.depth) this.fail("depth");
    if (this.problem) return { size: 0, height: 0 };
    this.open.add(value);
    const measure = this.measureChildren(value, depth);
    this.open.delete(value);
    this.done.set(value, measure);
    if (depth + measure.height > this.bounds.depth + 1) this.fail("depth");
    if (measure.size > this.bounds.expanded && measure.size > 4 * this.written)
      this.fail("expansion");
    return measure;
  }

  private measureChildren(value: object, depth: number): ExpandedSize {
    let size = 1;
    let height = 0;
    const add = (key: string | number, item: unknown): void => {
      this.written++;
      if (typeof item !== "object" || item === null) return void size++;
      this.path.push(key);
      const inner = this.measure(item, depth + 1);
      if (!this.problem) this.path.pop();
      size += inner.size;
      height = Math.max(height, inner.height);
    };
    if (Array.isArray(value))
      for (let i = 0; i < value.length && !this.problem; i++) add(i, (value as unknown[])[i]);
    else this.object(value as Record<string, unknown>, add);
    return { size, height: height + 1 };
  }

  private object(value: Record<string, unknown>, add: (key: string, item: unknown) => void): void {
    for (const key in value) {
      if (this.problem) return;
      this.keys++;
      const item = value[key];
      if (key === "$ref" && typeof item === "string") this.refs.add(item);
      add(key, item);
    }
  }

  private fail(kind: GraphLimit["kind"]): void {
    this.problem ??= { kind, path: [...this.path] };
  }
}
