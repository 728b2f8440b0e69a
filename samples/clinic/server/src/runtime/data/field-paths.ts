/** Fields inside JSON values, by path. A list stands for each of its items. */
import { isObject, ownProperty } from "./values.js";

/**
 * Sets or removes the field that a path names, in a copy. Values on the way that are neither objects
 * nor lists stay as they are.
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
