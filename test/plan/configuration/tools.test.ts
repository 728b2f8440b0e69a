import { describe, expect, test } from "vitest";
import type { ToolPlan } from "../../../src/plan/types.js";
import { api, inputsOf, names, ok, operation } from "../fixtures.js";
import { configuredPlan, diagnostics, shop, tool } from "./fixtures.js";

/** Rule of one tool. */
const rule = (name: string, body: string): string => `tools:\n  ${name}: {${body}}`;
const clean = (made: ToolPlan): ToolPlan => (expect(diagnostics(made)).toEqual([]), made);
const definition = (text: string, name: string) =>
  tool(clean(configuredPlan(text)), name).definition;

describe("names", () => {
  test("a rule with an operation names its tool, and other texts use that name", () => {
    const made = clean(
      configuredPlan(
        'tools:\n  browse: {operation: GET /products}\n  buy: {operation: createOrder, description: "Buy. See {tool:browse} and {tool:get_product}."}',
        { namespace: "shop" },
      ),
    );
    expect(names(made).slice(0, 4)).toEqual([
      "shop_browse",
      "shop_get_product",
      "shop_delete_product",
      "shop_buy",
    ]);
    expect(tool(made, "shop_buy").definition.description).toMatch(
      /^Buy\. See shop_browse and shop_get_product\. /,
    );
    expect(tool(made, "shop_browse")).toMatchObject({ identifier: "shopBrowse" });
    expect(JSON.stringify(made.tools)).not.toContain("list_products");
  });

  test("a rule by name applies to the tool with that name, with or without the namespace", () => {
    const made = clean(
      configuredPlan("tools: {list_products: {title: A}, shop_get_health: {title: B}}", {
        namespace: "shop",
      }),
    );
    expect([
      tool(made, "shop_list_products").definition.title,
      tool(made, "shop_get_health").definition.title,
    ]).toEqual(["A", "B"]);
  });

  test("a rule by name renames a merged tool", () => {
    const made = clean(
      configuredPlan(
        "tools: {browse: {merge: [listProducts, getProduct], output: {pick: [name]}}}",
        {
          granularity: "task",
        },
      ),
    );
    const { definition: browse, operations } = tool(made, "browse");
    expect(operations).toHaveLength(2);
    expect(browse.operations.map(({ response }) => response.projection)).toEqual([
      { list: "items", pick: ["name"] },
      { list: "items", pick: ["name"] },
    ]);
    expect(browse.description).toMatch(/Returns items with name\.$/);
  });

  test("an operation with its own rule is never merged", () => {
    expect(
      names(
        clean(
          configuredPlan("tools: {one_product: {operation: getProduct}}", { granularity: "task" }),
        ),
      ).slice(0, 2),
    ).toEqual(["list_products", "one_product"]);
  });
});

describe("texts", () => {
  test.each([
    {
      given: "description: Look at the shelves.",
      want: "Look at the shelves. Returns items with id, name and cost.",
    },
    {
      given: "description: Look at\n    the  shelves",
      want: "Look at the shelves. Returns items with id, name and cost.",
    },
    {
      given: "useWhen: the user is bored",
      want: "List products. Use when the user is bored. Returns items with id, name and cost.",
    },
    {
      given: 'useWhen: "Use this tool when bored."',
      want: "List products. Use when bored. Returns items with id, name and cost.",
    },
    {
      given: 'notFor: "a single product; use {tool:get_product}"',
      want: "List products. Not for a single product; use get_product. Returns items with id, name and cost.",
    },
    {
      given: "notFor: Not for stock, useWhen: bored",
      want: "List products. Use when bored. Not for stock. Returns items with id, name and cost.",
    },
    {
      given: 'examples: [{say: "Anything\\n under 5?", call: {x_version: "1", limit: 5}}]',
      want: 'List products. Returns items with id, name and cost. Example: for "Anything under 5?" call it with {"x_version":"1","limit":5}.',
    },
    { given: "output: {drop: [cost]}", want: "List products. Returns items with id and name." },
    { given: "description: A, output: {pick: [name]}", want: "A. Returns items with name." },
  ])("$given", ({ given, want }) => {
    expect(definition(rule("list_products", given), "list_products").description).toBe(want);
  });

  test("the sentence about a deletion stays", () => {
    expect(
      definition(rule("delete_product", "description: Take it off the shelf"), "delete_product")
        .description,
    ).toBe("Take it off the shelf.");
  });

  test("a long text is truncated before the sentence about the result", () => {
    const { description } = definition(
      rule("list_products", `description: "${"words and ".repeat(200)}"`),
      "list_products",
    );
    expect(description.length).toBeLessThanOrEqual(1000);
    expect(description).toMatch(/Returns items with id, name and cost\.$/);
  });

  test("title, keywords, annotations, timeout and toolset", () => {
    const made = clean(
      configuredPlan(
        rule(
          "get_health",
          "title: Pulse, keywords: [heartbeat], annotations: {idempotentHint: false}, timeoutMs: 500, toolset: Back office",
        ),
      ),
    );
    expect(tool(made, "get_health")).toMatchObject({
      toolset: "back_office",
      definition: {
        title: "Pulse",
        keywords: ["heartbeat"],
        annotations: { readOnlyHint: true, idempotentHint: false },
        timeoutMs: 500,
      },
    });
    expect(made.toolsets.map(({ name, title }) => `${name} ${title}`)).toEqual(
      ["catalogue Catalogue", "orders Orders", "admin Admin", "back_office Back office"].map(
        (line) => expect.stringMatching(new RegExp(line, "i")) as string,
      ),
    );
  });
});

