import type { Configuration, SelectionRule } from "../../configuration/types.js";
import { quoteText } from "../../diagnostics/text.js";
import { suggestionFor } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { SelectionDecision } from "../select/index.js";
import { readPattern } from "../select/patterns.js";
import type { OperationIndex, Rule } from "./rules.js";

type SelectionRules = (operation: Operation) => SelectionDecision | undefined;

/**
 * Adds `include` of tool rules, which beat selection rules. A rule by name may concern a merged
 * tool, so its exclusion is applied to finished tools.
 */
export function withToolRules(rules: readonly Rule[], selection: SelectionRules): SelectionRules {
  const byTool = new Map(
    rules.flatMap(({ config, selector, operations: operationsOfRule }) =>
      selector === "name" && config.include === false
        ? []
        : operationsOfRule.map((operation) => [operation, config.include ?? true] as const),
    ),
  );
  return (operation) => {
    const include = byTool.get(operation);
    return include === undefined ? selection(operation) : { include, isNamed: true };
  };
}

/**
 * Reads `select`. The last matching rule decides. `default: exclude` leaves out all other
 * operations.
 */
export function readSelection(
  { content, locationOf }: Pick<Configuration, "content" | "locationOf">,
  operations: readonly Operation[],
  index: OperationIndex,
  diagnostics: DiagnosticCollector,
): SelectionRules {
  const selectionRules = content.select?.rules ?? [];
  const tests = selectionRules.map((rule, i) => {
    const matches = operationMatcher(rule, ["select", "rules", i], locationOf, index, diagnostics);
    if (!operations.some(matches))
      reportUnmatchedRule(rule, locationOf(["select", "rules", i]), operations, diagnostics);
    return { include: rule.include, named: rule.match.operations !== undefined, matches };
  });
  const isExcludedByDefault = content.select?.default === "exclude";
  return (operation) => {
    const last = tests.findLast(({ matches }) => matches(operation));
    if (last) return { include: last.include, isNamed: last.named };
    return isExcludedByDefault ? { include: false, isNamed: false, isDefault: true } : undefined;
  };
}

/** All parts of a match must apply; of a list, any entry. */
function operationMatcher(
  { match }: SelectionRule,
  path: readonly (string | number)[],
  locationOf: Configuration["locationOf"],
  index: OperationIndex,
  diagnostics: DiagnosticCollector,
): (operation: Operation) => boolean {
  const tags = match.tags && new Set(match.tags.map((tag) => tag.toLowerCase()));
  const glob =
    match.path === undefined
      ? undefined
      : readPattern(match.path.startsWith("/") ? match.path : `/${match.path}`);
  const method = match.method?.toUpperCase();
  const namedOperations =
    match.operations &&
    new Set(
      match.operations.map((text, i) =>
        index.find(text, locationOf([...path, "match", "operations", i]), diagnostics),
      ),
    );
  return (operation) =>
    (!tags || operation.tags.some((tag) => tags.has(tag.toLowerCase()))) &&
    (!glob || glob.matches(operation)) &&
    (method === undefined || operation.method.toUpperCase() === method) &&
    (!namedOperations || namedOperations.has(operation));
}

function reportUnmatchedRule(
  { match }: SelectionRule,
  location: ReturnType<Configuration["locationOf"]>,
  operations: readonly Operation[],
  diagnostics: DiagnosticCollector,
): void {
  if (match.operations) return; // said of each operation already
  const tags = new Set(operations.flatMap((operation) => operation.tags));
  const [unknown] = (match.tags ?? []).filter((tag) => !tags.has(tag));
  const reason =
    unknown === undefined
      ? "."
      : `: there is no tag ${quoteText(unknown)}${suggestionFor(unknown, tags) || "."}`;
  diagnostics.add(
    "config-no-match",
    `This rule matches no operation${reason}`,
    location,
    "Correct it, or remove it.",
  );
}
