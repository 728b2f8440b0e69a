/**
 * Runs that would change nothing, in the user's cache folder. An entry is used only if every file
 * and URL that was read has the same content, and every generated file is as the run left it.
 */
import { join } from "node:path";
import type { GenerateResult } from "../generate.js";
import { onFileContent, onUrlFetched } from "../load/index.js";
import { listFiles } from "../render/templates/read.js";
import { type OutputPath, outputPaths, outputState } from "../write/output-state.js";
import { isUrl, realPath } from "./configuration.js";
import { isUnchanged, summarize } from "./summary.js";
import { documentsOf, type ResolvedCommand } from "./resolved-command.js";
import { pathKind } from "./terminal.js";
import { areUrlsUnchanged, type UrlState, urlState } from "./url-states.js";
import {
  areUnchanged,
  type CacheEntry,
  cacheKey,
  digestOf,
  openEntry,
  ReadFiles,
  sha256,
  toPairs,
} from "./user-cache.js";

/** A run that changed nothing, as it would be printed. */
interface UnchangedRun {
  readonly summary: string;
  /** Number of warnings, which `--strict` treats as errors. */
  readonly warnings: number;
}

interface Entry extends UnchangedRun {
  readonly inputs: readonly (readonly [path: string, digest: string | null])[];
  readonly urls: readonly UrlState[];
  readonly templates: string;
  /** Digest of `src/custom`, whose tools the output names. */
  readonly custom: string;
  readonly outputs: readonly OutputPath[];
  readonly state: string;
}

const MAX_ENTRIES = 200;

/**
 * Opens the cache of a command. Undefined if its output is more than a summary, if its document can
 * be read only once, and for `--check` in CI, where a cache may be that of another branch.
 */
export function openRunCache(run: ResolvedCommand): RunCache | undefined {
  const { outDir, options } = run;
  const { cache, watch, json, verbose, check } = options;
  if (outDir === undefined || cache === false || watch || json || verbose) return undefined;
  if (check && process.env["CI"]) return undefined;
  const isReadable = (source: string): boolean => isUrl(source) || pathKind(source) === "file";
  if (!documentsOf(run).every(isReadable)) return undefined;
  return new RunCache(run, outDir);
}

class RunCache {
  readonly #run: ResolvedCommand;
  readonly #outDir: string;
  readonly #entry: CacheEntry;
  readonly #templates: string;
  readonly #custom: string;
  readonly #inputs = new ReadFiles();
  readonly #urls = new Map<string, UrlState | undefined>();

  constructor(run: ResolvedCommand, outDir: string) {
    this.#run = run;
    this.#outDir = outDir;
    this.#entry = openEntry("runs", keyOf(run, outDir), MAX_ENTRIES);
    this.#templates = digestOfTemplates(run);
    this.#custom = digestOfFolder(join(outDir, "src/custom"));
  }

  /** The stored run, if this one would change nothing either. */
  async read(): Promise<UnchangedRun | undefined> {
    const entry = this.#entry.read() as Entry | undefined;
    if (!entry || (this.#run.options.strict && entry.warnings > 0)) return undefined;
    const isSame =
      entry.templates === this.#templates &&
      entry.custom === this.#custom &&
      areUnchanged(entry.inputs) &&
      outputState(this.#outDir, entry.outputs) === entry.state &&
      (await areUrlsUnchanged(entry.urls, this.#run));
    return isSame ? entry : undefined;
  }

  /** Runs an action, and notes the files and URLs that it reads. */
  async observe<T>(action: () => Promise<T>): Promise<T> {
    onFileContent((path, content) => this.#inputs.add(path, content));
    onUrlFetched((url, fetched) => this.#urls.set(url.href, urlState(url, fetched)));
    try {
      return await action();
    } finally {
      onFileContent(undefined);
      onUrlFetched(undefined);
    }
  }

  /** Stores a run after which the next one would change nothing. Never throws. */
  store(result: GenerateResult): void {
    const written = asUnchanged(result, this.#run);
    const urls = [...this.#urls.values()];
    const { digests } = this.#inputs;
    if (!digests || !written || !result.files || !urls.every((url) => url !== undefined)) return;
    const outputs = outputPaths(result.files);
    const state = outputState(this.#outDir, outputs, createdContents(result));
    if (state === undefined) return;
    if (digestOfTemplates(this.#run) !== this.#templates) return;
    const custom = digestOfFolder(join(this.#outDir, "src/custom"));
    // The first run writes the folder.
    if (this.#custom !== "" && custom !== this.#custom) return;
    const warnings = result.diagnostics.filter(({ severity }) => severity === "warning").length;
    const summary = summarize({ ...result, written }, this.#run);
    const entry: Entry = {
      inputs: toPairs(digests),
      urls,
      templates: this.#templates,
      custom,
      outputs,
      state,
      summary,
      warnings,
    };
    this.#entry.store(entry);
  }
}

/** Contents of the files that the run created, by path. */
function createdContents({ files = [], written }: GenerateResult): ReadonlyMap<string, string> {
  const created = new Set(written?.created);
  return new Map(
    files.flatMap(({ path, content }) => (created.has(path) ? [[path, content] as const] : [])),
  );
}

/** Everything that decides the output, except contents. Other options decide what is printed. */
function keyOf(run: ResolvedCommand, outDir: string): string {
  const { apis, options, configuration, configurationFile } = run;
  const { check, dryRun, quiet, strict, force, ci, output, config, cache, timings, ...decisive } =
    options;
  const documents = documentsOf(run).map((source) => [
    source,
    ...(isUrl(source) ? [] : [realPath(source)]),
  ]);
  const names = apis?.map(({ name }) => name ?? null);
  const { content, settings } = configuration ?? {};
  return cacheKey([
    "run",
    documents,
    names,
    outDir,
    decisive,
    configurationFile,
    content,
    settings,
  ]);
}

/** Digest of the custom templates; empty without any. */
function digestOfTemplates({ options, configuration }: ResolvedCommand): string {
  const folder = options.templates ?? configuration?.settings.templates;
  return folder === undefined ? "" : digestOfFolder(folder);
}

/** Digest of the files of a folder; empty if it cannot be read. */
function digestOfFolder(folder: string): string {
  try {
    return sha256(JSON.stringify(listFiles(folder).map((path) => [path, digestOf(path)])));
  } catch {
    return "";
  }
}

/**
 * The result that the next run would have. Undefined if this run wrote nothing, although there was
 * something to write, and if that is not certain.
 */
function asUnchanged(
  { ok, written }: GenerateResult,
  { options }: ResolvedCommand,
): GenerateResult["written"] {
  if (!ok || !written || written.diagnostics.length > 0) return undefined;
  if (isUnchanged(written)) return written;
  const { created, updated, unchanged, refused, preserved } = written;
  const isWritten = options.dryRun !== true && options.check !== true;
  if (!isWritten || refused.length > 0 || preserved.length > 0) return undefined;
  const count = created.length + updated.length + unchanged;
  return { ...written, created: [], updated: [], deleted: [], unchanged: count };
}
