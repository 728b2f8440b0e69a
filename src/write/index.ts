import type { GeneratedFile } from "../render/types.js";
import type { WriteOptions, WriteResult } from "./types.js";
export type * from "./types.js";
export async function write(_files: readonly GeneratedFile[], _outDir: string, _options: WriteOptions = {}): Promise<WriteResult> { throw new Error("write"); }
