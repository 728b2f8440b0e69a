import { describe, expect, it } from "vitest";
import { plan } from "../../../src/plan/index.js";
import { api, codesOf, ok, operation } from "../fixtures.js";
import type { PlanOptions } from "../../../src/plan/options.js";

const operations = [
  operation("GET /pets", { operationId: "listPets", tags: ["Pets"] }),
  operation("GET /pets/{id}", { operationId: "getPet", tags: ["Pets", "read"] }),
  operation("DELETE /pets/{id}", { operationId: "deletePet", tags: ["Pets"] }),
  operation("GET /owners/{id}/pets", { operationId: "owners/list-pets", tags: ["Owners"] }),
  operation("GET /old", { operationId: "getOld", deprecated: true }),
];
const cors = { responses: [{ ...ok(), headers: [{ name: "Access-Control-Allow-Origin" }] }] };
const kept = (options: PlanOptions, rest = {}): string[] =>
  plan(api(operations, rest), options).tools.map((tool) => tool.operations[0]!.operationId!);

describe("selection", () => {
  it.each([
    { given: {}, want: ["listPets", "getPet", "deletePet", "owners/list-pets"] },
    {
      given: { includeDeprecated: true },
      want: ["listPets", "getPet", "deletePet", "owners/list-pets", "getOld"],
    },
    { given: { only: ["pets"] }, want: ["listPets", "getPet", "deletePet"] },
    { given: { only: ["Owners", "getPet"] }, want: ["getPet", "owners/list-pets"] },
    { given: { only: ["owners/*"] }, want: ["owners/list-pets"] },
    { given: { only: ["GET /pets/*"] }, want: ["getPet"] },
    { given: { only: ["/pets/**"] }, want: ["getPet", "deletePet"] },
    { given: { only: ["GET /**"] }, want: ["listPets", "getPet", "owners/list-pets"] },
    { given: { only: ["* /pets"] }, want: ["listPets"] },
    { given: { only: ["GET /*p*s"] }, want: ["listPets"] },
    { given: { only: ["GET /**/*p*s"] }, want: ["owners/list-pets"] },
    { given: { skip: ["delete*"] }, want: ["listPets", "getPet", "owners/list-pets"] },
    { given: { only: ["Pets"], skip: ["read"] }, want: ["listPets", "deletePet"] },
    { given: { only: ["getOld"] }, want: ["getOld"] },
    { given: { only: ["GET /old"] }, want: ["getOld"] },
    { given: { only: ["GET /o*", "getPet"] }, want: ["getPet"] },
  ])("$given", ({ given, want }) => {
    expect(kept(given)).toEqual(want);
  });

  it("reports each excluded operation once, with its location", () => {
    const made = plan(api(operations), { skip: ["DELETE /**"] });
    expect(
      made.diagnostics.map(({ code, severity, location }) => [code, severity, location?.pointer]),
    ).toEqual([
      ["plan-excluded", "info", "#/paths/~1pets~1{id}/delete"],
      ["plan-deprecated", "info", "#/paths/~1old/get"],
    ]);
    expect(made.omitted.map(({ operationId }) => operationId)).toEqual(["deletePet", "getOld"]);
    expect(made.mock.operations).toHaveLength(3);
  });

  it("rejects patterns without a match, with the nearest name", () => {
    const made = plan(api(operations), { only: ["listPet", "Pets"] });
    expect(made.diagnostics.find((d) => d.code === "plan-pattern")?.message).toBe(
      'No operation matches "listPet"; did you mean listPets?',
    );
  });

  it("rejects a selection without tools", () => {
    expect(codesOf(plan(api([])))).toContain("plan-no-tools");
    expect(codesOf(plan(api([operation("GET /old", { deprecated: true })])))).toEqual([
      "plan-deprecated",
      "plan-no-tools",
    ]);
  });

  it.each([
    {
      given: [operation("GET /old", { deprecated: true })],
      want: "The only operation is deprecated, so no operation is selected.",
    },
    {
      given: [
        operation("GET /old", { deprecated: true }),
        operation("PUT /old", { deprecated: true }),
      ],
      want: "All 2 operations are deprecated, so no operation is selected.",
    },
    {
      given: [operation("GET /old", { deprecated: true }), operation("OPTIONS /old", cors)],
      want: "No operation is selected.",
    },
  ])("gives the reason for an empty selection: $want", ({ given, want }) => {
    expect(plan(api(given)).diagnostics.find(({ code }) => code === "plan-no-tools")?.message).toBe(
      want,
    );
  });

  it.each([
    { given: cors, options: {}, want: false },
    { given: cors, options: { only: ["OPTIONS /x", "GET /x"] }, want: true },
    { given: {}, options: {}, want: true },
  ])("leaves out CORS preflight requests: $want", ({ given, options, want }) => {
    const made = plan(api([operation("OPTIONS /x", given), operation("GET /x")]), options);
    expect(made.tools.some((tool) => tool.operations[0]!.method === "OPTIONS")).toBe(want);
    expect(codesOf(made)).toEqual(want ? [] : ["plan-preflight"]);
  });

  it("matches patterns of many wildcards in linear time", () => {
    expect(
      codesOf(
        plan(api([operation(`GET /${"a".repeat(2000)}`)]), { only: [`/${"*a".repeat(50)}b`] }),
      ),
    ).toContain("plan-pattern");
  });
});

describe("x-mcp", () => {
  it.each([
    { root: undefined, own: false, want: false },
    { root: undefined, own: { enabled: false }, want: false },
    { root: false, own: undefined, want: false },
    { root: false, own: true, want: true },
    { root: { enabled: false }, own: { enabled: true }, want: true },
    { root: undefined, own: { name: "x" }, want: true },
  ])("$root and $own", ({ root, own, want }) => {
    const made = plan(
      api([operation("GET /a", { xMcp: own }), operation("GET /b", { xMcp: true })], {
        xMcp: root,
      }),
    );
    expect(made.tools.some((tool) => tool.operations[0]!.path === "/a")).toBe(want);
  });

  it("is overridden by --only", () => {
    expect(plan(api([operation("GET /a", { xMcp: false })]), { only: ["/a"] }).tools).toHaveLength(
      1,
    );
  });
});
