import type { ToolLookup } from "../tools/built-in-tools.js";
import type { AnyTool } from "../tools/hooks.js";
import { callSignature } from "./signature/call-signature.js";

/** Matches with a signature. */
const maxSignatures = 3;

/** A match as the model reads it. */
interface DescribedMatch {
  readonly name: string;
  /** Signature of the call, for the first matches. */
  readonly call?: string;
  /** One line. */
  readonly description: string;
}

interface DescribedMatches {
  readonly tools: readonly DescribedMatch[];
  /** Producers of required inputs of the tools with signatures, by input. */
  readonly lookups?: Readonly<Record<string, readonly string[]>>;
}

/** Describes matches so that the first of them can be called at once. */
export function describeMatches(tools: readonly AnyTool[], lookup: ToolLookup): DescribedMatches {
  const callable = tools.slice(0, maxSignatures);
  const lookups = lookupsOf(callable, lookup);
  return {
    tools: [
      ...callable.map((tool) => ({
        name: tool.name,
        call: callSignature(tool),
        description: firstLine(tool.description, maxLine),
      })),
      ...tools.slice(maxSignatures).map((tool) => ({
        name: tool.name,
        description: firstLine(tool.description, maxShortLine),
      })),
    ],
    ...(lookups.size > 0 && { lookups: Object.fromEntries(lookups) }),
  };
}

/** Producers that this server has, by required input. */
function lookupsOf(
  tools: readonly AnyTool[],
  lookup: ToolLookup,
): ReadonlyMap<string, readonly string[]> {
  const lookups = new Map<string, readonly string[]>();
  for (const { inputSchema, producers = {} } of tools) {
    const required = (inputSchema["required"] ?? []) as readonly string[];
    for (const [input, names] of Object.entries(producers)) {
      if (!required.includes(input)) continue;
      const available = names.filter((name) => lookup.find(name) !== undefined);
      const all = [...new Set([...(lookups.get(input) ?? []), ...available])];
      if (all.length > 0) lookups.set(input, all.slice(0, maxLookups));
    }
  }
  return lookups;
}

const maxLookups = 3;
const maxLine = 120;
const maxShortLine = 80;

/** The leading sentences of a text that fit into one line. A longer first sentence is cut. */
function firstLine(text: string, maxLength: number): string {
  const start = text.slice(0, maxLength + 1);
  const sentenceEnds = [...start.matchAll(/[.!?](?=\s)|[.!?]$|\u3002/g)]
    .map(({ index }) => index + 1)
    .filter((end) => end <= maxLength);
  const end = sentenceEnds[0];
  if (end !== undefined) return start.slice(0, end);
  if (text.length <= maxLength) return text;
  return `${start.slice(0, maxLength - 1).trimEnd()}\u2026`;
}
