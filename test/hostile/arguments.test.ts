/**
 * Group B: arguments that want to do something else than they should. Through a generated server,
 * over stdio.
 */
import { afterAll, beforeAll, expect } from "vitest";
import { startUpstream, type ReceivedRequest, type Upstream } from "../runtime/support/upstream.js";
import { echoDocument } from "./support/echo-document.js";
import {
  type Connection,
  connect,
  type Generated,
  generated,
  type Told,
} from "./support/generated.js";
import { peakOf } from "./support/memory.js";
import { row } from "./support/transcript.js";

let server: Generated;
let upstream: Upstream;
let connection: Connection;

beforeAll(async () => {
  upstream = await startUpstream((response, { method, url, headers, body }) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ method, url, trace: headers["x-trace"], body: body.slice(0, 2000) })),
  );
  server = await generated(echoDocument);
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

/** A call that must not be sent: its answer names the argument. */
async function refused(
  tool: string,
  input: string | object | undefined,
  ...names: readonly string[]
): Promise<Told> {
  const before = upstream.requests.length;
  const answer = await connection.call(tool, input);
  expect(answer.isError, answer.text).toBe(true);
  for (const name of names) expect(answer.text).toContain(name);
  expect(answer.text).not.toMatch(/hunter2|\n\s+at /);
  expect(upstream.requests).toHaveLength(before);
  return answer;
}

/** A call that is sent, once; the request that came of it. */
async function sent(
  tool: string,
  input: string | object,
): Promise<ReceivedRequest & { readonly answer: Told }> {
  const before = upstream.requests.length;
  const answer = await connection.call(tool, input);
  expect(answer.isError, answer.text).toBe(false);
  expect(upstream.requests).toHaveLength(before + 1);
  const request = upstream.requests.at(-1)!;
  expect(request.headers.authorization).toBe("Bearer hunter2-token");
  return { ...request, answer };
}

row("B01", "dot segments as an ID", async (say) => {
  for (const id of [".", ".."]) say((await refused("get_profile", { id }, "- id: ")).text, id);
  expect((await sent("get_profile", { id: "%2e%2e" })).url).toBe("/v1/users/%252e%252e/profile");
});

row("B02", "IDs that want out of their segment", async (say) => {
  say(
    (await refused("get_profile", { id: "../../admin/delete-all?x=" }, "- id: ")).text,
    "../../admin/delete-all?x=",
  );
  say((await refused("get_profile", { id: "..\\admin" }, "- id: ")).text, "..\\admin");
  say((await refused("get_profile", { id: "..;/x" }, "- id: ")).text, "..;/x");
  for (const id of ["a/b", "a?b#c", "a;b"])
    expect((await sent("get_profile", { id })).url).toBe(
      `/v1/users/${encodeURIComponent(id)}/profile`,
    );
  expect(upstream.requests.some(({ url }) => url.includes("admin/delete"))).toBe(false);
});

row("B03", "two parameters in one segment", async (say) => {
  say((await refused("get_file", { name: ".", ext: "" }, "- name: ")).text, ". and nothing");
  say((await refused("get_file", { name: "", ext: "" }, "- name: ")).text, "nothing");
  const { url } = await sent("get_file", { name: ".", ext: "." });
  expect(new URL(url, "http://x").pathname.split("/")).toHaveLength(4);
});

row("B04", "an ID that is none", async (say) => {
  for (const input of ['{"id":""}', '{"id":null}', "{}"])
    say((await refused("get_profile", input, "- id: ")).text, input);
});

row("B05", "headers and cookies that want to be several", async (say) => {
  for (const x_trace of ["a\r\nX-Evil: 1", "a\u0000b", "☃"])
    say(
      (await refused("search", { x_trace, q: "a value" }, "- x_trace: ")).text,
      JSON.stringify(x_trace),
    );
  expect((await refused("search", { x_trace: "\n", q: "a value" })).text).not.toContain("a value");
  const { headers } = await sent("search", { sid: "a; admin=1" });
  expect(headers.cookie).toBe("sid=a%3B%20admin%3D1");
});

row("B06", "queries that want to be several", async (say) => {
  for (const q of ["a&admin=1#x", "+ %00", "🐈", "x".repeat(1_000_000)]) {
    const before = upstream.requests.length;
    const { text } = await connection.call("search", { q });
    if (q.length > 1000) say(text, "1 MB");
    for (const { url } of upstream.requests.slice(before))
      expect([...new URL(url, "http://x").searchParams]).toEqual([["q", q]]);
    if (q.length < 1000) expect(upstream.requests).toHaveLength(before + 1);
  }
  await sent("search", { q: "still there" });
});

