/** Group B: malicious and malformed arguments. Runs a generated server over stdio. */
import { afterAll, beforeAll, expect } from "vitest";
import { startUpstream, type ReceivedRequest, type Upstream } from "../runtime/support/upstream.js";
import { echoDocument } from "./support/echo-document.js";
import {
  type Connection,
  connect,
  type GeneratedServer,
  generateServer,
  type ReadableResult,
} from "./support/generated.js";
import { peakOf } from "./support/memory.js";
import { scenario } from "./support/transcript.js";

let server: GeneratedServer;
let upstream: Upstream;
let connection: Connection;

beforeAll(async () => {
  upstream = await startUpstream((response, { method, url, headers, body }) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ method, url, trace: headers["x-trace"], body: body.slice(0, 2000) })),
  );
  server = await generateServer(echoDocument);
  connection = await connect(server.file, {
    ECHO_BASE_URL: `${upstream.url}/v1`,
    ECHO_TOKEN: "hunter2-token",
    ECHO_API_KEY: "hunter2-key",
    LOG_LEVEL: "error",
  });
});
afterAll(async () => {
  connection.process.child.kill("SIGKILL");
  await Promise.all([server.remove(), upstream.close()]);
});

/** Calls a tool, and expects an error that names the arguments and no request. */
async function expectRejected(
  tool: string,
  input: string | object | undefined,
  ...names: readonly string[]
): Promise<ReadableResult> {
  const before = upstream.requests.length;
  const result = await connection.call(tool, input);
  expect(result.isError, result.text).toBe(true);
  for (const name of names) expect(result.text).toContain(name);
  expect(result.text).not.toMatch(/hunter2|\n\s+at /);
  expect(upstream.requests).toHaveLength(before);
  return result;
}

/** Calls a tool, expects exactly one request, and returns it with the result. */
async function expectSent(
  tool: string,
  input: string | object,
): Promise<ReceivedRequest & { readonly result: ReadableResult }> {
  const before = upstream.requests.length;
  const result = await connection.call(tool, input);
  expect(result.isError, result.text).toBe(false);
  expect(upstream.requests).toHaveLength(before + 1);
  const request = upstream.requests.at(-1)!;
  expect(request.headers.authorization).toBe("Bearer hunter2-token");
  return { ...request, result };
}

scenario("B01", "dot segments as an ID", async (record) => {
  for (const id of [".", ".."])
    record((await expectRejected("get_profile", { id }, "- id: ")).text, id);
  expect((await expectSent("get_profile", { id: "%2e%2e" })).url).toBe(
    "/v1/users/%252e%252e/profile",
  );
});

scenario("B02", "IDs that would leave their path segment", async (record) => {
  record(
    (await expectRejected("get_profile", { id: "../../admin/delete-all?x=" }, "- id: ")).text,
    "../../admin/delete-all?x=",
  );
  record((await expectRejected("get_profile", { id: "..\\admin" }, "- id: ")).text, "..\\admin");
  record((await expectRejected("get_profile", { id: "..;/x" }, "- id: ")).text, "..;/x");
  for (const id of ["a/b", "a?b#c", "a;b"])
    expect((await expectSent("get_profile", { id })).url).toBe(
      `/v1/users/${encodeURIComponent(id)}/profile`,
    );
  expect(upstream.requests.some(({ url }) => url.includes("admin/delete"))).toBe(false);
});

scenario("B03", "two parameters in one segment", async (record) => {
  record(
    (await expectRejected("get_file", { name: ".", ext: "" }, "- name: ")).text,
    "a dot and an empty extension",
  );
  record((await expectRejected("get_file", { name: "", ext: "" }, "- name: ")).text, "both empty");
  const { url } = await expectSent("get_file", { name: ".", ext: "." });
  expect(new URL(url, "http://x").pathname.split("/")).toHaveLength(4);
});

scenario("B04", "an empty, null or missing ID", async (record) => {
  for (const input of ['{"id":""}', '{"id":null}', "{}"])
    record((await expectRejected("get_profile", input, "- id: ")).text, input);
});

scenario("B05", "header and cookie injection", async (record) => {
  for (const x_trace of ["a\r\nX-Evil: 1", "a\u0000b", "☃"])
    record(
      (await expectRejected("search", { x_trace, q: "a value" }, "- x_trace: ")).text,
      JSON.stringify(x_trace),
    );
  expect((await expectRejected("search", { x_trace: "\n", q: "a value" })).text).not.toContain(
    "a value",
  );
  const { headers } = await expectSent("search", { sid: "a; admin=1" });
  expect(headers.cookie).toBe("sid=a%3B%20admin%3D1");
});

scenario("B06", "query injection", async (record) => {
  for (const q of ["a&admin=1#x", "+ %00", "🐈", "x".repeat(1_000_000)]) {
    const before = upstream.requests.length;
    const { text } = await connection.call("search", { q });
    if (q.length > 1000) record(text, "1 MB");
    for (const { url } of upstream.requests.slice(before))
      expect([...new URL(url, "http://x").searchParams]).toEqual([["q", q]]);
    if (q.length < 1000) expect(upstream.requests).toHaveLength(before + 1);
  }
  await expectSent("search", { q: "still there" });
});

