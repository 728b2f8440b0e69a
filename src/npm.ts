import { isObject } from "./json.js";

/** Where npm writes what a package needs. The lock repeats them for the project itself. */
const NEEDS = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
] as const;

/**
 * Whether a `package-lock.json` was made for a `package.json`: `npm ci` refuses one that was not.
 * @returns false, too, when either cannot be read
 */
export function fits(packageLock: string, packageJson: string): boolean {
  const lock = parsed(packageLock);
  const root = isObject(lock?.packages) ? lock.packages[""] : undefined;
  const manifest = parsed(packageJson);
  return (
    manifest !== undefined &&
    isObject(root) &&
    NEEDS.every((member) => sameEntries(manifest[member], root[member]))
  );
}

/** The object that a text is as JSON; undefined when it is none. */
export function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const data: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return isObject(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Absent and empty are the same. */
function sameEntries(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : [];
}