describe("inputs", () => {
  const inputs = (given: string, name = "list_products") =>
    tool(clean(configuredPlan(rule(name, `inputs: {${given}}`))), name);

  test.each([
    {
      given: "q: {name: text}",
      query: { limit: "limit", q: "text" },
      has: ["x_version", "limit", "text"],
    },
    {
      given: "limit: {default: 5}",
      query: { limit: { from: "limit", default: 5 }, q: "q" },
      has: ["x_version", "limit", "q"],
    },
    { given: "limit: {fixed: 7}", query: { limit: { value: 7 }, q: "q" }, has: ["x_version", "q"] },
    {
      given: "limit: {env: SHOP_LIMIT}",
      query: { limit: { env: "SHOP_LIMIT" }, q: "q" },
      has: ["x_version", "q"],
    },
    { given: "limit: {hide: true}", query: { q: "q" }, has: ["x_version", "q"] },
    {
      given: "q: {required: true}",
      query: { limit: "limit", q: "q" },
      has: ["x_version", "q", "limit"],
    },
  ])("$given", ({ given, query, has }) => {
    const made = inputs(given);
    expect(made.definition.operations[0]?.request.query).toEqual(query);
    expect(made.inputs.map(({ name }) => name)).toEqual(has);
    expect(Object.keys(inputsOf(made))).toEqual(has);
  });

  test("descriptions, examples and defaults are in the input schema", () => {
    const made = inputs(
      'q: {description: "Words to look for", examples: ["red shoes"]}, limit: {default: 5}',
    );
    expect(inputsOf(made)).toMatchObject({
      q: { description: "Words to look for.", examples: ["red shoes"] },
      limit: {
        default: 5,
        description: "Maximum number of items to return. At most 100. Default: 5.",
      },
    });
  });

  test("an input is found by its own name or its wire name, headers in any case", () => {
    for (const key of ["x_version", "X-Version", "x-version"]) {
      const made = inputs(`${key}: {fixed: "2"}`);
      expect(made.definition.operations[0]?.request.headers).toEqual({
        "X-Version": { value: "2" },
      });
      expect(made.definition.inputSchema.required).toBeUndefined();
    }
  });

  test("a required input with a default is optional, and its producers are under its new name", () => {
    const made = inputs("product_id: {name: id}, channel: {default: agent}", "create_order");
    expect(made.definition.operations[0]?.request.body?.fields).toMatchObject({
      product_id: "id",
      channel: { from: "channel", default: "agent" },
    });
    expect(made.definition.inputSchema.required).toEqual(["id"]);
    expect(inputs("product_id: {name: sku}", "get_product").definition.producers).toEqual({
      sku: ["list_products"],
    });
  });

  test("a variable of a rule is listed among those of the server", () => {
    const made = configuredPlan(rule("list_products", "inputs: {X-Version: {env: SHOP_VERSION}}"));
    expect(made.environment.find(({ name }) => name === "SHOP_VERSION")).toMatchObject({
      required: true,
      secret: false,
    });
    expect(tool(made, "list_products").definition.operations[0]?.request.headers).toEqual({
      "X-Version": { env: "SHOP_VERSION", required: true },
    });
  });
});

