// commands: files of the runtime of mcp-gen as one module, each after those that it uses.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { callTool } from "./call.js";
import { decodeBase64, extensionFor, isObject } from "./data.js";
import type { CallCommand, DescribeCommand, ToolCommand, ToolsCommand } from "./node.js";
import type { Env } from "./request.js";
import type { ServerContext } from "./server.js";
import {
  type AnyTool,
  deserializeTool,
  fullDescriptionOf,
  rankTools,
  type ServedTool,
} from "./tools.js";

// ---- commands/command-result.ts ----
// Results of commands.

/** Text on stdout, or on stderr if the exit code is not 0. */
export interface CommandResult {
  readonly exitCode: number;
  readonly text: string;
}

// ---- commands/table.ts ----
// Tables of results for terminals.

const MAX_COLUMNS = 8;
const MAX_WIDTH = 60;

/** A list as rows, also the first list of objects in an object; any other value as a row of its fields. */
export function formatTable(value: unknown): string {
  const rows = rowsOf(value);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);
  const lines = [columns, ...rows.map((row) => columns.map((name) => cell(row[name])))];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)));
  return lines
    .map((line) =>
      line
        .map((text, i) => text.padEnd(widths[i]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

type Row = Readonly<Record<string, unknown>>;

function rowsOf(value: unknown): readonly Row[] {
  const lists = isObject(value) ? Object.values(value).filter(Array.isArray) : [];
  const list = Array.isArray(value) ? value : lists.find((items) => items.some(isObject));
  const items: readonly unknown[] = list ?? [value];
  return items.map((item) => (isObject(item) ? item : { value: item }));
}

/** A value on one line, without control characters. */
function cell(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH - 1)}…` : line;
}

// ---- commands/call.ts ----
// `call TOOL [INPUT]`: one call of a tool from the command line.

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
  const value = result.structuredContent ?? parseJson(text)?.value ?? { value: text };
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
  const parsed = parseJson(value);
  return parsed ? { [name]: parsed.value } : `${name}:= needs JSON, such as ${name}:=2.`;
}

async function readObject(arg: string): Promise<Input | string> {
  const text = await readText(arg);
  if (text === undefined) return `${arg.slice(1)} cannot be read.`;
  const value = parseJson(text)?.value;
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

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
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

// ---- commands/describe.ts ----
// `tools [WORDS]` and `describe TOOL`: the tools for users and agents of a command line.

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
  description: description.split(/(?<=[.!?])\s/, 1)[0]!,
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
  const { toolDeclaration } = await import("./discovery/signature.js");
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
  const { name, annotations, inputSchema, outputSchema } = tool;
  const description = fullDescriptionOf(tool);
  return { name, description, annotations, inputSchema, ...(outputSchema && { outputSchema }) };
}

// ---- commands/index.ts ----
// The commands of a server that is a command line: `tools`, `describe` and `call`.

/**
 * Runs a command and prints its result.
 * @returns the exit code: 1 for a failed call, 2 for a command that cannot be run
 */
export async function runCommand(context: ServerContext, command: ToolCommand): Promise<number> {
  const { exitCode, text } = await resultOf(context, command);
  (exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return exitCode;
}

async function resultOf(context: ServerContext, command: ToolCommand): Promise<CommandResult> {
  switch (command.kind) {
    case "tools":
      return listTools(context, command);
    case "describe":
      return describeTools(context, command);
    case "call":
      return runCall(context, command);
  }
}

/**
 * Settings of a process that runs one command: files by their paths below the working folder, and
 * no stored results, which would end with the process. Data for other programs is complete. Calls
 * that succeed leave stderr empty, except for the record of a write.
 */
export function commandSettings(command: ToolCommand, prefix: string, env: Env): Env {
  return {
    LOG_LEVEL: env["LOG_LEVEL"]?.trim() || "warn",
    [`${prefix}_KEPT_RESULT_BYTES`]: "0",
    ...(!env[`${prefix}_FILES_DIR`]?.trim() && { [`${prefix}_FILES_DIR`]: "." }),
    ...(command.format !== "text" && { [`${prefix}_MAX_RESULT_TOKENS`]: "10000000" }),
  };
}
