import type { ResourceLink } from "@modelcontextprotocol/server";
import { base64 } from "../../bytes.js";

/** A result as a whole, when only a part of it is shown. */
export type FullResult =
  | { readonly mimeType: string; readonly text: string }
  | { readonly mimeType: string; readonly bytes: Uint8Array };

/** What `resources/read` gives. */
export type StoredContents = { readonly uri: string; readonly mimeType: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);

/** Results that were too large to be shown; see `createKept`. */
export interface ResultStore {
  /** How long a result is kept, in words. */
  readonly lifetimeText: string;
  /** Keeps a result of a tool; `undefined` when it is larger than all that may be kept. */
  store(tool: string, whole: FullResult): ResourceLink | undefined;
  /** `undefined` when there is nothing of this URI, or nothing any more. */
  read(uri: string): StoredContents | undefined;
  /** What one caller keeps and reads: results of others are not there. */
  forCaller(caller: string): ResultStore;
}

const LIFETIME_MS = 600_000;

interface Entry {
  readonly result: FullResult;
  readonly caller: string;
  readonly bytes: number;
  readonly expiresAt: number;
}

/**
 * Keeps results in memory, for ten minutes and up to a number of bytes together; the oldest make
 * room for new ones. No timers: what is too old is dropped when the next one comes, or is asked
 * for.
 *
 * The last part of a URI is random, nothing lists them, and a result is for the caller who got it:
 * a link that is found somewhere opens nothing. MCP, Security Best Practices, "State Handle
 * Hijacking".
 */
export function createResultStore(
  maxBytes: number,
  now: () => number = () => performance.now(),
): ResultStore {
  // A Map keeps the order in which entries came, which is the order in which they grow old.
  const entries = new Map<string, Entry>();
  let total = 0;

  function drop(uri: string, { bytes }: Entry): void {
    entries.delete(uri);
    total -= bytes;
  }

  function makeRoom(bytes: number): void {
    for (const [uri, entry] of entries) {
      if (entry.expiresAt > now() && total + bytes <= maxBytes) return;
      drop(uri, entry);
    }
  }

  const storeFor = (caller: string): ResultStore => ({
    lifetimeText: `${LIFETIME_MS / 60_000} minutes`,
    forCaller: storeFor,
    store(tool, whole) {
      const bytes = "text" in whole ? 2 * whole.text.length : whole.bytes.byteLength;
      if (bytes > maxBytes) return undefined;
      makeRoom(bytes);
      const uri = `result://${tool}/${crypto.randomUUID()}`;
      entries.set(uri, { result: whole, caller, bytes, expiresAt: now() + LIFETIME_MS });
      total += bytes;
      return {
        type: "resource_link",
        uri,
        name: `${tool} result`,
        mimeType: whole.mimeType,
        size: byteLengthOf(whole),
      };
    },
    read(uri) {
      const entry = entries.get(uri);
      if (entry?.caller !== caller) return undefined;
      if (entry.expiresAt <= now()) return void drop(uri, entry);
      const { result } = entry;
      return {
        uri,
        mimeType: result.mimeType,
        ...("text" in result ? { text: result.text } : { blob: base64(result.bytes) }),
      };
    },
  });
  return storeFor("");
}

function byteLengthOf(whole: FullResult): number {
  return "text" in whole ? Buffer.byteLength(whole.text) : whole.bytes.byteLength;
}
