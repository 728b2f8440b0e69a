import type { SourceLocation } from "../../diagnostics/index.js";
import type { OperationBinding } from "../../runtime/types.js";
import { MAX_DESCRIPTION_LENGTH } from "../descriptions/tool.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { Schemas } from "../schemas/refs.js";
import { appendSentences } from "../text/sentences.js";
import type { PlannedTool } from "../types.js";
import { detectPagination, hasNextPage, returnsItems } from "./detect.js";
import { addNextInputs } from "./next-inputs.js";

/** Maximum number of inputs that a diagnostic lists. */
const MAX_NAMES = 6;

interface FollowPagesContext {
  readonly schemas: Schemas;
  readonly diagnostics: DiagnosticCollector;
  /** Location of the `pagination` rule. */
  readonly location: SourceLocation;
}

/**
 * Makes a tool collect up to `maxItems` items from several pages. Inputs and response fields of the
 * API determine how the server gets from one page to the next.
 */
export function followPages(
  tool: PlannedTool,
  maxItems: number,
  context: FollowPagesContext,
): PlannedTool {
  const { definition } = tool;
  if (!definition.operations.some(({ response }) => returnsItems(response))) {
    reportNoList(tool, context);
    return tool;
  }
  const operations = definition.operations.map((operation): OperationBinding =>
    returnsItems(operation.response)
      ? { ...operation, pagination: detectPagination(operation, tool, maxItems, context.schemas) }
      : operation,
  );
  if (!operations.some(({ pagination }) => pagination && hasNextPage(pagination)))
    reportNoMethod(tool, context);
  const sentence = `Collects up to ${maxItems} items, from several pages where needed.`;
  const description = appendSentences(definition.description, sentence);
  const extended = addNextInputs(tool, pageTurningInputs(operations));
  return {
    ...extended,
    definition: {
      ...extended.definition,
      operations,
      ...(description.length <= MAX_DESCRIPTION_LENGTH && { description }),
    },
    reasons: [...tool.reasons, `Pages are followed up to ${maxItems} items, as configured.`],
  };
}

/** A tool of one operation had its report when its result was planned. */
function reportNoList(
  { definition, operations, workflow }: PlannedTool,
  { diagnostics, location }: FollowPagesContext,
): void {
  if (operations.length <= 1 && !workflow) return;
  diagnostics.add(
    "config-pagination",
    `${definition.name} does not return a list, so it has no pages to follow.`,
    location,
    "Remove the rule.",
  );
}

function reportNoMethod(
  { definition, inputs }: PlannedTool,
  { diagnostics, location }: FollowPagesContext,
): void {
  const names = inputs.map(({ name }) => name).slice(0, MAX_NAMES);
  const present = names.length > 0 ? `its inputs are ${names.join(", ")}` : "it has no input";
  diagnostics.add(
    "config-pagination-method",
    `${definition.name} needs an integer input \`page\` or \`offset\`, or a cursor that its response ` +
      `returns, but ${present}; only \`Link\` headers are followed.`,
    location,
    "Describe the parameter for the next page with an overlay.",
  );
}

function pageTurningInputs(operations: readonly OperationBinding[]): readonly string[] {
  const inputs = operations.flatMap(({ pagination = {} }) => {
    const { cursor, page, offset, after } = pagination;
    return [cursor, page, offset, after].flatMap((method) => method?.input ?? []);
  });
  return [...new Set(inputs)];
}
