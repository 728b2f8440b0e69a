import { canParseUrl } from "../runtime/data/urls.js";
import { basename, join, resolve } from "node:path";
import { type Diagnostic, isError, type SourceLocation } from "../diagnostics/index.js";
import type { JsonObject } from "../json.js";
import { parseFile, type ParsedFile } from "./parse-file.js";
import { loadParsed } from "./index.js";
import { limits, measureGraph } from "./limits.js";
import { parsePointerFragment } from "../json-pointer.js";
import { FileStore, documentKey, type StoredFile } from "./refs/file-store.js";
import { readFile } from "./source/read-file.js";
import { looksLikeUrl } from "./source/fetch-url.js";
import { success, type LoadOptions, type LoadResult, type Outcome } from "./types.js";

/** A workflow document, or a file that one names as a source. */
export interface OpenedFile {
  /** Canonical identity of the file, independent of how its address is spelled. */
  readonly key: string;
  readonly label: string;
  readonly name: string;
  readonly root: unknown;
  readonly warnings: readonly Diagnostic[];
  /** Opens a file that this one names, by the policy for `$ref`s. */
  open(address: string): Promise<Outcome<OpenedFile>>;
  /** Key of the file at an address, without opening it. */
  resolveKey(address: string): Outcome<string>;
  /**
   * True when an address refers to a file named on the command line, which may lie outside of the
   * allowed folder.
   */
  refersTo(address: string, source: string): boolean;
  /** Loads this file as an API document, or another document with the same base for `$ref`s. */
  loadAsApi(instead?: JsonObject): Promise<LoadResult>;
  /** Adds line and column to a location in this file. */
  locate(location: SourceLocation): SourceLocation;
}

/** Key of a document that was named on the command line. */
export function sourceKey(source: string, url: string | undefined): string {
  if (url !== undefined && canParseUrl(url)) return documentKey({ url: new URL(url) });
  return documentKey(source === "-" || looksLikeUrl(source) ? {} : { path: source });
}

/**
 * Opens a file from which further files are read: relative paths in its folder (or `refRoot`), and
 * URLs on allowed hosts, as for `$ref`s.
 */
export async function openSource(path: string, options: LoadOptions): Promise<Outcome<OpenedFile>> {
  const read = await readFile(path, path, limits);
  const parsed = read.problem ? read : await parseFile(read.value, path);
  if (parsed.problem) return parsed;
  const store = new FileStore(parsed.value, { path }, options);
  return success(toOpenedFile(store, store.main, documentKey({ path }), options));
}

function toOpenedFile(
  store: FileStore,
  stored: StoredFile,
  key: string,
  options: LoadOptions,
): OpenedFile {
  const { source } = stored;
  const name = basename(source.label);
  return {
    key,
    name,
    label: source.label,
    root: source.root,
    warnings: source.warnings,
    resolveKey: (address) => store.keyOf(stored, address),
    open: async (address) => {
      const [file, key] = [await store.open(stored, address), store.keyOf(stored, address)];
      if (file.problem) return file;
      return key.problem ? key : success(toOpenedFile(store, file.value, key.value, options));
    },
    refersTo: (address, source) =>
      stored.base.kind === "folder" &&
      source !== "-" &&
      !looksLikeUrl(source) &&
      !looksLikeUrl(address) &&
      isSamePath(join(stored.base.folder, address), source),
    loadAsApi: async (instead) =>
      await loadParsed(
        instead ? replaceRoot(source, instead) : source,
        { label: source.label, name, ...refBase(stored, name) },
        options,
        instead ? [] : source.warnings,
      ),
    locate: (location) =>
      location.file === source.label && location.line === undefined
        ? { ...location, ...source.positionOf(parsePointerFragment(location.pointer)) }
        : location,
  };
}

/** Compares paths; symbolic links in the named one are resolved. */
function isSamePath(path: string, source: string): boolean {
  return resolve(path) === resolve(source) || resolve(path) === documentKey({ path: source });
}

/** Replaces the parsed data of a file. The data is derived from measured data. */
function replaceRoot(source: ParsedFile, root: JsonObject): ParsedFile {
  const stats = measureGraph(root);
  return { ...source, root, stats: "kind" in stats ? source.stats : stats, warnings: [] };
}

/** Base of the `$ref`s of a source: its folder or URL. */
function refBase(
  { base }: StoredFile,
  name: string,
): { readonly path?: string; readonly url?: URL } {
  if (base.kind === "url") return { url: base.url };
  return base.kind === "folder" ? { path: join(base.folder, name) } : {};
}

/** True for a file that could not be retrieved; false for one that is invalid. */
export function isUnavailable(problem: Diagnostic): boolean {
  return (
    isError(problem) &&
    [
      "load-ref-rejected",
      "load-not-found",
      "load-fetch-failed",
      "load-url-rejected",
      "load-not-a-file",
    ].includes(problem.code)
  );
}
