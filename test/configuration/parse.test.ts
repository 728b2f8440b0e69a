import { Ajv2020 } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseConfiguration } from "../../src/configuration/parse-configuration.js";

const faults = (text: string): string[] =>
  parseConfiguration(text, "mcp-gen.yaml").diagnostics.map(
    (d) => `${d.location?.line}:${d.location?.column} ${d.location?.pointer} ${d.message}`,
  );

describe("mcp-gen.yaml", () => {
  it("reports a path in a flow mapping once, with its quotes", () => {
    const text =
      "version: 1\ntools:\n  a: {merge: {start: POST /a/{id}/on, stop: POST /a/{id}/off}}";
    const { diagnostics } = parseConfiguration(text, "mcp-gen.yaml");
    expect(diagnostics.map(({ location, hint }) => [location?.line, hint])).toEqual([
      [3, 'Quote a path with braces: "GET /pets/{id}".'],
    ]);
  });

  it("parses the example of the README", () => {
    const text = [
      "version: 1",
      "spec: ./openapi.yaml",
      "budget: {tools: 40, listTokens: 20000, resultTokens: 8000, onExceed: discovery}",
      "select:",
      "  default: include",
      "  rules:",
      "    - {match: {tags: [admin]}, include: false}",
      '    - {match: {path: "/internal/**"}, include: false}',
      "parameters:",
      '  X-Api-Version: {fixed: "2026-01-01"}',
      "  tenant_id: {env: SHOP_TENANT_ID}",
      'errors: {"401": "Rejected."}',
      "tools:",
      "  find_products:",
      "    merge: [listProducts, searchProducts, getProduct]",
      '    inputs: {q: {name: text, description: "Words", examples: ["red shoes"]}, category: {default: all}}',
      "    output: {pick: [id, name]}",
      "    pagination: {maxItems: 50}",
      '    errors: {"404": "No product {product_id}."}',
      "  remove_product: {operation: deleteProduct, inputs: {product_id: {resolve: {via: find_products, match: name}}}}",
      "  place_order: {workflow: place-order}",
    ].join("\n");
    const { content, diagnostics } = parseConfiguration(text, "mcp-gen.yaml");
    expect(diagnostics).toEqual([]);
    expect(content?.tools?.["find_products"]?.inputs?.["q"]).toMatchObject({ name: "text" });
  });

  it.each([
    { given: "version: 1\ntool: {}", want: ["2:1 #/tool Unknown key `tool`; did you mean tools?"] },
    {
      given: "version: 1\ntools:\n  find_pets:\n    descripton: x",
      want: [
        "4:5 #/tools/find_pets/descripton Unknown key `descripton`; did you mean description?",
      ],
    },
    {
      given: "version: 1\ntools:\n  a:\n    inputs:\n      q:\n        nam: x",
      want: ["6:9 #/tools/a/inputs/q/nam Unknown key `nam`; did you mean name?"],
    },
    {
      given: "version: 1\nselect:\n  rules:\n    - {match: {tag: [x]}, include: false}",
      want: ["4:16 #/select/rules/0/match/tag Unknown key `tag`; did you mean tags?"],
    },
    { given: "version: 1\na: [", want: [expect.stringMatching(/^2:\d+ # Not valid YAML/)] },
    {
      given: "version: 1\nspec: 5",
      want: [expect.stringMatching(/^2:1 #\/spec `spec` is not valid/)],
    },
    {
      given: "version: 2",
      want: [expect.stringMatching(/^1:1 #\/version `version` is not valid/)],
    },
    {
      given: "version: 1\nnamespace: Not-Good",
      want: [expect.stringMatching(/^2:1 #\/namespace `namespace` is not valid/)],
    },
    { given: "version: 1\nversion: 1", want: [expect.stringMatching(/^2:1 # Not valid YAML/)] },
    { given: "hello", want: [expect.stringMatching(/^1:1 # The file is not valid/)] },
  ])("$given", ({ given, want }) => {
    expect(faults(given)).toEqual(want);
  });
});

describe("describes the expected value", () => {
  it.each([
    { given: "version: 2", want: "`version` is not valid: it is 2, and must be 1" },
    { given: "version: 1\nspec: 5", want: "`spec` is not valid: it is 5, and must be a string" },
    {
      given: "version: 1\nnamespace: Not-Good",
      want: '`namespace` is not valid: it is "Not-Good", and must be at most 16 lower-case letters, digits and _, starting with a letter',
    },
    {
      given: "version: 1\nbudget: {tools: 0}",
      want: "`budget.tools` is not valid: it is 0, and must be at least 1",
    },
    {
      given: "version: 1\nbudget: {onExceed: discover}",
      want: '`budget.onExceed` is not valid: it is "discover", and must be one of hybrid, discovery, warn, error; did you mean discovery?',
    },
    {
      given: "version: 1\nselect: {rules: {}}",
      want: "`select.rules` is not valid: it is an object, and must be a list",
    },
    {
      given: "version: 1\nselect: {rules: [{match: {tags: [a]}}]}",
      want: "`select.rules.0` is not valid: it lacks `include`",
    },
    {
      given: "version: 1\nselect: {rules: [{match: {}, include: true}]}",
      want: "`select.rules.0.match` is not valid: it must not be empty",
    },
    {
      given: "version: 1\ntools: {a: }",
      want: "`tools.a` is not valid: it is null, and must be an object",
    },
    {
      given: "version: 1\ntools: {Get-It: {}}",
      want: '`tools.Get-It` is not valid: it is "Get-It", and must be at most 48 lower-case letters, digits and _, starting with a letter',
    },
    {
      given: "version: 1\nerrors: {40: x}",
      want: '`errors.40` is not valid: it is "40", and must be a status such as 404, 4XX or default',
    },
    {
      given: "version: 1\nparameters: {X-A: {hide: yes}}",
      want: '`parameters.X-A.hide` is not valid: it is "yes", and must be true or false Write true or false, without quotes; yes, no, on and off are strings in YAML 1.2.',
    },
    {
      given: "version: 1\nparameters: {X-A: {env: lower}}",
      want: '`parameters.X-A.env` is not valid: it is "lower", and must be upper-case letters, digits and _, as in SHOP_TENANT_ID',
    },
    {
      given: 'version: 1\nname: "Bad Name"',
      want: '`name` is not valid: it is "Bad Name", and must be an npm name of lower-case letters, digits and hyphens, as in clinic-mcp-server',
    },
    {
      given: "version: 1\nbaseUrl: ftp://x",
      want: '`baseUrl` is not valid: it is "ftp://x", and must be an https: or http: URL without credentials, query or variables, as in https://api.example.com/v1',
    },
    {
      given: "version: 1\nserver: {name: a b}",
      want: '`server.name` is not valid: it is "a b", and must be at most 60 letters, digits, dots, hyphens and _',
    },
    {
      given: "version: 1\nserver: {headers: {a b: c}}",
      want: '`server.headers.a b` is not valid: it is "a b", and must be the name of a header, as in X-Api-Version',
    },
    {
      given: "version: 1\nserver: {headers: {X-A: é}}",
      want: '`server.headers.X-A` is not valid: it is "é", and must be a value of ASCII characters without outer blanks',
    },
    {
      given: "version: 1\nserver: {headers: {X-A: [1]}}",
      want: "`server.headers.X-A` is not valid: it is a list, and must be a string or an object",
    },
    {
      given: `version: 1\nserver: {title: ${"a".repeat(101)}}`,
      want: `\`server.title\` is not valid: it is "${"a".repeat(40)}…", and must be at most 100 characters long`,
    },
    {
      given: "version: 1\nbudget: {resultTokens: 100000000}",
      want: "`budget.resultTokens` is not valid: it is 100000000, and must be at most 10000000",
    },
    {
      given: "version: 1\nparameters: {X-A: {fixed: 1, hide: true}}",
      want: "`parameters.X-A` is not valid: it must have one key only",
    },
    {
      given: "version: 1\nparameters: {X-A: {override: true}}",
      want: "`parameters.X-A` is not valid: `override` goes only with `env`",
    },
    {
      given: "version: 1\ntools: {a: {inputs: {b: {override: true}}}}",
      want: "`tools.a.inputs.b` is not valid: `override` goes only with `env`",
    },
    {
      given: "version: 1\ntools: {a: {inputs: {only: []}}}",
      want: "`tools.a.inputs.only` is not valid: it must not be empty",
    },
    {
      given: "version: 1\ntools: {a: {inputs: {only: b}}}",
      want: '`tools.a.inputs.only` is not valid: it is "b", and must be a list or an object',
    },
    { given: "hello", want: 'The file is not valid: it is "hello", and must be an object' },
  ])("$given", ({ given, want }) => {
    const { diagnostics } = parseConfiguration(given, "mcp-gen.yaml");
    expect(
      diagnostics.map(({ message, hint }) => [message, hint].filter(Boolean).join(" ")),
    ).toEqual([want]);
  });
});

it("publishes a schema that a strict validator compiles", () => {
  const schema = JSON.parse(
    readFileSync(new URL("../../mcp-gen.schema.json", import.meta.url), "utf8"),
  ) as object;
  expect(new Ajv2020({ strict: true, allowUnionTypes: true }).validateSchema(schema)).toBe(true);
});
