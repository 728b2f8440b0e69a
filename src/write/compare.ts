import { pushTo } from "../groups.js";
import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedFile } from "../render/types.js";
import { statOf } from "./file-system.js";
import {
  type Fingerprints,
  fingerprintsOf,
  formatManifest,
  isGenerated,
  type Manifest,
  normalizeLineEndings,
} from "./manifest.js";
import { withoutVersion } from "./package-json.js";
import { byCodeUnit, folderOf, MANIFEST_PATH, nameOf, normalizePath } from "./paths.js";
import type { Changes, StagedFile } from "./types.js";

/** Differences between the folder and the generated files. */
export interface Comparison extends Changes {
  readonly unchanged: number;
  /** Generated files with user edits; also in `updated` or `deleted`. */
  readonly editedFiles: readonly string[];
  /** Files that mcp-gen did not write, at the path of a generated file; also in `updated`. */
  readonly ungeneratedFiles: readonly string[];
  /** Links and folders at the path of a file. */
  readonly blocked: readonly string[];
  /** Files that repeat an older version of the package; counted in `unchanged`. */
  readonly outdated: readonly string[];
  /** Contents of `created` and `updated`, including the manifest. */
  readonly texts: readonly StagedFile[];
  /**
   * Edited and ungenerated files that contain `@keep`, with their content on disk and LF line
   * endings.
   */
  readonly withKeepMarks: readonly StagedFile[];
}

/** State of the folder on disk. */
export interface DiskState {
  /** Absolute path of the folder; undefined when it does not exist. */
  readonly root: string | undefined;
  readonly manifest: Manifest;
  /** Text of the manifest on disk; undefined when absent. */
  readonly manifestText: string | undefined;
  /** Paths in the manifest on disk that mcp-gen cannot have generated. */
  readonly foreignPaths?: readonly string[];
}

type Verdict =
  | "created"
  | "updated"
  | "deleted"
  | "unchanged"
  | "edited"
  | "ungenerated"
  | "blocked";

/** Additional input of a comparison. */
interface CompareOptions {
  /** Contents with preserved user declarations, by path. */
  readonly merged?: ReadonlyMap<string, string>;
  /** Generated files that are left unchanged on disk. */
  readonly skipped?: ReadonlySet<string>;
  /** Accept files that repeat an older version of the package. */
  readonly anyVersion?: boolean;
}

/**
 * Compares generated files with the disk. Reads only files that are generated or in the manifest.
 */
export function compare(
  files: readonly GeneratedFile[],
  present: DiskState,
  { merged = new Map(), skipped = new Set(), anyVersion = false }: CompareOptions = {},
): Comparison {
  const tree = openTree(present.root);
  const verdicts = new Verdicts();
  const manifestEntries = new Map<string, Fingerprints>();
  const texts: StagedFile[] = [];
  for (const file of files) {
    if (file.writeOnce !== true)
      manifestEntries.set(file.path, fingerprintsOf(file, present.manifest));
    const content = merged.get(file.path) ?? file.content;
    const verdict =
      file.writeOnce === true || skipped.has(file.path)
        ? judgeUserFile(file, present, tree)
        : judge(file, present, tree, merged.get(file.path), verdicts, anyVersion);
    verdicts.add(verdict, file.path);
    if (verdict !== "unchanged") texts.push({ path: file.path, content });
  }
  const generatedPaths = new Set(files.map((file) => file.path));
  for (const [path, fingerprints] of present.manifest) {
    if (generatedPaths.has(path) || skipped.has(path)) continue;
    for (const verdict of judgeObsolete(path, fingerprints, present, tree, verdicts))
      verdicts.add(verdict, path);
  }
  const manifest = { path: MANIFEST_PATH, content: formatManifest(manifestEntries) };
  const verdict = judgeManifest(manifest.content, present.manifestText);
  verdicts.add(verdict, manifest.path);
  if (verdict !== "unchanged") texts.push(manifest);
  return toComparison(verdicts, texts);
}

/** Collects the results of a comparison. */
class Verdicts {
  readonly paths = new Map<Verdict, string[]>();
  readonly withKeepMarks: StagedFile[] = [];
  readonly outdated: string[] = [];

  add(verdict: Verdict, path: string): void {
    pushTo(this.paths, verdict, path);
  }

  noteKeepMarks(path: string, text: string): void {
    if (path.endsWith(".ts") && text.includes("@keep"))
      this.withKeepMarks.push({ path, content: normalizeLineEndings(text) });
  }
}

function toComparison(
  { paths: entries, withKeepMarks: marked, outdated }: Verdicts,
  texts: readonly StagedFile[],
): Comparison {
  const sorted = (...verdicts: readonly Verdict[]): string[] =>
    verdicts.flatMap((verdict) => entries.get(verdict) ?? []).sort(byCodeUnit);
  const deleted = new Set(entries.get("deleted"));
  const replaced = sorted("updated", "edited", "ungenerated").filter((path) => !deleted.has(path));
  return {
    created: sorted("created"),
    updated: replaced,
    deleted: sorted("deleted"),
    unchanged: entries.get("unchanged")?.length ?? 0,
    editedFiles: sorted("edited"),
    ungeneratedFiles: sorted("ungenerated"),
    blocked: sorted("blocked"),
    outdated: outdated.toSorted(byCodeUnit),
    texts,
    withKeepMarks: marked.toSorted((a, b) => byCodeUnit(a.path, b.path)),
  };
}

