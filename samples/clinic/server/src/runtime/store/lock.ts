/** Locks between the processes that share a store. */
import { isStoreUnavailable, type Store, StoreUnavailable } from "./types.js";

/** Milliseconds after which a lock is that of a process that was killed. */
const LOCK_MS = 30_000;
const POLL_MS = 50;

/**
 * Runs a function while no other process runs one with the same key.
 * @throws StoreUnavailable if the store cannot be reached, or if the lock is never free
 */
export async function withStoreLock<Result>(
  store: Store,
  key: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const name = JSON.stringify(["lock", key]);
  const owner = crypto.randomUUID();
  const givesUpAt = Date.now() + 2 * LOCK_MS;
  while (!(await store.compareAndSet(name, undefined, owner, LOCK_MS))) {
    if (Date.now() > givesUpAt) throw new StoreUnavailable("A value of the store is locked.");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  try {
    return await run();
  } finally {
    await release(store, name, owner);
  }
}

/** A lock that cannot be released expires. */
async function release(store: Store, name: string, owner: string): Promise<void> {
  try {
    if ((await store.get(name)) === owner) await store.delete(name);
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
  }
}
