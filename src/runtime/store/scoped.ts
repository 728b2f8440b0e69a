/** A part of a store, whose keys no other part has. */
import type { Store } from "./types.js";

/** The part of a store under a name. */
export function scopedStore(store: Store, name: string): Store {
  const keyOf = (key: string): string => JSON.stringify([name, key]);
  return {
    get: (key) => store.get(keyOf(key)),
    set: (key, value, ttlMs) => store.set(keyOf(key), value, ttlMs),
    delete: (key) => store.delete(keyOf(key)),
    compareAndSet: (key, expected, value, ttlMs) =>
      store.compareAndSet(keyOf(key), expected, value, ttlMs),
    increment: (key, ttlMs) => store.increment(keyOf(key), ttlMs),
    count: (key) => store.count(keyOf(key)),
    close: () => store.close(),
  };
}
