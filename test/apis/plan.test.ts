/** Several APIs in one server: planned alone, joined after. */
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { compareLocks, readLock } from "../../src/diff/index.js";
import { readConfiguration } from "../../src/configuration/index.js";
import { generate } from "../../src/generate.js";
import { type ApiSource, generateApis } from "../../src/generate-apis.js";
import type { ToolPlan } from "../../src/plan/index.js";
import { tryServer } from "../../src/try/index.js";
import { billing, crm, mail, stock, writeDocuments } from "./documents.js";

const broken = { ...mail, paths: { "/messages": { $ref: "#/paths/nothing" } } };
/** A workflow that reads users of crm, and then a level of stock. */
const tasks = `arazzo: 1.0.1
info: {title: Tasks, version: 1.0.0}
sourceDescriptions:
  - {name: people, url: ./crm.json, type: openapi}
  - {name: stock, url: ./stock.json, type: openapi}
workflows:
  - workflowId: check-level
    inputs: {type: object, properties: {sku: {type: string}}, required: [sku]}
    steps:
      - {stepId: users, operationId: $sourceDescriptions.people.listUsers}
      - stepId: level
        operationId: $sourceDescriptions.stock.getLevel
        parameters: [{name: sku, in: path, value: $inputs.sku}]
        outputs: {level: $response.body#/level}
    outputs: {level: $steps.level.outputs.level}
`;
const invalid = "openapi: 3.0.0\ninfo: [\n";
const files = writeDocuments({
  "billing.json": billing,
  "crm.json": crm,
  "stock.json": stock,
  "mail.json": mail,
  "invalid.yaml": invalid,
  "broken.json": broken,
  "apis.yaml": [
    "version: 1",
    "name: acme-mcp-server",
    "granularity: operation",
    "server: {title: Acme, followPages: false}",
    "apis:",
    "  shop:",
    "    spec: ./billing.json",
    "    baseUrl: https://shop.test",
    "    server: {headers: {X-Shop: {env: SHOP_HEADER}}}",
    "    tools: {list_users: {title: People of the shop}, nothing: {title: No tool}}",
    "  crm: {spec: ./crm.json, granularity: task, select: {rules: [{match: {method: POST}, include: false}]}}",
  ].join("\n"),
  "tasks.arazzo.yaml": tasks,
  "across.yaml": [
    "version: 1",
    "workflows: [./tasks.arazzo.yaml]",
    "apis:",
    "  crm: {spec: ./crm.json, select: {rules: [{match: {method: GET}, include: false}]}}",
    "  stock: {spec: ./stock.json}",
  ].join("\n"),
  "misplaced.yaml":
    "version: 1\nspec: ./crm.json\nserver: {headers: {X-A: b}}\nparameters: {a: {hide: true}}\n" +
    "select: {rules: [{match: {method: GET}, include: false}]}\ntools: {list_users: {title: All}}\n" +
    "apis: {crm: {spec: ./crm.json, server: {name: crm, title: CRM, runSteps: true}}}\n",
});
afterAll(files.remove);

const sources = (...names: readonly string[]): readonly ApiSource[] =>
  names.map((text) => {
    const [name, file = name] = text.split("=");
    return { source: files.path(file!), ...(text.includes("=") && { name: name! }) };
  });

async function planOf(...names: readonly string[]): Promise<ToolPlan> {
  const { plan, diagnostics } = await generateApis(sources(...names), undefined, {
    planOnly: true,
  });
  if (!plan) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return plan;
}

const namesOf = ({ tools }: ToolPlan): readonly string[] =>
  tools.map(({ definition }) => definition.name);

test("each API's tools are, definition by definition, those that it has alone", async () => {
  const joined = await planOf("billing.json", "crm.json", "stock.json");
  const renamed = new Map([
    ["billing_list_users", "list_users"],
    ["crm_list_users", "list_users"],
  ]);
  for (const file of ["billing.json", "crm.json", "stock.json"]) {
    const { plan: alone } = await generate(files.path(file), undefined, { planOnly: true });
    const api = file.replace(".json", "");
    const own = joined.tools.filter(({ definition }) => definition.api === api);
    const listed = own.map(({ definition }) => {
      const { name, title, description, annotations, inputSchema, outputSchema } = definition;
      const wanted = renamed.get(name) ?? name;
      return { name: wanted, title, description, annotations, inputSchema, outputSchema };
    });
    expect(listed).toEqual(
      alone!.tools.map(({ definition }) => {
        const { name, title, description, annotations, inputSchema, outputSchema } = definition;
        return { name, title, description, annotations, inputSchema, outputSchema };
      }),
    );
  }
});

