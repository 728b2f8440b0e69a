import { describe, expect, it } from "vitest";
import type { Operation } from "../../../src/model/types.js";
import { plan } from "../../../src/plan/index.js";
import { configuredPlan } from "../configuration/fixtures.js";
import { api, content, names, ok, operation, parameter } from "../fixtures.js";

const result = { responses: [ok({ type: "object", properties: { code: { type: "integer" } } })] };
const query = (...names: string[]): Partial<Operation> => ({
  parameters: names.map((name) => parameter(`query ${name}`, { required: true })),
});
const body = (...names: string[]): Partial<Operation> => ({
  body: {
    required: true,
    contents: [
      content({
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
      }),
    ],
  },
});

const cases: readonly {
  reason: string;
  get: Partial<Operation>;
  post: Partial<Operation>;
  want: readonly string[];
}[] = [
  {
    reason: "a GET that reads stands for both",
    get: { operationId: "listPadsUsingGET", ...query("group") },
    post: { operationId: "listPadsUsingPOST", ...query("group") },
    want: ["GET"],
  },
  {
    reason: "the POST stands for a GET that writes",
    get: { operationId: "createPadUsingGET", ...query("name") },
    post: { operationId: "createPadUsingPOST", ...query("name") },
    want: ["POST"],
  },
  {
    reason: "the POST stands for both when it takes more",
    get: { summary: "Search pads", ...query("q") },
    post: { summary: "Search pads", ...body("q", "filter") },
    want: ["POST"],
  },
  {
    reason: "both stay when each takes what the other does not",
    get: { summary: "Search pads", ...query("q", "page") },
    post: { summary: "Search pads", ...body("q", "filter") },
    want: ["GET", "POST"],
  },
  {
    reason: "both stay when the POST has only inputs of its own",
    get: { summary: "Get the session" },
    post: { summary: "Get the session", ...body("user", "password") },
    want: ["GET", "POST"],
  },
  {
    reason: "both stay when the words differ",
    get: { operationId: "getPads", summary: "List pads" },
    post: { operationId: "postPads", summary: "Create a pad" },
    want: ["GET", "POST"],
  },
  {
    reason: "both stay when the common words state no action",
    get: { summary: "Maintenance mode" },
    post: { summary: "Maintenance mode" },
    want: ["GET", "POST"],
  },
  {
    reason: "both stay when the results differ",
    get: { summary: "Search pads", ...query("q") },
    post: { summary: "Search pads", ...query("q"), responses: [ok({ type: "string" })] },
    want: ["GET", "POST"],
  },
];

const twins = (get: Partial<Operation>, post: Partial<Operation>) =>
  api([
    operation("GET /pad", { ...result, ...get }),
    operation("POST /pad", { ...result, ...post }),
  ]);

describe("GET and POST of one path", () => {
  it.each(cases)("$reason", ({ get, post, want }) => {
    const { tools } = plan(twins(get, post));
    expect(tools.flatMap(({ operations }) => operations.map(({ method }) => method))).toEqual(want);
  });

  it("keeps the plain name, whichever stays", () => {
    const { get, post } = cases[1]!;
    expect(names(plan(twins(get, post)))).toEqual(["create_pad"]);
  });

  it.each([
    { reason: "the same words", put: { summary: "Mark the pad" }, want: ["PUT"] },
    { reason: "other words", put: { summary: "Replace the pad" }, want: ["PUT", "POST"] },
  ])("a PUT stands for a POST with $reason", ({ put, want }) => {
    const { tools } = plan(
      api([
        operation("PUT /pad", { ...result, ...put }),
        operation("POST /pad", { ...result, summary: "Mark the pad" }),
      ]),
    );
    expect(tools.flatMap(({ operations }) => operations.map(({ method }) => method))).toEqual(want);
  });

  it.each([
    { reason: "the same inputs", second: query("name"), want: ["/pads"] },
    { reason: "other inputs", second: query("name", "page"), want: ["/pads/", "/pads"] },
  ])("a path stands for the one with a slash at its end with $reason", ({ second, want }) => {
    const { tools } = plan(
      api([operation("GET /pads/", query("name")), operation("GET /pads", second)]),
    );
    expect(tools.flatMap(({ operations }) => operations.map(({ path }) => path))).toEqual(want);
  });

  it.each([
    { reason: "the same inputs and texts", second: {}, want: ["/v3/leases"] },
    { reason: "other inputs", second: query("name"), want: ["/v3/kv/leases", "/v3/leases"] },
    { reason: "another text", second: { summary: "List" }, want: ["/v3/kv/leases", "/v3/leases"] },
  ])("numbered operationIds are paths of one method with $reason", ({ second, want }) => {
    const lists = { summary: "ListLeases lists all leases.", ...result };
    const { tools } = plan(
      api([
        operation("POST /v3/kv/leases", { operationId: "ListLeases2", ...lists, ...second }),
        operation("POST /v3/leases", { operationId: "ListLeases", ...lists }),
      ]),
    );
    expect(tools.flatMap(({ operations }) => operations.map(({ path }) => path))).toEqual(want);
  });

  const etag = { status: "200", headers: [{ name: "ETag" }], contents: [] };
  it.each([
    { reason: "the same result", head: {}, want: ["GET"] },
    { reason: "own words", head: { summary: "Check a pad" }, want: ["GET"] },
    {
      reason: "words about its headers",
      head: { summary: "When the pad was last modified" },
      want: ["HEAD", "GET"],
    },
    { reason: "an own header", head: { responses: [etag] }, want: ["HEAD", "GET"] },
    { reason: "an own input", head: query("version"), want: ["HEAD", "GET"] },
    { reason: "other permissions", head: { security: [] }, want: ["HEAD", "GET"] },
    {
      reason: "a file",
      head: {},
      get: { responses: [{ ...ok(), contents: [content({}, "application/zip")] }] },
      want: ["HEAD", "GET"],
    },
  ])("a GET and a HEAD with $reason", ({ head, get, want }) => {
    const { tools } = plan(
      api([operation("HEAD /pad", head), operation("GET /pad", { ...result, ...get })]),
    );
    expect(tools.flatMap(({ operations }) => operations.map(({ method }) => method))).toEqual(want);
  });

  const { get, post } = cases[0]!;

  it("reports the excluded one, with a line that includes it", () => {
    const { diagnostics, omitted } = plan(twins(get, post));
    const reported = diagnostics.find(({ code }) => code === "plan-method-duplicate");
    expect(reported?.message).toBe(
      '"POST /pad" is left out, because GET of the same path does the same.',
    );
    expect(omitted.map(({ method }) => method)).toEqual(["POST"]);
    const [, line = ""] = /mcp-gen\.yaml: (.*)$/.exec(reported?.hint ?? "") ?? [];
    const { tools } = configuredPlan(line, {}, twins(get, post));
    expect(tools).toHaveLength(2);
  });

  it.each([{ skip: ["GET /**"] }, { only: ["POST /pad"] }])(
    "keeps the selected one: %j",
    (given) => {
      const { tools } = plan(twins(get, post), given);
      expect(tools.map(({ operations }) => operations[0]?.method)).toEqual(["POST"]);
    },
  );
});
