/** Rules of `mcp-gen.yaml` that change nothing of the selected tools. */
import type { InputConfig, ToolConfig } from "../configuration/types.js";
import type { ApprovalScope } from "../runtime/api-definition.js";
import { needsApproval } from "../runtime/approvals/policy.js";
import { boundParameters, sourceInput } from "./bound-parameters.js";
import { hasName } from "./configuration/api-parameters.js";
import { inputRules } from "./configuration/input-rules.js";
import { mergeMembers } from "./configuration/merge-members.js";
import { DiagnosticCollector } from "./diagnostics.js";
import { addFieldSelections } from "./field-selection.js";
import { addIncludedLists } from "./included-lists.js";
import { addJobs } from "./jobs/index.js";
import { markFollowedLists } from "./pagination/followed-lists.js";
import type { PlanFacts } from "./plan-facts.js";
import { addSeveralIds } from "./several-ids.js";
import type { PlannedTool } from "./types.js";

/** The key of a rule, and why it changes nothing. */
interface Finding {
  readonly key: readonly string[];
  readonly reason: string;
  /** Advice that replaces removing it. */
  readonly hint?: string;
}

/**
 * Reports the rules that change no selected tool. They are errors, except where the command line
 * leaves operations out.
 */
export function reportIneffectiveRules(facts: PlanFacts, diagnostics: DiagnosticCollector): void {
  const { configuration, only, skip } = facts.options;
  if (!configuration) return;
  const code = (only ?? skip) === undefined ? "config-no-effect" : "config-left-out";
  for (const { key, reason, hint = "Remove it." } of findIneffective(facts))
    diagnostics.add(
      code,
      `\`${key.join(".")}\` changes nothing. ${reason}.`,
      configuration.locationOf(key),
      hint,
    );
}

function findIneffective(facts: PlanFacts): readonly Finding[] {
  const { parameters = {}, tools = {}, server } = facts.options.configuration?.content ?? {};
  const { namespace } = facts.options;
  const byName = new Map(facts.tools.map((tool) => [tool.definition.name, tool]));
  const find = (name: string): PlannedTool | undefined =>
    byName.get(name) ?? byName.get(`${namespace ?? ""}_${name}`);
  const readBack = Array.isArray(server?.readBack) ? (server.readBack as readonly string[]) : [];
  return [
    ...Object.entries(parameters).flatMap(([name, rule]) =>
      "hide" in rule && !rule.hide ? shownFindings(name, facts) : [],
    ),
    ...readBack.flatMap((name, i) => readBackFindings(find(name), i)),
    ...Object.entries(tools).flatMap(([name, config]) => {
      const tool = find(name);
      if (tool === undefined) return [];
      return [
        ...toolFindings(name, config, tool, facts),
        ...mergeFindings(name, config),
        ...inputFindings(name, config, tool),
      ];
    }),
  ];
}

function shownFindings(name: string, { shownInputs, model }: PlanFacts): readonly Finding[] {
  const isKnown = model.operations.some((operation) => hasName(operation, name, model.schemas));
  const isShown = [...shownInputs].some((one) => one.toLowerCase() === name.toLowerCase());
  const key = ["parameters", name, "hide"];
  return isShown || !isKnown ? [] : [{ key, reason: "No selected operation hides it" }];
}

function readBackFindings(tool: PlannedTool | undefined, i: number): readonly Finding[] {
  const reads = tool?.definition.operations.some(({ readBack }) => readBack) ?? true;
  const reason = `No tool reads what ${tool?.definition.name} writes`;
  return reads ? [] : [{ key: ["server", "readBack", String(i)], reason }];
}

/** True if a tool would take `include` where nothing turns it off. */
export function includesLists(
  { includeLists: _, ...tool }: PlannedTool,
  { tools, model }: PlanFacts,
): boolean {
  const others = tools.filter(({ definition }) => definition.name !== tool.definition.name);
  const context = { schemas: model.schemas, diagnostics: new DiagnosticCollector() };
  return addIncludedLists([tool, ...others], [], {}, context)[0] !== tool;
}

