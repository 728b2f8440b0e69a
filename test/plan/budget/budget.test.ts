import { describe, expect, test } from "vitest";
import { parseConfiguration } from "../../../src/configuration/parse-configuration.js";
import type { ApiModel } from "../../../src/model/types.js";
import { estimateCosts } from "../../../src/plan/budget/index.js";
import { plan } from "../../../src/plan/index.js";
import type { PlannedTool, ToolPlan } from "../../../src/plan/types.js";
import { api, ok, operation, parameter, planned } from "../fixtures.js";

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

function toolOf(definition: Partial<PlannedTool["definition"]>): PlannedTool {
  const { tool } = planned(operation("GET /pets", { operationId: "listPets" }));
  return {
    ...tool,
    definition: {
      name: "a",
      title: "A",
      description: "",
      annotations,
      inputSchema: { type: "object" },
      operations: [],
      ...definition,
    },
  };
}

describe("a tool's cost", () => {
  const bare = estimateCosts([toolOf({})])[0]!;

  test.each<
    readonly [string, Partial<PlannedTool["definition"]>, { tokens: number; bytes: number }]
  >([
    ["nothing but what every tool has", {}, { tokens: 0, bytes: 0 }],
    ["a description", { description: "Find pets by name." }, { tokens: 4, bytes: 18 }],
    ["a title, which models do not read", { title: "Find pets" }, { tokens: 0, bytes: 8 }],
    [
      "an output schema, which models do not read",
      { outputSchema: { type: "object", description: "x".repeat(63) } },
      { tokens: 0, bytes: 97 },
    ],
    [
      "what is not listed",
      {
        operations: [
          {
            whenProvided: [],
            request: { method: "GET", path: `/${"x".repeat(900)}` },
            response: {},
          },
        ],
        onError: { 404: "x".repeat(900) },
        toolset: "pets",
        producers: { a: ["b"] },
      },
      { tokens: 0, bytes: 0 },
    ],
  ])("%s", (_, definition, want) => {
    const [cost] = estimateCosts([toolOf(definition)]);
    expect(cost?.bytes).toBe(bare.bytes + want.bytes);
    expect(Math.abs(cost!.tokens - bare.tokens - want.tokens)).toBeLessThanOrEqual(1);
  });

  test("of an output schema is counted apart", () => {
    const outputSchema = { type: "object", description: "The pets of an owner." };
    expect(estimateCosts([toolOf({ outputSchema })])[0]?.outputTokens).toBeGreaterThan(10);
    expect(bare.outputTokens).toBe(0);
  });
});

const pet = {
  type: "object",
  properties: Object.fromEntries(
    ["id", "name", "species", "born", "owner_id", "notes"].map((name) => [
      name,
      { type: "string", description: `The ${name} of the pet, as the clinic knows it.` },
    ]),
  ),
} as const;

/** Pets and owners: five tools in two toolsets; the toolset of pets costs more. */
const clinic = api([
  operation("GET /pets", {
    operationId: "listPets",
    tags: ["Pets"],
    responses: [ok({ type: "array", items: pet })],
  }),
  operation("GET /pets/{petId}", { operationId: "getPet", tags: ["Pets"], responses: [ok(pet)] }),
  operation("DELETE /pets/{petId}", {
    operationId: "deletePet",
    tags: ["Pets"],
    responses: [ok(undefined, "204")],
  }),
  operation("GET /owners", {
    operationId: "listOwners",
    tags: ["owners"],
    parameters: [parameter("query q")],
    responses: [
      ok({ type: "array", items: { type: "object", properties: { id: { type: "string" } } } }),
    ],
  }),
  operation("DELETE /owners/{ownerId}", {
    operationId: "deleteOwner",
    tags: ["owners"],
    responses: [ok(undefined, "204")],
  }),
]);

function budgeted(yaml: string, model: ApiModel = clinic): ToolPlan {
  const { content, locationOf, diagnostics } = parseConfiguration(
    `version: 1\n${yaml}`,
    "mcp-gen.yaml",
  );
  if (!content) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return plan(model, { granularity: "operation", configuration: { content, locationOf } });
}

test("a list above its budget by less than a tenth is still listed", () => {
  const { listTokens } = budgeted("").budget;
  const codesAt = (factor: number): readonly unknown[] => {
    const { budget, diagnostics } = budgeted(
      `budget: {listTokens: ${Math.ceil(listTokens / factor)}}`,
    );
    return [budget.mode, ...diagnostics.map(({ code }) => code)];
  };
  expect(codesAt(1.05)).toEqual(["tools", "plan-budget-near"]);
  expect(codesAt(1.2)).toEqual(["hybrid", "plan-budget-discovery"]);
});

