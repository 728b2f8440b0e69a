import type { CallOutcome } from "../tools/outcome.js";
import type { AnyTool } from "../tools/hooks.js";
import { listToolsets } from "../tools/selection.js";
import { deserializeTool } from "../tools/serialized-tools.js";
import type { ToolSearch } from "./search/index.js";
import type { BuiltInTool, ToolListing, ToolLookup } from "../tools/built-in-tools.js";
import { type DiscoveryNames, readOnlyAnnotations } from "./types.js";

const minResults = 1;
const defaultResults = 10;
const maxResults = 30;

/** Toolsets listed as an `enum` of the input; more of them are only named in its description. */
const maxToolsets = 50;

/** A match as the model reads it: enough to choose a tool and to know which tools to call first. */
interface FoundTool {
  readonly name: string;
  /** One line. */
  readonly description: string;
  readonly required?: readonly string[];
  /** Producers of required inputs, by input. */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
}

/** `search_tools`: finds tools by a task in plain words. The index is built by the first search. */
export function createSearchTools(lookup: ToolLookup, names: DiscoveryNames): BuiltInTool {
  let index: Promise<ToolSearch> | undefined;
  const toolsets = listToolsets(lookup.tools);
  return {
    ...searchToolsDefinition(names, toolsets),
    async handle(input) {
      index ??= import("./search/index.js").then(({ createSearch }) =>
        createSearch(lookup.tools.map(deserializeTool)),
      );
      const { query, toolset, limit } = input as {
        readonly query: string;
        readonly toolset?: string;
        readonly limit?: number;
      };
      const hits = (await index).find(query, {
        limit: limit ?? defaultResults,
        accepts: (tool) => toolset === undefined || tool.toolset === toolset,
      });
      const tools = hits.flatMap(({ name }) => lookup.find(name) ?? []);
      return searchResult(
        tools.map((tool) => toFoundTool(tool, lookup)),
        toolsets,
      );
    },
  };
}

function searchToolsDefinition(
  { search, describe, call }: DiscoveryNames,
  toolsets: readonly string[],
): ToolListing {
  return {
    name: search,
    title: "Search tools",
    description:
      `Find tools of this server by what they do. Returns the best matches with name, description, ` +
      `required inputs and, for IDs, the tools that give them. ` +
      `Then read the inputs of a tool with ${describe} and call it with ${call}.`,
    annotations: readOnlyAnnotations,
    inputSchema: {
      type: "object",
      properties: {
        query: {
          type: "string",
          minLength: 1,
          description: "What you want to do, in words: the whole task, or one step of it.",
          examples: ["cancel an order", "invoices of a customer"],
        },
        ...(toolsets.length > 1 && { toolset: toolsetSchema(toolsets) }),
        limit: {
          type: "integer",
          minimum: minResults,
          maximum: maxResults,
          description: `Most tools to return, ${minResults} to ${maxResults}. Default: ${defaultResults}.`,
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
    name: { type: "string" },
    description: { type: "string" },
    required: { type: "array", items: { type: "string" }, description: "Inputs that it needs." },
    sources: {
      type: "object",
      additionalProperties: { type: "array", items: { type: "string" } },
      description: "By input: tools to call first, whose results hold a value for it.",
    },
  };
  return {
    type: "object",
    properties: {
      tools: {
        type: "array",
        description: "Best first.",
        items: { type: "object", properties, required: ["name", "description"] },
      },
      note: { type: "string", description: "What to try when nothing fits." },
    },
    required: ["tools"],
  };
}

function toFoundTool(tool: AnyTool, lookup: ToolLookup): FoundTool {
  const required = (tool.inputSchema["required"] ?? []) as readonly string[];
  const sources = requiredSources(tool, required, lookup);
  return {
    name: tool.name,
    description: firstLine(tool.description),
    ...(required.length > 0 && { required }),
    ...(sources.length > 0 && { sources: Object.fromEntries(sources) }),
  };
}

/** Producers of the required inputs that this server has. */
function requiredSources(
  { producers = {} }: AnyTool,
  required: readonly string[],
  lookup: ToolLookup,
): readonly (readonly [string, readonly string[]])[] {
  return Object.entries(producers).flatMap(([input, tools]) => {
    const available = tools.filter((tool) => lookup.find(tool) !== undefined);
    return required.includes(input) && available.length > 0 ? [[input, available] as const] : [];
  });
}

const maxLineLength = 160;

/** The leading sentences of a text that fit into one line. A longer first sentence is cut. */
function firstLine(text: string): string {
  const start = text.slice(0, maxLineLength + 1);
  const sentenceEnds = [...start.matchAll(/[.!?](?=\s)|[.!?]$|\u3002/g)]
    .map(({ index }) => index + 1)
    .filter((end) => end <= maxLineLength);
  const end = sentenceEnds.at(-1);
  if (end !== undefined) return start.slice(0, end);
  return `${start.slice(0, maxLineLength - 1).trimEnd()}…`;
}

function searchResult(tools: readonly FoundTool[], toolsets: readonly string[]): CallOutcome {
  const structuredContent = {
    tools,
    ...(tools.length === 0 && { note: noMatchNote(toolsets) }),
  };
  return {
    outcome: "ok",
    result: {
      content: [{ type: "text", text: JSON.stringify(structuredContent) }],
      structuredContent,
    },
  };
}

function noMatchNote(toolsets: readonly string[]): string {
  const advice =
    "No tool matches. Search again with other words for the resource or the action, one step of the task at a time.";
  if (toolsets.length <= 1) return advice;
  const names = toolsets.slice(0, 30).join(", ");
  return `${advice} The tools are about: ${names}${toolsets.length > 30 ? " …" : ""}.`;
}
