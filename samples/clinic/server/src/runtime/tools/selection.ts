import { nearestNames } from "../data/nearest-names.js";
import type { StoredTool } from "./serialized-tools.js";

/** Settings that narrow the tools of a server. */
interface SelectionSettings {
  /** Toolsets to offer; empty offers all. */
  readonly toolsets: readonly string[];
  /** True if only tools that change nothing are offered. */
  readonly readOnly: boolean;
}

/** The tools that a server offers, by its settings. */
export type ToolSelection =
  | {
      readonly ok: true;
      /** Selected tools in their order. Others can neither be listed nor called. */
      readonly tools: readonly StoredTool[];
      /** Reasons, by name, why other tools are excluded, as sentences for the agent. */
      readonly excluded: ReadonlyMap<string, string>;
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Selects the tools of some toolsets, or those that only read. A tool without a toolset, as custom
 * tools are, belongs to all.
 */
export function selectTools(
  tools: readonly StoredTool[],
  { toolsets, readOnly }: SelectionSettings,
  prefix: string,
): ToolSelection {
  if (toolsets.length === 0 && !readOnly) return { ok: true, tools, excluded: new Map() };
  const problems = findUnknownToolsets(tools, toolsets, prefix);
  if (problems.length > 0) return { ok: false, problems };
  const excluded = new Map(tools.flatMap((tool) => exclusionOf(tool, toolsets, readOnly) ?? []));
  const selected = tools.filter(({ name }) => !excluded.has(name));
  if (selected.length > 0) return { ok: true, tools: selected, excluded };
  const scope = toolsets.length > 0 ? ` of ${toolsets.join(", ")}` : "";
  const flag = `--read-only (${prefix}_READ_ONLY)`;
  return {
    ok: false,
    problems: [`${flag} leaves no tool${scope}: all of them can change something.`],
  };
}

function exclusionOf(
  { name, toolset, annotations }: StoredTool,
  toolsets: readonly string[],
  readOnly: boolean,
): readonly [readonly [string, string]] | undefined {
  const prefix = `${name} is not offered: this server was started`;
  if (toolsets.length > 0 && toolset !== undefined && !toolsets.includes(toolset)) {
    const reason = `with the toolsets ${toolsets.join(", ")}, and it belongs to ${toolset}`;
    return [[name, `${prefix} ${reason}.`]];
  }
  if (!readOnly || annotations.readOnlyHint) return undefined;
  return [[name, `${prefix} read-only, and it can change something.`]];
}

/** Maximum number of toolsets in a message. */
const maxShown = 30;

function findUnknownToolsets(
  tools: readonly StoredTool[],
  requested: readonly string[],
  prefix: string,
): readonly string[] {
  const toolsets = listToolsets(tools);
  const remainder = toolsets.length > maxShown ? ` and ${toolsets.length - maxShown} more` : "";
  const knownSentence = `The toolsets: ${toolsets.slice(0, maxShown).join(", ")}${remainder}.`;
  const flag = `--toolsets (${prefix}_TOOLSETS)`;
  return requested
    .filter((toolset) => !toolsets.includes(toolset))
    .map((toolset) => {
      const suggestions = nearestNames(toolset, toolsets);
      const hint = suggestions.length > 0 ? `; did you mean ${suggestions.join(" or ")}?` : ".";
      const problem = `${flag} names no toolset of this server: ${JSON.stringify(toolset)}`;
      return `${problem}${hint} ${knownSentence}`;
    });
}

/** Toolsets of tools, in their order. */
export function listToolsets(tools: readonly StoredTool[]): readonly string[] {
  return [...new Set(tools.flatMap(({ toolset }) => toolset ?? []))];
}
