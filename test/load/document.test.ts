import { join } from "node:path";
import { expect, test } from "vitest";
import { load } from "../../src/load/index.js";
import { api, folder, schemaOfApi } from "./folder.js";

const paths = { "/x": { get: { responses: {} } } };
const info = { title: "x", version: "1" };

const versions: readonly { given: object | string; want: string; warns?: string }[] = [
  { given: { swagger: "2.0", info, paths }, want: "2.0" },
  { given: { openapi: "3.0.0", info, paths }, want: "3.0" },
  { given: { openapi: "3.0.4", info, paths }, want: "3.0" },
  { given: { openapi: "3.1", info, paths }, want: "3.1" },
  { given: { openapi: "3.1.99", info, paths }, want: "3.1" },
  { given: { openapi: "3.2.0", info, paths }, want: "3.2" },
  { given: { openapi: "3.1.0-rc1", info, paths }, want: "3.1" },
  {
    given: "openapi: 3.1\npaths: {/x: {get: {responses: {200: {description: ok}}}}}\n",
    want: "3.1",
    warns: "load-version-format",
  },
  { given: "openapi: 3.0\npaths: {/x: {get: {}}}\n", want: "3.0", warns: "load-version-format" },
  { given: "swagger: 2.0\npaths: {/x: {get: {}}}\n", want: "2.0", warns: "load-version-format" },
  { given: "swagger: '2'\npaths: {/x: {get: {}}}\n", want: "2.0", warns: "load-version-format" },
];

test.each(versions)("$given is version $want", async ({ given, want, warns }) => {
  const { document, diagnostics } = await load(join(folder({ a: given }), "a"));
  expect(document?.version).toBe(want);
  expect(diagnostics.map(({ code }) => code)).toEqual(warns ? [warns] : []);
});

interface Refused {
  readonly name: string;
  readonly given: string | Uint8Array | object;
  readonly file?: string;
  readonly code: string;
  readonly says: RegExp;
  /** Line, column and pointer. */
  readonly at?: readonly [number | undefined, number | undefined, string?];
}

