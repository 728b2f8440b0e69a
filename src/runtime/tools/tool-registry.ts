/** The tools of a server, by name and in pages. */
import {
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from "@modelcontextprotocol/server";
import {
  type AnyTool,
  type BuiltInTool,
  type CustomTool,
  deserializeTool,
  type DiscoveryTool,
  isSerialized,
  type StoredTool,
  type ToolLookup,
} from "./definitions.js";
import { fingerprintOf } from "./fingerprint.js";
import { nearestNames, beginningOf } from "../data/values.js";
import { estimateToolTokens, listedInputSchema } from "./shown-definition.js";

/**
 * Number of tools per page. It is large, because many clients read only the first page. Measured
 * with 1,087 tools, 500 per page take no longer than 100.
 */
const pageSize = 500;

/** A tool of the server itself. */
export type OwnTool = BuiltInTool | CustomTool;

/** A tool of the API, a custom tool or a discovery tool. */
export type ServedTool = AnyTool | DiscoveryTool;

/** The tools of a server, in a fixed order. */
export interface ToolRegistry {
  /**
   * Lists one page.
   * @throws ProtocolError -32602 for a cursor that is not of this list
   */
  listPage(cursor: unknown): Promise<ListToolsResult>;
  /** All listed definitions as JSON text, without fingerprints. */
  serializeList(): string;
  /**
   * Finds a tool.
   * @throws ProtocolError -32602 with the nearest names for an unknown name
   */
  find(name: string): ServedTool;
  /** Returns a tool, without an error for an unknown name. */
  lookUp(name: string): ServedTool | undefined;
  /**
   * Returns a tool of the API or a custom tool for a call of another tool: also a hidden one,
   * without an error for an unknown name.
   */
  get(name: string): AnyTool | undefined;
}

interface ToolRegistryOptions {
  /** Reasons, by name, why tools of the API are excluded. */
  readonly excluded?: ReadonlyMap<string, string>;
  /** Tools that only other tools call. */
  readonly hidden?: readonly StoredTool[];
  /** Creates the discovery tools, which are listed instead of all tools that `listed` lacks. */
  discovery?(lookup: ToolLookup): readonly DiscoveryTool[];
  /** Names of tools that hosts should always show, and that are listed beside the discovery tools. */
  readonly listed?: readonly string[];
  /** Creates the tools of the server itself, which are listed after all others. */
  builtIn?(lookup: ToolLookup): readonly OwnTool[];
  /** Hint where an agent finds the names of tools. */
  readonly namesHint?: string;
}

/**
 * Creates a registry. Definitions are complete; no work is done for a tool before its first use.
 */
export function createToolRegistry(
  tools: readonly StoredTool[],
  {
    excluded,
    hidden = [],
    discovery,
    listed: always = [],
    builtIn: createBuiltIn = () => [],
    namesHint = "See tools/list.",
  }: ToolRegistryOptions = {},
): ToolRegistry {
  let byName: Map<string, StoredTool> | undefined;
  const getIndex = (): Map<string, StoredTool> => (byName ??= indexByName(tools));
  const isOffered = (name: string): boolean => getIndex().has(name);
  const find = preparedTools(getIndex, isOffered);
  const hiddenByName = indexByName(hidden);
  const findHidden = preparedTools(() => hiddenByName, isOffered);
  const explainMissing = (name: string): string => {
    if (ownTools.some((tool) => tool.name === name)) return describeOwnTool(name);
    return excluded?.get(name) ?? describeUnknownTool(name, getIndex().keys(), namesHint);
  };
  const lookup = { tools, find, explainMissing };
  const discoveryTools = discovery?.(lookup);
  const builtIn = createBuiltIn(lookup);
  const ownTools = [...(discoveryTools ?? []), ...builtIn];
  const lookUp = (name: string): ServedTool | undefined =>
    ownTools.find((tool) => tool.name === name) ?? find(name);
  const shown = new Set(always);
  const listed: readonly (StoredTool | DiscoveryTool)[] = discoveryTools
    ? [...discoveryTools, ...tools.filter(({ name }) => shown.has(name)), ...builtIn]
    : [...tools, ...builtIn];
  for (const { name } of discoveryTools ?? []) shown.add(name);
  return {
    async listPage(cursor) {
      const start = parseCursor(cursor, listed.length);
      const end = start + pageSize;
      const page = {
        tools: await Promise.all(
          listed.slice(start, end).map((tool) => toListEntry(tool, shown.has(tool.name))),
        ),
      };
      return end < listed.length ? { ...page, nextCursor: String(end) } : page;
    },
    serializeList: () =>
      JSON.stringify(
        listed.map((tool) =>
          toDefinition(isSerialized(tool) ? deserializeTool(tool) : tool, shown.has(tool.name)),
        ),
      ),
    find(name) {
      const tool = lookUp(name);
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, explainMissing(name));
      return tool;
    },
    lookUp,
    get: (name) => find(name) ?? findHidden(name),
  };
}

