import { diagnostic, type Diagnostic, type Place } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { PlannedTool } from "../types.js";
import { credentialInputs, enumMeaning, manyInputs, undescribedInputs } from "./inputs.js";
import type { LintContext, LintedTool, LintRule } from "./linted.js";
import { curationLine } from "./mend.js";
import { documentsFailure, untypedBody, untypedOutput } from "./schemas.js";
import { genericName, noDescription, sameDescriptions } from "./words.js";

const RULES: readonly LintRule[] = [
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
  const known = new Map(operations.map((operation) => [operation.place, operation]));
  const linted: LintedTool[] = [];
  for (const tool of tools) linted.push(...lintedTool(tool, known));
  const context = { ...given, names: new Set(linted.map(({ name }) => name)) };
  const single: Diagnostic[] = [];
  for (const one of linted) {
    for (const rule of RULES) {
      const found = rule(one, context);
      if (found) single.push(found);
    }
  }
  return [
    ...credentialInputs(linted, context),
    ...single,
    ...sameDescriptions(linted),
    ...silentFailures(linted, context),
  ];
}

function lintedTool(tool: PlannedTool, known: ReadonlyMap<Place, Operation>): LintedTool[] {
  const operations = tool.operations.flatMap((ref) => known.get(ref.place) ?? []);
  const [main] = operations;
  return main ? [{ tool, name: tool.definition.name, operations, main }] : [];
}

/**
 * One finding for all: a document that says nothing about failures hardly says it about one
 * operation.
 */
function silentFailures(
  tools: readonly LintedTool[],
  { curation }: LintContext,
): readonly Diagnostic[] {
  if (curation?.errors !== undefined) return [];
  const silent = tools.filter(({ operations }) => !operations.some(documentsFailure));
  const [first] = silent;
  if (!first) return [];
  const which =
    silent.length === 1
      ? `${first.name} does`
      : `${silent.length} of ${tools.length} tools, such as ${first.name}, do`;
  return [
    diagnostic(
      "lint-no-errors",
      `${which} not say what a failure looks like or means`,
      first.main.place,
      curationLine("errors", { "404": "Nothing has this ID. Look it up first." }),
    ),
  ];
}
