import { expect, test } from "vitest";
import { parseConfiguration } from "../../src/configuration/parse-configuration.js";
import type { JsonObject } from "../../src/json.js";
import { buildModel } from "../../src/model/index.js";
import { plan, type PlanOptions } from "../../src/plan/index.js";

const text = { type: "string" };
const json = (schema: object): { readonly 200: object } => ({
  200: { description: "OK", content: { "application/json": { schema } } },
});
const path = (name: string): object => ({ name, in: "path", required: true, schema: text });
const query = (name: string): object => ({ name, in: "query", schema: { type: "integer" } });
const names = ["id", "name", ..."abcdefghij"];
const pet = { type: "object", properties: Object.fromEntries(names.map((name) => [name, text])) };

const job = {
  type: "object",
  properties: { id: text, status: { type: "string", enum: ["running", "ready", "failed"] } },
};

/** Lists with pages, things by their IDs, an update without a response, a deprecated operation. */
const rich = {
  "/pets": {
    get: {
      operationId: "listPets",
      parameters: [query("page"), { name: "pretty", in: "query", schema: { type: "boolean" } }],
      responses: json({
        type: "object",
        properties: { pets: { type: "array", items: pet }, total: { type: "integer" } },
      }),
    },
  },
  "/exports": { post: { operationId: "exportPets", responses: { 202: json(job)[200] } } },
  "/exports/{exportId}": {
    get: { operationId: "getExport", parameters: [path("exportId")], responses: json(job) },
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

/** A call without an ID and without a result. */
const poor = {
  "/refresh": {
    post: {
      operationId: "refresh",
      parameters: [{ name: "mode", in: "query", schema: text }],
      responses: { 204: { description: "Done" } },
    },
  },
};

type Case = readonly [yaml: string, options: PlanOptions, key: string];

/** The keys that change nothing, each with the severity of its diagnostic. */
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
  const found = diagnostics.filter(({ message }) => message.includes("` changes nothing"));
  return found.map(
    ({ message, severity }) => `${severity} ${/`([^`]+)`/.exec(message)?.[1] ?? ""}`,
  );
}

const cases: readonly Case[] = [
  ["includeDeprecated: true", { includeDeprecated: true }, "includeDeprecated"],
  ["", { includeDeprecated: true }, "--include-deprecated"],
  ["outputSchemas: strict", { output: "strict" }, "outputSchemas"],
  ["server: {readBack: false}", {}, "server.readBack"],
  ["server: {followPages: false}", {}, "server.followPages"],
  ["server: {bulkReads: false}", {}, "server.bulkReads"],
  ["server: {bulkWrites: false}", {}, "server.bulkWrites"],
  ["server: {lookUpNames: false}", {}, "server.lookUpNames"],
  ["server: {includeLists: false}", {}, "server.includeLists"],
  ["server: {fields: true}", {}, "server.fields"],
  ["server: {readBack: true}", {}, "server.readBack"],
];

test.each(cases)("%s %j is reported where no tool has what it is about", (yaml, options, key) => {
  expect(reported(poor, yaml, options)).toEqual([`warning ${key}`]);
});

test.each(cases)("%s %j is not reported where it changes a tool", (yaml, options) => {
  expect(reported(rich, yaml, options)).toEqual([]);
});

test.each([
  ["tools: {refresh: {followPages: false}}", "error tools.refresh.followPages"],
  ["tools: {refresh: {bulk: false}}", "error tools.refresh.bulk"],
  ["tools: {refresh: {bulk: true}}", "error tools.refresh.bulk"],
  ["tools: {refresh: {includeLists: false}}", "error tools.refresh.includeLists"],
  ["tools: {refresh: {lookUpNames: false}}", "error tools.refresh.lookUpNames"],
  ["tools: {refresh: {job: false}}", "error tools.refresh.job"],
  ["tools: {refresh: {choose: verb}}", "error tools.refresh.choose"],
  ["tools: {refresh: {output: {fields: false}}}", "error tools.refresh.output.fields"],
  [
    "tools: {refresh: {inputs: {mode: {resolve: false}}}}",
    "error tools.refresh.inputs.mode.resolve",
  ],
  ["parameters: {mode: {hide: false}}", "error parameters.mode.hide"],
  ["server: {readBack: [refresh]}", "error server.readBack.0"],
  ["approve: destructive", "warning approve"],
  ["budget: {listed: [refresh], listTokens: 1, onExceed: discovery}", "warning budget.listed"],
  ["tools: {refresh: {approve: false}}", "error tools.refresh.approve"],
  ["tools: {refresh: {includeLists: true}}", "error tools.refresh.includeLists"],
  ["tools: {refresh: {followPages: true}}", "error tools.refresh.followPages"],
  ["tools: {refresh: {lookUpNames: true}}", "error tools.refresh.lookUpNames"],
  ["tools: {refresh: {inputs: {}}}", "warning tools.refresh.inputs"],
  ["server: {headers: {}}", "warning server.headers"],
])("%s is reported for a tool without IDs and pages", (yaml, key) => {
  expect(reported(poor, yaml, {})).toEqual([key]);
  // A server has the names of its tools, and a rule need not repeat the namespace.
  const inSpace = yaml.replace("[refresh]", "[zoo_refresh]");
  expect(reported(poor, inSpace, { namespace: "zoo" })).toEqual([key]);
});

test("`approve` is reported for a tool that only reads", () => {
  expect(
    reported(rich, "tools: {list_pets: {approve: true}}", { granularity: "operation" }),
  ).toEqual(["error tools.list_pets.approve"]);
});

test("a rule is no error where the command line leaves operations out", () => {
  const yaml = "tools: {list_pets: {lookUpNames: false}}";
  expect(reported(rich, yaml, { only: ["listPets"] })).toEqual([
    "info tools.list_pets.lookUpNames",
  ]);
});

test.each([
  "tools: {list_pets: {followPages: false}}",
  "tools: {get_pet: {bulk: false}}",
  "tools: {update_pet: {bulk: true}}",
  "tools: {get_pet: {includeLists: false}}",
  "tools: {update_pet: {lookUpNames: false}}",
  "tools: {get_pet: {lookUpNames: false}}",
  "tools: {update_pet: {inputs: {petId: {resolve: false}}}}",
  "tools: {get_pet: {inputs: {petId: {resolve: false}}}}",
  "server: {fields: true}\ntools: {get_pet: {output: {fields: false}}}",
  "server: {fields: true}\ntools: {list_pets: {followPages: false}}",
  "tools: {export_pets: {job: false}}",
  "server: {fields: true}\ntools: {list_pets: {output: {fields: false}}}",
  "server: {readBack: [update_pet]}",
  "parameters: {pretty: {hide: false}}",
  "approve: writes",
  "approve: writes\ntools: {update_pet: {approve: false}}",
  "tools: {update_pet: {approve: true}}",
  "tools: {get_pet: {includeLists: true}}",
  "tools: {list_pets: {followPages: true}}",
  "tools: {get_pet: {lookUpNames: true}}",
  "budget: {listed: [get_pet], listTokens: 1}",
  // Hosts that defer tools always show these.
  "budget: {listed: [get_pet]}",
  "budget: {listed: []}",
  "select: {default: exclude}\ntools: {get_pet: {}}",
])("%s is not reported where it acts", (yaml) => {
  expect(reported(rich, yaml, { granularity: "operation" })).toEqual([]);
});
