/** `mcp-gen eval` as a program. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { runEval } from "../../src/cli/eval/index.js";
import { cli, mcpGen } from "../cli/built.js";
import { plant, scratch } from "../write/tree.js";
import { petsDocument } from "./pets.js";
import { startModel } from "./scripted-model.js";

const TASKS = `- say: Book a visit for Rex on 2027-05-03.
  expect:
    - {tool: list_pets, with: {q: Rex}}
    - {tool: book_visit, with: {petId: pet_1, day: "2027-05-03"}}
- say: Which pets are there?
  expect: [{tool: list_pets}]
`;

let model: Awaited<ReturnType<typeof startModel>> | undefined;

afterEach(async () => {
  await model?.close();
  model = undefined;
});

async function evaluate(
  args: readonly string[],
  tasks: string | undefined = TASKS,
  env: Readonly<Record<string, string>> = {},
) {
  const root = scratch();
  const pets = JSON.stringify(petsDocument());
  plant(root, { "pets.json": pets, ...(tasks !== "" && { "eval.yaml": tasks }) });
  const outcome = await mcpGen(["eval", "pets.json", ...args], root, "", env);
  return { root, read: (file: string) => readFileSync(join(root, file), "utf8"), ...outcome };
}

/** The command in this process, without the start of a program. */
async function evaluateHere(
  args: readonly string[],
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
) {
  const root = scratch();
  plant(root, { "pets.json": JSON.stringify(petsDocument()), ...files });
  const before = process.cwd();
  const written = { out: "", err: "" };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  process.chdir(root);
  try {
    const code = await runEval(["pets.json", ...args], {
      print: (text) => void (written.out += text),
      error: (text) => void (written.err += text),
      paint: (_, text) => text,
    });
    return { code, read: (file: string) => readFileSync(join(root, file), "utf8"), ...written };
  } finally {
    process.chdir(before);
    vi.unstubAllEnvs();
  }
}

