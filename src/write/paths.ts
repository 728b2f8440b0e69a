import { isPortableName } from "../file-name.js";

/** Folder of mcp-gen in the output folder. */
export const STATE_FOLDER = ".mcp-gen";
/** Path of the manifest in the output folder. */
export const MANIFEST_PATH = ".mcp-gen/manifest.json";

/** Folders without generated files. A manifest that lists files in them is invalid. */
const FOREIGN = new Set([STATE_FOLDER, ".git", "node_modules"]);

/**
 * True for a relative POSIX path of a file in the output folder, outside of mcp-gen's own folder.
 * Paths of manifests, journals and generated files are checked with it before use.
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

/** Fast check that accepts nearly all valid paths. */
function isPlain(path: string): boolean {
  return (
    /^(?:[\w-]+(?:\.[\w-]+)*\/)*[\w-]+(?:\.[\w-]+)*$/.test(path) &&
    !/(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?![\w-])/i.test(path)
  );
}

function isLegalSegment(segment: string): boolean {
  return segment !== "" && isPortableName(segment) && !isGitFolder(segment);
}

/**
 * True for `.git` in any spelling: `git~1` is its short name on Windows, and macOS ignores
 * invisible characters.
 */
function isGitFolder(segment: string): boolean {
  return /^(?:\.git|git~\d+)$/i.test(
    segment.replace(/[\u200b-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, ""),
  );
}

/** Normalizes a path as case-insensitive file systems compare it. */
export function normalizePath(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** True without control characters and without separators, drives and streams of Windows. */
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

/** `path` and all its ancestor folders, innermost first, without the root. */
export function selfAndAncestors(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = path; folder !== ""; folder = folderOf(folder)) folders.push(folder);
  return folders;
}

/** Compares strings by code unit, independent of machine and locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Paths that mcp-gen can generate, without those that custom templates add. A manifest or a journal
 * may come from another person's branch. No other file is deleted or replaced, even if it is
 * listed.
 */
const GENERATED = [
  /^\.(?:dockerignore|env\.example|gitattributes|gitignore|mcpbignore|npmrc)$/,
  /^(?:Caddyfile|Dockerfile|(?:README|SKILL|TOOLS)\.md|bundle\.mjs|tsconfig\.json)$/,
  /^(?:(?:compose|kubernetes)\.yaml|wrangler\.jsonc)$/,
  /^(?:manifest|mcp-gen\.lock|package|package-lock|server)\.json$/,
  /^src\/(?:api|dev|index|main|schemas|tool-names|worker)\.ts$/,
  /^src\/(?:apis\/[\w-]+\/)?(?:runtime|schemas|tools|workflows)\/(?:[\w-]+\/)?[\w-]+\.ts$/,
  /^src\/apis\/[\w-]+\/(?:api|schemas)\.ts$/,
  /^src\/runtime\/(?:[\w-]+\/)*[\w.-]+\.ts$/,
  /^test\/(?:api\.json|mock\.ts|run\.mjs|tools\.test\.ts)$/,
  /^test\/apis\/[\w-]+\.json$/,
  /^test\/mock\/(?:[\w-]+\/)*[\w.-]+\.ts$/,
];

/** True for a path that mcp-gen can generate. The case of letters counts. */
export function canBeGenerated(path: string): boolean {
  return GENERATED.some((pattern) => pattern.test(path));
}