const indexByName = (tools: readonly StoredTool[]): Map<string, StoredTool> =>
  new Map(tools.map((tool) => [tool.name, tool]));

/** Finds the tools of an index, each parsed at its first use. */
function preparedTools(
  getIndex: () => Map<string, StoredTool>,
  isOffered: (name: string) => boolean,
): (name: string) => AnyTool | undefined {
  const prepared = new Set<string>();
  return (name) => {
    const stored = getIndex().get(name);
    if (!stored || prepared.has(name)) return stored as AnyTool | undefined;
    const tool = isSerialized(stored) ? deserializeTool(stored) : stored;
    const offered = withOfferedProducers(tool, isOffered);
    prepared.add(name);
    getIndex().set(name, offered);
    return offered;
  };
}

/** Removes producers that this server excludes, so that no text names them. */
function withOfferedProducers(tool: AnyTool, isOffered: (name: string) => boolean): AnyTool {
  const { producers = {} } = tool;
  if (Object.values(producers).flat().every(isOffered)) return tool;
  const entries = Object.entries(producers).map(([input, names]) => [
    input,
    names.filter(isOffered),
  ]);
  return { ...tool, producers: Object.fromEntries(entries) as typeof producers };
}

/** Estimates the tokens of tools as a model reads them. */
export function estimateListTokens(tools: readonly StoredTool[]): number {
  return tools.reduce((sum, tool) => sum + estimateToolTokens(deserializeTool(tool)), 0);
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

/**
 * Fields of a tool in `_meta`, which costs a model no tokens: the fingerprint, and the data with
 * which clients search and group tools themselves. Discovery tools have no fingerprint. The prefix
 * `dev.mcp-gen` belongs to this project, `anthropic` to Claude Code, which shows models only the
 * names of most tools. MCP 2026-07-28, "_meta".
 */
function metaOf(
  tool: ServedTool,
  isAlwaysShown: boolean,
  fingerprint: string | undefined,
): Tool["_meta"] {
  const { toolset, effect, keywords } = tool as Partial<AnyTool>;
  const entries = Object.entries({
    "dev.mcp-gen/fingerprint": fingerprint,
    "dev.mcp-gen/toolset": toolset,
    "dev.mcp-gen/effect": effect,
    "dev.mcp-gen/keywords": keywords,
    "anthropic/alwaysLoad": isAlwaysShown || undefined,
    "anthropic/searchHint": searchHint(tool),
  }).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Words of users by which a host finds a tool: its keywords, and the sentence about its use. */
function searchHint(tool: ServedTool): string | undefined {
  const { keywords = [] } = tool as Partial<AnyTool>;
  const useWhen = useSentence(tool.description);
  return (
    [...(useWhen === undefined ? [] : [useWhen]), keywords.join(", ")].join(" ").trim() || undefined
  );
}

/** The sentence of a description that begins with "Use when". */
function useSentence(description: string): string | undefined {
  const start = description.search(/(?<!\S)Use when /);
  const end = description.indexOf(".", start);
  return start < 0 || end < 0 ? undefined : description.slice(start, end + 1);
}

/**
 * An entry of the list. A serialized tool is parsed while the response is written, one at a time,
 * because a whole page of new objects would fill the memory.
 */
function toListEntry(
  tool: StoredTool | DiscoveryTool,
  isAlwaysShown: boolean,
): Tool | Promise<Tool> {
  if ("handle" in tool || "forward" in tool) return toDefinition(tool, isAlwaysShown);
  if (!isSerialized(tool))
    return fingerprintOf(tool).then((fingerprint) =>
      toDefinition(tool, isAlwaysShown, fingerprint),
    );
  const toJSON = (): Tool => toDefinition(deserializeTool(tool), isAlwaysShown, tool.fingerprint);
  return { toJSON } as unknown as Tool;
}

function toDefinition(served: ServedTool, isAlwaysShown: boolean, fingerprint?: string): Tool {
  const { name, title, description, annotations, inputSchema, outputSchema } = served;
  const _meta = metaOf(served, isAlwaysShown, fingerprint);
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: listedInputSchema(inputSchema),
    ...(outputSchema && { outputSchema }),
    ...(_meta && { _meta }),
  } as unknown as Tool;
}

/** Why no other tool calls one of the server itself. */
const describeOwnTool = (name: string): string =>
  `${name} is a tool of this server: call it by itself.`;

function describeUnknownTool(
  name: string,
  knownNames: Iterable<string>,
  namesHint: string,
): string {
  const suggestions = nearestNames(name, knownNames);
  const quotedName = JSON.stringify(beginningOf(name, 64));
  return suggestions.length > 0
    ? `Unknown tool ${quotedName}. Did you mean ${suggestions.join(", ")}?`
    : `Unknown tool ${quotedName}. ${namesHint}`;
}

/** True if a cursor means the first page. Some clients send `null` or an empty string. */
export function isFirstPage(cursor: unknown): boolean {
  return cursor === undefined || cursor === null || cursor === "";
}
