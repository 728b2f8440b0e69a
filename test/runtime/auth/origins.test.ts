/**
 * Credentials have an origin: every kind of credential × every way in which a document, a response
 * or another document could send it elsewhere. Documents are planned, and their tools are called
 * with real servers on this machine; another port is another origin.
 */
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ConfigurationFile } from "../../../src/configuration/types.js";
import { generate } from "../../../src/generate.js";
import type { EnvironmentVariable } from "../../../src/plan/types.js";
import type { AuthContext, Platform } from "../../../src/runtime/auth/types.js";
import { signedInToken } from "../../../src/runtime/auth/sign-in/grants.js";
import { writeSession } from "../../../src/runtime/auth/sign-in/store.js";
import { signInRequests } from "../../../src/runtime/auth/signed-in.js";
import {
  type CallContext,
  callTool,
  createServerContext,
  type ServerContext,
} from "../../../src/runtime/index.js";
import type { BoundRequest } from "../../../src/runtime/request/types.js";
import type { AnyHooks } from "../../../src/runtime/tools/definitions.js";
import type { ToolDefinition } from "../../../src/runtime/types.js";
import { type ReceivedRequest, startUpstream, type Upstream } from "../support/upstream.js";
import { sendByNode } from "../support/by-node.js";
import { textOf } from "../support/clinic.js";
import { scratch, plant } from "../../write/tree.js";

/** Every credential contains this word, and so do the tokens that are issued for them. */
const MARK = "s3cret";

/** Server of the API, which also has the token endpoint, and a server of another origin. */
let home: Upstream;
let foreign: Upstream;
/** Origins to which a client certificate was presented. */
let certificates: string[] = [];
let seen: { home: number; foreign: number } = { home: 0, foreign: 0 };

