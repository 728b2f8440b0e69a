import MiniSearch from "minisearch";
import type { AnyTool } from "../../tools/hooks.js";
import type { JsonSchema } from "../../types.js";
import { synonymsOf, tokenize } from "./terms.js";

/**
 * Full-text search over tools. The first search loads this module. It imports no other part of the
 * runtime, so that servers that list their tools do not load it.
 */
export interface ToolSearch {
  /** The best matches, best first. */
  find(query: string, options: SearchOptions): readonly SearchHit[];
}

type SearchHit = Pick<AnyTool, "name" | "toolset">;

interface SearchOptions {
  readonly limit: number;
  accepts(tool: SearchHit): boolean;
}

/** Weights of inexact matches, relative to the exact word. */
const matchWeights = { prefix: 0.5, fuzzy: 0.4, synonym: 0.3 };

/** Words of a query that are looked up. */
const maxQueryWords = 64;

/** Builds the index. A thousand tools take some hundred milliseconds. */
export function createSearch(tools: readonly AnyTool[]): ToolSearch {
  const index = new TermIndex(tools);
  const boostProducers = producerBoost(tools);
  const hits = tools.map(({ name, toolset }): SearchHit => ({
    name,
    ...(toolset !== undefined && { toolset }),
  }));
  return {
    find(query, { limit, accepts }) {
      const scores = boostProducers(index.scores(query));
      return [...scores]
        .sort(([idA, scoreA], [idB, scoreB]) => scoreB - scoreA || idA - idB)
        .flatMap(([id]) => hits[id] ?? [])
        .filter(accepts)
        .slice(0, limit);
    },
  };
}

/** Scores of tools by their IDs. The ID of a tool is its position in the list. */
type Scores = ReadonlyMap<number, number>;

/** An index of the terms of each tool. */
class TermIndex {
  readonly #terms = new Set<string>();
  readonly #nameTerms: readonly ReadonlySet<string>[];
  readonly #index: MiniSearch<ToolDocument>;

  constructor(tools: readonly AnyTool[]) {
    this.#nameTerms = tools.map(({ name }) => new Set(tokenize(name)));
    this.#index = new MiniSearch<ToolDocument>({
      fields: [...searchFields],
      tokenize: (text) => this.#collectTerms(text),
      processTerm: (term) => term,
    });
    this.#index.addAll(tools.map((tool, id) => ({ id, ...toolDocument(tool) })));
  }

  /** Scores of all tools that match a term of the query. More matching terms give a higher score. */
  scores(query: string): Scores {
    const terms = [...new Set(tokenize(query))].slice(0, maxQueryWords);
    const totals = new Map<number, { score: number; terms: number }>();
    for (const term of terms) {
      for (const [id, score] of this.#matches(term)) {
        const total = totals.get(id) ?? { score: 0, terms: 0 };
        totals.set(id, { score: total.score + score, terms: total.terms + 1 });
      }
    }
    const scores = new Map<number, number>();
    for (const [id, { score, terms: matched }] of totals) {
      const coverage = Math.sqrt(matched / terms.length);
      scores.set(id, score * coverage * (1 + this.#nameSimilarity(id, terms) ** 2));
    }
    return scores;
  }

  /** Similarity of a tool's name and the query: 1 for the same terms, 0 for no common term. */
  #nameSimilarity(id: number, terms: readonly string[]): number {
    const nameTerms = this.#nameTerms[id] ?? new Set<string>();
    const common = terms.filter(
      (term) => nameTerms.has(term) || synonymsOf(term).some((synonym) => nameTerms.has(synonym)),
    );
    return (2 * common.length) / (nameTerms.size + terms.length);
  }

  #collectTerms(text: string): string[] {
    const terms = tokenize(text);
    for (const term of terms) this.#terms.add(term);
    return terms;
  }

  /** The best score of each tool for a term or one of its synonyms. */
  #matches(term: string): ReadonlyMap<number, number> {
    const best = new Map<number, number>();
    const add = (id: number, score: number): void =>
      void best.set(id, Math.max(score, best.get(id) ?? 0));
    for (const { id, score } of this.#lookUp(term)) add(id, score);
    for (const synonym of synonymsOf(term)) {
      if (!this.#terms.has(synonym)) continue;
      for (const { id, score } of this.#lookUp(synonym)) add(id, score * matchWeights.synonym);
    }
    return best;
  }

  /** Prefix and fuzzy matches count only for terms that no tool has. */
  #lookUp(term: string): readonly { readonly id: number; readonly score: number }[] {
    const isIndexed = this.#terms.has(term);
    const results = this.#index.search(term, {
      tokenize: (text) => [text],
      boost: fieldWeights,
      weights: matchWeights,
      prefix: !isIndexed && term.length > 2,
      fuzzy: isIndexed ? false : maxEdits(term),
    });
    return results.map(({ id, score }) => ({ id: id as number, score }));
  }
}