describe("the budget", () => {
  test.each<
    readonly [
      yaml: string,
      want: {
        readonly exceeded: readonly string[];
        readonly mode: string;
        readonly codes: readonly string[];
      },
    ]
  >([
    ["", { exceeded: [], mode: "tools", codes: [] }],
    ["budget: {tools: 5}", { exceeded: [], mode: "tools", codes: [] }],
    [
      "budget: {tools: 4}",
      { exceeded: ["tools"], mode: "hybrid", codes: ["2:10 info plan-budget-discovery"] },
    ],
    [
      "budget: {listTokens: 150}",
      { exceeded: ["listTokens"], mode: "hybrid", codes: ["2:10 info plan-budget-discovery"] },
    ],
    [
      "budget: {tools: 4, listTokens: 150, onExceed: discovery}",
      {
        exceeded: ["tools", "listTokens"],
        mode: "discovery",
        codes: ["2:10 info plan-budget-discovery"],
      },
    ],
    [
      "budget: {tools: 4, onExceed: warn}",
      { exceeded: ["tools"], mode: "tools", codes: ["2:10 warning plan-budget-warning"] },
    ],
    [
      "budget: {tools: 4, onExceed: error}",
      { exceeded: ["tools"], mode: "tools", codes: ["2:10 error plan-budget-error"] },
    ],
    ["budget: {tools: 5, onExceed: error}", { exceeded: [], mode: "tools", codes: [] }],
  ])("%s", (yaml, { exceeded, mode, codes }) => {
    const { budget, diagnostics } = budgeted(yaml);
    const found = diagnostics.filter(({ code }) => code.startsWith("plan-budget"));
    expect({
      exceeded: budget.exceeded,
      mode: budget.mode,
      codes: found.map(
        ({ code, severity, location }) =>
          `${location?.line}:${location?.column} ${severity} ${code}`,
      ),
    }).toEqual({ exceeded, mode, codes });
  });

  test("is part of the running server", () => {
    expect(budgeted("budget: {tools: 4, resultTokens: 500}").api).toMatchObject({
      listBudget: { tools: 4, tokens: 25_000, mode: "hybrid" },
      maxResultTokens: 500,
    });
    for (const yaml of ["", "budget: {tools: 4, onExceed: warn}"])
      expect(budgeted(yaml).api).not.toHaveProperty("listBudget");
    expect(budgeted("budget: {tools: 4}").api).not.toHaveProperty("maxResultTokens");
  });

  test("reports the cost, the largest tools and ways to trim them", () => {
    const { budget, diagnostics } = budgeted("budget: {tools: 4}");
    const cost = (tool: string): number =>
      budget.costs.find((one) => one.tool === tool)?.tokens ?? Number.NaN;
    const pets = cost("list_pets") + cost("get_pet") + cost("delete_pet");
    const owners = cost("list_owners") + cost("delete_owner");
    const all = pets + owners + budget.instructionTokens;
    expect(budget.instructionTokens).toBeGreaterThan(0);
    expect(budget.listTokens).toBe(all);
    expect(diagnostics.find(({ code }) => code === "plan-budget-discovery")).toMatchObject({
      message: `5 tools cost a model about ${budget.listTokens} tokens, over the budget of 4 tools; the server lists tools that search, describe and call all others, and 1 tool that most work starts with`,
      hint: budget.advice.join(" "),
    });
    expect(budget.advice).toEqual([
      `The largest tools: get_pet (${cost("get_pet")}), delete_owner (${cost("delete_owner")}), delete_pet (${cost("delete_pet")}), list_owners (${cost("list_owners")}) and list_pets (${cost("list_pets")}).`,
      `The largest toolsets: pets (${pets} in 3 tools) and owners (${owners} in 2 tools).`,
      'To exclude one: --skip Pets (--only keeps only the matches), or select: {rules: [{match: {tags: ["Pets"]}, include: false}]} in mcp-gen.yaml.',
      `To list only some toolsets: --toolsets pets when the server starts (3 tools, about ${pets} tokens).`,
      "To shorten the largest result: tools: {list_pets: {output: {pick: [id, name, species, born]}}} in mcp-gen.yaml.",
      `To raise the limits: budget: {tools: 10, listTokens: ${Math.ceil((pets + owners + budget.instructionTokens) / 10) * 10}} in mcp-gen.yaml.`,
    ]);
  });

  /**
   * What is advised can be pasted: it is understood, and the tools cost less by it, and are not all
   * gone.
   */
  describe.each<
    readonly [
      string,
      (
        path: string,
        tags: readonly string[],
      ) => { readonly path: string; readonly tags: readonly string[] },
      string,
    ]
  >([
    ["with tags", (path, tags) => ({ path, tags }), "--skip Pets "],
    ["without tags", (path) => ({ path, tags: [] }), "--skip '/pets**' "],
    [
      "without tags, below a version",
      (path) => ({ path: `/v1${path}`, tags: [] }),
      "--skip '/v1/pets**' ",
    ],
    [
      "with a toolset of several tags",
      (path, tags) => ({ path, tags: tags[0] === "Pets" && path === "/pets" ? ["Few"] : tags }),
      "--skip Pets ",
    ],
    [
      "with one tag for all",
      (path) => ({ path: `/v1${path}`, tags: ["all"] }),
      "--skip 'GET /v1/pets/{petId}' ",
    ],
  ])("to an API %s", (_, change, skip) => {
    const model = {
      ...clinic,
      operations: clinic.operations.map((one) => ({ ...one, ...change(one.path, one.tags) })),
    };
    const { advice } = budgeted("budget: {tools: 4}", model).budget;
    const before = budgeted("", model).budget.listTokens;
    const lines = advice.flatMap(
      (sentence) => /(?:select|tools): \{.*\}(?= in mcp-gen\.yaml)/.exec(sentence) ?? [],
    );

    test("names the exclusion", () =>
      expect(advice.find((sentence) => sentence.startsWith("To exclude"))).toContain(skip));
    test("can be pasted", () => {
      expect(lines).toHaveLength(2);
      for (const line of lines) {
        const { budget, diagnostics, tools } = budgeted(line, model);
        expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        expect(budget.listTokens).toBeLessThan(before);
        expect(tools.length).toBeGreaterThan(0);
      }
    });
  });
});

