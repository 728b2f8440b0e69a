import type { Diagnostic } from "../../diagnostics/index.js";
import { isError } from "../../diagnostics/index.js";
import { resolvePointer, toPointer } from "../pointer.js";
import type { SpecVersion } from "../types.js";
import type { Origin } from "./adopt.js";
import { crawl, type Crawled } from "./crawl.js";
import type { FileStore } from "./file-store.js";
import { judge, takeOut } from "./judge.js";
import { areLocalAndSound } from "./local.js";
import type { Site, Target } from "./site.js";

export interface Resolved {
  /** The document with local references only. Absent when a reference stops the run. */
  readonly root?: Readonly<Record<string, unknown>>;
  readonly diagnostics: readonly Diagnostic[];
  /** Where objects that came from other files were written. */
  readonly origins: ReadonlyMap<object, Origin>;
}

/**
 * Resolves all references of the store's main document, opening other files only when it has
 * references to them.
 * @param added references that the document got after it was read
 */
export async function resolveRefs(
  store: FileStore,
  version: SpecVersion,
  added: readonly string[] = [],
): Promise<Resolved> {
  const root = store.main.source.root as Record<string, unknown>;
  const origins = new Map<object, Origin>();
  if (added.length === 0 && areLocalAndSound(root, store.main.source.survey.refs))
    return { root, diagnostics: [], origins };
  const crawled = await crawl(store);
  const warnings = store.all.filter(({ id }) => id !== 0).flatMap(({ source }) => source.warnings);
  const diagnostics = [...warnings, ...judge(crawled.broken)];
  if (diagnostics.some(isError)) return { diagnostics, origins };
  takeOut(crawled.broken);
  const references = inline(crawled, root);
  if (![...references.values()].some(({ file }) => file.id !== 0))
    return { root, diagnostics, origins };
  const { bundle } = await import("./bundle.js");
  const joined = await bundle(store, references, version, origins);
  return joined.problem
    ? { diagnostics: [...diagnostics, joined.problem], origins }
    : { root: joined.value, diagnostics, origins };
}

/**
 * Puts texts and whole examples where their references stood, and writes local references that work
 * only through others, or by a name, as plain pointers.
 * @returns the references that remain
 */
function inline(crawled: Crawled, root: Record<string, unknown>): ReadonlyMap<Site, Target> {
  const rest = new Map<Site, Target>();
  for (const [site, text] of crawled.texts) put(site, text);
  const out = new Set(crawled.broken.map(({ site }) => site)); // circular ones are resolved, but taken out
  for (const [site, target] of crawled.sites) {
    if (out.has(site)) continue;
    const isLocal = site.file.id === 0 && target.file.id === 0;
    if (site.use !== "payload") rest.set(site, target);
    else if (!isLocal) put(site, target.value);
    if (
      isLocal &&
      site.use !== "payload" &&
      site.use !== "mapping" &&
      resolvePointer(root, site.ref) !== target.value
    )
      site.holder.$ref = toPointer(target.tokens).replaceAll("%", "%25");
  }
  return rest;
}

function put(site: Site, value: unknown): void {
  if (!Array.isArray(site.parent))
    Object.defineProperty(site.parent, site.key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
}
