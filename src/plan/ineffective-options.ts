/** Options that change nothing of a plan. A user who sets one expects something of it. */
import type { ConfigurationFile, ToolConfig } from "../configuration/types.js";
import { isObject } from "../json.js";
import type { ApiModel } from "../model/types.js";
import { DiagnosticCollector } from "./diagnostics.js";
import { addIncludedLists } from "./included-lists.js";
import { addNameLookUps } from "./name-look-ups/index.js";
import type { PlanOptions } from "./options.js";
import { markFollowedLists } from "./pagination/followed-lists.js";
import { addSeveralIds } from "./several-ids.js";
import type { BudgetPlan, PlannedTool } from "./types.js";

/** A finished plan, as far as options shape it. */
export interface PlanFacts {
  readonly model: Pick<ApiModel, "operations" | "schemas">;
  readonly options: PlanOptions;
  readonly tools: readonly PlannedTool[];
  readonly budget: BudgetPlan;
}

/** An option, where it is set, and why it changes nothing. */
interface Finding {
  /** Name on the command line, for one that the file does not have. */
  readonly flag?: string;
  /** Path of the key in `mcp-gen.yaml`. */
  readonly key: readonly string[];
  readonly reason: string;
}

/** Reports the options of a run that change nothing. */
export function reportIneffectiveOptions(facts: PlanFacts, diagnostics: DiagnosticCollector): void {
  const { configuration } = facts.options;
  for (const { flag, key, reason } of findIneffective(facts)) {
    const isOfFile = flag === undefined || hasKey(configuration?.content, key);
    diagnostics.add(
      "config-ineffective",
      `\`${isOfFile ? key.join(".") : flag}\` changes nothing. ${reason}.`,
      isOfFile ? configuration?.locationOf(key) : undefined,
      "Remove it.",
    );
  }
}

function hasKey(content: ConfigurationFile | undefined, path: readonly string[]): boolean {
  let value: unknown = content;
  for (const step of path) value = isObject(value) ? value[step] : undefined;
  return value !== undefined;
}

function findIneffective(facts: PlanFacts): readonly Finding[] {
  const { tools = {} } = facts.options.configuration?.content ?? {};
  const byName = new Map(facts.tools.map((tool) => [tool.definition.name, tool]));
  return [
    ...selectionFindings(facts),
    ...serverFindings(facts),
    ...Object.entries(tools).flatMap(([name, config]) => {
      const tool = byName.get(name);
      return tool === undefined ? [] : toolFindings(name, config, tool, facts);
    }),
  ];
}

/** Options about the selected operations and the form of the tools. */
function selectionFindings({ model, options, tools, budget }: PlanFacts): readonly Finding[] {
  const { configuration, includeDeprecated, output, membership } = options;
  const listed = configuration?.content.budget?.listed ?? [];
  const hasOutput = tools.some(({ definition }) => definition.outputSchema !== undefined);
  const approve = configuration?.content.approve;
  return findings(
    typeof approve === "string" &&
      // It may be the default of all APIs of a server.
      !membership &&
      !tools.some(({ text }) => text.asksUser) && {
        key: ["approve"],
        reason: approve === "writes" ? "No tool writes" : "No tool is destructive",
      },
    includeDeprecated === true &&
      !model.operations.some(({ deprecated }) => deprecated) && {
        flag: "--include-deprecated",
        key: ["includeDeprecated"],
        reason: "The document has no deprecated operation",
      },
    output === "strict" &&
      !hasOutput && {
        flag: "--output-schemas",
        key: ["outputSchemas"],
        reason: "No tool has an output schema",
      },
    listed.length > 0 &&
      budget.mode === "tools" && {
        key: ["budget", "listed"],
        reason: "All tools are listed, because they are within the budget",
      },
  );
}

/** Switches for all tools that turn off what no tool has. */
function serverFindings(facts: PlanFacts): readonly Finding[] {
  const { model, options, tools } = facts;
  const server = options.configuration?.content.server ?? {};
  const bindings = tools.flatMap(({ definition }) => definition.operations);
  const off = (
    key: "readBack" | "followPages" | "bulkReads" | "lookUpNames" | "includeLists",
    isUsed: () => boolean,
    reason: string,
  ): Finding | false => server[key] === false && !isUsed() && { key: ["server", key], reason };
  return findings(
    off(
      "readBack",
      () => bindings.some(({ readBack }) => readBack !== undefined),
      "No update without a response has a tool that reads the item",
    ),
    off(
      "followPages",
      () => bindings.some(({ pagination }) => pagination?.isFollowed === true),
      "No tool has a list whose pages are followed",
    ),
    off(
      "bulkReads",
      () => tools.some((tool) => addSeveralIds(tool, {}) !== tool),
      "No tool reads one thing by its ID alone",
    ),
    off(
      "lookUpNames",
      () => addNameLookUps(tools, {}, model.schemas).some((tool, i) => tool !== tools[i]),
      "No tool lists the things whose IDs other tools need",
    ),
    off(
      "includeLists",
      () => tools.some((tool) => includesLists(tool, facts)),
      "No tool gets a thing whose parts another tool lists",
    ),
  );
}

/** True if a tool would take `include` where nothing turns it off. */
function includesLists(
  { includeLists: _, ...tool }: PlannedTool,
  { tools, model }: PlanFacts,
): boolean {
  const others = tools.filter(({ definition }) => definition.name !== tool.definition.name);
  const context = { schemas: model.schemas, diagnostics: new DiagnosticCollector() };
  return addIncludedLists([tool, ...others], [], {}, context)[0] !== tool;
}

/** True if an input of a tool would take names where nothing turns it off. */
function takesNames({ takesNames: _, ...tool }: PlannedTool, { tools, model }: PlanFacts): boolean {
  const others = tools.filter(({ definition }) => definition.name !== tool.definition.name);
  return addNameLookUps([tool, ...others], {}, model.schemas)[0] !== tool;
}

/** Switches of one tool that turn off what it does not do, or on what it cannot do. */
function toolFindings(
  name: string,
  { followPages, bulk, includeLists, lookUpNames }: ToolConfig,
  tool: PlannedTool,
  facts: PlanFacts,
): readonly Finding[] {
  const { model } = facts;
  const { followPages: _, bulk: __, ...original } = tool;
  const { operations } = tool.definition;
  const follows = (): boolean =>
    markFollowedLists(original, model.schemas).definition.operations.some(
      ({ pagination }) => pagination?.isFollowed === true,
    );
  const hasSeveral = operations.some(({ severalIds }) => severalIds !== undefined);
  return findings(
    followPages === false &&
      !follows() && {
        key: ["tools", name, "followPages"],
        reason: "The tool has no list whose pages are followed",
      },
    includeLists === false &&
      !includesLists(tool, facts) && {
        key: ["tools", name, "includeLists"],
        reason: "No tool lists parts of what the tool gets",
      },
    lookUpNames === false &&
      !takesNames(tool, facts) && {
        key: ["tools", name, "lookUpNames"],
        reason: "No input of the tool takes names",
      },
    bulk === false &&
      addSeveralIds(original, {}) === original && {
        key: ["tools", name, "bulk"],
        reason: "The tool takes one ID anyway",
      },
    bulk === true &&
      !hasSeveral && {
        key: ["tools", name, "bulk"],
        reason: "The tool needs more than the ID of one thing, or its result cannot be a list",
      },
  );
}

const findings = (...candidates: readonly (Finding | false)[]): readonly Finding[] =>
  candidates.filter((one) => one !== false);
