/** Every command with the documents of several APIs, in this process. */
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { Validator } from "@cfworker/json-schema";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { runProgram } from "../../src/cli/run.js";
import { billing, crm, mail, stock } from "../apis/documents.js";
import { plant, scratch } from "../write/tree.js";

const clinic = resolve("samples/clinic/openapi.yaml");
const before = process.cwd();
const root = scratch();

const documents = {
  "billing.json": JSON.stringify(billing),
  "crm.json": JSON.stringify(crm),
  "stock.json": JSON.stringify(stock),
  "mail.json": JSON.stringify(mail),
};

async function run(...args: readonly string[]) {
  const written = { out: "", err: "" };
  const code = await runProgram(args, {
    print: (text) => void (written.out += text),
    error: (text) => void (written.err += text),
    paint: (_, text) => text,
  });
  return { code, ...written };
}

beforeAll(async () => {
  plant(root, documents);
  process.chdir(root);
  await run("billing.json", "people=crm.json", "-o", "two");
  await run("billing.json", "-o", "one");
});
beforeEach(() => plant(root, documents));
afterAll(() => process.chdir(before));

test.each<[given: string, code: number, wanted: string | RegExp]>([
  // The documents of one server are one side; two documents are two sides.
  ["billing.json people=crm.json -o two", 0, "No changes for agents.\n"],
  ["two billing.json people=crm.json", 0, "No changes for agents.\n"],
  ["--against two billing.json people=crm.json", 0, "No changes for agents.\n"],
  ["billing.json people=crm.json mail.json -o two", 0, "send_message (mail): Added, with"],
  [
    "billing.json mail.json -o two",
    0,
    /people_list_users \(people\): Removed[^]*send_message \(mail\): Added/,
  ],
  [
    "billing.json people=crm.json stock.json -o one --fail-on breaking",
    1,
    "get_level (stock): Added",
  ],
  [
    "billing.json people=crm.json mail.json -o two --format markdown",
    0,
    "- `send_message` (mail): ",
  ],
  [
    "billing.json people=crm.json mail.json -o two --format github",
    0,
    "send_message (mail) (additive)",
  ],
  ["billing.json people=crm.json mail.json -o two --format json", 0, /"apis": \[\s+"mail"\s+\]/],
  ["billing.json mail.json", 0, /find_invoices: Removed[^]*send_message: Added/],
  ["billing.json two mail.json", 2, "Only documents of several APIs are one side together."],
  ["billing.json mail.json stock.json", 2, "Give the old side"],
])("mcp-gen diff %s", async (given, code, wanted) => {
  const result = await run("diff", ...given.split(" "));
  expect(result.out + result.err).toMatch(wanted);
  expect(result.code).toBe(code);
});

test.each<[given: string, wanted: string]>([
  ["billing.json billing.json", '"billing.json" is given twice, and both of its APIs are called'],
  ["x=billing.json x=crm.json", 'Two APIs are called x: "billing.json" and "crm.json". Give them'],
  ["billing.json missing.json", "missing.json: The file does not exist."],
  ["Crm=crm.json billing.json", '"Crm" is not a name of an API. Use at most 24 lower-case letters'],
  ["1x=crm.json", '"1x" is not a name of an API. Use at most 24 lower-case letters, digits and _'],
  ["my-crm=https://a.example/x.json", '"my-crm" is not a name of an API. Use at most 24'],
  ["billing.json crm.json --only-api shop", 'no API "shop". The APIs are billing, crm.'],
  [
    "billing.json billing_users=mail.json",
    'a toolset "billing_users". Give one of the APIs another',
  ],
])("mcp-gen %s says what to do, and writes nothing", async (given, wanted) => {
  const { code, out, err } = await run(...given.split(" "), "-o", "none");
  expect(out + err).toContain(wanted);
  expect(code).toBeGreaterThan(0);
  expect(existsSync("none")).toBe(false);
});

