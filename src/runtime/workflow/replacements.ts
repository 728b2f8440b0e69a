import { parsePointer } from "../data/values.js";

type Container = Record<string, unknown> | unknown[];

/**
 * A copy of a payload with replaced values, by JSON pointer. Missing members are added; an invalid
 * index changes nothing. Each object or list is copied once, whatever the number of replacements.
 * Arazzo 1.1, "Payload Replacement Object".
 */
export function applyReplacements(
  payload: unknown,
  replacements: Readonly<Record<string, unknown>>,
): unknown {
  const root: Record<string, unknown> = { payload };
  const copies = new Set<unknown>([root]);
  for (const [pointer, value] of Object.entries(replacements))
    replaceAt(root, ["payload", ...parsePointer(pointer)], value, copies);
  return root["payload"];
}

function replaceAt(
  root: Container,
  path: readonly string[],
  value: unknown,
  copies: Set<unknown>,
): void {
  let container = root;
  for (const [i, step] of path.entries()) {
    const key = memberKey(container, step);
    if (key === undefined) return;
    const isLast = i === path.length - 1;
    const member = isLast ? value : ownCopy(memberOf(container, key), copies);
    setMember(container, key, member);
    container = member as Container;
  }
}

/** The key of a member. `-` is the position after the last item. */
function memberKey(container: Container, step: string): string | undefined {
  if (!Array.isArray(container)) return step;
  if (step === "-") return String(container.length);
  return /^\d+$/.test(step) && Number(step) <= container.length ? String(Number(step)) : undefined;
}

function memberOf(container: Container, key: string): unknown {
  return Object.hasOwn(container, key) ? (container as Record<string, unknown>)[key] : undefined;
}

/** An object or list that only this payload has: a copy, unless it is one. */
function ownCopy(value: unknown, copies: Set<unknown>): Container {
  if (copies.has(value)) return value as Container;
  const copy: Container = Array.isArray(value)
    ? [...(value as unknown[])]
    : Object.fromEntries(typeof value === "object" && value !== null ? Object.entries(value) : []);
  copies.add(copy);
  return copy;
}

/** Sets a member, in which `__proto__` is an ordinary name. */
function setMember(container: Container, key: string, value: unknown): void {
  Object.defineProperty(container, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
