import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { siblingStateFolder, renameIntoPlace, workFolder } from "./apply.js";
import type { BackgroundMessage, BackgroundReply } from "./background-thread.js";
import { errnoOf, WriteRefusal, ignoreSystemErrors } from "./refusal.js";
import { stage } from "./journal.js";
import { releaseLock, takeLock } from "./lock.js";
import type { Fingerprints } from "./manifest.js";
import { isLegalPath } from "./paths.js";
import { inspectOutputFolder, type OutputFolder } from "./output-folder.js";
import type { StagedFile, WriteOptions } from "./types.js";
import { statOf } from "./file-system.js";

/**
 * A new folder that is being filled by a second thread while its last files are still being
 * rendered.
 */
export interface BackgroundWriter {
  /**
   * Takes a file for writing. Any path may come: what is no legal one is left to `write` to refuse.
   */
  readonly add: (file: StagedFile) => void;
  /**
   * Waits until all files are on the disk. @returns their fingerprints by path. @throws the system
   * error that the thread met
   */
  readonly waitUntilWritten: () => Promise<ReadonlyMap<string, Fingerprints>>;
  /**
   * Adds the last file, and puts the folder in its place. @throws Refusal when another run was
   * quicker
   */
  readonly finish: (manifest: StagedFile) => void;
  /** Ends the thread and clears away what was not settled. */
  readonly close: () => Promise<void>;
}

/** With fewer tools, all is written sooner than a thread has started. */
const MIN_TOOLS = 100;
/** Characters that are handed over at once. */
const BATCH_CHARACTERS = 256 * 1024;

/**
 * Starts writing a folder that does not exist yet. Half of the time of a large API would go into
 * making its files, one after the other; nothing of it shows before `settle`.
 * @param thread the program of the second thread
 * @returns undefined when it would not pay, or cannot be done: `write` does all of it then, and
 *   says what is wrong
 */
export function startBackgroundWriter(
  outDir: string,
  tools: number,
  options: WriteOptions,
  thread: string,
): BackgroundWriter | undefined {
  if (tools < MIN_TOOLS || options.dryRun === true || !existsSync(thread)) return undefined;
  try {
    const target = inspectOutputFolder(outDir);
    if (target.exists || statOf(siblingStateFolder(target))) return undefined;
    takeLock(siblingStateFolder(target));
    // Not imported above: small runs need none of it.
    const { Worker } = process.getBuiltinModule("node:worker_threads");
    return createWriter(
      target,
      new Worker(thread, { workerData: workFolder(siblingStateFolder(target)) }),
    );
  } catch (error) {
    if (error instanceof WriteRefusal || errnoOf(error) !== undefined) return undefined;
    throw error;
  }
}

function createWriter(target: OutputFolder, worker: Worker): BackgroundWriter {
  const state = siblingStateFolder(target);
  const reply = new Promise<BackgroundReply>((resolve, reject) =>
    worker.once("message", resolve).once("error", reject),
  );
  // Whoever waits for the reply learns of it; nobody may.
  reply.catch(() => undefined);
  const send = (message: BackgroundMessage): void => worker.postMessage(message);
  let batch: StagedFile[] = [];
  let size = 0;
  const flush = (): void => {
    send(batch);
    [batch, size] = [[], 0];
  };
  return {
    add: ({ path, content, fingerprints }) => {
      if (!isLegalPath(path)) return;
      batch.push({ path, content, ...(fingerprints && { fingerprints }) });
      size += content.length;
      if (size > BATCH_CHARACTERS) flush();
    },
    waitUntilWritten: async () => {
      flush();
      send("end");
      const { fingerprints: known, failure } = await reply;
      if (failure) throw Object.assign(new Error(failure.message), failure);
      return new Map(known);
    },
    finish: (manifest) => renameIntoPlace(stage(workFolder(state), [manifest]), target),
    close: async () => {
      await worker.terminate();
      ignoreSystemErrors(() => rmSync(join(workFolder(state)), { recursive: true, force: true }));
      ignoreSystemErrors(() => releaseLock(state));
    },
  };
}
