/** The channel of a process that is one of several to the process that started it. */
import type { Store } from "../store/types.js";

/** Connection of a worker to its primary process. */
export interface WorkerChannel {
  /** The state that all workers share. */
  readonly store: Store;
  /** True for the worker that starts before the others. */
  readonly isFirst: boolean;
  /** Calls a listener when the server stops. */
  onStop(listener: () => void): void;
  /** Ends the channel of a worker that cannot start, so that its process ends. */
  close(): void;
  /** Sets the function that returns the metrics of the worker. */
  serveMetrics(read: () => string): void;
}
