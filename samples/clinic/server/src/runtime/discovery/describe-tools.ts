import { type CallOutcome, errorResult } from "../tools/outcome.js";
import type { AnyTool } from "../tools/hooks.js";
import { type DiscoveryNames, readOnlyAnnotations } from "./types.js";
import type { BuiltInTool, ToolListing, ToolLookup } from "../tools/built-in-tools.js";

const maxNames = 20;

/** `describe_tools`: returns full definitions of tools, as `tools/list` would. */
export function createDescribeTools(
  lookup: ToolLookup,
  names: DiscoveryNames,
  maxCharacters: number,
): BuiltInTool {
  return {
    ...describeToolsDefinition(names),
    handle(input) {
      const requested = [...new Set(input["names"] as readonly string[])];
      const tools = requested.flatMap((name) => lookup.find(name) ?? []);
      const unknown = requested.filter((name) => lookup.find(name) === undefined);
      const described = fitDefinitions(tools.map(listingOf), maxCharacters, names.describe);
      return unknown.length === 0
        ? describedResult(described)
        : unknownNamesResult(unknown.map(lookup.explainMissing), described);
    },
  };
}

function describeToolsDefinition({ search, describe, call }: DiscoveryNames): ToolListing {
  return {
    name: describe,
    title: "Describe tools",
    description:
      `Read the full definition of tools that ${search} found: description, every input and the result, ` +
      `as JSON Schema. Do this before the first call of a tool with ${call}.`,
    annotations: readOnlyAnnotations,
    inputSchema: {
      type: "object",
      properties: {
        names: {
          type: "array",
          items: { type: "string", minLength: 1, maxLength: 200 },
          minItems: 1,
          maxItems: maxNames,
          description: `Names of tools, up to ${maxNames}.`,
        },
      },
      required: ["names"],
      additionalProperties: false,
    },
    outputSchema: describeToolsOutputSchema(call),
  };
}

function describeToolsOutputSchema(call: string): NonNullable<ToolListing["outputSchema"]> {
  const properties = {
    name: { type: "string" },
    title: { type: "string" },
    description: { type: "string" },
    inputSchema: { type: "object", description: `JSON Schema of the arguments of ${call}.` },
    outputSchema: { type: "object", description: "JSON Schema of the result." },
    annotations: {
      type: "object",
      description: "Whether it only reads, destroys, or can be repeated.",
    },
  };
  return {
    type: "object",
    properties: {
      tools: {
        type: "array",
        description: "In the order of the names.",
        items: { type: "object", properties, required: ["name", "description", "inputSchema"] },
      },
      note: { type: "string", description: "What was left out." },
    },
    required: ["tools"],
  };
}

type Definition = ToolListing | Omit<ToolListing, "outputSchema">;

interface DescribedTools {
  readonly tools: readonly Definition[];
  readonly note?: string;
}

function listingOf(tool: AnyTool): ToolListing {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    title,
    description,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    annotations,
  };
}

/**
 * As many definitions as fit into the result. Schemas are never cut. A definition that is too long
 * loses its output schema first; the tool itself is left out only after that.
 */
function fitDefinitions(
  definitions: readonly ToolListing[],
  maxCharacters: number,
  describe: string,
): DescribedTools {
  const tools: Definition[] = [];
  const withoutOutput: string[] = [];
  const omitted: string[] = [];
  let remaining = maxCharacters;
  for (const definition of definitions) {
    const { outputSchema: _, ...short } = definition;
    const fitting = [definition, short].find(
      (candidate) => JSON.stringify(candidate).length <= remaining,
    );
    // The first tool is always described: an empty result would not help the agent.
    const definitionToShow = fitting ?? (tools.length === 0 ? short : undefined);
    if (definitionToShow) {
      tools.push(definitionToShow);
      remaining -= JSON.stringify(definitionToShow).length;
    } else omitted.push(definition.name);
    if (definitionToShow === short && definition.outputSchema) withoutOutput.push(definition.name);
  }
  const note = omissionNote(withoutOutput, omitted, describe);
  return { tools, ...(note !== "" && { note }) };
}

function omissionNote(
  withoutOutput: readonly string[],
  omitted: readonly string[],
  describe: string,
): string {
  const sentences: string[] = [];
  if (withoutOutput.length > 0)
    sentences.push(`Left out for size: the outputSchema of ${withoutOutput.join(", ")}.`);
  if (omitted.length > 0)
    sentences.push(
      `Left out for size: ${omitted.join(", ")}. Call ${describe} again with fewer names.`,
    );
  return sentences.join(" ");
}

function describedResult(described: DescribedTools): CallOutcome {
  return {
    outcome: "ok",
    result: {
      content: [{ type: "text", text: JSON.stringify(described) }],
      structuredContent: { ...described },
    },
  };
}

/** An error for unknown names. It includes the definitions of the known ones. */
function unknownNamesResult(
  explanations: readonly string[],
  described: DescribedTools,
): CallOutcome {
  if (described.tools.length === 0) return errorResult("invalid", explanations.join("\n"), []);
  const text = [...explanations, "The definitions of the other tools follow."].join("\n");
  return errorResult("invalid", text, [{ type: "text", text: JSON.stringify(described) }]);
}
