import { invalidInputText } from "../errors/explain-failure.js";
import { sanitize } from "../response/tool-result.js";
import { validateInput } from "../call/validate.js";
import type { DiscoveryNames, ForwardingTool, ToolLookup } from "./types.js";

/**
 * `call_tool`: calls any tool by its name. It has no output schema: its result is that of the tool,
 * whatever it is. What it may do is what the tools may do.
 */
export function createCallTool(
  { tools, find, explainMissing: whyNot }: ToolLookup,
  { search, describe, call }: DiscoveryNames,
): ForwardingTool {
  const hints = tools.map(({ annotations }) => annotations);
  const tool: ForwardingTool = {
    name: call,
    title: "Call a tool",
    description: `Call a tool of this server by its name, as found with ${search}. The arguments are those of its inputSchema: read it with ${describe} first. Returns what the tool returns.`,
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
    forward(given) {
      const validated = validateInput(tool.inputSchema, withoutNulls(given), "operations" in tool);
      if (!validated.ok) return { problem: sanitize(invalidInputText(tool, validated.problems)) };
      const name = validated.input["name"] as string;
      const meant = find(name);
      return meant
        ? { tool: meant, arguments: validated.input["arguments"] }
        : { problem: `Not called. ${whyNot(name)}` };
    },
  };
  return tool;
}

/** Some hosts send null for what they leave out. */
function withoutNulls(given: unknown): unknown {
  if (typeof given !== "object" || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null && value !== undefined),
  );
}
