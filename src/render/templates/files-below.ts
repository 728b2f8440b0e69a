import { readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Every file below a folder, by code unit. Links are not followed: Node's own `recursive` does so
 * since version 26.
 * @throws when a folder cannot be read
 */
export function filesBelow(folder: string): readonly string[] {
  const files = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
  return files.sort();
}
