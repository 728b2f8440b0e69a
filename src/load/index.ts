import type { LoadOptions, LoadResult } from "./types.js";
export type * from "./types.js";
/** stub */
export async function load(_source: string, _options: LoadOptions = {}): Promise<LoadResult> { throw new Error("load"); }
