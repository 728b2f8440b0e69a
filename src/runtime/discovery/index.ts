import { invalidInputText } from "../errors/explain-failure.js";
import { pickSchema } from "../response/pick-fields.js";
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
import { callers, type DiscoveryNames, isRead } from "./names.js";
import { createSearchTools } from "./search-tools.js";
import { showOnly } from "./show-picked.js";

export { discoveryNames, hasBothEffects } from "./names.js";

/**
 * The tools that a server lists in place of its tools or of most of them: one searches the tools,
 * one describes them, one calls those that only read, one calls any.
 */
export function createDiscoveryTools(
  lookup: ToolLookup,
  names: DiscoveryNames,
  maxCharacters: number,
): readonly DiscoveryTool[] {
  const { callRead } = names;
  return [
    createSearchTools(lookup, names),
    createDescribeTools(lookup, describeTexts(names), maxCharacters),
    ...(callRead === undefined
      ? []
      : [createCaller(lookup, callReadDefinition(lookup.tools, names, callRead), names, true)]),
    createCaller(lookup, callToolDefinition(lookup.tools, names), names, false),
  ];
}

const describeTexts = (names: DiscoveryNames) => ({
  name: names.describe,
  description:
    `Describe every input of tools that ${names.search} found, as TypeScript with comments. ` +
    `The parameter object is the arguments of ${callers(names)}. ` +
    "The result is described on request.",
  callers: callers(names),
});

/**
 * A tool that calls a tool by its name. It has no output schema, because its result is the result
 * of the called tool.
 * @param onlyReads true to refuse tools that do more than read
 */
function createCaller(
  { find, explainMissing }: ToolLookup,
  definition: ToolListing,
  { call }: DiscoveryNames,
  onlyReads: boolean,
): ForwardingTool {
  return {
    ...definition,
    forward(input) {
      const validated = validateInput(definition.inputSchema, withoutNulls(input));
      if (!validated.ok)
        return { problem: sanitize(invalidInputText(definition, validated.problems)) };
      const name = validated.input["name"] as string;
      const tool = find(name);
      if (!tool) return { problem: `Not called. ${explainMissing(name)}` };
      if (onlyReads && !isRead(tool))
        return { problem: `Not called: ${name} can change something, so call it with ${call}.` };
      const pick = validated.input["pick"] as readonly string[] | undefined;
      return {
        tool,
        arguments: validated.input["arguments"],
        signature: () => signatureOf(tool),
        ...(pick && pick.length > 0 && { show: showOnly(tool, pick) }),
      };
    },
  };
}

/** The signature, whose module is loaded by the first search or wrong call. */
async function signatureOf(tool: AnyTool): Promise<string> {
  const { callSignature } = await import("./signature.js");
  return callSignature(tool);
}

/** Annotations that hold for each of some tools. */
function commonAnnotations(
  tools: readonly Pick<AnyTool, "annotations">[],
): ToolListing["annotations"] {
  const hints = tools.map(({ annotations }) => annotations);
  return {
    readOnlyHint: hints.every(({ readOnlyHint }) => readOnlyHint),
    destructiveHint: hints.some(({ destructiveHint }) => destructiveHint),
    idempotentHint: hints.every(({ idempotentHint }) => idempotentHint),
    openWorldHint: hints.some(({ openWorldHint }) => openWorldHint),
  };
}

function callReadDefinition(
  tools: ToolLookup["tools"],
  { search, call }: DiscoveryNames,
  name: string,
): ToolListing {
  return {
    name,
    title: "Call a tool that reads",
    description:
      `Call a tool of this server that only reads, by its name, as found with ${search} (effect ` +
      `read). It refuses all others, for which there is ${call}. Returns what the tool returns.`,
    annotations: commonAnnotations(tools.filter(isRead)),
    inputSchema: callerInputSchema,
  };
}

function callToolDefinition(
  tools: ToolLookup["tools"],
  { search, describe, call }: DiscoveryNames,
): ToolListing {
  return {
    name: call,
    title: "Call a tool",
    description:
      `Call a tool of this server by its name, as found with ${search}. ` +
      `The arguments are the inputs of its signature; ${describe} has those of every tool. ` +
      `Returns what the tool returns.`,
    annotations: commonAnnotations(tools),
    inputSchema: callerInputSchema,
  };
}

const callerInputSchema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1, maxLength: 200, description: "Name of the tool." },
    arguments: {
      type: "object",
      description: "Its inputs, by name. Default: none.",
      additionalProperties: true,
    },
    pick: pickSchema,
  },
  required: ["name"],
  additionalProperties: false,
} as const;

/** Omits null members: some hosts send null for inputs that are not set. */
function withoutNulls(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return input;
  const entries = Object.entries(input);
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined));
}
