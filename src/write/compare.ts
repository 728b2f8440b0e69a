import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedFile } from "../render/types.js";
import { fingerprint, formatManifest, type Manifest, withoutCarriageReturns } from "./manifest.js";
import { byCodeUnit, MANIFEST_PATH } from "./paths.js";
import { openTree, type Tree } from "./tree.js";
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
  /** The texts of `created` and `updated`, the manifest's among them. */
  readonly texts: readonly StagedFile[];
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

/**
 * Compares generated files with the disk. Reads every file that either side knows, and no other.
 * @param digests fingerprints of files that are known already
 */
export function compare(files: readonly GeneratedFile[], present: Present, digests: ReadonlyMap<string, string> = NONE): Comparison {
  const tree = openTree(present.root);
  const found = new Map<Verdict, string[]>();
  const note = (verdict: Verdict, path: string): void => void (found.get(verdict) ?? found.set(verdict, []).get(verdict))?.push(path);
  const next = new Map<string, string>();
  const texts: StagedFile[] = [];
  for (const file of files) {
    if (file.owned !== true) next.set(file.path, digests.get(file.path) ?? fingerprint(file.content));
    const verdict = file.owned === true ? judgeOwned(file, tree) : judge(file, present, tree);
    note(verdict, file.path);
    if (verdict !== "unchanged") texts.push(file);
  }
  const wanted = new Set(files.map((file) => file.path));
  for (const [path, digest] of present.manifest) {
    if (wanted.has(path)) continue;
    for (const verdict of judgeGone(path, digest, present, tree)) note(verdict, path);
  }
  const manifest = { path: MANIFEST_PATH, content: formatManifest(next) };
  const verdict = judgeManifest(manifest.content, present.manifestText);
  note(verdict, manifest.path);
  if (verdict !== "unchanged") texts.push(manifest);
  return collect(found, texts);
}

const NONE: ReadonlyMap<string, string> = new Map();

function collect(found: ReadonlyMap<Verdict, readonly string[]>, texts: readonly StagedFile[]): Comparison {
  const sorted = (...verdicts: readonly Verdict[]): string[] => verdicts.flatMap((verdict) => found.get(verdict) ?? []).sort(byCodeUnit);
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
    texts,
  };
}

/** An owned file is written once; from then on whatever stands there is its owner's, a link too. */
function judgeOwned(file: GeneratedFile, tree: Tree): Verdict {
  return tree.kindOf(file.path) === undefined ? "created" : "unchanged";
}

function judge(file: GeneratedFile, present: Present, tree: Tree): Verdict {
  const kind = tree.kindOf(file.path);
  if (kind === undefined || present.root === undefined) return "created";
  if (kind !== "file") return "blocked";
  const text = readFileSync(join(present.root, file.path), "utf8");
  if (text === file.content || withoutCarriageReturns(text) === withoutCarriageReturns(file.content)) return "unchanged";
  const digest = present.manifest.get(file.path);
  if (digest === undefined) return "foreign";
  return fingerprint(text) === digest ? "updated" : "edited";
}

/** A file of the last run that is not generated any more. */
function judgeGone(path: string, digest: string, present: Present, tree: Tree): readonly Verdict[] {
  const kind = tree.kindOf(path);
  if (kind === undefined || present.root === undefined) return [];
  if (kind !== "file") return ["blocked"];
  const edited = fingerprint(readFileSync(join(present.root, path), "utf8")) !== digest;
  return edited ? ["edited", "deleted"] : ["deleted"];
}

function judgeManifest(content: string, onDisk: string | undefined): Verdict {
  if (onDisk === undefined) return "created";
  return withoutCarriageReturns(onDisk) === content ? "unchanged" : "updated";
}
