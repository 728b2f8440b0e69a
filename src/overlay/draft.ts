import { isObject } from "../json.js";
import {
  type PathNode,
  type QueryBudget,
  chargeNodes,
  pathOf,
} from "../runtime/workflow/json-path-query.js";

type Container = Record<string | number, unknown>;

/** Returns the value to use when target and update are of different kinds. */
export type MismatchHandler = (
  path: readonly (string | number)[],
  target: unknown,
  update: unknown,
  /** True for the target itself, false for a value in it. */
  isTarget: boolean,
) => unknown;

/** Largest size and nesting by which a document may have grown. */
export interface Growth {
  values: number;
  depth: number;
}

/**
 * A document that actions change in place. Each object or list on the way to a change is copied
 * once, by the first action that changes something in it. All other parts are shared with the
 * original, which is not changed.
 */
export class Draft {
  /** Copies that only this draft references, each once. */
  private readonly owned = new Set<unknown>();
  private readonly sizes = new Map<object, Growth>();
  readonly growth: Growth = { values: 0, depth: 0 };

  constructor(
    public root: unknown,
    private readonly budget: QueryBudget,
  ) {}

  /** Merges values into targets, the deepest first, so that no change removes a later target. */
  update(
    targets: readonly PathNode[],
    updates: readonly unknown[],
    onMismatch: MismatchHandler,
  ): void {
    const sizes = updates.map((update) => this.sizeOf(update));
    const paths = targets.map(pathOf).sort((a, b) => b.length - a.length);
    for (const path of paths)
      for (const [i, update] of updates.entries()) {
        const { values, depth } = sizes[i] as Growth;
        this.growth.values += values;
        this.growth.depth = Math.max(this.growth.depth, path.length + depth);
        this.replace(path, (value) => this.merge(value, update, onMismatch, path));
      }
  }

  /** Removes nodes other than the root. */
  remove(targets: readonly PathNode[]): void {
    const keys = new Map<Container, Set<string | number>>();
    // All parents are copied before the first removal, because it moves the items of a list.
    for (const target of targets) {
      const parent = this.own(pathOf(target).slice(0, -1));
      const known = keys.get(parent);
      if (known) known.add(target.key);
      else keys.set(parent, new Set([target.key]));
    }
    for (const [parent, removed] of keys) {
      chargeNodes(this.budget, Array.isArray(parent) ? costOfCopy(parent) : removed.size);
      removeKeys(parent, removed);
    }
  }

  /** Makes the parts of a value shared, because they will be referenced a second time. */
  share(value: unknown): void {
    const open = [value];
    while (open.length > 0) {
      const part = open.pop();
      // An object that is not owned has no owned parts.
      if (this.owned.delete(part))
        for (const key of Object.keys(part as Container)) open.push((part as Container)[key]);
    }
  }

  /** Size of a value that is not owned, and therefore never changes. */
  private sizeOf(value: unknown): Growth {
    if (typeof value !== "object" || value === null) return { values: 1, depth: 0 };
    const known = this.sizes.get(value);
    if (known) return known;
    const size = { values: 1, depth: 0 };
    for (const item of Object.values(value)) {
      chargeNodes(this.budget, 1);
      const { values, depth } = this.sizeOf(item);
      size.values += values;
      size.depth = Math.max(size.depth, depth + 1);
    }
    this.sizes.set(value, size);
    return size;
  }

  private replace(path: readonly (string | number)[], change: (value: unknown) => unknown): void {
    const key = path.at(-1);
    if (key === undefined) return void (this.root = change(this.root));
    const parent = this.own(path.slice(0, -1));
    setKey(parent, key, change(parent[key]));
  }

  /** The object or list at a path, copied with its parents unless they are copies. */
  private own(path: readonly (string | number)[]): Container {
    let container = this.copy(this.root);
    this.root = container;
    for (const key of path) {
      const child = this.copy(container[key]);
      if (child !== container[key]) setKey(container, key, child);
      container = child;
    }
    return container;
  }

  private copy(value: unknown): Container {
    if (this.owned.has(value)) return value as Container;
    // A spread defines properties, so that __proto__ is a key like any other.
    const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as Container) };
    this.owned.add(copy);
    chargeNodes(this.budget, costOfCopy(copy));
    return copy as Container;
  }

  /**
   * Merges an update into a value (Overlay Specification, "Action Object", `update`): objects merge
   * by key, arrays concatenate, other values are replaced. Recurses no deeper than the update.
   */
  private merge(
    target: unknown,
    update: unknown,
    onMismatch: MismatchHandler,
    path: readonly (string | number)[],
    isTarget = true,
  ): unknown {
    chargeNodes(this.budget, 1);
    const kind = valueKind(target);
    if (kind === "list" && isTarget && !Array.isArray(update)) return this.append(target, [update]);
    if (kind !== valueKind(update)) return onMismatch(path, target, update, isTarget);
    if (kind === "list") return this.append(target, update as unknown[]);
    if (kind === "plain value") return update;
    const merged = this.copy(target);
    for (const [key, value] of Object.entries(update as Container)) {
      const isNew = !Object.hasOwn(merged, key);
      const item = isNew
        ? value
        : this.merge(merged[key], value, onMismatch, [...path, key], false);
      setKey(merged, key, item);
      chargeNodes(this.budget, KEY_COST);
    }
    return merged;
  }

  private append(target: unknown, items: readonly unknown[]): unknown {
    chargeNodes(this.budget, items.length);
    const list = this.copy(target) as unknown as unknown[];
    for (const item of items) list.push(item);
    return list;
  }
}

/** Kinds of values that the specification distinguishes. */
export function valueKind(value: unknown): "object" | "list" | "plain value" {
  if (Array.isArray(value)) return "list";
  return isObject(value) ? "object" : "plain value";
}

/** Time to write a key, in visited values. Sixteen items of a list take as long as one. */
const KEY_COST = 4;

function costOfCopy(value: object): number {
  return Array.isArray(value) ? value.length / 16 : KEY_COST * Object.keys(value).length;
}

function setKey(container: Container, key: string | number, value: unknown): void {
  if (key !== "__proto__") container[key] = value;
  else
    Object.defineProperty(container, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
}

function removeKeys(container: Container, keys: ReadonlySet<string | number>): void {
  if (!Array.isArray(container)) return keys.forEach((key) => void delete container[key]);
  let length = 0;
  for (const [i, item] of (container as unknown[]).entries())
    if (!keys.has(i)) container[length++] = item;
  container.length = length;
}
