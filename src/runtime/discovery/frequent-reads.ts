/** The tools that most work starts with: reads whose results most other tools need. */
import { singularize } from "../language/inflection.js";
import type { AnyTool } from "../tools/definitions.js";
import { estimateToolTokens } from "../tools/shown-definition.js";
import type { ToolEffect } from "../types.js";

/** Tools that are chosen at most, and the tokens of one of them and of all. */
const maxTools = 10;
const maxToolTokens = 2_000;
const maxTokens = 6_000;

/** Tools that need a result, so that the tool that returns it is chosen: two, and a share of all. */
const minUses = 2;
const minShareOfUses = 0.01;

/** Share of a read that needs results itself, and of one for administrators: work does not start with it. */
const nestedShare = 0.5;
const adminShare = 0.5;
const adminWords = /_(?:admin|administrator|enterprise|public)(?:_|$)/;

/** Effects on things that exist. */
const effectsOnExisting: ReadonlySet<ToolEffect> = new Set([
  "changes",
  "removes",
  "destroys",
  "starts",
]);

type Choosable = Pick<
  AnyTool,
  "name" | "description" | "annotations" | "inputSchema" | "producers"
> & { readonly effect?: ToolEffect };

/**
 * Chooses read-only tools by the number of tools that need their results, most first. An input
 * counts for the first of its producers that only reads and is short enough, an optional input
 * half. A tool that changes a thing and whose inputs no tool provides counts for the list of such
 * things. Reads that need results themselves count less, and so do those of administrators. The
 * main search by text is among them, although no tool may need its results.
 * @returns names in the order of the tools
 */
export function chooseFrequentReads(tools: readonly Choosable[]): readonly string[] {
  const reads = new Map(
    tools
      .filter(({ annotations }) => annotations.readOnlyHint)
      .map((tool) => [tool.name, { tool, tokens: estimateToolTokens(tool) }] as const)
      .filter(([, { tokens }]) => tokens <= maxToolTokens),
  );
  const uses = countUses(tools, reads);
  const rank = ({ tool }: ChoosableRead): number => (uses.get(tool.name) ?? 0) * startShare(tool);
  const least = Math.max(minUses, tools.length * minShareOfUses);
  const used = [...reads.values()]
    .filter((read) => rank(read) >= least)
    .sort((a, b) => rank(b) - rank(a));
  const search = mainTextSearch(tools, reads);
  const candidates = new Set([...(search ? [search] : []), ...used]);
  const chosen = new Set<string>();
  let remaining = maxTokens;
  for (const { tool, tokens } of candidates) {
    if (chosen.size === maxTools) break;
    if (tokens > remaining) continue;
    chosen.add(tool.name);
    remaining -= tokens;
  }
  return tools.filter(({ name }) => chosen.has(name)).map(({ name }) => name);
}

interface ChoosableRead {
  readonly tool: Choosable;
  readonly tokens: number;
}

/** Share of the uses of a read that count. */
function startShare({ name, inputSchema, producers = {} }: Choosable): number {
  const isNested = requiredOf(inputSchema).some((input) => producers[input] !== undefined);
  return (isNested ? nestedShare : 1) * (adminWords.test(name) ? adminShare : 1);
}

/** The search by text for the kind of thing that most tools are about. Work often starts with it. */
function mainTextSearch(
  tools: readonly Choosable[],
  reads: ReadonlyMap<string, ChoosableRead>,
): ChoosableRead | undefined {
  const searches = [...reads.values()].filter(({ tool }) => isTextSearch(tool));
  const about = ({ tool }: ChoosableRead): number => {
    const thing = thingOf(tool.name);
    return tools.filter(({ name }) => `_${name}_`.includes(`_${thing}_`)).length;
  };
  return searches.sort((a, b) => about(b) - about(a))[0];
}

/** True for a search that needs a text and nothing that another tool returns. */
function isTextSearch({ name, inputSchema, producers = {} }: Choosable): boolean {
  const required = requiredOf(inputSchema);
  return (
    /^search(?:_|$)/.test(name) &&
    !adminWords.test(name) &&
    required.some((input) => searchTexts.test(input)) &&
    required.every((input) => !producers[input]?.length && !/(?:^|_)ids?$/i.test(input))
  );
}

const searchTexts = /^(?:q|query|text|term|keywords?|search(?:_?(?:text|term|query))?)$/i;

const requiredOf = (schema: Choosable["inputSchema"]): readonly string[] =>
  (schema["required"] ?? []) as readonly string[];

function countUses(
  tools: readonly Choosable[],
  reads: ReadonlyMap<string, ChoosableRead>,
): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  const lists = listsByThing(reads);
  for (const { name, effect, inputSchema, producers = {} } of tools) {
    const required = requiredOf(inputSchema);
    const weights = new Map<string, number>();
    for (const [input, names] of Object.entries(producers)) {
      const producer = names.find((one) => reads.has(one) && one !== name);
      if (producer === undefined) continue;
      const weight = required.includes(input) ? 1 : 0.5;
      weights.set(producer, Math.max(weight, weights.get(producer) ?? 0));
    }
    const changesExisting = effect !== undefined && effectsOnExisting.has(effect);
    const list = weights.size === 0 && changesExisting ? lists.get(thingOf(name)) : undefined;
    if (list !== undefined) weights.set(list, 1);
    for (const [producer, weight] of weights)
      uses.set(producer, (uses.get(producer) ?? 0) + weight);
  }
  return uses;
}

/** Names of the reads that list things and need nothing, by the kind of thing. */
function listsByThing(reads: ReadonlyMap<string, ChoosableRead>): ReadonlyMap<string, string> {
  const lists = new Map<string, string>();
  for (const [name, { tool }] of reads)
    if (/^(?:find|list|search)_/.test(name) && requiredOf(tool.inputSchema).length === 0)
      lists.set(thingOf(name), lists.get(thingOf(name)) ?? name);
  return lists;
}

/** The kind of thing of a tool: its name without the verb and what follows a preposition. */
const thingOf = (name: string): string =>
  name
    .replace(/^[^_]*_/, "")
    .replace(/_(?:for|of|by|in|with|to|as)_.*$/s, "")
    .replace(/[^_]+$/, singularize);
