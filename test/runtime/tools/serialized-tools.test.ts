import { describe, expect, test } from "vitest";
import { compressedTools, TextCompressor } from "../../../src/runtime/tools/compressed-tools.js";
import { readIndex, readTools, serializeTool, ToolBundle } from "../../../src/runtime/bundle.js";
import {
  createToolRegistry,
  estimateListTokens,
} from "../../../src/runtime/tools/tool-registry.js";
import { selectTools } from "../../../src/runtime/tools/selection.js";
import { applyCustomizations } from "../../../src/runtime/tools/customizations.js";
import {
  deserializeTool,
  isSerialized,
  type SerializedTool,
} from "../../../src/runtime/tools/definitions.js";
import type { ToolDefinition } from "../../../src/runtime/types.js";
import { toolOf } from "../support/clinic.js";

const reads = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
const parsedTools: readonly ToolDefinition[] = [
  toolOf({
    name: "get_pet",
    toolset: "pets",
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

const serializedTools = (await Promise.all(parsedTools.map(serializeTool))) as SerializedTool[];
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The same tools with compressed texts, in blocks of so many characters. */
function compressed(blockCharacters: number): readonly SerializedTool[] {
  const texts = new TextCompressor(blockCharacters);
  for (const tool of serializedTools) texts.add(tool.json);
  const heads = serializedTools.map(({ json: _, ...head }) => head);
  return heads.map((_, i) => compressedTools(heads, texts.finish())(i));
}

const forms = [
  ["serialized", serializedTools],
  ["compressed in one block", compressed(1_000_000)],
  ["compressed in blocks of one", compressed(1)],
] as const;

describe.each(forms)("%s tools", (_, tools) => {
  test.each(parsedTools.map((tool, i) => [tool.name, tool, i] as const))(
    "%s is whole again",
    (_name, tool, i) => {
      expect(isSerialized(tools[i]!)).toBe(true);
      expect(deserializeTool(tools[i]!)).toEqual(tool);
    },
  );

  test("selects by toolset and read-only without parsing", () => {
    const selected = selectTools(tools, { toolsets: ["pets"], readOnly: true }, "X");
    expect(selected).toMatchObject({ ok: true, tools: [tools[0], tools[2]] });
  });

  test("a custom handler replaces only the request", () => {
    const run = (): object => ({});
    const part = applyCustomizations(tools, { on: { get_pet: { run } } });
    expect(part).toMatchObject({
      ok: true,
      tools: [{ ...parsedTools[0], run }, tools[1], tools[2]],
    });
  });
});

test("a tool that is not serialized is returned unchanged", () => {
  expect(isSerialized(parsedTools[0]!)).toBe(false);
  expect(deserializeTool(parsedTools[0]!)).toBe(parsedTools[0]);
});

describe.each(forms)("a registry of %s tools", (_, tools) => {
  const registry = createToolRegistry(tools);

  test("lists the definitions of the tools, with their fingerprints", async () => {
    expect(json(await registry.listPage(undefined))).toEqual(
      json(await createToolRegistry(parsedTools).listPage(undefined)),
    );
    expect(registry.serializeList()).toBe(createToolRegistry(parsedTools).serializeList());
    expect(estimateListTokens(tools)).toBe(estimateListTokens(parsedTools));
  });

  test("lists them in order with other tools", async () => {
    const mixed = [parsedTools[0]!, tools[1]!, parsedTools[2]!];
    expect(json(await createToolRegistry(mixed).listPage(undefined))).toEqual(
      json(await createToolRegistry(parsedTools).listPage(undefined)),
    );
  });

  test("parses a called tool once", () => {
    expect(registry.find("add_pet")).toEqual(parsedTools[1]);
    expect(registry.find("add_pet")).toBe(registry.find("add_pet"));
  });

  test("finds a tool by its name", () => {
    expect(registry.get("ping")?.name).toBe("ping");
    expect(() => registry.find("get_pets")).toThrow(
      'Unknown tool "get_pets". Did you mean get_pet?',
    );
  });
});

test("a bundle has hidden tools, and its search index does not", async () => {
  const [shown, hidden] = [toolOf({ name: "get_pet" }), toolOf({ name: "get_secret_pet" })];
  const bundle = new ToolBundle();
  bundle.add(await readTools({ shown, hidden: { ...hidden, hidden: true } }));
  const collected = bundle.finish(["shown", "hidden"]);
  const { tools, index } = bundle.modules(collected, readIndex(collected), true);
  expect(tools).toMatch(/"name":"get_secret_pet".*"hidden":true/);
  expect(index).toContain("pet");
  expect(index).not.toContain("secret");
});
