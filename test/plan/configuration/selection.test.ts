import { describe, expect, test } from "vitest";
import { isError } from "../../../src/diagnostics/index.js";
import { api, names, operation, parameter } from "../fixtures.js";
import { plan } from "../../../src/plan/index.js";
import { configuredPlan, diagnostics, shop } from "./fixtures.js";

const ALL = [
  "list_products",
  "get_product",
  "delete_product",
  "create_order",
  "get_stats",
  "get_health",
];
const without = (...left: readonly string[]): string[] =>
  ALL.filter((name) => !left.includes(name));

describe("selection of operations", () => {
  test.each([
    { given: "", want: ALL },
    {
      given: "select: {rules: [{match: {tags: [admin]}, include: false}]}",
      want: without("get_stats"),
    },
    {
      given: 'select: {rules: [{match: {path: "/internal/**"}, include: false}]}',
      want: without("get_health"),
    },
    {
      given: 'select: {rules: [{match: {path: "/products/**", method: delete}, include: false}]}',
      want: without("delete_product"),
    },
    {
      given: "select: {rules: [{match: {tags: [catalogue], method: POST}, include: false}]}",
      want: ALL,
      isRejected: true,
    },
    {
      given:
        "select: {rules: [{match: {tags: [catalogue]}, include: false}, {match: {operations: [getProduct]}, include: true}]}",
      want: without("list_products", "delete_product"),
    },
    {
      given:
        'select: {rules: [{match: {operations: [getProduct]}, include: true}, {match: {path: "/products**"}, include: false}]}',
      want: without("list_products", "get_product", "delete_product"),
    },
    {
      given: "select: {default: exclude, rules: [{match: {tags: [orders]}, include: true}]}",
      want: ["create_order"],
    },
    {
      given:
        "select: {default: exclude}\ntools: {place_order: {operation: createOrder}, get_stats: {}}",
      want: ["place_order", "get_stats"],
    },
    {
      given:
        "select: {rules: [{match: {tags: [admin]}, include: false}]}\ntools: {stats: {operation: getStats}}",
      want: [...without("get_stats", "get_health"), "stats", "get_health"],
    },
    {
      given: 'select: {rules: [{match: {operations: ["GET /old"]}, include: true}]}',
      want: [
        "list_products",
        "get_product",
        "delete_product",
        "list_old",
        "create_order",
        "get_stats",
        "get_health",
      ],
    },
    { given: "select: {rules: [{match: {tags: [catalogue]}, include: true}]}", want: ALL },
    { given: "tools: {get_health: {include: false}}", want: without("get_health") },
    { given: "tools: {gone: {operation: getHealth, include: false}}", want: without("get_health") },
  ])("$given", ({ given, want, isRejected }) => {
    const made = configuredPlan(given);
    expect(new Set(names(made))).toEqual(new Set(want));
    expect(diagnostics(made)).toEqual(
      isRejected ? [expect.stringContaining("config-no-match")] : [],
    );
    expect(made.diagnostics.some(isError)).toBe(isRejected === true);
  });

  test("excluded operations are reported", () => {
    const made = configuredPlan(
      "select: {rules: [{match: {tags: [admin]}, include: false}]}\ntools: {get_health: {include: false}}",
    );
    expect(made.omitted.map(({ reason }) => reason)).toEqual([
      '"GET /admin/stats" is left out by mcp-gen.yaml.',
      '"GET /old" is deprecated and left out.',
      '"GET /internal/health" is left out by mcp-gen.yaml.',
    ]);
  });

  test("the command line beats the file", () => {
    expect(
      names(
        configuredPlan("select: {rules: [{match: {tags: [admin]}, include: false}]}", {
          only: ["admin"],
        }),
      ),
    ).toEqual(["get_stats"]);
    expect(
      names(configuredPlan("tools: {stats: {operation: getStats}}", { skip: ["admin"] })),
    ).toEqual(without("get_stats"));
  });

  test.each([
    {
      given: "select: {rules: [{match: {operations: [getProdukt]}, include: true}]}",
      want: [
        '2:40 config-unknown-operation The document has no operation "getProdukt"; did you mean getProduct?',
      ],
    },
    {
      given: "select:\n  rules:\n    - {match: {tags: [admn]}, include: false}",
      want: [
        '4:7 config-no-match This rule matches no operation: there is no tag "admn"; did you mean admin?',
      ],
    },
  ])("$given is reported", ({ given, want }) => {
    expect(diagnostics(configuredPlan(given))).toEqual(want);
  });
});

