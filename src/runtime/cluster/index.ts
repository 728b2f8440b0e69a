/** Several processes of one server on one machine. */
import type { WorkerChannel } from "../server/worker-channel.js";

/** Sentence for the user who asks for workers in a project without them. */
export const clusterProblem: string | undefined = undefined;

/** The channel of this process, if it is a worker. */
export async function workerChannel(): Promise<WorkerChannel | undefined> {
  const { worker } = (await import("node:cluster")).default;
  return worker && (await import("./worker.js")).openWorkerChannel(worker.id === 1);
}

/** Runs this process as the primary one; see `primary.ts`. */
export async function startWorkers(
  ...options: Parameters<typeof import("./primary.js").runPrimary>
): Promise<string | undefined> {
  return (await import("./primary.js")).runPrimary(...options);
}
