import { expect, test } from "vitest";
import { isError } from "../../../src/diagnostics/index.js";
import { configuredPlan, diagnostics } from "./fixtures.js";

/** Invalid rules: one diagnostic each, with its location and the nearest valid name. */
test.each([
  {
    given: "tools:\n  a: {operation: listProdukts}",
    want: '3:7 config-unknown-operation The document has no operation "listProdukts"; did you mean listProducts?',
  },
  {
    given: "tools:\n  a: {operation: GET /product}",
    want: '3:7 config-unknown-operation The document has no operation "GET /product"; did you mean GET /products?',
  },
  {
    given: "tools:\n  a:\n    merge: [listProducts, getProdct]",
    want: '4:27 config-unknown-operation The document has no operation "getProdct"; did you mean getProduct?',
  },
  {
    given: "tools:\n  list_product: {title: A}",
    want: "3:3 config-unknown-tool The tool list_product does not exist; did you mean list_products?",
  },
  {
    given: "tools:\n  a: {operation: getHealth}\n  b: {operation: getHealth}",
    want: '4:7 config-duplicate-rule "getHealth" already has a rule: a.',
  },
  {
    given: "tools:\n  get_product: {operation: getHealth}",
    want: "3:3 config-tool-name Two tools are called get_product: that of GET /products/{product_id} and that of GET /internal/health.",
  },
  {
    given: "tools:\n  index: {operation: getHealth}",
    want: "3:3 config-tool-name No tool can be called index, because its file name is reserved.",
  },
  {
    given: "tools:\n  list_products:\n    inputs:\n      limti: {default: 5}",
    want: '5:7 config-unknown-input "limti" is not an input of list_products; did you mean limit?',
  },
  {
    given: "tools:\n  list_products:\n    inputs:\n      limit: {name: q}",
    want: '5:15 config-unknown-input list_products already has an input "q".',
  },
  {
    given: "tools:\n  list_products:\n    inputs:\n      limit: {default: many}",
    want: '5:15 config-incompatible-value The default of "limit" does not satisfy the schema of the input, which takes an integer up to 100.',
  },
  {
    given: "tools:\n  list_products:\n    inputs:\n      limit: {examples: [5, many]}",
    want: '5:15 config-incompatible-value Example 2 of "limit" does not satisfy the schema of the input, which takes an integer up to 100.',
  },
  {
    given: "tools:\n  get_product:\n    inputs:\n      product_id: {hide: true}",
    want: '5:7 config-incompatible-value "product_id" is a part of the path and cannot be hidden.',
  },
  {
    given: "tools:\n  get_product:\n    inputs:\n      product_id: {required: false}",
    want: '5:20 config-incompatible-value "product_id" is a part of the path and always required.',
  },
  {
    given: "tools:\n  create_order:\n    inputs:\n      channel: {hide: true}",
    want: '5:7 config-hidden-required The API requires "channel", but create_order does not send it.',
  },
  {
    given: 'tools:\n  get_health: {useWhen: "see {tool:list_product}"}',
    want: "3:16 config-unknown-tool-reference {tool:list_product} is not the name of a tool; did you mean list_products?",
  },
  {
    given: 'errors:\n  "404": "Call {tool:get_helth}."',
    want: "3:3 config-unknown-tool-reference {tool:get_helth} is not the name of a tool; did you mean get_health?",
  },
  {
    given: 'errors: {"404": "No {produkt_id}."}',
    want: "2:10 config-unknown-input {produkt_id} is not an input of any tool; did you mean product_id?",
  },
  {
    given: 'tools:\n  get_product:\n    errors: {"404": "No {produkt_id}."}',
    want: "4:14 config-unknown-input {produkt_id} is not an input of get_product; did you mean product_id?",
  },
  {
    given: "tools:\n  get_product:\n    output: {pick: [id, nam]}",
    want: '4:25 config-unknown-field "nam" is not a field of the result of get_product; did you mean name?',
  },
  {
    given: "tools:\n  list_products:\n    output: {drop: [prize]}",
    want: '4:21 config-unknown-field "prize" is not a field of the items that list_products returns.',
  },
  {
    given: "tools:\n  delete_product:\n    output: {drop: [a]}",
    want: "4:5 config-unknown-field The result of delete_product has no fields to pick or drop.",
  },
  {
    given: "tools:\n  a:\n    merge: [getHealth, createOrder]",
    want: "4:24 config-merge The operations of a cannot be one tool: getHealth only reads and createOrder writes, and hosts ask before a write.",
  },
  {
    given: 'tools:\n  get_health: {notFor: "stock; use {tool:list_product}"}',
    want: "3:16 config-unknown-tool-reference {tool:list_product} is not the name of a tool; did you mean list_products?",
  },
  {
    given:
      "tools:\n  delete_product: {inputs: {product_id: {resolve: {via: list_products, match: [name, skuu]}}}}",
    want: '3:72 config-resolve "product_id" cannot be looked up with list_products: the items that it returns have no "skuu".',
  },
  {
    given: "tools:\n  get_product: {examples: [{say: a, call: {product_i: p1}}]}",
    want: '3:37 config-incompatible-value The example of get_product is not a valid call: it has no input "product_i"; did you mean product_id?',
  },
  {
    given: "tools:\n  get_product: {examples: [{say: a, call: {}}]}",
    want: "3:37 config-incompatible-value The example of get_product is not a valid call: product_id is required.",
  },
  {
    given: 'tools:\n  get_health: {toolset: "商品"}',
    want: '3:16 config-incompatible-value The toolset "商品" has no ASCII letters for a folder name.',
  },
  {
    given: "tools:\n  list_products:\n    inputs:\n      limit: {fixed: 5, name: most}",
    want: '5:25 config-no-effect `name` of "limit" changes nothing beside `fixed`.',
  },
  {
    given:
      "tools:\n  list_products:\n    inputs:\n      limit: {hide: true, default: 5, examples: [5]}",
    want: '5:27 config-no-effect `default`, `examples` of "limit" change nothing beside `hide`.',
  },
  {
    given:
      "tools:\n  delete_product:\n    inputs:\n      product_id: {env: ID, resolve: {via: list_products, match: name}}",
    want: '5:29 config-no-effect `resolve` of "product_id" changes nothing beside `env`.',
  },
  {
    given: "tools:\n  list_products:\n    output: {allowUndocumented: true}",
    want: "4:5 config-no-effect `output` changes nothing, because it names no field.",
  },
  {
    given: "tools:\n  list_products:\n    output: {pick: [id], drop: [cost]}",
    want: '4:33 config-no-effect `drop` of "cost" changes nothing, because `pick` does not keep it.',
  },
])("$given", ({ given, want }) => {
  expect(diagnostics(configuredPlan(given))).toEqual([want]);
});