scenario("B07", "lone surrogates", async (record) => {
  record((await expectRejected("get_profile", '{"id":"\\ud800"}', "- id: ")).text, "in the path");
  record((await expectRejected("search", '{"q":"\\ud800"}', "- q: ")).text, "in the query");
  record(
    (await expectRejected("create_item", '{"name":"\\udc00"}', "- name: ")).text,
    "in the body",
  );
});

scenario("B08", "members of Object.prototype", async (record) => {
  record(
    (
      await expectRejected(
        "create_item",
        '{"name":"a","__proto__":{"polluted":1},"constructor":{"prototype":{}}}',
        "__proto__",
        "constructor",
      )
    ).text,
  );
  const { body } = await expectSent(
    "create_item",
    '{"name":"a","nested":{"__proto__":{"polluted":1},"constructor":2}}',
  );
  expect(body).toBe('{"name":"a","nested":{"__proto__":{"polluted":1},"constructor":2}}');
});

scenario("B09", "invalid and unknown arguments in one call", async (record) => {
  record(
    (
      await expectRejected(
        "search",
        '{"limit":"five","q":["a","b"],"tags":{"a":1},"limt":1}',
        "- limit: ",
        "- q: ",
        "- tags",
        "- limt: ",
      )
    ).text,
    "four of them",
  );
  for (const limit of ["0", "101", "1.5", "1e400"])
    record(
      (await expectRejected("search", `{"limit":${limit}}`, "- limit: ")).text,
      `limit ${limit}`,
    );
});

scenario("B10", "a pattern with exponential backtracking", async (record) => {
  const [slow, list] = await Promise.all([
    connection.call("search", { slow: `${"a".repeat(40)}!` }),
    connection.process.request("tools/list"),
  ]);
  expect(list.result).toBeDefined();
  record(slow.text);
});

scenario("B11", "missing and non-object arguments", async (record) => {
  for (const input of [undefined, "null", "[]", '"x"'])
    record((await expectRejected("get_profile", input)).text, input ?? "none");
  expect((await expectSent("search", "null")).url).toBe("/v1/search");
});

scenario("B12", "very large arguments", async (record) => {
  record(
    (
      await expectRejected(
        "create_item",
        `{"name":"a","nested":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`,
      )
    ).text,
    "10,000 levels",
  );
  const wide = JSON.stringify(
    Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i])),
  );
  expect(
    (await expectSent("create_item", `{"name":"a","nested":${wide}}`)).body.length,
  ).toBeGreaterThan(1_000_000);
  connection.process.write(
    `{"jsonrpc":"2.0","id":"huge","method":"tools/call","params":{"name":"search","arguments":{"q":"${"x".repeat(20_000_000)}"}}}\n`,
  );
  const { error } = await connection.process.message((message) => message.error !== undefined);
  expect(error).toMatchObject({ code: -32600 });
  record(error?.message ?? "", "20 MB (protocol error)");
  await expectSent("search", { q: "still there" });
  expect(peakOf(connection.process.child)).toBeLessThan(512_000_000);
});

scenario("B13", "arguments that name credentials and hosts", async (record) => {
  const input = {
    Authorization: "Bearer mine",
    Host: "evil.test",
    "X-Api-Key": "mine",
    baseUrl: "http://evil.test",
    headers: { a: 1 },
    server: "evil",
  };
  record((await expectRejected("search", input, ...Object.keys(input))).text);
});

scenario("B14", "paths and URLs as file content", async (record) => {
  for (const file of ["/etc/passwd", "file:///etc/passwd", "http://127.0.0.1:18081/"]) {
    const { body, result } = await expectSent("upload", { file });
    expect(body).toContain(`\r\n\r\n${file}\r\n`);
    if (file.startsWith("file:")) record(result.text.replace(/part-[0-9a-f-]+/g, "part-…"), file);
  }
});

scenario("B15", "header injection in a file name", async (record) => {
  const { body, result } = await expectSent("upload", {
    file: "aGk=",
    file_filename: 'a"\r\nX: 1',
  });
  expect(body).toContain('filename="a%22%0D%0AX: 1"\r\n');
  record(result.text.replace(/part-[0-9a-f-]+/g, "part-…"));
});

scenario("B16", "integers above the safe range", async (record) => {
  record(
    (await expectRejected("create_item", '{"name":"a","n":9007199254740993}', "- n: ")).text,
    "9007199254740993",
  );
  expect((await expectSent("create_item", '{"name":"a","n":"9007199254740993"}')).body).toBe(
    '{"name":"a","n":9007199254740993}',
  );
  // Text that is a number is converted where nothing is ambiguous.
  expect((await expectSent("create_item", '{"name":"a","n":"12"}')).body).toBe(
    '{"name":"a","n":12}',
  );
  expect((await expectSent("create_item", '{"name":"a","n":9007199254740991}')).body).toBe(
    '{"name":"a","n":9007199254740991}',
  );
});
