import { cases as textCases } from "./text-growth-cases.mjs";

/**
 * Inputs of `npm run growth`: name, n, and a function of n that returns a document and an overlay.
 * They are synthetic, and each stresses one way in which work could grow faster than its input.
 */
export const cases = [...textCases];

const info = { title: "Growth", version: "1" };
const answer = { 200: { description: "ok" } };

function documentWith(count, rest = {}) {
  const paths = Object.fromEntries(
    range(count).map((i) => [
      `/items${i}`,
      { get: { operationId: `get_${i}`, responses: answer } },
    ]),
  );
  return { openapi: "3.1.0", info, servers: [{ url: "https://api.example" }], paths, ...rest };
}

/** A document without operations, so that only loading is measured. */
function pathsOnly(count) {
  const paths = Object.fromEntries(
    range(count).map((i) => [`/items${i}`, { summary: `Item ${i}`, tags: ["a", "b"] }]),
  );
  return { openapi: "3.1.0", info, paths };
}

const overlayOf = (...actions) => ({ overlay: "1.1.0", info, actions });
const range = (length) => Array.from({ length }, (_, i) => i);

const overlays = {
  "one update of all paths": () => [{ target: "$.paths.*", update: { "x-a": 1 } }],
  "one update of all descendants": () => [{ target: "$..[?@.summary]", update: { "x-a": 1 } }],
  "one removal from all paths": () => [{ target: "$.paths.*.summary", remove: true }],
  "removal of all items of all lists": () => [{ target: "$.paths.*.tags[*]", remove: true }],
  "a copy to all paths": () => [{ target: "$.paths.*", copy: "$.info" }],
  "a filter with an absolute query": () => [
    { target: "$.paths[?@.summary == $.info.title]", update: { "x-a": 1 } },
  ],
  "descendants of descendants": () => [{ target: "$..*..*..summary", remove: true }],
  "an action for each path": (n) =>
    range(n).map((i) => ({ target: `$.paths['/items${i}']`, update: { "x-a": 1 } })),
  "a removal for each path": (n) =>
    range(n).map((i) => ({ target: `$.paths['/items${i}']`, remove: true })),
  "a copy for each path": (n) =>
    range(n).map((i) => ({ target: `$.paths['/items${i}']`, copy: "$.info" })),
  "a comparison with a large object": () => [
    { target: "$.paths[?@ == $.paths]", update: { "x-a": 1 } },
  ],
  "an action without matches for each path": (n) =>
    range(n).map((i) => ({ target: `$.paths['/other${i}'].get`, update: {} })),
};
for (const [name, actionsFor] of Object.entries(overlays))
  cases.push([
    `overlay: ${name}`,
    /each path/.test(name) ? 500 : 4_000,
    (n) => ({ document: pathsOnly(n), overlay: overlayOf(...actionsFor(n)) }),
  ]);

const next = (i, n, last) => (i + 1 < n ? { $ref: `#/components/schemas/S${i + 1}` } : last);
const text = { type: "string" };
const chains = {
  $ref: (i, n) => next(i, n, text),
  "$ref with siblings": (i, n) => ({ ...next(i, n, text), description: `Level ${i}` }),
  allOf: (i, n) => ({ allOf: [next(i, n, text)] }),
  anyOf: (i, n) => ({ anyOf: [next(i, n, text), { type: "null" }] }),
  oneOf: (i, n) => ({ oneOf: [next(i, n, text), { type: "integer" }] }),
  items: (i, n) => ({ type: "array", items: next(i, n, text) }),
  prefixItems: (i, n) => ({ type: "array", prefixItems: [next(i, n, text)] }),
  properties: (i, n) => ({ type: "object", properties: { a: next(i, n, text) } }),
  additionalProperties: (i, n) => ({ type: "object", additionalProperties: next(i, n, text) }),
  not: (i, n) => ({ not: next(i, n, text) }),
  discriminator: (i, n) => ({
    type: "object",
    properties: { kind: text },
    required: ["kind"],
    discriminator: { propertyName: "kind" },
    oneOf: [next(i, n, { type: "object", properties: { kind: text } })],
  }),
};
for (const [keyword, link] of Object.entries(chains))
  cases.push([`chain of schemas: ${keyword}`, 500, (n) => ({ document: chainOf(link, n) })]);

function chainOf(link, n) {
  const schemas = Object.fromEntries(range(n).map((i) => [`S${i}`, link(i, n)]));
  const content = { "application/json": { schema: { $ref: "#/components/schemas/S0" } } };
  const post = {
    operationId: "post_it",
    requestBody: { content },
    responses: { 200: { description: "ok", content } },
  };
  const paths = { "/it": { post } };
  return { ...documentWith(0), paths, components: { schemas } };
}

cases.push([
  "chain of path items",
  500,
  (n) => {
    const items = range(n).map((i) => [
      `/p${i}`,
      i + 1 < n ? { $ref: `#/paths/~1p${i + 1}` } : { get: { responses: answer } },
    ]);
    return { document: { ...documentWith(0), paths: Object.fromEntries(items) } };
  },
]);

const yaml = {
  "an open list after many keys": (n) => `${lines(n, (i) => `k${i}: 1`)}\nx: [1\n`,
  "an open object": (n) =>
    `a: {${range(n)
      .map((i) => `k${i}: 1`)
      .join(", ")}\n`,
  "an open string": (n) => `a: "${"x\n".repeat(n)}`,
  "many open strings": (n) => "a: \"x\ny: 'z\n".repeat(n),
  "nested keys on each line": (n) => "a: b: c\n".repeat(n),
  "many anchors on one value": (n) => `${"&a ".repeat(n)}a`,
  "an alias without an anchor": (n) => `${lines(n, (i) => `k${i}: &a${i} 1`)}\nx: *nope\n`,
  "a key twice": (n) => `${lines(n, (i) => `k${i}: 1`)}\nk0: 1\n`,
  "an unknown tag": (n) => `${lines(n, (i) => `k${i}: 1`)}\nx: !!none 1\n`,
  "many directives": (n) => `${"%X\n".repeat(n)}a: [`,
  "tabs as indentation": (n) => `a:\n${"\t- b\n".repeat(n)}`,
  "carriage returns": (n) => `${"a: b\r".repeat(n)}]`,
  "several documents": (n) => "---\na: 1\n".repeat(n),
  "deep nesting": (n) => `a: ${"[".repeat(n)}`,
  "each key twice": (n) => `${lines(n, (i) => `k${i % (n / 2)}: 1`)}\n`,
  "closing brackets": (n) => `a: ${"]".repeat(n)}`,
  "unknown escapes": (n) => `a: "${"\\q".repeat(n)}"`,
};
for (const [name, create] of Object.entries(yaml))
  cases.push([`YAML error: ${name}`, 8_000, (n) => ({ document: create(n), extension: "yaml" })]);

const json = {
  "an open list": (n) => `[${"1, ".repeat(n)}`,
  "an object without a comma": (n) => `{${lines(n, (i) => `"k${i}": 1,`)} "a": 1 "b": 2}`,
  "a long text with an unknown escape": (n) => `{"a": "${"\\u0041".repeat(n)}\\q"}`,
  "each key twice": (n) => `{${lines(n, (i) => `"k${i % (n / 2)}": 1,`)} "z": 1}`,
  "several documents": (n) => '{"a": 1}\n'.repeat(n),
};
for (const [name, create] of Object.entries(json))
  cases.push([`JSON error: ${name}`, 8_000, (n) => ({ document: create(n) })]);

function lines(n, line) {
  return range(n).map(line).join("\n");
}
