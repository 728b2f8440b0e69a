import type { AnyTool } from "../../tools/hooks.js";
import type { JsonSchema } from "../../types.js";
import { weights } from "./weights.js";

/** Tools whose producers are raised. */
const maxConsumers = 40;

/** Raises the scores of producers. `hasName` is true for a request that names a thing. */
type RaiseProducers = (scores: Float64Array, hasName: boolean) => Float64Array;

/**
 * Gives producers a share of the scores of the tools that need them: a tool that needs an ID is
 * useless without the tool that returns it, and requests rarely mention that first call.
 */
export function producerScores(tools: readonly AnyTool[]): RaiseProducers {
  const positions = new Map(tools.map(({ name }, position) => [name, position]));
  const producers = tools.map((tool) => producerShares(tool, positions));
  const kinds = tools.map((tool) => (isTextSearch(tool) ? 1 : weights.listing));
  return (scores, hasName) => {
    const raised = Float64Array.from(scores);
    const share = hasName ? weights.lookup : weights.producer;
    for (const consumer of bestOf(scores, maxConsumers))
      for (const [producer, rank] of producers[consumer]!) {
        const score = scores[consumer]! * share * rank * kinds[producer]!;
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
  { producers = {} }: AnyTool,
  positions: ReadonlyMap<string, number>,
): ReadonlyMap<number, number> {
  const shares = new Map<number, number>();
  for (const names of Object.values(producers))
    for (const [rank, name] of names.entries()) {
      const position = positions.get(name);
      const share = weights.alternative ** rank;
      if (position !== undefined) shares.set(position, Math.max(share, shares.get(position) ?? 0));
    }
  return shares;
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
