import { isObject, parseJsonObject } from "./json.js";

/** Dependency fields of package.json. The lockfile repeats them for the root package. */
const DEPENDENCY_FIELDS = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
] as const;

/**
 * Checks that a `package-lock.json` matches a `package.json`, as `npm ci` requires.
 * @returns false also when one of them cannot be parsed
 */
export function isLockfileCurrent(packageLock: string, packageJson: string): boolean {
  const lock = parseJsonObject(packageLock);
  const root = isObject(lock?.packages) ? lock.packages[""] : undefined;
  const manifest = parseJsonObject(packageJson);
  return (
    manifest !== undefined &&
    isObject(root) &&
    DEPENDENCY_FIELDS.every((member) => sameEntries(manifest[member], root[member]))
  );
}

/** Compares dependency lists; an absent list equals an empty one. */
function sameEntries(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : [];
}
