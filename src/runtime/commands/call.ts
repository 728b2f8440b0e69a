/** `call TOOL [INPUT]`: one call of a tool from the command line. */
import { parseJsonText } from "../data/json-text.js";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { callTool } from "../call/call-tool.js";
import { decodeBase64 } from "../data/bytes.js";
import { extensionFor } from "../data/media-types.js";
import { isObject } from "../data/values.js";
import type { ServerContext } from "../server/context.js";
import type { CallCommand } from "../server/flags.js";
import type { ServedTool } from "../tools/tool-registry.js";
import type { CommandResult } from "./command-result.js";
import { formatTable } from "./table.js";

/** Calls the tool. A failed call is exit code 1, an unknown tool or an unreadable input 2. */
export async function runCall(
  context: ServerContext,
  { tool, args, format }: CallCommand,
): Promise<CommandResult> {
  const found = findTool(context, tool);
  if (typeof found === "string") return { exitCode: 2, text: found };
  const input = await readInput(args);
  if (typeof input === "string") return { exitCode: 2, text: input };
  const result = await callTool(context, found, input);
  const text = await asText(context, tool, result);
  if (result.isError) return { exitCode: 1, text };
  if (format === "text") return { exitCode: 0, text };
  const value = result.structuredContent ?? parseJsonText(text) ?? { value: text };
  return { exitCode: 0, text: format === "json" ? JSON.stringify(value) : formatTable(value) };
}

/** Finds a tool, or explains its absence. */
export function findTool({ tools }: ServerContext, name: string): ServedTool | string {
  try {
    return tools.find(name);
  } catch (error) {
    const reason = (error as Error).message.replace(/ See tools\/list\.$/, "");
    return `${reason} The command tools prints all.`;
  }
}

type Input = Readonly<Record<string, unknown>>;

/** Reads an input: a JSON object, also from a file or stdin, or pairs. The later ones win. */
async function readInput(args: readonly string[]): Promise<Input | string> {
  const parts: Input[] = [];
  for (const arg of args) {
    const part = await readArgument(arg);
    if (typeof part === "string") return part;
    parts.push(part);
  }
  return Object.assign({}, ...parts) as Input;
}

async function readArgument(arg: string): Promise<Input | string> {
  const [, name, isJson, value = ""] = /^([^={}:]+)(:)?=([^]*)$/.exec(arg) ?? [];
  if (name === undefined) return readObject(arg);
  if (!isJson) return { [name]: value };
  const parsed = parseJsonText(value);
  return parsed === undefined ? `${name}:= needs JSON, such as ${name}:=2.` : { [name]: parsed };
}

async function readObject(arg: string): Promise<Input | string> {
  const text = await readText(arg);
  if (text === undefined) return `${arg.slice(1)} cannot be read.`;
  const value = parseJsonText(text);
  return isObject(value)
    ? value
    : `The input must be a JSON object, such as '{"limit": 2}', or pairs, such as limit=2.`;
}

/** The text of `@FILE`, of stdin for `-`, else the argument. */
async function readText(arg: string): Promise<string | undefined> {
  if (arg !== "-" && !arg.startsWith("@")) return arg;
  const { readFileSync } = await import("node:fs");
  try {
    return readFileSync(arg === "-" ? 0 : arg.slice(1), "utf8");
  } catch {
    return undefined;
  }
}

/** The text of a result. Images and other bytes are saved as files, whose paths it has. */
async function asText(
  server: ServerContext,
  tool: string,
  { content }: CallToolResult,
): Promise<string> {
  const texts: string[] = [];
  for (const block of content) texts.push(await textOf(server, tool, block));
  return texts.join("\n");
}

async function textOf(
  { files }: ServerContext,
  tool: string,
  block: CallToolResult["content"][number],
): Promise<string> {
  if (block.type === "text") return block.text;
  if (block.type === "resource_link") return block.uri;
  const content = block.type === "resource" ? block.resource : block;
  if ("text" in content) return content.text;
  const { mimeType = "" } = content;
  const bytes = decodeBase64("blob" in content ? content.blob : content.data);
  const path = await files?.save(`${tool}${extensionFor(mimeType)}`, bytes);
  return path === undefined ? `[${mimeType}]` : `Saved as ${path}`;
}
