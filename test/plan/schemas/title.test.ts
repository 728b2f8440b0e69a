/** Titles of inputs that have no description. */
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import { plan } from "../../../src/plan/index.js";
import { api, inputsOf, json, ok, operation, parameter } from "../fixtures.js";

const text = { type: "string" } as const;
const Reference = { ...text, title: "Reference of the customer" };

/** Input `field` of a tool that sends it in a body, and of one that sends it in a query. */
function inputs(name: string, schema: JsonSchema): readonly (JsonSchema | undefined)[] {
  const model = api(
    [
      operation("POST /orders", json({ type: "object", properties: { [name]: schema } })),
      operation("GET /parcels", { parameters: [parameter(`query ${name}`, { schema })] }),
    ],
    { schemas: { Reference } },
  );
  return plan(model).tools.map((tool) => inputsOf(tool)[name]);
}

describe("the title of an input without a description describes it", () => {
  test.each<readonly [name: string, schema: JsonSchema, want: string | undefined]>([
    ["cc", { ...text, title: "ISO country code" }, "ISO country code"],
    ["cc", { ...text, title: "Country" }, "Country"],
    ["ref", { $ref: "#/$defs/Reference" }, "Reference of the customer"],
    ["cc", { ...text, title: "ISO country code", description: "Two letters." }, "Two letters."],
    // Repeats the name, or is a name of code.
    ["country_code", { ...text, title: "Country Code" }, undefined],
    ["countryCode", { ...text, title: "The code of a country" }, undefined],
    ["cc", { ...text, title: "country_param" }, undefined],
    ["cc", { ...text, title: "CountryCode" }, undefined],
  ])("%s %j: %s", (name, schema, want) => {
    for (const input of inputs(name, schema)) expect(input?.description).toBe(want);
  });
});

test("titles of fields and of alternatives that are objects stay", () => {
  const alternative = (title: string, field: string): JsonSchema => ({
    type: "object",
    title,
    properties: { [field]: text },
    required: [field],
  });
  const payment: JsonSchema = {
    type: "object",
    title: "PaymentRequest",
    properties: {
      zip: { ...text, title: "Postal code" },
      way: { anyOf: [alternative("Paid at the door", "card"), alternative("Invoice", "iban")] },
    },
  };
  const [input] = inputs("payment", payment);
  expect(input).not.toHaveProperty("description");
  expect(input?.properties).toMatchObject({
    zip: { description: "Postal code" },
    way: { anyOf: [{ description: "Paid at the door" }, {}] },
  });
});

test("titles of results are left out", () => {
  const order = { type: "object", properties: { zip: { ...text, title: "Postal code" } } };
  const { tools } = plan(api([operation("GET /orders/{id}", { responses: [ok(order)] })]));
  expect(JSON.stringify(tools[0]?.definition.outputSchema)).not.toContain("Postal");
});