describe("parameters of every operation", () => {
  test.each([
    { given: 'x-version: {fixed: "1"}', headers: { "X-Version": { value: "1" } } },
    { given: "X-Version: {env: V}", headers: { "X-Version": { env: "V", required: true } } },
  ])("$given", ({ given, headers }) => {
    const made = tool(clean(configuredPlan(`parameters: {${given}}`)), "list_products");
    expect(made.definition.operations[0]?.request.headers).toEqual(headers);
    expect(made.inputs.map(({ name }) => name)).toEqual(["limit", "q"]);
  });

  test.each([
    ["V", false],
    ["SHOP_TENANT_ID", false],
    ["SHOP_PARTNER_TOKEN", true],
    ["SHOP_APIKEY", true],
    ["SHOP_PARTNER_KEY", true],
    ["SHOP_AUTHORIZATION", true],
    ["SHOP_PROJECT_KEY", false],
    ["SHOP_SORT_KEY", false],
  ])("%s is a secret: %s", (env, secret) => {
    for (const rules of [
      `parameters: {X-Version: {env: ${env}}}`,
      `tools: {list_products: {inputs: {X-Version: {env: ${env}}}}}`,
    ]) {
      const made = clean(configuredPlan(rules));
      expect(made.environment.find(({ name }) => name === env)?.secret).toBe(secret);
      expect(made.api.secretParameters).toEqual(secret ? [env] : undefined);
    }
  });

  test("a tool's own rule beats it", () => {
    const made = tool(
      clean(
        configuredPlan(
          'parameters: {X-Version: {fixed: "1"}}\ntools: {list_products: {inputs: {X-Version: {fixed: "2"}}}}',
        ),
      ),
      "list_products",
    );
    expect(made.definition.operations[0]?.request.headers).toEqual({ "X-Version": { value: "2" } });
  });

  test.each([
    {
      given: "X-Versoin: {fixed: 1}",
      want: [
        '2:14 config-unknown-parameter No operation has a parameter "X-Versoin"; did you mean X-Version?',
      ],
    },
    {
      // In the path of two operations and in the body of another one.
      given: "product_id: {hide: true}",
      want: [
        '2:14 config-incompatible-value "product_id" is a part of a path and cannot be hidden.',
        '2:14 config-hidden-required The API requires "product_id", but no call sends it.',
      ],
    },
    {
      given: "X-Version: {hide: true}",
      want: ['2:14 config-hidden-required The API requires "X-Version", but no call sends it.'],
    },
  ])("$given is reported", ({ given, want }) => {
    expect(diagnostics(configuredPlan(`parameters: {${given}}`))).toEqual(want);
  });
});

test.each([
  [["entity_id", "vendor_id", "name"], ["entity_id"]],
  [["name", "clusterId"], ["clusterId"]],
  [["vendor_id", "owner_id", "name"], []],
])("chosen fields of %j keep the likely ID %j", (fields, kept) => {
  const properties = Object.fromEntries(fields.map((name) => [name, { type: "string" }]));
  const model = api([
    operation("GET /vms", {
      operationId: "listVms",
      responses: [ok({ type: "array", items: { type: "object", properties } })],
    }),
    operation("DELETE /vms/{id}", { operationId: "deleteVm", responses: [ok(undefined, "204")] }),
  ]);
  const made = configuredPlan(rule("list_vms", "output: {fields: true}"), {}, model);
  const { response } = tool(clean(made), "list_vms").definition.operations[0]!;
  expect(response.fields?.kept).toEqual(kept);
});

