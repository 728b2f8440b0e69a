import { unescapePointerToken } from "../json-pointer.js";
import { isObject, type JsonSchema } from "../json.js";
import { API, otherApi } from "./api-name.js";
import { isRequests, readApis } from "./read-api.js";
import type { Lock, LockedTool } from "./types.js";

/**
 * Supported layout versions of lock files. Locks of layout 1 have no shared schemas. Until 2, tools
 * have fingerprints, which are not compared. Until 3, there are no APIs.
 */
const SUPPORTED_LAYOUTS: readonly unknown[] = [1, 2, 3, 4];
/** Maximum nesting of a lock. Schemas written by mcp-gen have about a tenth of it. */
const MAX_DEPTH = 300;

/** A lock with the lines of its entries in the file, from 1. */
export interface LockFile extends Lock {
  /** By tool name, and by name of the API. */
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
  if (!isShallow(schemas, MAX_DEPTH)) return `is nested deeper than ${MAX_DEPTH} levels`;
  const clause = findInvalidTool(tools);
  if (clause !== undefined) return clause;
  const apis = readApis(data);
  if (typeof apis === "string") return apis;
  try {
    const expander = new ReferenceExpander(schemas, MAX_DEPTH);
    const expanded = (tools as readonly LockedTool[]).map((tool) => expandTool(tool, expander));
    return {
      ...readListMode(data["listMode"]),
      ...readUnselected(data["unselected"]),
      ...apis,
      tools: expanded,
      schemaNames: expander.names,
      ...entryLines(text),
    };
  } catch (error) {
    if (error instanceof ExpansionError) return error.message;
    throw error;
  }
}

/**
 * Parses the result of `tools/list`, alone or in a JSON-RPC response.
 * @returns as `readLock` does
 */
export function readToolList(text: string): Lock | string | undefined {
  const data = parse(text);
  const list = isObject(data) && isObject(data["result"]) ? data["result"] : data;
  if (!isObject(list) || !Array.isArray(list["tools"])) return undefined;
  if (list["nextCursor"] !== undefined)
    return "has a nextCursor, so it is only the first page of a list";
  const tools = (list["tools"] as readonly unknown[]).map((tool) =>
    isObject(tool) ? { ...tool, operations: [] } : tool,
  );
  const clause = findInvalidTool(tools);
  if (clause !== undefined) return clause;
  const isFingerprinted = ({ _meta }: Listed): boolean =>
    isObject(_meta) && "dev.mcp-gen/fingerprint" in _meta;
  if (!(tools as readonly Listed[]).some(isFingerprinted))
    return "has no tool with a fingerprint: start the server with --mode tools";
  return {
    isToolList: true,
    // Tools of the server itself, such as read_result, have no fingerprint.
    tools: (tools as readonly Listed[])
      .filter(isFingerprinted)
      .map(({ _meta: _, ...tool }) => tool),
  };
}

interface Listed extends LockedTool {
  readonly _meta?: unknown;
}

/** Describes the first invalid tool; undefined if there is none. */
function findInvalidTool(tools: readonly unknown[]): string | undefined {
  if (!isShallow(tools, MAX_DEPTH)) return `is nested deeper than ${MAX_DEPTH} levels`;
  const invalid = tools.findIndex((tool) => !isLockedTool(tool));
  if (invalid >= 0) return `has an invalid entry (number ${invalid + 1})`;
  const names = (tools as readonly LockedTool[]).map(({ name }) => name);
  const duplicate = names.find((name, i) => names.indexOf(name) !== i);
  return duplicate === undefined ? undefined : `has a duplicate entry ${JSON.stringify(duplicate)}`;
}

function readListMode(value: unknown): Pick<Lock, "listMode"> {
  return value === "tools" || value === "hybrid" || value === "discovery"
    ? { listMode: value }
    : {};
}

/** Methods by path: `{"/pets": "GET POST"}`. */
function readUnselected(value: unknown): Pick<Lock, "unselected"> {
  if (!isObject(value)) return {};
  const operations = Object.entries(value).flatMap(([path, methods]) =>
    String(methods)
      .split(" ")
      .map((method) => `${method} ${path}`),
  );
  return { unselected: operations };
}

