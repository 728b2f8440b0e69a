/** Stands in for files as inputs: no operation of this project has a request body. */
import type { LocalFilesResult } from "./files.js";
import type { ToolInput } from "../types.js";

export async function readLocalFiles(
  input: ToolInput,
  ..._: readonly unknown[]
): Promise<LocalFilesResult> {
  return { ok: true, input };
}
