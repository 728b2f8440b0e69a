import { describe, expect, test } from "vitest";
import { createToolRegistry, estimateTokens } from "../../../src/runtime/tools/tool-registry.js";
import { selectTools } from "../../../src/runtime/tools/selection.js";
import { applyCustomizations } from "../../../src/runtime/tools/customizations.js";
import {
  isSerialized,
  type SerializedTool,
  deserializeTool,
} from "../../../src/runtime/tools/serialized-tools.js";
import type { ToolDefinition } from "../../../src/runtime/types.js";
import { toolOf } from "../support/clinic.js";

const reads = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
const whole: readonly ToolDefinition[] = [
  toolOf({
    name: "get_pet",
    toolset: "pets",
    fingerprint: "sha256:00",
    outputSchema: { type: "object" },
    producers: { pet_id: ["find_pets"] },
    onError: { 404: "No." },
    timeoutMs: 5,
  }),
  toolOf({
    name: "add_pet",
    toolset: "pets",
    annotations: { ...reads, readOnlyHint: false },
    description: 'Añade \u2028 "una" mascota \\ 猫.',
  }),
  toolOf({ name: "ping", properties: JSON.parse('{"__proto__": {"type": "string"}}') }),
];

/** As `bundle.mjs` does it. */
function pack({ name, toolset, annotations, ...rest }: ToolDefinition): SerializedTool {
  return {
    name,
    annotations,
    ...(toolset !== undefined && { toolset }),
    json: JSON.stringify(rest),
  };
}

const packed = whole.map(pack);
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each(whole.map((tool, i) => [tool.name, tool, packed[i]!] as const))(
  "%s is whole again",
  (_, tool, stored) => {
    expect(isSerialized(stored)).toBe(true);
    expect(deserializeTool(stored)).toEqual(tool);
  },
);

test("a tool that is not serialized is returned unchanged", () => {
  expect(isSerialized(whole[0]!)).toBe(false);
  expect(deserializeTool(whole[0]!)).toBe(whole[0]);
});

describe("a registry of serialized tools", () => {
  const catalogue = createToolRegistry(packed);

  test("lists the definitions of the tools", () => {
    expect(json(catalogue.listPage(undefined))).toEqual(
      json(createToolRegistry(whole).listPage(undefined)),
    );
    expect(estimateTokens(packed)).toBe(estimateTokens(whole));
  });

  test("lists them in order with other tools", () => {
    const mixed = [whole[0]!, packed[1]!, whole[2]!];
    expect(json(createToolRegistry(mixed).listPage(undefined))).toEqual(
      json(createToolRegistry(whole).listPage(undefined)),
    );
  });

  test("parses a called tool once", () => {
    expect(catalogue.find("add_pet")).toEqual(whole[1]);
    expect(catalogue.find("add_pet")).toBe(catalogue.find("add_pet"));
  });

  test("knows the names without parsing", () => {
    expect(catalogue.has("ping")).toBe(true);
    expect(() => catalogue.find("get_pets")).toThrow(
      'Unknown tool "get_pets". Did you mean get_pet?',
    );
  });
});

test("selects by toolset and read-only without parsing", () => {
  expect(selectTools(packed, { toolsets: ["pets"], readOnly: true }, "X")).toMatchObject({
    ok: true,
    tools: [packed[0], packed[2]],
  });
});

test("a custom handler replaces only the request", () => {
  const run = (): object => ({});
  const part = applyCustomizations(packed, { on: { get_pet: { run } } });
  expect(part).toMatchObject({ ok: true, tools: [{ ...whole[0], run }, packed[1], packed[2]] });
});
