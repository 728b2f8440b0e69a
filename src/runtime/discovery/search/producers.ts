import { tokenize } from "./terms.js";
import type { ToolFacts } from "./tool-facts.js";
import { synonymsOf } from "./vocabulary.js";
import { weights } from "./weights.js";

/** Tools whose producers are raised. */
const maxConsumers = 40;

/** Raises the scores of producers. `hasName` is true for a request that names a thing. */
type RaiseProducers = (scores: Float64Array, hasName: boolean) => Float64Array;

/**
 * Gives producers a share of the scores of the tools that need them: a tool that needs an ID is
 * useless without the tool that returns it, and requests rarely mention that first call.
 */
export function producerScores(tools: readonly ToolFacts[]): RaiseProducers {
  const positions = new Map(tools.map(({ name }, position) => [name, position]));
  const lists = listsByNoun(tools);
  const producers: ReadonlyMap<number, number>[] = [];
  return (scores, hasName) => {
    const raised = Float64Array.from(scores);
    const share = hasName ? weights.lookup : weights.producer;
    for (const consumer of bestOf(scores, maxConsumers))
      for (const [producer, rank] of (producers[consumer] ??= producerShares(
        tools[consumer]!,
        positions,
        lists,
      ))) {
        const kind = tools[producer]!.isTextSearch ? 1 : weights.listing;
        const score = scores[consumer]! * share * rank * kind;
        raised[producer] = Math.max(raised[producer]!, score);
      }
    return raised;
  };
}

/** Positions of the best accepted tools with a score, best first; equal ones in their order. */
export function bestOf(
  scores: Float64Array,
  limit: number,
  accepts: (tool: number) => boolean = () => true,
): readonly number[] {
  const best: number[] = [];
  for (let tool = 0; tool < scores.length; tool++) {
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
  { producers, unprovided }: ToolFacts,
  positions: ReadonlyMap<string, number>,
  lists: ReadonlyMap<string, number>,
): ReadonlyMap<number, number> {
  const shares = new Map<number, number>();
  const add = (position: number | undefined, share: number): void => {
    if (position !== undefined) shares.set(position, Math.max(share, shares.get(position) ?? 0));
  };
  for (const names of producers)
    for (const [rank, name] of names.entries())
      add(positions.get(name), weights.alternative ** rank);
  for (const input of unprovided) add(listOf(input, lists), weights.listByNoun);
  return shares;
}

/** The tool that lists what an input is called after: `channel`, `user_ids`. */
function listOf(input: string, lists: ReadonlyMap<string, number>): number | undefined {
  const noun = tokenize(input.replace(/[_-]ids?$|I[dD]s?$/, "")).join(" ");
  const name = [noun, ...synonymsOf(noun)].find((one) => lists.has(one));
  return name === undefined ? undefined : lists.get(name);
}

/** The first tool that lists things of a kind without a required input, by the noun of its name. */
function listsByNoun(tools: readonly ToolFacts[]): ReadonlyMap<string, number> {
  const lists = new Map<string, number>();
  for (const [position, { name, needsInput }] of tools.entries()) {
    const noun = /(?:^|_)(?:find|list|search)_([a-z]+(?:_[a-z]+)?)$/.exec(name)?.[1];
    if (noun === undefined || needsInput) continue;
    const terms = tokenize(noun).join(" ");
    if (!lists.has(terms)) lists.set(terms, position);
  }
  return lists;
}