test("a name that two APIs have gets the name of the API, and no other name changes", async () => {
  expect(namesOf(await planOf("billing.json", "crm.json", "stock.json"))).toEqual([
    "find_invoices",
    "billing_list_users",
    "crm_list_users",
    "create_user",
    "get_level",
  ]);
});

test("an API that is added, removed or moved renames nothing of the others", async () => {
  const three = await planOf("billing.json", "crm.json", "stock.json");
  const four = await planOf("mail.json", "stock.json", "crm.json", "billing.json");
  const others = (plan: ToolPlan) => namesOf(plan).filter((name) => name !== "send_message");
  expect([...others(four)].sort()).toEqual([...namesOf(three)].sort());
  const variables = ({ environment }: ToolPlan) => environment.map(({ name }) => name).sort();
  expect(variables(four)).toEqual([...variables(three), "APIS_MAIL_BASE_URL"].sort());
  const alone = await planOf("stock.json", "crm.json");
  expect(namesOf(alone)).toEqual(["get_level", "list_users", "create_user"]);
});

test("a workflow across APIs is a tool of the server, and its steps are requests of its APIs", async () => {
  const { configuration } = await readConfiguration(files.path("across.yaml"));
  const apis = configuration!.apis!.map(({ name, configuration: own }) => ({
    name,
    source: own.settings.spec!,
    configuration: own,
  }));
  const { plan, diagnostics } = await generateApis(apis, undefined, {
    configuration: configuration!,
    planOnly: true,
  });
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect(plan!.tools.map(({ definition: { name, api, toolset } }) => [name, api, toolset])).toEqual(
    [
      ["create_user", "crm", "crm"],
      ["get_level", "stock", "stock"],
      ["check_level", undefined, "workflows"],
    ],
  );
  const { steps } = plan!.workflows![0]!;
  expect(steps.map(({ api, definition }) => [api, definition.tool])).toEqual([
    ["crm", undefined],
    ["stock", "get_level"],
  ]);
  // No API of its own: the variables are those of the APIs.
  expect(plan!.environment.map(({ name }) => name)).toEqual([
    "APIS_CRM_BASE_URL",
    "APIS_CRM_TOKEN",
    "APIS_STOCK_BASE_URL",
    "APIS_STOCK_USERNAME",
    "APIS_STOCK_PASSWORD",
  ]);
  expect(Object.keys(plan!.api.apis!)).toEqual(["crm", "stock"]);
});

test("an API must not have the name of the toolset of the workflows", async () => {
  const { ok, diagnostics } = await generateApis(
    sources("workflows=crm.json", "stock.json"),
    undefined,
    { planOnly: true, workflows: [files.path("tasks.arazzo.yaml")] },
  );
  expect(ok).toBe(false);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
    { code: "apis-clash", message: expect.stringContaining("that of the workflows") as string },
  ]);
});

test("toolsets and variables have the name of the API", async () => {
  const plan = await planOf("billing.json", "people=crm.json");
  expect(plan.toolsets.map(({ name, title }) => [name, title])).toEqual([
    ["billing_invoices", "Billing API: Invoices"],
    ["billing_users", "Billing API: Users"],
    ["people", "CRM Service"],
  ]);
  expect(plan.environment.map(({ name }) => name)).toEqual([
    "APIS_BILLING_BASE_URL",
    "APIS_BILLING_API_KEY",
    "APIS_PEOPLE_BASE_URL",
    "APIS_PEOPLE_TOKEN",
  ]);
});

test("invalid combinations of APIs are reported, and nothing is written", async () => {
  const cases: readonly (readonly [readonly string[], string, string])[] = [
    [["billing.json", "billing.json"], "apis-same-name", "is given twice"],
    [["billing=crm.json", "billing.json"], "apis-same-name", "Two APIs are called billing"],
    [["a=crm.json", "a_1=stock.json", "a1=mail.json"], "apis-clash", "prefix of the variables"],
    [["billing.json", "billing_users=mail.json"], "apis-clash", 'a toolset "billing_users"'],
    [["a=crm.json", "missing.json"], "load-not-found", "The file does not exist"],
  ];
  for (const [names, code, message] of cases) {
    const result = await generateApis(sources(...names), files.path("out"));
    expect(result.ok, names.join()).toBe(false);
    expect(result.written).toBeUndefined();
    expect(result.diagnostics.find((one) => one.code === code)?.message).toContain(message);
  }
});

