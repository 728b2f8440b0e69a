import { describe, expect, test } from "vitest";
import {
  type AnyHooks,
  type AnyTool,
  deserializeTool,
} from "../../../src/runtime/tools/definitions.js";
import { applyCustomizations } from "../../../src/runtime/tools/customizations.js";
import {
  createToolRegistry,
  estimateListTokens,
} from "../../../src/runtime/tools/tool-registry.js";
import { referenceFingerprint } from "../../reference-fingerprint.js";
import { toolOf, type ToolSketch } from "../support/clinic.js";

const tools = Array.from({ length: 1100 }, (_, i) => toolOf({ name: `tool_${i}` }));
const catalogue = createToolRegistry(tools);

function owned(tools: readonly AnyTool[], custom: AnyHooks): readonly AnyTool[] {
  const part = applyCustomizations(tools, custom);
  if (!part.ok) throw new Error(part.problems.join(" "));
  return part.tools.map(deserializeTool);
}

describe("the list", () => {
  test("is paginated, complete and in order", async () => {
    const first = await catalogue.listPage(undefined);
    const second = await catalogue.listPage(first.nextCursor);
    const third = await catalogue.listPage(second.nextCursor);
    expect([first, second, third].map((page) => page.tools.length)).toEqual([500, 500, 100]);
    expect(third.nextCursor).toBeUndefined();
    expect([first, second, third].flatMap((page) => page.tools.map(({ name }) => name))).toEqual(
      tools.map(({ name }) => name),
    );
  });

  test("is deterministic", async () => {
    expect(JSON.stringify(await catalogue.listPage(undefined))).toBe(
      JSON.stringify(await createToolRegistry(tools).listPage(undefined)),
    );
  });

  test("has fingerprints of generated and custom tools", async () => {
    const generated = toolOf({ name: "a" });
    const customTool = { ...generated, name: "b", title: "Own" };
    const registry = createToolRegistry(owned([generated], { tools: [customTool] }));
    const { tools: listed } = await registry.listPage(undefined);
    expect(listed.map(({ name }) => name)).toEqual(["a", "b"]);
    for (const { _meta, ...definition } of listed)
      expect(_meta).toEqual({ "dev.mcp-gen/fingerprint": referenceFingerprint(definition) });
  });

  test("has data for clients that search and group tools, which models do not read", async () => {
    const generated = toolOf({ name: "a", toolset: "pets", effect: "adds", keywords: ["vet"] });
    const bare = toolOf({ name: "a" });
    expect((await createToolRegistry([generated]).listPage(undefined)).tools[0]?._meta).toEqual({
      "dev.mcp-gen/fingerprint": expect.any(String) as string,
      "dev.mcp-gen/toolset": "pets",
      "dev.mcp-gen/effect": "adds",
      "dev.mcp-gen/keywords": ["vet"],
      "anthropic/searchHint": "vet",
    });
    expect(estimateListTokens([generated])).toBe(estimateListTokens([bare]));
  });

  test("has definitions without bindings", async () => {
    const { tools: listed } = await createToolRegistry([
      toolOf({ outputSchema: { type: "object" }, onError: { 404: "no" } }),
    ]).listPage(undefined);
    expect(Object.keys(listed[0]!)).toEqual([
      "name",
      "title",
      "description",
      "annotations",
      "inputSchema",
      "outputSchema",
      "_meta",
    ]);
  });

  test.each(["0", "50", "1500", "-500", "5e2", "x", 500, {}])(
    "cursor %j is not one of its own",
    (cursor) =>
      expect(catalogue.listPage(cursor)).rejects.toThrow(
        expect.objectContaining({ code: -32602 }) as Error,
      ),
  );

  test.each([undefined, null, ""])("begins when the cursor is %j", async (cursor) => {
    expect((await catalogue.listPage(cursor)).tools[0]?.name).toBe("tool_0");
  });

  test("has no next cursor after exactly one page", async () => {
    const { nextCursor } = await createToolRegistry(tools.slice(0, 500)).listPage(undefined);
    expect(nextCursor).toBeUndefined();
  });
});

describe("an unknown tool", () => {
  test.each([
    ["tool_25O", 'Unknown tool "tool_25O". Did you mean tool_250, '],
    ["nothing like it", 'Unknown tool "nothing like it". See tools/list.'],
    ["x".repeat(100), `Unknown tool "${"x".repeat(64)}…". See tools/list.`],
    ["__proto__", 'Unknown tool "__proto__". See tools/list.'],
  ])("%s", (name, message) =>
    expect(() => catalogue.find(name)).toThrow(
      expect.objectContaining({
        code: -32602,
        message: expect.stringContaining(message) as string,
      }),
    ),
  );
});

test("custom tools replace generated tools in place or follow them", () => {
  const customTool = toolOf({ name: "b", title: "Own" });
  const merged = owned([toolOf({ name: "a" }), toolOf({ name: "b" }), toolOf({ name: "c" })], {
    tools: [customTool, toolOf({ name: "d" })],
  });
  expect(merged.map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
  expect(merged[1]).toBe(customTool);
});

test("a custom handler does not change the definition of a generated tool", async () => {
  const generated = toolOf({ name: "a" });
  const listed = async (tools: readonly AnyTool[]): Promise<string> =>
    JSON.stringify(await createToolRegistry(tools).listPage(undefined));
  const customized = owned([generated], { on: { a: { run: () => ({}) } } });
  expect(await listed(customized)).toBe(await listed([generated]));
});

test.each<readonly [ToolSketch, string]>([
  [
    { name: "find my pets" },
    'src/custom has a tool with the name "find my pets": a name has 1 to 128 letters, digits, "_", "-" and ".".',
  ],
  [
    { name: "" },
    'src/custom has a tool with the name "": a name has 1 to 128 letters, digits, "_", "-" and ".".',
  ],
  [
    { inputSchema: { $ref: "#/$defs/a", $defs: { a: { type: "object" } } } },
    'src/custom has a tool, get_pet, whose inputSchema is not of type "object"; clients require that.',
  ],
  [
    { outputSchema: { type: "array" } },
    'src/custom has a tool, get_pet, whose outputSchema is not of type "object"; clients require that.',
  ],
  [
    { properties: { region: { type: "string", "x-mcp-header": "Region" } } },
    "src/custom has a tool, get_pet, with x-mcp-header in its inputSchema: this server does not compare headers with inputs. Remove it.",
  ],
])(
  "a tool of the owner that would cost clients the whole list is a problem: %j",
  (sketch, problem) => {
    expect(applyCustomizations([], { tools: [toolOf(sketch)] })).toEqual({
      ok: false,
      problems: [problem],
    });
  },
);

test.each([
  ["find_pet", " Did you mean find_pets?"],
  ["other", ""],
  ["__proto__", ""],
])("hooks of a tool that is not there are a problem: %s", (name, hint) => {
  const on = Object.fromEntries([[name, {}]]);
  expect(applyCustomizations([toolOf({ name: "find_pets" })], { on })).toEqual({
    ok: false,
    problems: [`src/custom has hooks for ${name}, but there is no tool of this name.${hint}`],
  });
});
