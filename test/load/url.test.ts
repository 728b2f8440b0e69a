import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { load } from "../../src/load/index.js";
import { limits } from "../../src/load/limits.js";
import {
  fetchUrl,
  isLoopback,
  looksLikeUrl,
  publicUrl,
  redirectRejection,
  urlRejection,
} from "../../src/load/source/fetch-url.js";
import { api, folder, problemsOf } from "./folder.js";

interface Server {
  readonly origin: string;
  readonly host: string;
  readonly requests: IncomingMessage[];
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Starts a server on loopback for the duration of the test. */
async function serve(answers: Readonly<Record<string, Answer>>): Promise<Server> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = answers[request.url ?? ""];
    if (answer) answer(response, request);
    else response.writeHead(404).end("no");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  );
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin: `http://${host}`, host, requests };
}

const text = JSON.stringify(api({}));
const send =
  (body: string | Uint8Array, headers = {}): Answer =>
  (response) =>
    void response.writeHead(200, headers).end(body);
const redirect =
  (location: string, status = 302): Answer =>
  (response) =>
    void response.writeHead(status, { location }).end();

test("fetches a document, follows redirects and sends no credentials", async () => {
  const server = await serve({
    "/v1?key=secret": redirect("/v2/openapi.json?token=x", 307),
    "/v2/openapi.json?token=x": send(text),
  });
  const { document, diagnostics } = await load(`${server.origin}/v1?key=secret`);
  expect(diagnostics).toEqual([]);
  expect(document).toMatchObject({
    source: `${server.origin}/v1`,
    name: "openapi.json",
    url: `${server.origin}/v2/openapi.json`,
  });
  expect(server.requests.map(({ headers }) => [headers.authorization, headers.cookie])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

const answers: readonly {
  name: string;
  answers: Readonly<Record<string, Answer>>;
  code: string;
  says: RegExp;
}[] = [
  {
    name: "a missing page",
    answers: {},
    code: "load-fetch-failed",
    says: /returned 404/,
  },
  {
    name: "a page that requires credentials",
    answers: { "/": (response) => void response.writeHead(401).end() },
    code: "load-fetch-failed",
    says: /returned 401/,
  },
  {
    name: "a web page",
    answers: { "/": send("<!doctype html><p>hi") },
    code: "load-not-text",
    says: /web page/,
  },
  { name: "an empty response", answers: { "/": send("") }, code: "load-empty", says: /empty/ },
  {
    name: "a redirect loop",
    answers: { "/": redirect("/") },
    code: "load-url-rejected",
    says: /more than 5 redirects/,
  },
  {
    name: "a redirect to a file",
    answers: { "/": redirect("file:///etc/passwd") },
    code: "load-url-rejected",
    says: /file: URLs are not supported/,
  },
  {
    name: "a redirect without encryption",
    answers: { "/": redirect("http://169.254.169.254/latest") },
    code: "load-url-rejected",
    says: /only for loopback/,
  },
  {
    name: "a redirect with credentials",
    answers: { "/": redirect("http://me:hunter2@127.0.0.1:1/") },
    code: "load-url-rejected",
    says: /credentials/,
  },
  {
    name: "a redirect to nowhere",
    answers: { "/": redirect("http://[") },
    code: "load-url-rejected",
    says: /not a URL/,
  },
  {
    name: "a closed connection",
    answers: { "/": (response) => void response.destroy() },
    code: "load-fetch-failed",
    says: /connection/,
  },
  {
    name: "an incomplete response",
    answers: {
      "/": (response) => (
        response.writeHead(200, { "content-length": 100 }).write("{"),
        void setTimeout(() => response.destroy(), 50)
      ),
    },
    code: "load-fetch-failed",
    says: /connection|could not/,
  },
];

test.each(answers)("rejects $name", async ({ answers: given, code, says }) => {
  const server = await serve(given);
  const { document, diagnostics } = await load(`${server.origin}/`);
  expect(document).toBeUndefined();
  expect(diagnostics).toMatchObject([{ code, message: expect.stringMatching(says) as string }]);
  expect(JSON.stringify(diagnostics)).not.toContain("hunter2");
});

const bounds = { ...limits, bytes: 100_000, milliseconds: 400 };

test("the limit applies to decoded bytes and ends an endless response", async () => {
  const endless: Answer = (response) => {
    const more = (): void =>
      void (response.destroyed || response.write("x".repeat(10_000), () => setImmediate(more)));
    more();
  };
  const server = await serve({
    "/zip": send(gzipSync(Buffer.alloc(10_000_000, 0x20)), { "content-encoding": "gzip" }),
    "/endless": endless,
  });
  for (const path of ["/zip", "/endless"]) {
    const { problem } = await fetchUrl(new URL(path, server.origin), "x", {
      ...bounds,
      milliseconds: 30_000,
    });
    expect(problem).toMatchObject({ code: "load-too-large" });
  }
});

test("the time is limited in total", async () => {
  const slow: Answer = (response) => {
    const timer = setInterval(() => response.write(" "), 50);
    response.on("close", () => clearInterval(timer));
  };
  const server = await serve({ "/never": () => undefined, "/slow": slow });
  for (const path of ["/never", "/slow"]) {
    const { problem } = await fetchUrl(new URL(path, server.origin), "x", bounds);
    expect(problem).toMatchObject({
      code: "load-fetch-failed",
      message: expect.stringContaining("no complete response") as string,
    });
  }
});

test("the header of the document is sent to its origin only", async () => {
  const other = await serve({ "/openapi.json": send(text) });
  const server = await serve({
    "/moved": redirect("/openapi.json"),
    "/openapi.json": send(text),
    "/away": redirect(`${other.origin}/openapi.json`),
  });
  const options = { documentHeader: ["X-Key", "s3cret"] as const };
  for (const path of ["/moved", "/away"])
    expect((await load(`${server.origin}${path}`, options)).diagnostics).toEqual([]);
  expect(server.requests.map(({ headers }) => headers["x-key"])).toEqual(Array(3).fill("s3cret"));
  expect(other.requests.map(({ headers }) => headers["x-key"])).toEqual([undefined]);
});

test.each([
  ["Swagger UI", "<script>SwaggerUIBundle({ url: '/openapi.json', dom_id: '#ui' })</script>"],
  ["Redoc", '<redoc spec-url="openapi.json"></redoc>'],
  ["Scalar", '<script id="api-reference" data-url="./openapi.json"></script>'],
  ["Stoplight", '<elements-api apiDescriptionUrl="/openapi.json" router="hash"></elements-api>'],
])("a page of %s names its document", async (_, element) => {
  const server = await serve({ "/docs": send(`<!doctype html><body>${element}`) });
  const { diagnostics } = await load(`${server.origin}/docs`);
  expect(diagnostics[0]?.hint).toBe(
    `Pass the document that it displays: ${server.origin}/openapi.json.`,
  );
});

test("a page with another kind of address names no document", async () => {
  const server = await serve({ "/": send("<!doctype html><script>({url: 'data:,x'})</script>") });
  const { diagnostics } = await load(server.origin);
  expect(diagnostics[0]?.hint).toMatch(/^Pass the URL of the document itself/);
});

test("a closed port", async () => {
  const { diagnostics } = await load("http://127.0.0.1:1/openapi.json");
  expect(diagnostics).toMatchObject([{ code: "load-fetch-failed" }]);
});

const sources: readonly { given: string; says: RegExp }[] = [
  { given: "http://example.com/openapi.json", says: /only for loopback/ },
  { given: "https://me:hunter2@example.com/openapi.json", says: /credentials/ },
  { given: "file:///etc/passwd", says: /file: URLs are not supported/ },
  { given: "ftp://example.com/x", says: /ftp: URLs are not supported/ },
  { given: "https://", says: /not a valid URL/ },
];

test.each(sources)("never fetches $given", async ({ given, says }) => {
  const { diagnostics } = await load(given);
  expect(diagnostics).toMatchObject([
    { code: "load-url-rejected", message: expect.stringMatching(says) as string },
  ]);
  expect(JSON.stringify(diagnostics)).not.toContain("hunter2");
});

test("the address that a development server prints is replaced by one that works", async () => {
  const { diagnostics } = await load("http://0.0.0.0:8000/openapi.json");
  expect(diagnostics[0]?.hint).toBe("Use http://localhost:8000/openapi.json.");
});

test("references to a host are followed only when it is allowed", async () => {
  const server = await serve({
    "/pet.json": send(JSON.stringify({ properties: { owner: { $ref: "owner.json" } } })),
    "/owner.json": send("{}"),
  });
  const source = join(folder({ "a.json": api({ $ref: `${server.origin}/pet.json` }) }), "a.json");
  expect(problemsOf(await load(source))).toMatchObject([{ code: "load-ref-broken" }]);
  expect(server.requests).toHaveLength(0);
  const { document, diagnostics } = await load(source, { allowRemoteRefs: [server.host] });
  expect(diagnostics).toEqual([]);
  expect((document?.root.components as { schemas: object }).schemas).toEqual({
    pet: { properties: { owner: { $ref: "#/components/schemas/owner" } } },
    owner: {},
  });
});

test("an allowed host cannot redirect to files or other hosts", async () => {
  const other = await serve({ "/x.json": send("{}") });
  const server = await serve({
    "/file.json": send(JSON.stringify({ $ref: "file:///etc/passwd" })),
    "/host.json": send(JSON.stringify({ items: { $ref: `${other.origin}/x.json` } })),
    "/moved.json": redirect(`${other.origin}/x.json`),
  });
  for (const path of ["file.json", "host.json", "moved.json"]) {
    const source = join(folder({ "a.json": api({ $ref: `${server.origin}/${path}` }) }), "a.json");
    expect(problemsOf(await load(source, { allowRemoteRefs: [server.host] }))).toHaveLength(1);
  }
  expect(other.requests).toHaveLength(0);
});

test("relative references of a fetched document are references to its host", async () => {
  const server = await serve({
    "/api/a.json": send(JSON.stringify(api({ $ref: "pet.json" }))),
    "/api/pet.json": send('{"type":"object"}'),
  });
  expect(problemsOf(await load(`${server.origin}/api/a.json`))).toMatchObject([
    { code: "load-ref-broken" },
  ]);
  expect(
    (await load(`${server.origin}/api/a.json`, { allowRemoteRefs: ["127.0.0.1"] })).diagnostics,
  ).toEqual([]);
});

const urls: readonly { given: string; want: boolean }[] = [
  { given: "https://a.example/x", want: true },
  { given: "HTTP://a.example", want: true },
  { given: "file:///x", want: true },
  { given: "C:\\specs\\openapi.yaml", want: false },
  { given: "./openapi.yaml", want: false },
  { given: "-", want: false },
];

test.each(urls)("looksLikeUrl: $given", ({ given, want }) => {
  expect(looksLikeUrl(given)).toBe(want);
});

test("isLoopback accepts loopback addresses only", () => {
  expect(["localhost", "127.0.0.1", "127.8.9.1", "[::1]"].map(isLoopback)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(
    ["localhost.evil.test", "127.0.0.1.evil.test", "10.0.0.1", "0.0.0.0", ""].map(isLoopback),
  ).toEqual([false, false, false, false, false]);
});

test("a redirect from another host to a loopback address is not followed", () => {
  expect(redirectRejection(new URL("https://a.example"), new URL("http://127.0.0.1/x"))).toMatch(
    /to a loopback address/,
  );
  expect(
    redirectRejection(new URL("http://127.0.0.1"), new URL("http://127.0.0.1/x")),
  ).toBeUndefined();
  expect(urlRejection(new URL("https://a.example"))).toBeUndefined();
});

test("publicUrl removes secrets", () => {
  expect(publicUrl(new URL("https://me:pw@a.example:8443/x?token=y#z"))).toBe(
    "https://a.example:8443/x",
  );
});
