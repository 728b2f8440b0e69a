import { type ListToolsResult, ProtocolError, ProtocolErrorCode, type Tool } from "@modelcontextprotocol/server";
import type { AnyTool } from "./hooks.js";
import { nearest } from "./nearest.js";

/** Tools in one page of the list. */
const pageSize = 100;

/** The tools of a server, in their fixed order. */
export interface Catalogue {
  /** One page of the list. @throws ProtocolError -32602 for a cursor that this list did not give */
  page(cursor: unknown): ListToolsResult;
  /** @throws ProtocolError -32602 that names the nearest tools when there is none of this name */
  find(name: string): AnyTool;
}

/** Definitions are ready-made: nothing is compiled, and nothing is done per tool until it is asked for. */
export function createCatalogue(tools: readonly AnyTool[]): Catalogue {
  let byName: Map<string, AnyTool> | undefined;
  const index = (): Map<string, AnyTool> => (byName ??= new Map(tools.map((tool) => [tool.name, tool])));
  return {
    page(cursor) {
      const from = startOf(cursor, tools.length);
      const page = { tools: tools.slice(from, from + pageSize).map(definition) };
      return from + pageSize < tools.length ? { ...page, nextCursor: String(from + pageSize) } : page;
    },
    find(name) {
      const tool = index().get(name);
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(name, index().keys()));
      return tool;
    },
  };
}

function startOf(cursor: unknown, length: number): number {
  if (cursor === undefined) return 0;
  const from = typeof cursor === "string" && /^[1-9]\d{0,8}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (from % pageSize === 0 && from < length) return from;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid cursor: pass the nextCursor of the previous page, or none for the first page.");
}

/** Key of the fingerprint in `_meta`: a prefix of our own. MCP 2026-07-28, "_meta". */
const fingerprintKey = "dev.mcp-gen/fingerprint";

function definition({ name, title, description, annotations, inputSchema, outputSchema, fingerprint }: AnyTool): Tool {
  const tool = { name, title, description, annotations, inputSchema, ...(outputSchema && { outputSchema }) };
  return (fingerprint === undefined ? tool : { ...tool, _meta: { [fingerprintKey]: fingerprint } }) as Tool;
}

function unknownTool(name: string, known: Iterable<string>): string {
  const near = nearest(name, known);
  const shown = JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
  return near.length > 0 ? `Unknown tool ${shown}. Did you mean ${near.join(", ")}?` : `Unknown tool ${shown}. See tools/list.`;
}
