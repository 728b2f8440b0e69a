import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { besideOf, putInPlace, workOf } from "./apply.js";
import type { AheadMessage, AheadReply } from "./ahead-thread.js";
import { errnoOf, Refusal, tidy } from "./failure.js";
import { stage } from "./journal.js";
import { releaseLock, takeLock } from "./lock.js";
import type { Fingerprints } from "./manifest.js";
import { isLegalPath } from "./paths.js";
import { findTarget, statOf, type Target } from "./target.js";
import type { StagedFile, WriteOptions } from "./types.js";

/**
 * A new folder that is being filled by a second thread while its last files are still being
 * rendered.
 */
export interface Ahead {
  /**
   * Takes a file for writing. Any path may come: what is no legal one is left to `write` to refuse.
   */
  readonly add: (file: StagedFile) => void;
  /**
   * Waits until all files are on the disk. @returns their fingerprints by path. @throws the system
   * error that the thread met
   */
  readonly written: () => Promise<ReadonlyMap<string, Fingerprints>>;
  /**
   * Adds the last file, and puts the folder in its place. @throws Refusal when another run was
   * quicker
   */
  readonly settle: (manifest: StagedFile) => void;
  /** Ends the thread and clears away what was not settled. */
  readonly close: () => Promise<void>;
}

/** With fewer tools, all is written sooner than a thread has started. */
const WORTH_IT = 100;
/** Characters that are handed over at once. */
const BATCH = 256 * 1024;

/**
 * Starts writing a folder that does not exist yet. Half of the time of a large API would go into
 * making its files, one after the other; nothing of it shows before `settle`.
 * @param thread the program of the second thread
 * @returns undefined when it would not pay, or cannot be done: `write` does all of it then, and
 *   says what is wrong
 */
export function startAhead(
  outDir: string,
  tools: number,
  options: WriteOptions,
  thread: string,
): Ahead | undefined {
  if (tools < WORTH_IT || options.dryRun === true || !existsSync(thread)) return undefined;
  try {
    const target = findTarget(outDir);
    if (target.exists || statOf(besideOf(target))) return undefined;
    takeLock(besideOf(target));
    // Not imported above: small runs need none of it.
    const { Worker } = process.getBuiltinModule("node:worker_threads");
    return ahead(target, new Worker(thread, { workerData: workOf(besideOf(target)) }));
  } catch (error) {
    if (error instanceof Refusal || errnoOf(error) !== undefined) return undefined;
    throw error;
  }
}

function ahead(target: Target, worker: Worker): Ahead {
  const state = besideOf(target);
  const reply = new Promise<AheadReply>((resolve, reject) =>
    worker.once("message", resolve).once("error", reject),
  );
  // Whoever waits for the reply learns of it; nobody may.
  reply.catch(() => undefined);
  const send = (message: AheadMessage): void => worker.postMessage(message);
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
      if (size > BATCH) flush();
    },
    written: async () => {
      flush();
      send("end");
      const { known, failure } = await reply;
      if (failure) throw Object.assign(new Error(failure.message), failure);
      return new Map(known);
    },
    settle: (manifest) => putInPlace(stage(workOf(state), [manifest]), target),
    close: async () => {
      await worker.terminate();
      tidy(() => rmSync(join(workOf(state)), { recursive: true, force: true }));
      tidy(() => releaseLock(state));
    },
  };
}
