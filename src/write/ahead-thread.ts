import { parentPort, workerData } from "node:worker_threads";
import { errnoOf } from "./failure.js";
import { stage } from "./journal.js";
import { fingerprint } from "./manifest.js";
import type { StagedFile } from "./types.js";

/*
 * The second thread of a run into a new folder: see `ahead.ts`. It only ever writes below the folder it was given.
 */

/** Files to write, or the question whether all is done. */
export type AheadMessage = readonly StagedFile[] | "end";

/** The fingerprint of each file, or why one could not be written. */
export interface AheadReply {
  readonly digests: readonly (readonly [path: string, digest: string])[];
  readonly failure?: { readonly message: string; readonly code: string; readonly syscall: string };
}

const work = workerData as string;
const digests: [string, string][] = [];
let failure: AheadReply["failure"];

parentPort?.on("message", (message: AheadMessage) => {
  if (message === "end") {
    parentPort?.postMessage({ digests, ...(failure && { failure }) } satisfies AheadReply);
    parentPort?.close();
  } else if (failure === undefined) take(message);
});

function take(files: readonly StagedFile[]): void {
  try {
    stage(work, files);
    for (const { path, content } of files) digests.push([path, fingerprint(content)]);
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    failure = { message: (error as Error).message, code, syscall: "write" };
  }
}
