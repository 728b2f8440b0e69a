import type { Outcome } from "./outcome.js";
import { limits } from "./limits.js";
import { readFile } from "./source/read-file.js";
import { checkText } from "./text/decode.js";

/** A configuration is small; more than this is another file. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a text file that the user named, in UTF-8, without byte order mark.
 * @returns the text, or the one problem that stands in its way, with the file as its place
 */
export async function readTextFile(path: string): Promise<Outcome<string>> {
  const read = await readFile(path, path, { ...limits, bytes: MAX_BYTES });
  const text = read.problem ? read : checkText(read.value, path);
  return text.problem ? text : { value: new TextDecoder().decode(text.value) };
}
