import { suggestionFor } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { isReservedFileName, MAX_NAME_LENGTH } from "../names/format-name.js";
import type { ToolNames } from "../names/index.js";
import type { PlannedTool } from "../types.js";
import type { Rule } from "./rules.js";

/**
 * Replaces inferred names of operations by those of rules. A name of `x-mcp` that another tool has
 * is not used. Two tools with one name in the file are an error, reported when the tools are known.
 */
export function applyNames(
  names: ToolNames,
  rules: readonly Rule[],
  prefix: string,
  diagnostics: DiagnosticCollector,
): ToolNames {
  const configured = new Map<Operation, string>();
  for (const [rule, operation] of namingRules(rules, "mcp-gen.yaml")) {
    const name = qualifiedName(rule, prefix, diagnostics);
    if (name !== undefined) configured.set(operation, name);
  }
  addDocumentNames(names, configured, namingRules(rules, "x-mcp"), prefix, diagnostics);
  if (configured.size === 0) return names;
  return new Map(
    [...names].map(([classified, inferred]) => {
      const name = configured.get(classified.operation);
      const own = name === undefined ? inferred : { name, source: "configuration" as const };
      return [classified, own] as const;
    }),
  );
}

/** Adds names of `x-mcp` for operations that the file does not name. */
function addDocumentNames(
  names: ToolNames,
  configured: Map<Operation, string>,
  rules: readonly NamingRule[],
  prefix: string,
  diagnostics: DiagnosticCollector,
): void {
  const operationByName = new Map(
    [...names].map(([{ operation }, { name }]) => [configured.get(operation) ?? name, operation]),
  );
  for (const [rule, operation] of rules) {
    if (configured.has(operation)) continue;
    const name = qualifiedName(rule, prefix, diagnostics);
    if (name === undefined) continue;
    const holder = operationByName.get(name) ?? operation;
    if (holder === operation) {
      operationByName.set(name, operation);
      configured.set(operation, name);
    } else
      diagnostics.add(
        "config-x-mcp",
        `Another tool is called ${name}; the name is not used.`,
        rule.locationOf("name"),
      );
  }
}

/** A rule that names one operation and its tool. */
type NamingRule = readonly [Rule, Operation];

function namingRules(rules: readonly Rule[], source: Rule["source"]): readonly NamingRule[] {
  return rules.flatMap((rule) =>
    rule.source === source &&
    rule.selector === "operation" &&
    rule.name !== undefined &&
    rule.operations[0]
      ? [[rule, rule.operations[0]] as const]
      : [],
  );
}

/** Name of a rule with the namespace, unless it has it already. */
export function qualifiedName(
  { name = "", locationOf, source }: Rule,
  prefix: string,
  diagnostics: DiagnosticCollector,
): string | undefined {
  const fullName = name.startsWith(prefix) ? name : prefix + name;
  const location = locationOf(...(source === "x-mcp" ? ["name"] : []));
  const isUnusable = fullName.length > MAX_NAME_LENGTH || isReservedFileName(fullName);
  if (isUnusable && source === "x-mcp")
    return void diagnostics.add(
      "config-x-mcp",
      `The name ${fullName} is too long with its namespace, or is a reserved file name; it is not used.`,
      location,
    );
  if (fullName.length > MAX_NAME_LENGTH)
    return void diagnostics.add(
      "config-tool-name",
      `The tool name ${fullName} is longer than ${MAX_NAME_LENGTH} characters with its namespace.`,
      location,
      "Shorten it.",
    );
  if (isReservedFileName(fullName))
    return void diagnostics.add(
      "config-tool-name",
      `No tool can be called ${fullName}, because its file name is reserved.`,
      location,
      "Choose another name.",
    );
  return fullName;
}

/** Reports two tools with one name, at the rule that causes it. */
export function reportDuplicateNames(
  tools: readonly PlannedTool[],
  ruleOf: (tool: PlannedTool) => Rule | undefined,
  diagnostics: DiagnosticCollector,
): void {
  const first = new Map<string, PlannedTool>();
  for (const tool of tools) {
    const { name } = tool.definition;
    const other = first.get(name);
    if (!other) {
      first.set(name, tool);
      continue;
    }
    const rule = [ruleOf(tool), ruleOf(other)].find(
      (candidate) => candidate?.selector !== "name" && candidate?.name !== undefined,
    );
    diagnostics.add(
      "config-tool-name",
      `Two tools are called ${name}: that of ${toolOperations(other)} and that of ${toolOperations(tool)}.`,
      rule?.locationOf(...(rule.source === "x-mcp" ? ["name"] : [])) ??
        tool.operations[0]?.location,
      "Give one of them another name.",
    );
  }
}

const toolOperations = ({ operations }: PlannedTool): string =>
  operations.map(({ method, path }) => `${method} ${path}`).join(", ");

/** Reports a rule by name without a tool. Its operation may be part of a merged tool. */
export function reportUnknownTool(
  { name = "", operations, locationOf }: Rule,
  tools: readonly PlannedTool[],
  prefix: string,
  diagnostics: DiagnosticCollector,
): void {
  const other = tools.find((tool) =>
    tool.operations.some((operation) =>
      operations.some(({ method, path }) => operation.method === method && operation.path === path),
    ),
  );
  const toolNames = tools.map(({ definition }) => definition.name.slice(prefix.length));
  const reason = other
    ? `; its operation ${other.operations.length > 1 ? "is a part of" : "is called"} ` +
      `${other.definition.name.slice(prefix.length)}.`
    : suggestionFor(name, toolNames) || ".";
  diagnostics.add(
    "config-unknown-tool",
    `The tool ${name} does not exist${reason}`,
    locationOf(),
    other
      ? `Write the rule under ${other.definition.name.slice(prefix.length)}, or name its operation ` +
          "(operation: …) to have a tool of this name."
      : "Name its operation (operation: …) to have a tool of this name, or remove the rule.",
  );
}
