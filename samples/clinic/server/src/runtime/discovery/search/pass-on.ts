import type { AnyTool } from "../../hooks.js";
import type { JsonSchema } from "../../types.js";

/**
 * What a tool's score is worth to the tools that it needs: to one that is asked in words, and to
 * any other.
 */
const shares = { search: 0.9, other: 0.8 };

/**
 * A tool that needs an ID can hardly be called without the tool that gives it. So that one has its
 * score, too, nearly: what is looked for is rarely one call, and the first is seldom named.
 * @returns what makes of the scores of tools, by their place, those with what is passed on
 */
export function passOn(
  tools: readonly AnyTool[],
): (scores: ReadonlyMap<number, number>) => ReadonlyMap<number, number> {
  const idOf = new Map(tools.map(({ name }, id) => [name, id]));
  const needs = tools.map(({ producers = {} }) =>
    [...new Set(Object.values(producers).flat())].flatMap((name) => idOf.get(name) ?? []),
  );
  const share = tools.map((tool) => (asksForWords(tool) ? shares.search : shares.other));
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
function asksForWords({ inputSchema, producers }: AnyTool): boolean {
  const properties = (inputSchema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (inputSchema["required"] ?? []) as readonly string[];
  const isText = (input: string): boolean =>
    properties[input]?.["type"] === "string" &&
    properties[input]?.["enum"] === undefined &&
    !/(^|[_-])(id|ids|key|code)$|I[dD]s?$/.test(input);
  return producers === undefined && required.some(isText);
}
