import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import { parse } from "yaml";
import base from "../../mcp-gen.schema.json" with { type: "json" };
import { runSchema } from "../../src/cli/schema.js";
import { plant, scratch } from "../write/tree.js";

const samples = join(import.meta.dirname, "../../samples");

/** Runs the command in this process. */
async function schemaOf(args: readonly string[]) {
  const written = { out: "", err: "" };
  const code = await runSchema(args, {
    print: (text) => void (written.out += text),
    error: (text) => void (written.err += text),
    paint: (_, text) => text,
  });
  return { code, ...written };
}

type Node = ReturnType<typeof JSON.parse>;

const completed = ({ anyOf: [{ enum: names }] = [{ enum: [] }] }: Node): readonly string[] => names;

test("editors complete the names of a document", async () => {
  const { code, out } = await schemaOf([join(samples, "library/openapi.yaml")]);
  expect(code).toBe(0);
  const { title, $id, properties, $defs } = JSON.parse(out) as Node;
  expect({ title, $id }).toEqual({ title: "mcp-gen.yaml of Riverside Library", $id: undefined });
  const tool = properties.tools.properties.find_books.properties;
  expect(Object.keys(tool.inputs.properties)).toEqual(expect.arrayContaining(["author", "only"]));
  expect(completed(tool.output.properties.pick.items)).toEqual(
    expect.arrayContaining(["id", "title"]),
  );
  expect(completed($defs.tool.properties.operation)).toEqual(
    expect.arrayContaining(["listBooks", "GET /books"]),
  );
  expect(completed($defs.mergeEntry)).toContain("listBooks");
  expect(completed(properties.budget.properties.listed.items)).toContain("find_books");
  expect(Object.keys(properties.parameters.properties)).toContain("author");
});

/** The schema of a document with a configuration in the same folder. */
async function configuredSchema(document: string, yaml: string) {
  const root = scratch();
  plant(root, {
    "openapi.yaml": readFileSync(join(samples, document, "openapi.yaml"), "utf8"),
    "mcp-gen.yaml": `version: 1\n${yaml}`,
  });
  const file = join(root, "own.schema.json");
  const config = join(root, "mcp-gen.yaml");
  const run = await schemaOf([join(root, "openapi.yaml"), "--config", config, "-o", file]);
  const { properties, $defs } = JSON.parse(readFileSync(file, "utf8")) as Node;
  return { ...run, tools: properties.tools.properties, $defs };
}

test("names that rules take away, and those of tools that are not selected, stay complete", async () => {
  const { code, tools } = await configuredSchema(
    "library",
    "select: {default: exclude}\ntools: {books: {operation: listBooks, inputs: {only: [author]}, output: {pick: [id]}}}",
  );
  expect(code).toBe(0);
  expect(Object.keys(tools)).toEqual(expect.arrayContaining(["books", "create_loan"]));
  expect(completed(tools.books.properties.inputs.properties.only.items)).toEqual(
    expect.arrayContaining(["author", "limit"]),
  );
  expect(completed(tools.books.properties.output.properties.pick.items)).toEqual(
    expect.arrayContaining(["id", "title"]),
  );
});

test("lookups complete the lists, and the fields of the chosen one", async () => {
  const { $defs } = await configuredSchema("library", "");
  const { properties, allOf } = $defs.input.properties.resolve;
  expect(completed(properties.via)).toContain("find_books");
  const { then } = allOf.find((one: Node) => one.if.properties.via.const === "find_books");
  expect(completed(then.properties.match)).toContain("title");
  expect(completed(then.properties.id)).toContain("id");
});

test("a mistake in the configuration does not prevent the schema", async () => {
  const yaml = "tools: {books: {operation: listBooks, output: {pick: [titel]}}}";
  const { code, err, tools } = await configuredSchema("library", yaml);
  expect(code).toBe(3);
  expect(err).toContain('"titel" is not a field');
  expect(Object.keys(tools)).toContain("find_books");
});

test.each(["library", "tickets"])("mcp-gen accepts every field that %s completes", async (name) => {
  const { tools } = await configuredSchema(name, "");
  const fields = Object.entries<Node>(tools).map(
    ([tool, { properties }]) =>
      [tool, completed(properties.output.properties.pick.items) ?? []] as const,
  );
  const most = Math.max(...fields.map(([, names]) => names.length));
  expect(most).toBeGreaterThan(3);
  for (let i = 0; i < most; i += 1) {
    const rules = fields.flatMap(([tool, names]) =>
      names[i] === undefined ? [] : [[tool, { output: { pick: [names[i]] } }]],
    );
    const yaml = `tools: ${JSON.stringify(Object.fromEntries(rules))}`;
    expect((await configuredSchema(name, yaml)).err).toBe("");
  }
});

/** Valid and invalid files, for which both schemas must agree. */
test.each([
  readFileSync(join(samples, "shop/mcp-gen.yaml"), "utf8"),
  "version: 1\ntools: {find_products: {operation: anything, output: {pick: [no_such_field]}}}",
  "version: 1\ntools: {find_products: {merge: [a, {operation: b}]}}",
  "version: 1\nparameters: {other: {hide: true}}",
  "version: 1\ntools: {find_products: {operations: a}}",
  "version: 1\ntools: {find_products: {inputs: {q: {nam: x}}}}",
  "version: 1\ntools: {find_products: {inputs: {only: [1]}}}",
  "version: 1\ntools: {find_products: {output: {pick: id}}}",
  "version: 1\nbudget: {listed: [1]}",
  "version: 1\nother: 1",
])("%s is as valid as by the general schema", async (text) => {
  const { out } = await schemaOf([join(samples, "shop/openapi.yaml")]);
  const isValid = (schema: Node): boolean =>
    new Validator(schema, "2020-12").validate(parse(text)).valid;
  expect(isValid(JSON.parse(out))).toBe(isValid(base));
});

test("a file of another kind is kept, and its own is replaced", async () => {
  const root = scratch();
  plant(root, { "notes.json": "{}" });
  const document = join(samples, "library/openapi.yaml");
  expect(await schemaOf([document, "-o", join(root, "notes.json")])).toMatchObject({ code: 4 });
  const own = [document, "-o", join(root, "own.schema.json")];
  expect((await schemaOf(own)).code).toBe(0);
  expect((await schemaOf(own)).code).toBe(0);
});