/** Maximum edit distance of a fuzzy match. Two swapped letters are two edits. */
function maxEdits(term: string): number | false {
  if (term.length < 5) return false;
  return term.length > 5 ? 2 : 1;
}

const searchFields = [
  "name",
  "title",
  "summary",
  "description",
  "inputs",
  "outputs",
  "resource",
  "producers",
] as const;

type SearchField = (typeof searchFields)[number];

type ToolDocument = Readonly<Record<SearchField, string>> & { readonly id: number };

/** Weights of the fields, measured with `npm run bench:retrieval` and on tasks of another API. */
const fieldWeights: Readonly<Record<SearchField, number>> = {
  name: 2,
  title: 3,
  summary: 2,
  description: 1.5,
  inputs: 0.3,
  outputs: 1,
  resource: 1.5,
  producers: 0.3,
};

/** The text of each search field of a tool. */
function toolDocument(tool: AnyTool): Omit<ToolDocument, "id"> {
  const { name, title, description, inputSchema, outputSchema } = tool;
  const summary = /^.*?[.!?\u3002](?=\s|$)/s.exec(description.slice(0, 500))?.[0] ?? description;
  const inputs = (inputSchema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return {
    name,
    title,
    summary,
    description: description.slice(summary.length),
    inputs: Object.keys(inputs).join(" "),
    outputs: [...collectFieldNames(outputSchema)].join(" "),
    resource: [tool.toolset ?? "", ...new Set(pathsOf(tool))].join(" "),
    producers: producersOf(tool).join(" "),
  };
}

/** Paths of a tool's operations, without parameters. */
function pathsOf(tool: AnyTool): readonly string[] {
  if (!("operations" in tool)) return [];
  return tool.operations.map(({ request }) => request.path.replace(/\{[^{}]*\}/g, " "));
}

function producersOf({ producers = {} }: AnyTool): readonly string[] {
  return [...new Set(Object.values(producers).flat())];
}

const maxSchemaDepth = 4;
const maxFieldNames = 200;

/** Names of the fields of a result, at all levels up to `maxSchemaDepth`. */
function collectFieldNames(
  schema: unknown,
  depth = 0,
  names = new Set<string>(),
  root = schema,
): Set<string> {
  const isInspected = typeof schema === "object" && schema !== null && depth <= maxSchemaDepth;
  if (!isInspected || names.size >= maxFieldNames) return names;
  const { properties, items, anyOf, oneOf, allOf, $ref } = schema as Readonly<
    Record<string, unknown>
  >;
  for (const [name, property] of Object.entries((properties ?? {}) as object)) {
    names.add(name);
    collectFieldNames(property, depth + 1, names, root);
  }
  const alternatives = [anyOf, oneOf, allOf].flatMap((list): unknown[] =>
    Array.isArray(list) ? list : [],
  );
  for (const part of [items, ...alternatives]) collectFieldNames(part, depth + 1, names, root);
  if (typeof $ref === "string")
    collectFieldNames(resolveDefinition(root, $ref), depth + 1, names, root);
  return names;
}

function resolveDefinition(root: unknown, ref: string): unknown {
  const name = /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1];
  const defs = (root as Readonly<Record<string, Readonly<Record<string, unknown>>>>)["$defs"] ?? {};
  return name !== undefined && Object.hasOwn(defs, name) ? defs[name] : undefined;
}

/** Share of a tool's score that its producers get. Text searches get a larger share. */
const producerShares = { textSearch: 0.9, other: 0.8 };

/**
 * Raises the scores of producers: a tool that needs an ID is useless without the tool that returns
 * the ID, and queries rarely mention that first call.
 * @returns a function from scores to scores with the shares of producers
 */
function producerBoost(tools: readonly AnyTool[]): (scores: Scores) => Scores {
  const idOf = new Map(tools.map(({ name }, id) => [name, id]));
  const producers = tools.map((tool) => producersOf(tool).flatMap((name) => idOf.get(name) ?? []));
  const share = tools.map((tool) =>
    isTextSearch(tool) ? producerShares.textSearch : producerShares.other,
  );
  return (scores) => {
    const boosted = new Map(scores);
    // The highest scores first, so that a producer of a producer is raised, too.
    for (const [id, score] of [...scores].sort(([, a], [, b]) => b - a)) {
      for (const producer of producers[id] ?? []) {
        const raised = score * (share[producer] ?? 0);
        boosted.set(producer, Math.max(boosted.get(producer) ?? 0, raised));
      }
    }
    return boosted;
  };
}

/** True for a tool that requires free text and has no input that another tool provides. */
function isTextSearch({ inputSchema, producers }: AnyTool): boolean {
  const properties = (inputSchema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (inputSchema["required"] ?? []) as readonly string[];
  const isFreeText = (input: string): boolean =>
    properties[input]?.["type"] === "string" &&
    properties[input]?.["enum"] === undefined &&
    !/(^|[_-])(id|ids|key|code)$|I[dD]s?$/.test(input);
  return producers === undefined && required.some(isFreeText);
}
