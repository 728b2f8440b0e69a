import { Buffer } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { readRegularFile } from "../load/source/read-file.js";

/** Maximum bytes of a module. */
const MAX_BYTES = 4_000_000;

/**
 * Text of a file of the owner; undefined if it cannot be read. `--watch` follows the file, but no
 * missing one, which a run may write.
 */
export function readText(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const read = readRegularFile(path, path, MAX_BYTES, () => false);
  return read.problem ? undefined : Buffer.from(read.value).toString("utf8");
}

/** Text of a generated file, which `--watch` does not follow; empty if it cannot be read. */
export function readGenerated(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
