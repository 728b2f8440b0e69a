import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { plant, scratch, treeOf, type TreeText } from "../write/tree.js";
import { mcpGen } from "./built.js";

const PETS = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
servers: [{url: "https://pets.example/v1"}]
paths:
  /pets:
    get: {operationId: listPets, summary: get pets, responses: {"200": {description: Pets}}}
    delete: {operationId: dropPets, responses: {"204": {description: Gone}}}
`;
const FIXES = `overlay: 1.0.0
info: {title: Fixes, version: 1.0.0}
actions:
  - {target: "$.paths['/pets'].get", update: {summary: List every pet}}
  - {target: "$.paths['/pets'].delete", remove: true}
`;
const CONFIG =
  "version: 1\nspec: ./pets.yaml\noutput: ./server\noverlays: [./fixes.overlay.yaml]\nnamespace: zoo\n";
const ALL = { "api/pets.yaml": PETS, "api/fixes.overlay.yaml": FIXES, "api/mcp-gen.yaml": CONFIG };

function planted(tree: TreeText): string {
  const root = scratch();
  plant(root, tree);
  return root;
}

async function toolsOf(
  args: readonly string[],
  cwd: string,
): Promise<{
  readonly tools: readonly string[];
  readonly titles: readonly string[];
  readonly err: string;
  readonly code: number | null;
}> {
  const { out, err, code } = await mcpGen([...args, "--json"], cwd);
  const { tools = [] } = (out === "" ? {} : JSON.parse(out)) as {
    tools?: { name: string; title: string }[];
  };
  return {
    tools: tools.map(({ name }) => name),
    titles: tools.map(({ title }) => title),
    err,
    code,
  };
}

const runs: readonly {
  given: string;
  tree: TreeText;
  cwd: string;
  args: readonly string[];
  tools: readonly string[];
}[] = [
  {
    given: "nothing, in the folder of the file",
    tree: ALL,
    cwd: "api",
    args: [],
    tools: ["zoo_list_pets"],
  },
  {
    given: "the document beside it",
    tree: ALL,
    cwd: "api",
    args: ["./pets.yaml"],
    tools: ["zoo_list_pets"],
  },
  {
    given: "a document of another folder that it names",
    tree: {
      ...ALL,
      "mcp-gen.yaml": CONFIG.replaceAll("./", "./api/").replace("zoo", "own"),
    },
    cwd: ".",
    args: ["api/pets.yaml"],
    tools: ["own_list_pets"],
  },
  {
    given: "the file",
    tree: ALL,
    cwd: ".",
    args: ["--config", "api/mcp-gen.yaml"],
    tools: ["zoo_list_pets"],
  },
  {
    given: "another namespace",
    tree: ALL,
    cwd: "api",
    args: ["--namespace", "park"],
    tools: ["park_list_pets"],
  },
  {
    given: "another document in its folder",
    tree: { ...ALL, "api/other.yaml": PETS },
    cwd: "api",
    args: ["other.yaml", "--dry-run"],
    tools: ["list_pets", "drop_pets"],
  },
  {
    given: "another document, and the file",
    tree: { ...ALL, "other.yaml": PETS },
    cwd: ".",
    args: ["other.yaml", "-c", "api/mcp-gen.yaml"],
    tools: ["zoo_list_pets"],
  },
  {
    given: "an overlay alone",
    tree: { "pets.yaml": PETS, "fixes.yaml": FIXES },
    cwd: ".",
    args: ["pets.yaml", "--overlay", "fixes.yaml", "--dry-run"],
    tools: ["list_pets"],
  },
];

for (const { given, tree, cwd, args, tools } of runs) {
  test(`mcp-gen.yaml: given ${given}`, async () => {
    const root = planted(tree);
    const made = await toolsOf(args, join(root, cwd));
    expect(made).toMatchObject({ tools, code: 0 });
    expect(made.titles[0]).toBe(tools.length === 1 ? "List every pet" : "Get pets");
  });
}

test("mcp-gen without arguments writes the configured folder; a second run changes nothing", async () => {
  const root = planted(ALL);
  const cwd = join(root, "api");
  expect((await mcpGen([], cwd)).code).toBe(0);
  const first = treeOf(join(cwd, "server"));
  expect(Object.keys(first)).toContain("package.json");
  expect(await mcpGen(["--check"], cwd)).toMatchObject({ code: 0 });
  expect((await mcpGen([], cwd)).out).toContain("up to date");
});

test.each([
  ["this URL", "/pets.yaml", ["zoo_list_pets"]],
  ["another URL", "/other.yaml", ["list_pets", "drop_pets"]],
])("mcp-gen.yaml of the current folder names %s", async (_, path, tools) => {
  const server = createServer((_request, response) => response.end(PETS));
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const root = planted({
    "mcp-gen.yaml": CONFIG.replace("./pets.yaml", `${origin}/pets.yaml`),
    "fixes.overlay.yaml": FIXES,
  });
  expect(await toolsOf([`${origin}${path}`, "--dry-run"], root)).toMatchObject({ tools, err: "" });
});

test.each<readonly [string, number, RegExp]>([
  ["Authorization: Bearer s3cret", 0, /^$/],
  ["", 3, /returned 401 Unauthorized\. Set MCP_GEN_HEADER to your credentials/],
  ["s3cret", 2, /^error: MCP_GEN_HEADER must be the name and the value of a header/],
  ["X-Key: s3\ncret", 2, /^error: MCP_GEN_HEADER must be/],
])("MCP_GEN_HEADER=%j for a document behind credentials", async (header, code, says) => {
  const server = createServer(({ headers }, response) =>
    response.writeHead(headers.authorization === "Bearer s3cret" ? 200 : 401).end(PETS),
  );
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pets.yaml`;
  const run = await mcpGen([url, "--dry-run"], scratch(), "", { MCP_GEN_HEADER: header });
  expect([run.code, run.err]).toEqual([code, expect.stringMatching(says)]);
  expect(run.err).not.toContain("s3cret");
});

