import { expect, test } from "vitest";
import { parseConfiguration } from "../../src/configuration/parse-configuration.js";
import type { JsonObject } from "../../src/json.js";
import { buildModel } from "../../src/model/index.js";
import { plan, type PlanOptions } from "../../src/plan/index.js";

const text = { type: "string" };
const json = (schema: object): object => ({
  200: { description: "OK", content: { "application/json": { schema } } },
});
const path = (name: string): object => ({ name, in: "path", required: true, schema: text });
const query = (name: string): object => ({ name, in: "query", schema: { type: "integer" } });
const pet = { type: "object", properties: { id: text, name: text } };

/** Lists with pages, things by their IDs, an update without a response, a deprecated operation. */
const rich = {
  "/pets": {
    get: {
      operationId: "listPets",
      parameters: [query("page")],
      responses: json({
        type: "object",
        properties: { pets: { type: "array", items: pet }, total: { type: "integer" } },
      }),
    },
  },
  "/pets/{petId}/visits": {
    get: {
      operationId: "listPetVisits",
      parameters: [path("petId")],
      responses: json({ type: "array", items: pet }),
    },
  },
  "/pets/{petId}": {
    get: { operationId: "getPet", parameters: [path("petId")], responses: json(pet) },
    put: {
      operationId: "updatePet",
      parameters: [path("petId")],
      requestBody: { content: { "application/json": { schema: pet } } },
      responses: { 204: { description: "Done" } },
    },
    delete: {
      operationId: "deletePet",
      parameters: [path("petId")],
      responses: { 204: { description: "Done" } },
      deprecated: true,
    },
  },
};

/** A call without inputs and without a result. */
const poor = {
  "/refresh": { post: { operationId: "refresh", responses: { 204: { description: "Done" } } } },
};

type Case = readonly [yaml: string, options: PlanOptions, key: string];

function reported(paths: object, yaml: string, options: PlanOptions): readonly string[] {
  const { content, locationOf } = parseConfiguration(`version: 1\n${yaml}`, "mcp-gen.yaml");
  const info = { title: "Pets", version: "1" };
  const root = { openapi: "3.1.0", info, servers: [{ url: "https://a.example" }], paths };
  const { model } = buildModel({
    source: "a.json",
    name: "a.json",
    version: "3.1",
    root: root as unknown as JsonObject,
  });
  const { diagnostics } = plan(model!, {
    ...options,
    configuration: { content: content!, locationOf },
  });
  const found = diagnostics.filter(({ code }) => code === "config-ineffective");
  return found.map(({ message }) => /`([^`]+)`/.exec(message)?.[1] ?? "");
}

const cases: readonly Case[] = [
  ["includeDeprecated: true", { includeDeprecated: true }, "includeDeprecated"],
  ["", { includeDeprecated: true }, "--include-deprecated"],
  ["outputSchemas: strict", { output: "strict" }, "outputSchemas"],
  ["server: {readBack: false}", {}, "server.readBack"],
  ["server: {followPages: false}", {}, "server.followPages"],
  ["server: {bulkReads: false}", {}, "server.bulkReads"],
  ["server: {lookUpNames: false}", {}, "server.lookUpNames"],
  ["server: {includeLists: false}", {}, "server.includeLists"],
];

test.each(cases)("%s %j is reported where no tool has what it is about", (yaml, options, key) => {
  expect(reported(poor, yaml, options)).toEqual([key]);
});

test.each(cases)("%s %j is not reported where it changes a tool", (yaml, options) => {
  expect(reported(rich, yaml, options)).toEqual([]);
});

test.each([
  ["tools: {refresh: {followPages: false}}", "tools.refresh.followPages"],
  ["tools: {refresh: {bulk: false}}", "tools.refresh.bulk"],
  ["tools: {refresh: {bulk: true}}", "tools.refresh.bulk"],
  ["tools: {refresh: {includeLists: false}}", "tools.refresh.includeLists"],
  ["tools: {refresh: {lookUpNames: false}}", "tools.refresh.lookUpNames"],
  ["approve: destructive", "approve"],
  ["budget: {listed: [refresh]}", "budget.listed"],
])("%s is reported for a tool without IDs and pages", (yaml, key) => {
  expect(reported(poor, yaml, {})).toEqual([key]);
});

test.each([
  "tools: {list_pets: {followPages: false}}",
  "tools: {get_pet: {bulk: false}}",
  "tools: {update_pet: {bulk: true}}",
  "tools: {get_pet: {includeLists: false}}",
  "tools: {update_pet: {lookUpNames: false}}",
  "approve: writes",
  "budget: {listed: [get_pet], listTokens: 1}",
])("%s is not reported where it acts", (yaml) => {
  expect(reported(rich, yaml, { granularity: "operation" })).toEqual([]);
});
