import {
  type AnyTool,
  type BuiltInTool,
  type ToolListing,
  type ToolLookup,
  deserializeTool,
  isSerialized,
} from "../tools/definitions.js";
import { listApis, listToolsets } from "../tools/selection.js";
import { sendsAnyRequest } from "../tools/send-request.js";
import { callAdvice, type DiscoveryNames, readOnlyAnnotations } from "./names.js";
import { groupByApi } from "./group-by-api.js";
import { describeMatches } from "./describe-matches.js";
import { mostMatches, usualMatches } from "./match-count.js";
import { identityProperties } from "./identity.js";
import type { IndexedTool, StoredIndex } from "./search/index.js";

const minResults = 1;
const maxResults = 30;

/** Toolsets listed as an `enum` of the input; more of them are only named in its description. */
const maxToolsets = 50;

/** `search_tools`: finds tools by a task in plain words. The index is built by the first search. */
export function createSearchTools(lookup: ToolLookup, names: DiscoveryNames): BuiltInTool {
  let index: ReturnType<typeof loadSearch> | undefined;
  const toolsets = listToolsets(lookup.tools);
  const apis = listApis(lookup.tools);
  return {
    ...searchToolsDefinition(names, toolsets, apis),
    async handle(input) {
      index ??= loadSearch(lookup);
      const { query, toolset, api, limit } = input as {
        readonly query: string;
        readonly toolset?: string;
        readonly api?: string;
        readonly limit?: number;
      };
      const { search, ...writer } = await index;
      const { hits, leads, isWeak, rivals } = search.find(query, {
        ...(limit !== undefined && { limit }),
        ...(api !== undefined && { api }),
        accepts: (tool) => toolset === undefined || tool.toolset === toolset,
      });
      const tools = hits.flatMap(({ name }) => lookup.find(name) ?? []);
      const notes = [
        ...(isWeak ? [weakMatchNote(tools.length, toolsets, wayOut(lookup))] : []),
        ...(rivals.length > 1 ? [rivalNote(rivals)] : []),
      ];
      const leadNames = new Set(leads.map(({ name }) => name));
      const matches = describeMatches(tools, leadNames, lookup, writer);
      const structuredContent = {
        ...(notes.length > 0 && { note: notes.join(" ") }),
        ...(apis.length > 1 ? { apis: groupByApi(matches) } : { tools: matches }),
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

function searchToolsDefinition(
  names: DiscoveryNames,
  toolsets: readonly string[],
  apis: readonly string[],
): ToolListing {
  const { search, describe } = names;
  return {
    name: search,
    title: "Search tools",
    description:
      `Find tools of this server by what they do. Returns the best matches${apis.length > 1 ? " by API" : ""}; those of each step with ` +
      `their inputs as far as there is room, and the tools that give IDs (lookups). ` +
      `Then ${callAdvice(names)}. Read the inputs of the others, and results, with ${describe}.`,
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
        ...(apis.length > 1 && {
          api: {
            type: "string",
            description:
              "API that the task is about, whenever that is clear: words alone do not always tell. " +
              "Only its tools are found.",
            enum: apis,
          },
        }),
        ...(toolsets.length > 1 && { toolset: toolsetSchema(toolsets) }),
        limit: {
          type: "integer",
          minimum: minResults,
          maximum: maxResults,
          description:
            `Maximum number of tools, ${minResults} to ${maxResults}. ` +
            `Default: ${usualMatches(apis.length)}, up to ${mostMatches} for a task of several steps.`,
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    outputSchema: searchToolsOutputSchema(apis.length),
  };
}

function toolsetSchema(toolsets: readonly string[]): object {
  if (toolsets.length <= maxToolsets)
    return { type: "string", description: "Only tools of this group.", enum: toolsets };
  const names = toolsets.slice(0, maxToolsets).join(", ");
  return { type: "string", description: `Only tools of this group: ${names} ….` };
}

/** In a server of several APIs, the tools are below their APIs. */
function searchToolsOutputSchema(apiCount: number): NonNullable<ToolListing["outputSchema"]> {
  const note = {
    type: "string",
    description: "Advice if no tool matches, or tools of several APIs do.",
  };
  const tools = toolsSchema(apiCount === 1);
  if (apiCount <= 1) return { type: "object", properties: { note, tools }, required: ["tools"] };
  const apis = {
    type: "array",
    description: "Most likely API first.",
    items: {
      type: "object",
      properties: { api: { type: "string" }, tools },
      required: ["tools"],
    },
  };
  return { type: "object", properties: { note, apis }, required: ["apis"] };
}

function toolsSchema(hasApi: boolean): object {
  const properties = {
    ...identityProperties,
    ...(hasApi && { api: { type: "string" } }),
    typescript: { type: "string", description: "Description and every input as TypeScript." },
    call: { type: "string", description: "Signature: name and inputs as TypeScript." },
    description: { type: "string" },
    lookups: {
      type: "object",
      additionalProperties: { type: "array", items: { type: "string" } },
      description: "By required input: tools whose results hold a value for it.",
    },
  };
  return {
    type: "array",
    description: "Best first. The first ones can be called at once.",
    items: { type: "object", properties, required: ["name"] },
  };
}

function rivalNote(apis: readonly string[]): string {
  return (
    `${apis.slice(0, -1).join(", ")} and ${apis.at(-1)!} fit about equally. ` +
    "Use the tools of the API that the task means, or search again with its api."
  );
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