/** Judges a user file, which is written once and never replaced; a link counts as existing. */
function judgeUserFile(file: GeneratedFile, present: DiskState, tree: FolderTree): Verdict {
  return kindAt(file.path, present, tree) === undefined ? "created" : "unchanged";
}

/**
 * Kind of the entry at a path, also under an equivalent spelling, unless that file was generated
 * and is removed now.
 */
function kindAt(path: string, present: DiskState, tree: FolderTree): EntryKind | undefined {
  const kind = tree.kindOf(path);
  if (kind !== undefined) return kind;
  const alias = tree.aliasOf(path);
  return alias === undefined || present.manifest.has(alias) ? undefined : tree.kindOf(alias);
}

function judge(
  file: GeneratedFile,
  present: DiskState,
  tree: FolderTree,
  mergedText: string | undefined,
  verdicts: Verdicts,
  anyVersion: boolean,
): Verdict {
  const kind = kindAt(file.path, present, tree);
  if (kind === undefined || present.root === undefined) return "created";
  if (kind !== "file") return "blocked";
  const text = readFileSync(join(present.root, file.path), "utf8");
  if (text === file.content || normalizeLineEndings(text) === normalizeLineEndings(file.content))
    return "unchanged";
  if (
    anyVersion &&
    withoutVersion(file.path, normalizeLineEndings(text)) ===
      withoutVersion(file.path, file.content)
  )
    return (verdicts.outdated.push(file.path), "unchanged");
  if (mergedText !== undefined)
    return normalizeLineEndings(text) === mergedText ? "unchanged" : "updated";
  const fingerprints = present.manifest.get(file.path);
  if (fingerprints && isGenerated(file.path, text, fingerprints)) return "updated";
  verdicts.noteKeepMarks(file.path, text);
  return fingerprints ? "edited" : "ungenerated";
}

/** Judges a file of the last run that is no longer generated. */
function judgeObsolete(
  path: string,
  fingerprints: Fingerprints,
  present: DiskState,
  tree: FolderTree,
  verdicts: Verdicts,
): readonly Verdict[] {
  const kind = tree.kindOf(path);
  if (kind === undefined || present.root === undefined) return [];
  if (kind !== "file") return ["blocked"];
  const text = readFileSync(join(present.root, path), "utf8");
  if (isGenerated(path, text, fingerprints)) return ["deleted"];
  verdicts.noteKeepMarks(path, text);
  return ["edited", "deleted"];
}

function judgeManifest(content: string, onDisk: string | undefined): Verdict {
  if (onDisk === undefined) return "created";
  return normalizeLineEndings(onDisk) === content ? "unchanged" : "updated";
}

/** Kind of a directory entry. `other`: a link, a device, or an entry behind a link. */
type EntryKind = "file" | "folder" | "other";

/** Entries below one folder. Each folder is read once, on demand. */
interface FolderTree {
  /** Kind of an entry with exactly this name. */
  readonly kindOf: (path: string) => EntryKind | undefined;
  /** Actual spelling of a name on a case-insensitive disk: `dockerfile` for `Dockerfile`. */
  readonly aliasOf: (path: string) => string | undefined;
}

/**
 * Opens the tree below `root`; `undefined` means a folder that does not exist. Links are not
 * followed; entries behind them are `other`.
 */
function openTree(root: string | undefined): FolderTree {
  if (root === undefined) return { kindOf: () => undefined, aliasOf: () => undefined };
  const folders = new Map([["", readFolder(root)]]);
  const folderAt = (path: string): FolderEntries | "other" => {
    const cached = folders.get(path);
    if (cached) return cached;
    const kind = kindOf(path) ?? (aliasOf(path) === undefined ? undefined : "folder");
    if (kind === "file" || kind === "other") return "other";
    const entries = kind === undefined ? new FolderEntries([]) : readFolder(join(root, path));
    folders.set(path, entries);
    return entries;
  };
  const kindOf = (path: string): EntryKind | undefined => {
    const folder = folderAt(folderOf(path));
    return folder === "other" ? "other" : folder.entries.get(nameOf(path));
  };
  const aliasOf = (path: string): string | undefined => {
    const folder = folderAt(folderOf(path));
    const alias = folder === "other" ? undefined : folder.findEquivalent(nameOf(path));
    if (alias === undefined || alias === nameOf(path) || statOf(join(root, path)) === undefined)
      return undefined;
    return path.slice(0, path.length - nameOf(path).length) + alias;
  };
  return { kindOf, aliasOf };
}

class FolderEntries {
  readonly entries: ReadonlyMap<string, EntryKind>;
  #folded: ReadonlyMap<string, string> | undefined;

  constructor(entries: Iterable<readonly [string, EntryKind]>) {
    this.entries = new Map(entries);
  }

  /** Finds an entry whose name differs at most in case or Unicode normalization. */
  findEquivalent(name: string): string | undefined {
    this.#folded ??= new Map([...this.entries.keys()].map((name) => [normalizePath(name), name]));
    return this.#folded.get(normalizePath(name));
  }
}

function readFolder(path: string): FolderEntries {
  return new FolderEntries(
    readdirSync(path, { withFileTypes: true }).map(
      (entry) => [entry.name, kindOfEntry(entry)] as const,
    ),
  );
}

function kindOfEntry(entry: Dirent): EntryKind {
  return entry.isFile() ? "file" : entry.isDirectory() ? "folder" : "other";
}
