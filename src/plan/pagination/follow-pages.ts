import type { OperationBinding } from "../../runtime/types.js";
import type { Rule } from "../configuration/rules.js";
import { MAX_DESCRIPTION_LENGTH } from "../descriptions/tool.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { Schemas } from "../schemas/refs.js";
import { toSentence } from "../text/sentences.js";
import type { PlannedTool } from "../types.js";
import { detectPagination, hasNextPage } from "./detect.js";
import { addNextInputs } from "./next-inputs.js";

/**
 * Follows the pages of a tool's lists as its rule says. The way from page to page is that which the
 * API's inputs and answers show.
 */
export function followPages(
  tool: PlannedTool,
  { config: rule, locationOf: placeOf }: Rule,
  schemas: Schemas,
  diagnostics: DiagnosticCollector,
): PlannedTool {
  const maxItems = rule.pagination?.maxItems;
  if (maxItems === undefined) return tool;
  const { definition } = tool;
  const isList = ({ response }: OperationBinding): boolean =>
    response.items !== undefined || response.wrap === "items";
  if (!definition.operations.some(isList)) {
    // Of a single operation, the reason was said where its result was planned.
    if (tool.operations.length > 1 || tool.workflow)
      diagnostics.add(
        "config-pagination",
        `${definition.name} returns no list; it has no pages to follow.`,
        placeOf("pagination"),
        "Remove the rule.",
      );
    return tool;
  }
  const requests = definition.operations.map((request): OperationBinding =>
    isList(request)
      ? { ...request, pagination: detectPagination(request, tool, maxItems, schemas) }
      : request,
  );
  if (!requests.some(({ pagination }) => pagination && hasNextPage(pagination)))
    diagnostics.add(
      "config-pagination-method",
      `The document does not say how the next page of ${definition.name} is asked for; only \`Link\` headers are followed.`,
      placeOf("pagination"),
      "Describe its page, offset or cursor parameter with an overlay.",
    );
  const sentence = `Collects up to ${maxItems} items, from several pages where needed.`;
  const description = `${toSentence(definition.description)} ${sentence}`;
  const inputs = [
    ...new Set(
      requests.flatMap(({ pagination }) =>
        [pagination?.cursor, pagination?.page, pagination?.offset, pagination?.after].flatMap(
          (way) => way?.input ?? [],
        ),
      ),
    ),
  ];
  const told = addNextInputs(tool, inputs);
  return {
    ...told,
    definition: {
      ...told.definition,
      operations: requests,
      ...(description.length <= MAX_DESCRIPTION_LENGTH && { description }),
    },
    reasons: [...tool.reasons, `Pages are followed up to ${maxItems} items, as the curation says.`],
  };
}
