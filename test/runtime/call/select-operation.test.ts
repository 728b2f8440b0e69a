import { describe, expect, test } from "vitest";
import type { OperationBinding, ToolDefinition } from "../../../src/runtime/types.js";
import { selectOperation, inputsUsedBy } from "../../../src/runtime/call/select-operation.js";
import { toolOf } from "../support/clinic.js";

const byId: OperationBinding = {
  whenProvided: ["pet_id"],
  request: {
    method: "GET",
    path: "/pets/{petId}",
    pathParams: { petId: "pet_id" },
    query: { fields: { from: "fields" } },
  },
  response: { item: "" },
};
const byText: OperationBinding = {
  whenProvided: ["text"],
  request: { method: "GET", path: "/pets/search", query: { q: "text", limit: "limit" } },
  response: { items: "/data" },
};
const all: OperationBinding = {
  whenProvided: [],
  request: { method: "GET", path: "/pets", query: { status: "status", limit: "limit" } },
  response: { items: "/data" },
};

const findPets: ToolDefinition = {
  ...toolOf({ name: "find_pets" }),
  operations: [byId, byText, all],
};
const strict: ToolDefinition = { ...findPets, operations: [byId, byText] };

describe("selection of an operation by the input", () => {
  test.each<readonly [string, ToolDefinition, Record<string, unknown>, OperationBinding]>([
    ["the ID", findPets, { pet_id: "1" }, byId],
    ["the ID with what it goes with", findPets, { pet_id: "1", fields: ["name"] }, byId],
    ["words", findPets, { text: "red" }, byText],
    ["words, and null for the ID", findPets, { text: "red", pet_id: null }, byText],
    ["filters", findPets, { status: "active", limit: 5 }, all],
    ["nothing", findPets, {}, all],
    ["one request for everything", toolOf({}), { unknown: 1 }, toolOf({}).operations[0]!],
  ])("%s", (_, tool, input, request) =>
    expect(selectOperation(tool, input)).toEqual({ ok: true, operation: request }),
  );

  test.each<
    readonly [
      string,
      ToolDefinition,
      Record<string, unknown>,
      readonly { input: string; problem: string }[],
    ]
  >([
    [
      "ID and words",
      findPets,
      { pet_id: "1", text: "red" },
      [{ input: "text", problem: "cannot be combined with pet_id; omit one of them" }],
    ],
    [
      "ID and a filter",
      findPets,
      { pet_id: "1", status: "active" },
      [{ input: "status", problem: "cannot be combined with pet_id; omit one of them" }],
    ],
    [
      "neither of the ways",
      strict,
      { limit: 5 },
      [{ input: "", problem: "pass one of: pet_id; or text" }],
    ],
  ])("none for %s", (_, tool, input, problems) =>
    expect(selectOperation(tool, input)).toMatchObject({ ok: false, problems }),
  );

  test("inputs are found in all parameter locations", () => {
    const request: OperationBinding = {
      whenProvided: ["a"],
      request: {
        method: "POST",
        path: "/{b}",
        pathParams: { b: "b" },
        headers: { C: { from: "c" }, D: { value: 1 }, E: { env: "E" }, F: { generate: "uuid" } },
        cookies: { g: "g" },
        querystring: { from: "h" },
        body: {
          contentType: "multipart/form-data",
          fields: { i: "i" },
          encoding: { i: { file: true, filenameInput: "j" } },
        },
      },
      response: {},
    };
    expect([...inputsUsedBy(request)].sort()).toEqual(["a", "b", "c", "g", "h", "i", "j"]);
    expect([
      ...inputsUsedBy({
        whenProvided: [],
        request: { method: "POST", path: "/", body: { contentType: "text/plain", from: "k" } },
        response: {},
      }),
    ]).toEqual(["k"]);
  });
});