const refused: readonly Refused[] = [
  {
    name: "an empty file",
    given: "",
    code: "load-empty",
    says: /is empty/,
    at: [undefined, undefined],
  },
  { name: "white space", given: " \n\t\n", code: "load-empty", says: /is empty/ },
  {
    name: "only comments",
    given: "# todo later\n",
    file: "a.yaml",
    code: "load-not-openapi",
    says: /empty \(null\), not an object/,
  },
  {
    name: "null",
    given: "null\n",
    code: "load-not-openapi",
    says: /empty \(null\), not an object/,
  },
  {
    name: "plain text",
    given: "invalid text\n",
    code: "load-not-openapi",
    says: /a string, not an object/,
  },
  { name: "a number", given: "3\n", code: "load-not-openapi", says: /a number, not an object/ },
  { name: "an array", given: "[1]", code: "load-not-openapi", says: /an array, not an object/ },
  {
    name: "a web page",
    given: "<!DOCTYPE html><html><body>nope: [</body></html>",
    code: "load-not-text",
    says: /web page/,
  },
  { name: "XML", given: '<?xml version="1.0"?><a/>', code: "load-not-text", says: /XML/ },
  {
    name: "binary data",
    given: Buffer.from([1, 0, 2, 0xff]),
    code: "load-not-text",
    says: /binary data/,
  },
  {
    name: "gzip",
    given: Buffer.from([0x1f, 0x8b, 8, 0]),
    code: "load-not-text",
    says: /compressed/,
  },
  {
    name: "UTF-16 with an unpaired surrogate",
    given: Buffer.from('\ufeff{"a": "\ud800"}', "utf16le"),
    code: "load-not-text",
    says: /binary data/,
  },
  ...(
    [
      ["# pets\ntype Query {\n  pets: [Pet]\n}\n", "a GraphQL schema"],
      ['"""Pets"""\nschema { query: Query }\n', "a GraphQL schema"],
      ["#%RAML 1.0\ntitle: x\n", "a RAML document"],
      ["%PDF-1.7\n", "a PDF"],
      ["FORMAT: 1A\n# Pets\n", "an API Blueprint"],
      ['// Pets\nsyntax = "proto3";\n', "a Protocol Buffers file"],
    ] as const
  ).map(([given, name]) => ({
    name: `${name}: ${given}`,
    given,
    code: "load-not-text",
    says: new RegExp(`This is ${name}, not JSON or YAML`),
  })),
  {
    name: "a long comment, which costs no time",
    given: `${"# ".repeat(200)}${"// ".repeat(30)}\nname: x\n`,
    code: "load-not-openapi",
    says: /has no "openapi"|not an OpenAPI/,
  },
  {
    name: "text that is not UTF-8",
    given: Buffer.from('{\n  "a": "é\xff"}', "latin1"),
    code: "load-not-utf8",
    says: /not UTF-8/,
    at: [2, 9, "#"],
  },
  {
    name: "truncated JSON",
    given: '{"openapi":"3.1.0","info":{"title":"x"',
    code: "load-syntax",
    says: /ends too early/,
    at: [1, 39],
  },
  {
    name: "a trailing comma in a .json file",
    given: '{"openapi":"3.1.0",}',
    file: "a.json",
    code: "load-syntax",
    says: /comma/,
    at: [1, 20],
  },
  {
    name: "a tab",
    given: "openapi: 3.1.0\ninfo:\n\ttitle: x\n",
    code: "load-syntax",
    says: /tab/,
    at: [3, 1],
  },
  {
    name: "a tag",
    given: "openapi: 3.1.0\ninfo: {title: !!js/function 'x'}\n",
    code: "load-syntax",
    says: /tag/,
    at: [2, 15],
  },
  {
    name: "several documents",
    given: "openapi: 3.1.0\n---\nopenapi: 3.1.0\n",
    code: "load-multiple-documents",
    says: /2 YAML documents/,
    at: [2, 1],
  },
  {
    name: "deep JSON",
    given: `{"openapi":"3.1.0","x":${"[".repeat(1000)}${"]".repeat(1000)}}`,
    code: "load-too-deep",
    says: /too deep/,
    at: [1, 223],
  },
  {
    name: "deep YAML",
    given: `openapi: 3.1.0\nx: ${"[".repeat(1000)}${"]".repeat(1000)}\n`,
    code: "load-too-deep",
    says: /too deep/,
  },
  {
    name: "an alias bomb",
    given: `openapi: 3.1.0\na0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 8 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join()}]`).join("\n")}\n`,
    code: "load-alias",
    says: /aliases expand/,
  },
  {
    name: "a circular alias",
    given: "openapi: 3.1.0\nx: &x\n  y: *x\n",
    code: "load-alias",
    says: /contains itself/,
    at: [3, 3, "#/x/y"],
  },
  {
    name: "Swagger 1.2",
    given: 'swaggerVersion: "1.2"\n',
    code: "load-unsupported-version",
    says: /Swagger "1.2" is not supported/,
  },
  {
    name: "Swagger 1.2, the other way",
    given: "swagger: 1.2\n",
    code: "load-unsupported-version",
    says: /Swagger 1.2 is not supported/,
    at: [1, 1, "#/swagger"],
  },
  {
    name: "Swagger 3.0",
    given: "swagger: '3.0'\n",
    code: "load-unsupported-version",
    says: /version 3 is named OpenAPI/,
  },
  {
    name: "OpenAPI 4",
    given: { openapi: "4.0.0", info, paths },
    code: "load-unsupported-version",
    says: /OpenAPI "4.0.0" is not supported/,
    at: [2, 3, "#/openapi"],
  },
  {
    name: "OpenAPI 3.3",
    given: { openapi: "3.3.0", info, paths },
    code: "load-unsupported-version",
    says: /"3.3.0" is not supported/,
  },
  {
    name: "a version of a wrong type",
    given: { openapi: ["3.1.0"], info, paths },
    code: "load-unsupported-version",
    says: /must be a string, but is an array/,
  },
  { name: "AsyncAPI", given: "asyncapi: 3.0.0\n", code: "load-not-openapi", says: /AsyncAPI/ },
  { name: "Arazzo", given: "arazzo: 1.0.0\n", code: "load-not-openapi", says: /Arazzo/ },
  { name: "an overlay", given: "overlay: 1.0.0\n", code: "load-not-openapi", says: /Overlay/ },
  ...(
    [
      [{ data: { __schema: {} } }, "a GraphQL schema"],
      [{ log: { version: "1.2", entries: [] } }, "a log of HTTP requests (HAR)"],
      [{ _type: "export", __export_format: 4 }, "an Insomnia export"],
      [{ type: "collection.insomnia.rest/5.0" }, "an Insomnia export"],
      [{ version: 1, spec: "./openapi.yaml" }, "a configuration of mcp-gen"],
      [{ overlay: "1.0.0" }, "an OpenAPI Overlay"],
      [{ arazzo: "1.0.1" }, "an Arazzo document (workflows)"],
    ] as const
  ).map(([given, name]) => ({
    name: `${name}: ${JSON.stringify(given)}`,
    given,
    code: "load-not-openapi",
    says: new RegExp(`^This is ${name.replace(/[()]/g, "\\$&")}, not an OpenAPI document$`),
  })),
  {
    name: "a Postman collection",
    given: { info: { _postman_id: "x" }, item: [] },
    code: "load-not-openapi",
    says: /Postman/,
  },
  {
    name: "a JSON Schema",
    given: "type: object\nproperties: {}\n",
    code: "load-not-openapi",
    says: /JSON Schema/,
  },
  {
    name: "any other object",
    given: "{}",
    code: "load-not-openapi",
    says: /neither "openapi" nor "swagger"/,
  },
  {
    name: "paths of a wrong type",
    given: { openapi: "3.1.0", info, paths: "hello" },
    code: "load-wrong-type",
    says: /"paths" must be an object, but is a string/,
    at: [7, 3, "#/paths"],
  },
  {
    name: "no paths",
    given: { openapi: "3.1.0", info },
    code: "load-no-operations",
    says: /no paths/,
    at: [1, 1, "#"],
  },
  {
    name: "empty paths",
    given: "openapi: 3.1.0\npaths:\n",
    code: "load-no-operations",
    says: /paths are empty/,
    at: [2, 1, "#/paths"],
  },
  {
    name: "paths without methods",
    given: { openapi: "3.1.0", info, paths: { "/x": { parameters: [], query: {} }, "/y": null } },
    code: "load-no-operations",
    says: /no path has a method/,
  },
  {
    name: "only webhooks",
    given: { openapi: "3.1.0", info, webhooks: paths },
    code: "load-no-operations",
    says: /only webhooks/,
  },
  {
    name: "only components",
    given: { openapi: "3.1.0", info, components: {} },
    code: "load-no-operations",
    says: /only components/,
  },
];

test.each(refused)("rejected: $name", async ({ given, file = "a.txt", code, says, at }) => {
  const source = join(folder({ [file]: given }), file);
  const { document, diagnostics } = await load(source);
  expect(document).toBeUndefined();
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map((error) => error.code)).toEqual([code]);
  expect(errors[0]?.message).toMatch(says);
  expect(errors[0]?.hint).toBeTruthy();
  expect(errors[0]?.location?.file).toBe(source);
  if (at)
    expect(
      [errors[0]?.location?.line, errors[0]?.location?.column, errors[0]?.location?.pointer].slice(
        0,
        at.length,
      ),
    ).toEqual(at);
});

const accepted: readonly {
  name: string;
  given: string | object;
  file?: string;
  warns?: readonly string[];
}[] = [
  { name: "a byte order mark", given: `\ufeff${JSON.stringify(api({}))}` },
  { name: "JSON in a .yaml file", given: JSON.stringify(api({}), null, "\t"), file: "a.yaml" },
  {
    name: "a trailing comma in flow style",
    given: '{openapi: "3.1.0", paths: {/x: {get: {},},},}',
    file: "a.yaml",
  },
  {
    name: "anchors and merge keys",
    given:
      "openapi: 3.1.0\nx-r: &r {200: {description: ok}}\npaths:\n  /a: {get: {responses: *r}}\n  /b: {get: {responses: {<<: *r}}}\n",
  },
  {
    name: "info of a wrong type",
    given: { openapi: "3.1.0", info: "hello", paths },
    warns: ["load-part-omitted"],
  },
  {
    name: "servers and schemas of a wrong type",
    given: { openapi: "3.1.0", info, servers: "http://x", paths, components: { schemas: [] } },
    warns: ["load-part-omitted", "load-part-omitted"],
  },
  {
    name: "duplicate keys in YAML",
    given: "openapi: 3.1.0\npaths:\n  /a: {get: {}}\n  /a: {get: {tags: [a], tags: [b]}}\n",
    warns: ["load-duplicate-key", "load-duplicate-key"],
  },
  {
    name: "a duplicate key in JSON",
    given: '{"openapi":"3.1.0","paths":{"/x":{"get":{}},"/x":{"get":{}}}}',
    warns: ["load-duplicate-key"],
  },
  {
    name: "only a query operation, in 3.2",
    given: { openapi: "3.2.0", info, paths: { "/x": { query: {} } } },
  },
  {
    name: "only additional operations, in 3.2",
    given: { openapi: "3.2.0", info, paths: { "/x": { additionalOperations: { COPY: {} } } } },
  },
  {
    name: "a path item that is a reference",
    given: {
      openapi: "3.1.0",
      info,
      paths: { "/x": { $ref: "#/components/pathItems/X" } },
      components: { pathItems: { X: paths["/x"] } },
    },
  },
];

test.each(accepted)("accepted: $name", async ({ given, file = "a.txt", warns = [] }) => {
  const { document, diagnostics } = await load(join(folder({ [file]: given }), file));
  expect(diagnostics.map(({ code }) => code)).toEqual(warns);
  expect(document?.name).toBe(file);
});

test("a duplicate key is located at its second occurrence", async () => {
  const { diagnostics } = await load(
    join(
      folder({ "a.json": '{"openapi":"3.1.0",\n"paths":{"/x":{"get":{}},\n "/x":{"get":{}}}}' }),
      "a.json",
    ),
  );
  expect(diagnostics[0]?.location).toMatchObject({ line: 3, column: 2 });
});

test("locations are resolved to the nearest existing position", async () => {
  const source = join(
    folder({ "a.json": api({ type: "object", properties: { a: true } }) }),
    "a.json",
  );
  const { locate } = await load(source);
  expect(locate({ pointer: `${schemaOfApi}/properties/a` })).toMatchObject({
    file: source,
    line: 18,
    column: 21,
    pointer: `${schemaOfApi}/properties/a`,
  });
  expect(locate({ pointer: `${schemaOfApi}/properties/b/c` })).toMatchObject({
    line: 17,
    column: 19,
  });
  expect(locate({ pointer: "#/paths", line: 7 })).toEqual({ pointer: "#/paths", line: 7 });
  expect(locate({ pointer: "#/paths", file: "other.json" })).toEqual({
    pointer: "#/paths",
    file: "other.json",
  });
});

const yaml = `openapi: 3.1.0
info: {title: "x", version: '1'}
x: &x
- a: |
    text
