import { isObject } from "../json.js";
import { ExpansionError, ReferenceExpander } from "./expand-references.js";
import type { Lock, LockedTool } from "./types.js";

/** Supported layout versions of lock files. Locks of layout 1 have no shared schemas. */
const SUPPORTED_LAYOUTS: readonly unknown[] = [1, 2];
/** Maximum nesting of a lock. Schemas written by mcp-gen have about a tenth of it. */
const MAX_DEPTH = 300;

/** A lock with the lines of its entries in the file, from 1. */
export interface LockFile extends Lock {
  /** By tool name. */
  readonly lines: ReadonlyMap<string, number>;
  /** By name of the shared schema. */
  readonly schemaLines: ReadonlyMap<string, number>;
}

/**
 * Parses an `mcp-gen.lock.json`, which may have been edited by hand.
 * @returns the lock; a clause that describes an error in it; or undefined when it is not a lock at
 * all
 */
export function readLock(text: string): LockFile | string | undefined {
  const data = parse(text);
  if (!isObject(data) || data["layout"] === undefined || !Array.isArray(data["tools"]))
    return undefined;
  if (!SUPPORTED_LAYOUTS.includes(data["layout"]))
    return "has a layout that this version of mcp-gen does not support";
  const tools = data["tools"] as readonly unknown[];
  const schemas = data["schemas"] ?? {};
  if (!isObject(schemas)) return "has invalid schemas";
  if (!isShallow([tools, schemas], MAX_DEPTH)) return `is nested deeper than ${MAX_DEPTH} levels`;
  const invalid = tools.findIndex((tool) => !isLockedTool(tool));
  if (invalid >= 0) return `has an invalid entry (number ${invalid + 1})`;
  const names = (tools as readonly LockedTool[]).map(({ name }) => name);
  const duplicate = names.find((name, i) => names.indexOf(name) !== i);
  if (duplicate !== undefined) return `has a duplicate entry ${JSON.stringify(duplicate)}`;
  try {
    const expander = new ReferenceExpander(schemas, MAX_DEPTH);
    const expanded = (tools as readonly LockedTool[]).map((tool) => expandTool(tool, expander));
    return {
      ...readListMode(data["listMode"]),
      tools: expanded,
      schemaNames: expander.names,
      ...entryLines(text),
    };
  } catch (error) {
    if (error instanceof ExpansionError) return error.message;
    throw error;
  }
}

function readListMode(value: unknown): Pick<Lock, "listMode"> {
  return value === "tools" || value === "discovery" ? { listMode: value } : {};
}

function expandTool(tool: LockedTool, expander: ReferenceExpander): LockedTool {
  const { inputSchema, outputSchema } = tool;
  return {
    ...tool,
    inputSchema: expander.expand(inputSchema),
    ...(outputSchema && { outputSchema: expander.expand(outputSchema) }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}

function isLockedTool(tool: unknown): tool is LockedTool {
  return (
    isObject(tool) &&
    typeof tool["name"] === "string" &&
    typeof tool["fingerprint"] === "string" &&
    isStringArray(tool["operations"]) &&
    isObject(tool["inputSchema"]) &&
    [tool["outputSchema"], tool["annotations"]].every(
      (part) => part === undefined || isObject(part),
    ) &&
    [tool["title"], tool["description"]].every(
      (part) => part === undefined || typeof part === "string",
    )
  );
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => isShallow(part, depth - 1));
}

function isStringArray(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/**
 * Lines of the entries. A shared schema starts with its name, a tool with its name indented by two
 * spaces, so no position-aware parser is needed.
 */
function entryLines(text: string): Pick<LockFile, "lines" | "schemaLines"> {
  const lines = new Map<string, number>();
  const schemaLines = new Map<string, number>();
  text.split("\n").forEach((line, i) => {
    const tool = /^ {2}"name": "([^"\\]*)",?\r?$/.exec(line)?.[1];
    const schema = /^"([^"\\]*)": \{/.exec(line)?.[1];
    if (tool !== undefined) lines.set(tool, i + 1);
    if (schema !== undefined) schemaLines.set(schema, i + 1);
  });
  return { lines, schemaLines };
}
