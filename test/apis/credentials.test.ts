/**
 * Credentials of a server of several APIs, each with another security scheme and its own HTTP
 * server: every API answers with every redirect, and with links, to every other API. No request to
 * an API carries anything of another one.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Client } from "@modelcontextprotocol/client";
import { generateApis } from "../../src/generate-apis.js";
import type { Platform } from "../../src/runtime/auth/types.js";
import type { ClientCertificate } from "../../src/runtime/request/types.js";
import { sendByNode } from "../runtime/support/by-node.js";
import { writeDocuments } from "./documents.js";
import { connect, startUpstream, type Received, type Upstream } from "./server.js";

/** The scheme of an API, and its variables. Secrets are in the values. */
interface Row {
  readonly scheme: (tokenUrl: string) => object;
  readonly env: Readonly<Record<string, string>>;
  /** A secret in the form in which the API gets it. */
  readonly sent: string;
}

const flow = (name: string) => (tokenUrl: string) => ({
  type: "oauth2",
  flows: { [name]: { tokenUrl, authorizationUrl: `${tokenUrl}/authorize`, scopes: {} } },
});
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const rows: Readonly<Record<string, Row>> = {
  header: {
    scheme: () => ({ type: "apiKey", in: "header", name: "X-Api-Key" }),
    env: { API_KEY: "s3cret-of-header" },
    sent: "s3cret-of-header",
  },
  parameter: {
    scheme: () => ({ type: "apiKey", in: "query", name: "key" }),
    env: { API_KEY: "s3cret of/query" },
    sent: "s3cret%20of%2Fquery",
  },
  cookie: {
    scheme: () => ({ type: "apiKey", in: "cookie", name: "session" }),
    env: { API_KEY: "s3cret-of-cookie" },
    sent: "session=s3cret-of-cookie",
  },
  bearer: {
    scheme: () => ({ type: "http", scheme: "bearer" }),
    env: { TOKEN: "s3cret-of-bearer" },
    sent: "Bearer s3cret-of-bearer",
  },
  basic: {
    scheme: () => ({ type: "http", scheme: "basic" }),
    env: { USERNAME: "user-of-basic", PASSWORD: "s3cret-of-basic" },
    sent: base64("user-of-basic:s3cret-of-basic"),
  },
  other: {
    scheme: () => ({ type: "http", scheme: "ApiToken" }),
    env: { CREDENTIALS: "s3cret-of-other" },
    sent: "s3cret-of-other",
  },
  client: {
    scheme: flow("clientCredentials"),
    env: { CLIENT_ID: "id-of-client", CLIENT_SECRET: "s3cret-of-client" },
    sent: "Bearer token-of-client",
  },
  refresh: {
    scheme: flow("authorizationCode"),
    env: { CLIENT_ID: "id-of-refresh", REFRESH_TOKEN: "s3cret-of-refresh" },
    sent: "Bearer token-of-refresh",
  },
  implicit: {
    scheme: flow("implicit"),
    env: { TOKEN: "s3cret-of-implicit" },
    sent: "Bearer s3cret-of-implicit",
  },
  password: {
    scheme: flow("password"),
    env: { TOKEN: "s3cret-of-password" },
    sent: "Bearer s3cret-of-password",
  },
  openid: {
    scheme: (tokenUrl) => ({ type: "openIdConnect", openIdConnectUrl: `${tokenUrl}/metadata` }),
    env: { TOKEN: "s3cret-of-openid" },
    sent: "Bearer s3cret-of-openid",
  },
  certificate: {
    scheme: () => ({ type: "mutualTLS" }),
    env: { CLIENT_CERT: "-----BEGIN s3cret-certificate", CLIENT_KEY: "-----BEGIN s3cret-key" },
    sent: "s3cret-certificate -----BEGIN s3cret-key",
  },
};

/** Sends the certificate of a connection as a header, by which an upstream without TLS records it. */
const platform: Platform = {
  readTextFile: async (path) => path,
  send: (request, { tls, ...options }) => {
    const headers = [...request.headers, ...(tls ? [presented(tls)] : [])];
    return sendByNode({ ...request, headers }, options);
  },
};
const presented = ({ cert, key }: ClientCertificate): [string, string] => [
  "x-presented",
  `${cert} ${key}`,
];
const apis = Object.keys(rows);

