/** The problems of a value that none of several alternatives accepts. */
import type { Problem } from "./check.js";

/**
 * The problems of the closest alternative, which say what the others would take in their place: the
 * fields of each, or the values that select one of them.
 * @param failed the problems of each alternative
 * @param depth length of the path of the value
 */
export function closestProblems(
  failed: readonly (readonly Problem[])[],
  depth: number,
): readonly Problem[] {
  const distances = failed.map((problems) => distance(problems, depth));
  const least = Math.min(...distances);
  if (!(least < Infinity)) return otherValues(failed, depth);
  const closest = failed[distances.indexOf(least)]!;
  const possible = failed.filter((_, index) => distances[index]! < Infinity);
  const selector = mergeSelectors(possible, depth);
  if (selector) {
    const others = closest.filter(({ path }) => !isSame(path, selector.path));
    return [selector, ...others.map((problem) => ({ ...problem, isUncertain: true as const }))];
  }
  const forms = missingFields(possible, closest, depth);
  return forms ? closest.map((problem) => ({ ...problem, forms })) : closest;
}

/**
 * Distance of a value from an alternative: the number of fields with problems, of which a missing
 * one counts more than one whose value is wrong, and then the number of problems. Infinite for
 * another type, large for another discriminator value.
 */
function distance(problems: readonly Problem[], depth: number): number {
  const isOtherType = problems.some(
    ({ path, keyword }) => path.length === depth && ["type", "const", "enum"].includes(keyword),
  );
  if (isOtherType) return Infinity;
  const isOtherVariant = problems.some(
    ({ path, keyword }) => path.length === depth + 1 && keyword === "const",
  );
  const parts = new Set(problems.map(({ path }) => path[depth]));
  const missing = problems.filter(
    ({ path, keyword }) => path.length === depth + 1 && keyword === "required",
  );
  const fields = parts.size + missing.length / 2;
  return fields + problems.length / 1000 + (isOtherVariant ? 1000 : 0);
}

/**
 * The problem of a value of the right type that is not one of those that are listed, where the
 * other alternatives are null: `{"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type":
 * "null"}]}`.
 */
function otherValues(failed: readonly (readonly Problem[])[], depth: number): readonly Problem[] {
  const ofTypes = failed.filter((problems) => !isNullAlone(problems, depth));
  const [first] = ofTypes[0] ?? [];
  const values = ofTypes.map(([problem, ...others]) =>
    problem && others.length === 0 ? listedValues(problem, depth) : undefined,
  );
  if (!first || !values.every((list) => list !== undefined)) return [];
  return [{ ...first, keyword: "enum", rule: [...new Set(values.flat())] }];
}

/** True for the problems of a value that is not null with an alternative that only null satisfies. */
const isNullAlone = (problems: readonly Problem[], depth: number): boolean =>
  problems.some(
    ({ path, keyword, rule }) =>
      path.length === depth && keyword === "type" && [rule].flat().every((type) => type === "null"),
  );

/** The problem of a field whose value selects an alternative, if no alternative has that value. */
function mergeSelectors(
  possible: readonly (readonly Problem[])[],
  depth: number,
): Problem | undefined {
  if (possible.length < 2) return undefined;
  const first = possible[0]!.find((problem) => valuesOf(problem, depth));
  if (!first) return undefined;
  const selectors = possible.map((problems) =>
    problems.find(({ path }) => isSame(path, first.path)),
  );
  const values = selectors.map((problem) => problem && valuesOf(problem, depth));
  if (!values.every((list) => list !== undefined)) return undefined;
  return { ...first, keyword: "enum", rule: [...new Set(values.flat())] };
}

/** The values that a field of the value must have. */
const valuesOf = (problem: Problem, depth: number): readonly unknown[] | undefined =>
  listedValues(problem, depth + 1);

/** The values that the part at a depth must have. */
function listedValues(
  { path, keyword, rule }: Problem,
  depth: number,
): readonly unknown[] | undefined {
  if (path.length !== depth) return undefined;
  if (keyword === "const") return [rule];
  return keyword === "enum" && Array.isArray(rule) ? rule : undefined;
}

/** The fields that each alternative needs, if several need nothing else. */
function missingFields(
  possible: readonly (readonly Problem[])[],
  closest: readonly Problem[],
  depth: number,
): readonly (readonly string[])[] | undefined {
  const lacking = (problems: readonly Problem[]): readonly string[] | undefined =>
    problems.every(({ path, keyword }) => keyword === "required" && path.length === depth + 1)
      ? problems.map(({ path }) => String(path.at(-1)))
      : undefined;
  if (!lacking(closest)) return undefined;
  const lists = possible.map(lacking).filter((fields) => fields !== undefined);
  const distinct = [...new Map(lists.map((fields) => [JSON.stringify(fields), fields])).values()];
  // The fields of one alternative may be enough, and others of the value decide about the rest.
  const least = distinct.filter((fields) => !distinct.some((other) => isSubset(other, fields)));
  return least.length > 1 ? least : undefined;
}

/** True for fields that are all among others, which have more. */
const isSubset = (fields: readonly string[], others: readonly string[]): boolean =>
  fields.length < others.length && fields.every((field) => others.includes(field));

const isSame = (a: Problem["path"], b: Problem["path"]): boolean =>
  a.length === b.length && a.every((segment, index) => segment === b[index]);
