import MiniSearch from "minisearch";
import type { AnyTool } from "../../tools/hooks.js";
import type { JsonSchema } from "../../types.js";
import { synonymsOf, tokenize } from "./terms.js";

/**
 * Full-text search over tools. Loaded when the first search comes, and importing nothing else of
 * the runtime, so that servers that list their tools pay nothing for it.
 */
export interface ToolSearch {
  /** The tools that fit best, best first. */
  find(query: string, options: SearchOptions): readonly SearchHit[];
}

/** As much of a tool as is kept here. */
export type SearchHit = Pick<AnyTool, "name" | "toolset">;

export interface SearchOptions {
  readonly limit: number;
  accepts(tool: SearchHit): boolean;
}

/**
 * What a word counts that is not the word itself: its beginning, one with a slip of the keyboard,
 * one that means about the same.
 */
const matchWeights = { prefix: 0.5, fuzzy: 0.4, related: 0.3 };
/** Words of a query that are looked up; a task of this length has said what it is about. */
const maxQueryWords = 64;

/** Indexes the tools; a thousand take some hundred milliseconds. */
export function createSearch(tools: readonly AnyTool[]): ToolSearch {
  const index = new WordIndex(tools);
  const spread = producerBoost(tools);
  const hits = tools.map(({ name, toolset }): SearchHit => ({
    name,
    ...(toolset !== undefined && { toolset }),
  }));
  return {
    find(query, { limit, accepts }) {
      return [...spread(index.scores(query))]
        .sort(([a, x], [b, y]) => y - x || a - b)
        .flatMap(([id]) => hits[id] ?? [])
        .filter(accepts)
        .slice(0, limit);
    },
  };
}

/** Which tools have which words, and how much that says. */
class WordIndex {
  readonly #known = new Set<string>();
  readonly #index: MiniSearch<ToolDocument>;

  readonly #names: readonly ReadonlySet<string>[];

  constructor(tools: readonly AnyTool[]) {
    this.#names = tools.map(({ name }) => new Set(tokenize(name)));
    this.#index = new MiniSearch<ToolDocument>({
      fields: [...searchFields],
      tokenize: (text) => this.#learn(text),
      processTerm: (word) => word,
    });
    this.#index.addAll(tools.map((tool, id) => ({ id, ...toolDocument(tool) })));
  }

  /**
   * The score of each tool (by its place) that has a word of the query: the more of them, the
   * better.
   */
  scores(query: string): Map<number, number> {
    const words = [...new Set(tokenize(query))].slice(0, maxQueryWords);
    const found = new Map<number, { score: number; words: number }>();
    for (const word of words) {
      for (const [id, score] of this.#matches(word)) {
        const before = found.get(id) ?? { score: 0, words: 0 };
        found.set(id, { score: before.score + score, words: before.words + 1 });
      }
    }
    return new Map(
      [...found].map(([id, { score, words: matched }]) => [
        id,
        score * Math.sqrt(matched / words.length) * (1 + this.#sameness(id, words) ** 2),
      ]),
    );
  }

  /**
   * How nearly a tool's name says what is asked for, and no more: 1 when it has just these words, 0
   * when it has none of them.
   */
  #sameness(id: number, words: readonly string[]): number {
    const name = this.#names[id] ?? new Set();
    const both = words.filter(
      (word) => name.has(word) || synonymsOf(word).some((other) => name.has(other)),
    ).length;
    return (2 * both) / (name.size + words.length);
  }

  #learn(text: string): string[] {
    const words = tokenize(text);
    for (const word of words) this.#known.add(word);
    return words;
  }

  /** Tools with a word, or with one that means about the same. */
  #matches(word: string): Map<number, number> {
    const best = new Map<number, number>();
    const add = (id: number, score: number): void =>
      void best.set(id, Math.max(score, best.get(id) ?? 0));
    for (const { id, score } of this.#lookUp(word)) add(id as number, score);
    for (const other of synonymsOf(word))
      for (const { id, score } of this.#known.has(other) ? this.#lookUp(other) : [])
        add(id as number, score * matchWeights.related);
    return best;
  }

  /**
   * A word that no tool has may be the beginning of one, or mistyped. One that some have is meant
   * as it is.
   */
  #lookUp(word: string): readonly { readonly id: unknown; readonly score: number }[] {
    const isKnown = this.#known.has(word);
    return this.#index.search(word, {
      tokenize: (one) => [one],
      boost: fieldWeights,
      weights: matchWeights,
      prefix: !isKnown && word.length > 2,
      fuzzy: isKnown ? false : maxEdits(word),
    });
  }
}

/** How many letters may be wrong; two that changed places are two. */
function maxEdits(word: string): number | false {
  if (word.length < 5) return false;
  return word.length > 5 ? 2 : 1;
}

