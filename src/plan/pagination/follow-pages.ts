import type { SourceLocation } from "../../diagnostics/index.js";
import { isObject, type JsonSchema } from "../../json.js";
import type { OperationBinding } from "../../runtime/types.js";
import { describeInputs, inputProperties } from "../bound-parameters.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { Schemas } from "../schemas/refs.js";
import { appendSentences } from "../text/sentences.js";
import type { PlannedTool } from "../types.js";
import { detectPagination, hasNextPage, returnsItems } from "./detect.js";

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
 * API determine the request of the next page.
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
  const extended = addNextInputs(tool, pageTurningInputs(operations));
  return {
    ...extended,
    text: { ...extended.text, collectedItems: maxItems },
    definition: { ...extended.definition, operations },
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

/** Sentence for an input whose next value is part of the result. */
export const nextPageSentence = (name: string): string =>
  `For the next page: next.${name} of the previous result.`;

/**
 * Adds a field under `next` of the result for each of these inputs, with its value for the next
 * page, and mentions it in the description of the input.
 */
export function addNextInputs(tool: PlannedTool, names: readonly string[]): PlannedTool {
  const { output, definition } = tool;
  const inputs = tool.inputs.filter(({ name }) => names.includes(name));
  if (!output || !definition.outputSchema || inputs.length === 0) return tool;
  const schema = definition.outputSchema as JsonSchema;
  const described = inputs.reduce((current, { name }) => addNextPageSentence(current, name), tool);
  return {
    ...described,
    output: addNextFields(
      output,
      inputs.map(({ name, type }) => [name, type]),
    ),
    definition: {
      ...described.definition,
      outputSchema: addNextFields(
        schema,
        inputs.map(({ name, type }) => [name, { type: plainType(type) }]),
      ),
    },
  };
}

/** Integers become numbers, because a response may differ from the document. */
function plainType({ type }: JsonSchema): string {
  return type === "integer" || type === "number" ? "number" : "string";
}

function addNextFields(
  schema: JsonSchema,
  fields: readonly (readonly [string, JsonSchema])[],
): JsonSchema {
  const { next } = schema.properties ?? {};
  const known =
    isObject(next) && isObject(next.properties)
      ? (next as JsonSchema)
      : { type: "object", properties: {} };
  const missing = fields.filter(([name]) => !Object.hasOwn(known.properties ?? {}, name));
  if (missing.length === 0) return schema;
  return {
    ...schema,
    properties: {
      ...schema.properties,
      next: { ...known, properties: { ...known.properties, ...Object.fromEntries(missing) } },
    },
  };
}

function addNextPageSentence(tool: PlannedTool, name: string): PlannedTool {
  const description = String(inputProperties(tool.definition)[name]?.description ?? "");
  const sentence = nextPageSentence(name);
  if (description.includes(sentence)) return tool;
  return describeInputs(tool, new Map([[name, appendSentences(description, sentence)]]));
}