test("equal operations of two APIs count apart, and have the texts of their own", async () => {
  const both = ["billing.json", "people=crm.json"];
  expect((await run(...both, "-o", "counted", "--dry-run")).out).toContain(": 5 operations → ");
  expect((await run("plan", ...both)).out).toContain(": 5 operations → ");
  const { out } = await run("report", ...both, "--json");
  const report = JSON.parse(out) as ReturnType<typeof JSON.parse>;
  const rows = report.operations as { operation: string; tools: string[] }[];
  expect(rows.filter(({ operation }) => operation.endsWith("GET /users"))).toMatchObject([
    { operation: "billing GET /users", tools: ["billing_list_users"] },
    { operation: "people GET /users", tools: ["people_list_users"] },
  ]);
  const [tool] = report.tools.filter(({ name }: { name: string }) => name === "billing_list_users");
  expect(tool.derivedFrom[0]).toMatchObject({
    operation: "billing GET /users",
    text: "List users",
  });
});

test("a document whose path looks like an invalid name is read", async () => {
  plant(root, { "A=b.json": documents["crm.json"] });
  expect((await run("A=b.json", "-o", "odd")).code).toBe(0);
});

test("mcp-gen schema has the names of each API below it, and accepts what is valid", async () => {
  const { code, out } = await run("schema", "billing.json", "people=crm.json");
  expect(code).toBe(0);
  const schema = JSON.parse(out) as ReturnType<typeof JSON.parse>;
  const { apis, links, budget } = schema.properties;
  const tools = apis.properties.billing.properties.tools.properties;
  expect(Object.keys(tools)).toEqual(["find_invoices", "billing_list_users"]);
  expect(tools.find_invoices.properties.operation.anyOf[0].enum).toContain("listInvoices");
  expect(Object.keys(apis.properties.people.properties.tools.properties)).toEqual([
    "people_list_users",
    "create_user",
  ]);
  expect(links.items.properties.input.anyOf[0].enum).toContain("find_invoices.customer");
  expect(budget.properties.listed.items.anyOf[0].enum).toContain("create_user");
  for (const [text, isValid] of [
    ["apis: {billing: {spec: a, tools: {find_invoices: {operation: other}}}}", true],
    ["apis: {billing: {spec: a, tools: {find_invoices: {operations: other}}}}", false],
    ["apis: {billing: {spec: a, tool: {}}}", false],
  ] as const)
    expect(new Validator(schema).validate(parse(`version: 1\n${text}`)).valid, text).toBe(isValid);
});

test("a proposal gives the same tools, with the links and the rules of workflows", async () => {
  const folder = join(root, "deliveries");
  for (const name of ["orders.yaml", "courier.yaml", "redirect.arazzo.yaml", "mcp-gen.yaml"])
    plant(folder, { [name]: readFileSync(join(before, "samples/deliveries", name), "utf8") });
  appendFileSync(
    join(folder, "mcp-gen.yaml"),
    "tools: {send_order: {workflow: redirect-order, title: Send an order elsewhere}}\n",
  );
  process.chdir(folder);
  const generated = await run("-o", "server");
  const proposal = (await run("plan")).out;
  writeFileSync("mcp-gen.yaml", proposal);
  const again = await run("diff", "-o", "server");
  process.chdir(root);
  expect([generated.code, again.code, again.out]).toEqual([0, 0, "No changes for agents.\n"]);
  expect(parse(proposal)).toMatchObject({
    links: [{ input: "get_parcel.trackingNumber", from: "find_orders.trackingNumber" }, {}],
    tools: { send_order: { workflow: "redirect-order", title: "Send an order elsewhere" } },
  });
});

