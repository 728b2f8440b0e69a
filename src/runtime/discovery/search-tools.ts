import {
  type AnyTool,
  type BuiltInTool,
  type ToolListing,
  type ToolLookup,
  deserializeTool,
  isSerialized,
} from "../tools/definitions.js";
import { listToolsets } from "../tools/selection.js";
import { sendsAnyRequest } from "../tools/send-request.js";
import { callAdvice, type DiscoveryNames, readOnlyAnnotations } from "./names.js";
import { type Identity, identityOf, identityProperties } from "./identity.js";
import type { IndexedTool, StoredIndex } from "./search/index.js";

const minResults = 1;
const maxResults = 30;

/** Toolsets listed as an `enum` of the input; more of them are only named in its description. */
const maxToolsets = 50;

/** `search_tools`: finds tools by a task in plain words. The index is built by the first search. */
export function createSearchTools(lookup: ToolLookup, names: DiscoveryNames): BuiltInTool {
  let index: ReturnType<typeof loadSearch> | undefined;
  const toolsets = listToolsets(lookup.tools);
  return {
    ...searchToolsDefinition(names, toolsets),
    async handle(input) {
      index ??= loadSearch(lookup);
      const { query, toolset, limit } = input as {
        readonly query: string;
        readonly toolset?: string;
        readonly limit?: number;
      };
      const { search, ...writer } = await index;
      const { hits, isWeak } = search.find(query, {
        ...(limit !== undefined && { limit }),
        accepts: (tool) => toolset === undefined || tool.toolset === toolset,
      });
      const tools = hits.flatMap(({ name }) => lookup.find(name) ?? []);
      const note = isWeak ? weakMatchNote(tools.length, toolsets, wayOut(lookup)) : undefined;
      const structuredContent = {
        ...describeMatches(tools, lookup, writer),
        ...(note && { note }),
      };
      return {
        outcome: "ok",
        result: {
          content: [{ type: "text", text: JSON.stringify(structuredContent) }],
          structuredContent,
        },
      };
    },
  };
}

/** Loads the search and builds its index: only servers that are searched pay for it. */
async function loadSearch({ tools }: ToolLookup) {
  const [{ createSearch }, { readStoredIndex }, writer] = await Promise.all([
    import("./search/index.js"),
    import("./search/stored-index.js"),
    import("./signature.js"),
  ]);
  const stored = readStoredIndex?.();
  const { callSignature, toolDeclaration } = writer;
  const search = createSearch(toolsOf(tools, stored), stored?.terms);
  return { search, callSignature, toolDeclaration };
}

/**
 * The tools as the index reads them: those of a bundle by its index, the others one by one, so that
 * not all of them are in memory at once.
 */
function* toolsOf(
  tools: ToolLookup["tools"],
  stored: StoredIndex | undefined,
): Generator<AnyTool | IndexedTool> {
  const byName = new Map(stored?.tools.map((tool) => [tool.name, tool]));
  for (const tool of tools)
    yield (isSerialized(tool) && byName.get(tool.name)) || deserializeTool(tool);
}