test("advice about one API names its keys, as options do not say of which", async () => {
  const { servers: _, ...withoutServer } = stock;
  const folder = writeDocuments({
    "stock.json": withoutServer,
    "empty.json": { ...stock, info: { title: "Empty", version: "1" }, paths: {} },
  });
  const hints = await Promise.all(
    ["stock.json", "empty.json"].map(async (name) => {
      const { diagnostics } = await generateApis(
        [...sources("billing.json"), { source: folder.path(name) }],
        undefined,
      );
      return diagnostics.map(({ hint = "" }) => hint);
    }),
  );
  folder.remove();
  expect(hints.flat()).toContain(
    "Set apis: {stock: {baseUrl: https://\u2026}} in mcp-gen.yaml to fix it now.",
  );
  expect(hints.flat().join(" ")).not.toMatch(/--(?:base-url|only|skip)/);
});

test("an unreadable document stops the run, and the findings of the others are reported", async () => {
  const result = await generateApis(sources("invalid.yaml", "broken.json"), files.path("out"));
  expect(result.ok).toBe(false);
  expect(result.plan).toBeUndefined();
  const found = result.diagnostics.map(({ code, location }) => [code, location?.file]);
  expect(found).toContainEqual(["load-syntax", files.path("invalid.yaml")]);
  expect(found.some(([, file]) => file === files.path("broken.json"))).toBe(true);
});

test("the same document under two names is two APIs, with a warning", async () => {
  const { plan, ok, diagnostics } = await generateApis(
    sources("eu=crm.json", "us=crm.json"),
    undefined,
    { planOnly: true },
  );
  expect(ok).toBe(true);
  expect(namesOf(plan!)).toEqual([
    "eu_list_users",
    "eu_create_user",
    "us_list_users",
    "us_create_user",
  ]);
  expect(diagnostics.map(({ code }) => code)).toContain("apis-same-document");
});

/** Changes of the tools that list users. */
const outlineOf = (changes: ReturnType<typeof compareLocks>): readonly string[] =>
  changes
    .filter(({ tool }) => tool.endsWith("list_users"))
    .map(({ tool, message }) => `${tool}: ${message}`);

test("the lock says to which API a tool belongs, and the diff what an added API changes", async () => {
  const lockWith = (name: string) =>
    lockOfApis([
      ...sources("billing.json", "stock.json"),
      { name, source: files.path("crm.json") },
    ]);
  const lockOf = (...names: readonly string[]) => lockOfApis(sources(...names));
  const lockOfApis = async (apis: Parameters<typeof generateApis>[0]) => {
    const { files: generated } = await generateApis(apis, undefined);
    const lock = readLock(generated!.find(({ path }) => path === "mcp-gen.lock.json")!.content);
    if (typeof lock !== "object") throw new Error(lock);
    return lock;
  };
  const before = await lockOf("billing.json", "stock.json");
  const added = compareLocks(before, await lockOf("billing.json", "stock.json", "mail.json"));
  expect(added.map((one) => one.class)).not.toContain("breaking");
  expect(JSON.stringify(added)).toContain("send_message");
  const clashing = compareLocks(before, await lockOf("billing.json", "stock.json", "crm.json"));
  expect(clashing.filter((one) => one.class === "breaking").map(({ tool }) => tool)).toEqual([
    "billing_list_users",
  ]);
  // The operation that both have is that of its own API, also if the name of the other comes first.
  const accounts = await lockWith("accounts");
  expect(outlineOf(compareLocks(before, accounts))).toEqual([
    "accounts_list_users: Added, with the operation `GET /users`.",
    "billing_list_users: Renamed from `list_users`.",
  ]);
  expect(outlineOf(compareLocks(accounts, before))).toEqual([
    "accounts_list_users: Removed, with its operation `GET /users`.",
    "list_users: Renamed from `billing_list_users`.",
  ]);
  expect(outlineOf(compareLocks(accounts, await lockWith("clients")))).toEqual([
    "clients_list_users: Renamed from `accounts_list_users`.",
  ]);
  const { files: generated } = await generateApis(sources("stock.json", "billing.json"), undefined);
  const { files: others } = await generateApis(sources("billing.json", "stock.json"), undefined);
  // The order of APIs changes nothing for agents, and no file of an API.
  const own = (all: typeof generated) => all!.filter(({ path }) => /apis\/|lock\.json/.test(path));
  expect(own(generated)).toEqual(own(others));
  const moved = compareLocks(before, await lockOf("stock.json", "billing.json"));
  expect(moved).toEqual([]);
  const elsewhere = { ...stock, servers: [{ url: "https://evil.example" }] };
  const other = writeDocuments({ "stock.json": elsewhere });
  const { files: changed } = await generateApis(
    [...sources("billing.json"), { source: other.path("stock.json") }],
    undefined,
  );
  other.remove();
  const now = readLock(changed!.find(({ path }) => path === "mcp-gen.lock.json")!.content);
  expect(compareLocks(before, now as typeof before)).toMatchObject([
    {
      class: "breaking",
      tool: "the API stock",
      message: "Credentials now go to `https://evil.example` instead of `https://stock.example`.",
    },
  ]);
});