test("tasks are checked without a model", async () => {
  const { code, out, err, read } = await evaluate(["--junit", "junit.xml"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^✓ Book a visit for Rex on 2027-05-03\.\n {4}search: list_pets \d/);
  expect(out).toContain("2 of 2 tasks can be done as they stand.\n");
  expect(read("junit.xml")).toContain('<testsuite name="Pets: tasks" tests="2" failures="0">');
});

test("a task that cannot be done fails the run, unless the share is enough", async () => {
  const broken = TASKS.replace("day:", "date:");
  const files = { "eval.yaml": broken };
  const all = await evaluateHere(["--json", "--junit", "junit.xml"], files);
  expect(all.code).toBe(1);
  const { ok, tasks } = JSON.parse(all.out) as { ok: boolean; tasks: { problems: string[] }[] };
  expect({ ok, problems: tasks.map(({ problems }) => problems) }).toEqual({
    ok: false,
    problems: [["book_visit has no input date"], []],
  });
  expect(all.read("junit.xml")).toContain('<failure message="book_visit has no input date">');
  expect(await evaluateHere(["--min", "0.5"], files)).toMatchObject({ code: 0 });
});

test.each<[name: string, args: readonly string[], tasks: string, code: number, error: RegExp]>([
  ["no tasks", [], "", 2, /There is no eval\.yaml in the current folder\..*--draft/],
  ["an empty file", [], "\n", 3, /eval\.yaml/],
  [
    "an unknown key",
    [],
    "- {say: a, expects: [{tool: list_pets}], expect: [{tool: list_pets}]}",
    3,
    /eval\.yaml:1:\d+.*Unknown key `expects`; did you mean expect\?/,
  ],
  ["a missing key", [], "- {say: a}", 3, /it lacks `expect`/],
  ["no YAML", [], "- {say: [", 3, /Not valid YAML/],
  ["a model without a key", ["--model", "openai:m"], TASKS, 2, /Set OPENAI_API_KEY to the key/],
  ["a model without its API", ["--model", "m"], TASKS, 2, /openai:NAME or anthropic:NAME/],
  [
    "a base URL that is not encrypted",
    ["--model", "openai:m", "--base-url", "http://models.example/v1"],
    TASKS,
    2,
    /must be an https: URL, or an http: URL of this machine/,
  ],
  ["a page without a model", ["--html", "x.html"], TASKS, 2, /--html needs --model/],
  [
    "a limit without prices",
    ["--model", "openai:m", "--max-cost", "1"],
    TASKS,
    2,
    /--price IN,OUT/,
  ],
  ["a variant that does not exist", ["--min", "2"], TASKS, 2, /a number from 0 to 1/],
  [
    "a log that says nothing about tasks",
    ["--transcript", "eval.yaml"],
    TASKS,
    2,
    /The transcript has no calls/,
  ],
  [
    "a log and a model",
    ["--transcript", "eval.yaml", "--model", "openai:m"],
    TASKS,
    2,
    /--transcript needs no --model/,
  ],
  [
    "a variant of an unknown kind",
    ["--model", "openai:m", "--base-url", "http://localhost:1/v1", "--compare", "mode=all"],
    TASKS,
    2,
    /--compare: there is no mode all/,
  ],
  ["a command without --record", ["--", "node"], TASKS, 2, /needs --record FILE/],
])("%s is explained in a sentence", async (_, args, tasks, code, error) => {
  const files: Record<string, string> = tasks === "" ? {} : { "eval.yaml": tasks };
  const outcome = await evaluateHere(args, files, { OPENAI_API_KEY: "" });
  expect(outcome.code).toBe(code);
  expect(outcome.err.replaceAll("\n", " ")).toMatch(error);
  expect(outcome.err).not.toMatch(/^ +at /m);
});

test("a draft can be checked as it is", async () => {
  const configuration = `version: 1
tools:
  book_visit:
    operation: bookVisit
    examples: [{say: Book pet_1 on 3 May, call: {petId: pet_1, day: "2027-05-03"}}]
`;
  const { out, code } = await evaluateHere(["--draft"], { "mcp-gen.yaml": configuration });
  expect(code).toBe(0);
  expect(out).toContain("# A draft:");
  expect(out).toMatch(/^- say: Book pet_1 on 3 May$/m);
  expect(await evaluateHere([], { "eval.yaml": out })).toMatchObject({ code: 0 });
});

test("a model works on the tasks, and two servers are compared", async () => {
  model = await startModel("anthropic", [
    { calls: [["list_pets", { q: "Rex" }]] },
    { calls: [["book_visit", { petId: "pet_1", day: "2027-05-03" }]] },
    { text: "Booked <b>it</b>." },
    { text: "None." },
  ]);
  const { code, out, err, read } = await evaluate(
    [
      ...["--model", "anthropic:m", "--base-url", model.url, "--key-env", "MY_KEY"],
      ...["--compare", "mode=discovery", "--html", "page.html", "--min", "0.5"],
    ],
    TASKS,
    { MY_KEY: "sk-9", ANTHROPIC_API_KEY: "sk-other" },
  );
  expect({ code, err: err.split("\n")[0] }).toEqual({
    code: 0,
    err: `Prompts and results of the mock are sent to ${new URL(model.url).origin}.`,
  });
  expect(out).toMatch(/^all +0\.50 +0\.50 +0\.50/m);
  expect(out).toContain("mode=discovery: -0.50 of the tasks done (0 more often, 1 less often");
  expect(new Set(model.requests.map(({ headers }) => headers["x-api-key"]))).toEqual(
    new Set(["sk-9"]),
  );
  const page = read("page.html");
  expect(page).toContain("Booked &lt;b&gt;it&lt;/b&gt;.");
  expect(page).not.toContain("sk-9");
});

const CUSTOM = `import { customToolsFor, ToolError } from "../runtime/index.js";
import type { Hooks } from "../runtime/index.js";
import type { Tools } from "../tools/index.js";

const book = customToolsFor<Tools>()({
  name: "book_by_name",
  title: "Book a visit by the name of a pet",
  description: "Book a visit of a pet by its name.",
  inputSchema: { type: "object", properties: { name: { type: "string" }, day: { type: "string" } }, required: ["name"] },
  run: async ({ name, day }, call) => {
    const { items: [pet] } = await call.tools.list_pets({ q: name });
    if (!pet || !day) throw new ToolError("Ask for the day.");
    return call.tools.book_visit({ petId: pet.id, day });
  },
});

const hooks: Hooks<Tools> = { tools: [book] };
export default hooks;
`;

const CUSTOM_TASKS = `- say: Book a visit by name for Rex on 2027-05-03.
  expect: [{tool: book_by_name, with: {name: Rex, day: "2027-05-03"}}]
  then: [{request: POST /visits, body: {petId: pet_1}, times: 1}]
- say: Book a visit by name for Rex.
  expect: [{tool: book_by_name, with: {name: Rex}, fails: Ask for the day}]
- say: Which pets are there?
  expect: [{tool: list_pets}]
`;

test("npm run eval of a project tests its custom tools", async () => {
  const root = scratch();
  const configuration = "version: 1\nspec: pets.json\noutput: server\n";
  const files = { "pets.json": JSON.stringify(petsDocument()), "mcp-gen.yaml": configuration };
  plant(root, { ...files, "eval.yaml": CUSTOM_TASKS });
  expect(await mcpGen(["--quiet"], root)).toMatchObject({ code: 0 });
  const project = join(root, "server");
  plant(project, { "src/custom/index.ts": CUSTOM });
  const { scripts } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const [npx, yes, program, ...args] = scripts.eval!.split(" ");
  expect([npx, yes, program]).toEqual(["npx", "--yes", expect.stringMatching(/^mcp-gen@\d/)]);
  const { code, out, err } = await mcpGen(args, project);
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("mcp-gen.yaml") });
  expect(out).toMatch(
    /^✓ Book a visit by name for Rex on 2027-05-03\.\n {4}search: book_by_name 1$/m,
  );
  expect(out).toContain("3 of 3 tasks can be done as they stand.");
});

test("a project without a configuration above it is explained in a sentence", async () => {
  const { code, err } = await evaluateHere(["--project", "."], { "eval.yaml": TASKS });
  expect({ code, err }).toMatchObject({
    code: 2,
    err: expect.stringContaining("No mcp-gen.yaml above . has it as its output."),
  });
});

