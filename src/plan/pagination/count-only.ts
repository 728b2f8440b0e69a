/** Lists whose total a call gets without their items. */
import type { JsonSchema } from "../../json.js";
import { splitWords } from "../../language/words.js";
import type { CountOnly, OperationBinding } from "../../runtime/types.js";
import { inputProperties } from "../bound-parameters.js";
import type { PlanOptions } from "../options.js";
import type { Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import { pageSizeInput, returnsItems, totalOfList } from "./detect.js";
import { embeddedList } from "./hints.js";

const INPUT = "countOnly";
const TEXT = "Only the total, and one item.";

/** Inputs with which the API itself leaves the items out, by their words. */
const OWN_INPUT = /^(?:(?:return |only |just )?(?:count|total)(?: only)?)$/;

/**
 * Adds an input that asks for the total of a list, where the response states it and the size of a
 * page can be chosen. The page has one item, because many APIs read 0 as "all" or as their default.
 */
export function addCountOnly(
  tool: PlannedTool,
  { configuration }: PlanOptions,
  schemas: Schemas,
): PlannedTool {
  const isOn = configuration?.content.server?.countOnly ?? true;
  const { definition, workflow, countOnly = isOn } = tool;
  if (!countOnly || workflow || !definition.annotations.readOnlyHint || hasOwn(tool)) return tool;
  const counted = definition.operations.map((operation): OperationBinding => {
    const countOnly = countOf(operation, tool, schemas);
    return countOnly ? { ...operation, countOnly } : operation;
  });
  return counted.some(({ countOnly }) => countOnly) ? withInput(tool, counted) : tool;
}

const hasOwn = ({ definition }: PlannedTool): boolean =>
  Object.keys(inputProperties(definition)).some((name) =>
    OWN_INPUT.test(splitWords(name).join(" ")),
  );

function countOf(
  operation: OperationBinding,
  tool: PlannedTool,
  schemas: Schemas,
): CountOnly | undefined {
  const { request, pagination } = operation;
  if (pagination?.maxItems !== undefined || request.isRaw) return undefined;
  const size = pageSizeInput(request, tool);
  const total = size && takesOne(size.schema) ? statedTotal(operation, tool, schemas) : undefined;
  return total === undefined ? undefined : { input: INPUT, pageSize: size!.input, total };
}

/** Pointer to the total in the response, whose list is the result, or stays where it is. */
function statedTotal(
  { response }: OperationBinding,
  tool: PlannedTool,
  schemas: Schemas,
): string | undefined {
  if (returnsItems(response)) return totalOfList(response, tool.output, schemas);
  const embedded = embeddedList(tool, schemas);
  return embedded && totalOfList(embedded.request.response, embedded.tool.output, schemas);
}

/** True if a page may have a single item. */
function takesOne({ minimum, exclusiveMinimum, enum: values, const: only }: JsonSchema): boolean {
  if (values !== undefined || only !== undefined) return false;
  const isAbove = (bound: unknown, limit: number): boolean =>
    typeof bound === "number" && bound >= limit;
  return !isAbove(minimum, 2) && !isAbove(exclusiveMinimum, 1);
}

function withInput(tool: PlannedTool, operations: readonly OperationBinding[]): PlannedTool {
  const { definition } = tool;
  const { inputSchema } = definition;
  const type = { type: "boolean" } as const satisfies JsonSchema;
  const property = { ...type, description: TEXT };
  const properties = { ...inputProperties(definition), [INPUT]: property };
  return {
    ...tool,
    inputs: [...tool.inputs, { name: INPUT, description: TEXT, required: false, type }],
    definition: { ...definition, inputSchema: { ...inputSchema, properties }, operations },
  };
}