test("a changed document changes the files of its API, and those about the whole server", async () => {
  const changed = JSON.parse(JSON.stringify(stock).replace("level of stock", "amount of stock"));
  const folder = writeDocuments({ "stock.json": changed as object });
  const filesOf = async (at: string) =>
    (await generateApis([...sources("crm.json"), { source: at }], undefined)).files!;
  const before = await filesOf(files.path("stock.json"));
  const after = await filesOf(folder.path("stock.json"));
  folder.remove();
  const contents = new Map(before.map(({ path, content }) => [path, content]));
  expect(after).toHaveLength(before.length);
  expect(
    after.filter(({ path, content }) => contents.get(path) !== content).map(({ path }) => path),
  ).toEqual([
    "README.md",
    "SKILL.md",
    "manifest.json",
    "mcp-gen.lock.json",
    "src/apis/stock/tools/levels/get_level.ts",
  ]);
});

test("files of removed tools and of a removed API are deleted", async () => {
  const { post } = crm.paths["/users"];
  const folder = writeDocuments({ "crm.json": { ...crm, paths: { "/users": { post } } } });
  const out = folder.path("server");
  const run = (...names: readonly string[]) => generateApis(sources(...names), out);
  await run("crm=crm.json", "stock=stock.json", "mail=mail.json");
  const source = folder.path("crm.json");
  const fewer = await generateApis(
    [{ name: "crm", source }, ...sources("stock=stock.json", "mail=mail.json")],
    out,
    { onlyApi: "crm" },
  );
  expect(fewer.written?.deleted).toEqual(["src/apis/crm/tools/people/list_users.ts"]);
  const without = await generateApis([{ name: "crm", source }, ...sources("mail=mail.json")], out);
  expect(without.written?.deleted.filter((path) => !path.includes("stock"))).toEqual([]);
  expect(without.written?.deleted).toEqual(
    expect.arrayContaining(["src/apis/stock/api.ts", "test/apis/stock.json"]),
  );
  folder.remove();
});

test("one API is regenerated alone, unless files of others would change, too", async () => {
  const changed = (api: object, from: string, to: string) =>
    JSON.parse(JSON.stringify(api).replace(from, to)) as object;
  const folder = writeDocuments({
    "stock.json": changed(stock, "level of stock", "amount of stock"),
    "crm.json": changed(crm, "Create a user", "Register a user"),
  });
  const out = folder.path("server");
  const run = (crmFile: string, stockFile: string, onlyApi?: string) =>
    generateApis(
      [
        { source: crmFile, name: "crm" },
        { source: stockFile, name: "stock" },
      ],
      out,
      {
        ...(onlyApi !== undefined && { onlyApi }),
      },
    );
  const [crmBefore, stockBefore] = [files.path("crm.json"), files.path("stock.json")];
  const first = await run(crmBefore, stockBefore, "stock");
  expect(first.diagnostics.map(({ code }) => code)).toContain("write-other-apis");
  expect(first.written).toBeUndefined();
  await run(crmBefore, stockBefore);
  const both = await run(folder.path("crm.json"), folder.path("stock.json"), "stock");
  expect(both.ok).toBe(false);
  expect(both.diagnostics.at(-1)).toMatchObject({
    code: "write-other-apis",
    message: expect.stringMatching(/^--only-api stock: \d+ files? of crm would change, too\.$/),
  });
  const one = await run(crmBefore, folder.path("stock.json"), "stock");
  expect([one.ok, one.written!.updated.filter((path) => path.includes("apis/"))]).toEqual([
    true,
    ["src/apis/stock/tools/levels/get_level.ts"],
  ]);
  const unknown = await run(crmBefore, stockBefore, "stocks");
  expect(unknown.diagnostics.at(-1)?.message).toBe('There is no API "stocks"; did you mean stock?');
  folder.remove();
});

