import { diagnostic, type Diagnostic, type SourceLocation } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { PlannedTool } from "../types.js";
import { credentialInputs, enumMeaning, manyInputs, undescribedInputs } from "./input-rules.js";
import type { LintContext, LintedTool, LintRule } from "./rule.js";
import { suggestConfig } from "./suggested-fixes.js";
import { documentsErrors, untypedBody, untypedOutput } from "./schema-rules.js";
import { genericName, noDescription, sameDescriptions } from "./text-rules.js";

const LINT_RULES: readonly LintRule[] = [
  noDescription,
  genericName,
  undescribedInputs,
  enumMeaning,
  manyInputs,
  untypedBody,
  untypedOutput,
];

/**
 * Says what weakens the tools though nothing is wrong with the document, each with the line of
 * `mcp-gen.yaml` or the overlay action that mends it. Looks at finished tools, so that what people
 * decided is taken for an answer.
 */
export function lint(
  tools: readonly PlannedTool[],
  operations: readonly Operation[],
  given: Omit<LintContext, "names">,
): readonly Diagnostic[] {
  const known = new Map(operations.map((operation) => [operation.location, operation]));
  const linted: LintedTool[] = [];
  for (const tool of tools) linted.push(...lintedTool(tool, known));
  const context = { ...given, names: new Set(linted.map(({ name }) => name)) };
  const single: Diagnostic[] = [];
  for (const one of linted) {
    for (const rule of LINT_RULES) {
      const found = rule(one, context);
      if (found) single.push(found);
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
  known: ReadonlyMap<SourceLocation, Operation>,
): LintedTool[] {
  const operations = tool.operations.flatMap((ref) => known.get(ref.location) ?? []);
  const [main] = operations;
  return main ? [{ tool, name: tool.definition.name, operations, main }] : [];
}

/**
 * One finding for all: a document that says nothing about failures hardly says it about one
 * operation.
 */
function undocumentedErrors(
  tools: readonly LintedTool[],
  { curation }: LintContext,
): readonly Diagnostic[] {
  if (curation?.errors !== undefined) return [];
  const silent = tools.filter(({ operations }) => !operations.some(documentsErrors));
  const [first] = silent;
  if (!first) return [];
  const which =
    silent.length === 1
      ? `${first.name} does`
      : `${silent.length} of ${tools.length} tools, such as ${first.name}, do`;
  return [
    diagnostic(
      "lint-undocumented-errors",
      `${which} not say what a failure looks like or means`,
      first.main.location,
      suggestConfig("errors", { "404": "Nothing has this ID. Look it up first." }),
    ),
  ];
}
