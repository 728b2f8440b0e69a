/** A worker of a server with `--workers`: it serves requests, and its primary process has the state. */
import { type Store, StoreUnavailable } from "../store/types.js";
import type { WorkerChannel } from "../server/worker-channel.js";
import type { PrimaryMessage, StoreOperation, WorkerMessage } from "./messages.js";

/**
 * Opens the channel of a worker to its primary process.
 * @param isFirst true for the worker that starts before the others
 */
export function openWorkerChannel(isFirst: boolean): WorkerChannel {
  const stopListeners: (() => void)[] = [];
  const pending = new Map<number, (value: unknown) => void>();
  let readMetrics = (): string => "";
  process.on("message", (message: PrimaryMessage) => {
    if (message.kind === "stop") for (const listener of stopListeners) listener();
    else if (message.kind === "metrics") send({ ...message, text: readMetrics() });
    else settle(pending, message.id, message.value);
  });
  return {
    isFirst,
    store: createParentStore(pending),
    onStop: (listener) => void stopListeners.push(listener),
    close: () => process.exit(),
    serveMetrics: (read) => void (readMetrics = read),
  };
}

type Pending = Map<number, (value: unknown) => void>;

function settle(pending: Pending, id: number, value: unknown): void {
  pending.get(id)?.(value);
  pending.delete(id);
}

function send(message: WorkerMessage): void {
  process.send?.(message);
}

/** A store in the memory of the primary process. */
function createParentStore(pending: Pending): Store {
  let lastId = 0;
  const request = async <Value>(operation: StoreOperation, values: unknown[]): Promise<Value> => {
    if (!process.connected) throw new StoreUnavailable("The primary process has ended");
    const id = ++lastId;
    return new Promise<Value>((resolve) => {
      pending.set(id, resolve as (value: unknown) => void);
      send({ kind: "store", id, operation, values });
    });
  };
  return {
    isMemory: true,
    get: (...values) => request("get", values),
    set: (...values) => request("set", values),
    delete: (...values) => request("delete", values),
    compareAndSet: (...values) => request("compareAndSet", values),
    increment: (...values) => request("increment", values),
    count: (...values) => request("count", values),
    close: async () => {},
  };
}
