import { isObject } from "../json.js";
import type { Lock, LockedTool } from "./types.js";

/** Supported layout version of lock files. */
const SUPPORTED_LAYOUT = 1;
/** Maximum nesting of a lock. Schemas written by mcp-gen have about a tenth of it. */
const MAX_DEPTH = 300;

/** A lock with the line of each tool in its file. */
export interface LockFile extends Lock {
  /** Line numbers from 1, by tool name. */
  readonly lines: ReadonlyMap<string, number>;
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
  if (data["layout"] !== SUPPORTED_LAYOUT)
    return "has a layout that this version of mcp-gen does not support";
  const tools = data["tools"] as readonly unknown[];
  if (!isShallow(tools, MAX_DEPTH)) return `is nested deeper than ${MAX_DEPTH} levels`;
  const invalid = tools.findIndex((tool) => !isLockedTool(tool));
  if (invalid >= 0) return `has an invalid entry (number ${invalid + 1})`;
  const names = (tools as readonly LockedTool[]).map(({ name }) => name);
  const duplicate = names.find((name, i) => names.indexOf(name) !== i);
  if (duplicate !== undefined) return `has a duplicate entry ${JSON.stringify(duplicate)}`;
  return { tools: tools as readonly LockedTool[], lines: toolLines(text) };
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
 * Line of each tool. Entries start with their name, indented by two spaces, so no position-aware
 * parser is needed.
 */
function toolLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  text.split("\n").forEach((line, i) => {
    const name = /^ {2}"name": "([^"\\]*)",?\r?$/.exec(line)?.[1];
    if (name !== undefined) lines.set(name, i + 1);
  });
  return lines;
}
