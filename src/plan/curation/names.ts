import { didYouMean } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { Findings } from "../findings.js";
import type { Subject } from "../kind.js";
import { MAX_NAME } from "../name/fit.js";
import type { ToolName } from "../name/index.js";
import { isReservedFile } from "../name/reserved.js";
import type { PlannedTool } from "../types.js";
import type { Rule } from "./rules.js";

type Names = ReadonlyMap<Subject, ToolName>;

/**
 * The names of operations with those that rules give to one of them. What a document wants is not
 * done where another tool has the name; between two rules of the file it is an error, said when the
 * tools are known.
 */
export function renamed(
  names: Names,
  rules: readonly Rule[],
  prefix: string,
  findings: Findings,
): Names {
  const wanted = new Map<Operation, string>();
  const ofFile = rules.filter(({ source }) => source === "mcp-gen.yaml");
  for (const [rule, operation] of single(ofFile)) {
    const name = fullName(rule, prefix, findings);
    if (name !== undefined) wanted.set(operation, name);
  }
  const taken = new Map(
    [...names].map(([{ operation }, { name }]) => [wanted.get(operation) ?? name, operation]),
  );
  for (const [rule, operation] of single(rules.filter(({ source }) => source === "x-mcp"))) {
    const name = wanted.has(operation) ? undefined : fullName(rule, prefix, findings);
    if (name === undefined) continue;
    if ((taken.get(name) ?? operation) !== operation)
      findings.add(
        "curation-x-mcp",
        `Another tool is called ${name}; the name is not used.`,
        rule.placeOf("name"),
      );
    else (taken.set(name, operation), wanted.set(operation, name));
  }
  if (wanted.size === 0) return names;
  return new Map(
    [...names].map(([subject, name]) => [
      subject,
      wanted.has(subject.operation)
        ? { name: wanted.get(subject.operation) as string, from: "curation" }
        : name,
    ]),
  );
}

/** Rules that name one operation, and a name for its tool. */
function single(rules: readonly Rule[]): readonly (readonly [Rule, Operation])[] {
  return rules.flatMap((rule) =>
    rule.by === "operation" && rule.name !== undefined && rule.operations[0]
      ? [[rule, rule.operations[0]] as const]
      : [],
  );
}

/** The name of a rule with the namespace before it, unless it is written with it already. */
export function fullName(
  { name = "", placeOf, source }: Rule,
  prefix: string,
  findings: Findings,
): string | undefined {
  const full = name.startsWith(prefix) ? name : prefix + name;
  const place = placeOf(...(source === "x-mcp" ? ["name"] : []));
  const unusable = full.length > MAX_NAME || isReservedFile(full);
  if (unusable && source === "x-mcp")
    return void findings.add(
      "curation-x-mcp",
      `The name ${full} is too long with its namespace, or means another file; it is not used.`,
      place,
    );
  if (full.length > MAX_NAME)
    return void findings.add(
      "curation-name",
      `The tool name ${full} is longer than ${MAX_NAME} characters with its namespace.`,
      place,
      "Shorten it.",
    );
  if (isReservedFile(full))
    return void findings.add(
      "curation-name",
      `No tool can be called ${full}: its file would mean something else.`,
      place,
      "Choose another name.",
    );
  return full;
}

/** Two tools with one name are an error at the rule that makes it so. */
export function reportTwins(
  tools: readonly PlannedTool[],
  ruleOf: (tool: PlannedTool) => Rule | undefined,
  findings: Findings,
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
      (one) => one?.by !== "name" && one?.name !== undefined,
    );
    findings.add(
      "curation-name",
      `Two tools are called ${name}: that of ${labelOf(other)} and that of ${labelOf(tool)}.`,
      rule?.placeOf(...(rule.source === "x-mcp" ? ["name"] : [])) ?? tool.operations[0]?.place,
      "Give one of them another name.",
    );
  }
}

const labelOf = ({ operations }: PlannedTool): string =>
  operations.map(({ method, path }) => `${method} ${path}`).join(", ");

/** A rule by name that means no tool. Its operation may be a part of a tool with another name. */
export function reportUnknownTool(
  { name = "", operations, placeOf }: Rule,
  tools: readonly PlannedTool[],
  prefix: string,
  findings: Findings,
): void {
  const part = tools.find((tool) =>
    tool.operations.some((one) =>
      operations.some(({ method, path }) => one.method === method && one.path === path),
    ),
  );
  const known = tools.map(({ definition }) => definition.name.slice(prefix.length));
  const why = part
    ? `; its operation is a part of ${part.definition.name.slice(prefix.length)}.`
    : didYouMean(name, known) || ".";
  findings.add(
    "curation-tool",
    `There is no tool ${name}${why}`,
    placeOf(),
    "Name its operation (operation: …) to have a tool of this name, or remove the rule.",
  );
}
