import {
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from "@modelcontextprotocol/server";
import type { AnyTool } from "./hooks.js";
import type { DiscoveryTool, Known } from "./discovery/index.js";
import { nearest } from "./nearest.js";
import { isNoCursor } from "./params.js";
import { isPacked, type StoredTool, unpack } from "./packed.js";

/**
 * Tools in one page of the list. Large, because many clients read the first page and take it for
 * the list; a page of this size takes no longer to start with, and a few megabytes of memory.
 */
const pageSize = 500;

/** A tool of the API or its owner, or one that finds, describes or calls those. */
export type ServedTool = AnyTool | DiscoveryTool;

/** The tools of a server, in their fixed order. */
export interface Catalogue {
  /** One page of the list. @throws ProtocolError -32602 for a cursor that this list did not give */
  page(cursor: unknown): ListToolsResult;
  /** @throws ProtocolError -32602 that names the nearest tools when there is none of this name */
  find(name: string): ServedTool;
  /** Whether a tool of this name can be called. */
  has(name: string): boolean;
}

/** What a catalogue knows besides its tools. */
export interface CatalogueOptions {
  /** Why a tool cannot be called that the API has, by its name. */
  readonly withheld?: ReadonlyMap<string, string>;
  /** Given what the catalogue knows, the tools that are listed in the place of all others. */
  discovery?(known: Known): readonly DiscoveryTool[];
  /** Where an agent finds the names of tools. */
  readonly where?: string;
}

/**
 * Definitions are ready-made: nothing is compiled, and nothing is done per tool until it is asked
 * for.
 */
export function createCatalogue(
  tools: readonly StoredTool[],
  { withheld, discovery, where = "See tools/list." }: CatalogueOptions = {},
): Catalogue {
  let byName: Map<string, StoredTool> | undefined;
  const index = (): Map<string, StoredTool> =>
    (byName ??= new Map(tools.map((tool) => [tool.name, tool])));
  const find = (name: string): AnyTool | undefined => {
    const stored = index().get(name);
    if (!stored || !isPacked(stored)) return stored;
    const tool = unpack(stored);
    index().set(name, tool);
    return tool;
  };
  const whyNot = (name: string): string =>
    withheld?.get(name) ?? unknownTool(name, index().keys(), where);
  const instead = discovery?.({ tools, find, whyNot });
  const listed: readonly (StoredTool | DiscoveryTool)[] = instead ?? tools;
  return {
    page(cursor) {
      const from = startOf(cursor, listed.length);
      const page = { tools: listed.slice(from, from + pageSize).map(entry) };
      return from + pageSize < listed.length
        ? { ...page, nextCursor: String(from + pageSize) }
        : page;
    },
    find(name) {
      const tool = instead?.find((one) => one.name === name) ?? find(name);
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, whyNot(name));
      return tool;
    },
    has: (name) => index().has(name),
  };
}

/** What a list of some tools costs a model, about: it reads four bytes as one token. */
export function tokensOf(tools: readonly StoredTool[]): number {
  const encoder = new TextEncoder();
  const bytes = tools.map((tool) => encoder.encode(JSON.stringify(entry(tool))).byteLength);
  return Math.ceil(bytes.reduce((sum, size) => sum + size + 1, 1) / 4);
}

function startOf(cursor: unknown, length: number): number {
  if (isNoCursor(cursor)) return 0;
  const from =
    typeof cursor === "string" && /^[1-9]\d{0,8}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (from % pageSize === 0 && from < length) return from;
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
function entry(tool: StoredTool | DiscoveryTool): Tool {
  return isPacked(tool)
    ? ({ toJSON: () => definition(unpack(tool)) } as unknown as Tool)
    : definition(tool);
}

function definition({
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

function unknownTool(name: string, known: Iterable<string>, where: string): string {
  const near = nearest(name, known);
  const shown = JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
  return near.length > 0
    ? `Unknown tool ${shown}. Did you mean ${near.join(", ")}?`
    : `Unknown tool ${shown}. ${where}`;
}
