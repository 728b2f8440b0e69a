import { type Diagnostic, isError } from "../../diagnostics/index.js";
import { formatPointerFragment, resolvePointer } from "../../json-pointer.js";
import type { SpecVersion } from "../types.js";
import { crawlReferences, type ResolvedRefs } from "./crawl-references.js";
import type { FileStore } from "./file-store.js";
import type { Origin } from "./hoist-components.js";
import { areRefsLocalAndValid } from "./reference-cycles.js";
import { markBrokenRefs, reportBrokenRefs } from "./report-broken-refs.js";
import type { RefOccurrence, RefTarget } from "./scan-references.js";

interface ResolvedDocument {
  /** Document with local references only. Absent after an error. */
  readonly root?: Readonly<Record<string, unknown>>;
  readonly diagnostics: readonly Diagnostic[];
  /** See `ApiDocument.brokenRefs`. */
  readonly brokenRefs?: ReadonlyMap<string, Diagnostic>;
  /** Original location of objects from other files. */
  readonly origins: ReadonlyMap<object, Origin>;
}

/**
 * Resolves all references of the store's main document. Opens other files only for references to
 * them.
 * @param added references that were added to the document after parsing
 */
export async function resolveRefs(
  store: FileStore,
  version: SpecVersion,
  added: readonly string[] = [],
): Promise<ResolvedDocument> {
  const root = store.main.source.root as Record<string, unknown>;
  const origins = new Map<object, Origin>();
  if (added.length === 0 && areRefsLocalAndValid(root, store.main.source.stats.refs))
    return { root, diagnostics: [], origins };
  const crawled = await crawlReferences(store);
  const warnings = store.all.filter(({ id }) => id !== 0).flatMap(({ source }) => source.warnings);
  const diagnostics = [...warnings, ...reportBrokenRefs(crawled.broken)];
  if (diagnostics.some(isError)) return { diagnostics, origins };
  const brokenRefs = markBrokenRefs(crawled.broken);
  const references = inlineTexts(crawled, root);
  if (![...references.values()].some(({ file }) => file.id !== 0))
    return { root, diagnostics, brokenRefs, origins };
  const { bundle } = await import("./bundle.js");
  const joined = await bundle(store, references, version, origins);
  return joined.problem
    ? { diagnostics: [...diagnostics, joined.problem], origins }
    : { root: joined.value, diagnostics, brokenRefs, origins };
}

/**
 * Inlines texts and whole examples, and rewrites indirect local references and anchors as plain
 * pointers.
 * @returns the remaining references
 */
function inlineTexts(
  crawled: ResolvedRefs,
  root: Record<string, unknown>,
): ReadonlyMap<RefOccurrence, RefTarget> {
  const remaining = new Map<RefOccurrence, RefTarget>();
  for (const [site, text] of crawled.texts) setProperty(site, text);
  // Circular references have a target, but they are removed.
  const removed = new Set(crawled.broken.map(({ occurrence }) => occurrence));
  for (const [site, target] of crawled.targets) {
    if (removed.has(site)) continue;
    const isLocal = site.file.id === 0 && target.file.id === 0;
    if (site.use !== "payload") remaining.set(site, target);
    else if (!isLocal) setProperty(site, target.value);
    if (
      isLocal &&
      site.use !== "payload" &&
      site.use !== "mapping" &&
      resolvePointer(root, site.ref) !== target.value
    )
      site.holder.$ref = formatPointerFragment(target.tokens).replaceAll("%", "%25");
  }
  return remaining;
}

function setProperty(site: RefOccurrence, value: unknown): void {
  if (!Array.isArray(site.parent))
    Object.defineProperty(site.parent, site.key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
}
