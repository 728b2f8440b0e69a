import { invalidInputText } from "../errors/explain-failure.js";
import { sanitize } from "../response/shape.js";
import type {
  AnyTool,
  DiscoveryTool,
  ForwardingTool,
  ToolListing,
  ToolLookup,
} from "../tools/definitions.js";
import { validateInput } from "../tools/validate-input.js";
import { createDescribeTools } from "./describe-tools.js";
import { createSearchTools, type DiscoveryNames } from "./search-tools.js";

/**
 * The three tools that a server lists instead of all its tools: one searches the tools, one
 * describes them, one calls them.
 */
export function createDiscoveryTools(
  lookup: ToolLookup,
  names: DiscoveryNames,
  maxCharacters: number,
): readonly DiscoveryTool[] {
  return [
    createSearchTools(lookup, names),
    createDescribeTools(lookup, names, maxCharacters),
    createCallTool(lookup, names),
  ];
}

export { discoveryInstructions, discoveryNames } from "./search-tools.js";

/**
 * `call_tool`: calls any tool by its name. It has no output schema, because its result is the
 * result of the called tool. Its annotations combine those of all tools.
 */
function createCallTool(
  { tools, find, explainMissing }: ToolLookup,
  names: DiscoveryNames,
): ForwardingTool {
  const definition = callToolDefinition(tools, names);
  return {
    ...definition,
    forward(input) {
      const validated = validateInput(definition.inputSchema, withoutNulls(input));
      if (!validated.ok)
        return { problem: sanitize(invalidInputText(definition, validated.problems)) };
      const name = validated.input["name"] as string;
      const tool = find(name);
      if (!tool) return { problem: `Not called. ${explainMissing(name)}` };
      return { tool, arguments: validated.input["arguments"], signature: () => signatureOf(tool) };
    },
  };
}

/** The signature, whose module is loaded by the first search or wrong call. */
async function signatureOf(tool: AnyTool): Promise<string> {
  const { callSignature } = await import("./signature.js");
  return callSignature(tool);
}

function callToolDefinition(
  tools: ToolLookup["tools"],
  { search, describe, call }: DiscoveryNames,
): ToolListing {
  const hints = tools.map(({ annotations }) => annotations);
  return {
    name: call,
    title: "Call a tool",
    description:
      `Call a tool of this server by its name, as found with ${search}. ` +
      `The arguments are the inputs of its signature; ${describe} has those of every tool. ` +
      `Returns what the tool returns.`,
    annotations: {
      readOnlyHint: hints.every(({ readOnlyHint }) => readOnlyHint),
      destructiveHint: hints.some(({ destructiveHint }) => destructiveHint),
      idempotentHint: hints.every(({ idempotentHint }) => idempotentHint),
      openWorldHint: hints.some(({ openWorldHint }) => openWorldHint),
    },
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, maxLength: 200, description: "Name of the tool." },
        arguments: {
          type: "object",
          description: "Its inputs, by name. Default: none.",
          additionalProperties: true,
        },
      },
      required: ["name"],
      additionalProperties: false,
    },
  };
}

/** Omits null members: some hosts send null for inputs that are not set. */
function withoutNulls(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return input;
  const entries = Object.entries(input);
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined));
}
