import { renameSync } from "node:fs";
import { errnoOf } from "./failure.js";

/**
 * What Windows says while a virus scanner, an indexer or an editor has a file open, and a moment
 * later not any more.
 */
const passing: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "EBUSY"]);

/** Milliseconds between the attempts, two seconds together. */
const pauses = [5, 10, 20, 40, 80, 160, 320, 640, 725];

/**
 * Renames a file or a folder. On Windows that fails while somebody else has it, or a file in it,
 * open: it is tried again for a while there. Elsewhere the same answers are about permissions,
 * which do not pass.
 */
export function rename(from: string, to: string): void {
  for (const pause of process.platform === "win32" ? pauses : []) {
    try {
      return renameSync(from, to);
    } catch (error) {
      if (!passing.has(errnoOf(error))) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
  }
  renameSync(from, to);
}
