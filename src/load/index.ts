import { type Diagnostic, isError, type SourceLocation } from "../diagnostics/index.js";
import { formatPointerFragment, getChild, parsePointerFragment } from "../json-pointer.js";
import { type JsonObject, omitUndefined } from "../json.js";
import type { OverlayResult } from "./apply-overlays.js";
import { detectVersion } from "./detect-version.js";
import { limits } from "./limits.js";
import type { LoadOptions, LoadResult, Outcome, SpecVersion } from "./types.js";
import { type ParsedFile, parseFile } from "./parse-file.js";
import { FileStore, type StoredFile } from "./refs/file-store.js";
import type { Origin } from "./refs/hoist-components.js";
import { mergeQueryPaths } from "./query-paths.js";
import { resolveRefs } from "./refs/index.js";
import { publicUrl } from "./source/fetch-url.js";
import { type DocumentSource, readSource } from "./source/index.js";
import { readFile } from "./source/read-file.js";
import { validateText } from "./text/validate-text.js";
import {
  hasNoPaths,
  omitInvalidParts,
  requireOperations,
  validatePaths,
} from "./validate-structure.js";

export type * from "./types.js";
export { resolvePointer } from "../json-pointer.js";
export { isLoopback, looksLikeUrl, onUrlFetched } from "./source/fetch-url.js";
export { onFileContent, onFileRead } from "./source/read-file.js";

/**
 * Reads an OpenAPI document (Swagger 2.0, OpenAPI 3.0, 3.1, 3.2) as plain data with local
 * references only. Never throws because of document content.
 *
 * @param source a path, `-` for standard input, or an `https:` (or loopback `http:`) URL; JSON or
 *   YAML 1.2
 * @returns the document, or exactly one error; warnings in both cases
 */
export async function load(source: string, options: LoadOptions = {}): Promise<LoadResult> {
  const read = await readSource(source, options);
  if (read.problem) return rejected([read.problem]);
  const parsed = await parseFile(read.value.bytes, read.value.label);
  if (parsed.problem) return rejected([parsed.problem]);
  const overlaid = await applyOverlayFiles(parsed.value, options.overlays ?? []);
  const diagnostics = [...parsed.value.warnings, ...overlaid.diagnostics];
  if (!overlaid.file) return rejected(diagnostics);
  return await loadParsed(overlaid.file, read.value, options, diagnostics);
}

/**
 * Resolves the references of a parsed document.
 * @param earlier warnings of parsing and of overlays, which the result contains
 */
export async function loadParsed(
  file: ParsedFile,
  source: Omit<DocumentSource, "bytes">,
  options: LoadOptions,
  earlier: readonly Diagnostic[],
): Promise<LoadResult> {
  const store = new FileStore(file, source, options);
  const { label } = source;
  const detected = detectVersion(file.root, label);
  if (detected.problem) return toResult(store, [...earlier, detected.problem]);
  const { version, warnings } = detected.value;
  const root = file.root as JsonObject;
  const diagnostics = [...earlier, ...warnings, ...omitInvalidParts(root, label)];
  mergeQueryPaths(root);
  const fault =
    validatePaths(root, label) ??
    (hasNoPaths(root) ? requireOperations(root, version, label) : undefined);
  if (fault?.problem) return toResult(store, [...diagnostics, fault.problem]);
  const resolved = await resolveRefs(store, version, await referencedSchemes(root, version));
  for (const found of resolved.diagnostics) diagnostics.push(found);
  if (!resolved.root) return toResult(store, diagnostics);
  const bundled = resolved.root as JsonObject;
  const empty = validatePaths(bundled, label) ?? requireOperations(bundled, version, label);
  if (empty?.problem) return toResult(store, [...diagnostics, empty.problem]);
  const index: LocationIndex = {
    main: store.main,
    files: store.all,
    root: bundled,
    origins: resolved.origins,
  };
  const document = toDocument(source, version, bundled, resolved.brokenRefs);
  return toResult(store, diagnostics, index, document);
}

/** References of security requirements to schemes by URI (OpenAPI 3.2, Security Requirement Object). */
async function referencedSchemes(root: JsonObject, version: SpecVersion) {
  if (version !== "3.2") return [];
  const { hoistSecuritySchemes } = await import("./security-schemes.js");
  return hoistSecuritySchemes(root as Record<string, unknown>);
}

/** Applies overlay files; the module for them is loaded only when needed. */
async function applyOverlayFiles(
  file: ParsedFile,
  paths: readonly string[],
): Promise<OverlayResult> {
  if (paths.length === 0) return { file, diagnostics: [] };
  const { applyOverlays } = await import("./apply-overlays.js");
  return await applyOverlays(file, paths);
}

function toDocument(
  { label, name, url }: Omit<DocumentSource, "bytes">,
  version: SpecVersion,
  root: JsonObject,
  broken: ReadonlyMap<string, Diagnostic> | undefined,
): LoadResult["document"] {
  const brokenRefs = broken?.size ? broken : undefined;
  return omitUndefined({
    source: label,
    name,
    version,
    root,
    brokenRefs,
    url: url && publicUrl(url),
  });
}

function toResult(
  store: FileStore,
  diagnostics: readonly Diagnostic[],
  index?: LocationIndex,
  document?: LoadResult["document"],
): LoadResult {
  const locations: LocationIndex = index ?? {
    main: store.main,
    files: store.all,
    root: undefined,
    origins: new Map(),
  };
  const locate = (location: SourceLocation): SourceLocation => findLocation(locations, location);
  const all = diagnostics.map((d) => (d.location ? { ...d, location: locate(d.location) } : d));
  return { ...(document && !all.some(isError) && { document }), diagnostics: all, locate };
}

/** Result for a document that could not be parsed. Its locations are final. */
function rejected(diagnostics: readonly Diagnostic[]): LoadResult {
  return { diagnostics, locate: (location) => location };
}

/** Data for `locate`: the files with their texts, and the origin of each object. */
interface LocationIndex {
  readonly main: StoredFile;
  readonly files: readonly StoredFile[];
  readonly root: unknown;
  readonly origins: ReadonlyMap<object, Origin>;
}

/**
 * Finds the line and column of a location. With a file, its pointer is one into that file. Without,
 * its pointer is one into the bundled document; where an object on the way came from another file,
 * the result is a location in that file.
 */
function findLocation(
  { main, files, root, origins }: LocationIndex,
  location: SourceLocation,
): SourceLocation {
  if (location.line !== undefined) return location;
  const named = files.find(({ source }) => source.label === location.file);
  if (location.file !== undefined && !named) return location;
  if (named)
    return { ...location, ...named.source.positionOf(parsePointerFragment(location.pointer)) };
  let file = main;
  let tokens: string[] = [];
  let value = root;
  for (const token of parsePointerFragment(location.pointer)) {
    tokens.push(token);
    value = getChild(value, token);
    const origin = origins.get(value as object);
    if (!origin) continue;
    file = origin.file;
    tokens = [...origin.tokens];
  }
  const position = file.source.positionOf(tokens);
  const pointer = file === main ? location.pointer : formatPointerFragment(tokens);
  return { ...location, file: file.source.label, pointer, ...position };
}

/** Maximum size of a configuration file, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a UTF-8 text file without its byte order mark.
 * @returns the text, or one problem located in the file
 */
export async function readTextFile(path: string): Promise<Outcome<string>> {
  const read = await readFile(path, path, { ...limits, bytes: MAX_BYTES });
  const text = read.problem ? read : validateText(read.value, path);
  return text.problem ? text : { value: new TextDecoder().decode(text.value) };
}
