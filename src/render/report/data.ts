/** Data of a report. */
import type { Diagnostic } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { Evidence, OperationEffects, OperationRef } from "../../plan/operations/types.js";
import type { JsonSchema } from "../../json.js";
import type { CustomTool, PlannedTool, ToolPlan } from "../../plan/types.js";
import { type ListedTool, listedTools } from "../listed-tools.js";
import { lockedRequests } from "../locked-api.js";

/** Data of a report. `mcp-gen report --json` prints it, so fields are only added. */
export interface ReportData {
  readonly source: string;
  readonly api: { readonly title: string; readonly version: string; readonly summary: string };
  readonly budget: {
    /** Estimated tokens that a model reads: instructions, names, descriptions, input schemas. */
    readonly listTokens: number;
    /** Bytes of the whole tool list. */
    readonly listBytes: number;
    readonly mode: "tools" | "hybrid" | "discovery";
    /** Tools that hosts should always show. */
    readonly listed: readonly string[];
    readonly limits: { readonly tools: number; readonly listTokens: number };
    readonly advice: readonly string[];
  };
  /** Tools and tokens with one tool per operation and without `mcp-gen.yaml`. */
  readonly onePerOperation?: { readonly tools: number; readonly listTokens: number };
  readonly toolsets: readonly {
    readonly name: string;
    readonly title: string;
    readonly tools: number;
    readonly tokens: number;
  }[];
  readonly tools: readonly ReportTool[];
  /** Every operation of the document, with its tools or the reason for omission. */
  readonly operations: readonly ReportOperation[];
  readonly environment: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
    readonly secret: boolean;
  }[];
  readonly diagnostics: readonly Diagnostic[];
}

/** One tool of a report. */
export interface ReportTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly toolset: string;
  readonly operations: readonly string[];
  /** Estimated tokens of the definition as models read it, and of its output schema. */
  readonly tokens: number;
  readonly outputTokens: number;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  /** Effects of its operations, with the evidence in the document. Absent for workflows. */
  readonly effects?: readonly Pick<OperationEffects, "effect" | "evidence">[];
  readonly inputs: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly description: string;
    readonly producers: readonly string[];
  }[];
  /** Advice by status. */
  readonly onError: Readonly<Record<string, string>>;
  /** Operations of the tool. */
  readonly derivedFrom: readonly ReportSource[];
  /** Reasons for the derivation of the tool. */
  readonly reasons: readonly string[];
}

/** One operation of the document. */
export interface ReportOperation {
  readonly operation: string;
  readonly operationId?: string;
  readonly tools: readonly string[];
  /** Reason why the operation has no tool. */
  readonly reason?: string;
}

/**
 * Collects the data of a report from a plan.
 * @param source the document as the user named it
 * @param diagnostics with locations
 * @param baseline plan of the same document with one tool per operation
 */
export function reportData(
  plan: ToolPlan,
  source: string,
  diagnostics: readonly Diagnostic[],
  baseline?: ToolPlan,
): ReportData {
  const sourcesOf = derivationReader(plan, baseline);
  const tools = listedTools(plan).map((tool, i) =>
    reportTool(tool, plan.budget.costs[i], sourcesOf),
  );
  return {
    source,
    api: { title: plan.api.title, version: plan.api.version, summary: plan.summary },
    budget: {
      listTokens: plan.budget.listTokens,
      listBytes: plan.budget.listBytes,
      mode: plan.budget.mode,
      listed: plan.budget.listed,
      limits: { tools: plan.budget.limits.tools, listTokens: plan.budget.limits.listTokens },
      advice: plan.budget.advice,
    },
    ...(baseline && {
      onePerOperation: {
        tools: baseline.tools.length,
        listTokens: baseline.budget.listTokens,
      },
    }),
    toolsets: [
      ...plan.toolsets,
      ...(tools.some(({ toolset }) => toolset === CUSTOM.name) ? [CUSTOM] : []),
    ].map((toolset) => toolsetOf(toolset, tools)),
    tools,
    operations: operationsOf(plan),
    environment: plan.environment.map(({ name, description, required, secret }) => ({
      name,
      description,
      required,
      secret,
    })),
    diagnostics,
  };
}

function toolsetOf(
  { name, title }: ToolPlan["toolsets"][number],
  tools: readonly ReportTool[],
): ReportData["toolsets"][number] {
  const members = tools.filter(({ toolset }) => toolset === name);
  const tokens = members.reduce((sum, tool) => sum + tool.tokens, 0);
  return { name, title, tools: members.length, tokens };
}

/** Toolset of custom tools that have none. */
const CUSTOM = { name: "src/custom", title: "Custom tools" };

type Cost = ToolPlan["budget"]["costs"][number] | undefined;

function reportTool(
  tool: ListedTool,
  cost: Cost,
  sourcesOf: (tool: PlannedTool) => readonly ReportSource[],
): ReportTool {
  const { custom, generated } = tool;
  if (custom) return customToolOf(custom, generated?.toolset, cost);
  return {
    ...toolOf(generated!, cost),
    derivedFrom: sourcesOf(generated!),
    reasons: generated!.reasons,
  };
}

/** A tool of the project's own code, whose inputs are those of its schema. */
function customToolOf(
  { listing, toolset }: CustomTool,
  replaced: string | undefined,
  cost: Cost,
): ReportTool {
  const { name, title, description, annotations, inputSchema } = listing;
  const { properties = {}, required = [] } = inputSchema as JsonSchema;
  return {
    name,
    title: title ?? name,
    description,
    toolset: toolset ?? replaced ?? CUSTOM.name,
    operations: [],
    tokens: cost?.tokens ?? 0,
    outputTokens: cost?.outputTokens ?? 0,
    readOnly: annotations.readOnlyHint,
    destructive: annotations.destructiveHint,
    inputs: Object.entries(properties).map(([input, schema]) => ({
      name: input,
      required: required.includes(input),
      description: (typeof schema === "object" && schema.description) || "",
      producers: [],
    })),
    onError: {},
    derivedFrom: [],
    reasons: ["It is defined in src/custom."],
  };
}

