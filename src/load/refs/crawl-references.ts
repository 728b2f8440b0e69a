import type { Diagnostic } from "../../diagnostics/index.js";
import { isObject } from "../../json.js";
import { type Limits, limits } from "../limits.js";
import { failure } from "../types.js";
import type { FileStore } from "./file-store.js";
import { findRefLoop } from "./reference-cycles.js";
import { RefResolver, rejectTarget } from "./resolve-reference.js";
import { type RefOccurrence, RefScanner, type RefTarget } from "./scan-references.js";

/** Prefix of the `$ref`s that replace broken ones. */
export const BROKEN_REF_PREFIX = "#/x-mcp-gen-broken-ref/";

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
  const scanner = new RefScanner((occurrence) => queue.push(occurrence));
  const crawler = new Crawler(store, scanner, queue, bounds);
  const { main } = store;
  const root = main.source.root as Record<string, unknown>;
  scanner.scanKey(main, root, "paths", []);
  if (isObject(root.components))
    scanner.scanKey(main, root.components, "securitySchemes", ["components"]);
  scanner.scanKey(main, root, "securityDefinitions", []);
  await crawler.drain();
  scanner.isNeeded = false;
  scanner.scanValue(main, root, [], { mode: "keywords", of: "" });
  await crawler.drain();
  for (const part of scanner.postponed) scanner.scanPart(part);
  await crawler.drain();
  return {
    targets: crawler.occurrences,
    texts: crawler.texts,
    broken: [...crawler.broken, ...findLoops(crawler)],
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
    private readonly scanner: RefScanner,
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

  private async resolveOccurrence(occurrence: RefOccurrence): Promise<void> {
    if (occurrence.use !== "mapping" && this.holders.has(occurrence.holder)) return; // shared by YAML aliases
    this.holders.add(occurrence.holder);
    if (this.occurrences.size >= this.bounds.refs)
      return void this.broken.push({
        occurrence,
        problem: failure(
          "load-too-large",
          `The document has more than ${this.bounds.refs} references`,
          undefined,
          "Bundle it into one file first.",
        ).problem,
      });
    if (occurrence.use === "text") return await this.resolveText(occurrence);
    const target = await this.resolver.resolve(occurrence.file, occurrence.ref, occurrence.tokens);
    const problem =
      target.problem ??
      (occurrence.use === "payload"
        ? undefined
        : rejectTarget(occurrence.ref, target.value?.value)?.problem);
    if (problem) return void this.broken.push({ occurrence, problem });
    if (!target.value) return;
    const { file, tokens, value } = target.value;
    this.occurrences.set(occurrence, target.value);
    if (occurrence.use !== "mapping") this.resolver.targets.set(occurrence.holder, target.value);
    if (occurrence.use !== "payload") this.scanner.scanTarget(file, value, tokens, occurrence);
  }

  /** Reads a referenced description: Markdown, or a string in JSON or YAML. */
  private async resolveText(occurrence: RefOccurrence): Promise<void> {
    const isData = occurrence.ref.includes("#") || /\.(?:json|ya?ml)$/i.test(occurrence.ref);
    const result = isData
      ? await this.resolver.resolve(occurrence.file, occurrence.ref, occurrence.tokens)
      : await this.store.openText(occurrence.file, occurrence.ref);
    if (result.problem) return void this.broken.push({ occurrence, problem: result.problem });
    const text: unknown = typeof result.value === "string" ? result.value : result.value?.value;
    if (typeof text === "string") this.texts.set(occurrence, text);
    else
      this.broken.push({
        occurrence,
        problem: failure("load-ref-broken", "", undefined).problem,
      });
  }
}

/** Finds references that refer only to themselves, one cycle after the other. */
function findLoops(crawler: Crawler): BrokenRef[] {
  const byHolder = new Map<object, RefOccurrence>();
  for (const occurrence of crawler.occurrences.keys())
    if (occurrence.use === "structure") byHolder.set(occurrence.holder, occurrence);
  const cut = new Set<object>();
  const follow = (holder: Record<string, unknown>): unknown =>
    cut.has(holder) ? undefined : crawler.resolver.targets.get(holder)?.value;
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
