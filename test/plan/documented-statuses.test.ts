import { describe, expect, it, test } from "vitest";
import type { Response } from "../../src/model/types.js";
import { describedStatuses } from "../../src/plan/documented-statuses.js";
import { plan } from "../../src/plan/index.js";
import { api, ok, operation } from "./fixtures.js";

const response = (status: string, description: string): Response => ({
  status,
  description,
  contents: [],
  headers: [],
});
const result = { ...ok({ type: "object" }), description: "The pet that was found" };

describe("descriptions of statuses", () => {
  test.each<readonly [string, string, string | undefined]>([
    ["404", "no such container", "no such container"],
    ["5XX", "node is not part of a **swarm**", "node is not part of a swarm"],
    ["304", "container already started", "container already started"],
    ["409", "409 - The `name` is taken\u200b", "The name is taken"],
    ["422", "Is one of\n\n* `too_young`: at least 8 weeks\n* `too_old`: at most 20", undefined],
    ["404", "Not Found", undefined],
    ["404", "The requested resource was not found.", undefined],
    ["400", "Bad request", undefined],
    ["500", "Internal server error", undefined],
    ["5XX", "Any error response (HTTP 4xx/5xx)", undefined],
    ["401", "Authentication failed or missing", undefined],
    ["200", "Successful operation.", undefined],
    ["204", "no error", undefined],
    ["default", "Any error of the storage engine", undefined],
    ["101", "hints proxy about hijacking", undefined],
    ["204", "204 response for adopt_pet", undefined],
    ["204", "The pet was adopted before", "The pet was adopted before"],
    ["404", "No such pet", "No such pet"],
  ])("%s: %s", (status, description, expected) => {
    const statuses = describedStatuses({
      operationId: "adopt_pet",
      method: "POST",
      path: "/pets/{petId}/adopt",
      responses: [response(status, description)],
    });
    expect(statuses).toEqual(expected === undefined ? {} : { [status]: expected });
  });

  test.each<readonly [method: string, description: string, want: object]>([
    ["GET", "container exists", { 204: "container exists" }],
    ["HEAD", "container exists", { 204: "container exists" }],
    ["GET", "No content", {}],
    ["POST", "container exists", {}],
  ])("%s of a container, 204: %s", (method, description, want) => {
    const responses = [response("204", description)];
    expect(describedStatuses({ method, path: "/containers/{name}/exists", responses })).toEqual(
      want,
    );
  });

  it("of the only result belongs to the tool", () => {
    expect(describedStatuses({ method: "POST", path: "/pets", responses: [result] })).toEqual({});
  });

  it("distinguish several successes", () => {
    const responses = [result, response("201", "A pet was registered for it")];
    expect(describedStatuses({ method: "POST", path: "/", responses })).toEqual({
      200: "The pet that was found",
      201: "A pet was registered for it",
    });
  });

  it.each([
    ["words ".repeat(100), /^(?:words ){30,}words…$/],
    [`${"One more sentence. ".repeat(30)}`, /sentence\. …$/],
  ])("are cut with a mark", (description, expected) => {
    const statuses = describedStatuses({
      method: "POST",
      path: "/",
      responses: [response("409", description)],
    });
    expect(statuses["409"]).toMatch(expected);
    expect(statuses["409"]!.length).toBeLessThanOrEqual(242);
  });
});

test("a description that recurs is stored once", () => {
  const paths = ["GET /a/{id}", "DELETE /a/{id}", "POST /b", "GET /c"];
  const made = plan(
    api(
      paths.map((path, i) =>
        operation(path, {
          responses: [
            ok(),
            response("503", "not part of a herd"),
            response("409", `herd ${"x".repeat(i)}`),
          ],
        }),
      ),
    ),
    { granularity: "operation" },
  );
  expect(made.api.statuses).toEqual({ 503: "not part of a herd" });
  expect(made.tools.map(({ definition }) => definition.operations[0]?.statuses)).toEqual([
    { 409: "herd", 503: true },
    { 409: "herd x", 503: true },
    { 409: "herd xx", 503: true },
    { 409: "herd xxx", 503: true },
  ]);
});
