import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plant, scratch, treeOf } from "../write/tree.js";
import { mcpGen } from "./built.js";

const PETS = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
servers: [{url: "https://pets.example/v1"}]
paths:
  /pets:
    get:
      operationId: listPets
      summary: List "all" pets
      parameters: [{name: kind, in: query, schema: {type: string}}, {name: locale, in: query, schema: {type: string}}]
      responses: {"200": {description: Pets, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}}}
  /pets/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: Pet, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
    delete:
      operationId: "yes"
      deprecated: true
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"204": {description: Gone}}
components: {schemas: {Pet: {type: object, properties: {id: {type: string}, name: {type: string}}}}}
`;

const OK = '{responses: {"200": {description: OK}}}';

const WANT = `# yaml-language-server: $schema=https://unpkg.com/mcp-gen/mcp-gen.schema.json
# Inferred from pets.yaml: 3 operations → 1 tool, about 219 tokens for a model.
# This is a proposal: edit it. The unchanged file gives the same tools as no file. The numbered lines are
# suggestions, by what they save; uncomment those that you want.
version: 1
spec: ./pets.yaml
output: ./server

tools:
# Pets

  # Find pets by ID, or by kind. Returns items with id and name.
  # Inputs: id?, kind?, locale?. About 219 tokens.
  # Merges listPets, GET /pets/{id}: they read /pets, with the same credentials and the same result.
  find_pets:
    merge: [listPets, "GET /pets/{id}"]
    # inputs:
    #   locale: {hide: true}  # no. 1: saves up to 7 tokens of the list

