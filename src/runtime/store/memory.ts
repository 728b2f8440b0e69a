/** A store in the memory of one process. */
import type { Store } from "./types.js";

interface Entry {
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Maximum number of values. The oldest make room for new ones. */
const MAX_ENTRIES = 20_000;

/**
 * Creates a store in memory. There are no timers: values are removed when they are met again.
 * @param maxCharacters maximum number of characters of all values; the oldest make room
 */
export function createMemoryStore(
  now: () => number = Date.now,
  maxCharacters: number = Infinity,
): Store {
  const entries = new Map<string, Entry>();
  let characters = 0;
  const remove = (key: string): void => {
    characters -= entries.get(key)?.value.length ?? 0;
    entries.delete(key);
  };
  const read = (key: string): string | undefined => {
    const entry = entries.get(key);
    if (!entry || entry.expiresAt > now()) return entry?.value;
    remove(key);
    return undefined;
  };
  const write = (key: string, value: string, expiresAt: number): void => {
    remove(key);
    entries.set(key, { value, expiresAt });
    characters += value.length;
    for (const [oldest, entry] of entries) {
      const fits = entries.size <= MAX_ENTRIES && characters <= maxCharacters;
      if (entry.expiresAt > now() && fits) return;
      remove(oldest);
    }
  };
  return {
    get: async (key) => read(key),
    set: async (key, value, ttlMs) => write(key, value, now() + ttlMs),
    async delete(key) {
      const isPresent = read(key) !== undefined;
      remove(key);
      return isPresent;
    },
    async compareAndSet(key, expected, value, ttlMs) {
      if (read(key) !== expected) return false;
      write(key, value, now() + ttlMs);
      return true;
    },
    async increment(key, ttlMs) {
      const count = Number(read(key) ?? 0) + 1;
      write(key, String(count), entries.get(key)?.expiresAt ?? now() + ttlMs);
      return count;
    },
    count: async (key) => Number(read(key) ?? 0),
    close: async () => {
      entries.clear();
      characters = 0;
    },
  };
}
