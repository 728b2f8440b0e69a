/**
 * Encryption of a store that others can read: AES-256-GCM, with a key that all processes of a
 * server have.
 */
import { deriveKeys, type Key, keyedDigest, seal, unseal } from "../data/seal.js";
import { type Store, StoreUnavailable } from "./types.js";

/**
 * Encrypts the values of a store. A value can only be read under the key under which it was
 * written, so that it cannot be moved to another caller; the store sees neither keys nor values.
 * Counters are not encrypted.
 * @param secret a text with at least 128 random bits
 * @param server name of the server. Servers that share a store and a secret have different keys
 */
export async function encryptStore(store: Store, secret: string, server: string): Promise<Store> {
  const keys = await deriveKeys(secret, "mcp-gen store");
  // The first key hides names, which contain names of users.
  const names = await keys.signing(["names", server]);
  const values = await keys.sealing(["values", server]);
  const nameOf = (key: string): Promise<string> => keyedDigest(names, key);
  const read = async (name: string): Promise<{ stored?: string; value?: string }> => {
    const stored = await store.get(name);
    return stored === undefined ? {} : { stored, value: await decrypt(values, name, stored) };
  };
  return {
    get: async (key) => (await read(await nameOf(key))).value,
    async set(key, value, ttlMs) {
      const name = await nameOf(key);
      await store.set(name, await seal(values, name, value), ttlMs);
    },
    delete: async (key) => store.delete(await nameOf(key)),
    async compareAndSet(key, expected, value, ttlMs) {
      const name = await nameOf(key);
      const current = await read(name);
      if (current.value !== expected) return false;
      const encrypted = await seal(values, name, value);
      return store.compareAndSet(name, current.stored, encrypted, ttlMs);
    },
    increment: async (key, ttlMs) => store.increment(await nameOf(key), ttlMs),
    count: async (key) => store.count(await nameOf(key)),
    close: () => store.close(),
  };
}

/** @throws StoreUnavailable for a value that was written with another key, or moved */
async function decrypt(key: Key, name: string, stored: string): Promise<string> {
  const value = await unseal(key, name, stored);
  if (value === undefined) throw new StoreUnavailable("A value of the store cannot be decrypted.");
  return value;
}
