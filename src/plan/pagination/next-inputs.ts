import { isObject, type JsonSchema } from "../../json.js";
import { toSentence } from "../text/sentences.js";
import { inputProperties, describeInputs } from "../input-properties.js";
import type { PlannedTool } from "../types.js";

/** The sentence that an input gets whose next value a result holds. */
export const nextPageSentence = (name: string): string =>
  `For the next page: next.${name} of the previous result.`;

/**
 * A place in the result, under `next`, for what these inputs take on the next page; and a word
 * about it where they are described.
 */
export function addNextInputs(tool: PlannedTool, names: readonly string[]): PlannedTool {
  const { output, definition } = tool;
  const inputs = tool.inputs.filter(({ name }) => names.includes(name));
  if (!output || !definition.outputSchema || inputs.length === 0) return tool;
  const schema = definition.outputSchema as JsonSchema;
  const told = inputs.reduce((now, { name }) => addNextPageSentence(now, name), tool);
  return {
    ...told,
    output: addNextFields(
      output,
      inputs.map(({ name, type }) => [name, type]),
    ),
    definition: {
      ...told.definition,
      outputSchema: addNextFields(
        schema,
        inputs.map(({ name, type }) => [name, { type: plainType(type) }]),
      ),
    },
  };
}

/** A number may be any number: clients are to believe the API, not the document. */
function plainType({ type }: JsonSchema): string {
  return type === "integer" || type === "number" ? "number" : "string";
}

function addNextFields(
  schema: JsonSchema,
  fields: readonly (readonly [string, JsonSchema])[],
): JsonSchema {
  const { next } = schema.properties ?? {};
  const own =
    isObject(next) && isObject(next.properties)
      ? (next as JsonSchema)
      : { type: "object", properties: {} };
  const missing = fields.filter(([name]) => !Object.hasOwn(own.properties ?? {}, name));
  if (missing.length === 0) return schema;
  return {
    ...schema,
    properties: {
      ...schema.properties,
      next: { ...own, properties: { ...own.properties, ...Object.fromEntries(missing) } },
    },
  };
}

function addNextPageSentence(tool: PlannedTool, name: string): PlannedTool {
  const said = String(inputProperties(tool.definition)[name]?.description ?? "");
  return said.includes(nextPageSentence(name))
    ? tool
    : describeInputs(tool, new Map([[name, `${toSentence(said)} ${nextPageSentence(name)}`]]));
}
