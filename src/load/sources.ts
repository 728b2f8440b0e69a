import { basename, join, resolve } from "node:path";
import { type Diagnostic, isError, type Place } from "../diagnostics/index.js";
import type { JsonObject } from "../json.js";
import { parseFile, type SourceFile } from "./file.js";
import { loadParsed } from "./index.js";
import { limits } from "./limits.js";
import { ok, type Outcome } from "./outcome.js";
import { pointerTokens } from "./pointer.js";
import { FileStore, mainKey, type StoredFile } from "./refs/file-store.js";
import { readFile } from "./source/read-file.js";
import { surveyGraph } from "./survey.js";
import { looksLikeUrl } from "./source/url-rules.js";
import type { LoadOptions, LoadResult } from "./types.js";

/** A file that a workflow document stands in, or that one names as its source. */
export interface OpenFile {
  /** The same for every way to write the address of one file. */
  readonly key: string;
  readonly label: string;
  readonly name: string;
  readonly root: unknown;
  readonly warnings: readonly Diagnostic[];
  /** Opens what this file names, by the rules of its `$ref`s. */
  open(address: string): Promise<Outcome<OpenFile>>;
  /** The key of what an address names, without opening it. */
  keyOf(address: string): Outcome<string>;
  /**
   * Whether an address leads to a file that was named on the command line: what the user named is
   * no secret, wherever it is.
   */
  leadsTo(address: string, source: string): boolean;
  /**
   * This file as an API document; or another document in its place, whose `$ref`s lead from here.
   */
  asApi(instead?: JsonObject): Promise<LoadResult>;
  /** Adds line and column to a place in this file. */
  locate(place: Place): Place;
}

/** The key of a document that was named on the command line. */
export function keyOfSource(source: string, url: string | undefined): string {
  if (url !== undefined && URL.canParse(url)) return mainKey({ url: new URL(url) });
  return mainKey(source === "-" || looksLikeUrl(source) ? {} : { path: source });
}

/**
 * Opens a file that the user named, to read further files from it: relative paths in its folder (or
 * `refRoot`), URLs on the hosts that are allowed, as for `$ref`s.
 */
export async function openSource(path: string, options: LoadOptions): Promise<Outcome<OpenFile>> {
  const read = await readFile(path, path, limits);
  const parsed = read.problem ? read : await parseFile(read.value, path);
  if (parsed.problem) return parsed;
  const store = new FileStore(parsed.value, { path }, options);
  return ok(opened(store, store.main, mainKey({ path }), options));
}

function opened(store: FileStore, stored: StoredFile, key: string, options: LoadOptions): OpenFile {
  const { source } = stored;
  const name = basename(source.label);
  return {
    key,
    name,
    label: source.label,
    root: source.root,
    warnings: source.warnings,
    keyOf: (address) => store.keyOf(stored, address),
    open: async (address) => {
      const [found, its] = [await store.open(stored, address), store.keyOf(stored, address)];
      if (found.problem) return found;
      return its.problem ? its : ok(opened(store, found.value, its.value, options));
    },
    leadsTo: (address, named) =>
      stored.base.kind === "folder" &&
      named !== "-" &&
      !looksLikeUrl(named) &&
      !looksLikeUrl(address) &&
      sameFile(join(stored.base.folder, address), named),
    asApi: async (instead) =>
      await loadParsed(
        instead ? standIn(source, instead) : source,
        { label: source.label, name, ...originOf(stored, name) },
        options,
        instead ? [] : source.warnings,
      ),
    locate: (place) =>
      place.file === source.label && place.line === undefined
        ? { ...place, ...source.positionOf(pointerTokens(place.pointer)) }
        : place,
  };
}

/** Compared by name, with the links of the one that was named resolved. */
function sameFile(path: string, named: string): boolean {
  return resolve(path) === resolve(named) || resolve(path) === mainKey({ path: named });
}

/** Small, and made from what was surveyed already. */
function standIn(source: SourceFile, root: JsonObject): SourceFile {
  const survey = surveyGraph(root);
  return { ...source, root, survey: "kind" in survey ? source.survey : survey, warnings: [] };
}

/** Where the `$ref`s of a source lead from: its own folder or URL. */
function originOf(
  { base }: StoredFile,
  name: string,
): { readonly path?: string; readonly url?: URL } {
  if (base.kind === "url") return { url: base.url };
  return base.kind === "folder" ? { path: join(base.folder, name) } : {};
}

/** Whether a file could not be had at all, rather than being broken. */
export function isOutOfReach(problem: Diagnostic): boolean {
  return (
    isError(problem) &&
    [
      "load-ref-refused",
      "load-not-found",
      "load-fetch-failed",
      "load-url-refused",
      "load-not-a-file",
    ].includes(problem.code)
  );
}
