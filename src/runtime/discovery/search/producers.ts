import type { ToolEffect } from "../../types.js";
import { singularize } from "../../language/inflection.js";
import { tokenize } from "./terms.js";
import { type ToolFacts, withoutApi } from "./tool-facts.js";
import { synonymsOf } from "./vocabulary.js";
import { weights } from "./weights.js";

/** Tools whose producers are raised. */
const maxConsumers = 20;

interface Producers {
  /** Positions of the producers of a tool, and their shares of its score. */
  of(tool: number): Shares;
  /** Raises the scores of producers. `hasName` is true for a request that names a resource. */
  raise(scores: Float64Array, hasName: boolean): Float64Array;
}

/**
 * Finds the producers of tools. They get a share of the scores of the tools that need them: a tool
 * that needs an ID is useless without the tool that returns it, and requests rarely mention that
 * first call.
 */
export function producersOf(tools: readonly ToolFacts[]): Producers {
  const positions = new Map(tools.map(({ name }, position) => [name, position]));
  const lists = listsByApi(tools);
  const of = memoized((tool) => {
    const shares = producerShares(tools[tool]!, positions, lists);
    return new Map([...shares].map(([one, share]) => [one, share * kindShare(tools[one]!)]));
  });
  return {
    of,
    raise(scores, hasName) {
      const raised = Float64Array.from(scores);
      const share = hasName ? weights.lookup : weights.producer;
      for (const consumer of bestOf(scores, maxConsumers))
        for (const [producer, rank] of of(consumer)) {
          raised[producer] = Math.max(raised[producer]!, scores[consumer]! * share * rank);
        }
      return raised;
    },
  };
}

const kindShare = ({ isTextSearch }: ToolFacts): number => (isTextSearch ? 1 : weights.listing);

/** Positions of tools with their shares of the score of another. */
type Shares = ReadonlyMap<number, number>;

/** A function of the positions of tools, called once for each. */
function memoized(derive: (tool: number) => Shares): (tool: number) => Shares {
  const known: Shares[] = [];
  return (tool) => (known[tool] ??= derive(tool));
}

/**
 * Positions of the best accepted tools with a score, best first; equal ones in their order.
 * @param tools positions of the tools to choose from; all by default
 */
export function bestOf(
  scores: Float64Array,
  limit: number,
  accepts: (tool: number) => boolean = () => true,
  tools: Iterable<number> = scores.keys(),
): readonly number[] {
  const best: number[] = [];
  for (const tool of tools) {
    const score = scores[tool]!;
    const last = best.length === limit ? scores[best[limit - 1]!]! : 0;
    if (score <= last || !accepts(tool)) continue;
    if (best.length === limit) best.pop();
    let place = best.length;
    while (place > 0 && scores[best[place - 1]!]! < score) place--;
    best.splice(place, 0, tool);
  }
  return best;
}

/** Positions of the producers of a tool, with lower shares for alternatives. */
function producerShares(
  tool: ToolFacts,
  positions: ReadonlyMap<string, number>,
  lists: ReadonlyMap<string, ListIndex>,
): Shares {
  const shares = new Map<number, number>();
  const add = (position: number | undefined, share: number): void => {
    if (position !== undefined) shares.set(position, Math.max(share, shares.get(position) ?? 0));
  };
  const addAll = (inputs: ToolFacts["producers"], share: number): void => {
    for (const names of inputs)
      for (const [rank, name] of names.entries())
        add(positions.get(name), share * weights.alternative ** rank);
  };
  addAll(tool.producers, 1);
  addAll(tool.optionalProducers, weights.optionalInput);
  // Things of one API are not those of another, whatever they are called.
  const own = lists.get(tool.api ?? "") ?? noLists;
  for (const input of tool.unprovided) add(listOfInput(input, own), weights.listByNoun);
  if (!makesNew.has(tool.effect)) add(listOfObject(tool, own), weights.listByObject);
  return shares;
}

/** Effects of tools that need no existing thing of their kind. */
const makesNew: ReadonlySet<ToolEffect> = new Set(["reads", "adds", "sends"]);

/** Tools that list things, by the noun of their names. */
type ListIndex = ReadonlyMap<string, readonly ListTool[]>;

interface ListTool {
  readonly position: number;
  readonly required: readonly string[];
}

const noLists: ListIndex = new Map();

/** The tools of each API that list things; those of a server of one API have the empty name. */
function listsByApi(tools: readonly ToolFacts[]): ReadonlyMap<string, ListIndex> {
  const apis = new Map<string, Map<string, ListTool[]>>();
  for (const [position, { name, required, api = "" }] of tools.entries()) {
    const noun = /(?:^|_)(?:find|list|search)_([a-z_]+)$/.exec(name)?.[1];
    if (noun === undefined) continue;
    const lists = apis.get(api) ?? new Map<string, ListTool[]>();
    const terms = tokenize(noun).join(" ");
    apis.set(api, lists.set(terms, [...(lists.get(terms) ?? []), { position, required }]));
  }
  return apis;
}

/** The tool that lists the resource after which an input is named: `channel`, `user_ids`. */
function listOfInput(input: string, lists: ListIndex): number | undefined {
  const noun = tokenize(input.replace(/[_-]ids?$|I[dD]s?$/, "")).join(" ");
  const tools = [noun, ...synonymsOf(noun)].flatMap((one) => lists.get(one) ?? []);
  return tools.find(({ required }) => required.length === 0)?.position;
}

/** The tool that lists the things of which another changes one: `update_cart_item`. */
function listOfObject(tool: ToolFacts, lists: ListIndex): number | undefined {
  const { required: known } = tool;
  const words = objectOf(tool).split("_");
  for (let count = words.length; count > 0; count--) {
    const noun = tokenize(words.slice(0, count).join(" ")).join(" ");
    const found = lists
      .get(noun)
      ?.find(({ required }) => required.every((input) => known.includes(input)));
    if (found) return found.position;
  }
  return undefined;
}

/** The kind of resource of a tool: its name without its API, the verb and the qualifier. */
export const objectOf = ({ name, api }: Pick<ToolFacts, "name" | "api">): string =>
  withoutApi(name, api)
    .replace(/^[^_]*_/, "")
    .replace(/_(?:for|of|by|in|with|to)_.*$/s, "")
    .replace(/[^_]+$/, singularize);
