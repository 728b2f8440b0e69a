import { statSync } from "node:fs";

/** Returns the kind of a path, following links; undefined when it is absent or not accessible. */
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
