import { diagnostic, type Diagnostic, type SourceLocation } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { PlannedTool } from "../types.js";
import { genericName, noDescription, sameDescriptions, unclearEffect } from "./text-rules.js";
import {
  credentialInputs,
  documentsErrors,
  enumMeaning,
  manyInputs,
  undescribedInputs,
  untypedBody,
  untypedOutput,
} from "./input-rules.js";
import { type LintContext, type LintedTool, type LintRule, suggestConfig } from "./rule.js";

const LINT_RULES: readonly LintRule[] = [
  noDescription,
  genericName,
  undescribedInputs,
  enumMeaning,
  manyInputs,
  untypedBody,
  untypedOutput,
  unclearEffect,
];

/**
 * Finds weaknesses of tools in a valid document, each with a line of `mcp-gen.yaml` or an overlay
 * action as a suggested fix. Checks finished tools, so that a configured tool counts as fixed.
 */
export function lint(
  tools: readonly PlannedTool[],
  operations: readonly Operation[],
  options: Omit<LintContext, "names">,
): readonly Diagnostic[] {
  const operationsByLocation = new Map(
    operations.map((operation) => [operation.location, operation]),
  );
  const linted: LintedTool[] = [];
  for (const tool of tools) linted.push(...lintedTool(tool, operationsByLocation));
  const context = { ...options, names: new Set(linted.map(({ name }) => name)) };
  const single: Diagnostic[] = [];
  for (const entry of linted) {
    for (const rule of LINT_RULES) {
      const problem = rule(entry, context);
      if (problem) single.push(problem);
    }
  }
  return [
    ...credentialInputs(linted, context),
    ...single,
    ...sameDescriptions(linted),
    ...undocumentedErrors(linted, context),
  ];
}

function lintedTool(
  tool: PlannedTool,
  operationsByLocation: ReadonlyMap<SourceLocation, Operation>,
): LintedTool[] {
  const operations = tool.operations.flatMap((ref) => operationsByLocation.get(ref.location) ?? []);
  const [main] = operations;
  return main ? [{ tool, name: tool.definition.name, operations, main }] : [];
}

/**
 * One diagnostic for all operations, because documents mostly describe errors everywhere or
 * nowhere.
 */
function undocumentedErrors(
  tools: readonly LintedTool[],
  { configuration }: LintContext,
): readonly Diagnostic[] {
  if (configuration?.errors !== undefined) return [];
  const silent = tools.filter(({ operations }) => !operations.some(documentsErrors));
  const [first] = silent;
  if (!first) return [];
  const subject =
    silent.length === 1
      ? `${first.name} has`
      : `${silent.length} of ${tools.length} tools, such as ${first.name}, have`;
  return [
    diagnostic(
      "lint-undocumented-errors",
      `${subject} undocumented error responses`,
      first.main.location,
      suggestConfig("errors", { "404": "Nothing has this ID. Look it up first." }),
    ),
  ];
}
