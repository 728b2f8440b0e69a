/** Fields inside JSON values, by path. A list stands for each of its items. */
import { isObject, ownProperty } from "./values.js";

/**
 * Sets or removes the field that a path names, in a copy. Values on the way that are neither
 * objects nor lists stay as they are.
 * @param value value of the field; `undefined` removes it
 * @param create whether missing objects on the way are created
 */
export function setField(
  parent: unknown,
  path: readonly string[],
  value: unknown,
  create = false,
): unknown {
  const [name, ...rest] = path;
  if (Array.isArray(parent)) return parent.map((item) => setField(item, path, value, create));
  if (!isObject(parent) || name === undefined) return parent;
  const entries = Object.entries(parent).filter(([key]) => key !== name);
  const member = rest.length === 0 ? value : innerValue(parent, name, rest, value, create);
  // fromEntries defines properties, so that __proto__ is a key like any other.
  return Object.fromEntries(member === undefined ? entries : [...entries, [name, member]]);
}

function innerValue(
  parent: Readonly<Record<string, unknown>>,
  name: string,
  rest: readonly string[],
  value: unknown,
  create: boolean,
): unknown {
  const inner = ownProperty(parent, name);
  if (inner !== undefined) return setField(inner, rest, value, create);
  return create && value !== undefined ? setField({}, rest, value, create) : undefined;
}

/** A field of an object: its name, or the names on the way to it. */
export type FieldPath = string | readonly string[];

/** Fields by name; `true` for a whole field. */
type FieldTree = ReadonlyMap<string, FieldTree | true>;

const trees = new WeakMap<readonly FieldPath[], FieldTree>();

function treeOf(paths: readonly FieldPath[]): FieldTree {
  const known = trees.get(paths);
  if (known) return known;
  const tree = new Map<string, Map<string, never> | true>();
  for (const path of paths) addPath(tree, typeof path === "string" ? [path] : path);
  trees.set(paths, tree);
  return tree;
}

/** Adds a path. A whole field contains all paths inside it. */
function addPath(tree: Map<string, FieldTree | true>, [name, ...rest]: readonly string[]): void {
  const known = name === undefined ? true : tree.get(name);
  if (name === undefined || known === true) return;
  if (rest.length === 0) return void tree.set(name, true);
  const inner = (known ?? new Map()) as Map<string, FieldTree | true>;
  addPath(inner, rest);
  tree.set(name, inner);
}

/** Keeps the fields of an object, or of each object of a list. Other values stay as they are. */
export function pickFields(value: unknown, paths: readonly FieldPath[]): unknown {
  return pickTree(value, treeOf(paths));
}

function pickTree(value: unknown, tree: FieldTree): unknown {
  if (Array.isArray(value)) return value.map((item) => pickTree(item, tree));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const inner = tree.get(name);
      if (inner === undefined) return [];
      return [[name, inner === true ? member : pickTree(member, inner)]];
    }),
  );
}

/** Removes fields of an object, or of each object of a list. */
export function dropFields(value: unknown, paths: readonly FieldPath[]): unknown {
  return paths.reduce<unknown>(
    (current, path) => setField(current, typeof path === "string" ? [path] : path, undefined),
    value,
  );
}

/** Reads a field. That of the items of a list is a list. */
export function readField(value: unknown, path: FieldPath): unknown {
  const names = typeof path === "string" ? [path] : path;
  return names.reduce<unknown>(
    (current, name) =>
      Array.isArray(current)
        ? current.flatMap((item) => readField(item, name) ?? [])
        : isObject(current)
          ? ownProperty(current, name)
          : undefined,
    value,
  );
}

/**
 * Reads a field of one thing. A list of one stands for its item, and a number for a position, -1
 * for the last one.
 */
export function readSingleField(value: unknown, path: FieldPath): unknown {
  const names = typeof path === "string" ? [path] : path;
  const found = names.reduce<unknown>((current, name) => {
    if (Array.isArray(current) && /^-?\d+$/.test(name)) return current.at(Number(name));
    const holder = onlyItem(current);
    return isObject(holder) ? ownProperty(holder, name) : undefined;
  }, value);
  return onlyItem(found);
}

const onlyItem = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? value[0] : value;

/** Reads a field that is moved. Items of a list that are not objects stand for themselves. */
function readMoved(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (isObject(value)) return readMoved(ownProperty(value, name), rest);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item) =>
    isObject(item) || Array.isArray(item) ? (readMoved(item, [name, ...rest]) ?? []) : (item ?? []),
  );
}

/** Moves fields to new names at the top of an object, or of each object of a list. */
export function renameFields(value: unknown, names: Readonly<Record<string, FieldPath>>): unknown {
  if (Array.isArray(value)) return value.map((item) => renameFields(item, names));
  if (!isObject(value)) return value;
  const moved = Object.entries(names).flatMap(([name, path]) => {
    const member = readMoved(value, typeof path === "string" ? [path] : path);
    return member === undefined ? [] : [[name, member] as const];
  });
  const rest = Object.values(names).reduce<unknown>(withoutMoved, value);
  return Object.fromEntries([...Object.entries(rest as object), ...moved]);
}

/** Removes a moved field, and the objects that it leaves empty. */
function withoutMoved(value: unknown, path: FieldPath): unknown {
  const names = typeof path === "string" ? [path] : path;
  const removed = setField(value, names, undefined);
  const parent = names.slice(0, -1);
  return parent.length > 0 && isEmpty(readField(removed, parent))
    ? withoutMoved(removed, parent)
    : removed;
}

function isEmpty(value: unknown): boolean {
  // Items that are not objects are moved themselves.
  if (Array.isArray(value)) return value.every((item) => isEmpty(item) || !isObject(item));
  return isObject(value) && Object.keys(value).length === 0;
}
