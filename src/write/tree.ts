import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { folderOf, nameOf } from "./paths.js";

/** What stands at a path. `other`: a link, a device, or anything behind a folder that is none. */
export type Kind = "file" | "folder" | "other";

/** Says what stands at relative paths below one folder. Reads each folder once, and only those that are asked for. */
export interface Tree {
  /** Undefined: nothing stands there. */
  readonly kindOf: (path: string) => Kind | undefined;
}

/**
 * Opens the tree below `root`; `undefined` is the tree of a folder that does not exist.
 * Links are never followed: what lies behind one is `other`.
 */
export function openTree(root: string | undefined): Tree {
  const folders = new Map<string, ReadonlyMap<string, Kind>>();
  if (root === undefined) return { kindOf: () => undefined };
  folders.set("", readFolder(root));
  const kindOf = (path: string): Kind | undefined => {
    const folder = folderOf(path);
    let entries = folders.get(folder);
    if (entries === undefined) {
      const kind = kindOf(folder);
      if (kind === "file" || kind === "other") return "other";
      entries = kind === undefined ? new Map() : readFolder(join(root, folder));
      folders.set(folder, entries);
    }
    return entries.get(nameOf(path));
  };
  return { kindOf };
}

function readFolder(path: string): ReadonlyMap<string, Kind> {
  return new Map(readdirSync(path, { withFileTypes: true }).map((entry) => [entry.name, kindOfEntry(entry)]));
}

function kindOfEntry(entry: Dirent): Kind {
  return entry.isFile() ? "file" : entry.isDirectory() ? "folder" : "other";
}
