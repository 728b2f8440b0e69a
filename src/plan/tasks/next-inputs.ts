import { isObject, type JsonSchema } from "../../json.js";
import { ended } from "../describe/sentences.js";
import { propertiesOf, withDescriptions } from "../tool-inputs.js";
import type { PlannedTool } from "../types.js";

/** The sentence that an input gets whose next value a result holds. */
export const passOn = (name: string): string =>
  `For the next page: next.${name} of the previous result.`;

/**
 * A place in the result, under `next`, for what these inputs take on the next page; and a word
 * about it where they are described.
 */
export function withNextInputs(tool: PlannedTool, names: readonly string[]): PlannedTool {
  const { output, definition } = tool;
  const inputs = tool.inputs.filter(({ name }) => names.includes(name));
  if (!output || !definition.outputSchema || inputs.length === 0) return tool;
  const schema = definition.outputSchema as JsonSchema;
  const told = inputs.reduce((now, { name }) => withSentence(now, name), tool);
  return {
    ...told,
    output: withNext(
      output,
      inputs.map(({ name, type }) => [name, type]),
    ),
    definition: {
      ...told.definition,
      outputSchema: withNext(
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

function withNext(
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

function withSentence(tool: PlannedTool, name: string): PlannedTool {
  const said = String(propertiesOf(tool.definition)[name]?.description ?? "");
  return said.includes(passOn(name))
    ? tool
    : withDescriptions(tool, new Map([[name, `${ended(said)} ${passOn(name)}`]]));
}
