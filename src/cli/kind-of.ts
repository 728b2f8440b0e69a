import { statSync } from "node:fs";

/** What stands at a path; undefined when nothing does, or nothing that can be looked at. */
export function kindOf(path: string): "file" | "folder" | "other" | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
  } catch {
    return undefined;
  }
}