describe("picked fields", () => {
  test("are those of an object, or those of each item of a list", () => {
    const item = tool(
      clean(configuredPlan(rule("get_product", "output: {pick: [id, name]}"))),
      "get_product",
    );
    expect(Object.keys(item.definition.outputSchema?.properties as object)).toEqual(["id", "name"]);
    expect(item.output).toEqual({
      type: "object",
      properties: { id: { type: "string" }, name: { type: "string" } },
    });
    expect(item.definition.operations[0]?.response).toEqual({
      projection: { pick: ["id", "name"] },
    });
    const list = tool(
      clean(configuredPlan(rule("list_products", "output: {drop: [cost]}"))),
      "list_products",
    );
    expect(list.definition.outputSchema).toMatchObject({
      properties: { items: { items: { properties: { id: {}, name: {} } } } },
      required: ["items"],
    });
    expect(list.definition.operations[0]?.response).toEqual({
      wrap: "items",
      projection: { list: "items", drop: ["cost"] },
    });
  });

  test("include those of a strict schema, through its references", () => {
    const model = {
      ...shop,
      schemas: {
        Tree: {
          type: "object",
          required: ["id", "kids"],
          properties: {
            id: { type: "string" },
            secret: { type: "string" },
            kids: { type: "array", items: { $ref: "#/$defs/Tree" } },
          },
        },
      },
    };
    const [list, ...rest] = shop.operations;
    const tree = { ...list!, responses: [ok({ $ref: "#/$defs/Tree" })] };
    const made = tool(
      clean(
        configuredPlan(
          rule("list_products", "output: {drop: [secret]}"),
          { output: "strict" },
          { ...model, operations: [tree, ...rest] },
        ),
      ),
      "list_products",
    );
    expect(made.definition.outputSchema).toMatchObject({
      type: "object",
      properties: { id: { type: "string" }, kids: { type: "array" } },
      required: ["id", "kids"],
    });
    expect(Object.keys(made.definition.outputSchema?.properties as object)).toEqual(["id", "kids"]);
  });

  test("of an envelope are those of its list, unless its own are named", () => {
    const read = (body: string) =>
      tool(clean(configuredPlan(rule("create_order", body))), "create_order").definition
        .operations[0]?.response;
    expect(read("output: {pick: [name]}")).toEqual({
      projection: { list: "lines", pick: ["name"] },
    });
    expect(read("output: {pick: [total]}")).toEqual({ projection: { pick: ["total"] } });
  });
});

describe("advice by status", () => {
  test("a tool's own beats that of all tools, and both beat inferred advice", () => {
    const made = clean(
      configuredPlan(
        'errors: {"401": "Ask {tool:get_health}.", "404": Nothing.}\ntools: {get_product: {errors: {"404": "No {product_id}."}}}',
      ),
    );
    expect(tool(made, "get_product").definition.onError).toEqual({
      "404": "No {product_id}.",
      "401": "Ask get_health.",
    });
    expect(tool(made, "delete_product").definition.onError).toEqual({
      "404": "Nothing.",
      "401": "Ask get_health.",
    });
  });

  test("placeholders follow renamed inputs", () => {
    expect(
      definition(
        rule(
          "get_product",
          'inputs: {product_id: {name: sku}}, errors: {"404": "No {product_id}, no {sku}."}',
        ),
        "get_product",
      ).onError?.["404"],
    ).toBe("No {sku}, no {sku}.");
  });
});

describe("hidden: true", () => {
  const hidden = "tools: {list_products: {hidden: true}}";

  test("no text of another tool names the tool, and it costs no tokens", () => {
    const made = configuredPlan(hidden);
    expect(made.hiddenTools?.map(({ definition }) => [definition.name, definition.hidden])).toEqual(
      [["list_products", true]],
    );
    expect(JSON.stringify(made.tools)).not.toContain("list_products");
    expect(made.budget.costs.map((cost) => cost.tool)).not.toContain("list_products");
  });

  test("a lookup of names uses it without naming it", () => {
    const made = configuredPlan(
      "parameters: {X-Version: {fixed: a}}\ntools:\n  list_products: {hidden: true}\n  delete_product: {inputs: {product_id: {resolve: {via: list_products, match: name}}}}",
    );
    const { definition, inputs } = tool(made, "delete_product");
    expect(definition.operations[0]?.resolve?.["product_id"]?.lookupTool).toBe("list_products");
    expect(inputs[0]?.description).toBe("Or its exact name, which the server looks up.");
  });

  test.each([
    [
      "tools: {list_product: {hidden: true}}",
      "The tool list_product does not exist; did you mean list_products?",
    ],
    [
      'tools: {list_products: {hidden: true}, get_health: {useWhen: "see {tool:list_products}"}}',
      "{tool:list_products} is hidden, so no agent can call it.",
    ],
    [
      "budget: {listed: [list_products]}\ntools: {list_products: {hidden: true}}",
      "The tool list_products of budget.listed does not exist",
    ],
  ])("%s", (yaml, message) => {
    const messages = configuredPlan(yaml).diagnostics.map((one) => one.message);
    expect(messages.filter((one) => one.startsWith(message))).toHaveLength(1);
  });
});