describe("x-mcp", () => {
  test.each([
    { xMcp: { include: false }, want: ["list_b"] },
    { xMcp: { enabled: false }, want: ["list_b"] },
    { xMcp: { name: "find_all_a" }, want: ["find_all_a", "list_b"] },
    {
      xMcp: false,
      file: "select: {rules: [{match: {path: /a}, include: true}]}",
      want: ["list_a", "list_b"],
    },
    {
      xMcp: true,
      file: "select: {rules: [{match: {path: /a}, include: false}]}",
      want: ["list_b"],
    },
    {
      xMcp: { name: "first" },
      file: "tools: {second: {operation: listA}}",
      want: ["second", "list_b"],
    },
  ])("$xMcp with $file", ({ xMcp, file, want }) => {
    const model = api([
      operation("GET /a", { operationId: "listA", xMcp }),
      operation("GET /b", { operationId: "listB" }),
    ]);
    expect(names(configuredPlan(file ?? "", {}, model))).toEqual(want);
  });

  test("accepts every key of a rule", () => {
    const [first, ...rest] = shop.operations;
    const xMcp = {
      title: "Goods",
      description: "List the goods.",
      useWhen: "somebody asks",
      toolset: "Goods",
      annotations: { openWorldHint: false },
      inputs: { q: { name: "text" } },
      output: { pick: ["id"] },
      timeoutMs: 5,
      errors: { "404": "Call {tool:getIt}." },
    };
    const made = plan({
      ...shop,
      operations: [{ ...first!, xMcp }, { ...rest[0]!, xMcp: { name: "getit" } }, ...rest.slice(1)],
    });
    const { definition, toolset, inputs } = made.tools.find(
      ({ operations }) => operations[0]?.path === "/products",
    )!;
    expect(definition).toMatchObject({
      title: "Goods",
      description: "List the goods. Use when somebody asks. Returns items with id.",
      annotations: { openWorldHint: false, readOnlyHint: true },
      timeoutMs: 5,
    });
    expect([toolset, inputs.map(({ name }) => name)]).toEqual([
      "goods",
      ["x_version", "limit", "text"],
    ]);
    expect(diagnostics(made)).toEqual([
      "#/paths/~1products/get/x-mcp/errors/404: config-x-mcp {tool:getIt} is not the name of a tool; did you mean getit?",
    ]);
  });

  test("a title without visible characters is ignored", () => {
    const model = api([
      operation("GET /a", { operationId: "listA", xMcp: { title: "\u200b \n" } }),
    ]);
    expect(plan(model).tools[0]?.definition.title).toBe("List a");
  });

  test("unknown keys are warnings, and all others apply", () => {
    const xMcp = {
      title: 5,
      descripton: "x",
      name: "No Good",
      inputs: { q: { nam: "x" } },
      useWhen: "needed",
    };
    const made = plan(
      api([
        operation("GET /a", {
          operationId: "listA",
          summary: "List every a",
          xMcp,
          parameters: [],
        }),
      ]),
    );
    expect(made.tools[0]?.definition).toMatchObject({
      name: "list_a",
      description: "List every a. Use when needed.",
    });
    expect(diagnostics(made)).toEqual([
      '#/paths/~1a/get/x-mcp/title: config-x-mcp "title" of `x-mcp` must be a string; it is not used.',
      '#/paths/~1a/get/x-mcp/descripton: config-x-mcp "descripton" is not a key of `x-mcp`; did you mean description; it is not used.',
      '#/paths/~1a/get/x-mcp/inputs/q/nam: config-x-mcp "nam" is not a key of `x-mcp`; did you mean name; it is not used.',
      '#/paths/~1a/get/x-mcp/name: config-x-mcp The name "No Good" is not a valid name for a tool (lower-case letters, digits and underscores, up to 48); it is not used.',
      '#/paths/~1a/get/x-mcp/inputs/q: config-x-mcp "q" is not an input of list_a.',
    ]);
  });

  test.each([
    {
      given: { inputs: { q: { env: "AWS_SECRET_ACCESS_KEY" } } },
      says: '"env" is not a key of `x-mcp`; it is not used.',
    },
    { given: { name: "list_b" }, says: "Another tool is called list_b; the name is not used." },
    {
      given: { name: "index" },
      says: "The name index is too long with its namespace, or is a reserved file name; it is not used.",
    },
    {
      given: { inputs: { q: { name: "a b" } } },
      says: 'The name "a b" is not a valid name for an input; it is not used.',
    },
    { given: { inputs: { nope: { fixed: 1 } } }, says: '"nope" is not an input of list_a.' },
    {
      given: { errors: { "404": "Call {tool:nope}." }, output: { pick: ["nope"] } },
      says: "{tool:nope} is not the name of a tool.",
    },
    {
      given: { job: { wait: 1e9 } },
      says: '"job/wait" of `x-mcp` must be an integer from 0 to 3600; it is not used.',
    },
    { given: { inputs: 5 }, says: '"inputs" of `x-mcp` must be an object; it is not used.' },
    { given: { inputs: JSON.parse('{"__proto__": {"name": "x"}}') as object }, says: undefined },
    { given: { title: `${"t".repeat(400)}\u202e`, useWhen: "w ".repeat(900) }, says: undefined },
  ])("of a malicious document: $given", ({ given, says }) => {
    const made = configuredPlan(
      "",
      {},
      api([
        operation("GET /a", {
          operationId: "listA",
          xMcp: given,
          parameters: [parameter("query q")],
        }),
        operation("GET /b", { operationId: "listB" }),
      ]),
    );
    const [first] = made.tools;
    expect(names(made)).toEqual(["list_a", "list_b"]);
    expect(first?.inputs.map(({ name }) => name)).toEqual(["q"]);
    expect(first?.definition.title.length).toBeLessThanOrEqual(100);
    expect(first?.definition.description.length).toBeLessThanOrEqual(1000);
    expect(made.environment.map(({ name }) => name)).toEqual(["CLINIC_BASE_URL"]);
    expect(
      diagnostics(made).filter((line) => says === undefined || line.endsWith(says)),
    ).toHaveLength(says === undefined ? 0 : 1);
    expect(made.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test.each([
    ["GET", true],
    ["POST", true],
    ["PUT", false],
    ["PATCH", false],
    ["DELETE", false],
  ])("of a malicious document, a %s that only reads: %s", (method, want) => {
    const annotations = { readOnlyHint: true, openWorldHint: true };
    const made = plan(api([operation(`${method} /a`, { xMcp: { annotations } })]));
    expect(made.tools[0]?.definition.annotations).toMatchObject({
      readOnlyHint: want,
      openWorldHint: true,
    });
    expect(diagnostics(made)).toEqual(
      want
        ? []
        : [
            `#/paths/~1a/${method.toLowerCase()}/x-mcp/annotations/readOnlyHint: config-x-mcp A ${method} ` +
              "changes something, whatever a document says. mcp-gen.yaml can say that it reads; it is not used.",
          ],
    );
  });
});

describe("selection rules that change nothing", () => {
  const SELECTED = "This rule changes nothing. The operations that it matches are selected anyway.";
  const OMITTED = "This rule changes nothing. The operations that it matches are left out anyway.";

  test.each([
    ["{rules: [{match: {tags: [orders]}, include: true}]}", `config-no-effect ${SELECTED}`],
    [
      "{rules: [{match: {tags: [admin]}, include: false}, {match: {path: /products}, include: true}]}",
      `config-no-effect ${SELECTED}`,
    ],
    [
      "{default: exclude, rules: [{match: {tags: [orders]}, include: true}, {match: {tags: [orders]}, include: true}]}",
      `config-no-effect ${SELECTED}`,
    ],
    [
      "{default: exclude, rules: [{match: {tags: [orders]}, include: true}, {match: {tags: [admin]}, include: false}]}",
      `config-ineffective ${OMITTED}`,
    ],
  ])("%s", (select, want) => {
    const { diagnostics: found } = configuredPlan(`select: ${select}`);
    expect(found.map(({ code, message }) => `${code} ${message}`)).toContain(want);
  });

  test.each([
    // Selected although it is deprecated, and again after another rule.
    '{rules: [{match: {path: "/old"}, include: true}]}',
    "{rules: [{match: {tags: [catalogue]}, include: false}, {match: {operations: [getProduct]}, include: true}]}",
    "{default: exclude, rules: [{match: {tags: [orders]}, include: true}]}",
  ])("%s changes something", (select) => {
    const { diagnostics: found } = configuredPlan(`select: ${select}`);
    expect(found.filter(({ message }) => message.startsWith("This rule"))).toEqual([]);
  });
});
