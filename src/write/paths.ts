import { isPortableName } from "../file-name.js";

/** Folder of mcp-gen inside the output. */
export const STATE_FOLDER = ".mcp-gen";
/** The manifest, relative to the output folder. */
export const MANIFEST_PATH = ".mcp-gen/manifest.json";

/**
 * Folders of others: no manifest that we wrote names a file in them, so one that does was tampered
 * with.
 */
const FOREIGN = new Set([STATE_FOLDER, ".git", "node_modules"]);

/**
 * Whether `path` is a relative POSIX path of a file below the output folder, outside mcp-gen's own
 * folder. Manifests, journals and generated files all pass through here before anything is read or
 * written.
 */
export function isLegalPath(path: string): boolean {
  if (
    path.length === 0 ||
    path.length > 1024 ||
    FOREIGN.has((path.split("/", 1)[0] as string).toLowerCase())
  )
    return false;
  return isPlain(path) || (hasOnlyPlainCharacters(path) && path.split("/").every(isLegalSegment));
}

/** Nearly all paths, of which two looks tell that they are legal. */
function isPlain(path: string): boolean {
  return (
    /^(?:[\w-]+(?:\.[\w-]+)*\/)*[\w-]+(?:\.[\w-]+)*$/.test(path) &&
    !/(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?![\w-])/i.test(path)
  );
}

function isLegalSegment(segment: string): boolean {
  return segment !== "" && isPortableName(segment) && !isGitFolder(segment);
}

/** `git~1` is its short name on Windows; macOS passes over characters that nobody sees. */
function isGitFolder(segment: string): boolean {
  return /^(?:\.git|git~\d+)$/i.test(
    segment.replace(/[\u200b-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, ""),
  );
}

/**
 * A path as file systems compare it that take names in upper and lower case, or with accents in one
 * character or two, for one.
 */
export function normalizePath(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** No control characters, and nothing that Windows reads as a separator, a drive or a stream. */
function hasOnlyPlainCharacters(path: string): boolean {
  // eslint-disable-next-line no-control-regex
  return !/[\u0000-\u001f\u007f\\:*?"<>|]/.test(path);
}

/** Folder part of a relative path; the empty string at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Last segment of a relative path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** `path` and every folder above it, innermost first, without the top. */
export function selfAndAncestors(path: string): readonly string[] {
  const found: string[] = [];
  for (let at = path; at !== ""; at = folderOf(at)) found.push(at);
  return found;
}

/** Order of strings by code unit: the same on every machine and in every locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
