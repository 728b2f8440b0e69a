import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedFile } from "../render/types.js";
import { hasUnfinishedRun } from "./apply.js";
import { foldersBelow, statOf } from "./file-system.js";
import { inspectOutputFolder } from "./output-folder.js";
import { MANIFEST_PATH } from "./paths.js";

/** Path of a generated file, and whether it belongs to the user once it exists. */
export type OutputPath = readonly [path: string, isUserFile: boolean];

/** The paths whose state decides whether a run changes anything, with the manifest. */
export function outputPaths(files: readonly GeneratedFile[]): readonly OutputPath[] {
  const generated = files.map(({ path, writeOnce }) => [path, writeOnce === true] as const);
  return [...generated, [MANIFEST_PATH, false]];
}

/**
 * Digest of the generated files on disk. Of a file of the user, only its existence counts, as in a
 * comparison.
 * @param written contents that this run wrote, by path; they are not read back, and a change since
 * then
 *   is a difference
 * @returns undefined if a file is missing or is not a plain file, if the folder or one in it is a
 *   link, or if another run is in progress or was interrupted
 */
export function outputState(
  outDir: string,
  paths: readonly OutputPath[],
  written: ReadonlyMap<string, string> = new Map(),
): string | undefined {
  try {
    const target = inspectOutputFolder(outDir);
    if (!target.exists || hasUnfinishedRun(target)) return undefined;
    const folders = foldersBelow(target.path);
    const hash = createHash("sha256");
    for (const [path, isUserFile] of paths) {
      const file = folders.find(path);
      const stats = file === undefined ? undefined : statOf(file);
      if (stats === undefined || (!isUserFile && !stats.isFile())) return undefined;
      const bytes = isUserFile ? undefined : contentOf(path, target.path, written);
      hash.update(`${path}\0${bytes?.length ?? "user"}\0`).update(bytes ?? "");
    }
    return hash.digest("hex");
  } catch {
    return undefined;
  }
}

function contentOf(path: string, folder: string, written: ReadonlyMap<string, string>): Buffer {
  const text = written.get(path);
  return text === undefined ? readFileSync(join(folder, path)) : Buffer.from(text);
}
