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

/** Writes a new folder in a second thread while its last files are rendered. */
export interface BackgroundWriter {
  /** Queues a file for writing. Invalid paths are ignored; `write` refuses them. */
  readonly add: (file: StagedFile) => void;
  /**
   * Waits until all files are written.
   * @returns their fingerprints by path
   * @throws the system error of the thread
   */
  readonly waitUntilWritten: () => Promise<ReadonlyMap<string, Fingerprints>>;
  /**
   * Writes the manifest and renames the folder to its final name.
   * @throws WriteRefusal when another run created it first
   */
  readonly finish: (manifest: StagedFile) => void;
  /** Terminates the thread and removes unfinished work. */
  readonly close: () => Promise<void>;
}

/** Minimum number of tools for which a thread pays off. */
const MIN_TOOLS = 100;
/** Characters per message to the thread. */
const BATCH_CHARACTERS = 256 * 1024;

/**
 * Starts writing a folder that does not exist yet. Writing files takes about half of the time of a
 * large API. The folder appears only at `finish`.
 * @param thread path of the thread's program
 * @returns undefined when a thread would not pay off or cannot be used; `write` then writes all
 *   files and reports problems
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
    // Loaded here because small runs do not need it.
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
  // `waitUntilWritten` reports the error. It may never be called.
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
      const { fingerprints, failure } = await reply;
      if (failure) throw Object.assign(new Error(failure.message), failure);
      return new Map(fingerprints);
    },
    finish: (manifest) => renameIntoPlace(stage(workFolder(state), [manifest]), target),
    close: async () => {
      await worker.terminate();
      ignoreSystemErrors(() => rmSync(join(workFolder(state)), { recursive: true, force: true }));
      ignoreSystemErrors(() => releaseLock(state));
    },
  };
}
