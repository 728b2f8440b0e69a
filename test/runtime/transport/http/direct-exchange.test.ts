/** Plain requests of earlier revisions, which the SDK does not serve, have the same responses. */
import { describe, expect, test } from "vitest";
import { plainRequest } from "../../../../src/runtime/transport/http/direct-exchange.js";
import { send } from "../../../hostile/support/http.js";
import { fixtureServers } from "../../support/servers.js";

const { shared } = fixtureServers();

const accept = "application/json, text/event-stream";
const headers = { accept, "content-type": "application/json" };
const request = (method: string, params: object = {}): object => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params,
});
const call = { name: "get_pet", arguments: { pet_id: "1" } };
/** Metadata that only the SDK serves. */
const _meta = { "example.com/trace": "1" };

describe("the SDK gives the same response to", () => {
  test.each<[string, string, object]>([
    ["a call", "tools/call", call],
    ["a call with a progress token", "tools/call", { ...call, _meta: { progressToken: "p" } }],
    ["a call without a name", "tools/call", {}],
    ["a call of an unknown tool", "tools/call", { name: "no_tool" }],
    ["the list", "tools/list", {}],
    ["a wrong cursor", "tools/list", { cursor: "nowhere" }],
    ["a ping", "ping", {}],
    ["an unknown method", "tools/nothing", {}],
  ])("%s", async (_, method, params) => {
    const url = await shared();
    const [direct, usual] = [request(method, params), request(method, merge(params))];
    expect([plainRequest(direct, headers), plainRequest(usual, headers)]).toEqual([
      direct,
      undefined,
    ]);
    const [ours, theirs] = [await send(url, { body: direct }), await send(url, { body: usual })];
    expect(summary(ours)).toEqual(summary(theirs));
    expect(ours.headers["content-type"]).toBe("text/event-stream");
  });
});

const merge = (params: { readonly _meta?: object }): object => ({
  ...params,
  _meta: { ...params._meta, ..._meta },
});

const summary = ({ status, headers: own, body }: Awaited<ReturnType<typeof send>>): object => ({
  status,
  type: own["content-type"],
  cache: own["cache-control"],
  buffering: own["x-accel-buffering"],
  body,
});

describe("the SDK serves", () => {
  const plain = request("tools/list");
  test.each<[string, unknown, Record<string, string>]>([
    ["initialize", request("initialize"), headers],
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }, headers],
    ["a batch", [plain], headers],
    ["another member", { ...plain, more: 1 }, headers],
    ["a null ID", { ...plain, id: null }, headers],
    ["another JSON-RPC version", { ...plain, jsonrpc: "1.0" }, headers],
    ["parameters by position", { ...plain, params: [] }, headers],
    ["other metadata", request("tools/list", { _meta }), headers],
    ["a wrong progress token", request("tools/list", { _meta: { progressToken: {} } }), headers],
    ["a later revision", plain, { ...headers, "mcp-protocol-version": "2026-07-28" }],
    ["an unknown revision", plain, { ...headers, "mcp-protocol-version": "1.0" }],
    ["another content type", plain, { ...headers, "content-type": "text/plain" }],
    ["a client that accepts JSON only", plain, { ...headers, accept: "application/json" }],
  ])("%s", (_, message, given) => expect(plainRequest(message, given)).toBeUndefined());
});
