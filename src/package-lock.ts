import { isObject, parseJsonObject } from "./json.js";

/** Where npm writes what a package needs. The lock repeats them for the project itself. */
const DEPENDENCY_FIELDS = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
] as const;

/**
 * Whether a `package-lock.json` was made for a `package.json`: `npm ci` refuses one that was not.
 * @returns false, too, when either cannot be read
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

/** Absent and empty are the same. */
function sameEntries(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : [];
}
