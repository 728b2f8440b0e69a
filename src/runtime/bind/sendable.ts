/**
 * Which values can be sent without being changed on the way.
 * JSON's own, plus `bigint` for whole numbers beyond what a JavaScript number holds exactly.
 */
export type Sendable =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Sendable[]
  | { readonly [key: string]: Sendable };

/**
 * Deeper values are refused: every API that reads them has a limit of its own, and so has the call
 * stack.
 */
const MAX_DEPTH = 256;

/**
 * Says why `value` cannot be sent as it is, as a clause without a subject; `undefined` when it can.
 */
export function unsendable(value: unknown, depth = 0): string | undefined {
  switch (typeof value) {
    case "string":
      return isWellFormed(value)
        ? undefined
        : "contains half of a surrogate pair, which is no character; correct the text";
    case "number":
      return unsendableNumber(value);
    case "object":
      return value === null ? undefined : unsendableMembers(value, depth + 1);
    case "boolean":
    case "bigint":
      return undefined;
    default:
      return "holds something that is not JSON";
  }
}

/** Without halves of surrogate pairs, which UTF-8 cannot express. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** True for an array or object. */
export function isCompound(
  value: Sendable,
): value is readonly Sendable[] | { readonly [key: string]: Sendable } {
  return typeof value === "object" && value !== null;
}

/** True for an array; unlike `Array.isArray`, it keeps the type of read-only items. */
export function isList(value: Sendable): value is readonly Sendable[] {
  return Array.isArray(value);
}

function unsendableNumber(value: number): string | undefined {
  if (!Number.isFinite(value)) return "is not a finite number";
  // Such a number was most likely rounded already when it was read: 9007199254740993 arrives as
  // …992.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return "has a whole number beyond ±9007199254740991, whose last digits may be lost; give it as text with all its digits";
  }
  return undefined;
}

function unsendableMembers(value: object, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`;
  for (const [key, member] of Object.entries(value)) {
    const problem = unsendable(key) ?? unsendable(member, depth);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