test.each([
  {
    given: "get_product:\n    output: {pick: [name.first]}",
    want: '"name.first" is not a field of the result of get_product.',
    hint: "The fields of name: none. allowUndocumented: true accepts fields that the document lacks.",
  },
  {
    given: "list_products:\n    output: {drop: [cots]}",
    want: '"cots" is not a field of the items that list_products returns; did you mean cost?',
    hint: "Its fields: id, name, cost. allowUndocumented: true accepts fields that the document lacks.",
  },
  {
    given: 'create_order:\n    output: {pick: ["lines[].nam"]}',
    want: '"lines[].nam" is not a field of the result of create_order; did you mean lines.name?',
    hint: "The fields of lines: id, name, cost. allowUndocumented: true accepts fields that the document lacks.",
  },
  {
    given: "get_product:\n    output: {rename: {nmae: title}}",
    want: '"nmae" is not a field of the result of get_product; did you mean name?',
    hint: "Its fields: id, name, cost. allowUndocumented: true accepts fields that the document lacks.",
  },
  {
    given: "get_product:\n    output: {rename: {name: cost}}",
    want: 'The result of get_product already has a field "cost".',
    hint: "Choose another name.",
  },
  {
    given: "get_product:\n    output: {fields: [nmae]}",
    want: '"nmae" is not a field of the result of get_product; did you mean name?',
    hint: "Its fields: id, name, cost. allowUndocumented: true accepts fields that the document lacks.",
  },
  {
    given: "get_stats:\n    output: {fields: true}",
    want: "The result of get_stats has no fields to pick or drop.",
    hint: "Remove the rule, or add allowUndocumented: true to name fields that the document lacks.",
  },
])("$given", ({ given, want, hint }) => {
  const found = configuredPlan(`tools:\n  ${given}`).diagnostics.filter(
    ({ code }) => code === "config-unknown-field",
  );
  expect(found.map(({ message, hint: advice }) => [message, advice])).toEqual([[want, hint]]);
});

test("a name that is too long with its namespace is an error", () => {
  const made = configuredPlan(`tools:\n  ${"a".repeat(46)}: {operation: getHealth}`, {
    namespace: "shop",
  });
  expect(diagnostics(made)).toEqual([
    expect.stringMatching(
      /^3:3 config-tool-name The tool name shop_a+ is longer than 48 characters with its namespace\.$/,
    ),
  ]);
});

test("a rule by the name of a merged operation reports the merged tool", () => {
  const made = configuredPlan("tools:\n  get_product: {title: A}", { granularity: "task" });
  expect(diagnostics(made)).toEqual([
    "3:3 config-unknown-tool The tool get_product does not exist; its operation is a part of find_products.",
  ]);
});

test("a rule for an operation excluded by the command line has no effect and is not an error", () => {
  const made = configuredPlan("tools:\n  stats: {operation: getStats}", { skip: ["admin"] });
  expect(diagnostics(made)).toEqual([
    "3:3 config-left-out The rule for stats has no effect, because its operation is left out.",
  ]);
  expect(made.diagnostics.some(isError)).toBe(false);
});

test.each([
  ["limit: {required: false}", '"limit" is optional anyway.'],
  ["X-Version: {required: true}", '"x_version" is required anyway.'],
])("%s states what the document states, which is no error", (rule, message) => {
  const plan = configuredPlan(`tools:\n  list_products:\n    inputs:\n      ${rule}`);
  expect(plan.diagnostics).toContainEqual(
    expect.objectContaining({ code: "config-restates", severity: "info", message }),
  );
  expect(plan.diagnostics.filter(isError)).toEqual([]);
});