/** Switches of one tool that turn off what it does not do, or on what it cannot do. */
function toolFindings(
  name: string,
  config: ToolConfig,
  tool: PlannedTool,
  facts: PlanFacts,
): readonly Finding[] {
  const { followPages, bulk, includeLists, lookUpNames, job, output, choose, merge } = config;
  const { model, options } = facts;
  const { followPages: _, bulk: __, ...original } = tool;
  const { operations } = tool.definition;
  const follows = (): boolean =>
    markFollowedLists(original, model.schemas).definition.operations.some(
      ({ pagination }) => pagination?.isFollowed === true,
    );
  const hasSeveral = operations.some(({ severalIds }) => severalIds !== undefined);
  return findings(
    ...approvalFindings(name, config, tool, options.configuration?.content.approve),
    followPages !== undefined &&
      !follows() && {
        key: ["tools", name, "followPages"],
        reason: "The tool has no list whose pages are followed",
      },
    (includeLists === false || includeLists === true) &&
      !operations.some(({ included }) => included) &&
      !includesLists(tool, facts) && {
        key: ["tools", name, "includeLists"],
        reason: "No tool lists parts of what the tool gets",
      },
    lookUpNames !== undefined &&
      !tool.namesTurnedOff &&
      !operations.some(({ lookUps }) => lookUps) && {
        key: ["tools", name, "lookUpNames"],
        reason: "No input of the tool takes names",
      },
    bulk === false &&
      addSeveralIds(original, {}) === original && {
        key: ["tools", name, "bulk"],
        reason: "The tool takes one ID anyway",
      },
    job === false &&
      !startsJob(tool, facts) && {
        key: ["tools", name, "job"],
        reason: "No call of the tool starts work that takes time",
      },
    output?.fields === false &&
      !choosesFields(tool, facts) && {
        key: ["tools", name, "output", "fields"],
        reason: "The tool has no input `fields` anyway",
      },
    choose !== undefined &&
      merge === undefined && {
        key: ["tools", name, "choose"],
        reason: "It names the input of a merge whose operations have keys",
      },
    bulk === true &&
      !hasSeveral && {
        key: ["tools", name, "bulk"],
        reason: "The tool needs more than the ID of one thing, or its result cannot be a list",
      },
  );
}

/** A rule about approvals for a tool that reads, or that would not ask anyway. */
function approvalFindings(
  name: string,
  { approve }: ToolConfig,
  { definition }: PlannedTool,
  scope: ApprovalScope | undefined,
): readonly (Finding | false)[] {
  if (approve === undefined) return [];
  const { approve: _, ...plain } = definition;
  const policy = {
    api: { envPrefix: "", ...(scope !== undefined && { approve: scope }) },
    settings: { approvals: "ask" },
  } as const;
  const key = ["tools", name, "approve"];
  if (definition.annotations.readOnlyHint)
    return [{ key, reason: "The tool only reads, so it never asks" }];
  return [
    approve === false &&
      !needsApproval(plain, policy) && { key, reason: "The tool does not ask anyway" },
  ];
}

/** True if calls of a tool would wait for work where nothing turns it off. */
function startsJob({ job: _, ...tool }: PlannedTool, facts: PlanFacts): boolean {
  const { tools, selected, options, model } = facts;
  const others = tools.filter(({ definition }) => definition.name !== tool.definition.name);
  const diagnostics = new DiagnosticCollector();
  return addJobs([tool, ...others], { selected, options, diagnostics, model })[0] !== tool;
}

/** True if a tool would take `fields` where nothing turns it off. */
function choosesFields(
  { fields: _, ...tool }: PlannedTool,
  { options, model }: PlanFacts,
): boolean {
  return addFieldSelections([tool], options, model.schemas)[0] !== tool;
}

/** A merge of one operation, and inputs of its operations with the name that they have. */
function mergeFindings(name: string, config: ToolConfig): readonly Finding[] {
  const members = mergeMembers(config);
  const [only] = members;
  if (only && members.length === 1)
    return [
      {
        key: ["tools", name, "merge"],
        reason: "It has one operation",
        hint: `Add another one, or write operation: ${only.operation}`,
      },
    ];
  return members.flatMap(({ key, names }) =>
    Object.entries(names).flatMap(([input, to]) =>
      input === to
        ? [
            {
              key: ["tools", name, "merge", String(key), "inputs", input, "name"],
              reason: "The input has this name",
            },
          ]
        : [],
    ),
  );
}

/** Inputs that take no names, although a rule turns that off. */
function inputFindings(name: string, config: ToolConfig, tool: PlannedTool): readonly Finding[] {
  const off = tool.namesTurnedOff ?? [];
  return inputRules(config).flatMap(([key, rule]) =>
    rule.resolve === false && !off.includes(inputOf(tool, key, rule) ?? "")
      ? [
          {
            key: ["tools", name, "inputs", key, "resolve"],
            reason: "The input takes no names anyway",
          },
        ]
      : [],
  );
}

/** The name of the input of a rule, which may have its name in the request. */
function inputOf(tool: PlannedTool, key: string, { name = key }: InputConfig): string | undefined {
  const isInput = (one: string): boolean => tool.inputs.some((input) => input.name === one);
  const source = boundParameters(tool).find(({ wireName }) => wireName === key)?.source;
  return isInput(name) ? name : source && sourceInput(source);
}

const findings = (...candidates: readonly (Finding | false)[]): readonly Finding[] =>
  candidates.filter((one) => one !== false);