row("B07", "half characters", async (say) => {
  say((await refused("get_profile", '{"id":"\\ud800"}', "- id: ")).text, "in the path");
  say((await refused("search", '{"q":"\\ud800"}', "- q: ")).text, "in the query");
  say((await refused("create_item", '{"name":"\\udc00"}', "- name: ")).text, "in the body");
});

row("B08", "names that every object has", async (say) => {
  say(
    (
      await refused(
        "create_item",
        '{"name":"a","__proto__":{"polluted":1},"constructor":{"prototype":{}}}',
        "__proto__",
        "constructor",
      )
    ).text,
  );
  const { body } = await sent(
    "create_item",
    '{"name":"a","nested":{"__proto__":{"polluted":1},"constructor":2}}',
  );
  expect(body).toBe('{"name":"a","nested":{"__proto__":{"polluted":1},"constructor":2}}');
});

row("B09", "wrong and unknown arguments, all at once", async (say) => {
  say(
    (
      await refused(
        "search",
        '{"limit":"5","q":["a"],"tags":"x","limt":1}',
        "- limit: ",
        "- q: ",
        "- tags: ",
        "- limt: ",
      )
    ).text,
    "four of them",
  );
  for (const limit of ["0", "101", "1.5", "1e400"])
    say((await refused("search", `{"limit":${limit}}`, "- limit: ")).text, `limit ${limit}`);
});

row("B10", "a pattern that takes for ever", async (say) => {
  const [slow, list] = await Promise.all([
    connection.call("search", { slow: `${"a".repeat(40)}!` }),
    connection.process.request("tools/list"),
  ]);
  expect(list.result).toBeDefined();
  say(slow.text);
});

row("B11", "no arguments, or no object", async (say) => {
  for (const input of [undefined, "null", "[]", '"x"'])
    say((await refused("get_profile", input)).text, input ?? "none");
  expect((await sent("search", "null")).url).toBe("/v1/search");
});

row("B12", "arguments of a size that hurts", async (say) => {
  say(
    (
      await refused(
        "create_item",
        `{"name":"a","nested":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`,
      )
    ).text,
    "10,000 levels",
  );
  const wide = JSON.stringify(
    Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i])),
  );
  expect((await sent("create_item", `{"name":"a","nested":${wide}}`)).body.length).toBeGreaterThan(
    1_000_000,
  );
  connection.process.write(
    `{"jsonrpc":"2.0","id":"huge","method":"tools/call","params":{"name":"search","arguments":{"q":"${"x".repeat(20_000_000)}"}}}\n`,
  );
  const { error } = await connection.process.message((message) => message.error !== undefined);
  expect(error).toMatchObject({ code: -32600 });
  say(error?.message ?? "", "20 MB (protocol error)");
  await sent("search", { q: "still there" });
  expect(peakOf(connection.process.child)).toBeLessThan(512_000_000);
});

row("B13", "arguments that name credentials and hosts", async (say) => {
  const input = {
    Authorization: "Bearer mine",
    Host: "evil.test",
    "X-Api-Key": "mine",
    baseUrl: "http://evil.test",
    headers: { a: 1 },
    server: "evil",
  };
  say((await refused("search", input, ...Object.keys(input))).text);
});

row("B14", "paths and URLs where a file is wanted", async (say) => {
  for (const file of ["/etc/passwd", "file:///etc/passwd", "http://127.0.0.1:18081/"]) {
    const { body, answer } = await sent("upload", { file });
    expect(body).toContain(`\r\n\r\n${file}\r\n`);
    if (file.startsWith("file:")) say(answer.text.replace(/part-[0-9a-f-]+/g, "part-…"), file);
  }
});

row("B15", "a file name that wants to be a header", async (say) => {
  const { body, answer } = await sent("upload", { file: "aGk=", file_filename: 'a"\r\nX: 1' });
  expect(body).toContain('filename="a%22%0D%0AX: 1"\r\n');
  say(answer.text.replace(/part-[0-9a-f-]+/g, "part-…"));
});

row("B16", "integers that a number cannot hold", async (say) => {
  say(
    (await refused("create_item", '{"name":"a","n":9007199254740993}', "- n: ")).text,
    "9007199254740993",
  );
  expect((await sent("create_item", '{"name":"a","n":"9007199254740993"}')).body).toBe(
    '{"name":"a","n":9007199254740993}',
  );
  say(
    (await refused("create_item", '{"name":"a","n":"12"}', "- n: ")).text,
    "as text, although a number holds it",
  );
  expect((await sent("create_item", '{"name":"a","n":9007199254740991}')).body).toBe(
    '{"name":"a","n":9007199254740991}',
  );
});
