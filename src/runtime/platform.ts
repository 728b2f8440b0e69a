import type { Folder } from "./files/folder.js";
import type { SendFunction } from "./client/index.js";

/**
 * What only some platforms can do. It is handed in by what starts the server, so that nothing else
 * has to import `node:` modules: the same tools run in Cloudflare Workers, Deno and Bun.
 */
export interface Platform {
  /** Reads a text file that the owner of the server names. */
  readTextFile?(path: string): Promise<string>;
  /**
   * Opens the folder in which tools may read and save files. @returns what is wrong with it, as a
   * clause, when it cannot be used
   */
  openFolder?(path: string): Promise<Folder | string>;
  /**
   * Sends requests to the API in the place of `fetch`, and presents client certificates (mutual
   * TLS), which that cannot.
   */
  readonly send?: SendFunction;
}
