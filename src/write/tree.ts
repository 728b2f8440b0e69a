import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { folded, folderOf, nameOf } from "./paths.js";
import { statOf } from "./target.js";

/** What stands at a path. `other`: a link, a device, or anything behind a folder that is none. */
export type Kind = "file" | "folder" | "other";

/**
 * Says what stands at relative paths below one folder. Reads each folder once, and only those that
 * are asked for.
 */
export interface Tree {
  /** Undefined: nothing of this very name stands there. */
  readonly kindOf: (path: string) => Kind | undefined;
  /**
   * How the name at a path is spelled on a disk that takes the path for another one: `dockerfile`
   * where `Dockerfile` is asked for.
   */
  readonly twinOf: (path: string) => string | undefined;
}

/**
 * Opens the tree below `root`; `undefined` is the tree of a folder that does not exist.
 * Links are never followed: what lies behind one is `other`.
 */
export function openTree(root: string | undefined): Tree {
  if (root === undefined) return { kindOf: () => undefined, twinOf: () => undefined };
  const folders = new Map([["", readFolder(root)]]);
  const folderAt = (path: string): Folder | "other" => {
    const known = folders.get(path);
    if (known) return known;
    const kind = kindOf(path) ?? (twinOf(path) === undefined ? undefined : "folder");
    if (kind === "file" || kind === "other") return "other";
    const found = kind === undefined ? new Folder([]) : readFolder(join(root, path));
    folders.set(path, found);
    return found;
  };
  const kindOf = (path: string): Kind | undefined => {
    const folder = folderAt(folderOf(path));
    return folder === "other" ? "other" : folder.entries.get(nameOf(path));
  };
  const twinOf = (path: string): string | undefined => {
    const folder = folderAt(folderOf(path));
    const twin = folder === "other" ? undefined : folder.nameLike(nameOf(path));
    if (twin === undefined || twin === nameOf(path) || statOf(join(root, path)) === undefined)
      return undefined;
    return path.slice(0, path.length - nameOf(path).length) + twin;
  };
  return { kindOf, twinOf };
}

class Folder {
  readonly entries: ReadonlyMap<string, Kind>;
  #folded: ReadonlyMap<string, string> | undefined;

  constructor(entries: Iterable<readonly [string, Kind]>) {
    this.entries = new Map(entries);
  }

  /** An entry of this name, upper and lower case and ways to write accents aside. */
  nameLike(name: string): string | undefined {
    this.#folded ??= new Map([...this.entries.keys()].map((own) => [folded(own), own]));
    return this.#folded.get(folded(name));
  }
}

function readFolder(path: string): Folder {
  return new Folder(
    readdirSync(path, { withFileTypes: true }).map(
      (entry) => [entry.name, kindOfEntry(entry)] as const,
    ),
  );
}

function kindOfEntry(entry: Dirent): Kind {
  return entry.isFile() ? "file" : entry.isDirectory() ? "folder" : "other";
}
