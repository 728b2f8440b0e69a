/** The tools that most work starts with: reads whose results most other tools need. */
import type { AnyTool } from "../tools/definitions.js";
import { estimateToolTokens } from "../tools/shown-definition.js";

/** Tools that are chosen at most, and the tokens of one of them and of all. */
const maxTools = 10;
const maxToolTokens = 1_500;
const maxTokens = 6_000;

/** Tools that need a result, so that the tool that returns it is chosen. */
const minUses = 2;

type Choosable = Pick<
  AnyTool,
  "name" | "description" | "annotations" | "inputSchema" | "producers"
>;

/**
 * Chooses read-only tools by the number of tools that need their results, most first. An input
 * counts for the first of its producers that only reads, an optional input half.
 * @returns names in the order of the tools
 */
export function chooseFrequentReads(tools: readonly Choosable[]): readonly string[] {
  const uses = countUses(tools);
  const candidates = tools
    .filter(({ name }) => (uses.get(name) ?? 0) >= minUses)
    .sort((a, b) => uses.get(b.name)! - uses.get(a.name)!);
  const chosen = new Set<string>();
  let remaining = maxTokens;
  for (const tool of candidates) {
    if (chosen.size === maxTools) break;
    const tokens = estimateToolTokens(tool);
    if (tokens > Math.min(remaining, maxToolTokens)) continue;
    chosen.add(tool.name);
    remaining -= tokens;
  }
  return tools.filter(({ name }) => chosen.has(name)).map(({ name }) => name);
}

function countUses(tools: readonly Choosable[]): ReadonlyMap<string, number> {
  const reads = new Set(
    tools.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name),
  );
  const uses = new Map<string, number>();
  for (const { name, inputSchema, producers = {} } of tools) {
    const required = (inputSchema["required"] ?? []) as readonly string[];
    const weights = new Map<string, number>();
    for (const [input, names] of Object.entries(producers)) {
      const producer = names.find((one) => reads.has(one) && one !== name);
      if (producer === undefined) continue;
      const weight = required.includes(input) ? 1 : 0.5;
      weights.set(producer, Math.max(weight, weights.get(producer) ?? 0));
    }
    for (const [producer, weight] of weights)
      uses.set(producer, (uses.get(producer) ?? 0) + weight);
  }
  return uses;
}
