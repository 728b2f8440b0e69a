import { JSONPathEnvironment } from "json-p3";
import { expect, test } from "vitest";
import {
  compileQuery,
  createQueryBudget,
  evaluateQuery,
  JsonPathLimitError,
  pathOf,
} from "../../../src/runtime/workflow/json-path-query.js";

const value = {
  store: {
    books: [
      { title: "A", price: 8, tags: ["x", "y"], author: { name: "Ann" } },
      { title: "B", price: 12.5, isbn: "1", tags: [] },
      { title: "Ç😀", price: 8, isbn: null, tags: ["y"] },
    ],
    open: true,
    "odd key": { "": [0, false, "", null, [], {}] },
  },
  limit: 10,
  self: { price: 8 },
};

/** Queries on which the evaluator must agree with that of json-p3. */
const queries = [
  "$",
  "$.store.books",
  "$['store']['odd key']['']",
  "$.store.books[0,0,-1,7,-7]",
  ...["0:2", ":", "::2", "::-1", "2:0:-1", "-2:", ":-1", "5:", "-9:9", "1:1", "::0", "2::-2"].map(
    (slice) => `$.store.books[${slice}].title`,
  ),
  "$.*",
  "$.store.*.*",
  "$..*",
  "$..price",
  "$..[0]",
  "$..*..price",
  "$.store.books[*]['title','price','none']",
  "$..[?@.price]",
  "$..[?!@.price]",
  "$.store.books[?@.price < 10 && @.isbn]",
  "$.store.books[?@.price > 10 || @.title == 'A']",
  "$.store.books[?!(@.price > 10) && !@.isbn]",
  "$.store.books[?@.price <= $.limit]",
  "$.store.books[?@.price == $.self.price]",
  "$.store.books[?@.isbn == null]",
  "$.store.books[?@.none == $.none]",
  "$.store.books[?@.none != null]",
  "$.store.books[?@.title >= 'B']",
  "$.store.books[?'A' == @.title]",
  "$.store.books[?@.tags == $.store.books[1].tags]",
  "$..[?@ == 8]",
  "$..[?@ == true]",
  "$..[?@ < 'b']",
  "$.store.books[?length(@) > 3]",
  "$.store.books[?length(@.tags) == 1]",
  "$.store.books[?length(@.price) == 1]",
  "$.store.books[?count(@.*) == 4]",
  "$.store.books[?count(@..*) > 4]",
  "$.store.books[?value(@..name) == 'Ann']",
  "$.store.books[?value(@.tags[*]) == 'y']",
  "$.store.books[?match(@.title, '[A-C]')]",
  "$.store.books[?search(@.author.name, 'n')]",
  "$.store.books[?search(@.price, '8')]",
  "$.store.books[?match(@.title, '(')]",
  "$.store.books[?@.tags[?@ == 'y']]",
  "$.store['odd key'][''][?@ == '']",
  "$.store['odd key'][''][?@]",
];

test.each(queries)("%s", (query) => {
  const { nodes } = evaluateQuery(compileQuery(query), value, createQueryBudget(1e6));
  const judge = new JSONPathEnvironment().query(query, value);
  expect(nodes.map((node) => [pathOf(node), node.value])).toEqual(
    judge.nodes.map((node) => [node.location, node.value]),
  );
});

test.each([
  ["length counts characters", "$.store.books[?length(@.title) == 2].price", [8]],
  [
    "$ in a nested filter is the whole value",
    "$.store.books[?count(@.tags[?@ == $.store.books[2].tags[0]]) == 1].title",
    ["A", "Ç😀"],
  ],
])("json-p3 differs from RFC 9535: %s", (_, query, want) => {
  const { nodes } = evaluateQuery(compileQuery(query), value, createQueryBudget(1e6));
  expect(nodes.map((node) => node.value)).toEqual(want);
});

const deep = (levels: number): unknown => {
  let part: unknown = { last: 1 };
  for (let i = 0; i < levels; i++) part = i % 2 ? { a: part } : [part];
  return part;
};

test("no nesting of a value exhausts the stack", () => {
  const budget = createQueryBudget(1e7);
  const twice = { one: deep(100_000), two: deep(100_000) };
  for (const query of ["$..last", "$[?@..last]", "$[?@ == $.two]"])
    expect(evaluateQuery(compileQuery(query), twice, budget).nodes, query).toHaveLength(2);
});

test("a long list is selected", () => {
  const list = Array.from({ length: 300_000 }, (_, i) => i);
  const { nodes } = evaluateQuery(compileQuery("$[*]"), list, createQueryBudget(1e6));
  expect(nodes).toHaveLength(300_000);
});

test.each([
  ["a chain of descendants", `$${"..*".repeat(9)}`],
  ["a wildcard", "$.list[*]"],
  ["selectors", `$.list[${Array(50).fill("*").join(",")}]`],
  ["a filter", "$.list[?@..*]"],
  ["a comparison", "$.list[?$.list == $.copy]"],
  ["a function", "$.list[?length($.large) == 0]"],
])("visited nodes are bounded in %s", (_, query) => {
  const list = Array.from({ length: 200 }, (_, i) => [[i]]);
  const given = { list, copy: structuredClone(list), large: { ...list } };
  expect(() => evaluateQuery(compileQuery(query), given, createQueryBudget(150))).toThrow(
    JsonPathLimitError,
  );
});

test.each([
  ["a long query", `$${".a".repeat(3_000)}`, /more than 4096 characters/],
  ["nested parentheses", `$[?${"(".repeat(2_000)}@.a${")".repeat(2_000)}]`, /more than 50 levels/],
  ["negations", `$[?${"!".repeat(4_000)}@.a]`, /more than 50 levels/],
  ["a long row of conditions", `$[?${Array(600).fill("@.a").join("||")}]`, undefined],
  ["brackets in strings", `$['${"[(!".repeat(100)}']`, undefined],
  ["nested filters", `$${"[?@".repeat(800)}${"]".repeat(800)}`, /more than 50 levels/],
])("%s is evaluated or refused", (_, query, reason) => {
  const run = (): unknown => evaluateQuery(compileQuery(query), value, createQueryBudget(1e5));
  if (reason) expect(run).toThrow(reason);
  else expect(run).not.toThrow();
});