test("drafts of workflows name the API of each step, and are workflows of the server", async () => {
  const { code } = await run("plan", "--workflows", "crm.json", clinic, "-o", "tasks.yaml");
  expect(code).toBe(0);
  const drafts = readFileSync("tasks.yaml", "utf8");
  expect(drafts).toContain("- {name: crm, type: openapi, url: ./crm.json}");
  expect(drafts).toContain('operationId: "$sourceDescriptions.maplewood_clinic.bookVisit"');
  const used = await run("crm.json", clinic, "--workflow", "tasks.yaml", "--dry-run");
  expect(used.out).toContain("book_visit_and_add_visit_document");
  expect(used.code).toBe(0);
});

/** People who have a badge, and doors that take its number. */
const people = `openapi: 3.1.0
info: {title: People, version: '1'}
servers: [{url: https://people.example}]
paths:
  /people:
    get:
      operationId: listPeople
      parameters: [{name: name, in: query, schema: {type: string}}]
      responses: {'200': {description: OK, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}, name: {type: string}, badge: {type: string}}}}}}}}
`;
const doors = `openapi: 3.1.0
info: {title: Doors, version: '1'}
servers: [{url: https://doors.example}]
paths:
  /doors/{holder}/open:
    post:
      operationId: openDoor
      summary: Open the door for a holder
      parameters: [{name: holder, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: OK}}
`;

test("drafts of workflows go from one API to another where links says so, by its field", async () => {
  const configuration = (link: string): string =>
    `version: 1\napis: {people: {spec: people.yaml}, doors: {spec: doors.yaml}}\n${link}`;
  const link = "links: [{input: open_door.holder, from: list_people.badge}]\n";
  plant(root, { "people.yaml": people, "doors.yaml": doors, "none.yaml": configuration("") });
  plant(root, { "linked.yaml": configuration(link) });
  expect((await run("plan", "--workflows", "-c", "none.yaml")).err).toContain("No drafts");
  const { out } = await run("plan", "--workflows", "-c", "linked.yaml");
  expect(out).toContain("outputs: {id: $response.body#/0/badge}");
  expect(out).toContain('operationId: "$sourceDescriptions.people.listPeople"');
  expect(out).toContain('operationId: "$sourceDescriptions.doors.openDoor"');
  plant(root, { "linked.arazzo.yaml": out });
  const used = await run("-c", "linked.yaml", "--workflow", "linked.arazzo.yaml", "--dry-run");
  expect(used).toMatchObject({ code: 0 });
  expect(used.out).toContain("open_door_by_name");
});

test("mcp-gen eval drafts tasks with the samples of each API", async () => {
  const { code, out } = await run("eval", "--draft", "billing.json", "people=crm.json");
  expect(code).toBe(0);
  const tools = (parse(out) as { expect: { tool: string }[] }[]).flatMap((task) => task.expect);
  expect(tools.map(({ tool }) => tool)).toEqual(
    expect.arrayContaining(["find_invoices", "billing_list_users", "create_user"]),
  );
});

test("a single document with the name of an API is a server of several with one so far", async () => {
  const { code } = await run("people=crm.json", "-o", "first");
  expect(code).toBe(0);
  expect(readdirSync("first/src/apis")).toContain("people");
  const { out } = await run("diff", "people=crm.json", "-o", "first");
  expect(out).toBe("No changes for agents.\n");
  // A second one changes nothing of the first.
  const added = await run("diff", "people=crm.json", "stock.json", "-o", "first");
  expect(added.out).toContain("get_level (stock): Added");
  expect(added.out).not.toContain("list_users");
  expect((await run("unknown=crm.yaml", "-o", "first")).err).toContain("crm.yaml");
});

test("the runtime as a package, and deployments, are those of the server of all APIs", async () => {
  const both = ["billing.json", "people=crm.json"];
  const { code } = await run(
    ...both,
    "-o",
    "packaged",
    "--runtime",
    "package",
    "--deploy",
    "compose,kubernetes",
  );
  expect(code).toBe(0);
  const { dependencies } = JSON.parse(readFileSync("packaged/package.json", "utf8"));
  expect(dependencies).toHaveProperty("mcp-gen-runtime");
  expect(readdirSync("packaged/src/apis").filter((name) => !name.includes("."))).toEqual([
    "billing",
    "people",
  ]);
  for (const file of ["kubernetes.yaml", ".env.example"]) {
    const text = readFileSync(`packaged/${file}`, "utf8");
    expect(text, file).toContain("APIS_BILLING_API_KEY");
    expect(text, file).toContain("APIS_PEOPLE_TOKEN");
  }
});

