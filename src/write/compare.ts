import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedFile } from "../render/types.js";
import {
  type Fingerprints,
  fingerprintsOf,
  formatManifest,
  isGenerated,
  type Manifest,
  withoutCarriageReturns,
} from "./manifest.js";
import { withoutVersion } from "./npm/version.js";
import { byCodeUnit, MANIFEST_PATH } from "./paths.js";
import { type Kind, openTree, type Tree } from "./tree.js";
import type { Changes, StagedFile } from "./types.js";

/** The folder as it is against the folder as it should be. */
export interface Comparison extends Changes {
  readonly unchanged: number;
  /** Generated files that their owner changed; also among `updated` or `deleted`. */
  readonly edited: readonly string[];
  /** Files of others where a generated one should be; also among `updated`. */
  readonly foreign: readonly string[];
  /** Links and folders where a file should be. */
  readonly blocked: readonly string[];
  /** Files that repeat another version of the package than it has now; among `unchanged`. */
  readonly behind: readonly string[];
  /** The texts of `created` and `updated`, the manifest's among them. */
  readonly texts: readonly StagedFile[];
  /**
   * Of the edited files, and those of others, the ones that speak of `@keep`; with what is on disk,
   * and LF line endings.
   */
  readonly marked: readonly StagedFile[];
}

/** The disk side of a comparison. */
export interface Present {
  /** Absolute path of the folder; undefined when it does not exist. */
  readonly root: string | undefined;
  readonly manifest: Manifest;
  /** The manifest as it stands on disk; undefined when there is none. */
  readonly manifestText: string | undefined;
}

type Verdict = "created" | "updated" | "deleted" | "unchanged" | "edited" | "foreign" | "blocked";

/** What is known before the comparison. */
export interface Known {
  /** What files become that keep declarations of their owner: path → text. */
  readonly merged?: ReadonlyMap<string, string>;
  /** Generated files that are left to their owner. */
  readonly left?: ReadonlySet<string>;
  /** Fingerprints of generated files. */
  readonly known?: ReadonlyMap<string, Fingerprints>;
  /** Whether a file may repeat another version of the package than it has now. */
  readonly anyVersion?: boolean;
}

/**
 * Compares generated files with the disk. Reads every file that either side knows, and no other.
 */
export function compare(
  files: readonly GeneratedFile[],
  present: Present,
  { merged = new Map(), left = new Set(), known = new Map(), anyVersion = false }: Known = {},
): Comparison {
  const tree = openTree(present.root);
  const notes = new Notes();
  const next = new Map<string, Fingerprints>();
  const texts: StagedFile[] = [];
  for (const file of files) {
    if (file.owned !== true)
      next.set(file.path, known.get(file.path) ?? fingerprintsOf(file, present.manifest));
    const content = merged.get(file.path) ?? file.content;
    const verdict =
      file.owned === true || left.has(file.path)
        ? judgeOwned(file, present, tree)
        : judge(file, present, tree, merged.get(file.path), notes, anyVersion);
    notes.add(verdict, file.path);
    if (verdict !== "unchanged") texts.push({ path: file.path, content });
  }
  const wanted = new Set(files.map((file) => file.path));
  for (const [path, fingerprints] of present.manifest) {
    if (wanted.has(path) || left.has(path)) continue;
    for (const verdict of judgeGone(path, fingerprints, present, tree, notes))
      notes.add(verdict, path);
  }
  const manifest = { path: MANIFEST_PATH, content: formatManifest(next) };
  const verdict = judgeManifest(manifest.content, present.manifestText);
  notes.add(verdict, manifest.path);
  if (verdict !== "unchanged") texts.push(manifest);
  return collect(notes, texts);
}

/** What was found, while it is found. */
class Notes {
  readonly found = new Map<Verdict, string[]>();
  readonly marked: StagedFile[] = [];
  readonly behind: string[] = [];

  add(verdict: Verdict, path: string): void {
    const paths = this.found.get(verdict);
    if (paths) paths.push(path);
    else this.found.set(verdict, [path]);
  }

  mark(path: string, text: string): void {
    if (path.endsWith(".ts") && text.includes("@keep"))
      this.marked.push({ path, content: withoutCarriageReturns(text) });
  }
}

function collect({ found, marked, behind }: Notes, texts: readonly StagedFile[]): Comparison {
  const sorted = (...verdicts: readonly Verdict[]): string[] =>
    verdicts.flatMap((verdict) => found.get(verdict) ?? []).sort(byCodeUnit);
  const deleted = new Set(found.get("deleted"));
  const replaced = sorted("updated", "edited", "foreign").filter((path) => !deleted.has(path));
  return {
    created: sorted("created"),
    updated: replaced,
    deleted: sorted("deleted"),
    unchanged: found.get("unchanged")?.length ?? 0,
    edited: sorted("edited"),
    foreign: sorted("foreign"),
    blocked: sorted("blocked"),
    behind: behind.toSorted(byCodeUnit),
    texts,
    marked: marked.toSorted((a, b) => byCodeUnit(a.path, b.path)),
  };
}

/** An owned file is written once; from then on whatever stands there is its owner's, a link too. */
function judgeOwned(file: GeneratedFile, present: Present, tree: Tree): Verdict {
  return kindAt(file.path, present, tree) === undefined ? "created" : "unchanged";
}

/**
 * What stands in the place of a file, under another spelling, too; but for what was generated under
 * that one, and is going away.
 */
function kindAt(path: string, present: Present, tree: Tree): Kind | undefined {
  const kind = tree.kindOf(path);
  if (kind !== undefined) return kind;
  const twin = tree.twinOf(path);
  return twin === undefined || present.manifest.has(twin) ? undefined : tree.kindOf(twin);
}

function judge(
  file: GeneratedFile,
  present: Present,
  tree: Tree,
  kept: string | undefined,
  notes: Notes,
  anyVersion: boolean,
): Verdict {
  const kind = kindAt(file.path, present, tree);
  if (kind === undefined || present.root === undefined) return "created";
  if (kind !== "file") return "blocked";
  const text = readFileSync(join(present.root, file.path), "utf8");
  if (
    text === file.content ||
    withoutCarriageReturns(text) === withoutCarriageReturns(file.content)
  )
    return "unchanged";
  if (
    anyVersion &&
    withoutVersion(file.path, withoutCarriageReturns(text)) ===
      withoutVersion(file.path, file.content)
  )
    return (notes.behind.push(file.path), "unchanged");
  if (kept !== undefined) return withoutCarriageReturns(text) === kept ? "unchanged" : "updated";
  const fingerprints = present.manifest.get(file.path);
  if (fingerprints && isGenerated(file.path, text, fingerprints)) return "updated";
  notes.mark(file.path, text);
  return fingerprints ? "edited" : "foreign";
}

/** A file of the last run that is not generated any more. */
function judgeGone(
  path: string,
  fingerprints: Fingerprints,
  present: Present,
  tree: Tree,
  notes: Notes,
): readonly Verdict[] {
  const kind = tree.kindOf(path);
  if (kind === undefined || present.root === undefined) return [];
  if (kind !== "file") return ["blocked"];
  const text = readFileSync(join(present.root, path), "utf8");
  if (isGenerated(path, text, fingerprints)) return ["deleted"];
  notes.mark(path, text);
  return ["edited", "deleted"];
}

function judgeManifest(content: string, onDisk: string | undefined): Verdict {
  if (onDisk === undefined) return "created";
  return withoutCarriageReturns(onDisk) === content ? "unchanged" : "updated";
}
