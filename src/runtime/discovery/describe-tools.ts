import {
  type AnyTool,
  type BuiltInTool,
  type CallOutcome,
  type ToolListing,
  type ToolLookup,
  errorResult,
} from "../tools/definitions.js";
import { fullDescriptionOf } from "../tools/full-description.js";
import { type Identity, identityOf, identityProperties } from "./identity.js";
import { callers, type DiscoveryNames, readOnlyAnnotations } from "./names.js";
import type { ToolInput } from "../types.js";

const maxNames = 20;

/**
 * `describe_tools`: describes tools as TypeScript, or with the JSON Schemas that `tools/list` has.
 */
export function createDescribeTools(
  lookup: ToolLookup,
  names: DiscoveryNames,
  maxCharacters: number,
): BuiltInTool {
  return {
    ...describeToolsDefinition(names),
    async handle(input) {
      const requested = [...new Set(input["names"] as readonly string[])];
      const tools = requested.flatMap((name) => lookup.find(name) ?? []);
      const unknown = requested.filter((name) => lookup.find(name) === undefined);
      const definitions = await describe(tools, input);
      const described = fitDefinitions(definitions, maxCharacters, names.describe);
      return unknown.length === 0
        ? describedResult(described)
        : unknownNamesResult(unknown.map(lookup.explainMissing), described);
    },
  };
}

/** Definitions in the requested form, each with a shorter form where there is one. */
async function describe(
  tools: readonly AnyTool[],
  { format, result }: ToolInput,
): Promise<readonly Described[]> {
  if (format === "json_schema") return tools.map((tool) => describeAsSchema(tool));
  const { toolDeclaration } = await import("./signature.js");
  return tools.map((tool) => {
    const identity = identityOf(tool);
    const short = { ...identity, typescript: toolDeclaration(tool, false) };
    if (result !== true) return { full: short, short };
    return { full: { ...identity, typescript: toolDeclaration(tool, true) }, short };
  });
}

function describeAsSchema(tool: AnyTool): Described {
  const { inputSchema, outputSchema, annotations } = tool;
  const description = fullDescriptionOf(tool);
  const short = { ...identityOf(tool), description, inputSchema, annotations };
  return { full: { ...short, ...(outputSchema && { outputSchema }) }, short };
}

function describeToolsDefinition(names: DiscoveryNames): ToolListing {
  const { search, describe } = names;
  return {
    name: describe,
    title: "Describe tools",
    description:
      `Describe every input of tools that ${search} found, as TypeScript with comments. ` +
      `The parameter object is the arguments of ${callers(names)}. ` +
      "The result is described on request.",
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
        result: { type: "boolean", description: "Describe the result, too. Default: false." },
        format: {
          type: "string",
          enum: ["typescript", "json_schema"],
          description:
            "typescript is short; json_schema has every keyword, and the result. Default: typescript.",
        },
      },
      required: ["names"],
      additionalProperties: false,
    },
    outputSchema: describeToolsOutputSchema(names),
  };
}

function describeToolsOutputSchema(
  names: DiscoveryNames,
): NonNullable<ToolListing["outputSchema"]> {
  const properties = {
    ...identityProperties,
    typescript: { type: "string", description: "Description, inputs and result as TypeScript." },
    description: { type: "string" },
    inputSchema: {
      type: "object",
      description: `JSON Schema of the arguments of ${callers(names)}.`,
    },
    outputSchema: { type: "object", description: "JSON Schema of the result." },
    annotations: {
      type: "object",
      description: "Hints: read-only, destructive, idempotent.",
    },
  };
  return {
    type: "object",
    properties: {
      tools: {
        type: "array",
        description: "In the order of the names, in the requested format.",
        items: { type: "object", properties, required: ["name"] },
      },
      note: { type: "string", description: "Omitted parts." },
    },
    required: ["tools"],
  };
}

/** A tool as it is described. */
type Definition = Identity;

interface Described {
  readonly full: Definition;
  /** Without the result. */
  readonly short: Definition;
}

interface DescribedTools {
  readonly tools: readonly Definition[];
  readonly note?: string;
}

/**
 * As many definitions as fit into the result. Schemas are never truncated. A definition that is too
 * long loses its result first; the tool itself is left out only after that.
 */
function fitDefinitions(
  definitions: readonly Described[],
  maxCharacters: number,
  describe: string,
): DescribedTools {
  const tools: Definition[] = [];
  const withoutResult: string[] = [];
  const omitted: string[] = [];
  let remaining = maxCharacters;
  for (const { full, short } of definitions) {
    const fitting = [full, short].find((one) => JSON.stringify(one).length <= remaining);
    // The first tool is always described: an empty result would not help the agent.
    const shown = fitting ?? (tools.length === 0 ? short : undefined);
    if (shown) {
      tools.push(shown);
      remaining -= JSON.stringify(shown).length;
    } else omitted.push(full.name);
    if (shown === short && JSON.stringify(full) !== JSON.stringify(short))
      withoutResult.push(full.name);
  }
  const note = omissionNote(withoutResult, omitted, describe);
  return { tools, ...(note !== "" && { note }) };
}

function omissionNote(
  withoutResult: readonly string[],
  omitted: readonly string[],
  describe: string,
): string {
  const sentences: string[] = [];
  if (withoutResult.length > 0)
    sentences.push(`Left out for size: the result of ${withoutResult.join(", ")}.`);
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
