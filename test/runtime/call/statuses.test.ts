import { afterEach, describe, expect, test } from "vitest";
import type { OperationBinding } from "../../../src/runtime/types.js";
import { call, textOf, toolOf, type ToolSketch } from "../support/clinic.js";
import { type Answer, reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
afterEach(() => upstream.close());

function toolWith(sketch: ToolSketch, statuses: OperationBinding["statuses"] = {}) {
  const tool = toolOf(sketch);
  return { ...tool, operations: tool.operations.map((operation) => ({ ...operation, statuses })) };
}

async function answerTo(tool: ReturnType<typeof toolWith>, answer: Answer) {
  upstream = await startUpstream(answer);
  return call(tool, {}, { env: { CLINIC_BASE_URL: upstream.url } });
}

const start = { name: "start_pet", send: { method: "POST", path: "/start" } };
const read = { send: { method: "GET" } };

describe("a success", () => {
  test("304 to a write says that nothing changed", async () => {
    const tool = toolWith(start, { 304: "pet already started" });
    const result = await answerTo(tool, reply(304));
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toContain("Nothing changed");
    expect(textOf(result)).toContain('The documentation says of 304: "pet already started"');
    expect(textOf(result)).not.toContain("again");
  });

  test("with a documented meaning has it", async () => {
    const tool = toolWith(start, { 201: "The pet was new" });
    const result = await answerTo(tool, reply(201, { id: 1 }));
    expect(textOf(result)).toContain('The documentation says of 201: "The pet was new"');
  });
});

describe("202 to a GET", () => {
  test("is asked for again when the API says so", async () => {
    const answer: Answer = (response, request, count) =>
      (count < 3 ? reply(202, "", { "retry-after": "0" }) : reply(200, { id: 7 }))(
        response,
        request,
        count,
      );
    expect(textOf(await answerTo(toolWith(read), answer))).toBe('{"id":7}');
    expect(upstream.requests).toHaveLength(4);
  });

  test.each([
    ["long", { "retry-after": "40" }, "Call get_pet again in 40 s."],
    ["no", {}, "Call get_pet again later."],
  ])("with %s wait is a result that is not ready", async (_, headers, advice) => {
    const result = await answerTo(toolWith(read), reply(202, "", headers as {}));
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toContain(`The result is not ready yet (202 Accepted). ${advice}`);
    expect(upstream.requests).toHaveLength(1);
  });

  test("of another method is not asked for again", async () => {
    const tool = toolWith({ ...start, send: { method: "PUT", path: "/" } });
    const result = await answerTo(tool, reply(202, "", { "retry-after": "0" }));
    expect(textOf(result)).toContain("Accepted");
    expect(upstream.requests).toHaveLength(1);
  });
});

describe("an error of the server", () => {
  test.each<readonly [string, OperationBinding["statuses"], unknown, number]>([
    ["explained by a state", { 503: "node is not part of a herd" }, "This node is alone", 1],
    ["explained by load", { 503: "The herd is overloaded" }, "busy", 3],
    ["without an explanation", {}, "busy", 3],
    [
      "of gRPC for an invalid argument",
      {},
      { error: "herd needed", code: 3, message: "herd needed", details: [] },
      1,
    ],
    ["of gRPC that passes", {}, { error: "no leader", code: 14, message: "no leader" }, 3],
    ["about a field", {}, { message: "username must be provided" }, 1],
    ["about another server", {}, { message: "invalid response from upstream: is missing" }, 3],
  ])("%s", async (_, statuses, body, requests) => {
    await answerTo(toolWith(read, statuses), reply(503, body));
    expect(upstream.requests).toHaveLength(requests);
  });
});

describe("JSON values in a row", () => {
  const log = (...values: readonly unknown[]): Answer =>
    reply(200, values.map((value) => JSON.stringify(value)).join("\r\n"), {
      "content-type": "application/json",
    });

  test("with an error at the end are a failure that has all of them", async () => {
    const error = { errorDetail: { message: "no such file" }, error: "no such file" };
    const result = await answerTo(toolWith(start), log({ stream: "Step 1" }, error));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('The API says: "no such file"');
    expect(textOf(result)).toContain('{"stream":"Step 1"}');
  });

  test.each([
    [[{ stream: "Step 1" }, { aux: { ID: "7" } }]],
    [[{ success: true }, { success: false, error: "bad line" }]],
  ])("without an error of the whole are a result: %j", async (values) => {
    const result = await answerTo(toolWith(start), log(...values));
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toContain(JSON.stringify(values));
  });
});

describe("declared text", () => {
  const tool = toolWith({
    read: { wrap: "value" },
    outputSchema: { type: "object", properties: { value: { type: "string" } } },
  });

  test.each([
    ["OK", { "content-type": "application/json" }],
    ["0012", { "content-type": "text/plain" }],
  ])("needs no JSON: %s", async (text, headers) => {
    const result = await answerTo(tool, reply(200, text, headers));
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toEqual({ value: text });
  });

  test("needs no media type", async () => {
    const result = await answerTo(tool, (response) => void response.writeHead(200).end("12"));
    expect(result.structuredContent).toEqual({ value: "12" });
  });
});
