import { parentPort, workerData } from "node:worker_threads";
import { errnoOf } from "./refusal.js";
import { stage } from "./journal.js";
import { type Fingerprints, fingerprintsOf } from "./manifest.js";
import type { StagedFile } from "./types.js";

/* Worker thread of `background-writer.ts`. Writes only below the given folder. */

/** Files to write, or the request for the final reply. */
export type BackgroundMessage = readonly StagedFile[] | "end";

/** Fingerprints of each file, or the error that stopped writing. */
export interface BackgroundReply {
  readonly fingerprints: readonly (readonly [path: string, fingerprints: Fingerprints])[];
  readonly failure?: { readonly message: string; readonly code: string; readonly syscall: string };
}

const work = workerData as string;
const known: [string, Fingerprints][] = [];
let failure: BackgroundReply["failure"];

parentPort?.on("message", (message: BackgroundMessage) => {
  if (message === "end") {
    parentPort?.postMessage({
      fingerprints: known,
      ...(failure && { failure }),
    } satisfies BackgroundReply);
    parentPort?.close();
  } else if (failure === undefined) writeBatch(message);
});

function writeBatch(files: readonly StagedFile[]): void {
  try {
    stage(work, files);
    for (const file of files) known.push([file.path, fingerprintsOf(file)]);
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    failure = { message: (error as Error).message, code, syscall: "write" };
  }
}
