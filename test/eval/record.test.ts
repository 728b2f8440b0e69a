import { expect, test } from "vitest";
import { CallRecorder } from "../../src/eval/record.js";

function record(exchanges: readonly (readonly [params: object, result: object])[]) {
  const recorder = new CallRecorder();
  recorder.request("no JSON");
  recorder.request(JSON.stringify({ jsonrpc: "2.0", id: "a", method: "tools/list" }));
  recorder.response(JSON.stringify({ jsonrpc: "2.0", id: "a", result: { tools: [] } }));
  exchanges.forEach(([params], id) =>
    recorder.request(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })),
  );
  exchanges.forEach(([, result], id) =>
    recorder.response(JSON.stringify({ jsonrpc: "2.0", id, ...result })),
  );
  return recorder.calls;
}

const ok = { result: { content: [] } };

test.each<[name: string, params: object, result: object, calls: readonly object[]]>([
  ["a call", { name: "get_pet", arguments: { id: 1 } }, ok, [{ tool: "get_pet", with: { id: 1 } }]],
  ["a call without inputs", { name: "list_pets" }, ok, [{ tool: "list_pets" }]],
  ["a failed call", { name: "get_pet" }, { result: { isError: true, content: [] } }, []],
  [
    "a question to the user, after which the call is repeated",
    { name: "delete_pet", arguments: { id: 1 } },
    { result: { resultType: "input_required", inputRequests: {}, requestState: "x" } },
    [],
  ],
  ["a protocol error", { name: "get_pet" }, { error: { code: -32602, message: "x" } }, []],
  ["a search", { name: "search_tools", arguments: { query: "pets" } }, ok, []],
  ["a description", { name: "shop_describe_api_tools_2" }, ok, []],
  [
    "a call through another",
    { name: "shop_call_read_tool", arguments: { name: "get_pet", arguments: { id: 1 } } },
    ok,
    [{ tool: "get_pet", with: { id: 1 } }],
  ],
  [
    "secrets",
    {
      name: "create_user",
      arguments: {
        name: "Ada",
        password: "p4ss",
        account: { api_key: "k", id: 7 },
        list: [{ token: "t" }],
        header: "Bearer abcdef",
        notes: ["ghp_0123456789abcdef", "plain"],
      },
    },
    ok,
    [
      {
        tool: "create_user",
        with: {
          name: "Ada",
          password: "*",
          account: { api_key: "*", id: 7 },
          list: [{ token: "*" }],
          header: "*",
          notes: ["*", "plain"],
        },
      },
    ],
  ],
])("%s", (_, params, result, calls) => {
  expect(record([[params, result]])).toEqual(calls);
});