const documentOf = (name: string, tokenUrl: string): object => {
  const { scheme } = rows[name]!;
  const thing = {
    type: "object",
    properties: { id: { type: "string" }, name: { type: "string" } },
  };
  const respond = (schema: object) => ({
    200: { description: "OK", content: { "application/json": { schema } } },
  });
  return {
    openapi: "3.1.0",
    info: { title: name, version: "1" },
    servers: [{ url: `https://${name}.example` }],
    security: [{ own: [] }],
    paths: {
      [`/${name}s`]: {
        get: {
          operationId: `list_${name}s`,
          summary: `List ${name}s`,
          parameters: [{ name: "page", in: "query", schema: { type: "integer" } }],
          responses: respond({
            type: "object",
            properties: { data: { type: "array", items: thing }, next: { type: "string" } },
          }),
        },
        post: {
          operationId: `add_${name}`,
          summary: `Add a ${name}`,
          requestBody: { content: { "application/json": { schema: thing } } },
          responses: respond(thing),
        },
      },
      [`/${name}s/status`]: {
        get: {
          operationId: `get_${name}_status`,
          summary: `Get the status of the ${name}s`,
          security: [],
          responses: respond(thing),
        },
      },
    },
    components: { securitySchemes: { own: scheme(tokenUrl) } },
  };
};

let upstreams: Record<string, Upstream>;
let tokens: Record<string, Upstream>;
let connectClient: () => Promise<Client>;
let client: Client;

/** Starts a server for each API. */
async function startAll(body: (name: string) => unknown): Promise<Record<string, Upstream>> {
  const started = apis.map(async (name) => [name, await startUpstream(body(name))] as const);
  return Object.fromEntries(await Promise.all(started));
}

beforeAll(async () => {
  upstreams = await startAll(() => ({}));
  tokens = await startAll((name) => ({ access_token: `token-of-${name}`, token_type: "Bearer" }));
  const files = writeDocuments(
    Object.fromEntries(apis.map((name) => [`${name}.json`, documentOf(name, tokens[name]!.url)])),
  );
  const sources = apis.map((name) => ({ name, source: files.path(`${name}.json`) }));
  const options = { planOnly: true, packageName: "acme-mcp-server" };
  const { plan } = await generateApis(sources, undefined, options);
  files.remove();
  const variables = apis.flatMap((name) =>
    Object.entries({ ...rows[name]!.env, BASE_URL: upstreams[name]!.url }).map(
      ([variable, value]) => [`ACME_${name.toUpperCase()}_${variable}`, value] as const,
    ),
  );
  const env = Object.fromEntries(variables);
  connectClient = () => connect(plan!, { ...env, ACME_MAX_RETRY_WAIT_MS: "0" }, { platform });
});
afterAll(async () => {
  await Promise.all(
    [...Object.values(upstreams), ...Object.values(tokens)].map((one) => one.stop()),
  );
});
beforeEach(async () => {
  client = await connectClient();
  for (const upstream of Object.values(upstreams)) {
    upstream.received.length = 0;
    upstream.respond = (_, response) =>
      void response.setHeader("content-type", "application/json").end(JSON.stringify({ data: [] }));
  }
});

afterEach(() => client.close());

/** Values of the variables of an API, and its access token, in the forms in which they are sent. */
function secretsOf(name: string): readonly string[] {
  const { env, sent } = rows[name]!;
  const plain = [...Object.values(env), `token-of-${name}`, sent];
  return plain.flatMap((text) => [text, encodeURIComponent(text), base64(text).replace(/=*$/, "")]);
}

/** Requests to an API, or to its token endpoint, that carry anything of another one. */
function leaks(): readonly string[] {
  return apis.flatMap((at) =>
    [...upstreams[at]!.received, ...tokens[at]!.received].flatMap(({ text }) =>
      apis
        .filter((owner) => owner !== at && secretsOf(owner).some((one) => text.includes(one)))
        .map((owner) => `${owner} at ${at}: ${text}`),
    ),
  );
}

