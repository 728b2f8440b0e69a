/** Versions of packages in package.json, as far as they can be compared. */

/** A version, exact or as the lowest of a range: `1.2.3`, `^1.2.3`, `~1.2.3`. */
const comparable = /^[~^]?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-[0-9A-Za-z.-]{1,100})?$/;

/** Major, minor and patch version. A version before a release counts as older than the release. */
function numbersOf(text: unknown): readonly number[] | undefined {
  const match = typeof text === "string" ? comparable.exec(text) : null;
  if (!match) return undefined;
  const isRelease = !match[0].includes("-");
  return [...match.slice(1, 4).map(Number), isRelease ? 1 : 0];
}

/** A version in relation to another one. */
type Relation = "older" | "compatible" | "incompatible";

/**
 * Compares versions as Semantic Versioning 2.0.0 does. A newer version with another leftmost
 * nonzero number is `incompatible`.
 * @returns undefined if one of them is a tag, a URL or another range
 */
export function relateVersions(version: unknown, base: unknown): Relation | undefined {
  const [own, other] = [numbersOf(version), numbersOf(base)];
  if (!own || !other) return undefined;
  const first = own.findIndex((number, i) => number !== other[i]);
  if (first < 0) return "compatible";
  if (own[first]! < other[first]!) return "older";
  const leftmost = other.findIndex((number) => number > 0);
  return first > leftmost ? "compatible" : "incompatible";
}
