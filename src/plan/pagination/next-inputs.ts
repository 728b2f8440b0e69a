import { isObject, type JsonSchema } from "../../json.js";
import { appendSentences } from "../text/sentences.js";
import { inputProperties, describeInputs } from "../input-properties.js";
import type { PlannedTool } from "../types.js";

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