test("a configuration for another document is ignored with a note", async () => {
  const root = planted({ ...ALL, "api/other.yaml": PETS });
  expect((await mcpGen(["other.yaml", "--dry-run"], join(root, "api"))).err).toMatch(
    /^mcp-gen\.yaml configures another document \(pets\.yaml\) and is not used. Add --config to use it\.$/m,
  );
});

const complaints: readonly {
  given: string;
  tree: TreeText;
  args: readonly string[];
  code: number;
  says: RegExp;
}[] = [
  {
    given: "nothing at all",
    tree: {},
    args: [],
    code: 2,
    says: /^error: Give an OpenAPI document: .*\nRun mcp-gen --help/,
  },
  {
    given: "no folder",
    tree: { "pets.yaml": PETS },
    args: ["pets.yaml"],
    code: 2,
    says: /^error: Give the output folder: -o DIR\./,
  },
  {
    given: "no folder to check",
    tree: { "pets.yaml": PETS },
    args: ["pets.yaml", "--check", "--dry-run"],
    code: 2,
    says: /^error: Give the output folder/,
  },
  {
    given: "a file without a document",
    tree: { "mcp-gen.yaml": "version: 1\n" },
    args: ["-o", "out"],
    code: 2,
    says: /mcp-gen\.yaml has no spec/,
  },
  {
    given: "a file without a folder",
    tree: { "mcp-gen.yaml": "version: 1\nspec: pets.yaml\n" },
    args: [],
    code: 2,
    says: /mcp-gen\.yaml has no output/,
  },
  {
    given: "a file that is not there",
    tree: { "pets.yaml": PETS },
    args: ["pets.yaml", "-o", "out", "-c", "no.yaml"],
    code: 3,
    says: /^error: no\.yaml: The file does not exist/,
  },
  {
    given: "an unknown key",
    tree: { "pets.yaml": PETS, "mcp-gen.yaml": "version: 1\nspek: a\n" },
    args: ["pets.yaml", "-o", "out"],
    code: 3,
    says: /^error: mcp-gen\.yaml:2:1 \(#\/spek\): Unknown key `spek`; did you mean spec\?.* \[config-unknown-key\]/,
  },
  {
    given: "an overlay that is not there",
    tree: { "pets.yaml": PETS, "mcp-gen.yaml": "version: 1\noverlays: [x.yaml]\n" },
    args: ["pets.yaml", "-o", "out"],
    code: 3,
    says: /^error: x\.yaml: The file does not exist/,
  },
  {
    given: "an overlay with a mistake",
    tree: { "pets.yaml": PETS, "x.yaml": FIXES.replace("target:", "tarket:") },
    args: ["pets.yaml", "-o", "out", "--overlay", "x.yaml"],
    code: 3,
    says: /^error: x\.yaml:4:5 \(#\/actions\/0\): Unknown field `tarket`/m,
  },
  {
    given: "a rule for an operation that is gone",
    tree: { "pets.yaml": PETS, "mcp-gen.yaml": "version: 1\ntools:\n  a: {operation: listPet}\n" },
    args: ["pets.yaml", "-o", "out"],
    code: 3,
    says: /^error: mcp-gen\.yaml:3:7 \(#\/tools\/a\/operation\): The document has no operation "listPet"; did you mean listPets\? .*\[config-unknown-operation\]/,
  },
  {
    given: "a reference to a tool that does not exist",
    tree: {
      "pets.yaml": PETS,
      "mcp-gen.yaml": 'version: 1\nerrors: {"404": "Call {tool:list_pet}."}\n',
    },
    args: ["pets.yaml", "-o", "out"],
    code: 3,
    says: /^error: mcp-gen\.yaml:2:10 \(#\/errors\/404\): \{tool:list_pet\} is not the name of a tool; did you mean list_pets\?/,
  },
  {
    given: "two tools with one name",
    tree: {
      "pets.yaml": PETS,
      "mcp-gen.yaml": "version: 1\ntools:\n  list_pets: {operation: dropPets}\n",
    },
    args: ["pets.yaml", "-o", "out"],
    code: 3,
    says: /^error: mcp-gen\.yaml:3:3 \(#\/tools\/list_pets\): Two tools are called list_pets/,
  },
  {
    given: "an input that the tool does not have",
    tree: {
      "pets.yaml": PETS,
      "mcp-gen.yaml": "version: 1\ntools: {list_pets: {inputs: {limit: {default: 5}}}}\n",
    },
    args: ["pets.yaml", "-o", "out"],
    code: 3,
    says: /^error: mcp-gen\.yaml:2:30 \(#\/tools\/list_pets\/inputs\/limit\): "limit" is not an input of list_pets\./,
  },
  {
    given: "templates that are not there",
    tree: { "pets.yaml": PETS, "mcp-gen.yaml": "version: 1\ntemplates: ./t\n" },
    args: ["pets.yaml", "-o", "out"],
    code: 2,
    says: /mcp-gen\.yaml:2:1: t is not a readable folder/,
  },
];

for (const { given, tree, args, code, says } of complaints) {
  test(`given ${given}, nothing is written`, async () => {
    const root = planted(tree);
    const before = treeOf(root);
    const ended = await mcpGen(args, root);
    expect(ended).toMatchObject({ code, out: "" });
    expect(ended.err).toMatch(says);
    expect(treeOf(root)).toEqual(before);
  });
}

test("--json has the errors of the configuration as data", async () => {
  const root = planted({ "pets.yaml": PETS, "mcp-gen.yaml": "version: 2\n" });
  const { out, code } = await mcpGen(["pets.yaml", "-o", "out", "--json"], root);
  expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({
    code: 3,
    ok: false,
    exitCode: 3,
    diagnostics: [{ code: "config-invalid-value", location: { file: "mcp-gen.yaml", line: 1 } }],
  });
});
