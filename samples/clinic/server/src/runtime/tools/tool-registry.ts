import {
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from "@modelcontextprotocol/server";
import type { DiscoveryTool, ToolLookup } from "./built-in-tools.js";
import { nearestNames } from "../nearest-names.js";
import type { AnyTool } from "./hooks.js";
import { deserializeTool, isSerialized, type StoredTool } from "./serialized-tools.js";

/**
 * Tools in one page of the list. Large, because many clients read the first page and take it for
 * the list; a page of this size takes no longer to start with, and a few megabytes of memory.
 */
const pageSize = 500;

/** A tool of the API or its owner, or one that finds, describes or calls those. */
export type ServedTool = AnyTool | DiscoveryTool;

/** The tools of a server, in their fixed order. */
export interface ToolRegistry {
  /** One page of the list. @throws ProtocolError -32602 for a cursor that this list did not give */
  listPage(cursor: unknown): ListToolsResult;
  /** @throws ProtocolError -32602 that names the nearest tools when there is none of this name */
  find(name: string): ServedTool;
  /** Whether a tool of this name can be called. */
  has(name: string): boolean;
}

/** What a catalogue knows besides its tools. */
export interface ToolRegistryOptions {
  /** Why a tool cannot be called that the API has, by its name. */
  readonly excluded?: ReadonlyMap<string, string>;
  /** Given what the catalogue knows, the tools that are listed in the place of all others. */
  discovery?(known: ToolLookup): readonly DiscoveryTool[];
  /** Where an agent finds the names of tools. */
  readonly namesHint?: string;
}

/**
 * Definitions are ready-made: nothing is compiled, and nothing is done per tool until it is asked
 * for.
 */
export function createToolRegistry(
  tools: readonly StoredTool[],
  { excluded: withheld, discovery, namesHint: where = "See tools/list." }: ToolRegistryOptions = {},
): ToolRegistry {
  let byName: Map<string, StoredTool> | undefined;
  const getIndex = (): Map<string, StoredTool> =>
    (byName ??= new Map(tools.map((tool) => [tool.name, tool])));
  const find = (name: string): AnyTool | undefined => {
    const stored = getIndex().get(name);
    if (!stored || !isSerialized(stored)) return stored;
    const tool = deserializeTool(stored);
    getIndex().set(name, tool);
    return tool;
  };
  const explainMissing = (name: string): string =>
    withheld?.get(name) ?? describeUnknownTool(name, getIndex().keys(), where);
  const discoveryTools = discovery?.({ tools, find, explainMissing: explainMissing });
  const listedTools: readonly (StoredTool | DiscoveryTool)[] = discoveryTools ?? tools;
  return {
    listPage(cursor) {
      const from = parseCursor(cursor, listedTools.length);
      const page = { tools: listedTools.slice(from, from + pageSize).map(toListEntry) };
      return from + pageSize < listedTools.length
        ? { ...page, nextCursor: String(from + pageSize) }
        : page;
    },
    find(name) {
      const tool = discoveryTools?.find((one) => one.name === name) ?? find(name);
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, explainMissing(name));
      return tool;
    },
    has: (name) => getIndex().has(name),
  };
}

/** What a list of some tools costs a model, about: it reads four bytes as one token. */
export function estimateTokens(tools: readonly StoredTool[]): number {
  const encoder = new TextEncoder();
  const bytes = tools.map((tool) => encoder.encode(JSON.stringify(toListEntry(tool))).byteLength);
  return Math.ceil(bytes.reduce((sum, size) => sum + size + 1, 1) / 4);
}

function parseCursor(cursor: unknown, length: number): number {
  if (isFirstPage(cursor)) return 0;
  const start =
    typeof cursor === "string" && /^[1-9]\d{0,8}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (start % pageSize === 0 && start < length) return start;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "Invalid cursor: pass the nextCursor of the previous page, or none for the first page.",
  );
}

/** Key of the fingerprint in `_meta`: a prefix of our own. MCP 2026-07-28, "_meta". */
const fingerprintKey = "dev.mcp-gen/fingerprint";

/**
 * A tool in the list. A packed one is unpacked while the answer is written: one at a time, because
 * a whole page would fill the memory for new objects.
 */
function toListEntry(tool: StoredTool | DiscoveryTool): Tool {
  return isSerialized(tool)
    ? ({ toJSON: () => toDefinition(deserializeTool(tool)) } as unknown as Tool)
    : toDefinition(tool);
}

function toDefinition({
  name,
  title,
  description,
  annotations,
  inputSchema,
  outputSchema,
  ...rest
}: ServedTool): Tool {
  const tool = {
    name,
    title,
    description,
    annotations,
    inputSchema,
    ...(outputSchema && { outputSchema }),
  };
  return (
    "fingerprint" in rest && rest.fingerprint !== undefined
      ? { ...tool, _meta: { [fingerprintKey]: rest.fingerprint } }
      : tool
  ) as Tool;
}

function describeUnknownTool(name: string, known: Iterable<string>, namesHint: string): string {
  const suggestions = nearestNames(name, known);
  const shown = JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
  return suggestions.length > 0
    ? `Unknown tool ${shown}. Did you mean ${suggestions.join(", ")}?`
    : `Unknown tool ${shown}. ${namesHint}`;
}

/**
 * Whether a list is asked for from its beginning: `null` and empty are what some clients write for
 * no cursor.
 */
export function isFirstPage(cursor: unknown): boolean {
  return cursor === undefined || cursor === null || cursor === "";
}