function searchToolsDefinition(names: DiscoveryNames, toolsets: readonly string[]): ToolListing {
  const { search, describe } = names;
  return {
    name: search,
    title: "Search tools",
    description:
      `Find tools of this server by what they do. Returns the best matches; the first ones with ` +
      `every input, and lookups has the tools that give IDs. Then ${callAdvice(names)}. ` +
      `Read the inputs of the others, and results, with ${describe}.`,
    annotations: readOnlyAnnotations,
    inputSchema: {
      type: "object",
      properties: {
        query: {
          type: "string",
          minLength: 1,
          description: "The whole task, or several steps, in words.",
          examples: ["cancel an order", "invoices of a customer"],
        },
        ...(toolsets.length > 1 && { toolset: toolsetSchema(toolsets) }),
        limit: {
          type: "integer",
          minimum: minResults,
          maximum: maxResults,
          description:
            `Maximum number of tools, ${minResults} to ${maxResults}. ` +
            "Default: 10, up to 20 for a task of several steps.",
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    outputSchema: searchToolsOutputSchema(),
  };
}

function toolsetSchema(toolsets: readonly string[]): object {
  if (toolsets.length <= maxToolsets)
    return { type: "string", description: "Only tools of this group.", enum: toolsets };
  const names = toolsets.slice(0, maxToolsets).join(", ");
  return { type: "string", description: `Only tools of this group: ${names} ….` };
}

function searchToolsOutputSchema(): NonNullable<ToolListing["outputSchema"]> {
  const properties = {
    ...identityProperties,
    typescript: { type: "string", description: "Description and every input as TypeScript." },
    call: { type: "string", description: "Signature: name and inputs as TypeScript." },
    description: { type: "string" },
  };
  return {
    type: "object",
    properties: {
      tools: {
        type: "array",
        description: "Best first. The first ones can be called at once.",
        items: { type: "object", properties, required: ["name"] },
      },
      lookups: {
        type: "object",
        additionalProperties: { type: "array", items: { type: "string" } },
        description: "By required input: tools whose results hold a value for it.",
      },
      note: { type: "string", description: "Advice if no tool matches." },
    },
    required: ["tools"],
  };
}

/** Toolsets that a note names. */
const maxNamedToolsets = 30;

/** Name of the tool that sends any request, if the server has it. It is the last one. */
function wayOut({ tools, find }: ToolLookup): string | undefined {
  const tool = find(tools.at(-1)?.name ?? "");
  return tool && sendsAnyRequest(tool) ? tool.name : undefined;
}

function weakMatchNote(
  found: number,
  toolsets: readonly string[],
  rawTool: string | undefined,
): string {
  const event = found === 0 ? "No tool matches." : "No tool matches closely.";
  const others = rawTool === undefined ? "" : ` For what no tool does, call ${rawTool}.`;
  const advice =
    `${event} Search again with other words for the resource or the action, one step of the task ` +
    `at a time.${others}`;
  if (toolsets.length <= 1) return advice;
  const names = toolsets.slice(0, maxNamedToolsets).join(", ");
  const rest = toolsets.length > maxNamedToolsets ? " \u2026" : "";
  return `${advice} The tools are about: ${names}${rest}.`;
}

/** Characters of declarations in one result, about 1,000 tokens, and of one declaration. */
const maxDeclarations = 2_800;
const maxDeclaration = 1_400;

/** Matches that have a declaration if it fits, and matches that always have a signature. */
const maxDeclared = 3;
const maxSignatures = 3;

/** A match as the model reads it. */
interface DescribedMatch extends Identity {
  /** Description and every input, as `describe_tools` has them; for the first matches. */
  readonly typescript?: string;
  /** Signature of the call, where the declaration is too long. */
  readonly call?: string;
  /** One line, in place of the declaration. */
  readonly description?: string;
}

interface DescribedMatches {
  readonly tools: readonly DescribedMatch[];
  /** Producers of required inputs of the tools that can be called at once, by input. */
  readonly lookups?: Readonly<Record<string, readonly string[]>>;
}

type SignatureWriter = Pick<typeof import("./signature.js"), "callSignature" | "toolDeclaration">;

/** Describes matches so that the first of them can be called at once. */
function describeMatches(
  tools: readonly AnyTool[],
  lookup: ToolLookup,
  { callSignature, toolDeclaration }: SignatureWriter,
): DescribedMatches {
  const lookups = lookupsOf(tools.slice(0, maxSignatures), lookup);
  let remaining = maxDeclarations;
  const described = tools.map((tool, i): DescribedMatch => {
    const { description } = tool;
    const identity = identityOf(tool);
    const typescript = i < maxDeclared ? toolDeclaration(tool, false, "brief") : "";
    if (i < maxDeclared && typescript.length <= Math.min(remaining, maxDeclaration)) {
      remaining -= typescript.length;
      return { ...identity, typescript };
    }
    const call = remaining > 0 || i < maxSignatures ? callSignature(tool) : "";
    if (call === "") return { ...identity, description: firstLine(description, maxShortLine) };
    remaining -= call.length;
    return { ...identity, call, description: firstLine(description, maxLine) };
  });
  return { tools: described, ...(lookups.size > 0 && { lookups: Object.fromEntries(lookups) }) };
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