test("a log of another agent is judged without a server and a document", async () => {
  const log = [
    { task: 1, name: "list_pets", args: { q: "Rex" } },
    { task: 1, name: "book_visit", args: { petId: "pet_1", day: "2027-05-04" }, text: "<b>ok</b>" },
    { task: 2, name: "list_pets", args: {} },
  ];
  const lines = log.map((entry) => JSON.stringify(entry)).join("\n");
  const args = ["--transcript", "log.jsonl", "--html", "page.html", "--junit", "junit.xml"];
  const { code, out, read } = await evaluateHere(args, { "eval.yaml": TASKS, "log.jsonl": lines });
  expect({ code, out }).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^all +0\.50 +1\.00/m),
  });
  expect(out).toContain("✗ Book a visit for Rex on 2027-05-03. (2 calls)");
  expect(read("page.html")).toContain("&lt;b&gt;ok");
  expect(read("junit.xml")).toContain('tests="2" failures="1"');
});

/** Options for a model on loopback. */
const scripted = (...more: readonly string[]) => [
  ...["--model", "openai:m", "--base-url", model!.url, "--key-env", "MY_KEY", ...more],
];

const LIST = `- say: Which pets are there?
  expect: [{tool: list_pets}]
  never: [delete_*]
`;

test.each<[name: string, variant: string, line: RegExp]>([
  [
    "another configuration",
    "other.yaml",
    /^other\.yaml: -1\.00 of the tasks done \(0 more often, 1/m,
  ],
  [
    "one tool per operation",
    "granularity=operation",
    /^granularity=operation: -1\.00 of the tasks/m,
  ],
])("a server is compared with %s", async (_, variant, line) => {
  const list = { calls: [["list_pets", {}] as const] };
  const [end, other] = [{ text: "Rex." }, { calls: [["delete_pet", { petId: "x" }] as const] }];
  model = await startModel("openai", [list, end, list, end, other, end, other, end]);
  const files = {
    "eval.yaml": LIST,
    "other.yaml": "version: 1\nspec: pets.json\nbudget: {tools: 3}\n",
  };
  const args = scripted("--repeat", "2", "--compare", variant, "--junit", "junit.xml");
  const { code, out, read } = await evaluateHere(args, files, { MY_KEY: "k" });
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(line) });
  expect(out).toMatch(/^all +0\.00 .* 2 +200 +20$/m);
  expect(read("junit.xml")).toContain('tests="1" failures="0"');
});

test.each<[name: string, args: readonly string[], requests: number, reason: RegExp]>([
  ["turns", ["--max-turns", "2"], 4, /The limit of 2 turns was reached/],
  ["tokens", ["--max-tokens", "1000"], 20, /The limit of 1000 tokens was reached/],
  [
    "money, also over two runs",
    ["--max-cost", "0.001", "--price", "3,15", "--compare", "mode=discovery", "--max-turns", "3"],
    3,
    /mode=discovery:[^]*The limit of 0\.001 was spent/,
  ],
])("a run ends at its limit of %s", async (_, args, requests, reason) => {
  const list = { calls: [["list_pets", {}] as const] };
  model = await startModel(
    "openai",
    Array.from({ length: 30 }, () => list),
  );
  const { code, out } = await evaluateHere(
    scripted(...args),
    { "eval.yaml": LIST + LIST },
    { MY_KEY: "k" },
  );
  expect({ code, out }).toMatchObject({ code: 1, out: expect.stringMatching(reason) });
  expect(model.requests).toHaveLength(requests);
});

test("a key is not sent to another origin than its own", async () => {
  model = await startModel("openai", []);
  const files = { "eval.yaml": TASKS };
  await evaluateHere(["--model", "openai:m", "--base-url", model.url], files, {
    OPENAI_API_KEY: "sk-own",
  });
  expect(model.requests.length).toBeGreaterThan(0);
  expect(model.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
});

/** A server that answers every request. */
const SERVER = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, params } = JSON.parse(line);
  const isError = params.name === "fail";
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [], isError } }));
});`;

test("the calls of a conversation become a task", async () => {
  const root = scratch();
  plant(root, { "server.cjs": SERVER, "eval.yaml": TASKS });
  const args = ["eval", "--record", "eval.yaml", "--say", "Find Rex", "--", process.execPath];
  const child = spawn(process.execPath, [cli, ...args, "server.cjs"], { cwd: root });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  const call = (id: number, name: string, input: object): void => {
    const params = { name, arguments: input };
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`);
  };
  call(1, "search_tools", { query: "pets" });
  call(2, "list_pets", { q: "Rex", api_key: "k" });
  call(3, "fail", {});
  child.stdin.end();
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(0);
  expect(out.trim().split("\n")).toHaveLength(3);
  const recorded = readFileSync(join(root, "eval.yaml"), "utf8");
  expect(recorded.slice(TASKS.length)).toBe(
    `- say: Find Rex\n  expect:\n    - tool: list_pets\n      with:\n        q: Rex\n        api_key: "*"\n  ordered: true\n`,
  );
});
