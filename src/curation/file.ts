import type { Diagnostic } from "../diagnostics/index.js";
import { readTextFile } from "../load/index.js";
import { settingsOf } from "./settings.js";
import type { Curated } from "./types.js";

/** A curation file that was read, or why it cannot be used. */
export interface CurationFile {
  readonly curated?: Curated;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a curation file (`mcp-gen.yaml`), for `generate(…, { curation })`.
 * @param path as messages call it; the paths in the file are relative to it
 * @returns the curation, or an error for each fault with line, column and the nearest right word
 */
export async function readCurationFile(path: string): Promise<CurationFile> {
  const text = await readTextFile(path);
  if (text.problem) return { diagnostics: [text.problem] };
  const { readCuration } = await import("./read.js"); // with its YAML parser and validator
  const { curation, placeOf, diagnostics } = readCuration(text.value, path);
  return {
    ...(curation && { curated: { curation, placeOf, settings: settingsOf(curation, path) } }),
    diagnostics,
  };
}
