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

const completed = ({ anyOf: [{ enum: names }] }: Node): readonly string[] => names;

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