beforeAll(async () => {
  home = await startUpstream((response, request) => {
    const { url } = request;
    const json = (body: unknown, headers = {}): void =>
      void response
        .writeHead(200, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(body));
    if (url.startsWith("/token"))
      return json({ access_token: `${MARK}-issued`, token_type: "Bearer", expires_in: 3600 });
    if (url.startsWith("/.well-known"))
      return json({ issuer: home.url, token_endpoint: `${home.url}/token` });
    if (url.startsWith("/redirected"))
      return void response.writeHead(302, { location: `${foreign.url}/stolen` }).end();
    if (url.startsWith("/pets")) return void response.writeHead(404).end();
    if (url.startsWith("/cars")) return void response.writeHead(204).end();
    if (url.startsWith("/reports"))
      return json({ id: "r1", status: "queued" }, { "retry-after": "0" });
    if (url.startsWith("/listed"))
      return json([{ id: 1 }], { link: `<${foreign.url}/listed?page=2>; rel="next"` });
    return json({ ok: true });
  });
  foreign = await startUpstream((response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("[]"),
  );
});
afterAll(() => Promise.all([home.close(), foreign.close()]));
beforeEach(() => {
  process.env["XDG_CONFIG_HOME"] = scratch();
  certificates = [];
  seen = { home: home.requests.length, foreign: foreign.requests.length };
});

/** One kind of credential. */
interface Credential {
  readonly scheme?: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly context?: CallContext;
  readonly configuration?: Partial<ConfigurationFile>;
  readonly parameters?: readonly object[];
  readonly signsIn?: boolean;
}

const oauth = (flow: string, more = {}): object => ({
  type: "oauth2",
  flows: { [flow]: { tokenUrl: `${home.url}/token`, scopes: {}, ...more } },
});
const CLIENT = { CLINIC_CLIENT_ID: "client", CLINIC_CLIENT_SECRET: `${MARK}-client` };
const key = (location: string): Credential => ({
  scheme: { type: "apiKey", in: location, name: "x-key" },
  env: { CLINIC_API_KEY: `${MARK}-key` },
});
const secretParameter = (location: string): Credential => ({
  parameters: [{ name: "tenant_token", in: location, schema: { type: "string" } }],
  configuration: { parameters: { tenant_token: { env: "CLINIC_TENANT_TOKEN" } } },
  env: { CLINIC_TENANT_TOKEN: `${MARK}-tenant` },
});
const secretConstant = (location: string): Credential => ({
  ...secretParameter(location),
  configuration: { parameters: { tenant_token: { fixed: `${MARK}-tenant` } } },
});

const credentials: Readonly<Record<string, () => Credential>> = {
  "bearer token": () => ({
    scheme: { type: "http", scheme: "bearer" },
    env: { CLINIC_TOKEN: `${MARK}-bearer` },
  }),
  "basic credentials": () => ({
    scheme: { type: "http", scheme: "basic" },
    env: { CLINIC_USERNAME: "user", CLINIC_PASSWORD: `${MARK}-password` },
  }),
  "other HTTP credentials": () => ({
    scheme: { type: "http", scheme: "custom" },
    env: { CLINIC_CREDENTIALS: `${MARK}-other` },
  }),
  "API key in a header": () => key("header"),
  "API key in the query": () => key("query"),
  "API key in a cookie": () => key("cookie"),
  "OAuth access token": () => ({
    scheme: oauth("clientCredentials"),
    env: { CLINIC_TOKEN: `${MARK}-token` },
  }),
  "OAuth client credentials": () => ({ scheme: oauth("clientCredentials"), env: CLIENT }),
  "OAuth refresh token": () => ({
    scheme: oauth("authorizationCode", { authorizationUrl: `${home.url}/authorize` }),
    env: { CLINIC_CLIENT_ID: "client", CLINIC_REFRESH_TOKEN: `${MARK}-refresh` },
  }),
  "OpenID Connect": () => ({
    scheme: {
      type: "openIdConnect",
      openIdConnectUrl: `${home.url}/.well-known/openid-configuration`,
    },
    env: CLIENT,
  }),
  "stored sign-in": () => ({
    scheme: oauth("authorizationCode", { authorizationUrl: `${home.url}/authorize` }),
    env: { CLINIC_CLIENT_ID: "client" },
    signsIn: true,
  }),
  "client certificate": () => ({
    scheme: { type: "mutualTLS" },
    env: {
      CLINIC_CLIENT_CERT: "-----BEGIN CERTIFICATE-----",
      CLINIC_CLIENT_KEY: `-----BEGIN PRIVATE KEY----- ${MARK}`,
    },
  }),
  "secret query parameter": () => secretParameter("query"),
  "secret header parameter": () => secretParameter("header"),
  "secret cookie parameter": () => secretParameter("cookie"),
  "constant query parameter": () => secretConstant("query"),
  "constant header parameter": () => secretConstant("header"),
  "constant cookie parameter": () => secretConstant("cookie"),
  "configured header": () => ({
    configuration: { server: { headers: { "X-Proxy-Token": { env: "CLINIC_PROXY_TOKEN" } } } },
    env: { CLINIC_PROXY_TOKEN: `${MARK}-proxy` },
  }),
  "constant header of credentials": () => ({
    configuration: { server: { headers: { Authorization: `Basic ${MARK}` } } },
  }),
  "constant header of a secret name": () => ({
    configuration: { server: { headers: { "X-Proxy-Token": `${MARK}-proxy` } } },
  }),
  "constant header of a secret value": () => ({
    configuration: { server: { headers: { "X-Proxy": `Bearer ${MARK}-proxy` } } },
  }),
  "constant with a secret inside": () => ({
    parameters: [{ name: "filter", in: "query", schema: { type: "object" } }],
    configuration: { parameters: { filter: { fixed: { by: "me", token: `${MARK}-filter` } } } },
  }),
  "forwarded header": () => ({
    scheme: { type: "http", scheme: "bearer" },
    context: {
      forwarded: [{ from: "x-user", name: "Authorization", value: `Bearer ${MARK}-user` }],
    },
  }),
  "exchanged token": () => ({
    scheme: oauth("clientCredentials"),
    context: {
      exchanges: {
        token: `${MARK}-caller`,
        settings: new Map([["CLINIC", exchangeSettings()]]),
      },
    },
  }),
};

const exchangeSettings = () => ({
  issuer: home.url,
  tokenUrl: `${home.url}/token`,
  clientId: "client",
  clientSecret: `${MARK}-client`,
  fields: {},
});

const operation = (operationId: string, more: object = {}): object => ({
  operationId,
  responses: { 200: { description: "ok", content: { "application/json": { schema: {} } } } },
  ...more,
});

/** A document of the API at `origin`, with operations and a path at `elsewhere`. */
function documentOf(
  { scheme, parameters = [] }: Credential,
  origin: string,
  elsewhere: string,
  variables?: object,
): object {
  const get = (operationId: string, more = {}) => ({
    get: operation(operationId, { parameters, ...more }),
  });
  const serversAt = (url: string): readonly object[] => [{ url, ...(variables && { variables }) }];
  const servers = serversAt(elsewhere);
  const list = { type: "array", items: { type: "object", properties: { id: {} } } };
  const text = { type: "string" };
  const pathParameter = (name: string) => ({ name, in: "path", required: true, schema: text });
  const [petId, carId, shopId] = ["petId", "carId", "shopId"].map(pathParameter);
  const item = { type: "object", properties: { id: text, name: text } };
  const jsonOf = (schema: object) => ({
    200: { description: "ok", content: { "application/json": { schema } } },
  });
  const [listed, one] = [jsonOf({ type: "array", items: item }), jsonOf(item)];
  const empty = { 204: { description: "ok" } };
  const report = {
    type: "object",
    properties: {
      id: text,
      status: { type: "string", enum: ["queued", "running", "succeeded", "failed"] },
    },
  };
  return {
    openapi: "3.1.0",
    info: { title: "Clinic", version: "1" },
    servers: serversAt(origin),
    ...(scheme && { components: { securitySchemes: { auth: scheme } }, security: [{ auth: [] }] }),
    paths: {
      "/own": get("getOwn"),
      "/of-operation": get("getOfOperation", { servers }),
      "/of-path": { servers, ...get("getOfPath") },
      "/redirected": get("getRedirected"),
      // Tools that a call uses beside its own: a list in which a name is looked up, and a read.
      "/pets": { get: operation("listPets", { servers, parameters, responses: listed }) },
      "/pets/{petId}/feed": { post: operation("feedPet", { parameters: [...parameters, petId] }) },
      "/cars/{carId}": {
        get: operation("getCar", { servers, parameters: [...parameters, carId], responses: one }),
        put: operation("updateCar", { parameters: [...parameters, carId], responses: empty }),
      },
      "/shops/{shopId}": {
        get: operation("getShop", { parameters: [...parameters, shopId], responses: one }),
      },
      "/shops/{shopId}/orders": {
        get: operation("listOrders", {
          servers,
          parameters: [...parameters, shopId],
          responses: listed,
        }),
      },
      "/reports": { post: operation("startReport", { parameters, responses: jsonOf(report) }) },
      "/reports/{reportId}": {
        get: operation("getReport", {
          servers,
          parameters: [...parameters, pathParameter("reportId")],
          responses: jsonOf(report),
        }),
      },
      "/listed": get("listItems", {
        parameters: [
          ...parameters,
          { name: "page", in: "query", schema: { type: "integer" } },
          { name: "per_page", in: "query", schema: { type: "integer" } },
        ],
        responses: {
          200: {
            description: "ok",
            headers: { Link: { schema: { type: "string" } } },
            content: { "application/json": { schema: list } },
          },
        },
      }),
    },
  };
}

interface Places {
  readonly origin?: string;
  readonly elsewhere?: string;
  readonly hosts?: string;
  /** Variables of all servers. */
  readonly variables?: object;
  /** Instead of those of the document. */
  readonly paths?: object;
}

/** The server of a document, as it is generated. */
async function serverOf(
  credential: Credential,
  { origin = home.url, elsewhere = foreign.url, hosts, variables, paths }: Places = {},
  custom?: AnyHooks,
): Promise<
  ServerContext & {
    diagnostics: readonly { code: string; message: string }[];
    environment: readonly EnvironmentVariable[];
  }
> {
  const root = scratch();
  plant(root, {
    "api.json": JSON.stringify({
      ...documentOf(credential, origin, elsewhere, variables),
      ...(paths && { paths }),
    }),
  });
  const content: ConfigurationFile = {
    version: 1,
    tools: { list_items: { operation: "listItems", pagination: { maxItems: 100 } } },
    ...credential.configuration,
    ...(hosts !== undefined && { hosts: [hosts] }),
  };
  const configuration = { content, settings: {}, locationOf: () => ({ pointer: "" }) };
  const { plan, diagnostics } = await generate(join(root, "api.json"), undefined, {
    configuration,
    planOnly: true,
  });
  if (!plan) throw new Error(diagnostics.map(({ message }) => message).join(" "));
  const created = createServerContext({
    api: plan.api,
    tools: plan.tools.map(({ definition }) => definition),
    platform,
    ...(custom && { custom }),
    env: { LOG_LEVEL: "silent", CLINIC_RAW_REQUESTS: "1", ...credential.env },
  });
  if (!created.ok) throw new Error(created.problems.join(" "));
  return { ...created.context, diagnostics, environment: plan.environment };
}

/** Node's HTTP client, without presenting the certificates, which it records. */
const platform: Platform = {
  fetch,
  readTextFile: async (text) => text,
  signedInToken,
  send: (request, { tls, ...options }) => {
    if (tls) certificates.push(new URL(request.url).origin);
    return sendByNode(request, options);
  },
};

/** Stores a sign-in for the API of a server, as `login` does. */
async function signIn({ api, apiContext }: ServerContext): Promise<void> {
  const [request] = signInRequests([{ auth: [] }], apiContext as AuthContext);
  if (!request) throw new Error("no sign-in");
  await writeSession(request, {
    api: api.name,
    scheme: "auth",
    baseUrl: request.baseUrl,
    ...(request.hosts && { hosts: request.hosts }),
    clientId: request.clientId,
    server: { issuer: home.url, token_endpoint: `${home.url}/token` },
    isIssuerInferred: true,
    accessToken: `${MARK}-session`,
    scopes: [],
  });
}

const call = async (
  server: ServerContext,
  tool: string,
  { context }: Credential,
  input: object = {},
) => textOf(await callTool(server, server.tools.find(tool), input, context));

/** True if a request has a credential, literally or in base64. */
function carriesSecret({ url, headers, body }: ReceivedRequest): boolean {
  const text = `${url} ${JSON.stringify(headers)} ${body}`;
  const decoded = [...text.matchAll(/[A-Za-z0-9+/]{8,}=*/g)].map(([word]) => atob64(word));
  return [text, ...decoded].some((part) => part.includes(MARK));
}
const atob64 = (word: string): string => Buffer.from(word, "base64").toString("latin1");

/** Requests with a credential since the test began, without those to the token endpoint. */
function secretsAt(upstream: Upstream, from: number): number {
  const requests = upstream.requests.slice(from).filter((request) => !isToken(request));
  return requests.filter(carriesSecret).length + certificatesAt(upstream);
}
const isToken = ({ url }: ReceivedRequest): boolean => /^\/(?:token|\.well-known)/.test(url);
const certificatesAt = (upstream: Upstream): number =>
  certificates.filter((origin) => origin === upstream.url).length;

/** Calls `send_request`. */
const send = (server: ServerContext, path: string, { context }: Credential) =>
  callTool(server, server.tools.find("send_request"), { method: "GET", path }, context);

/** Paths for `send_request` that could be read as another address, or lead above the base path. */
function strayPaths(): readonly string[] {
  const host = new URL(foreign.url).host;
  const addresses = [
    "//",
    "///",
    "\\\\",
    "/\\",
    "\\/",
    "http://",
    "HTTP://",
    "http:",
    "http:/",
    "https://",
  ];
  const hidden = [
    "/%2f%2f",
    "/%5c%5c",
    "%2f%2f",
    "/\t/",
    "\t//",
    " //",
    "/ /",
    "\uff0f\uff0f",
    "/\uff0f",
  ];
  const userInfo = [
    "@",
    ":80@",
    "user:password@",
    "/@",
    ".",
    ":",
    "#@",
    "?@",
    "/x#@",
    "%00@",
    "\ufeff//",
  ];
  const above = [
    ...["..", "/..", "/../x", "/x/../../x", "./../x", "/%2e%2e/x", "/.%2e/x", "/%2E./x"],
    ...[
      "/%252e%252e/x",
      "/%25252e%25252e/x",
      "/..;/x",
      "/..;a=b/x",
      "/..%2fx",
      "/..%5cx",
      "/..\\x",
    ],
    ...[
      "/%2e%2e%2fx",
      "/x/..%2f..%2fx",
      "/\u2025/x",
      "/\uff0e\uff0e/x",
      "/%c0%ae%c0%ae/x",
      "/.\t./x",
      "/.\n./x",
    ],
  ];
  const injected = ["\r\n", "%0d%0a", "\n", " HTTP/1.1\r\n", "\u010d\u010a", "%E5%98%8D%E5%98%8A"];
  return [
    ...[...addresses, ...hidden, ...userInfo].map((prefix) => `${prefix}${host}/stray`),
    ...above,
    ...injected.map((line) => `/x${line}Host: ${host}${line}X-Stray: 1`),
  ];
}

/**
 * True if a request is for the host of the API and stays below a path, also for a server that
 * decodes its path several times, takes `\\` for `/`, or ignores parameters of segments.
 */
function isBelow({ url, headers }: ReceivedRequest, base: string): boolean {
  let path = url.split("?")[0]!;
  for (let i = 0; i < 5; i++)
    path = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  const segments = path
    .replaceAll("\\", "/")
    .split("/")
    .map((segment) => segment.split(";")[0]!);
  const isOwnHost = headers.host === new URL(home.url).host && headers["x-stray"] === undefined;
  return (
    isOwnHost && path.startsWith(base) && !segments.some((segment) => /^\.{1,2}$/.test(segment))
  );
}

const kinds = Object.keys(credentials);
const places = {
  "the server of an operation": "get_of_operation",
  "the server of a path": "get_of_path",
  "a redirect": "get_redirected",
  "a link to the next page": "list_items",
  "a lookup of a name": "create_feed_pet",
  "a read after a write": "update_car",
  "a list of IDs": "get_car",
  "a list of parts": "get_shop",
};

/** Inputs of the tools that need some. */
const inputs: Readonly<Record<string, object>> = {
  create_feed_pet: { petId: "The name of a pet" },
  update_car: { carId: "c1" },
  get_car: { carId: ["c1", "c2"] },
  get_shop: { shopId: "s1", include: ["orders"] },
};

/** Requests that carried a credential to another origin, by kind and place. */
const matrix: (readonly [kind: string, place: string, requests: number])[] = [];
const distinct = (at: 0 | 1): number => new Set(matrix.map((row) => row[at])).size;
afterAll(() =>
  console.log(
    `${distinct(0)} kinds of credentials × ${distinct(1)} places, requests that carried a ` +
      `credential to another origin: ${matrix.reduce((sum, [, , sent]) => sum + sent, 0)}`,
  ),
);

describe.each(kinds)("%s", (kind) => {
  const prepare = async (options?: Places) => {
    const credential = credentials[kind]!();
    const server = await serverOf(credential, options);
    if (credential.signsIn) await signIn(server);
    return { credential, server };
  };

  test("is reported at generation where another origin does not get it", async () => {
    const { server } = await prepare();
    const found = server.diagnostics.filter(({ code }) => code === "plan-foreign-origin");
    expect(found.map(({ message }) => message.includes(foreign.url))).toEqual([true]);
  });

  test("is sent to the origin of the base URL", async () => {
    const { credential, server } = await prepare();
    await call(server, "get_own", credential);
    expect(secretsAt(home, seen.home)).toBe(1);
  });

  test.each(Object.entries(places))("is not sent to another origin by %s", async (place, tool) => {
    const { credential, server } = await prepare();
    const text = await call(server, tool, credential, inputs[tool]);
    expect(text).not.toContain("with the input of");
    const sent = secretsAt(foreign, seen.foreign);
    matrix.push([kind, place, sent]);
    expect(sent).toBe(0);
  });

  test("is not sent to another origin or path by send_request", async () => {
    const { credential, server } = await prepare({ origin: `${home.url}/api/v2` });
    for (const path of strayPaths()) await send(server, path, credential);
    matrix.push([kind, "paths of send_request", secretsAt(foreign, seen.foreign)]);
    const [toHome, toForeign] = [
      home.requests.slice(seen.home),
      foreign.requests.slice(seen.foreign),
    ];
    const stray = toHome.filter((request) => !isToken(request) && !isBelow(request, "/api/v2/"));
    expect([toForeign, stray.map(({ url }) => url), certificatesAt(foreign)]).toEqual([[], [], 0]);
    await send(server, "/pets/42", credential);
    expect(home.requests.at(-1)?.url).toMatch(/^\/api\/v2\/pets\/42(?:\?|$)/);
    const isSent = secretsAt(home, home.requests.length - 1) > 0;
    // Secret parameters belong to the operations that declare them.
    expect(isSent).toBe(credential.parameters === undefined);
  });

  test("is not sent to another origin by a redirect of send_request", async () => {
    const { credential, server } = await prepare();
    await send(server, "/redirected", credential);
    const sent = secretsAt(foreign, seen.foreign);
    matrix.push([kind, "a redirect of send_request", sent]);
    expect(sent).toBe(0);
  });

  test("is sent to an origin that mcp-gen.yaml names", async () => {
    const { credential, server } = await prepare({ hosts: foreign.url });
    await call(server, "get_of_operation", credential);
    expect(secretsAt(foreign, seen.foreign)).toBe(1);
  });

  test("goes to the overridden base URL only", async () => {
    const { credential } = await prepare();
    const moved = { ...credential, env: { ...credential.env, CLINIC_BASE_URL: home.url } };
    const server = await serverOf(moved, { origin: foreign.url, elsewhere: foreign.url });
    if (credential.signsIn) await signIn(server);
    for (const tool of ["get_own", "get_of_operation", "get_of_path"])
      await call(server, tool, credential);
    expect([secretsAt(home, seen.home), secretsAt(foreign, seen.foreign)]).toEqual([3, 0]);
  });
});

// Redirects and links are followed within their origin only, also to a host of mcp-gen.yaml.
const followed = ["get_redirected", "list_items"];
test.each(Object.entries(places).filter(([, tool]) => !followed.includes(tool)))(
  "the server of the other origin gets a credential that it may have by %s",
  async (_, tool) => {
    const credential = credentials["bearer token"]!();
    await call(await serverOf(credential, { hosts: foreign.url }), tool, credential, inputs[tool]);
    expect(secretsAt(foreign, seen.foreign)).toBeGreaterThan(0);
  },
);

test.each(["bearer token", "API key in the query", "client certificate"])(
  "%s is not sent to another origin by a read of the state of work",
  async (kind) => {
    const credential = credentials[kind]!();
    const server = await serverOf(credential);
    const { operations } = server.tools.find("start_report") as ToolDefinition;
    expect(operations[0]?.job?.follow.tool).toBe("get_report");
    await call(server, "start_report", credential);
    expect([secretsAt(home, seen.home), secretsAt(foreign, seen.foreign)]).toEqual([1, 0]);
    await call(await serverOf(credential, { hosts: foreign.url }), "start_report", credential);
    expect(secretsAt(foreign, seen.foreign)).toBeGreaterThan(0);
  },
);

/** What `_AUTH=none` does not concern: headers that the user or the client set themselves. */
const OWN_HEADERS = [
  "configured header",
  "constant header of credentials",
  "constant header of a secret name",
  "constant header of a secret value",
  "forwarded header",
];

describe("_AUTH=none", () => {
  test.each(kinds.map((kind) => [kind, OWN_HEADERS.includes(kind) ? 1 : 0] as const))(
    "sends %s in %d requests",
    async (kind, want) => {
      const credential = credentials[kind]!();
      const env = { ...credential.env, CLINIC_AUTH: "none" };
      const server = await serverOf({ ...credential, env });
      if (credential.signsIn) await signIn(server);
      await call(server, "get_own", credential);
      expect([home.requests.length - seen.home, secretsAt(home, seen.home)]).toEqual([1, want]);
    },
  );
});

describe("a hook that moves a request", () => {
  const moving = (url: string, more: object = {}): AnyHooks => ({
    beforeRequest: (request: BoundRequest) => ({ ...request, ...more, url }),
  });

  test.each(kinds)("to another origin does not send %s", async (kind) => {
    const credential = credentials[kind]!();
    const hook = {
      beforeRequest: (request: BoundRequest) => ({
        ...request,
        url: request.url.replace(home.url, foreign.url),
      }),
    };
    const server = await serverOf(credential, {}, hook);
    if (credential.signsIn) await signIn(server);
    const text = await call(server, "get_own", credential);
    expect(foreign.requests.length).toBe(seen.foreign);
    expect(certificatesAt(foreign)).toBe(0);
    expect(text).toContain(`Not sent: credentials of Clinic are for ${home.url} only`);
  });

  test("may send it to a host of mcp-gen.yaml, and its own values anywhere", async () => {
    const credential = credentials["bearer token"]!();
    const stolen = `${foreign.url}/stolen`;
    const named = await serverOf(credential, { hosts: foreign.url }, moving(stolen));
    await call(named, "get_own", credential);
    expect(secretsAt(foreign, seen.foreign)).toBe(1);
    const own = moving(stolen, { headers: [["Authorization", "Bearer of-the-hook"]] });
    await call(await serverOf(credential, {}, own), "get_own", credential);
    expect(foreign.requests.at(-1)?.headers.authorization).toBe("Bearer of-the-hook");
  });
});

describe("a credential in the URL of the server", () => {
  const variables = { token: { default: "none" }, region: { default: "eu" } };
  const prepare = (elsewhere: string) =>
    serverOf(
      { env: { CLINIC_TOKEN: `${MARK}-bot`, CLINIC_REGION: "us" } },
      { origin: `${home.url}/{region}/bot{token}`, elsewhere, variables },
    );

  test("is sent to its origin, and hidden in results", async () => {
    const server = await prepare(`${home.url}/file/bot{token}`);
    for (const tool of ["get_own", "get_of_operation"]) await call(server, tool, {});
    const urls = home.requests.slice(seen.home).map(({ url }) => url);
    expect(urls).toEqual([`/us/bot${MARK}-bot/own`, `/file/bot${MARK}-bot/of-operation`]);
    expect(server.redact(`at ${MARK}-bot`)).toBe("at [redacted]");
  });

  test("is not sent to another origin", async () => {
    const server = await prepare(`${foreign.url}/{region}/{token}`);
    const text = await call(server, "get_of_operation", {});
    expect(foreign.requests.length).toBe(seen.foreign);
    expect(text).toContain(
      `the environment variable CLINIC_TOKEN is not sent: credentials of Clinic are for ${home.url} only`,
    );
  });

  test("other variables of the URL are sent there", async () => {
    const server = await prepare(`${foreign.url}/{region}`);
    await call(server, "get_of_operation", {});
    expect(foreign.requests.at(-1)?.url).toBe("/us/of-operation");
  });

  test("does not take the name of a scheme's variable", async () => {
    const { environment } = await serverOf(
      { scheme: { type: "http", scheme: "bearer" } },
      { origin: `${home.url}/{token}`, variables },
    );
    expect(environment.map(({ name, secret }) => [name, secret])).toEqual([
      ["CLINIC_BASE_URL", false],
      ["CLINIC_SERVER_TOKEN", true],
      ["CLINIC_TOKEN", true],
    ]);
  });
});

test("a stored sign-in is not sent to the server of another document with the same title", async () => {
  const credential = credentials["stored sign-in"]!();
  await signIn(await serverOf(credential));
  const others = [
    { origin: foreign.url },
    { origin: "/", elsewhere: foreign.url },
    { origin: "/", elsewhere: foreign.url, hosts: foreign.url },
    { elsewhere: foreign.url, hosts: foreign.url },
  ];
  for (const other of others) {
    const server = await serverOf(credential, other);
    for (const tool of ["get_own", "get_of_operation"]) await call(server, tool, credential);
  }
  expect(secretsAt(foreign, seen.foreign)).toBe(0);
});

describe("a call to another origin", () => {
  test("that needs credentials is refused, and the text names what to set", async () => {
    const credential = credentials["bearer token"]!();
    const text = await call(await serverOf(credential), "get_of_operation", credential);
    expect(text).toBe(
      `Not sent: credentials of Clinic are for ${home.url} only, and this operation is at ` +
        `${foreign.url}. Tell the user; do not retry. To send them there, the user adds ` +
        `\`hosts: [${foreign.url}]\` to mcp-gen.yaml and generates this server again.`,
    );
    expect(foreign.requests.length).toBe(seen.foreign);
  });

  test("that needs none is sent without", async () => {
    const credential = credentials["configured header"]!();
    await call(await serverOf(credential), "get_of_operation", credential);
    expect(foreign.requests.length).toBe(seen.foreign + 1);
  });

  test("is reported when the server is generated", async () => {
    const messages = async (options?: Places) =>
      (await serverOf(credentials["bearer token"]!(), options)).diagnostics
        .filter(({ code }) => code === "plan-foreign-origin")
        .map(({ message }) => message);
    expect(await messages()).toEqual([
      'The servers of "GET /of-operation", "GET /of-path", "GET /pets" and 3 more are at ' +
        `${foreign.url}, not at the origin of the API (${home.url}). ` +
        "Credentials are not sent there.",
    ]);
    expect(await messages({ hosts: foreign.url })).toEqual([]);
    expect(await messages({ elsewhere: `${home.url}/v2` })).toEqual([]);
  });
});

describe("credentials that mcp-gen.yaml fixes", () => {
  const basic = Buffer.from(`user:${MARK}-password`).toString("base64");
  const fixed = (parameters: NonNullable<ConfigurationFile["parameters"]>): Credential => ({
    parameters: ["tenant_token", "filter", "note", "X-Tenant-Key"].map((name) => ({
      name,
      in: name.startsWith("X-") ? "header" : "query",
      schema: name === "filter" ? { type: "object" } : { type: "string" },
    })),
    configuration: { parameters },
  });
  const header = (name: string, value: string): Credential => ({
    configuration: { server: { headers: { [name]: value } } },
  });
  test.each<[string, Credential, string, boolean]>([
    ["query", fixed({ tenant_token: { fixed: `${MARK}-a` } }), `${MARK}-a`, true],
    ["header", fixed({ "X-Tenant-Key": { fixed: `${MARK}-a` } }), `${MARK}-a`, true],
    ["member", fixed({ filter: { fixed: { token: `${MARK}-a` } } }), `${MARK}-a`, true],
    ["other member", fixed({ filter: { fixed: { token: "t0ken", by: "ann-b" } } }), "ann-b", false],
    [
      "known form",
      fixed({ note: { fixed: "ghp_0123456789abcdef" } }),
      "ghp_0123456789abcdef",
      true,
    ],
    ["spaces", fixed({ tenant_token: { fixed: ` ${MARK}-a ` } }), `${MARK}-a`, true],
    ["no secret", fixed({ note: { fixed: "a plain note" } }), "a plain note", false],
    ["named header", header("X-Proxy-Token", `${MARK}-a`), `${MARK}-a`, true],
    ["bearer header", header("X-Proxy", `Bearer ${MARK}-a`), `${MARK}-a`, true],
    ["basic header", header("Authorization", `Basic ${basic}`), `${MARK}-password`, true],
    ["other basic header", header("Authorization", "Basic s3cret-_auth"), "s3cret-_auth", true],
    ["plain header", header("X-Client", "desk-one"), "desk-one", false],
  ])(
    "are hidden in results of all tools and in logs: %s",
    async (_, credential, text, isHidden) => {
      const { redact } = await serverOf(credential);
      for (const form of [text, Buffer.from(text).toString("base64"), encodeURIComponent(text)])
        expect(redact(`{"echo": "${form}"}`).includes(form)).toBe(!isHidden);
    },
  );

  test("in a variable with the name of a scheme are hidden without the name, too", async () => {
    const credential = credentials["configured header"]!();
    const env = { CLINIC_PROXY_TOKEN: `Bearer ${MARK}-proxy` };
    const { redact } = await serverOf({ ...credential, env });
    expect(redact(`at ${MARK}-proxy`)).toBe("at [redacted]");
  });

  test("are reported by name where another origin does not get them", async () => {
    const { diagnostics } = await serverOf(credentials["constant query parameter"]!());
    expect(diagnostics.filter(({ code }) => code === "plan-foreign-origin")).toMatchObject([
      {
        message: expect.stringMatching(
          /Credentials are not sent there, and calls with a fixed value of "tenant_token" are refused\.$/,
        ) as string,
        hint:
          `If that host may have them, add \`hosts: [${foreign.url}]\` to mcp-gen.yaml; ` +
          "if it needs none, hide them in these tools.",
      },
    ]);
  });
});

describe("a secret in the path or the body", () => {
  const name = "tenant_token";
  const text = { type: "string" };
  const bodyOf = (type: string): object => ({
    requestBody: {
      content: { [type]: { schema: { type: "object", properties: { [name]: text, a: text } } } },
    },
  });
  const nested = { type: "object", properties: { [name]: text, b: text } };
  const inside = {
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { type: "object", properties: { a: text, auth: nested }, required: ["auth"] },
        },
      },
    },
  };
  const at = { in: "path", required: true, schema: text };
  const requests: readonly (readonly [path: string, method: string, more: object])[] = [
    [`/t/{${name}}`, "get", { parameters: [{ name, ...at }] }],
    ...["application/json", "application/x-www-form-urlencoded", "multipart/form-data"].map(
      (type, i) => [`/b${i}`, "post", bodyOf(type)] as const,
    ),
    ["/inside", "post", inside],
  ];
  const sources = {
    "a variable": { env: "CLINIC_TENANT_TOKEN" },
    "a constant": { fixed: `${MARK}-tenant` },
  };
  const cases = requests.flatMap((request) =>
    Object.keys(sources).map((source) => [...request, source as keyof typeof sources] as const),
  );
  const prepare = async (
    [path, method, more, source]: (typeof cases)[number],
    servers: readonly object[],
    custom?: AnyHooks,
  ) => {
    const operationId = "sendIt";
    const input = path === "/inside" ? `auth.${name}` : name;
    const paths = { [path]: { [method]: operation(operationId, { ...more, servers }) } };
    const configuration = {
      tools: { send_it: { operation: operationId, inputs: { [input]: sources[source] } } },
    };
    const env = { CLINIC_TENANT_TOKEN: `${MARK}-tenant` };
    return serverOf({ configuration, env }, { paths }, custom);
  };
  const INPUTS: Readonly<Record<string, object>> = { "/inside": { auth: { b: "x" } } };
  const send = async (server: ServerContext, path: string) =>
    callTool(
      server,
      server.tools.find("send_it"),
      path.startsWith("/t") ? {} : (INPUTS[path] ?? { a: "x" }),
    );

  test.each(cases)("%s is sent to its origin, and not to another: %s %s %s", async (...request) => {
    const [path] = request;
    await send(await prepare(request, [{ url: home.url }]), path);
    expect(secretsAt(home, seen.home)).toBe(1);
    await send(await prepare(request, [{ url: foreign.url }]), path);
    const hook = {
      beforeRequest: (bound: BoundRequest) => ({
        ...bound,
        url: bound.url.replace(home.url, foreign.url),
      }),
    };
    await send(await prepare(request, [{ url: home.url }], hook), path);
    expect(secretsAt(foreign, seen.foreign)).toBe(0);
  });
});

test("a short credential is not moved by a hook either", async () => {
  for (const location of ["header", "query", "cookie"]) {
    const hook = {
      beforeRequest: (bound: BoundRequest) => ({
        ...bound,
        url: bound.url.replace(home.url, foreign.url),
      }),
    };
    const credential = { ...key(location), env: { CLINIC_API_KEY: "abc" } };
    await call(await serverOf(credential, {}, hook), "get_own", credential);
    expect(foreign.requests.length).toBe(seen.foreign);
  }
});