y: *x
paths:
  /x:
    get: {$ref: '#/components/pathItems/X/get'}
components: {pathItems: {X: {get: {}}}}
`;

/** The text truncated, with a byte removed, and with an invalid byte, at every offset. */
function* mutations(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i++) {
    yield bytes.subarray(0, i);
    yield Buffer.concat([bytes.subarray(0, i), bytes.subarray(i + 1)]);
    for (const odd of ["\n", "\t", "{", "]", '"', "'", ":", "&", "*", "-", "\\", "\u00e9"])
      yield Buffer.concat([bytes.subarray(0, i), Buffer.from(odd), bytes.subarray(i)]);
  }
}

for (const [name, text] of [
  ["YAML", yaml],
  ["JSON", JSON.stringify(api({ $ref: "#/x" }, { x: {} }))],
] as const) {
  test(`any damage to ${name} gives a document or one problem, and never throws`, async () => {
    for (const bytes of mutations(text)) {
      const { document, diagnostics, locate } = await load("-", { stdin: async () => bytes });
      expect([
        bytes.toString(),
        diagnostics.filter(({ severity }) => severity === "error").length,
      ]).toEqual([bytes.toString(), document ? 0 : 1]);
      locate({ pointer: "#/paths/~1x/get" });
    }
  });
}

test("keys such as __proto__ are data and do not change prototypes", async () => {
  const given =
    '{"openapi":"3.1.0","paths":{"/x":{"get":{}}},"__proto__":{"polluted":1},"components":{"schemas":{"__proto__":{"type":"object"},"constructor":{"$ref":"#/components/schemas/__proto__"}}}}';
  const { document } = await load(join(folder({ a: given }), "a"));
  expect(Object.keys(document?.root ?? {})).toContain("__proto__");
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test.each<readonly [string, Uint8Array]>([
  ["UTF-16LE with a mark", Buffer.from("\ufeffopenapi", "utf16le")],
  ["UTF-16LE", Buffer.from("openapi", "utf16le")],
  ["UTF-16BE with a mark", Buffer.from("\ufeffopenapi", "utf16le").swap16()],
  ["UTF-16BE", Buffer.from("openapi", "utf16le").swap16()],
])("a document in %s is converted", async (_, start) => {
  const text = ": 3.1.0\ninfo: {title: Späße, version: '1'}\npaths: {/x: {get: {responses: {}}}}\n";
  const isBigEndian = start.at(-1) === "i".charCodeAt(0);
  const rest = Buffer.from(text, "utf16le");
  const bytes = Buffer.concat([start, isBigEndian ? rest.swap16() : rest]);
  const { document, diagnostics } = await load(join(folder({ a: bytes }), "a"));
  expect(diagnostics).toEqual([]);
  expect(document?.root).toMatchObject({ info: { title: "Späße" } });
});

test.each([
  [{ paths: {}, "x-ms-paths": paths }, ["/x"]],
  [{ "x-ms-paths": { "/x?comp=list": paths["/x"] } }, ["/x?comp=list"]],
  [{ paths, "x-ms-paths": { "/x": {}, "/y?a=1": paths["/x"] } }, ["/x", "/y?a=1"]],
])("%j has the paths %j", async (given, want) => {
  const { document } = await load(join(folder({ a: { swagger: "2.0", info, ...given } }), "a"));
  expect(Object.keys(document!.root["paths"] as object)).toEqual(want);
  expect(document!.root["paths"]).toMatchObject({ [want[0]!]: { get: {} } });
  expect(document!.root).not.toHaveProperty("x-ms-paths");
});
