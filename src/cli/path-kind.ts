import { statSync } from "node:fs";

/**
 * What stands at a path, links followed; undefined when nothing does, or nothing that can be looked
 * at.
 */
export function pathKind(path: string): "file" | "folder" | "pipe" | "other" | undefined {
  try {
    const found = statSync(path);
    return found.isFile()
      ? "file"
      : found.isDirectory()
        ? "folder"
        : found.isFIFO()
          ? "pipe"
          : "other";
  } catch {
    return undefined;
  }
}