# Operations without a tool. Add a rule to include one:
#   a_name: {operation: "yes"}  # is deprecated and left out.
`;

test("mcp-gen plan prints what it writes, invisible characters included", async () => {
  const root = scratch();
  const hidden = ["\u200b", "\u202e", "\u00ad", "\ufeff", "\u2028", "\u0085", "\u{e0041}"];
  const paths = hidden.map((character, i) => `  "/p${i}/${character}x": {get: ${OK}}\n`).join("");
  const title = JSON.stringify(`Hid${hidden.join("")}den`);
  const info = `openapi: 3.1.0\ninfo: {title: ${title}, version: "1"}\n`;
  plant(root, { "doc.yaml": `${info}servers: [{url: "https://a.test"}]\npaths:\n${paths}` });
  const { out } = await mcpGen(["plan", "doc.yaml"], root);
  await mcpGen(["plan", "doc.yaml", "-o", "mcp-gen.yaml"], root);
  expect(out).toBe(readFileSync(join(root, "mcp-gen.yaml"), "utf8"));
  expect(out.match(/GET \/p\d/g)).toHaveLength(hidden.length);
});

function planted(): string {
  const root = scratch();
  plant(root, { "pets.yaml": PETS });
  return root;
}

test("mcp-gen plan prints a file to start from", async () => {
  const { out, err, code } = await mcpGen(["plan", "pets.yaml"], planted());
  expect({ err, code }).toEqual({ err: "", code: 0 });
  const numbers = (text: string): string => text.replace(/about \d+ tokens/gi, "about N tokens");
  expect(numbers(out)).toBe(numbers(WANT));
});

test("the planned configuration regenerates the same server", async () => {
  const root = planted();
  expect((await mcpGen(["pets.yaml", "-o", "server"], root)).code).toBe(0);
  const before = treeOf(join(root, "server"));
  expect(await mcpGen(["plan", "pets.yaml", "-o", "mcp-gen.yaml"], root)).toMatchObject({
    code: 0,
    out: "Wrote mcp-gen.yaml: 1 tool. Edit it, then run mcp-gen there.\n",
  });
  expect(await mcpGen(["--check"], root)).toMatchObject({ code: 0 });
  expect((await mcpGen([], root)).out).toContain("up to date");
  expect(treeOf(join(root, "server"))).toEqual(before);
});

test("the document is named from where the file stands, however it was given", async () => {
  const root = planted();
  expect((await mcpGen(["plan", join(root, "pets.yaml")], scratch())).out).toContain(
    "\nspec: ./pets.yaml\n",
  );
});

test("an existing file is overwritten only with --force", async () => {
  const root = planted();
  plant(root, { "mcp-gen.yaml": "version: 1\n" });
  const refused = await mcpGen(["plan", "pets.yaml", "-o", "mcp-gen.yaml"], root);
  expect(refused).toMatchObject({ code: 4, out: "" });
  expect(refused.err).toMatch(/^error: mcp-gen\.yaml exists\. Nothing was written\./);
  expect(readFileSync(join(root, "mcp-gen.yaml"), "utf8")).toBe("version: 1\n");
  expect(await mcpGen(["plan", "pets.yaml", "-o", "mcp-gen.yaml", "--force"], root)).toMatchObject({
    code: 0,
  });
  expect(readFileSync(join(root, "mcp-gen.yaml"), "utf8")).toContain("merge: [listPets");
});

const runs: readonly {
  readonly given: string;
  readonly args: readonly string[];
  readonly tree?: Record<string, string>;
  readonly stdin?: string;
  readonly code: number;
  readonly out?: RegExp;
  readonly err?: RegExp;
}[] = [
  {
    given: "a namespace and an overlay",
    args: ["plan", "pets.yaml", "--namespace", "zoo", "--overlay", "fix/a.yaml"],
    tree: {
      "fix/a.yaml":
        "overlay: 1.0.0\ninfo: {title: F, version: '1'}\nactions: [{target: $.info, update: {description: Pets}}]\n",
    },
    code: 0,
    out: /overlays: \[\.\/fix\/a\.yaml\]\nnamespace: zoo\n[\s\S]*^ {2}find_pets:$/m,
  },
  {
    given: "another folder to write to",
    args: ["plan", "pets.yaml", "-o", "conf/mcp-gen.yaml"],
    tree: { "conf/x": "" },
    code: 0,
    out: /^Wrote conf\/mcp-gen\.yaml/,
  },
  {
    given: "a file of another name",
    args: ["plan", "pets.yaml", "-o", "my plan.yaml"],
    code: 0,
    out: /then run mcp-gen --config 'my plan\.yaml'\.$/m,
  },
  {
    given: "a file in a folder that is not there",
    args: ["plan", "pets.yaml", "-o", "conf/mcp-gen.yaml"],
    code: 4,
    err: /^error: conf\/mcp-gen\.yaml cannot be created: the folder conf does not exist\. Create that folder first/,
  },
  {
    given: "help, as other programs have it",
    args: ["help", "plan"],
    code: 0,
    out: /Prints an mcp-gen\.yaml to start from/,
  },
  {
    given: "help of all",
    args: ["help"],
    code: 0,
    out: /^Generates a complete, typed TypeScript MCP server/,
  },
  {
    given: "standard input",
    args: ["plan", "-"],
    stdin: PETS,
    code: 0,
    out: /^# spec: \.\/openapi\.yaml$/m,
  },
  {
    given: "deprecated ones, too",
    args: ["plan", "pets.yaml", "--include-deprecated"],
    code: 0,
    out: /operation: "yes"$/m,
  },
  {
    given: "some of the operations",
    args: ["plan", "pets.yaml", "--only", "listPets"],
    code: 0,
    out: /^select:\n {2}default: exclude$/m,
  },
  {
    given: "rules that are there",
    args: ["plan"],
    tree: {
      "mcp-gen.yaml": "version: 1\nspec: pets.yaml\noutput: out\ntools: {find_pets: {title: X}}\n",
    },
    code: 0,
    out: /^output: \.\/out\n[^]*^ {2}find_pets:\n {4}title: X$/m,
  },
  { given: "no document", args: ["plan"], code: 2, err: /^error: Give an OpenAPI document/ },
  {
    given: "a document that is none",
    args: ["plan", "bad.yaml", "-o", "x.yaml"],
    tree: { "bad.yaml": "a: 1\n" },
    code: 3,
    err: /^error: bad\.yaml/,
  },
  {
    given: "an unknown option",
    args: ["plan", "pets.yaml", "--chek"],
    code: 2,
    err: /unknown option '--chek'/,
  },
  {
    given: "help",
    args: ["plan", "--help"],
    code: 0,
    out: /Prints an mcp-gen\.yaml to start from/,
  },
];

for (const { given, args, tree = {}, stdin, code, out, err } of runs) {
  test(`mcp-gen plan: given ${given}`, async () => {
    const root = planted();
    plant(root, tree);
    const made = await mcpGen(args, root, stdin);
    expect(made.code, made.err).toBe(code);
    if (out) expect(made.out).toMatch(out);
    if (err) expect(made.err).toMatch(err);
    if (code !== 0) expect(Object.keys(treeOf(root))).not.toContain("x.yaml");
  });
}