function expandTool(
  { fingerprint: _, inputSchema, outputSchema, ...tool }: LockedTool & { fingerprint?: unknown },
  expander: ReferenceExpander,
): LockedTool {
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
    isStringArray(tool["operations"]) &&
    isRequests(tool["requests"]) &&
    [true, undefined].includes(tool["custom"] as true | undefined) &&
    [true, undefined].includes(tool["hidden"] as true | undefined) &&
    [true, "name", undefined].includes(tool["approve"] as true | undefined) &&
    (tool["computed"] === undefined || isStringArray(tool["computed"])) &&
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
 * spaces, so no position-aware parser is needed. The APIs come first.
 */
function entryLines(text: string): Pick<LockFile, "lines" | "schemaLines"> {
  const lines = new Map<string, number>();
  const schemaLines = new Map<string, number>();
  let isOther = false;
  text.split("\n").forEach((line, i) => {
    if (lines.size === 0 && line.startsWith('"api": {')) lines.set(API, i + 1);
    if (/^"\w+": [[{]/.test(line)) isOther = line.startsWith('"otherApis": {');
    const other = isOther ? /^ {2}"([^"\\]*)": \{/.exec(line)?.[1] : undefined;
    if (other !== undefined) lines.set(otherApi(other), i + 1);
    const tool = /^ {2}"name": "([^"\\]*)",?\r?$/.exec(line)?.[1];
    const schema = /^"([^"\\]*)": \{/.exec(line)?.[1];
    if (tool !== undefined) lines.set(tool, i + 1);
    if (schema !== undefined) schemaLines.set(schema, i + 1);
  });
  return { lines, schemaLines };
}

const PREFIX = "#/schemas/";
/** Keywords that contain references to shared schemas: one schema, a list, or a map. */
const SCHEMA_KEYWORDS = ["items", "additionalProperties", "anyOf", "allOf", "properties", "$defs"];
/** Maximum schemas of a lock with all references replaced. Large APIs have a tenth of it. */
const MAX_SCHEMAS = 2_000_000;

/** Number and nesting of the schemas in a schema, itself included. */
interface Measure {
  readonly count: number;
  readonly depth: number;
}
const NOTHING: Measure = { count: 0, depth: 0 };

/** Replaces references to the shared schemas of a lock by these schemas. */
class ReferenceExpander {
  /** Names of shared schemas, by the object that replaces references to them. */
  readonly names = new Map<object, string>();
  readonly #measures = new Map<unknown, Measure>();
  readonly #expanded = new Map<string, JsonSchema>();
  readonly #pending = new Set<string>();
  #total = 0;

  /** @param maxDepth maximum nesting of schemas */
  constructor(
    private readonly shared: Readonly<Record<string, unknown>>,
    private readonly maxDepth: number,
  ) {}

  /**
   * Replaces the references in a schema of a tool. The result may contain one object in several
   * places.
   * @throws ExpansionError for a reference without a target, and for one that is part of its target
   */
  expand(schema: JsonSchema): JsonSchema {
    const expanded = this.#schema(schema);
    this.#total += this.#measures.get(expanded)!.count;
    if (this.#total > MAX_SCHEMAS) throw new ExpansionError("refers to too many shared schemas");
    return expanded;
  }

  #schema(schema: JsonSchema): JsonSchema {
    const name = sharedName(schema.$ref);
    if (name !== undefined) return this.#target(name);
    const expanded: { [keyword: string]: unknown } = { ...schema };
    const parts: unknown[] = [];
    const part = (value: unknown): unknown => {
      const replaced = isObject(value) ? this.#schema(value) : value;
      parts.push(replaced);
      return replaced;
    };
    for (const keyword of SCHEMA_KEYWORDS)
      if (schema[keyword] !== undefined)
        expanded[keyword] = mapParts(schema[keyword], keyword, part);
    this.#measures.set(expanded, this.#measure(parts));
    return expanded;
  }

  #measure(parts: readonly unknown[]): Measure {
    let [count, depth] = [1, 0];
    for (const part of parts) {
      const measure = this.#measures.get(part) ?? NOTHING;
      count = Math.min(count + measure.count, MAX_SCHEMAS + 1);
      depth = Math.max(depth, measure.depth);
    }
    if (depth >= this.maxDepth)
      throw new ExpansionError(`is nested deeper than ${this.maxDepth} levels`);
    return { count, depth: depth + 1 };
  }

  #target(name: string): JsonSchema {
    const known = this.#expanded.get(name);
    if (known) return known;
    const target = Object.hasOwn(this.shared, name) ? this.shared[name] : undefined;
    if (!isObject(target) || this.#pending.has(name) || this.#pending.size > this.maxDepth)
      throw new ExpansionError(`has an invalid reference to the schema ${JSON.stringify(name)}`);
    this.#pending.add(name);
    const expanded = this.#schema(target);
    this.#pending.delete(name);
    this.#expanded.set(name, expanded);
    this.names.set(expanded, name);
    return expanded;
  }
}

/** A reference that cannot be replaced. The message is a clause about the lock. */
class ExpansionError extends Error {
  override readonly name = "ExpansionError";
}

/** Maps the schemas in the value of a keyword: one, a list, or a map. */
function mapParts(value: unknown, keyword: string, part: (value: unknown) => unknown): unknown {
  if (keyword === "items" || keyword === "additionalProperties") return part(value);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value)
    ? value.map(part)
    : Object.fromEntries(Object.entries(value).map(([name, item]) => [name, part(item)]));
}

function sharedName(ref: unknown): string | undefined {
  return typeof ref === "string" && ref.startsWith(PREFIX)
    ? unescapePointerToken(ref.slice(PREFIX.length))
    : undefined;
}
