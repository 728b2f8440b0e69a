import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentedMeanings } from "../../../src/runtime/errors/documented-status.js";
import { isLastingFault } from "../../../src/runtime/errors/documented-status.js";
import { call, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;

beforeAll(async () => {
  const error = { code: "resource_in_use", message: "firewall is in use" };
  upstream = await startUpstream(reply(409, { error }));
});
afterAll(() => upstream.close());

const errorCodes = { in_use: "Detach it first", 409: "Conflict with an action", 7: "Odd" };
const says = (body: unknown, message = ""): string =>
  documentedMeanings(
    {
      status: 409,
      headers: new Headers({ "content-type": "application/json" }),
      body: JSON.stringify(body),
      size: 10,
    },
    { api: { errorCodes: { quota: "Wait a day" } } as never, tool: toolOf({ errorCodes }) },
    message,
  );

describe("documented meanings of an error response", () => {
  it.each([
    [{ errors: [{ code: "in_use" }] }, 'The documentation says of in_use: "Detach it first"'],
    [{ code: 7 }, 'The documentation says of 7: "Odd"'],
    [{ error: "quota" }, 'The documentation says of quota: "Wait a day"'],
  ])("of a code: %j", (body, expected) => {
    expect(says(body).split("\n")[0]).toBe(expected);
  });

  it.each([[{ count: 7 }], [{ code: "constructor" }], [null]])("not of %j", (body) => {
    expect(says(body)).toBe('The documentation says of 409: "Conflict with an action"');
  });

  it("of a code beside very many others", () => {
    const codes = Array.from({ length: 200_000 }, (_, i) => `c${i}`);
    expect(says(codes)).toBe('The documentation says of 409: "Conflict with an action"');
    expect(says(Object.fromEntries(codes.map((code) => [code, 1])))).toContain("of 409");
  });

  it("are not repeated", () => {
    expect(says({ code: 7 }, 'The API says: "Odd. Conflict with an action"')).toBe("");
  });

  it.each<readonly [number, string, string]>([
    [404, "gone", 'The documentation says of 404: "no such cage"'],
    [404, "No such cage: 7", ""],
    [503, "no", 'The documentation says of 503: "not part of a herd"'],
    [507, "full", 'The documentation says of 507: "the barn is full"'],
    [409, "no", ""],
    [200, "no", ""],
  ])("of the status %i, unless the API says it: %s", (status, message, expected) => {
    const statuses = {
      404: "no such cage",
      503: true,
      "5XX": "the barn is full",
      200: "ok",
    } as const;
    const documented = documentedMeanings(
      { status, headers: new Headers(), body: "", size: 0 },
      { api: { statuses: { 503: "not part of a herd" } } as never, tool: toolOf({}), statuses },
      message,
    );
    expect(documented).toBe(expected);
  });

  it.each([
    [503, "node is not part of a herd", true],
    [500, "Returned if the file is locked", true],
    [503, "Under maintenance", false],
    [503, "Is overloaded; try again later", false],
    [504, "The upstream timed out", false],
    [404, "no such cage", false],
  ])("say of %i %s whether the fault lasts: %s", (status, meaning, expected) => {
    expect(isLastingFault({ api: {} as never, statuses: { [status]: meaning } }, status)).toBe(
      expected,
    );
  });

  it("of a range of statuses say nothing of one fault", () => {
    const statuses = { "5XX": "the barn is full of cows" };
    expect(isLastingFault({ api: {} as never, statuses }, 503)).toBe(false);
  });

  it("of a status is part of the error", async () => {
    const tool = toolOf({});
    const [operation] = tool.operations;
    const statuses = { 409: "the firewall protects a server" };
    const described = { ...tool, operations: [{ ...operation!, statuses }] };
    const result = await call(described, {}, { env: { CLINIC_BASE_URL: upstream.url } });
    expect(textOf(result).split("\n")[2]).toBe(
      'The documentation says of 409: "the firewall protects a server"',
    );
  });

  it("follow the message of the API", async () => {
    const tool = toolOf({
      name: "delete_firewall",
      errorCodes: { resource_in_use: "Firewall must not be in use to be deleted" },
      send: { method: "DELETE", path: "/firewalls" },
    });
    const result = await call(tool, {}, { env: { CLINIC_BASE_URL: upstream.url } });
    const lines = textOf(result).split("\n");
    const documented = readFileSync("docs/errors.md", "utf8").split("\n");
    expect(lines.slice(1, 3).filter((line) => !documented.includes(line))).toEqual([]);
  });
});

describe("a server error that the documentation explains", () => {
  const explained = {
    503: "node is not part of a swarm",
    500: "unexpected server error",
    507: "Failure",
  };

  it.each([
    [
      503,
      "POST",
      "resolve what the API and its documentation say, or tell the user; do not call leave again before.",
    ],
    [
      507,
      "GET",
      "the fault is on the API's side. A retry can help: wait a little, then call leave again. If it fails again, tell the user.",
    ],
    [
      500,
      "GET",
      "the fault is on the API's side. A retry can help: wait a little, then call leave again. If it fails again, tell the user.",
    ],
  ] as const)("%d of a %s", async (status, method, next) => {
    const api = await startUpstream(reply(status, { message: "no" }));
    const tool = toolOf({ name: "leave", send: { method } });
    const [operation] = tool.operations;
    const documented = { ...tool, operations: [{ ...operation!, statuses: explained }] };
    const env = { CLINIC_BASE_URL: api.url, CLINIC_MAX_RETRY_WAIT_MS: "0" };
    const text = textOf(await call(documented, {}, { env }));
    expect(text.split("\nNext: ")[1]).toBe(next);
    await api.close();
  });
});