test("a file about several APIs says everything of each, and defaults of all", async () => {
  const { configuration } = await readConfiguration(files.path("apis.yaml"));
  const apis = configuration!.apis!.map((api) => ({
    name: api.name,
    source: api.configuration.settings.spec!,
    configuration: api.configuration,
  }));
  const options = { planOnly: true, configuration: configuration! };
  const failed = await generateApis(apis, undefined, options);
  expect(failed.diagnostics.find(({ code }) => code === "config-unknown-tool")).toMatchObject({
    message: expect.stringContaining("The tool nothing does not exist"),
    location: { line: 10, pointer: "#/apis/shop/tools/nothing" },
  });
  const content = { ...apis[0]!.configuration.content };
  const { nothing: _, ...tools } = content.tools!;
  const shop = { ...apis[0]!.configuration, content: { ...content, tools } };
  const { plan } = await generateApis([{ ...apis[0]!, configuration: shop }, apis[1]!], undefined, {
    ...options,
  });
  expect(plan!.api).toMatchObject({ title: "Acme", envPrefix: "ACME" });
  expect(plan!.tools.map(({ definition: { name, title } }) => [name, title])).toEqual([
    ["list_invoices", "List invoices"],
    ["get_invoice", "Get an invoice"],
    ["shop_list_users", "People of the shop"],
    ["crm_list_users", "List users"],
  ]);
  const { shop: one, crm: other } = plan!.api.apis!;
  expect(one).toMatchObject({
    followPages: false,
    envPrefix: "ACME_SHOP",
    servers: [{ url: "https://shop.test" }],
    headers: { "X-Shop": { env: "SHOP_HEADER" } },
  });
  expect(other).toMatchObject({ followPages: false, envPrefix: "ACME_CRM" });
  expect(other).not.toHaveProperty("headers");
});

test("links say that an input of one API takes an ID of another", async () => {
  const linksOf = async (links: string) => {
    const file = writeDocuments({
      "mcp-gen.yaml": `version: 1\napis: {crm: {spec: a}, stock: {spec: b}}\nlinks: [${links}]\n`,
    });
    const { configuration, diagnostics } = await readConfiguration(file.path("mcp-gen.yaml"));
    file.remove();
    if (!configuration) return { diagnostics };
    const options = { configuration, planOnly: true };
    return generateApis(sources("crm.json", "stock.json"), undefined, options);
  };
  for (const [from, text] of [
    ["list_users", "Get it from list_users."],
    ["list_users.id", "Get it from id of list_users."],
  ]) {
    const result = await linksOf(`{input: get_level.sku, from: ${from}}`);
    const { plan } = result as { plan: ToolPlan };
    const tool = plan.tools.find(({ definition }) => definition.name === "get_level")!;
    expect(tool.definition.inputSchema).toMatchObject({
      properties: { sku: { description: text } },
    });
    expect(tool.definition.producers).toEqual({ sku: ["list_users"] });
    // The files of the API have what the server lists.
    expect(plan.apis![1]!.plan.tools[0]!.definition.producers).toEqual({ sku: ["list_users"] });
  }
  for (const [link, code, message] of [
    [
      "{input: get_levels.sku, from: list_users}",
      "config-unknown-tool",
      'There is no tool "get_levels"; did you mean get_level?',
    ],
    [
      "{input: get_level.id, from: list_users}",
      "config-unknown-input",
      'get_level has no input "id". Its inputs: sku.',
    ],
    [
      "{input: get_level, from: list_users}",
      "config-unknown-input",
      '"get_level" names no input. Its inputs: sku.',
    ],
    [
      "{input: get_level.sku, from: people}",
      "config-unknown-tool",
      'There is no tool "people". `mcp-gen plan` lists the tools.',
    ],
    [
      "{input: get_level.sku, from: list_users.nothing}",
      "config-unknown-field",
      'The result of list_users has no field "nothing". Its fields: items, id, name.',
    ],
    [
      "{input: create_user.name, from: list_users}",
      "config-no-effect",
      "create_user and list_users are tools of one API, crm, and links connect two. Use `resolve` or",
    ],
    ["{input: get_level.sku}", "config-invalid-value", "lacks `from`"],
  ]) {
    const { diagnostics } = await linksOf(link!);
    const found = diagnostics.filter((one) => one.code.startsWith("config"));
    expect(found.map((one) => [one.code, one.message])).toEqual([
      [code, expect.stringContaining(message!) as string],
    ]);
  }
});

