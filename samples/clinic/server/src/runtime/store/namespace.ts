/** A part of a store. */
import type { Store } from "./types.js";

/** Returns a store whose keys begin with a name, so that it has no key of another name. */
export function namespaceStore(store: Store, name: string): Store {
  const keyOf = (key: string): string => JSON.stringify([name, key]);
  return {
    get: (key) => store.get(keyOf(key)),
    set: (key, value, ttlMs) => store.set(keyOf(key), value, ttlMs),
    delete: (key) => store.delete(keyOf(key)),
    compareAndSet: (key, ...values) => store.compareAndSet(keyOf(key), ...values),
    increment: (key, ttlMs) => store.increment(keyOf(key), ttlMs),
    count: (key) => store.count(keyOf(key)),
    close: () => store.close(),
  };
}
