/** Authenticated encryption of texts: AES-256-GCM, with keys that are derived from a secret. */
import { base64Url, decodeBase64, utf8Bytes } from "./bytes.js";

/** A key of the Web Crypto API. */
export type Key = Parameters<typeof crypto.subtle.encrypt>[1];

/** Bytes of the nonce. NIST SP 800-38D, section 8.2.2: random, at most 2^32 values with a key. */
const NONCE_BYTES = 12;

/**
 * Derives keys from a secret. RFC 5869.
 * @param secret a text with at least 128 random bits
 * @param salt name of the part of the program that uses the keys
 */
export async function deriveKeys(secret: string, salt: string): Promise<KeyDerivation> {
  const base = await crypto.subtle.importKey("raw", utf8Bytes(secret), "HKDF", false, [
    "deriveKey",
  ]);
  const derivation = (info: readonly string[]) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: utf8Bytes(salt),
    info: utf8Bytes(JSON.stringify(info)),
  });
  const hmac = { name: "HMAC", hash: "SHA-256", length: 256 } as const;
  const aes = { name: "AES-GCM", length: 256 } as const;
  return {
    signing: (info) => crypto.subtle.deriveKey(derivation(info), base, hmac, false, ["sign"]),
    sealing: (info) =>
      crypto.subtle.deriveKey(derivation(info), base, aes, false, ["encrypt", "decrypt"]),
  };
}

/** Keys of one secret. Different texts give different keys. */
interface KeyDerivation {
  signing(info: readonly string[]): Promise<Key>;
  sealing(info: readonly string[]): Promise<Key>;
}

/** Digest of a text with a key. */
export async function keyedDigest(key: Key, text: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8Bytes(text))));
}

/**
 * Encrypts a text. Its form is safe in URLs.
 * @param binding text without which it cannot be decrypted, and which it does not contain
 */
export async function seal(key: Key, binding: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const algorithm = { name: "AES-GCM", iv, additionalData: utf8Bytes(binding) };
  const encrypted = await crypto.subtle.encrypt(algorithm, key, utf8Bytes(text));
  return `${base64Url(iv)}.${base64Url(new Uint8Array(encrypted))}`;
}

/** Decrypts a text. Undefined for another key or binding, and for any change. */
export async function unseal(
  key: Key,
  binding: string,
  sealed: string,
): Promise<string | undefined> {
  const [iv = "", encrypted = ""] = sealed.split(".");
  try {
    const additionalData = utf8Bytes(binding);
    const algorithm = { name: "AES-GCM", iv: decodeBase64Url(iv), additionalData };
    const bytes = await crypto.subtle.decrypt(algorithm, key, decodeBase64Url(encrypted));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}
