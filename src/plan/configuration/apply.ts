/** Rules of tools applied to planned tools. */
import { quoteText, toSingleLine } from "../../diagnostics/text.js";
import { omitUndefined } from "../../json.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { toSentenceCase } from "../names/format-name.js";
import { splitWords } from "../../language/words.js";
import type { PlanOptions } from "../options.js";
import type { OutputPlan } from "../outputs/plan-output.js";
import { followPages } from "../pagination/follow-pages.js";
import type { Schemas } from "../schemas/refs.js";
import type { Environment } from "../server-names.js";
import { toolsetName } from "../toolsets.js";
import type { JobRule, ListsRule, OmittedOperation, PlannedTool, Toolset } from "../types.js";
import {
  applyDescription,
  applyErrorAdvice,
  applyMetadata,
  checkPlaceholders,
} from "./descriptions.js";
import { applyExamples } from "./call-examples.js";
import { applyInputs } from "./inputs.js";
import { applyNameResolution } from "./name-resolution.js";
import { applyOutput } from "./result-fields.js";
import type { References, Rule } from "./rules.js";

/** Context in which rules are applied. */
export interface ApplyContext {
  readonly environment: Environment;
  readonly describeOutput: (output: OutputPlan) => string | undefined;
  readonly toolsets: Map<string, Toolset>;
  readonly schemas: Schemas;
  readonly diagnostics: DiagnosticCollector;
  readonly references: References;
}

/** A tool with its rules. Later rules override earlier ones. */
interface ToolWithRules {
  readonly tool: PlannedTool;
  readonly rules: readonly Rule[];
}

/**
 * Applies rules to tools, and leaves out excluded tools. Inputs come first, because all other texts
 * may mention them. Name resolution comes last, because it uses finished tools.
 * @param contextOf context of a rule
 * @param fileContext context of the advice for all tools
 */
export function applyRules(
  toolsWithRules: readonly ToolWithRules[],
  options: PlanOptions["configuration"],
  contextOf: (rule: Rule) => ApplyContext,
  fileContext: ApplyContext,
): { readonly tools: readonly PlannedTool[]; readonly omitted: readonly OmittedOperation[] } {
  const included = toolsWithRules.filter((tool) => !isExcluded(tool));
  const configured = included.map((tool) => configureTool(tool, options, contextOf, fileContext));
  if (options)
    checkPlaceholders(
      options,
      [...included.map(({ tool }) => tool), ...configured],
      fileContext.diagnostics,
    );
  const byName = new Map(configured.map((tool) => [tool.definition.name, tool]));
  const tools = configured.map((tool, i) => {
    const { rules } = included[i] as ToolWithRules;
    const resolved = rules.reduce(
      (current, rule) => applyNameResolution(current, rule, byName, contextOf(rule)),
      tool,
    );
    return rules.reduce(
      (current, rule) => applyExamples(current, rule, contextOf(rule).diagnostics),
      resolved,
    );
  });
  return {
    tools,
    omitted: toolsWithRules.filter(isExcluded).flatMap(({ tool }) => omittedOperations(tool)),
  };
}

/** Applies the rules of one tool, except for name resolution. */
function configureTool(
  { tool, rules }: ToolWithRules,
  options: PlanOptions["configuration"],
  contextOf: (rule: Rule) => ApplyContext,
  fileContext: ApplyContext,
): PlannedTool {
  const withInputs = rules.reduce(
    (current, rule) => applyInputs(current, rule, contextOf(rule)),
    tool,
  );
  const withAdvice = options
    ? applyErrorAdvice(
        withInputs,
        options.content.errors,
        (...path) => options.locationOf(path),
        tool,
        false,
        fileContext,
      )
    : withInputs;
  return rules.reduce(
    (current, rule) => applyRule(current, rule, tool, contextOf(rule)),
    withAdvice,
  );
}

/** Switches of a rule for requests that a call makes by itself. */
const switchesOf = (
  { config: { followPages, includeLists, bulk, job }, source, locationOf }: Rule,
  references: References,
): Partial<Pick<PlannedTool, "followPages" | "includeLists" | "bulk" | "job">> =>
  omitUndefined({
    followPages,
    includeLists:
      typeof includeLists === "object"
        ? listsRule(includeLists, locationOf, references)
        : includeLists,
    bulk,
    job: job === undefined ? undefined : jobRule(job, source, locationOf),
  });

/** The lists of a rule, with the final names of their tools. */
const listsRule = (
  lists: ListsRule["lists"],
  locationOf: Rule["locationOf"],
  references: References,
): ListsRule => ({
  lists: Object.fromEntries(
    Object.entries(lists).map(([list, tool]) => [list, references.find(tool) ?? tool]),
  ),
  locationOf: (...path) => locationOf("includeLists", ...path),
});

const jobRule = (
  config: JobRule["config"],
  source: Rule["source"],
  locationOf: Rule["locationOf"],
): JobRule => ({
  config,
  isOfDocument: source === "x-mcp",
  locationOf: (...path) => locationOf("job", ...path),
});

/** Applies one rule to everything but inputs. */
function applyRule(
  tool: PlannedTool,
  rule: Rule,
  original: PlannedTool,
  context: ApplyContext,
): PlannedTool {
  const { schemas, diagnostics, toolsets } = context;
  const maxItems = rule.config.pagination?.maxItems;
  const location = rule.locationOf("pagination");
  const paginated =
    maxItems === undefined ? tool : followPages(tool, maxItems, { schemas, diagnostics, location });
  const switched = { ...paginated, ...switchesOf(rule, context.references) };
  const withOutput = applyOutput(switched, rule, schemas, diagnostics);
  const withTexts = applyMetadata(applyDescription(withOutput, tool, rule, context), rule);
  return applyErrorAdvice(
    applyToolset(withTexts, rule, toolsets, diagnostics),
    rule.config.errors,
    rule.locationOf,
    original,
    true,
    context,
  );
}

/**
 * Tests whether the last rule excludes a tool by name or workflow. Excluded operations are left out
 * by selection.
 */
function isExcluded({ rules }: ToolWithRules): boolean {
  const last = rules.at(-1);
  return (
    last?.config.include === false && (last.selector === "name" || last.selector === "workflow")
  );
}

function omittedOperations({ operations, workflow }: PlannedTool): readonly OmittedOperation[] {
  if (workflow) return [];
  return operations.map((operation) => ({
    ...operation,
    reason: `${quoteText(`${operation.method} ${operation.path}`)} is left out by mcp-gen.yaml.`,
  }));
}

/** Moves a tool to the toolset of its rule, which is created if necessary. */
function applyToolset(
  tool: PlannedTool,
  { config, locationOf }: Rule,
  toolsets: Map<string, Toolset>,
  diagnostics: DiagnosticCollector,
): PlannedTool {
  if (config.toolset === undefined) return tool;
  const name = toolsetName(config.toolset);
  if (name === undefined) {
    diagnostics.add(
      "config-incompatible-value",
      `The toolset ${quoteText(config.toolset)} has no ASCII letters for a folder name.`,
      locationOf("toolset"),
      "Use a name with ASCII letters.",
    );
    return tool;
  }
  const text = toSingleLine(config.toolset);
  const title = /^[a-z0-9_-]+$/.test(text) ? toSentenceCase(splitWords(text)) : text.slice(0, 80);
  if (!toolsets.has(name)) toolsets.set(name, { name, title });
  return { ...tool, toolset: name };
}
