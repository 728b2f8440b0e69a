/** A secret that all processes of a server share through their store. */
import { base64, decodeBase64 } from "../data/bytes.js";
import type { Store } from "./types.js";

/** The secret under a key of the store. The first process that needs it makes it. */
export async function sharedSecret(
  store: Store,
  key: string,
  ttlMs: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const made = base64(crypto.getRandomValues(new Uint8Array(32)));
  const known = await store.get(key);
  const isMade = known === undefined && (await store.compareAndSet(key, undefined, made, ttlMs));
  const text = isMade ? made : (known ?? (await store.get(key)) ?? made);
  return decodeBase64(text);
}
