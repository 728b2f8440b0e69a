import { basename, join, resolve } from "node:path";
import { type Diagnostic, isError, type SourceLocation } from "../diagnostics/index.js";
import type { JsonObject } from "../json.js";
import { parseFile, type ParsedFile } from "./parse-file.js";
import { loadParsed } from "./index.js";
import { limits } from "./limits.js";
import { success, type Outcome } from "./outcome.js";
import { parsePointerFragment } from "../json-pointer.js";
import { FileStore, documentKey, type StoredFile } from "./refs/file-store.js";
import { readFile } from "./source/read-file.js";
import { measureGraph } from "./document-stats.js";
import { looksLikeUrl } from "./source/fetch-url.js";
import type { LoadOptions, LoadResult } from "./types.js";

/** A file that a workflow document stands in, or that one names as its source. */
export interface OpenedFile {
  /** The same for every way to write the address of one file. */
  readonly key: string;
  readonly label: string;
  readonly name: string;
  readonly root: unknown;
  readonly warnings: readonly Diagnostic[];
  /** Opens what this file names, by the rules of its `$ref`s. */
  open(address: string): Promise<Outcome<OpenedFile>>;
  /** The key of what an address names, without opening it. */
  resolveKey(address: string): Outcome<string>;
  /**
   * Whether an address leads to a file that was named on the command line: what the user named is
   * no secret, wherever it is.
   */
  refersTo(address: string, source: string): boolean;
  /**
   * This file as an API document; or another document in its place, whose `$ref`s lead from here.
   */
  loadAsApi(instead?: JsonObject): Promise<LoadResult>;
  /** Adds line and column to a place in this file. */
  locate(location: SourceLocation): SourceLocation;
}

/** The key of a document that was named on the command line. */
export function sourceKey(source: string, url: string | undefined): string {
  if (url !== undefined && URL.canParse(url)) return documentKey({ url: new URL(url) });
  return documentKey(source === "-" || looksLikeUrl(source) ? {} : { path: source });
}

/**
 * Opens a file that the user named, to read further files from it: relative paths in its folder (or
 * `refRoot`), URLs on the hosts that are allowed, as for `$ref`s.
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
      const [found, its] = [await store.open(stored, address), store.keyOf(stored, address)];
      if (found.problem) return found;
      return its.problem ? its : success(toOpenedFile(store, found.value, its.value, options));
    },
    refersTo: (address, named) =>
      stored.base.kind === "folder" &&
      named !== "-" &&
      !looksLikeUrl(named) &&
      !looksLikeUrl(address) &&
      isSamePath(join(stored.base.folder, address), named),
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

/** Compared by name, with the links of the one that was named resolved. */
function isSamePath(path: string, named: string): boolean {
  return resolve(path) === resolve(named) || resolve(path) === documentKey({ path: named });
}

/** Small, and made from what was surveyed already. */
function replaceRoot(source: ParsedFile, root: JsonObject): ParsedFile {
  const stats = measureGraph(root);
  return { ...source, root, stats: "kind" in stats ? source.stats : stats, warnings: [] };
}

/** Where the `$ref`s of a source lead from: its own folder or URL. */
function refBase(
  { base }: StoredFile,
  name: string,
): { readonly path?: string; readonly url?: URL } {
  if (base.kind === "url") return { url: base.url };
  return base.kind === "folder" ? { path: join(base.folder, name) } : {};
}

/** Whether a file could not be had at all, rather than being broken. */
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
