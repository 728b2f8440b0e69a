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
  const configuredNames = new Map<Operation, string>();
  const fileRules = rules.filter(({ source }) => source === "mcp-gen.yaml");
  for (const [rule, operation] of singleOperationRules(fileRules)) {
    const name = qualifiedName(rule, prefix, diagnostics);
    if (name !== undefined) configuredNames.set(operation, name);
  }
  const operationByName = new Map(
    [...names].map(([{ operation }, { name }]) => [
      configuredNames.get(operation) ?? name,
      operation,
    ]),
  );
  for (const [rule, operation] of singleOperationRules(
    rules.filter(({ source }) => source === "x-mcp"),
  )) {
    const name = configuredNames.has(operation)
      ? undefined
      : qualifiedName(rule, prefix, diagnostics);
    if (name === undefined) continue;
    if ((operationByName.get(name) ?? operation) !== operation)
      diagnostics.add(
        "config-x-mcp",
        `Another tool is called ${name}; the name is not used.`,
        rule.locationOf("name"),
      );
    else (operationByName.set(name, operation), configuredNames.set(operation, name));
  }
  if (configuredNames.size === 0) return names;
  return new Map(
    [...names].map(([classified, name]) => [
      classified,
      configuredNames.has(classified.operation)
        ? { name: configuredNames.get(classified.operation) as string, source: "configuration" }
        : name,
    ]),
  );
}

/** Rules that name one operation and its tool. */
function singleOperationRules(rules: readonly Rule[]): readonly (readonly [Rule, Operation])[] {
  return rules.flatMap((rule) =>
    rule.selector === "operation" && rule.name !== undefined && rule.operations[0]
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
