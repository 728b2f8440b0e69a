import { describe, expect, test } from "vitest";
import { compareLocks } from "../../../src/diff/index.js";
import {
  estimateToolTokens,
  listedInputSchema,
} from "../../../src/runtime/tools/shown-definition.js";
import { createToolRegistry } from "../../../src/runtime/tools/tool-registry.js";
import { validateInput } from "../../../src/runtime/tools/validate-input.js";
import type { JsonSchema } from "../../../src/runtime/types.js";
import { referenceFingerprint } from "../../reference-fingerprint.js";
import { toolOf } from "../support/clinic.js";

/** An object whose text is long enough to be listed once. */
const objectOf = (...names: readonly string[]): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(
    names.map((name) => [name, { type: "string", maxLength: 100, description: "x".repeat(100) }]),
  ),
  required: names.slice(0, 1),
});
const address = objectOf("street", "city", "country");
const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });
const root = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: "object",
  properties,
  additionalProperties: false,
});
const same = (place: string, what = "fields"): string => `Same ${what} as \`${place}\` above.`;

describe("an input schema, as it is listed", () => {
  const codes = Array.from({ length: 60 }, (_, i) => `code-${i}`);
  test.each<[string, Readonly<Record<string, JsonSchema>>, Readonly<Record<string, JsonSchema>>]>([
    [
      "names the first of equal objects",
      { billing: address, shipping: address },
      { billing: address, shipping: { type: "object", description: same("billing") } },
    ],
    [
      "keeps the text and the default of the others",
      {
        billing: { ...address, description: "Payer" },
        shipping: { ...address, description: "Where to", default: {} },
      },
      {
        billing: { ...address, description: "Payer" },
        shipping: {
          type: "object",
          description: `Where to. ${same("billing")}`,
          default: {},
        },
      },
    ],
    [
      "names nested places",
      { order: objectOf("id"), lines: list(root({ from: address, to: list(address) })) },
      {
        order: objectOf("id"),
        lines: list(
          root({
            from: address,
            to: list({ type: "object", description: same("lines[].from") }),
          }),
        ),
      },
    ],
    [
      "names lists and values that may be null by their parts",
      {
        a: orNull(list(address)),
        b: orNull(list(address)),
        c: list({ enum: codes }),
        d: list({ enum: codes }),
      },
      {
        a: orNull(list(address)),
        b: { anyOf: [{ type: "array" }, { type: "null" }], description: same("a", "items") },
        c: list({ enum: codes }),
        d: { type: "array", description: same("c", "items") },
      },
    ],
    [
      "names the place that alternatives share",
      { body: { anyOf: [root({ to: address, a: {} }), root({ to: address, b: {} })] } },
      {
        body: {
          anyOf: [
            root({ to: address, a: {} }),
            root({ to: { type: "object", description: same("body.to") }, b: {} }),
          ],
        },
      },
    ],
  ])("%s", (_, given, want) => {
    expect(listedInputSchema(root(given))).toEqual(root(want));
  });

  test.each<[string, Readonly<Record<string, JsonSchema>>]>([
    ["has short schemas in full", { a: root({ b: {} }), c: root({ b: {} }) }],
    ["has schemas that differ in full", { a: address, b: { ...address, required: [] } }],
    [
      "names no place that alternatives describe differently",
      {
        body: { anyOf: [root({ to: address }), root({ to: objectOf("x", "y", "z") })] },
        copy: address,
      },
    ],
    [
      "names no values of any name",
      { by_name: { type: "object", additionalProperties: address }, one: address },
    ],
    [
      "has parts that a reference points to",
      { a: address, b: address, c: { $ref: "#/properties/b/properties/city" } },
    ],
  ])("%s", (_, given) => {
    expect(listedInputSchema(root(given))).toEqual(root(given));
  });
});

describe("a tool with equal nested schemas", () => {
  const tool = toolOf({
    name: "ship",
    inputSchema: root({ billing: address, shipping: address }),
  });

  test("is listed, fingerprinted and counted in the short form, and validated in the whole one", async () => {
    const { tools } = await createToolRegistry([tool]).listPage(undefined);
    const { _meta, ...listed } = tools[0]!;
    expect(listed.inputSchema.properties).toHaveProperty("shipping", {
      type: "object",
      description: same("billing"),
    });
    expect(_meta).toEqual({ "dev.mcp-gen/fingerprint": referenceFingerprint(listed) });
    expect(estimateToolTokens(tool)).toBe(estimateToolTokens({ ...tool, ...listed }));
    expect(validateInput(tool.inputSchema, { shipping: { city: "Bern" } })).toMatchObject({
      ok: false,
      problems: [{ input: "shipping.street" }],
    });
  });

  test("is unchanged in the list of its server", () => {
    const { name, title, description, inputSchema } = tool;
    const locked = { name, title, description, inputSchema, annotations: {}, operations: [] };
    const listed = { ...locked, inputSchema: listedInputSchema(tool.inputSchema) };
    const changes = compareLocks({ tools: [locked] }, { tools: [listed], isToolList: true });
    expect(changes).toEqual([]);
  });
});
