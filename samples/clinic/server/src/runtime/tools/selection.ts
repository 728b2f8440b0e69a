import { nearestNames } from "../nearest-names.js";
import type { StoredTool } from "./serialized-tools.js";

/** Settings that narrow the tools of a server. */
export interface SelectionSettings {
  /** Toolsets to offer; empty offers all. */
  readonly toolsets: readonly string[];
  /** Whether only tools that change nothing are offered. */
  readonly readOnly: boolean;
}

/** The tools that a server has for its clients, after what its owner chose when it started. */
export type ToolSelection =
  | {
      readonly ok: true;
      /** In their order. Others can neither be listed nor called. */
      readonly tools: readonly StoredTool[];
      /** Why a tool is none of them, by its name: a sentence for the agent. */
      readonly excluded: ReadonlyMap<string, string>;
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Narrows the tools to those of some toolsets, and to those that only read. A tool of no toolset,
 * as owners write them, is in every one.
 */
export function selectTools(
  tools: readonly StoredTool[],
  { toolsets, readOnly }: SelectionSettings,
  prefix: string,
): ToolSelection {
  if (toolsets.length === 0 && !readOnly) return { ok: true, tools, excluded: new Map() };
  const problems = findUnknownToolsets(tools, toolsets, prefix);
  if (problems.length > 0) return { ok: false, problems };
  const withheld = new Map(tools.flatMap((tool) => exclusionOf(tool, toolsets, readOnly) ?? []));
  const selected = tools.filter(({ name }) => !withheld.has(name));
  if (selected.length > 0) return { ok: true, tools: selected, excluded: withheld };
  return {
    ok: false,
    problems: [
      `--read-only (${prefix}_READ_ONLY) leaves no tool${toolsets.length > 0 ? ` of ${toolsets.join(", ")}` : ""}: all of them can change something.`,
    ],
  };
}

function exclusionOf(
  { name, toolset, annotations }: StoredTool,
  toolsets: readonly string[],
  readOnly: boolean,
): readonly [readonly [string, string]] | undefined {
  if (toolsets.length > 0 && toolset !== undefined && !toolsets.includes(toolset))
    return [
      [
        name,
        `${name} is not offered: this server was started with the toolsets ${toolsets.join(", ")}, and it belongs to ${toolset}.`,
      ],
    ];
  return readOnly && !annotations.readOnlyHint
    ? [
        [
          name,
          `${name} is not offered: this server was started read-only, and it can change something.`,
        ],
      ]
    : undefined;
}

/** Toolsets shown in a sentence; a large API has very many. */
const maxShown = 30;

function findUnknownToolsets(
  tools: readonly StoredTool[],
  requested: readonly string[],
  prefix: string,
): readonly string[] {
  const known = listToolsets(tools);
  const knownSentence = `The toolsets: ${known.slice(0, maxShown).join(", ")}${known.length > maxShown ? ` and ${known.length - maxShown} more` : ""}.`;
  return requested
    .filter((toolset) => !known.includes(toolset))
    .map((toolset) => {
      const suggestions = nearestNames(toolset, known);
      return `--toolsets (${prefix}_TOOLSETS) names no toolset of this server: ${JSON.stringify(toolset)}${suggestions.length > 0 ? `; did you mean ${suggestions.join(" or ")}?` : "."} ${knownSentence}`;
    });
}

/** The toolsets that some tools are in, in their order. */
export function listToolsets(tools: readonly StoredTool[]): readonly string[] {
  return [...new Set(tools.flatMap(({ toolset }) => toolset ?? []))];
}
