import type { CallOutcome } from "../call/outcome.js";
import type { AnyTool } from "../tools/hooks.js";
import { listToolsets } from "../tools/selection.js";
import { deserializeTool } from "../tools/serialized-tools.js";
import type { ToolSearch } from "./search/index.js";
import type { BuiltInTool, DiscoveryNames, ToolLookup } from "./types.js";

const minResults = 1;
const defaultResults = 10;
const maxResults = 30;

/**
 * What a model sees of a tool that was found: enough to choose, and to know what to call before it.
 */
interface FoundTool {
  readonly name: string;
  /** One line. */
  readonly description: string;
  readonly required?: readonly string[];
  /** By required input: the tools that give a value for it. */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
}

/** `search_tools`: finds tools by what somebody wants to do. */
export function createSearchTools(
  known: ToolLookup,
  { search, describe, call }: DiscoveryNames,
): BuiltInTool {
  let index: Promise<ToolSearch> | undefined;
  const toolsets = listToolsets(known.tools);
  return {
    name: search,
    title: "Search tools",
    description:
      `Find tools of this server by what they do. Returns the best matches with name, description, required inputs and, for IDs, the tools that give them. ` +
      `Then read the inputs of a tool with ${describe} and call it with ${call}.`,
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    inputSchema: {
      type: "object",
      properties: {
        query: {
          type: "string",
          minLength: 1,
          maxLength: 1000,
          description: "What you want to do, in words: the whole task, or one step of it.",
          examples: ["cancel an order", "invoices of a customer"],
        },
        ...(toolsets.length > 1 && {
          toolset: {
            type: "string",
            description: `Only tools of this group${toolsets.length > 50 ? `: ${toolsets.slice(0, 50).join(", ")} …` : ""}.`,
            ...(toolsets.length <= 50 && { enum: toolsets }),
          },
        }),
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
    outputSchema: {
      type: "object",
      properties: {
        tools: {
          type: "array",
          description: "Best first.",
          items: {
            type: "object",
            properties: {
              name: { type: "string" },
              description: { type: "string" },
              required: {
                type: "array",
                items: { type: "string" },
                description: "Inputs that it needs.",
              },
              sources: {
                type: "object",
                additionalProperties: { type: "array", items: { type: "string" } },
                description: "By input: tools to call first, whose results hold a value for it.",
              },
            },
            required: ["name", "description"],
          },
        },
        note: { type: "string", description: "What to try when nothing fits." },
      },
      required: ["tools"],
    },
    async handle(input) {
      index ??= import("./search/index.js").then(({ createSearch }) =>
        createSearch(known.tools.map(deserializeTool)),
      );
      const {
        query,
        toolset,
        limit = defaultResults,
      } = input as { readonly query: string; readonly toolset?: string; readonly limit?: number };
      const found = (await index).find(query, {
        limit,
        accepts: (tool) => toolset === undefined || tool.toolset === toolset,
      });
      return searchResult(
        found.flatMap(({ name }) => known.find(name) ?? []).map((tool) => toFound(tool, known)),
        toolsets,
      );
    },
  };
}

function toFound(
  { name, description, inputSchema, producers = {} }: AnyTool,
  known: ToolLookup,
): FoundTool {
  const required = (inputSchema["required"] ?? []) as readonly string[];
  const sources = Object.entries(producers).flatMap(([input, tools]) => {
    const there = tools.filter((tool) => known.find(tool) !== undefined);
    return required.includes(input) && there.length > 0 ? [[input, there] as const] : [];
  });
  return {
    name,
    description: firstLine(description),
    ...(required.length > 0 && { required }),
    ...(sources.length > 0 && { sources: Object.fromEntries(sources) }),
  };
}

const maxLineLength = 160;

/** The sentences at the start of a text that fit into a line; of a longer one, its beginning. */
function firstLine(text: string): string {
  const start = text.slice(0, maxLineLength + 1);
  const ends = [...start.matchAll(/[.!?](?=\s)|[.!?]$|\u3002/g)]
    .map(({ index }) => index + 1)
    .filter((end) => end <= maxLineLength);
  const end = ends.at(-1);
  return end === undefined
    ? `${start.slice(0, maxLineLength - 1).trimEnd()}…`
    : start.slice(0, end);
}

function searchResult(tools: readonly FoundTool[], toolsets: readonly string[]): CallOutcome {
  const groups =
    toolsets.length > 1
      ? ` The tools are about: ${toolsets.slice(0, 30).join(", ")}${toolsets.length > 30 ? " …" : ""}.`
      : "";
  const structuredContent = {
    tools,
    ...(tools.length === 0 && {
      note: `No tool matches. Try other words for the thing or the action, one step at a time.${groups}`,
    }),
  };
  return {
    outcome: "ok",
    result: {
      content: [{ type: "text", text: JSON.stringify(structuredContent) }],
      structuredContent,
    },
  };
}
