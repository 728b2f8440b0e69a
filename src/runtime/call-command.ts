/** `call TOOL [JSON]`: one call of a tool from the command line, for example to check credentials. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { callTool } from "./call/call-tool.js";
import type { CallCommand } from "./server/flags.js";
import type { ServerContext } from "./server/context.js";

/**
 * Calls the tool and prints the result as an agent reads it.
 * @returns the exit code: 1 for a failed call, 2 for an unknown tool
 */
export async function runCallCommand(
  context: ServerContext,
  { tool, input }: CallCommand,
): Promise<number> {
  const found = findTool(context, tool);
  if (typeof found === "string") {
    process.stderr.write(`${found}\n`);
    return 2;
  }
  const { content, isError } = await callTool(context, found, input);
  process.stdout.write(`${content.map(toText).join("\n")}\n`);
  return isError ? 1 : 0;
}

/** Finds a tool, or explains its absence in a sentence. */
function findTool({ tools }: ServerContext, name: string): ReturnType<typeof tools.find> | string {
  try {
    return tools.find(name);
  } catch (error) {
    return (error as Error).message;
  }
}

function toText(block: CallToolResult["content"][number]): string {
  if (block.type === "text") return block.text;
  if (block.type === "image" || block.type === "audio") return `[${block.mimeType}]`;
  return `[${block.type === "resource_link" ? block.uri : block.resource.uri}]`;
}
