/** `tools [WORDS]` and `describe TOOL`: the tools for users and agents of a command line. */
import { rankTools } from "../discovery/rank-tools.js";
import type { ServerContext } from "../server/context.js";
import type { DescribeCommand, ToolsCommand } from "../server/flags.js";
import { type AnyTool, deserializeTool } from "../tools/definitions.js";
import { fullDescriptionOf, fullInputSchemaOf } from "../tools/full-description.js";
import { findTool } from "./call.js";
import type { CommandResult } from "./command-result.js";
import { formatTable } from "./table.js";

/** Lists the tools; with words, those that match them best. */
export async function listTools(
  { offeredTools }: ServerContext,
  { words, format }: ToolsCommand,
): Promise<CommandResult> {
  const query = words.join(" ");
  const tools = query === "" ? offeredTools : await rankTools(offeredTools, query);
  if (tools.length === 0) return { exitCode: 1, text: `No tool matches "${query}".` };
  const rows = tools.map((tool) => rowOf(deserializeTool(tool)));
  return { exitCode: 0, text: format === "json" ? JSON.stringify(rows) : formatTable(rows) };
}

const rowOf = ({ name, annotations, description }: AnyTool) => ({
  name,
  effect: effectOf(annotations),
  description: description.split(/(?<=[.!?])\s(?!\p{Ll})/u, 1)[0]!,
});

function effectOf({ readOnlyHint, destructiveHint }: AnyTool["annotations"]): string {
  if (readOnlyHint) return "read";
  return destructiveHint ? "destructive" : "write";
}

/** Describes tools as TypeScript, or with their JSON Schemas. */
export async function describeTools(
  context: ServerContext,
  { names, format }: DescribeCommand,
): Promise<CommandResult> {
  const { toolDeclaration } = await import("../discovery/signature.js");
  const texts: unknown[] = [];
  for (const name of names) {
    const tool = findTool(context, name);
    if (typeof tool === "string") return { exitCode: 2, text: tool };
    const any = tool as AnyTool;
    texts.push(format === "json" ? schemasOf(any) : toolDeclaration(any, true));
  }
  return { exitCode: 0, text: format === "json" ? JSON.stringify(texts) : texts.join("\n\n") };
}

function schemasOf(tool: AnyTool): object {
  const { name, annotations, outputSchema } = tool;
  const description = fullDescriptionOf(tool);
  const inputSchema = fullInputSchemaOf(tool);
  return { name, description, annotations, inputSchema, ...(outputSchema && { outputSchema }) };
}