test.each([
  ["approve: [list_users, nothing]", "", "#/approve/1"],
  ["", "approve: [get_level]", "#/apis/crm/approve/0"],
])("a list of approvals has tools: %s %s", async (server, own, pointer) => {
  const file = writeDocuments({
    "mcp-gen.yaml":
      `version: 1\n${server}\napis:\n  crm: {spec: ${files.path("crm.json")}, ${own}}\n` +
      `  stock: {spec: ${files.path("stock.json")}}\n`,
  });
  const { configuration } = await readConfiguration(file.path("mcp-gen.yaml"));
  file.remove();
  const apis = configuration!.apis!.map(({ name, configuration: one }) => ({
    name,
    source: one.settings.spec!,
    configuration: one,
  }));
  const { diagnostics } = await generateApis(apis, undefined, {
    configuration: configuration!,
    planOnly: true,
  });
  const unknown = diagnostics.filter(({ code }) => code === "config-unknown-tool");
  expect(unknown.map(({ location }) => location?.pointer)).toEqual([pointer]);
});

test("an approval of a name that several APIs have names their tools", async () => {
  const file = writeDocuments({
    "mcp-gen.yaml": "version: 1\napprove: [list_users]\napis: {eu: {spec: a}, us: {spec: b}}\n",
  });
  const { configuration } = await readConfiguration(file.path("mcp-gen.yaml"));
  file.remove();
  const options = { configuration: configuration!, planOnly: true };
  const apis = sources("eu=crm.json", "us=crm.json");
  const { diagnostics } = await generateApis(apis, undefined, options);
  expect(diagnostics.find(({ code }) => code === "config-unknown-tool")?.message).toBe(
    'The tool "list_users" of approve does not exist; several APIs have it: ' +
      "eu_list_users or us_list_users.",
  );
});

test("advice about a list over its budget is valid below the API", async () => {
  const planWith = async (text: string) => {
    const file = writeDocuments({ "mcp-gen.yaml": text });
    const { configuration } = await readConfiguration(file.path("mcp-gen.yaml"));
    file.remove();
    const apis = configuration!.apis!.map(({ name, configuration: one }) => ({
      name,
      source: one.settings.spec!,
      configuration: one,
    }));
    return generateApis(apis, undefined, { configuration: configuration!, planOnly: true });
  };
  const settings = {
    version: 1,
    budget: { tools: 1 },
    apis: {
      billing: { spec: files.path("billing.json") },
      stock: { spec: files.path("stock.json") },
    },
  };
  const before = await planWith(JSON.stringify(settings));
  const advice = JSON.stringify(before.diagnostics);
  expect(advice).not.toContain("--skip");
  const [, rule = ""] = /To exclude one: (apis: .*?) in mcp-gen.yaml/.exec(advice) ?? [];
  const { apis } = parse(rule.replaceAll('\\"', '"')) as { apis: { billing: object } };
  const billing = { ...settings.apis.billing, ...apis.billing };
  const after = await planWith(
    JSON.stringify({ ...settings, apis: { ...settings.apis, billing } }),
  );
  expect(namesOf(before.plan!)).toEqual(["find_invoices", "list_users", "get_level"]);
  expect(namesOf(after.plan!)).toHaveLength(2);
});

test("keys about one API outside of apis, and about the server below it, are errors", async () => {
  const { configuration, diagnostics } = await readConfiguration(files.path("misplaced.yaml"));
  expect(configuration).toBeUndefined();
  expect(diagnostics.map(({ code, location }) => [code, location?.pointer])).toEqual([
    ["config-misplaced-key", "#/spec"],
    ["config-misplaced-key", "#/select"],
    ["config-misplaced-key", "#/parameters"],
    ["config-misplaced-key", "#/server/headers"],
    ["config-misplaced-key", "#/tools/list_users"],
    ["config-misplaced-key", "#/apis/crm/server/name"],
    ["config-misplaced-key", "#/apis/crm/server/runSteps"],
  ]);
});

test("every tool works against a mock of its own API", async () => {
  const { plan, files: generated } = await generateApis(
    sources("billing.json", "crm.json"),
    undefined,
    { features: ["all"] },
  );
  const calls = await tryServer(plan!, generated!);
  expect(new Set(calls.map(({ tool, verdict }) => `${tool} ${verdict}`))).toEqual(
    new Set([
      "find_invoices works",
      "billing_list_users works",
      "crm_list_users works",
      "create_user works",
    ]),
  );
});
