/** Calls of a server of several APIs: each has its own credentials, address, limits and failures. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Client } from "@modelcontextprotocol/client";
import { readConfiguration } from "../../src/configuration/index.js";
import { generateApis } from "../../src/generate-apis.js";
import type { ToolPlan } from "../../src/plan/index.js";
import type { Hooks, StoredTool } from "../../src/runtime/tools/definitions.js";
import {
  defineWorkflow,
  defineWorkflowTool,
  type StepDefinition,
} from "../../src/runtime/workflow/index.js";
import { billing, crm, stock, writeDocuments } from "./documents.js";
import { connect, startUpstream, type Upstream } from "./server.js";

/** OAuth client credentials, and a key in the query. */
const mail = (tokenUrl: string): object => ({
  openapi: "3.1.0",
  info: { title: "Mail", version: "1" },
  servers: [{ url: "https://mail.example" }],
  security: [{ client: [], query: [] }],
  paths: {
    "/messages": {
      get: {
        operationId: "listMessages",
        summary: "List messages",
        responses: { 200: { description: "OK", content: { "application/json": { schema: {} } } } },
      },
    },
  },
  components: {
    securitySchemes: {
      client: {
        type: "oauth2",
        flows: { clientCredentials: { tokenUrl, scopes: {} } },
      },
      query: { type: "apiKey", in: "query", name: "key" },
    },
  },
});

const secrets = {
  billing: ["s3cret-billing-key"],
  crm: ["s3cret-crm-token"],
  stock: ["user-of-stock", "s3cret-stock-password"],
  mail: ["s3cret-mail-client", "s3cret-mail-query", "s3cret-mail-access"],
} as const;
type Api = keyof typeof secrets;
const apis = Object.keys(secrets) as Api[];

/** One call of each API. */
const calls: Readonly<Record<Api, readonly [string, Record<string, unknown>]>> = {
  billing: ["find_invoices", {}],
  crm: ["crm_list_users", {}],
  stock: ["get_level", { sku: "a" }],
  mail: ["list_messages", {}],
};

let plan: ToolPlan;
let files: ReturnType<typeof writeDocuments>;
let tokens: Upstream;
let upstreams: Record<Api, Upstream>;
let env: Record<string, string>;
let client: Client;
const cleanUp: (() => void)[] = [];

beforeAll(async () => {
  tokens = await startUpstream({ access_token: secrets.mail[2], token_type: "Bearer" });
  files = writeDocuments({
    "billing.json": billing,
    "crm.json": crm,
    "stock.json": stock,
    "mail.json": mail(`${tokens.url}/token`),
  });
  cleanUp.push(files.remove);
  const result = await generateApis(
    apis.map((name) => ({ name, source: files.path(`${name}.json`) })),
    undefined,
    { planOnly: true, packageName: "acme-mcp-server" },
  );
  plan = result.plan!;
});
afterAll(async () => {
  await tokens.stop();
  for (const clean of cleanUp) clean();
});

beforeEach(async () => {
  upstreams = {
    billing: await startUpstream([{ id: "i1", total: 2 }]),
    crm: await startUpstream([{ id: "u1", name: "Ada" }]),
    stock: await startUpstream({ level: 3 }),
    mail: await startUpstream([{ text: "hello" }]),
  };
  env = {
    ACME_BILLING_API_KEY: secrets.billing[0],
    ACME_CRM_TOKEN: secrets.crm[0],
    ACME_STOCK_USERNAME: secrets.stock[0],
    ACME_STOCK_PASSWORD: secrets.stock[1],
    ACME_MAIL_CLIENT_ID: "mail-client",
    ACME_MAIL_CLIENT_SECRET: secrets.mail[0],
    ACME_MAIL_API_KEY: secrets.mail[1],
    ACME_MAX_RETRY_WAIT_MS: "0",
    ACME_READ_RESULTS: "false",
    ...Object.fromEntries(
      apis.map((name) => [`ACME_${name.toUpperCase()}_BASE_URL`, upstreams[name].url]),
    ),
  };
  client = await connect(plan, env);
});
afterEach(async () => {
  await client.close();
  await Promise.all(apis.map((name) => upstreams[name].stop()));
});

async function call(name: Api): Promise<{ readonly isError: boolean; readonly text: string }> {
  const [tool, input] = calls[name];
  const { content, isError = false } = await client.callTool({ name: tool, arguments: input });
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  return { isError, text };
}

