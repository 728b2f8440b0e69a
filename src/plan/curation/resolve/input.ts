import { quoteText } from "../../../diagnostics/clean.js";
import type { JsonSchema } from "../../../json.js";
import type { ResolveBinding } from "../../../runtime/types.js";
import { ended } from "../../describe/sentences.js";
import { propertiesOf } from "../../tool-inputs.js";
import type { PlannedInput, PlannedTool } from "../../types.js";
import { inputOf, sitesOf } from "../wires.js";

/** The tool with a look-up for an input, which takes any text then; numbers stay as they are. */
export function withBinding(
  tool: PlannedTool,
  input: PlannedInput,
  binding: ResolveBinding,
  schema: JsonSchema,
): PlannedTool {
  const { definition } = tool;
  const {
    pattern: _p,
    format: _f,
    minLength: _n,
    maxLength: _x,
    enum: _e,
    examples,
    description: _d,
    type,
    ...rest
  } = schema;
  const isNumber = type === "integer" || type === "number";
  const description = `${ended(input.description)} Or its exact ${binding.match}, which ${binding.via} looks up.`;
  const own: JsonSchema = {
    ...(isNumber
      ? { anyOf: [schemaOfNumber(schema), { type: "string" }] }
      : { ...rest, type: "string" }),
    ...(examples && { examples }),
    description,
  };
  const properties = { ...propertiesOf(definition), [input.name]: own };
  const requests = definition.requests.map((request) =>
    sitesOf(request.send).some(({ wire }) => inputOf(wire) === input.name)
      ? { ...request, resolve: { ...request.resolve, [input.name]: binding } }
      : request,
  );
  return {
    ...tool,
    inputs: tool.inputs.map((one) =>
      one.name === input.name
        ? {
            ...one,
            description,
            type: isNumber ? { anyOf: [input.type, { type: "string" }] } : { type: "string" },
          }
        : one,
    ),
    definition: { ...definition, inputSchema: { ...definition.inputSchema, properties }, requests },
    reasons: [
      ...tool.reasons,
      `${quoteText(input.name, 60)} also takes a name, looked up with ${binding.via}, as the curation says.`,
    ],
  };
}

function schemaOfNumber({
  description: _d,
  examples: _e,
  default: _f,
  ...schema
}: JsonSchema): JsonSchema {
  return schema;
}
