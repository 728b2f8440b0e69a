import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiWords } from "../../src/runtime/errors/api-words.js";
import { connectionFailure } from "../../src/runtime/send/causes.js";
import { call, textOf, toolOf, type ToolSketch } from "./support/clinic.js";
import { reply, startUpstream, type Upstream } from "./support/upstream.js";

let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => {
    const { status = "200", ...headers } = Object.fromEntries(new URL(request.url, "http://x").searchParams);
    reply(Number(status), { message: "the API's words" }, headers)(response, request, count);
  });
});
afterAll(() => upstream.close());

const find = {
  name: "get_pet",
  properties: { pet_id: { type: "string" }, status: { type: "integer" }, after: { type: "string" } },
  send: { path: "/pets/{petId}", pathParams: { petId: "pet_id" }, query: { status: "status", "retry-after": "after" } },
} satisfies ToolSketch;

const withToken: ToolSketch["send"] = { ...find.send, security: [{ token: [] }, { key: [] }] };

describe("a status, as the agent reads it", () => {
  test.each<readonly [number, ToolSketch, string]>([
    [400, find, "Next: correct the input of get_pet as the API says, then call it again; the same input fails again."],
    [401, find, "Next: the API wants credentials, although its description declares none for this; tell the user."],
    [401, { ...find, send: withToken }, "Next: the API rejected the credentials. Tell the user to check CLINIC_TOKEN, or CLINIC_API_KEY; do not retry."],
    [403, { ...find, send: withToken }, "Next: these credentials may not do this. Tell the user that the ones in CLINIC_TOKEN, or CLINIC_API_KEY lack the permission; do not retry."],
    [404, find, "Next: check pet_id: nothing exists with this value. Get a valid one first; if the user gave it, ask them to check it."],
    [404, { send: { query: { status: "status" } }, properties: find.properties }, "Next: the API has nothing here; do not call get_pet with the same input again."],
    [405, find, "Next: the API does not support this operation here; do not call get_pet again."],
    [409, find, "Next: this conflicts with the present state. Read it again, adapt the input, then call get_pet again."],
    [422, find, "Next: correct the input of get_pet as the API says, then call it again; the same input fails again."],
    [500, find, "Next: the fault is on the API's side. A retry can help: wait a little, then call get_pet again; if it fails again, tell the user."],
    [500, { ...find, send: { ...find.send, method: "POST" } }, "Next: the fault is on the API's side, and get_pet may or may not have taken effect. Check that before you call it again."],
    [404, { ...find, onError: { 404: "No pet has pet_id {pet_id}. Call find_pets to get one." } }, "Next: No pet has pet_id 42. Call find_pets to get one."],
    [418, { ...find, onError: { "4XX": "Four, {missing}.", default: "Any." } }, "Next: Four, missing."],
    [500, { ...find, onError: { "4XX": "Four.", default: "Any." } }, "Next: Any."],
  ])("%d", async (status, sketch, next) => {
    const result = await call(toolOf(sketch), { pet_id: "42", status }, { env: { CLINIC_BASE_URL: upstream.url, CLINIC_TOKEN: "hunter2" } });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    const [happened, says, last] = textOf(result).split("\n");
    expect(happened).toMatch(new RegExp(`^get_pet failed: ${status} .+ \\((GET|POST) ${upstream.url}/.*\\)\\.$`));
    expect(says).toBe('The API says: "the API\'s words"');
    expect(last).toBe(next);
  });

  test.each<readonly [number, string, string]>([
    [429, "3600", "Next: too many calls: wait 3600 s, then call get_pet again."],
    [503, "3600", "Next: the fault is on the API's side. A retry can help: wait 3600 s, then call get_pet again; if it fails again, tell the user."],
  ])("%d says how long to wait", async (status, after, next) => {
    const result = await call(toolOf(find), { pet_id: "42", status, after }, { env: { CLINIC_BASE_URL: upstream.url } });
    expect(textOf(result)).toContain(next);
  });

  test("a long URL is cut", async () => {
    const result = await call(toolOf(find), { pet_id: "x".repeat(2000), status: 404 }, { env: { CLINIC_BASE_URL: upstream.url } });
    expect(textOf(result).split("\n")[0]!.length).toBeLessThan(400);
  });
});