/** Forms in which a secret may be sent. */
const forms = (secret: string): readonly string[] => [
  secret,
  Buffer.from(secret).toString("base64").replace(/=*$/, ""),
  Buffer.from(`${secrets.stock[0]}:${secrets.stock[1]}`).toString("base64"),
];

/** Requests of other origins that carry a secret of an API. */
function leaks(): readonly string[] {
  const servers = [
    ...apis.map((name) => [name, upstreams[name]] as const),
    ["mail", tokens],
  ] as const;
  const received = servers.flatMap(([at, { received: requests }]) =>
    requests.map(({ text }) => [at, text] as const),
  );
  return apis.flatMap((owner) =>
    received
      .filter(([at]) => at !== owner)
      .filter(([, text]) =>
        secrets[owner].some((secret) =>
          (owner === "stock" ? forms(secret) : forms(secret).slice(0, 2)).some((form) =>
            text.includes(form),
          ),
        ),
      )
      .map(([at, text]) => `${owner} at ${at}: ${text}`),
  );
}

test("each API gets its own credentials at its own address, and none of another", async () => {
  for (const name of apis) expect(await call(name)).toMatchObject({ isError: false });
  const [invoice, user, level, message] = apis.map((name) => upstreams[name].received[0]!);
  expect(invoice!.headers["x-api-key"]).toBe(secrets.billing[0]);
  expect(user!.headers.authorization).toBe(`Bearer ${secrets.crm[0]}`);
  expect(level!.headers.authorization).toBe(
    `Basic ${Buffer.from(secrets.stock.join(":")).toString("base64")}`,
  );
  expect(message!.headers.authorization).toBe(`Bearer ${secrets.mail[2]}`);
  expect(message!.url).toContain(secrets.mail[1]);
  expect(leaks()).toEqual([]);
});

test("a redirect to the origin of another API carries no credentials", async () => {
  for (const from of apis)
    for (const to of apis) {
      if (from === to) continue;
      for (const status of [301, 302, 307, 308]) {
        upstreams[from].respond = (_, response) => {
          response.statusCode = status;
          response.setHeader("location", `${upstreams[to].url}/redirected`);
          response.end();
        };
        await call(from);
      }
    }
  expect(leaks()).toEqual([]);
});

test("results of one API have no secrets of another", async () => {
  const all = apis.flatMap((name) => secrets[name]);
  await call("mail");
  upstreams.crm.respond = (_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify([{ id: "u1", name: all.join(" ") }]));
  };
  const { text } = await call("crm");
  // A user name is not a secret. The access token of mail was obtained by an earlier call.
  const shown = all.filter((secret) => text.includes(secret));
  expect(shown).toEqual([secrets.stock[0]]);
});

/** Ways in which an API does not work, and what the failure of its calls says. */
const failures: Readonly<Record<string, readonly [(api: Upstream) => unknown, string]>> = {
  "rejects credentials": [answerWith(401), "401 Unauthorized (Billing API: GET http://"],
  "limits calls": [
    answerWith(429, { "retry-after": "30" }),
    "429 Too Many Requests (Billing API: ",
  ],
  "has a fault": [answerWith(500), "500 Internal Server Error (Billing API: GET http://"],
  "is slow": [(api) => (api.respond = () => undefined), "Billing API did not answer in time"],
  "is stopped": [(api) => api.stop(), "the API refused the connection (Billing API: GET http://"],
};

function answerWith(status: number, headers: Readonly<Record<string, string>> = {}) {
  return (api: Upstream): void => {
    api.respond = (_, response) => void response.writeHead(status, headers).end();
  };
}

test.each(Object.keys(failures))(
  "an API that %s is named, and leaves the calls of the others unaffected",
  async (name) => {
    const [enter, message] = failures[name]!;
    await client.close();
    client = await connect(plan, {
      ...env,
      ACME_BILLING_TIMEOUT_MS: name === "is slow" ? "300" : "30000",
      ACME_BILLING_MAX_CONCURRENCY: "1",
    });
    const callOthers = () => Promise.all([call("crm"), call("stock"), call("mail")]);
    await callOthers();
    await enter(upstreams.billing);
    const failing = Array.from({ length: 8 }, () => call("billing"));
    // Before any call of the API ends, and also while it is known not to work.
    const others = [
      ...(await callOthers()),
      ...(await Promise.all(failing)),
      ...(await callOthers()),
    ];
    expect(others.map(({ isError }) => isError)).toEqual([
      ...[false, false, false],
      ...failing.map(() => true),
      ...[false, false, false],
    ]);
    expect(others[3]!.text).toContain(message);
  },
);

