import type { Folder } from "../files/files.js";
import type { SendFunction } from "./types.js";

/**
 * Functions that only some platforms have. The entry point passes them in, so that no other module
 * imports `node:` modules: the same tools run in Cloudflare Workers, Deno and Bun.
 */
export interface Platform {
  /** Reads a text file that a setting names. */
  readTextFile?(path: string): Promise<string>;
  /**
   * Opens the folder in which tools may read and save files.
   * @returns the folder, or the problem as a clause without a subject
   */
  openFolder?(path: string): Promise<Folder | string>;
  /** Sends requests to the API instead of `fetch`, which cannot present client certificates. */
  readonly send?: SendFunction;
}