describe("the tools that hosts should always show", () => {
  // Within the budget.
  const long = api([
    ...clinic.operations,
    ...Array.from({ length: 40 }, (_, i) =>
      operation(`GET /reports/${i}`, {
        operationId: `readReport${i}`,
        parameters: Array.from({ length: 40 }, (_, k) => parameter(`query field${k}`)),
      }),
    ),
  ]);

  test.each<readonly [string, string, readonly string[]]>([
    ["reads that other tools need", "", ["list_pets"]],
    ["those of the owner", "budget: {listed: [get_pet]}", ["get_pet"]],
    ["none, as the owner says", "budget: {listed: []}", []],
  ])("of a list that hosts defer, are %s", (_, yaml, listed) => {
    const { budget, api: definition } = budgeted(yaml, long);
    expect(budget.mode).toBe("tools");
    expect(budget.listTokens).toBeGreaterThan(10_000);
    expect(definition.listed ?? []).toEqual(listed);
  });

  test.each<readonly [string, string, readonly string[], readonly string[]]>([
    ["none of a list within its budget", "", [], []],
    ["reads that other tools need, above it", "budget: {tools: 4}", ["list_pets"], []],
    ["none with only discovery tools", "budget: {tools: 4, onExceed: discovery}", [], []],
    ["those of the owner", "budget: {tools: 4, listed: [delete_owner]}", ["delete_owner"], []],
    ["those of the owner, within the budget", "budget: {listed: [get_pet]}", ["get_pet"], []],
    ["none by an unknown name", "budget: {listed: [get_pat]}", [], ["config-unknown-tool"]],
  ])("are %s", (_, yaml, listed, codes) => {
    const { budget, api: definition, diagnostics } = budgeted(yaml);
    expect(budget.listed).toEqual(listed);
    expect(definition.listed ?? []).toEqual(listed);
    expect(
      diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code),
    ).toEqual(codes);
  });
});

describe("discovery metadata", () => {
  const made = budgeted(
    "tools: {delete_pet: {inputs: {petId: {name: pet}}}, delete_owner: {toolset: Danger}}",
  );
  const definition = (name: string): PlannedTool["definition"] | undefined =>
    made.tools.find((tool) => tool.definition.name === name)?.definition;

  test("contains the toolset, also after a rule moved the tool", () => {
    expect([definition("list_pets")?.toolset, definition("delete_owner")?.toolset]).toEqual([
      "pets",
      "danger",
    ]);
  });
  test("contains the producers of inputs, by the final name of the input", () => {
    expect(definition("get_pet")?.producers).toEqual({ petId: ["list_pets"] });
    expect(definition("delete_pet")?.producers).toEqual({ pet: ["list_pets"] });
    expect(definition("list_pets")).not.toHaveProperty("producers");
  });
  test("contains only producers that exist", () => {
    const without = budgeted("tools: {list_pets: {include: false}}");
    expect(
      without.tools.flatMap((tool) => Object.values(tool.definition.producers ?? {}).flat()),
    ).not.toContain("list_pets");
  });
});