test("the failure names the variables of the API that is down", async () => {
  await upstreams.billing.stop();
  const { isError, text } = await call("billing");
  expect(isError).toBe(true);
  expect(text).toContain("ACME_BILLING_BASE_URL");
});

test("an API that is known not to work is named without a request", async () => {
  answerWith(503)(upstreams.billing);
  let last = "";
  for (let i = 0; i < 12; i++) last = (await call("billing")).text;
  expect(last).toMatch(/was not sent: Billing API does not work at the moment/);
  expect(await call("crm")).toMatchObject({ isError: false });
});

test("limits of calls are those of each API", async () => {
  await client.close();
  client = await connect(plan, { ...env, ACME_BILLING_CALLS_PER_MINUTE: "1" });
  expect(await call("billing")).toMatchObject({ isError: false });
  expect(await call("billing")).toMatchObject({ isError: true });
  expect(await call("crm")).toMatchObject({ isError: false });
  expect(await call("crm")).toMatchObject({ isError: false });
});

test("a header of clients is forwarded to the API that asks for it only", async () => {
  await client.close();
  const { ACME_CRM_TOKEN: _, ...others } = env;
  client = await connect(
    plan,
    { ...others, ACME_CRM_FORWARD_HEADERS: "X-User=Authorization" },
    { headers: { "X-User": "s3cret-of-the-user" } },
  );
  for (const name of apis) await call(name);
  const receivers = apis.filter((name) =>
    upstreams[name].received.some(({ text }) => text.includes("s3cret-of-the-user")),
  );
  expect(receivers).toEqual(["crm"]);
});

/** A workflow whose steps call `list_messages` of mail, and the users of crm and of billing. */
function acrossApis(): StoredTool {
  const step = (api: Api, path: string): StepDefinition => ({
    id: api,
    target: `GET ${path}`,
    request: { method: "GET", path, accept: ["application/json"] },
    api: plan.apis!.find(({ name }) => name === api)!.plan.api,
  });
  const steps = [step("mail", "/messages"), step("crm", "/users"), step("billing", "/users")];
  return defineWorkflowTool<object, object>({
    name: "read_all",
    title: "Read all",
    description: "Read messages and users.",
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    inputSchema: { type: "object", properties: {} },
    outputSchema: { type: "object", properties: { statuses: { type: "array" } } },
    execute: (_, run) =>
      run.continueWith(
        defineWorkflow("read-all", async (__: object) => {
          const results = [];
          for (const one of steps) results.push(await run.send(one, {}));
          return { statuses: results.map(({ status }) => status) };
        }),
        {},
      ),
  });
}

test("steps of a workflow have the credentials, the address and the limits of their API", async () => {
  await client.close();
  const { ACME_CRM_TOKEN: _, ...others } = env;
  client = await connect(
    plan,
    { ...others, ACME_CRM_FORWARD_HEADERS: "X-User=Authorization" },
    { headers: { "X-User": "s3cret-of-the-user" }, more: [acrossApis()] },
  );
  upstreams.billing.respond = (_, response) => {
    response.statusCode = 404;
    response.end(JSON.stringify({ error: `no ${Object.values(secrets).flat().join(" ")}` }));
  };
  const result = await client.callTool({ name: "read_all", arguments: {} });
  expect(result.structuredContent).toEqual({ statuses: [200, 200, 404] });
  const [user] = upstreams.crm.received;
  const [message] = upstreams.mail.received;
  expect(user!.headers.authorization).toBe("Bearer s3cret-of-the-user");
  expect(message!.headers.authorization).toBe(`Bearer ${secrets.mail[2]}`);
  expect(upstreams.billing.received[0]!.headers["x-api-key"]).toBe(secrets.billing[0]);
  const receivers = apis.filter((name) =>
    upstreams[name].received.some(({ text }) => text.includes("s3cret-of-the-user")),
  );
  expect(receivers).toEqual(["crm"]);
  expect(leaks()).toEqual([]);
});

