/**
 * Encryption of a store that others can read: AES-256-GCM, with a key that all processes of a server
 * have.
 */
import type { webcrypto } from "node:crypto";
import { type Store, StoreUnavailable } from "./types.js";

/** Bytes of the nonce. NIST SP 800-38D, section 8.2.2: random, at most 2^32 values with a key. */
const NONCE_BYTES = 12;

/**
 * Encrypts the values of a store. A value can only be read under the key under which it was written,
 * so that it cannot be moved to another caller; the store sees neither keys nor values. Counters are
 * not encrypted.
 * @param secret a text with at least 128 random bits
 * @param server name of the server. Servers that share a store and a secret have different keys
 */
export async function encryptStore(store: Store, secret: string, server: string): Promise<Store> {
  const { names, values } = await deriveKeys(secret, server);
  const nameOf = async (key: string): Promise<string> =>
    toBase64(await crypto.subtle.sign("HMAC", names, encode(key)));
  const read = async (name: string): Promise<{ stored?: string; value?: string }> => {
    const stored = await store.get(name);
    return stored === undefined ? {} : { stored, value: await decrypt(values, name, stored) };
  };
  return {
    get: async (key) => (await read(await nameOf(key))).value,
    async set(key, value, ttlMs) {
      const name = await nameOf(key);
      await store.set(name, await encrypt(values, name, value), ttlMs);
    },
    delete: async (key) => store.delete(await nameOf(key)),
    async compareAndSet(key, expected, value, ttlMs) {
      const name = await nameOf(key);
      const current = await read(name);
      if (current.value !== expected) return false;
      const encrypted = await encrypt(values, name, value);
      return store.compareAndSet(name, current.stored, encrypted, ttlMs);
    },
    increment: async (key, ttlMs) => store.increment(await nameOf(key), ttlMs),
    count: async (key) => store.count(await nameOf(key)),
    close: () => store.close(),
  };
}

interface Keys {
  /** Hides keys, which contain names of users. */
  readonly names: webcrypto.CryptoKey;
  readonly values: webcrypto.CryptoKey;
}

async function deriveKeys(secret: string, server: string): Promise<Keys> {
  const base = await crypto.subtle.importKey("raw", encode(secret), "HKDF", false, ["deriveKey"]);
  const derivation = (info: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: encode("mcp-gen store"),
    info: encode(JSON.stringify([info, server])),
  });
  const hmac = { name: "HMAC", hash: "SHA-256", length: 256 } as const;
  const aes = { name: "AES-GCM", length: 256 } as const;
  return {
    names: await crypto.subtle.deriveKey(derivation("names"), base, hmac, false, ["sign"]),
    values: await crypto.subtle.deriveKey(derivation("values"), base, aes, false, [
      "encrypt",
      "decrypt",
    ]),
  };
}

async function encrypt(key: webcrypto.CryptoKey, name: string, value: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const algorithm = { name: "AES-GCM", iv, additionalData: encode(name) };
  const encrypted = await crypto.subtle.encrypt(algorithm, key, encode(value));
  return `${toBase64(iv.buffer)}.${toBase64(encrypted)}`;
}

/** @throws StoreUnavailable for a value that was written with another key, or moved */
async function decrypt(key: webcrypto.CryptoKey, name: string, stored: string): Promise<string> {
  const [iv = "", encrypted = ""] = stored.split(".");
  const algorithm = { name: "AES-GCM", iv: fromBase64(iv), additionalData: encode(name) };
  try {
    const bytes = await crypto.subtle.decrypt(algorithm, key, fromBase64(encrypted));
    return new TextDecoder().decode(bytes);
  } catch {
    throw new StoreUnavailable("A value of the store cannot be decrypted.");
  }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function toBase64(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString("base64url");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "base64url"));
}