function toolOf(
  { definition, edited, toolset, operations, inputs, effects }: PlannedTool,
  cost: Cost,
): Omit<ReportTool, "derivedFrom" | "reasons"> {
  const { producers = {}, onError = {} } = definition;
  const { name, title, annotations } = edited ?? definition;
  const { fullDescription = definition.description } = definition;
  const isReworded = edited !== undefined && edited.description !== definition.description;
  const description = isReworded ? edited.description : fullDescription;
  return {
    name,
    title,
    description,
    toolset,
    operations: operations.map(({ method, path }) => `${method} ${path}`),
    tokens: cost?.tokens ?? 0,
    outputTokens: cost?.outputTokens ?? 0,
    readOnly: annotations.readOnlyHint,
    destructive: annotations.destructiveHint,
    ...(effects && { effects: effects.map(({ effect, evidence }) => ({ effect, evidence })) }),
    inputs: inputs.map((input) => ({
      name: input.name,
      required: input.required,
      description: input.description,
      producers: Object.hasOwn(producers, input.name) ? (producers[input.name] ?? []) : [],
    })),
    onError,
  };
}

function operationsOf(plan: ToolPlan): readonly ReportOperation[] {
  const found = new Map<string, ReportOperation & { readonly tools: string[] }>();
  for (const tool of plan.tools) {
    for (const operation of tool.operations) {
      const api = apiOf(tool, operation);
      const key = keyOf(operation, api);
      const known = found.get(key);
      if (known) known.tools.push(tool.definition.name);
      else found.set(key, { ...nameOf(operation, api), tools: [tool.definition.name] });
    }
  }
  for (const { name: api, plan: own } of membersOf(plan))
    for (const { reason, ...operation } of own.omitted)
      found.set(keyOf(operation, api), { ...nameOf(operation, api), tools: [], reason });
  return [...found.values()];
}

/** The APIs of a server of several, or the only one, which has no name. */
function membersOf(plan: ToolPlan): readonly { readonly name?: string; readonly plan: ToolPlan }[] {
  return plan.apis ?? [{ plan }];
}

/** The API of an operation in a server of several. A workflow calls those of several. */
function apiOf(tool: PlannedTool, { method, path }: OperationRef): string | undefined {
  const isCalled = (request: { readonly operation: string }): boolean =>
    request.operation === `${method} ${path}`;
  return tool.definition.api ?? lockedRequests(tool)?.find(isCalled)?.api;
}

function nameOf({ method, path, operationId }: OperationRef, api: string | undefined) {
  return {
    operation: [...(api === undefined ? [] : [api]), method, path].join(" "),
    ...(operationId !== undefined && { operationId }),
  };
}

/** Indications that are shown for the effect of an operation. */
const MAX_EVIDENCE = 3;

/** An operation of a tool. */
interface ReportSource {
  readonly operation: string;
  readonly operationId?: string;
  /** The effect and the evidence for it: `reads: GET, summary "list owners"`. Absent for workflows. */
  readonly evidence?: string;
  /** Summary and description in the document, shortened. Absent without any. */
  readonly text?: string;
  /** The tool that it is with one tool per operation. */
  readonly alone?: { readonly tool: string; readonly tokens: number };
}

const MAX_TEXT_LENGTH = 2000;

/**
 * Reads the operations of a tool.
 * @param baseline plan of the same document with one tool per operation
 */
function derivationReader(
  plan: ToolPlan,
  baseline: ToolPlan | undefined,
): (tool: PlannedTool) => readonly ReportSource[] {
  const aloneByKey = new Map<string, ReportSource["alone"]>();
  baseline?.tools.forEach(({ definition: { name, api }, operations: [operation] }, i) => {
    const tokens = baseline.budget.costs[i]?.tokens ?? 0;
    if (operation) aloneByKey.set(keyOf(operation, api), { tool: name, tokens });
  });
  const texts = new Map(
    membersOf(plan).flatMap(({ name: api, plan: { mock } }) =>
      mock.operations.map((operation) => [keyOf(operation, api), textOf(operation)] as const),
    ),
  );
  return (tool) =>
    tool.operations.map((operation, i) => {
      const api = apiOf(tool, operation);
      const key = keyOf(operation, api);
      const alone = aloneByKey.get(key);
      const text = texts.get(key) ?? "";
      const { effects } = tool;
      return {
        ...nameOf(operation, api),
        ...(effects?.[i] && { evidence: explain(effects[i]) }),
        ...(text !== "" && { text }),
        ...(alone && { alone }),
      };
    });
}

function textOf({
  summary = "",
  description = "",
}: Pick<Operation, "summary" | "description">): string {
  const text = [summary, description].filter((part) => part.trim() !== "").join("\n");
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}

function explain({ effect, evidence }: OperationEffects): string {
  const own = evidence.filter((item) => item.effect === effect).slice(0, MAX_EVIDENCE);
  return `${effect}: ${own.map(wordsOf).join(", ")}`;
}

function wordsOf({ source, words }: Evidence): string {
  return source === "method" ? words : `${source} "${words}"`;
}

/** Key of an operation: its path, because several may refer to one path item, and its location. */
function keyOf({ method, path, location }: OperationRef, api = ""): string {
  return `${api} ${method} ${path} ${location.file ?? ""} ${location.pointer}`;
}
