import type { Diagnostic } from "../../diagnostics/index.js";
import { isObject } from "../../json.js";
import { type Limits, limits } from "../limits.js";
import { failure } from "../types.js";
import type { FileStore } from "./file-store.js";
import { findRefLoop } from "./reference-cycles.js";
import { RefResolver, rejectTarget } from "./resolve-reference.js";
import { type RefOccurrence, RefScanner, type RefTarget } from "./scan-references.js";

/**
 * A reference without a target, or with a forbidden one. A problem without a location concerns the
 * reference itself.
 */
export interface BrokenRef {
  readonly occurrence: RefOccurrence;
  readonly problem: Diagnostic;
}

/** All references of a document with their targets. */
export interface ResolvedRefs {
  readonly targets: ReadonlyMap<RefOccurrence, RefTarget>;
  /** Contents of referenced documentation files. */
  readonly texts: ReadonlyMap<RefOccurrence, string>;
  readonly broken: readonly BrokenRef[];
}

/**
 * Follows all references from the main document and opens the files that they name. Starts with the
 * operations, to know which references no operation needs.
 */
export async function crawlReferences(
  store: FileStore,
  bounds: Limits = limits,
): Promise<ResolvedRefs> {
  const queue: RefOccurrence[] = [];
  const search = new RefScanner((site) => queue.push(site));
  const work = new Crawler(store, search, queue, bounds);
  const { main } = store;
  const root = main.source.root as Record<string, unknown>;
  search.scanKey(main, root, "paths", []);
  if (isObject(root.components))
    search.scanKey(main, root.components, "securitySchemes", ["components"]);
  search.scanKey(main, root, "securityDefinitions", []);
  await work.drain();
  search.isNeeded = false;
  search.scanValue(main, root, [], { mode: "keywords", of: "" });
  await work.drain();
  for (const part of search.postponed) search.scanPart(part);
  await work.drain();
  return {
    targets: work.occurrences,
    texts: work.texts,
    broken: [...work.broken, ...findLoops(work)],
  };
}

class Crawler {
  readonly occurrences = new Map<RefOccurrence, RefTarget>();
  readonly texts = new Map<RefOccurrence, string>();
  readonly broken: BrokenRef[] = [];
  readonly resolver: RefResolver;
  private readonly holders = new Set<object>();

  constructor(
    private readonly store: FileStore,
    private readonly search: RefScanner,
    private readonly queue: RefOccurrence[],
    private readonly bounds: Limits,
  ) {
    this.resolver = new RefResolver(store);
  }

  async drain(): Promise<void> {
    // `shift` is slow for long arrays.
    for (let i = 0; i < this.queue.length; i++)
      await this.resolveOccurrence(this.queue[i] as RefOccurrence);
    this.queue.length = 0;
  }

  private async resolveOccurrence(site: RefOccurrence): Promise<void> {
    if (site.use !== "mapping" && this.holders.has(site.holder)) return; // shared by YAML aliases
    this.holders.add(site.holder);
    if (this.occurrences.size >= this.bounds.refs)
      return void this.broken.push({
        occurrence: site,
        problem: failure(
          "load-too-large",
          `The document has more than ${this.bounds.refs} references`,
          undefined,
          "Bundle it into one file first.",
        ).problem,
      });
    if (site.use === "text") return await this.resolveText(site);
    const target = await this.resolver.resolve(site.file, site.ref, site.tokens);
    const problem =
      target.problem ??
      (site.use === "payload" ? undefined : rejectTarget(site.ref, target.value?.value)?.problem);
    if (problem) return void this.broken.push({ occurrence: site, problem });
    if (!target.value) return;
    const { file, tokens, value } = target.value;
    this.occurrences.set(site, target.value);
    if (site.use !== "mapping") this.resolver.targets.set(site.holder, target.value);
    if (site.use !== "payload") this.search.scanTarget(file, value, tokens, site);
  }

  /** Reads a referenced description: Markdown, or a string in JSON or YAML. */
  private async resolveText(site: RefOccurrence): Promise<void> {
    const isData = site.ref.includes("#") || /\.(?:json|ya?ml)$/i.test(site.ref);
    const result = isData
      ? await this.resolver.resolve(site.file, site.ref, site.tokens)
      : await this.store.openText(site.file, site.ref);
    if (result.problem) return void this.broken.push({ occurrence: site, problem: result.problem });
    const text: unknown = typeof result.value === "string" ? result.value : result.value?.value;
    if (typeof text === "string") this.texts.set(site, text);
    else
      this.broken.push({
        occurrence: site,
        problem: failure("load-ref-broken", "", undefined).problem,
      });
  }
}

/** Finds references that refer only to themselves, one cycle after the other. */
function findLoops(work: Crawler): BrokenRef[] {
  const byHolder = new Map<object, RefOccurrence>();
  for (const site of work.occurrences.keys())
    if (site.use === "structure") byHolder.set(site.holder, site);
  const cut = new Set<object>();
  const follow = (holder: Record<string, unknown>): unknown =>
    cut.has(holder) ? undefined : work.resolver.targets.get(holder)?.value;
  const cycles: BrokenRef[] = [];
  for (;;) {
    const holders = [...byHolder.values()].map(({ holder }) => holder);
    const loop = findRefLoop(holders, follow)?.flatMap((node) => byHolder.get(node) ?? []);
    const first = loop?.find(({ isNeeded: needed }) => needed) ?? loop?.[0];
    if (!loop || !first || cycles.length >= 20) return cycles;
    cut.add(first.holder);
    cycles.push({ occurrence: first, problem: circularProblem(loop, first) });
  }
}

function circularProblem(loop: readonly RefOccurrence[], first: RefOccurrence): Diagnostic {
  const start = loop.indexOf(first);
  const names = [...loop.slice(start), ...loop.slice(0, start)].map(({ ref }) =>
    ref.slice(ref.lastIndexOf("/") + 1),
  );
  return failure(
    "load-ref-circular",
    `Circular $ref: ${[names.at(-1), ...names].join(" -> ")}`,
    undefined,
    "Break the cycle: define one of them without a $ref.",
  ).problem;
}