describe("what never leaves", () => {
  test("credentials that the API sends back", async () => {
    const echo = await startUpstream((response, request) => reply(401, { error: `bad token ${request.headers.authorization} and ${request.headers["x-api-key"]}` })(response, request, 0));
    const env = { CLINIC_BASE_URL: echo.url, CLINIC_TOKEN: "hunter2hunter2", CLINIC_API_KEY: "k€y" };
    const result = await call(toolOf({ send: { security: [{ token: [] }] } }), {}, { env });
    expect(textOf(result)).toContain('The API says: "bad token Bearer [redacted] and undefined"');
    await echo.close();
  });

  test("the text of an exception", async () => {
    const custom = { beforeRequest: () => Promise.reject(new Error("secret /home/u")) };
    const result = await call(toolOf(find), { pet_id: "1" }, { env: { CLINIC_BASE_URL: upstream.url }, custom });
    expect(textOf(result)).toBe("The call failed because of an internal error of this server; it is in the server's log. Tell the user; calling again will most likely fail too.");
  });

  test("a request without credentials, when they are wanted", async () => {
    const before = upstream.requests.length;
    const result = await call(toolOf({ ...find, send: withToken }), { pet_id: "1" }, { env: { CLINIC_BASE_URL: upstream.url } });
    expect(textOf(result)).toBe("Not sent: Clinic needs credentials. Set CLINIC_TOKEN, or CLINIC_API_KEY, in the environment of this server, then restart it; do not retry.");
    expect(upstream.requests).toHaveLength(before);
  });

  test("a request without an address", async () => {
    expect(textOf(await call(toolOf(find), { pet_id: "1" }))).toMatch(/^Not sent: The API's document names no server\. Set CLINIC_BASE_URL/);
  });
});

describe("the API's own words", () => {
  test.each<readonly [string, unknown, string]>([
    ["application/problem+json", { type: "about:blank", title: "Bad email", status: 422, errors: [{ field: "email", message: "must be an address" }] }, "Bad email; email: must be an address"],
    ["application/problem+json", { title: "No", detail: "Not today", errors: { name: ["is short", "is odd"] } }, "No; Not today; name: is short, is odd"],
    ["application/json", { error: "slow down" }, "slow down"],
    ["application/json", { error: { code: 7, message: "inner" } }, "inner"],
    ["application/json", { error: "invalid_grant", error_description: "Expired" }, "Expired; invalid_grant"],
    ["application/json", { errors: ["one", "two"] }, "one; two"],
    ["application/json", { detail: [{ loc: ["body", "name"], msg: "field required" }] }, "body.name: field required"],
    ["application/json", [{ message: "listed" }], "listed"],
    ["application/json", { code: 7, hint: "x" }, '{"code":7,"hint":"x"}'],
    ["application/json", {}, ""],
    ["application/json", [], ""],
    ["application/json", "text", "text"],
    ["application/json", "{broken", "{broken"],
    ["text/html", "<html><head><style>p{}</style><script>alert(1)</script></head><body><p>Log <b>in</b></p>\n</body>", "Log in"],
    ["text/plain", "a\u001b[31mb\u202e", "a[31mb"],
    ["text/plain", "1 < 2", "1 < 2"],
    ["image/png", "\u0089PNG", ""],
    ["", "plain", "plain"],
  ])("%s %j", (type, body, want) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    expect(apiWords({ headers: new Headers({ "content-type": type }), body: text, size: text.length })).toBe(want);
  });

  test.each(["x".repeat(100_000), "<script>".repeat(8_000), "<".repeat(64_000), "<a ".repeat(20_000)])("are at most 2,000 characters", (text) => {
    const words = apiWords({ headers: new Headers({ "content-type": "text/html" }), body: text, size: text.length });
    expect(words.length).toBeLessThanOrEqual(2001);
  });
});

describe("what is wrong with a connection", () => {
  const caused = (code: string): Error => new TypeError("fetch failed: hunter2", { cause: Object.assign(new Error("hunter2"), { code }) });

  test.each<readonly [string, string, boolean]>([
    ["ENOTFOUND", "the API's host name does not exist (DNS)", false],
    ["ECONNREFUSED", "the API refused the connection", false],
    ["ECONNRESET", "the API closed the connection", true],
    ["CERT_HAS_EXPIRED", "the TLS certificate of the API has expired", false],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "no TLS connection could be made with the API", false],
    ["HPE_INVALID_CONSTANT", "the API's answer is not valid HTTP", true],
    ["Z_DATA_ERROR", "the API's answer is not compressed as it says", true],
    ["SOMETHING_ELSE", "the request to the API failed", true],
  ])("%s", (code, cause, sent) => expect(connectionFailure(caused(code))).toMatchObject({ kind: "connection", cause, sent }));

  test("several attempts, each of which failed", () => {
    const attempts = Object.assign(new AggregateError([Object.assign(new Error(), { code: "ECONNREFUSED" })]), { code: "ECONNREFUSED" });
    expect(connectionFailure(new TypeError("fetch failed", { cause: attempts }))).toMatchObject({ cause: "the API refused the connection" });
  });

  test.each([undefined, null, "text", new Error("hunter2")])("%s", (error) => expect(connectionFailure(error)).toMatchObject({ cause: "the request to the API failed" }));
});
