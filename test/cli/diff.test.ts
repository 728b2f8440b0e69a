import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { plant, scratch, treeOf } from "../write/tree.js";
import { cli, mcpGen } from "./built.js";

const LOCK = "server/mcp-gen.lock.json";
const PETS = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
servers: [{url: "https://pets.example/v1"}]
paths:
  /pets:
    get:
      operationId: listPets
      parameters: [{name: limit, in: query, schema: {type: integer, maximum: 100}}]
      responses: {"200": {description: Pets, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}
    post:
      operationId: createPet
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {"204": {description: Done}}
`;
const LOWER = PETS.replace("maximum: 100", "maximum: 50");
const MORE = PETS.replace(
  "parameters: [",
  "parameters: [{name: q, in: query, schema: {type: string}}, ",
);
/** Its credentials go to another host. */
const SECURED = `${PETS}security: [{key: []}]
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
`;
const MOVED = SECURED.replace("https://pets.example/v1", "https://evil.example/v1");
const destination =
  "Credentials now go to `https://evil.example/v1` instead of `https://pets.example/v1`.";
const RENAMED = PETS.replace("createPet", "addPet");

let root = "";
beforeAll(async () => {
  root = scratch();
  plant(root, {
    "pets.yaml": PETS,
    "lower.yaml": LOWER,
    "more.yaml": MORE,
    "renamed.yaml": RENAMED,
    "secured.yaml": SECURED,
    "moved.yaml": MOVED,
    "layout-3.json": '{"layout": 3, "tools": [{"name": "a", "inputSchema": {}, "operations": []}]}',
    "empty/": "",
    "broken.yaml": "openapi: 3.1.0\npaths: [",
    "old.json": '{"layout": 99, "tools": []}',
    "nothing.json": "",
  });
  const { code, err } = await mcpGen(["pets.yaml", "-o", "server"], root);
  if (code !== 0) throw new Error(err);
  plant(root, {
    "with-config/api.yaml": LOWER,
    "with-config/mcp-gen.yaml": "version: 1\nspec: ./api.yaml\noutput: ../server\n",
    "with-error/api.yaml": LOWER,
    "with-error/mcp-gen.yaml":
      "version: 1\nspec: ./api.yaml\noutput: ../server\ntools: {drop_pet: {operation: dropPet}}\n",
  });
});

interface Case {
  readonly given: string;
  readonly args: readonly string[];
  readonly folder?: string;
  readonly stdin?: () => string;
  readonly code: number;
  readonly out?: RegExp;
  readonly err?: RegExp;
}

const lock = (): string => readFileSync(join(root, LOCK), "utf8");
const lower =
  /^breaking:\n {2}list_pets: The maximum of input `limit` changed from `100` to `50`\.\n/;

const cases: readonly Case[] = [
  {
    given: "the document against the lock in the folder",
    args: ["lower.yaml", "-o", "server"],
    code: 0,
    out: lower,
  },
  {
    given: "the same document",
    args: ["pets.yaml", "-o", "server"],
    code: 0,
    out: /^No changes for agents\.\n$/,
  },
  { given: "what mcp-gen.yaml says", folder: "with-config", args: [], code: 0, out: lower },
  {
    given: "a rule about an operation that is gone, and other changes",
    folder: "with-error",
    args: [],
    code: 3,
    out: lower,
    err: /has no operation "dropPet"[^]*The rules with errors are not part of this comparison/,
  },
  {
    given: "an old lock against what mcp-gen.yaml says",
    folder: "with-config",
    args: ["../server"],
    code: 0,
    out: lower,
  },
  { given: "two documents", args: ["pets.yaml", "lower.yaml"], code: 0, out: lower },
  { given: "a folder and a document", args: ["server", "lower.yaml"], code: 0, out: lower },
  { given: "a lock and a document", args: [LOCK, "lower.yaml"], code: 0, out: lower },
  {
    given: "a document, and what it is compared with",
    args: ["lower.yaml", "--against", LOCK],
    code: 0,
    out: lower,
  },
  {
    given: "a document and a folder",
    args: ["lower.yaml", "server"],
    code: 0,
    out: /additive:\n {2}list_pets: The maximum of input `limit` changed from `50` to `100`\./,
  },
  { given: "two locks that are the same", args: [LOCK, "server"], code: 0, out: /^No changes/ },
  {
    given: "a lock from standard input",
    args: ["-", "lower.yaml"],
    stdin: lock,
    code: 0,
    out: lower,
  },
  {
    given: "a document from standard input",
    args: ["server", "-"],
    stdin: () => LOWER,
    code: 0,
    out: lower,
  },
  {
    given: "a revision that has no lock",
    args: ["-", "server"],
    stdin: () => "",
    code: 0,
    out: /^additive:\n {2}create_pet: Added/,
  },
  {
    given: "a file that has nothing",
    args: ["nothing.json", "server"],
    code: 0,
    out: /^additive:\n {2}create_pet: Added/,
  },
  {
    given: "a tool that is called otherwise",
    args: ["server", "renamed.yaml"],
    code: 0,
    out: /breaking:\n {2}add_pet: Renamed from `create_pet`\./,
  },
  {
    given: "credentials that go to another host",
    args: ["secured.yaml", "moved.yaml", "--fail-on", "breaking"],
    code: 1,
    out: new RegExp(`^breaking:\\n {2}the API: ${destination.replaceAll(".", "\\.")}\\n`),
  },
  {
    given: "credentials that go to another host, as Markdown",
    args: ["secured.yaml", "moved.yaml", "--format", "markdown"],
    code: 0,
    out: new RegExp(`\\n- \`the API\`: ${destination.replaceAll(".", "\\.")}\\n`),
  },
  {
    given: "a lock that does not record hosts",
    args: ["layout-3.json", "server"],
    code: 0,
    out: /\nHosts, credentials and scopes were not compared: a lock of an earlier layout[^\n]*\n$/,
  },
  {
    given: "options about tools",
    args: ["pets.yaml", "-o", "server", "--skip", "createPet"],
    code: 0,
    out: /breaking:\n {2}create_pet: Removed/,
  },

  {
    given: "breaking changes that are to fail",
    args: ["server", "lower.yaml", "--fail-on", "breaking"],
    code: 1,
    out: lower,
  },
  {
    given: "breaking changes where all are to fail",
    args: ["server", "lower.yaml", "--fail-on", "cosmetic"],
    code: 1,
    out: lower,
  },
  {
    given: "additive changes where breaking ones are to fail",
    args: ["server", "more.yaml", "--fail-on", "breaking"],
    code: 0,
    out: /additive:\n {2}list_pets: Input `q` was added\.\n/,
  },
  {
    given: "additive changes that are to fail",
    args: ["server", "more.yaml", "--fail-on", "additive"],
    code: 1,
  },
  {
    given: "no change that could fail",
    args: ["server", "pets.yaml", "--fail-on", "cosmetic"],
    code: 0,
  },

  {
    given: "JSON",
    args: ["server", "lower.yaml", "--json", "--fail-on", "breaking"],
    code: 1,
    out: /^\{\n {2}"breaking": 1,/,
  },
  {
    given: "JSON by format",
    args: ["server", "pets.yaml", "--format", "json"],
    code: 0,
    out: /"changes": \[\]/,
  },
  {
    given: "Markdown",
    args: ["server", "lower.yaml", "--format", "markdown"],
    code: 0,
    out: /^### Tools for agents: 1 breaking/,
  },
  {
    given: "annotations",
    args: ["server", "lower.yaml", "--format", "github"],
    code: 0,
    out: /^::error file=server\/mcp-gen\.lock\.json,line=\d+,title=list_pets \(breaking\)::/,
  },

  { given: "nothing to compare", args: [], code: 2, err: /Give the old side/ },
  {
    given: "a document and no folder",
    args: ["pets.yaml"],
    code: 2,
    err: /Give the old side/,
  },
  {
    given: "a folder without a lock",
    args: ["empty", "pets.yaml"],
    code: 2,
    err: /empty has no mcp-gen\.lock\.json/,
  },
  {
    given: "an output folder without a lock",
    args: ["pets.yaml", "-o", "empty"],
    code: 2,
    err: /empty has no mcp-gen\.lock\.json/,
  },
  {
    given: "three sides",
    args: ["server", "pets.yaml", "--against", "lower.yaml"],
    code: 2,
    err: /at most two sides/,
  },
  { given: "two times standard input", args: ["-", "-"], code: 2, err: /Only one side/ },
  {
    given: "a class that there is not",
    args: ["--fail-on", "major"],
    code: 2,
    err: /breaking, additive, cosmetic, none/,
  },
  {
    given: "a lock of a later version",
    args: ["old.json", "server"],
    code: 3,
    err: /"old\.json" has a layout that this version of mcp-gen does not support/,
  },
  {
    given: "a document that cannot be read",
    args: ["server", "broken.yaml"],
    code: 3,
    err: /broken\.yaml:\d+:\d+/,
  },
  {
    given: "a document that is not there",
    args: ["server", "none.yaml"],
    code: 3,
    err: /none\.yaml/,
  },
  {
    given: "warnings that are errors",
    args: ["server", "more.yaml", "--strict", "--only", "nothing"],
    code: 3,
    err: /nothing/,
  },
];

test.each(cases)(
  "mcp-gen diff of $given exits with $code",
  async ({ args, folder = ".", stdin, code, out, err }) => {
    const before = treeOf(root);
    const result = await mcpGen(["diff", ...args], join(root, folder), stdin?.() ?? "");
    if (out) expect(result.out).toMatch(out);
    expect(result.err).toMatch(err ?? /^$/);
    expect(result.code).toBe(code);
    expect(treeOf(root)).toEqual(before);
  },
);

test("documents from process substitution are read", async () => {
  const command = `"${process.execPath}" "${cli}" diff <(cat ${LOCK}) <(cat lower.yaml)`;
  expect(execFileSync("bash", ["-c", command], { cwd: root, encoding: "utf8" })).toMatch(lower);
});

test("regenerating reports changes for agents", async () => {
  const here = scratch();
  mkdirSync(join(here, "x"));
  const run = async (document: string, ...more: string[]): Promise<string> => {
    writeFileSync(join(here, "api.yaml"), document);
    return (await mcpGen(["api.yaml", "-o", "server", ...more], here)).out;
  };
  expect(await run(PETS)).not.toContain("for agents");
  expect(await run(LOWER, "--dry-run")).toContain(
    "Changes for agents: 1 breaking and 1 cosmetic changes.\n  ! list_pets: The maximum of input `limit` changed from `100` to `50`.\n",
  );
  expect(await run(LOWER, "--check")).toContain(
    "Changes for agents: 1 breaking and 1 cosmetic changes.\n",
  );
  expect(await run(LOWER)).toContain("Changes for agents: 1 breaking and 1 cosmetic changes.\n");
  expect(await run(LOWER)).not.toContain("or agents");
  await run(SECURED);
  for (const more of [["--check"], ["--dry-run"], []])
    expect(await run(MOVED, ...more)).toContain(`  ! the API: ${destination}\n`);
  const path = join(here, "server/mcp-gen.lock.json");
  const { api: _, ...earlier } = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...earlier, layout: 3 }));
  expect(await run(SECURED, "--dry-run", "--force")).toContain(
    "Hosts, credentials and scopes were not compared: a lock of an earlier layout",
  );
  expect(await run(RENAMED, "--force")).toMatch(/Changes for agents: \d breaking/);
  expect(JSON.parse(await run(PETS, "--json")).changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ class: "breaking", kind: "tool-renamed", tool: "create_pet" }),
    ]),
  );
});
