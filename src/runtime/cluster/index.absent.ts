/** Stands in for the workers of one machine, which are left out. */
import { leftOut } from "../left-out.js";
import type { WorkerChannel } from "../server/worker-channel.js";

/** Sentence for the user who asks for workers. */
export const clusterProblem: string | undefined = leftOut("--workers", "cluster");

export function workerChannel(): WorkerChannel | undefined {
  return undefined;
}

export function startWorkers(_: unknown): string | undefined {
  return clusterProblem;
}