test.each([
  // The old name of a tool that clashes names no tool of the server.
  [
    "links: [{input: find_invoices.customer, from: list_users.id}]",
    "list_users",
    "people_list_users",
  ],
  ["links: [{input: find_invoices.customer, from: crm_list_users.id}]", "crm_list_users", ""],
  ["select: {rules: [{match: {method: GET}, include: false}]}", "select", "billing, people"],
])("%s does not say of which API", async (line, part, other) => {
  const apis = "apis: {billing: {spec: ./billing.json}, people: {spec: ./crm.json}}";
  plant(root, { "mcp-gen.yaml": `version: 1\n${apis}\n${line}\n` });
  const { code, err } = await run("--config", "mcp-gen.yaml", "--dry-run", "-o", "linked");
  rmSync("mcp-gen.yaml");
  expect(code).not.toBe(0);
  expect(err).toContain(part);
  expect(err).toContain(other);
});

test("--only-api regenerates one API", async () => {
  const both = ["billing.json", "people=crm.json", "-o", "two"];
  const rename = (text: string): string => text.replace("List users", "List all users");
  plant(root, { "crm.json": rename(documents["crm.json"]) });
  const other = await run(...both, "--only-api", "billing");
  expect(other).toMatchObject({
    code: 4,
    err: expect.stringContaining("of people would change, too"),
  });
  const own = await run(...both, "--only-api", "people");
  expect(own.code).toBe(0);
  const changed = readdirSync("two/src/apis/people/tools", { recursive: true, encoding: "utf8" });
  const tool = changed.find((path) => path.endsWith("people_list_users.ts")) ?? "";
  expect(readFileSync(`two/src/apis/people/tools/${tool}`, "utf8")).toContain("List all users");
  const unknown = await run(...both, "--only-api", "peeple");
  expect(unknown.err).toContain('There is no API "peeple"; did you mean people?');
  const alone = await run("billing.json", "-o", "one", "--only-api", "billing");
  expect(alone.code).toBe(2);
});

test("mcp-gen init writes apis, which the next run reads", async () => {
  const home = scratch();
  plant(home, documents);
  process.chdir(home);
  try {
    const first = await run(
      ..."init billing.json people=crm.json --yes --name acme-mcp-server".split(" "),
      ..."--toolsets people --set ACME_BILLING_API_KEY=k --host claude-code".split(" "),
    );
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining("ACME_PEOPLE_TOKEN") });
    expect(first.out).not.toContain("ACME_BILLING_API_KEY");
    expect(parse(readFileSync("mcp-gen.yaml", "utf8"))).toEqual({
      version: 1,
      output: "./server",
      name: "acme-mcp-server",
      apis: { billing: { spec: "billing.json" }, people: { spec: "crm.json" } },
    });
    expect(readFileSync("server/.env", "utf8")).toMatch(/^ACME_BILLING_API_KEY=k$/m);
    expect(await run()).toMatchObject({ code: 0 });
    expect(await run("init", "people=crm.json", "billing.json", "--yes")).toMatchObject({
      code: 0,
    });
    const other = await run("init", "billing.json", "mail.json", "--yes");
    expect(other).toMatchObject({
      code: 2,
      err: expect.stringContaining("configures the APIs billing, people"),
    });
    const base = ["init", "--yes", "--base-url", "https://a.test", "billing.json", "crm.json"];
    expect((await run(...base)).code).toBe(2);
  } finally {
    process.chdir(root);
  }
});
