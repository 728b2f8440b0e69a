import { type CustomTool, defineCustomTool, type Hooks } from "../runtime/index.js";
import type { Tools } from "../tools/index.js";

/**
 * Custom tool with combinators at the root of its input schema. Generated schemas have none,
 * because some hosts reject them. Schemas of custom tools are served verbatim.
 */
const jsonSchema: CustomTool<Record<string, string>, string> = defineCustomTool({
  name: "json_schema_2020_12_tool",
  title: "JSON Schema 2020-12",
  description: "Takes what JSON Schema 2020-12 can describe.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  inputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
  run: () => "Done.",
});

const hooks: Hooks<Tools> = {
  tools: [jsonSchema],
  on: {
    test_tool_with_progress: {
      run(_, { progress }) {
        for (const part of ["Begun.", "Half of it.", "All of it."]) progress(part);
      },
    },
  },
  afterResponse: (result, { tool }) =>
    tool.name !== "test_multiple_content_types"
      ? result
      : {
          ...result,
          content: [
            { type: "text", text: "Multiple content types." },
            ...result.content,
            { type: "resource", resource: { uri: "test://mixed", mimeType: "application/json", text: '{"test":"data"}' } },
          ],
        },
};

export default hooks;