/** The tools of an API: two that need its credentials, and one that needs none. */
const toolsOf = (name: string) =>
  ({ withCredentials: [`list_${name}s`, `add_${name}`], open: `get_${name}_status` }) as const;

type Answer = (
  request: Received,
  url: string,
) => readonly [number, Record<string, string>, unknown];

const redirects: Readonly<Record<string, (request: Received, url: string) => string>> = {
  "to its operation": ({ url: path }, url) => url + path,
  "to its origin": (_, url) => url,
  "without a scheme": (_, url) => `${url.replace("http:", "")}/moved`,
  "with a user name": (_, url) => `${url.replace("//", "//a:b@")}/moved`,
};
const statuses = [301, 302, 303, 307, 308];

const links: Readonly<Record<string, Answer>> = {
  "a link to the next page": (_, url) => [200, { link: `<${url}/p>; rel="next"` }, [{ id: "1" }]],
  "the URL of the next page": (_, url) => [200, {}, { data: [{ id: "1" }], next: `${url}/p` }],
  "the location of a new thing": (_, url) => [201, { location: `${url}/moved` }, {}],
  "the location of work": (_, url) => [202, { "operation-location": `${url}/job` }, {}],
  "a challenge": (_, url) => [401, { "www-authenticate": `Bearer realm="${url}"` }, {}],
};

/**
 * Calls the tools of an API that answers each operation with something of an address.
 * @returns the paths that the API itself gets besides those of its operations
 */
async function callTools(name: string, url: string, answer: Answer): Promise<readonly string[]> {
  const upstream = upstreams[name]!;
  const { respond } = upstream;
  const own = new RegExp(`^/${name}s(?:/status)?(?:\\?|$)`);
  upstream.respond = (request, response) => {
    if (!own.test(request.url)) return respond(request, response);
    const [status, headers, body] = answer(request, url);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
  const before = upstream.received.length;
  const { withCredentials, open } = toolsOf(name);
  const call = (tool: string) => client.callTool({ name: tool, arguments: {} });
  await Promise.all([...withCredentials, open].map(call));
  upstream.respond = respond;
  const paths = upstream.received.slice(before).map((one) => one.url);
  return paths.filter((path) => !own.test(path));
}

/** Requests that reach an API while another one answers with its address, over all pairs. */
async function arrivals(answer: Answer): Promise<readonly string[]> {
  const arrived: string[] = [];
  for (const from of apis)
    for (const to of apis.filter((name) => name !== from)) {
      const { received, url } = upstreams[to]!;
      const before = received.length;
      await callTools(from, url, answer);
      arrived.push(...received.slice(before).map(({ text }) => `${from} → ${to} ${text}`));
    }
  return arrived;
}

test("each API gets its own credentials, and none where it needs none", async () => {
  for (const name of apis) {
    const { withCredentials, open } = toolsOf(name);
    for (const tool of [...withCredentials, open]) {
      const { isError = false } = await client.callTool({ name: tool, arguments: {} });
      expect([tool, isError]).toEqual([tool, false]);
    }
    const carries = upstreams[name]!.received.map(({ text }) => text.includes(rows[name]!.sent));
    expect([name, ...carries]).toEqual([name, true, true, false]);
  }
  expect(leaks()).toEqual([]);
});

test.each(statuses)("a redirect with %i stays at the API", async (status) => {
  const redirect =
    (form: string): Answer =>
    (request, url) => [status, { location: redirects[form]!(request, url) }, {}];
  // It is followed where the API redirects to itself: calls with credentials and without.
  const [name = ""] = apis;
  const moved = await callTools(name, upstreams[name]!.url, redirect("without a scheme"));
  expect(moved).toEqual(["/moved", "/moved", "/moved"]);
  for (const form of Object.keys(redirects))
    expect([form, ...(await arrivals(redirect(form)))]).toEqual([form]);
  expect(leaks()).toEqual([]);
});

test.each(Object.keys(links))("%s at another API is not requested", async (name) => {
  expect(await arrivals(links[name]!)).toEqual([]);
  expect(leaks()).toEqual([]);
});