test("a name is looked up in another API with the credentials of that API", async () => {
  const links = [{ input: "get_level.sku", from: "crm_list_users.id", match: "name" }];
  const configuration = {
    content: { version: 1 as const, links },
    locationOf: () => ({ pointer: "#" }),
    settings: {},
  };
  const { plan: linked, diagnostics } = await generateApis(
    plan.apis!.map(({ name, plan: own }) => ({ name, source: files.path(own.source) })),
    undefined,
    { planOnly: true, packageName: "acme-mcp-server", configuration },
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  await client.close();
  const { ACME_CRM_TOKEN: _, ...others } = env;
  const own = { ...others, ACME_CRM_FORWARD_HEADERS: "X-User=Authorization" };
  const headers = { "X-User": "s3cret-of-the-user" };
  client = await connect(linked!, own, { headers });
  const result = await client.callTool({ name: "get_level", arguments: { sku: "Ada" } });
  expect(result.structuredContent).toMatchObject({ level: 3 });
  expect(upstreams.stock.received.map(({ url }) => url)).toEqual(["/levels/u1"]);
  expect(upstreams.crm.received.map(({ url }) => url)).toEqual(["/users"]);
  expect(upstreams.crm.received[0]!.headers.authorization).toBe("Bearer s3cret-of-the-user");
  expect(upstreams.stock.received[0]!.text).not.toContain("s3cret-of-the-user");
  expect(leaks()).toEqual([]);
  // An address without the tool that looks names up takes IDs.
  await client.close();
  client = await connect(linked!, own, { headers, path: "/mcp/stock" });
  const call = async (sku: string) =>
    (await client.callTool({ name: "get_level", arguments: { sku } })).isError === true;
  expect([await call("u1"), await call("Ada")]).toEqual([false, true]);
});

test("hooks of an API run in its calls only, before those of all", async () => {
  await client.close();
  const tag =
    (name: string): NonNullable<Hooks["beforeRequest"]> =>
    (request) => {
      const [, tags = ""] = request.headers.find(([key]) => key === "X-Tags") ?? [];
      const headers = request.headers.filter(([key]) => key !== "X-Tags");
      return { ...request, headers: [...headers, ["X-Tags", tags + name]] };
    };
  const custom: Hooks = {
    beforeRequest: tag("all"),
    mapError: (text) => `${text} all`,
    apis: { crm: { beforeRequest: tag("crm "), mapError: () => "mapped by crm" } },
  };
  client = await connect(plan, env, { custom, more: [acrossApis()] });
  for (const api of [upstreams.crm, upstreams.stock])
    api.respond = (_, response) => {
      response.statusCode = 404;
      response.end("{}");
    };
  expect((await call("crm")).text).toBe("mapped by crm all");
  expect((await call("stock")).text).not.toContain("mapped by crm");
  await client.callTool({ name: "read_all", arguments: {} });
  const tags = ({ received }: Upstream) => received.map(({ headers }) => headers["x-tags"]);
  expect(tags(upstreams.crm)).toEqual(["crm all", "crm all"]);
  expect(tags(upstreams.stock)).toEqual(["all"]);
  expect(tags(upstreams.mail)).toEqual(["all"]);
  await expect(connect(plan, env, { custom: { apis: { shop: {} } } })).rejects.toThrow(
    "src/custom has hooks for the API shop, but there is no API of this name. APIs: ",
  );
});

test("settings that do not say of which API stop the start", async () => {
  for (const [name, problem] of [
    ["ACME_FORWARD_HEADERS", "does not say to which API"],
    ["ACME_TOKEN_EXCHANGE", "does not say to which API"],
    ["ACME_CRM_TOKEN_EXCHANGE", "needs ACME_HTTP_OAUTH_ISSUER"],
    ["ACME_CRM_HTTP_SIGN_IN_CLIENT_ID", "set ACME_HTTP_SIGN_IN_CLIENT_ID"],
    ["ACME_CRM_MAX_CONCURRENCY", "must be an integer"],
  ])
    await expect(connect(plan, { ...env, [name!]: "x" })).rejects.toThrow(problem);
});

test("a toolset of the name of an API selects all of its tools", async () => {
  await client.close();
  client = await connect(plan, { ...env, ACME_TOOLSETS: "billing,stock" });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "find_invoices",
    "billing_list_users",
    "get_level",
  ]);
  expect(client.getInstructions()).toContain("API billing: ");
  expect(client.getInstructions()).not.toContain("API crm: ");
});