/** What a tool is searched by. */
export const searchFields = [
  "name",
  "title",
  "summary",
  "description",
  "inputs",
  "outputs",
  "resource",
  "producers",
] as const;

export type ToolDocument = Readonly<Record<(typeof searchFields)[number], string>> & {
  readonly id: number;
};

/**
 * How much a word counts, by where it stands: measured with `npm run bench:retrieval`, and on tasks
 * of another API.
 */
export const fieldWeights: Readonly<Record<(typeof searchFields)[number], number>> = {
  name: 2,
  title: 3,
  summary: 2,
  description: 1.5,
  inputs: 0.3,
  outputs: 1,
  resource: 1.5,
  producers: 0.3,
};

const maxSchemaDepth = 4;
const maxFieldNames = 200;

/** The texts of a tool, by field. */
export function toolDocument(tool: AnyTool): Omit<ToolDocument, "id"> {
  const {
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    toolset = "",
    producers = {},
  } = tool;
  const sentence = /^.*?[.!?\u3002](?=\s|$)/s.exec(description.slice(0, 500))?.[0] ?? description;
  const inputs = Object.keys(
    (inputSchema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>,
  );
  const paths =
    "operations" in tool
      ? tool.operations.map(({ request }) => request.path.replace(/\{[^{}]*\}/g, " "))
      : [];
  return {
    name,
    title,
    summary: sentence,
    description: description.slice(sentence.length),
    inputs: inputs.join(" "),
    outputs: [...collectFieldNames(outputSchema)].join(" "),
    resource: [toolset, ...new Set(paths)].join(" "),
    producers: [...new Set(Object.values(producers).flat())].join(" "),
  };
}

/** The names of a result's fields, and of the fields of these. */
function collectFieldNames(
  schema: unknown,
  depth = 0,
  names = new Set<string>(),
  root = schema,
): Set<string> {
  if (
    typeof schema !== "object" ||
    schema === null ||
    depth > maxSchemaDepth ||
    names.size >= maxFieldNames
  )
    return names;
  const {
    properties = {},
    items,
    anyOf,
    oneOf,
    allOf,
    $ref,
  } = schema as Readonly<Record<string, unknown>>;
  for (const [name, property] of Object.entries(properties as object)) {
    names.add(name);
    collectFieldNames(property, depth + 1, names, root);
  }
  for (const part of [
    items,
    ...[anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : [])),
  ])
    collectFieldNames(part, depth + 1, names, root);
  if (typeof $ref === "string")
    collectFieldNames(resolveDefinition(root, $ref), depth + 1, names, root);
  return names;
}

function resolveDefinition(root: unknown, ref: string): unknown {
  const name = /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1];
  const defs = (root as Readonly<Record<string, Readonly<Record<string, unknown>>>>)["$defs"] ?? {};
  return name !== undefined && Object.hasOwn(defs, name) ? defs[name] : undefined;
}

/**
 * What a tool's score is worth to the tools that it needs: to one that is asked in words, and to
 * any other.
 */
const producerShares = { search: 0.9, other: 0.8 };

/**
 * A tool that needs an ID can hardly be called without the tool that gives it. So that one has its
 * score, too, nearly: what is looked for is rarely one call, and the first is seldom named.
 * @returns what makes of the scores of tools, by their place, those with what is passed on
 */
export function producerBoost(
  tools: readonly AnyTool[],
): (scores: ReadonlyMap<number, number>) => ReadonlyMap<number, number> {
  const idOf = new Map(tools.map(({ name }, id) => [name, id]));
  const needs = tools.map(({ producers = {} }) =>
    [...new Set(Object.values(producers).flat())].flatMap((name) => idOf.get(name) ?? []),
  );
  const share = tools.map((tool) =>
    isTextSearch(tool) ? producerShares.search : producerShares.other,
  );
  return (scores) => {
    const all = new Map(scores);
    // Strongest first, so that a producer of a producer has its part, too.
    for (const [id, score] of [...scores].sort(([, a], [, b]) => b - a)) {
      for (const needed of needs[id] ?? [])
        all.set(needed, Math.max(all.get(needed) ?? 0, score * (share[needed] ?? 0)));
    }
    return all;
  };
}

/**
 * Whether a tool needs words and nothing that another tool would have to give: it finds things by
 * what they are called.
 */
function isTextSearch({ inputSchema, producers }: AnyTool): boolean {
  const properties = (inputSchema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (inputSchema["required"] ?? []) as readonly string[];
  const isText = (input: string): boolean =>
    properties[input]?.["type"] === "string" &&
    properties[input]?.["enum"] === undefined &&
    !/(^|[_-])(id|ids|key|code)$|I[dD]s?$/.test(input);
  return producers === undefined && required.some(isText);
}
