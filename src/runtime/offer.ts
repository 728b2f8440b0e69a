import { nearest } from "./nearest.js";
import type { StoredTool } from "./packed.js";
import type { Settings } from "./settings.js";

/** The tools that a server has for its clients, after what its owner chose when it started. */
export type Offer =
  | {
      readonly ok: true;
      /** In their order. Others can neither be listed nor called. */
      readonly tools: readonly StoredTool[];
      /** Why a tool is none of them, by its name: a sentence for the agent. */
      readonly withheld: ReadonlyMap<string, string>;
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Narrows the tools to those of some toolsets, and to those that only read. A tool of no toolset,
 * as owners write them, is in every one.
 */
export function offer(
  tools: readonly StoredTool[],
  { toolsets, readOnly }: Pick<Settings, "toolsets" | "readOnly">,
  prefix: string,
): Offer {
  if (toolsets.length === 0 && !readOnly) return { ok: true, tools, withheld: new Map() };
  const problems = unknownToolsets(tools, toolsets, prefix);
  if (problems.length > 0) return { ok: false, problems };
  const withheld = new Map(tools.flatMap((tool) => whyNot(tool, toolsets, readOnly) ?? []));
  const offered = tools.filter(({ name }) => !withheld.has(name));
  if (offered.length > 0) return { ok: true, tools: offered, withheld };
  return {
    ok: false,
    problems: [
      `--read-only (${prefix}_READ_ONLY) leaves no tool${toolsets.length > 0 ? ` of ${toolsets.join(", ")}` : ""}: all of them can change something.`,
    ],
  };
}

function whyNot(
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
const mostShown = 30;

function unknownToolsets(
  tools: readonly StoredTool[],
  wanted: readonly string[],
  prefix: string,
): readonly string[] {
  const known = toolsetsOf(tools);
  const all = `The toolsets: ${known.slice(0, mostShown).join(", ")}${known.length > mostShown ? ` and ${known.length - mostShown} more` : ""}.`;
  return wanted
    .filter((toolset) => !known.includes(toolset))
    .map((toolset) => {
      const near = nearest(toolset, known);
      return `--toolsets (${prefix}_TOOLSETS) names no toolset of this server: ${JSON.stringify(toolset)}${near.length > 0 ? `; did you mean ${near.join(" or ")}?` : "."} ${all}`;
    });
}

/** The toolsets that some tools are in, in their order. */
export function toolsetsOf(tools: readonly StoredTool[]): readonly string[] {
  return [...new Set(tools.flatMap(({ toolset }) => toolset ?? []))];
}
