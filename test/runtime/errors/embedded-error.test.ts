import { describe, expect, test } from "vitest";
import { isEmbeddedError } from "../../../src/runtime/errors/embedded-error.js";

const errors = [{ message: "Cannot query field" }];
const result = (...fields: string[]) => ({
  type: "object",
  properties: Object.fromEntries(fields.map((field) => [field, {}])),
});

test.each<readonly [given: string, value: unknown, schema: object | undefined, want: boolean]>([
  ["GraphQL's errors without data", { errors, data: null }, result("data", "errors"), true],
  ["the same, undocumented", { errors }, result("pets"), true],
  ["the same without a schema", { errors }, undefined, true],
  ["errors beside data", { errors, data: { pet: 1 } }, result("data", "errors"), false],
  ["errors that were asked for", { errors }, result("errors"), false],
  [
    "a refusal where errors are documented, too",
    { ok: false, error: "no" },
    result("errors"),
    true,
  ],
  ["success: false without a reason", { success: false }, result("success"), false],
  ["a list", [{ errors }], undefined, false],
  ["nothing", null, undefined, false],
])("%s", (_given, value, schema, want) => {
  expect(isEmbeddedError(value, schema as never)).toBe(want);
});

describe("bodies of real APIs", () => {
  test.each<readonly [string, unknown]>([
    ["Etherpad", { code: 1, message: "padID does not exist", data: null }],
    ["Slack", { ok: false, error: "channel_not_found" }],
    ["JSend, error", { status: "error", message: "Unable to communicate with database" }],
    ["JSend, fail", { status: "fail", data: null, message: "A title is required" }],
    ["Flickr", { stat: "fail", code: 100, message: "Invalid API Key" }],
    ["Google Maps", { error_message: "Invalid key.", results: [], status: "REQUEST_DENIED" }],
    ["WeChat", { errcode: 40013, errmsg: "invalid appid" }],
    ["Baidu", { error_code: 17, error_msg: "Open api daily request limit reached" }],
    ["JSON-RPC", { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } }],
    ["OMDb", { Response: "False", Error: "Movie not found!" }],
    ["OAuth", { error: "invalid_grant", error_description: "expired" }],
    ["Graph", { error: { message: "Unsupported get request", type: "GraphMethodException" } }],
    ["numverify", { success: false, error: { code: 101, type: "invalid_access_key" } }],
    ["a Chinese API", { code: 10001, msg: "参数错误", data: null }],
    ["Alpha Vantage", { "Error Message": "Invalid API call." }],
    ["a refusal in letters", { Success: "N", ErrMsg: "Account is closed already" }],
    ["MongoDB", { ok: 0, n: 0, errmsg: "ns not found" }],
    ["Foursquare", { meta: { code: 400, errorDetail: "near is not a place" }, response: {} }],
    ["AfterShip", { meta: { code: 4005, message: "Tracking is not valid", type: "BadRequest" } }],
    ["Podman", { cause: "EOF", message: "failed to parse event filters", response: 500 }],
    ["a status in the body", { status: 404, message: "Topic not found" }],
    ["an error flag", { error: true, message: "Layout not found" }],
    ["JSend with messages by field", { status: "fail", data: { title: "A title is required" } }],
    [
      "GraphQL without a single result",
      { data: { me: null }, errors: [{ message: "Cannot query field x" }] },
    ],
  ])("%s reports an error", (_, body) => expect(isEmbeddedError(body)).toBe(true));

  test.each<readonly [string, unknown, readonly string[]]>([
    ["Slack", { ok: false, error: "missing_scope", needed: "chat:write" }, ["ok", "channel"]],
    [
      "Telegram",
      { ok: false, error_code: 400, description: "Bad Request: chat not found" },
      ["ok", "result", "description", "error_code"],
    ],
    ["WeChat", { errcode: 40013, errmsg: "invalid appid" }, ["errcode", "errmsg", "openid"]],
    ["DingTalk", { errcode: 88, errmsg: "no permission", request_id: "z" }, ["errcode", "errmsg"]],
    ["Baidu", { error_code: 110, error_msg: "Access token invalid" }, ["error_code", "error_msg"]],
    [
      "Alibaba Cloud",
      {
        Code: "InvalidParameter",
        Message: "The parameter is invalid",
        RequestId: "R",
        Success: false,
      },
      ["Code", "Message", "RequestId", "Data"],
    ],
    ["VK", { error: { error_code: 5, error_msg: "no access_token" } }, ["error", "response"]],
    ["JSON-RPC", { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no" } }, ["error"]],
    ["OpenWeather", { cod: "404", message: "city not found" }, ["cod", "message", "main"]],
    ["QQ", { ret: -1, msg: "parameters are invalid" }, ["ret", "msg", "nickname"]],
    [
      "Cloudflare",
      { success: false, errors: [{ code: 7003, message: "no route" }], messages: [], result: null },
      ["success", "errors", "messages", "result"],
    ],
  ])("%s reports an error that its document declares", (_, body, fields) =>
    expect(isEmbeddedError(body, result(...fields) as never)).toBe(true),
  );

  test.each<readonly [string, unknown, object?]>([
    ["Etherpad", { code: 0, message: "ok", data: null }],
    ["a code of 200", { code: 200, message: "Not modified since", data: null }],
    ["a code of 20000", { code: 20000, msg: "success", data: null }],
    ["a code of 1 for success", { code: 1, msg: "success", data: {} }],
    ["JSend", { status: "success", data: null }],
    ["Google Maps without results", { status: "ZERO_RESULTS", results: [] }],
    ["WeChat", { errcode: 0, errmsg: "ok" }],
    ["a failed job", { id: 7, status: "failed", error: "disk full" }],
    ["a failed job without an ID", { status: "failed", error: "x" }, result("status", "error")],
    ["an error of a log", { level: "warn", error: "x", message: "y" }],
    ["data beside a warning", { data: [1], message: "2 rows failed", code: 5 }],
    ["an error that was asked for", { error: "x", message: "y" }, result("error", "message")],
    ["a country", { code: "DE", name: "Germany" }],
    ["a message", { message: "Not found is the title" }],
    ["a status", { status: "error_free" }],
    ["an HTTP check", { code: 404, message: "checked: not found", data: { url: "x" } }],
    ["nothing found", { results: [], message: "no results" }],
    ["a job that failed", { id: "j", state: "FAILED", success: false, message: "Exit code 1" }],
    ["a delivery that failed", { id: "d", success: false, error: "timed out" }],
    [
      "a run that failed",
      { run: 7, success: false, error: "disk full" },
      result("run", "success", "error"),
    ],
    ["a name that is taken", { ok: false, available: false, message: "Name is already taken" }],
    ["a health check", { status: "fail", data: { db: "down" } }],
    ["a health check with errors", { status: "error", errors: ["db"] }, result("status", "errors")],
    [
      "a failed step without its optional fields",
      { status: "failed", error: "disk full" },
      result("status", "error", "progress"),
    ],
    [
      "a bulk request that failed in part",
      { took: 1, errors: true, items: [{ index: { status: 400, error: { type: "x" } } }] },
    ],
    [
      "a search on some shards",
      { _shards: { failed: 1, failures: [{ reason: "x" }] }, hits: { hits: [{}] } },
    ],
    ["GraphQL with one of two results", { data: { a: null, b: 1 }, errors: [{ message: "no" }] }],
    ["Foursquare", { meta: { code: 200 }, response: {} }],
    ["a header without results", { status: { code: 0, message: "No results" }, data: [] }],
    ["counts without results", { meta: { count: 0, message: "no results" }, data: [] }],
    ["a title as header", { header: { title: "Not found" } }],
    ["counts of a batch", { success: 0, failed: 0, errors: [] }],
    ["an empty text as error", { error: "", data: { a: 1 } }],
    ["a status of success", { status: 200, message: "No topic was missing" }],
    ["a monitor", { status: 503, message: "Connection failed" }, result("status", "message")],
    ["Telegram", { ok: true, result: true, description: "Webhook was deleted" }],
    ["Alibaba Cloud", { Code: "OK", Message: "OK", RequestId: "R" }],
    ["OpenWeather", { cod: "200", message: 0, list: [] }, result("cod", "message", "list")],
  ])("%s is a success", (_, body, schema) =>
    expect(isEmbeddedError(body, schema as never)).toBe(false),
  );

  test.each<readonly [unknown, boolean]>([
    [{ code: 0, reason: "", data: null }, false],
    [{ code: 3, reason: "no such table" }, true],
    [{ reason: "no such table" }, false],
    [{ code: null, data: { a: 1 } }, false],
  ])("all values but the documented success: %j", (body, want) => {
    const others = { field: "code", success: [0], failure: [], othersFail: true } as const;
    expect(isEmbeddedError(body, undefined, others)).toBe(want);
  });

  const outcome = { field: "code", success: [1], failure: [0, 2] };
  test.each<readonly [unknown, boolean]>([
    [{ code: 1, message: "error count: 0", data: null }, false],
    [{ code: 0, message: "", data: { a: 1 } }, true],
    [{ code: 3, message: "it failed", data: null }, true],
    [{ code: 3, message: "created", data: null }, false],
    [{ message: "no code" }, false],
  ])("the document explains the code of %j", (body, want) =>
    expect(isEmbeddedError(body, undefined, outcome)).toBe(want),
  );
});