test("each API and toolset has an address of its own", async () => {
  const listed = async (path: string): Promise<readonly string[]> => {
    const own = await connect(plan, env, { path });
    const { tools } = await own.listTools();
    await own.close();
    return tools.map(({ name }) => name);
  };
  expect(await listed("/mcp/billing")).toEqual(["find_invoices", "billing_list_users"]);
  expect(await listed("/mcp/billing_users")).toEqual(["billing_list_users"]);
  expect(await listed("/mcp")).toHaveLength(6);
  await expect(listed("/mcp/unknown")).rejects.toThrow(
    "Not found: the protocol is served at /mcp, /mcp/billing, /mcp/crm, /mcp/stock, /mcp/mail, " +
      "/mcp/billing_invoices, /mcp/billing_users.",
  );
  const own = await connect(plan, env, { path: "/mcp/billing" });
  await expect(own.callTool({ name: "get_level", arguments: { sku: "a" } })).rejects.toThrow(
    "get_level is not available here: this address has the tools of billing.",
  );
  await own.close();
  expect(upstreams.stock.received).toEqual([]);
});

test("the search has its tools by API, the most likely one first, or those of one", async () => {
  await client.close();
  client = await connect(plan, { ...env, ACME_MODE: "discovery" });
  const answer = async (input: Record<string, unknown>) => {
    const { structuredContent } = await client.callTool({ name: "search_tools", arguments: input });
    return structuredContent as {
      apis: { api: string; tools: { name: string; typescript?: string }[] }[];
      note?: string;
    };
  };
  const search = async (input: Record<string, unknown>): Promise<unknown> =>
    (await answer(input)).apis.map(({ api, tools }) => [api, ...tools.map(({ name }) => name)]);
  expect(await search({ query: "level of stock" })).toEqual([["stock", "get_level"]]);
  expect(await search({ query: "list users", api: "crm" })).toEqual([
    ["crm", "crm_list_users", "create_user"],
  ]);
  expect((await answer({ query: "list users", api: "crm" })).note).toBeUndefined();
  const { apis: found, note } = await answer({ query: "list users" });
  expect(note).toMatch(/^\w+ and \w+ fit about equally\. .* with its api\.$/);
  // The first tool of each can be called at once.
  const first = found.map(({ api, tools }) => [api, tools[0]?.name, tools[0]?.typescript]);
  expect(first).toEqual(
    expect.arrayContaining([
      ["billing", "billing_list_users", expect.stringContaining("billing_list_users(")],
      ["crm", "crm_list_users", expect.stringContaining("crm_list_users(")],
    ]),
  );
});

test("a dry run of the server is one of each API", async () => {
  await client.close();
  client = await connect(plan, { ...env, ACME_DRY_RUN: "true" });
  await client.callTool({ name: "create_user", arguments: { name: "Ada" } });
  expect(upstreams.crm.received).toEqual([]);
});

test.each([
  ["approve: writes", true, ["crm", "mail"]],
  ["approve: [create_user]", true, ["crm", "mail"]],
  ["apis.crm.approve: writes", true, ["crm"]],
  ["apis.mail.approve: writes", false, ["mail"]],
  ["apis.crm.approve: [create_user]", true, ["crm"]],
])("%s is about the tools of its APIs", async (key, isWithheld, asking) => {
  const [, path = "", value = ""] = /^(\S+): (.*)$/.exec(key) ?? [];
  const api = /^apis\.(\w+)/.exec(path)?.[1];
  const line = (name: string): string =>
    `  ${name}: {spec: ./${name}.json${name === api ? `, approve: ${value}` : ""}}\n`;
  const file = writeDocuments({
    "crm.json": crm,
    "mail.json": mail(tokens.url),
    "mcp-gen.yaml":
      `version: 1\nname: acme-mcp-server\n${api === undefined ? `approve: ${value}\n` : ""}` +
      `apis:\n${line("crm")}${line("mail")}`,
  });
  const { configuration } = await readConfiguration(file.path("mcp-gen.yaml"));
  const sources = configuration!.apis!.map(({ name, configuration: own }) => ({
    name,
    source: own.settings.spec!,
    configuration: own,
  }));
  const options = { configuration: configuration!, planOnly: true };
  const { plan: own, diagnostics } = await generateApis(sources, undefined, options);
  file.remove();
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const { apis: members = {}, approve } = own!.api;
  expect(Object.keys(members).filter((name) => members[name]!.approve)).toEqual(asking);
  // Tools of no API ask as well.
  expect(approve).toEqual(value.startsWith("[") ? ["create_user"] : value);
  await client.close();
  client = await connect(own!, env);
  const { isError = false, content } = await client.callTool({
    name: "create_user",
    arguments: { name: "Ada" },
  });
  expect([isError, upstreams.crm.received.length]).toEqual(isWithheld ? [true, 0] : [false, 1]);
  expect(JSON.stringify(content).includes("ACME_CRM_APPROVALS")).toBe(isWithheld);
});
