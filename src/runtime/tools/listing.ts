/** Decisions about the tool list: all tools, or some of them and the discovery tools. */
import type { ApiDefinition } from "../api-definition.js";
import type { StoredTool } from "./definitions.js";
import type { SelectedTools } from "./selection.js";
import { estimateListTokens } from "./tool-registry.js";

/**
 * Contents of a tool list: every tool, tools that find and call the others together with those that
 * most work starts with, or only the former.
 */
export const listModes = ["tools", "hybrid", "discovery"] as const;
export type ListMode = (typeof listModes)[number];

/** Settings of the tool list. */
export interface ListSettings {
  readonly listMode?: ListMode;
  readonly listed?: readonly string[];
  readonly toolsets: readonly string[];
  readonly readOnly: boolean;
}

/** Content of the list: by setting, else by the budget of the list. */
export function listModeOf(
  { listBudget }: Pick<ApiDefinition, "listBudget">,
  tools: readonly StoredTool[],
  { listMode, toolsets, readOnly }: ListSettings,
): ListMode {
  if (listMode !== undefined || !listBudget) return listMode ?? "tools";
  const isNarrowed = toolsets.length > 0 || readOnly;
  const isWithin =
    isNarrowed &&
    tools.length <= listBudget.tools &&
    estimateListTokens(tools) <= listBudget.tokens;
  return isWithin ? "tools" : listBudget.mode;
}

/** Names of the tools that hosts should not defer: by setting, else as generated. */
export function configuredListed(
  api: Pick<ApiDefinition, "listed">,
  tools: readonly StoredTool[],
  { listed }: ListSettings,
): readonly string[] {
  const names = new Set(tools.map(({ name }) => name));
  return (listed ?? api.listed ?? []).filter((name) => names.has(name));
}

/** Tests whether a tool of the API has a name. */
export function nameTest({ tools, hidden, excluded }: SelectedTools): (name: string) => boolean {
  const names = new Set([...[...tools, ...hidden].map(({ name }) => name), ...excluded.keys()]);
  return (name) => names.has(name);
}
