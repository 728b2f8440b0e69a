import { suggestionFor } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { ClassifiedOperation } from "../classify.js";
import { MAX_NAME_LENGTH } from "../names/name-length.js";
import type { ToolName } from "../names/index.js";
import { isReservedFileName } from "../names/identifiers.js";
import type { PlannedTool } from "../types.js";
import type { Rule } from "./rules.js";

type Names = ReadonlyMap<ClassifiedOperation, ToolName>;

/**
 * The names of operations with those that rules give to one of them. What a document wants is not
 * done where another tool has the name; between two rules of the file it is an error, said when the
 * tools are known.
 */
export function applyNames(
  names: Names,
  rules: readonly Rule[],
  prefix: string,
  diagnostics: DiagnosticCollector,
): Names {
  const wanted = new Map<Operation, string>();
  const ofFile = rules.filter(({ source }) => source === "mcp-gen.yaml");
  for (const [rule, operation] of singleOperationRules(ofFile)) {
    const name = qualifiedName(rule, prefix, diagnostics);
    if (name !== undefined) wanted.set(operation, name);
  }
  const taken = new Map(
    [...names].map(([{ operation }, { name }]) => [wanted.get(operation) ?? name, operation]),
  );
  for (const [rule, operation] of singleOperationRules(
    rules.filter(({ source }) => source === "x-mcp"),
  )) {
    const name = wanted.has(operation) ? undefined : qualifiedName(rule, prefix, diagnostics);
    if (name === undefined) continue;
    if ((taken.get(name) ?? operation) !== operation)
      diagnostics.add(
        "config-x-mcp",
        `Another tool is called ${name}; the name is not used.`,
        rule.locationOf("name"),
      );
    else (taken.set(name, operation), wanted.set(operation, name));
  }
  if (wanted.size === 0) return names;
  return new Map(
    [...names].map(([subject, name]) => [
      subject,
      wanted.has(subject.operation)
        ? { name: wanted.get(subject.operation) as string, source: "curation" }
        : name,
    ]),
  );
}

/** Rules that name one operation, and a name for its tool. */
function singleOperationRules(rules: readonly Rule[]): readonly (readonly [Rule, Operation])[] {
  return rules.flatMap((rule) =>
    rule.selector === "operation" && rule.name !== undefined && rule.operations[0]
      ? [[rule, rule.operations[0]] as const]
      : [],
  );
}

/** The name of a rule with the namespace before it, unless it is written with it already. */
export function qualifiedName(
  { name = "", locationOf, source }: Rule,
  prefix: string,
  diagnostics: DiagnosticCollector,
): string | undefined {
  const full = name.startsWith(prefix) ? name : prefix + name;
  const place = locationOf(...(source === "x-mcp" ? ["name"] : []));
  const unusable = full.length > MAX_NAME_LENGTH || isReservedFileName(full);
  if (unusable && source === "x-mcp")
    return void diagnostics.add(
      "config-x-mcp",
      `The name ${full} is too long with its namespace, or means another file; it is not used.`,
      place,
    );
  if (full.length > MAX_NAME_LENGTH)
    return void diagnostics.add(
      "config-tool-name",
      `The tool name ${full} is longer than ${MAX_NAME_LENGTH} characters with its namespace.`,
      place,
      "Shorten it.",
    );
  if (isReservedFileName(full))
    return void diagnostics.add(
      "config-tool-name",
      `No tool can be called ${full}: its file would mean something else.`,
      place,
      "Choose another name.",
    );
  return full;
}

/** Two tools with one name are an error at the rule that makes it so. */
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
      (one) => one?.selector !== "name" && one?.name !== undefined,
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

/** A rule by name that means no tool. Its operation may be a part of a tool with another name. */
export function reportUnknownTool(
  { name = "", operations, locationOf }: Rule,
  tools: readonly PlannedTool[],
  prefix: string,
  diagnostics: DiagnosticCollector,
): void {
  const part = tools.find((tool) =>
    tool.operations.some((one) =>
      operations.some(({ method, path }) => one.method === method && one.path === path),
    ),
  );
  const known = tools.map(({ definition }) => definition.name.slice(prefix.length));
  const why = part
    ? `; its operation is a part of ${part.definition.name.slice(prefix.length)}.`
    : suggestionFor(name, known) || ".";
  diagnostics.add(
    "config-unknown-tool",
    `There is no tool ${name}${why}`,
    locationOf(),
    "Name its operation (operation: …) to have a tool of this name, or remove the rule.",
  );
}
