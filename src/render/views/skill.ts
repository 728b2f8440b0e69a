/** View of `SKILL.md`, with which coding agents use the server from a shell. */
import { formatCount } from "../../diagnostics/index.js";
import { frequentReadsOf } from "../../plan/budget/frequent-reads.js";
import type { ToolPlan } from "../../plan/types.js";
import { codeSpan, type Markdown, markdown, yamlString, type YamlText } from "../code/index.js";
import { listedTools } from "../listed-tools.js";
import { commandName } from "./packaging.js";
import { firstSentence, toolsetsOf } from "./toolsets.js";

/** Characters of a name and a description that agents accept. https://agentskills.io/specification */
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;

/** Tools that the file names of a toolset, and those with which work starts. */
const MAX_NAMES = 12;
const MAX_STARTS = 10;

/** `SKILL.md` */
export function skillView(plan: ToolPlan): SkillView {
  const { title } = plan.api;
  const tools = listedTools(plan).map(({ listing }) => listing);
  const toolsets = toolsetsOf(plan);
  const subjects = toolsets.map((toolset) => toolset.title.toLowerCase()).join(", ");
  const count = formatCount(tools.length, "tool");
  const uses = tools.every(({ annotations }) => annotations.readOnlyHint)
    ? "Reads"
    : "Reads and changes";
  const description = `${uses} data of ${title} with ${count}: ${subjects}. Use it for every task about ${title}.`;
  return {
    name: yamlString(skillName(plan)),
    description: yamlString(shorten(description, MAX_DESCRIPTION)),
    title: markdown(title),
    toolCount: markdown(String(tools.length)),
    words: markdown((tools[0]?.name ?? "").replaceAll("_", " ")),
    starts: startsOf(plan).map((tool) => ({
      name: codeSpan(tool.name),
      description: markdown(firstSentence(tool.description)),
    })),
    toolsets: toolsets.map((toolset) => ({
      title: markdown(toolset.title),
      toolCount: markdown(String(toolset.tools.length)),
      tools: toolset.tools.slice(0, MAX_NAMES).map(({ listing }) => ({
        name: codeSpan(listing.name),
      })),
      hasMore: toolset.tools.length > MAX_NAMES,
    })),
  };
}

/** The tools whose results most others need; without such tools, the first that only read. */
function startsOf(
  plan: ToolPlan,
): readonly { readonly name: string; readonly description: string }[] {
  const definitions = plan.tools.map(({ definition }) => definition);
  const names = new Set(frequentReadsOf(definitions));
  const frequent = definitions.filter(({ name }) => names.has(name));
  const reads = definitions.filter(({ annotations }) => annotations.readOnlyHint);
  return (
    [frequent, reads, definitions].find(({ length }) => length > 0)?.slice(0, MAX_STARTS) ?? []
  );
}

/** The name: lower-case words with hyphens. */
function skillName(plan: ToolPlan): string {
  const words = commandName(plan)
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ["server"];
  return words.join("-").slice(0, MAX_NAME).replace(/-$/, "");
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** `SKILL.md` */
export interface SkillView {
  /** Lower-case words with hyphens. */
  readonly name: YamlText;
  /** Purpose of the server, and when to use it. */
  readonly description: YamlText;
  /** Title of the API. */
  readonly title: Markdown;
  /** Number of tools. */
  readonly toolCount: Markdown;
  /** Words that find a tool. */
  readonly words: Markdown;
  /** The tools with which most work starts. */
  readonly starts: readonly {
    /** Code span. */
    readonly name: Markdown;
    /** Its first sentence. */
    readonly description: Markdown;
  }[];
  /** Toolsets that have tools. */
  readonly toolsets: readonly {
    /** Title of the toolset. */
    readonly title: Markdown;
    /** Number of its tools. */
    readonly toolCount: Markdown;
    /** Its tools, or the first twelve. */
    readonly tools: readonly {
      /** Code span. */
      readonly name: Markdown;
    }[];
    /** True if it has others. */
    readonly hasMore: boolean;
  }[];
}
