import { type Diagnostic, isError, type Place } from "../diagnostics/index.js";
import type { JsonObject } from "../json.js";
import { type Located, locateIn } from "./locate.js";
import { parseFile, type SourceFile } from "./file.js";
import { hasNoPaths, noOperations, wrongOutline } from "./outline.js";
import type { Overlaid } from "./overlays.js";
import { resolveRefs } from "./refs/index.js";
import { FileStore } from "./refs/file-store.js";
import { readSource, type Source } from "./source/index.js";
import { publicUrl } from "./source/url-rules.js";
import type { LoadOptions, LoadResult, SpecVersion } from "./types.js";
import { detectVersion } from "./version.js";

export type * from "./types.js";
export { resolvePointer } from "./pointer.js";
export { onRead } from "./source/reads.js";
export { readTextFile } from "./text-file.js";

/**
 * Reads an OpenAPI document (Swagger 2.0, OpenAPI 3.0, 3.1, 3.2) as plain data with local
 * references only.
 *
 * @param source a path, `-` for standard input, or an `https:` (or loopback `http:`) URL; JSON or
 *   YAML 1.2
 * @returns the document, or exactly one error that says what is wrong, where, and what to do;
 *   warnings beside it. Never throws for what a source holds.
 */
export async function load(source: string, options: LoadOptions = {}): Promise<LoadResult> {
  const read = await readSource(source, options.stdin);
  if (read.problem) return refused([read.problem]);
  const parsed = await parseFile(read.value.bytes, read.value.label);
  if (parsed.problem) return refused([parsed.problem]);
  const overlaid = await withOverlays(parsed.value, options.overlays ?? []);
  if (!overlaid.file) return refused(overlaid.diagnostics);
  return await loadParsed(overlaid.file, read.value, options, [
    ...parsed.value.warnings,
    ...overlaid.diagnostics,
  ]);
}

/** Resolves what a parsed document refers to. */
export async function loadParsed(
  file: SourceFile,
  source: Omit<Source, "bytes">,
  options: LoadOptions,
  before: readonly Diagnostic[],
): Promise<LoadResult> {
  const store = new FileStore(file, source, options);
  const { label } = source;
  const detected = detectVersion(file.root, label);
  if (detected.problem) return finish(store, [detected.problem]);
  const { version, warnings } = detected.value;
  const written = file.root as JsonObject;
  const early =
    wrongOutline(written, label) ??
    (hasNoPaths(written) ? noOperations(written, version, label) : undefined);
  if (early?.problem) return finish(store, [...warnings, early.problem]);
  const named =
    version === "3.2"
      ? (await import("./scheme-refs.js")).nameSchemes(file.root as Record<string, unknown>)
      : [];
  const resolved = await resolveRefs(store, version, named);
  const diagnostics = [...before, ...warnings, ...resolved.diagnostics];
  const empty =
    resolved.root &&
    (wrongOutline(resolved.root as JsonObject, label) ??
      noOperations(resolved.root as JsonObject, version, label));
  if (!resolved.root || empty)
    return finish(store, [...diagnostics, ...(empty?.problem ? [empty.problem] : [])]);
  const located: Located = {
    main: store.main,
    files: store.all,
    root: resolved.root,
    origins: resolved.origins,
  };
  return finish(
    store,
    diagnostics,
    located,
    document(source, version, resolved.root as JsonObject),
  );
}

/** The overlays, and what applies them, are loaded only when there are any. */
async function withOverlays(file: SourceFile, paths: readonly string[]): Promise<Overlaid> {
  if (paths.length === 0) return { file, diagnostics: [] };
  const { applyOverlays } = await import("./overlays.js");
  return await applyOverlays(file, paths);
}

function document(
  { label, name, url }: Omit<Source, "bytes">,
  version: SpecVersion,
  root: JsonObject,
): LoadResult["document"] {
  return { source: label, name, version, root, ...(url && { url: publicUrl(url) }) };
}

function finish(
  store: FileStore,
  diagnostics: readonly Diagnostic[],
  located?: Located,
  made?: LoadResult["document"],
): LoadResult {
  const known: Located = located ?? {
    main: store.main,
    files: store.all,
    root: undefined,
    origins: new Map(),
  };
  const locate = (place: Place): Place => locateIn(known, place);
  const all = diagnostics.map((d) => (d.place ? { ...d, place: locate(d.place) } : d));
  return { ...(made && !all.some(isError) && { document: made }), diagnostics: all, locate };
}

/** Nothing could be read: places are as exact as they get. */
function refused(diagnostics: readonly Diagnostic[]): LoadResult {
  return { diagnostics, locate: (place) => place };
}
