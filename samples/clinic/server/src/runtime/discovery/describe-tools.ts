import { type CallOutcome, errorResult } from "../call/outcome.js";
import type { AnyTool } from "../tools/hooks.js";
import type { BuiltInTool, DiscoveryNames, ToolListing, ToolLookup } from "./types.js";

const maxNames = 20;

/** `describe_tools`: the full definitions of some tools, as `tools/list` would have given them. */
export function createDescribeTools(
  known: ToolLookup,
  { search, describe, call }: DiscoveryNames,
  maxCharacters: number,
): BuiltInTool {
  return {
    name: describe,
    title: "Describe tools",
    description: `Read the full definition of tools that ${search} found: description, every input and the result, as JSON Schema. Do this before the first call of a tool with ${call}.`,
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
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
    outputSchema: {
      type: "object",
      properties: {
        tools: {
          type: "array",
          description: "In the order of the names.",
          items: {
            type: "object",
            properties: {
              name: { type: "string" },
              title: { type: "string" },
              description: { type: "string" },
              inputSchema: {
                type: "object",
                description: `JSON Schema of the arguments of ${call}.`,
              },
              outputSchema: { type: "object", description: "JSON Schema of the result." },
              annotations: {
                type: "object",
                description: "Whether it only reads, destroys, or can be repeated.",
              },
            },
            required: ["name", "description", "inputSchema"],
          },
        },
        note: { type: "string", description: "What was left out." },
      },
      required: ["tools"],
    },
    handle({ names }) {
      const wanted = [...new Set(names as readonly string[])].map((name) => ({
        name,
        tool: known.find(name),
      }));
      const unknown = wanted
        .filter(({ tool }) => tool === undefined)
        .map(({ name }) => known.explainMissing(name));
      const definitions = wanted.flatMap(({ tool }) => (tool ? [definitionOf(tool)] : []));
      const described = fitDefinitions(definitions, maxCharacters, describe);
      return unknown.length === 0
        ? describedResult(described)
        : unknownNamesResult(unknown, described);
    },
  };
}

type Definition = ToolListing | Omit<ToolListing, "outputSchema">;

interface Described {
  readonly tools: readonly Definition[];
  readonly note?: string;
}

function definitionOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: AnyTool): ToolListing {
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
 * As many definitions as a result has room for, whole: half a schema misleads. A result's schema
 * goes before a tool does.
 */
function fitDefinitions(
  definitions: readonly ToolListing[],
  maxCharacters: number,
  describe: string,
): Described {
  const tools: Definition[] = [];
  const [cut, left]: [string[], string[]] = [[], []];
  let room = maxCharacters;
  for (const whole of definitions) {
    const { outputSchema: _, ...short } = whole;
    const shown =
      [whole, short].find((one) => JSON.stringify(one).length <= room) ??
      (tools.length === 0 ? short : undefined);
    if (!shown) left.push(whole.name);
    else tools.push(shown);
    if (shown === short && whole.outputSchema) cut.push(whole.name);
    room -= shown ? JSON.stringify(shown).length : 0;
  }
  const notes = [
    ...(cut.length > 0 ? [`Left out for size: the outputSchema of ${cut.join(", ")}.`] : []),
    ...(left.length > 0
      ? [`No room for ${left.join(", ")}: call ${describe} again with fewer names.`]
      : []),
  ];
  return { tools, ...(notes.length > 0 && { note: notes.join(" ") }) };
}

function describedResult(structuredContent: Described): CallOutcome {
  return {
    outcome: "ok",
    result: {
      content: [{ type: "text", text: JSON.stringify(structuredContent) }],
      structuredContent: { ...structuredContent },
    },
  };
}

/**
 * A name that is not there is an error; what was asked for beside it need not be asked for again.
 */
function unknownNamesResult(unknown: readonly string[], described: Described): CallOutcome {
  const text = [
    ...unknown,
    ...(described.tools.length > 0 ? ["The definitions of the others follow."] : []),
  ].join("\n");
  return errorResult(
    "invalid",
    text,
    described.tools.length > 0 ? [{ type: "text", text: JSON.stringify(described) }] : [],
  );
}
