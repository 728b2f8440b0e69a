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
const TEXT = "Only the total.";

/** Inputs with which the API itself leaves the items out, by their words. */
const OWN_INPUT = /^(?:(?:return |only |just )?(?:count|total)(?: only)?)$/;

/**
 * Adds an input that asks for the total of a list, where the response states it and a page may have
 * no items. Where a page has at least one item, or its least size is not documented, the input is
 * added if the configuration asks for it: the size of the page does the same there.
 */
export function addCountOnly(
  tool: PlannedTool,
  { configuration }: PlanOptions,
  schemas: Schemas,
): PlannedTool {
  const isOn = configuration?.content.server?.countOnly;
  const { definition, workflow } = tool;
  if (isOn === false || tool.countOnly === false) return tool;
  if (workflow || !definition.annotations.readOnlyHint || hasOwn(tool)) return tool;
  const counted = definition.operations.map((operation): OperationBinding => {
    const countOnly = countOf(operation, tool, schemas, isOn === true);
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
  mayHaveOne: boolean,
): CountOnly | undefined {
  const { request, pagination } = operation;
  if (pagination?.maxItems !== undefined || request.isRaw) return undefined;
  const size = pageSizeInput(request, tool);
  const least = size && leastSize(size.schema, mayHaveOne);
  if (least === undefined) return undefined;
  const total = statedTotal(operation, tool, schemas);
  return total === undefined ? undefined : { input: INPUT, pageSize: size!.input, least, total };
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

/**
 * The least number of items of a page: 0 only where it is documented, because many APIs read it as
 * "all" or as their default.
 */
function leastSize(
  { minimum, exclusiveMinimum, enum: values, const: only }: JsonSchema,
  mayHaveOne: boolean,
): CountOnly["least"] | undefined {
  if (values !== undefined || only !== undefined) return undefined;
  if (minimum === 0) return 0;
  const isAbove = (bound: unknown, limit: number): boolean =>
    typeof bound === "number" && bound >= limit;
  return mayHaveOne && !isAbove(minimum, 2) && !isAbove(exclusiveMinimum, 1) ? 1 : undefined;
}

function withInput(tool: PlannedTool, operations: readonly OperationBinding[]): PlannedTool {
  const { definition } = tool;
  const { inputSchema } = definition;
  const type = { type: "boolean" } as const satisfies JsonSchema;
  // The list of tools has no description of it, which would only repeat its name.
  const properties = { ...inputProperties(definition), [INPUT]: type };
  return {
    ...tool,
    inputs: [...tool.inputs, { name: INPUT, description: TEXT, required: false, type }],
    definition: { ...definition, inputSchema: { ...inputSchema, properties }, operations },
  };
}
