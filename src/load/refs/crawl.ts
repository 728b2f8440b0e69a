import type { Diagnostic } from "../../diagnostics/index.js";
import { isObject } from "../../json.js";
import { type Limits, limits } from "../limits.js";
import { failed } from "../outcome.js";
import type { FileStore } from "./file-store.js";
import { findLoop } from "./loop.js";
import { Resolver, targetObjection } from "./resolve.js";
import { Search } from "./search.js";
import type { Site, Target } from "./site.js";

/**
 * A reference that leads nowhere, or where it must not. The problem has no place when it is the
 * reference itself.
 */
export interface Broken {
  readonly site: Site;
  readonly problem: Diagnostic;
}

/** Every reference of a document, resolved. */
export interface Crawled {
  readonly sites: ReadonlyMap<Site, Target>;
  /** Documentation that stands in files of its own. */
  readonly texts: ReadonlyMap<Site, string>;
  readonly broken: readonly Broken[];
}

/**
 * Follows all references from the main document, opening the files that they name.
 * First from the operations, then from the rest, so that what no operation needs is known.
 */
export async function crawl(store: FileStore, bounds: Limits = limits): Promise<Crawled> {
  const queue: Site[] = [];
  const search = new Search((site) => queue.push(site));
  const work = new Work(store, search, queue, bounds);
  const { main } = store;
  const root = main.source.root as Record<string, unknown>;
  search.key(main, root, "paths", []);
  if (isObject(root.components))
    search.key(main, root.components, "securitySchemes", ["components"]);
  search.key(main, root, "securityDefinitions", []);
  await work.empty();
  search.needed = false;
  search.value(main, root, [], { mode: "keywords", of: "" });
  await work.empty();
  for (const part of search.postponed) search.part(part);
  await work.empty();
  return { sites: work.sites, texts: work.texts, broken: [...work.broken, ...loops(work)] };
}

class Work {
  readonly sites = new Map<Site, Target>();
  readonly texts = new Map<Site, string>();
  readonly broken: Broken[] = [];
  readonly resolver: Resolver;
  private readonly holders = new Set<object>();

  constructor(
    private readonly store: FileStore,
    private readonly search: Search,
    private readonly queue: Site[],
    private readonly bounds: Limits,
  ) {
    this.resolver = new Resolver(store);
  }

  async empty(): Promise<void> {
    // By index: `shift` of a long array is not free.
    for (let i = 0; i < this.queue.length; i++) await this.take(this.queue[i] as Site);
    this.queue.length = 0;
  }

  private async take(site: Site): Promise<void> {
    if (site.use !== "mapping" && this.holders.has(site.holder)) return; // shared by YAML aliases
    this.holders.add(site.holder);
    if (this.sites.size >= this.bounds.refs)
      return void this.broken.push({
        site,
        problem: failed(
          "load-too-large",
          `The document has more than ${this.bounds.refs} references`,
          undefined,
          "Bundle it into one file first.",
        ).problem,
      });
    if (site.use === "text") return await this.takeText(site);
    const target = await this.resolver.resolve(site.file, site.ref, site.tokens);
    const problem =
      target.problem ??
      (site.use === "payload"
        ? undefined
        : targetObjection(site.ref, target.value?.value)?.problem);
    if (problem) return void this.broken.push({ site, problem });
    if (!target.value) return;
    const { file, tokens, value } = target.value;
    this.sites.set(site, target.value);
    if (site.use !== "mapping") this.resolver.targets.set(site.holder, target.value);
    if (site.use !== "payload") this.search.target(file, value, tokens, site);
  }

  /** A description in a file of its own: Markdown as it is, or a text inside of JSON or YAML. */
  private async takeText(site: Site): Promise<void> {
    const isData = site.ref.includes("#") || /\.(?:json|ya?ml)$/i.test(site.ref);
    const got = isData
      ? await this.resolver.resolve(site.file, site.ref, site.tokens)
      : await this.store.openText(site.file, site.ref);
    if (got.problem) return void this.broken.push({ site, problem: got.problem });
    const text: unknown = typeof got.value === "string" ? got.value : got.value?.value;
    if (typeof text === "string") this.texts.set(site, text);
    else this.broken.push({ site, problem: failed("load-ref-broken", "", undefined).problem });
  }
}

/** References that lead only to themselves, one loop after the other. */
function loops(work: Work): Broken[] {
  const byHolder = new Map<object, Site>();
  for (const site of work.sites.keys())
    if (site.use === "structure") byHolder.set(site.holder, site);
  const cut = new Set<object>();
  const follow = (holder: Record<string, unknown>): unknown =>
    cut.has(holder) ? undefined : work.resolver.targets.get(holder)?.value;
  const found: Broken[] = [];
  for (;;) {
    const holders = [...byHolder.values()].map(({ holder }) => holder);
    const loop = findLoop(holders, follow)?.flatMap((node) => byHolder.get(node) ?? []);
    const first = loop?.find(({ needed }) => needed) ?? loop?.[0];
    if (!loop || !first || found.length >= 20) return found;
    cut.add(first.holder);
    found.push({ site: first, problem: circular(loop, first) });
  }
}

function circular(loop: readonly Site[], first: Site): Diagnostic {
  const start = loop.indexOf(first);
  const names = [...loop.slice(start), ...loop.slice(0, start)].map(({ ref }) =>
    ref.slice(ref.lastIndexOf("/") + 1),
  );
  return failed(
    "load-ref-circular",
    `This is a circular $ref: ${[names.at(-1), ...names].join(" -> ")}`,
    undefined,
    "Break the circle: one of them must say what it is.",
  ).problem;
}
