import type { ResourceLink } from "@modelcontextprotocol/server";

/** A result as a whole, when only a part of it is shown. */
export type Whole =
  | { readonly mimeType: string; readonly text: string }
  | { readonly mimeType: string; readonly bytes: Uint8Array };

/** What `resources/read` gives. */
export type KeptContents = { readonly uri: string; readonly mimeType: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);

/** Results that were too large to be shown; see `createKept`. */
export interface Kept {
  /** How long a result is kept, in words. */
  readonly howLong: string;
  /** Keeps a result of a tool; `undefined` when it is larger than all that may be kept. */
  keep(tool: string, whole: Whole): ResourceLink | undefined;
  /** `undefined` when there is nothing of this URI, or nothing any more. */
  read(uri: string): KeptContents | undefined;
  /** What one caller keeps and reads: results of others are not there. */
  of(caller: string): Kept;
}

const keptMs = 600_000;

interface Entry {
  readonly whole: Whole;
  readonly caller: string;
  readonly bytes: number;
  readonly until: number;
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
export function createKept(maxBytes: number, now: () => number = () => performance.now()): Kept {
  // A Map keeps the order in which entries came, which is the order in which they grow old.
  const entries = new Map<string, Entry>();
  let total = 0;

  function drop(uri: string, { bytes }: Entry): void {
    entries.delete(uri);
    total -= bytes;
  }

  function makeRoom(bytes: number): void {
    for (const [uri, entry] of entries) {
      if (entry.until > now() && total + bytes <= maxBytes) return;
      drop(uri, entry);
    }
  }

  const keptOf = (caller: string): Kept => ({
    howLong: `${keptMs / 60_000} minutes`,
    of: keptOf,
    keep(tool, whole) {
      const bytes = "text" in whole ? 2 * whole.text.length : whole.bytes.byteLength;
      if (bytes > maxBytes) return undefined;
      makeRoom(bytes);
      const uri = `result://${tool}/${crypto.randomUUID()}`;
      entries.set(uri, { whole, caller, bytes, until: now() + keptMs });
      total += bytes;
      return {
        type: "resource_link",
        uri,
        name: `${tool} result`,
        mimeType: whole.mimeType,
        size: sizeOf(whole),
      };
    },
    read(uri) {
      const entry = entries.get(uri);
      if (entry?.caller !== caller) return undefined;
      if (entry.until <= now()) return void drop(uri, entry);
      const { whole } = entry;
      return {
        uri,
        mimeType: whole.mimeType,
        ...("text" in whole ? { text: whole.text } : { blob: base64(whole.bytes) }),
      };
    },
  });
  return keptOf("");
}

function sizeOf(whole: Whole): number {
  return "text" in whole ? Buffer.byteLength(whole.text) : whole.bytes.byteLength;
}

/** Bytes as MCP writes them. */
export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
