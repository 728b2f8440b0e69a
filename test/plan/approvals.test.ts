import { describe, expect, test } from "vitest";
import { api, ok, operation, parameter } from "./fixtures.js";
import { configuredPlan } from "./configuration/fixtures.js";

/** `approve` in mcp-gen.yaml: the tools that ask, their texts, and the definition of the API. */
const ASKS = "Asks the user before it is sent.";

const planned = (yaml: string) => {
  const { tools, api, diagnostics } = configuredPlan(yaml);
  return {
    asking: tools
      .filter(({ definition }) => definition.description.includes(ASKS))
      .map(({ definition }) => definition.name),
    approve: api.approve,
    own: Object.fromEntries(
      tools.flatMap(({ definition: { name, approve } }) =>
        approve === undefined ? [] : [[name, approve]],
      ),
    ),
    codes: diagnostics.map(({ code }) => code).filter((code) => code.startsWith("config-")),
  };
};
const all = configuredPlan("tools: {}").tools.map(({ definition }) => definition);
const named = (filter: (tool: (typeof all)[number]) => boolean): string[] =>
  all.filter(filter).map(({ name }) => name);
const destructive = named(({ annotations }) => annotations.destructiveHint);
const writes = named(({ annotations }) => !annotations.readOnlyHint);
const [first = "", second = ""] = destructive;

describe("approve", () => {
  test("the document of this test has tools of each kind", () => {
    expect(destructive.length).toBeGreaterThan(0);
    expect(writes.length).toBeGreaterThan(destructive.length);
  });

  test.each<[string, string, Partial<ReturnType<typeof planned>>]>([
    [
      "nothing",
      "select: {default: include}",
      { asking: [], approve: undefined, own: {}, codes: [] },
    ],
    ["destructive", "approve: destructive", { asking: destructive, approve: "destructive" }],
    ["writes", "approve: writes", { asking: writes, approve: "writes" }],
    ["a list", `approve: [${first}]`, { asking: [first], approve: [first], codes: [] }],
    ["an unknown name", "approve: [nope]", { asking: [], codes: ["config-unknown-tool"] }],
    [
      "one tool only",
      `tools: {${first}: {approve: true}}`,
      { asking: [first], approve: [], own: { [first]: true } },
    ],
    [
      "all but one",
      `approve: destructive\ntools: {${first}: {approve: false}}`,
      { asking: destructive.slice(1), own: { [first]: false } },
    ],
    [
      "by name",
      `tools: {${first}: {approve: {type: name}}}`,
      { asking: [first], own: { [first]: { type: "name" } } },
    ],
  ])("%s", (_, yaml, want) => {
    expect(planned(yaml)).toMatchObject(want);
  });

  test("definitions are unchanged where nothing is configured", () => {
    expect(second === "" ? first : second).not.toBe("");
    expect(JSON.stringify(all)).not.toMatch(/"approve"|"sends"|Asks the user/);
  });
});

describe("the thing that a question shows", () => {
  const read = operation("GET /pets/{petId}", { responses: [ok({ type: "object" })] });
  test.each<[string, string, object | undefined]>([
    [
      "an action",
      "POST /pets/{petId}/actions/neuter",
      { tool: "get_pet", inputs: { petId: "petId" } },
    ],
    ["a part of it", "DELETE /pets/{petId}/photo", { tool: "get_pet", inputs: { petId: "petId" } }],
    ["a thing below it", "DELETE /pets/{petId}/toys/{toyId}", undefined],
    ["another collection", "POST /visits/{visitId}/cancel", undefined],
  ])("of %s", (_, at, want) => {
    const write = operation(at, {
      summary: "Remove it for good",
      responses: [ok(undefined, "204")],
    });
    const { tools } = configuredPlan("approve: writes", {}, api([read, write]));
    const bindings = tools.flatMap(({ definition }) => definition.operations);
    expect(bindings.find(({ request }) => request.method !== "GET")?.shows).toEqual(want);
  });
});

describe("ask of an input", () => {
  const planOf = (rule: string) =>
    configuredPlan(`tools: {create_order: {operation: createOrder, inputs: ${rule}}}`);
  const toolOf = (made: ReturnType<typeof configuredPlan>) =>
    made.tools.find(({ operations }) =>
      operations.some(({ operationId }) => operationId === "createOrder"),
    )!.definition;

  test("makes it optional for the model, and marks it", () => {
    const before = toolOf(configuredPlan("tools: {}"));
    expect(before.inputSchema["required"]).toContain("channel");
    const { asks, inputSchema } = toolOf(planOf("{channel: {ask: true}}"));
    expect(asks).toEqual(["channel"]);
    expect(inputSchema["required"]).not.toContain("channel");
    expect(JSON.stringify(inputSchema)).toContain("the server asks the user");
  });

  test.each([["api_token"], ["password"]])("is refused for the secret %s", (name) => {
    const made = planOf(`{note: {name: ${name}}}`);
    expect(toolOf(made).inputSchema["properties"]).toHaveProperty(name);
    const refused = configuredPlan(
      `tools: {create_order: {operation: createOrder, inputs: {note: {name: ${name}, ask: true}}}}`,
    );
    expect(toolOf(refused).asks).toBeUndefined();
    expect(refused.diagnostics.map(({ code }) => code)).toContain("config-incompatible-value");
  });
});

describe("an operation's own dry run", () => {
  const boolean = { type: "boolean" } as const;
  test.each<[string, object | undefined]>([
    ["dryRun", { input: "dryRun", value: true }],
    ["dry_run", { input: "dry_run", value: true }],
    ["validateOnly", { input: "validateOnly", value: true }],
    ["preview", undefined],
    ["dryRunner", undefined],
  ])("by the name %s", (name, want) => {
    expect(previewOf(parameter(`query ${name}`, { schema: boolean }))).toEqual(want);
  });

  test.each<[string, object, object | undefined]>([
    [
      "preview",
      { schema: boolean, description: "Return the result without deleting." },
      { input: "preview", value: true },
    ],
    ["preview", { schema: boolean, description: "Use the preview of the new API." }, undefined],
    [
      "dryRun",
      { schema: { type: "string" }, description: "Nothing is persisted. Valid values: All" },
      { input: "dryRun", value: "All" },
    ],
    ["dryRun", { schema: { type: "string" }, description: "Any text." }, undefined],
    ["dryRun", { schema: boolean, required: true }, undefined],
  ])("%s, %j", (name, about, want) => {
    expect(previewOf(parameter(`query ${name}`, about))).toEqual(want);
  });

  function previewOf(one: ReturnType<typeof parameter>): object | undefined {
    const model = api([
      operation("DELETE /pets/{id}", {
        operationId: "deletePet",
        summary: "Delete a pet",
        parameters: [one],
        responses: [ok(undefined, "204")],
      }),
    ]);
    const { tools } = configuredPlan("approve: destructive", {}, model);
    return tools[0]?.definition.operations[0]?.preview;
  }
});
