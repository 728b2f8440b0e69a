import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plant, scratch, treeOf, type TreeText } from "../write/tree.js";
import { cli, mcpGen } from "./built.js";

const PETS = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
servers: [{url: "https://pets.example/v1"}]
tags: [{name: pets}]
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      summary: List pets
      parameters: [{name: limit, in: query, schema: {type: integer, maximum: 100}}]
      responses: {"200": {description: Pets, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}}}
  /pets/{petId}:
    get:
      operationId: getPet
      tags: [pets]
      parameters: [{name: petId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: A pet, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
    delete:
      operationId: removePet
      deprecated: true
      tags: [pets]
      parameters: [{name: petId, in: path, required: true, schema: {type: string}}]
      responses: {"204": {description: Gone}}
components:
  schemas:
    Pet: {type: object, required: [id], properties: {id: {type: string}, name: {type: string}}}
`;
const NO_DELETE = PETS.replace(/ {4}delete:[\s\S]*?(?=components:)/, "");

async function withPets(tree: TreeText = {}): Promise<string> {
  const root = scratch();
  plant(root, { "pets.yaml": PETS, ...tree });
  return root;
}

interface BadInput {
  readonly given: string;
  readonly tree?: TreeText;
  readonly args: readonly string[];
  readonly code: number;
  readonly says: RegExp;
  readonly stdin?: string;
}

const badInputs: readonly BadInput[] = [
  { given: "a missing file", args: ["nothing.yaml", "-o", "out"], code: 3, says: /nothing\.yaml/ },
  {
    given: "a folder as the document",
    tree: { "docs/": "" },
    args: ["docs", "-o", "out"],
    code: 3,
    says: /docs/,
  },
  {
    given: "an empty file",
    tree: { "a.yaml": "" },
    args: ["a.yaml", "-o", "out"],
    code: 3,
    says: /a\.yaml.*empty/i,
  },
  {
    given: "broken YAML",
    tree: { "a.yaml": "openapi: 3.1.0\ninfo: {title: x\npaths: [\n" },
    args: ["a.yaml", "-o", "out"],
    code: 3,
    says: /a\.yaml:\d+:\d+/,
  },
  {
    given: "broken JSON",
    tree: { "a.json": '{"openapi": "3.1.0",\n "info": {' },
    args: ["a.json", "-o", "out"],
    code: 3,
    says: /a\.json:\d+:\d+/,
  },
  {
    given: "an HTML page",
    tree: { "a.yaml": "<!doctype html>\n<html><body>Sign in</body></html>\n" },
    args: ["a.yaml", "-o", "out"],
    code: 3,
    says: /HTML/,
  },
  {
    given: "an AsyncAPI document",
    tree: { "a.yaml": "asyncapi: 3.0.0\ninfo: {title: x, version: '1'}\nchannels: {}\n" },
    args: ["a.yaml", "-o", "out"],
    code: 3,
    says: /AsyncAPI/,
  },
  {
    given: "a later OpenAPI",
    tree: { "a.yaml": "openapi: 4.0.0\ninfo: {title: x, version: '1'}\npaths: {}\n" },
    args: ["a.yaml", "-o", "out"],
    code: 3,
    says: /4\.0\.0/,
  },
  {
    given: "a dangling $ref with --strict",
    tree: { "a.yaml": PETS.replaceAll("schemas/Pet", "schemas/Pett") },
    args: ["a.yaml", "-o", "out", "--strict"],
    code: 3,
    says: /#\/components\/schemas\/Pett/,
  },
  {
    given: "a $ref out of the folder with --strict",
    tree: {
      "d/a.yaml": PETS.replaceAll("#/components/schemas/Pet", "../secret.yaml#/Pet"),
      "secret.yaml": "Pet: {type: object, title: hunter2}\n",
    },
    args: ["d/a.yaml", "-o", "out", "--strict"],
    code: 3,
    says: /\.\.\/secret\.yaml/,
  },
  {
    given: "no operations",
    tree: { "a.yaml": "openapi: 3.1.0\ninfo: {title: x, version: '1'}\npaths: {}\n" },
    args: ["a.yaml", "-o", "out"],
    code: 3,
    says: /no (paths|operations)/i,
  },
  {
    given: "an empty standard input",
    args: ["-", "-o", "out"],
    stdin: "",
    code: 3,
    says: /empty/i,
  },
  {
    given: "binary standard input",
    args: ["-", "-o", "out"],
    stdin: "\u0000\u0001\u0002PNG",
    code: 3,
    says: /error: /,
  },
  {
    given: "a URL that is not https",
    args: ["http://pets.example/openapi.json", "-o", "out"],
    code: 3,
    says: /https/,
  },
  {
    given: "a warning, and --strict",
    tree: { "a.yaml": PETS.replace("{name: limit, in: query,", "{name: limit, in: nowhere,") },
    args: ["a.yaml", "-o", "out", "--strict"],
    code: 3,
    says: /--strict/,
  },
  {
    given: "a template with a mistake",
    tree: { "mine/README.md.hbs": "# {{no_such_field}}\n" },
    args: ["pets.yaml", "-o", "out", "--templates", "mine"],
    code: 2,
    says: /README\.md\.hbs:1:\d+: .*no_such_field/,
  },
  {
    given: "templates that are not there",
    args: ["pets.yaml", "-o", "out", "--templates", "nowhere"],
    code: 2,
    says: /--templates: nowhere is not a readable folder/,
  },
  {
    given: "templates that no system can have",
    args: ["pets.yaml", "-o", "out", "--templates", "t".repeat(300)],
    code: 2,
    says: /--templates: t{300} is not a readable folder/,
  },
  {
    given: "a reference folder that is not there",
    args: ["pets.yaml", "-o", "out", "--ref-root", "nowhere"],
    code: 2,
    says: /--ref-root: nowhere is not a readable folder/,
  },
  {
    given: "an output that is a file",
    tree: { out: "text" },
    args: ["pets.yaml", "-o", "out"],
    code: 4,
    says: /out is not a folder/,
  },
  {
    given: "an output whose parent is missing",
    args: ["pets.yaml", "-o", "a/b"],
    code: 4,
    says: /the folder .* does not exist/,
  },
  {
    given: "an output with somebody's files",
    tree: { "out/notes.txt": "n" },
    args: ["pets.yaml", "-o", "out"],
    code: 4,
    says: /is not empty/,
  },
  {
    given: "--check of a folder with somebody's files",
    tree: { "out/notes.txt": "n" },
    args: ["pets.yaml", "-o", "out", "--check"],
    code: 4,
    says: /is not empty/,
  },
  {
    given: "the current folder as output",
    args: ["pets.yaml", "-o", "."],
    code: 4,
    says: /is the current folder/,
  },
  {
    given: "a link as output",
    tree: { "real/": "", out: "-> real" },
    args: ["pets.yaml", "-o", "out"],
    code: 4,
    says: /symbolic link/,
  },
];

for (const { given, tree, args, code, says, stdin } of badInputs) {
  test(`${given}: one sentence, exit ${code}, nothing written`, async () => {
    const root = await withPets(tree);
    const before = treeOf(root);

    const outcome = await mcpGen(args, root, stdin);

    expect(outcome).toMatchObject({ code, signal: null, out: "" });
    expect(outcome.err).toMatch(says);
    expect(outcome.err.match(/^error: /gm)).toHaveLength(1);
    expect(outcome.err).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(outcome.err).not.toContain("hunter2");
    expect(treeOf(root)).toEqual(before);
  });
}

test("paths that refer to one path item are operations of their own", async () => {
  const root = await withPets({
    "shared.yaml": `openapi: 3.1.0
info: {title: Shared, version: '1'}
paths:
  /status: {get: {responses: {'200': {description: OK}}}}
  /support/status: {$ref: '#/paths/~1status'}
`,
  });
  const { out } = await mcpGen(["shared.yaml", "-o", "shared"], root);
  expect(out).toMatch(/^Shared: 2 operations → 2 tools in /);
  const report = await mcpGen(["report", "shared.yaml", "-o", "report.html"], root);
  expect(report.out + report.err).toContain(": 2 operations, 2 tools,");
});

test("the first run prints its result and the next steps; the second reports no changes", async () => {
  const root = await withPets();
  const first = await mcpGen(["pets.yaml", "-o", "server"], root);
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(first.out).toMatch(/^Pets: 3 operations → 1 tool in 1 toolset\n/);
  expect(first.out).toMatch(
    /^ {2}1 operation: deprecated and left out\. --include-deprecated selects deprecated operations\.$/m,
  );
  expect(first.out).toMatch(/Wrote \d+ files to server\.\nNext:\n {2}cd server\n {2}npm install\n/);
  const files = treeOf(join(root, "server"));
  expect(Object.keys(files)).toContain("src/tools/index.ts");

  const second = await mcpGen(["pets.yaml", "-o", "server"], root);
  expect(second).toMatchObject({ code: 0, err: "" });
  expect(second.out).toMatch(/server is up to date \(\d+ files\)\.\n$/);
  expect(treeOf(join(root, "server"))).toEqual(files);
});

test("removing an operation deletes only its file", async () => {
  const root = await withPets();
  await mcpGen(["pets.yaml", "-o", "server", "--include-deprecated"], root);
  const before = treeOf(join(root, "server"));
  writeFileSync(join(root, "pets.yaml"), NO_DELETE);
  expect((await mcpGen(["pets.yaml", "-o", "server", "--include-deprecated"], root)).out).toMatch(
    /Updated server: 0 new, \d+ changed, 1 deleted, \d+ unchanged\./,
  );
  const gone = Object.keys(before).filter((path) => !(path in treeOf(join(root, "server"))));
  expect(gone).toEqual([expect.stringMatching(/^src\/tools\/pets\/.*\.ts$/)]);
});

test("--check compares the folder with the generated files and writes nothing", async () => {
  const root = await withPets();
  const args = ["pets.yaml", "-o", "server", "--check"];
  const absent = await mcpGen(args, root);
  expect(absent).toMatchObject({ code: 1, err: "" });
  expect(absent.out).toMatch(/server differs from the generated files \(\d+ new/);
  expect(absent.out).toMatch(/run the command without --check, and commit the result\.\n$/);
  expect(treeOf(root)).toEqual({ "pets.yaml": PETS });

  await mcpGen(["pets.yaml", "-o", "server"], root);
  expect(await mcpGen(args, root)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/up to date/),
  });

  writeFileSync(join(root, "server/README.md"), "mine\n");
  const edited = await mcpGen(args, root);
  expect(edited).toMatchObject({ code: 1, out: expect.stringMatching(/^ {2}~ README\.md$/m) });
  expect(edited.err).toMatch(/README\.md/);
  expect(readFileSync(join(root, "server/README.md"), "utf8")).toBe("mine\n");
});

test.each([
  ["0.0.1", /^mcp-gen 0\.0\.1 .*: the runtime is older than the generator\.\nTo update both/m],
  ["99.0.0", /^mcp-gen 99\.0\.0 .*not older than this .*: check with that version\.$/m],
])("a folder of mcp-gen %s is reported", async (other, want) => {
  const root = await withPets();
  const args = ["pets.yaml", "-o", "server", "--ci", "github"];
  expect(await mcpGen([...args, "--quiet"], root)).toMatchObject({ code: 0, out: "", err: "" });
  const manifest = join(root, "server/.mcp-gen/manifest.json");
  const text = readFileSync(manifest, "utf8");
  writeFileSync(manifest, text.replace(/"mcp-gen \d[^"]*"/, `"mcp-gen ${other}"`));
  const { code, out } = await mcpGen([...args, "--check"], root);
  expect(code).toBe(1);
  expect(out).toMatch(want);
  expect((await mcpGen(args, root)).out).toMatch(
    other === "0.0.1"
      ? /^Upgraded the project and its runtime from mcp-gen 0\.0\.1 to \d/m
      : /^Generated by mcp-gen \d.* Before, it was 99\.0\.0, which is not older\.$/m,
  );
});

test("newer versions of each package, as Dependabot sets them, are accepted", async () => {
  const root = await withPets();
  const args = ["pets.yaml", "-o", "server"];
  await mcpGen(args, root);
  const path = (name: string): string => join(root, "server", name);
  const texts = ["package.json", "package-lock.json"].map(
    (name) => [name, readFileSync(path(name), "utf8")] as const,
  );
  const entries = texts[0]![1].match(/^ {4}"[^"]+": "\d+\.\d+\.\d+",?$/gm) ?? [];
  expect(entries.length).toBeGreaterThan(5);
  for (const entry of entries) {
    const newer = entry.trim().replace(/\d+"/, '99"');
    for (const [name, text] of texts)
      writeFileSync(path(name), text.replaceAll(entry.trim(), newer));
    expect(await mcpGen([...args, "--check"], root)).toMatchObject({ code: 0, err: "" });
    if (entry !== entries.at(-1)) continue;
    expect((await mcpGen(args, root)).code).toBe(0);
    expect(readFileSync(path("package.json"), "utf8")).toContain(newer);
  }
}, 60_000);

test("an edited file stops the run; --force overwrites it", async () => {
  const root = await withPets();
  const args = ["pets.yaml", "-o", "server"];
  await mcpGen(args, root);
  const before = treeOf(root);
  writeFileSync(join(root, "server/README.md"), "mine\n");
  const refused = await mcpGen(args, root);
  expect(refused).toMatchObject({ code: 4, out: "" });
  expect(refused.err).toMatch(/README\.md.*src\/custom.*--force/);
  expect((await mcpGen([...args, "--force"], root)).code).toBe(0);
  expect(treeOf(root)).toEqual(before);
});

test("--dry-run lists the tools, with and without a folder, and writes nothing", async () => {
  const root = await withPets();
  for (const more of [[], ["-o", "server"]]) {
    const { code, out } = await mcpGen(["pets.yaml", "--dry-run", ...more], root);
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}find_pets {2}GET \/pets, GET \/pets\/\{petId\}$/m);
  }
  const { out } = await mcpGen(["pets.yaml", "--dry-run", "--granularity", "operation"], root);
  expect(out).toMatch(/^ {2}list_pets {2}GET \/pets$/m);
  expect(out).toMatch(/^ {2}get_pet {2}GET \/pets\/\{petId\}$/m);
  expect(treeOf(root)).toEqual({ "pets.yaml": PETS });
});

test("--json prints one object: tools, files and diagnostics", async () => {
  const root = await withPets();
  const { code, out } = await mcpGen(["pets.yaml", "-o", "server", "--json"], root);
  expect(code).toBe(0);
  const result = JSON.parse(out);
  expect(result).toMatchObject({
    ok: true,
    exitCode: 0,
    source: "pets.yaml",
    api: { title: "Pets" },
    operations: 3,
    omitted: [{ operation: "DELETE /pets/{petId}" }],
    files: { updated: [], deleted: [], refused: [] },
  });
  expect(result.tools.map((tool: { operations: string[] }) => tool.operations)).toEqual([
    ["GET /pets", "GET /pets/{petId}"],
  ]);
  expect(result.files.created).toContain("README.md");
});

test("--json of an invalid document has the diagnostics", async () => {
  const root = await withPets({ "a.yaml": "asyncapi: 3.0.0\n" });
  const { code, out } = await mcpGen(["a.yaml", "-o", "server", "--json"], root);
  expect(code).toBe(3);
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    exitCode: 3,
    diagnostics: [{ severity: "error" }],
  });
});

test("the document may come from standard input", async () => {
  const root = scratch();
  expect(await mcpGen(["-", "-o", "server"], root, PETS)).toMatchObject({ code: 0, err: "" });
});

test("no control character of a document reaches the terminal", async () => {
  const evil = "\u001b[2J\u001b]0;pwned\u0007 \u202egnp.exe \u200b\u{e0041}";
  const document = JSON.stringify({
    ...{ openapi: "3.1.0", info: { title: `Evil ${evil}`, version: "1" } },
    paths: {
      [`/a${evil}`]: {
        get: {
          operationId: `x${evil}`,
          tags: [evil],
          summary: evil,
          parameters: [{ name: evil, in: evil }],
          responses: {},
        },
      },
      "/b": { get: { deprecated: true, responses: {} } },
    },
  });
  const root = scratch();
  plant(root, { "a.json": document });
  for (const more of [["--verbose"], ["--json"], ["--dry-run", "--verbose"], ["--strict"]]) {
    const { out, err } = await mcpGen(["a.json", "-o", "server", ...more], root);
    // eslint-disable-next-line no-control-regex
    expect(out + err).not.toMatch(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]|\udb40/,
    );
  }
});

test("the output does not depend on the folder, time zone, language or home directory", async () => {
  const [here, there] = [await withPets(), scratch()];
  mkdirSync(join(there, "deep"));
  const environment = { TZ: "Asia/Tokyo", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", HOME: there };
  await mcpGen(["pets.yaml", "-o", "server"], here);
  await mcpGen([join(here, "pets.yaml"), "-o", "../server"], join(there, "deep"), "", environment);
  expect(treeOf(join(there, "server"))).toEqual(treeOf(join(here, "server")));
  expect(readFileSync(join(there, "server/.mcp-gen/manifest.json"), "utf8")).toBe(
    readFileSync(join(here, "server/.mcp-gen/manifest.json"), "utf8"),
  );
});

test("a closed pipe ends the run without an error", async () => {
  const root = await withPets();
  const child = spawn(
    "bash",
    [
      "-c",
      `"${process.execPath}" "${cli}" pets.yaml --dry-run --json | head -c 1; exit "\${PIPESTATUS[0]}"`,
    ],
    { cwd: root },
  );
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  expect(err).toBe("");
});

test("stdout that is closed from the start is not reported as a defect", async () => {
  const root = await withPets();
  execFileSync("bash", ["-c", `"${process.execPath}" "${cli}" pets.yaml -o server >&-`], {
    cwd: root,
    stdio: "pipe",
  });
  expect(Object.keys(treeOf(join(root, "server")))).toContain("package.json");
});

test("notes are counted, and printed by --verbose", async () => {
  const root = scratch();
  plant(root, {
    "a.yaml": `${PETS}webhooks:\n  born: {post: {responses: {"200": {description: Thanks}}}}\n`,
  });
  const quiet = await mcpGen(["a.yaml", "--dry-run"], root);
  expect(quiet.err).toBe("");
  expect(quiet.out).toMatch(/^ {2}1 note about the document; --verbose prints it$/m);
  const verbose = await mcpGen(["a.yaml", "--dry-run", "--verbose"], root);
  expect(verbose.err).toMatch(/^info: .*webhook.*\[model-webhooks\]$/m);
  expect(verbose.out).not.toMatch(/on what was read/);
});
