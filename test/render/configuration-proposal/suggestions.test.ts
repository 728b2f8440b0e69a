/** Suggestions of a proposal: what they are, and what they do when one is pasted. */
import { expect, test } from "vitest";
import { parseConfiguration } from "../../../src/configuration/parse-configuration.js";
import type { JsonObject } from "../../../src/json.js";
import { buildModel } from "../../../src/model/index.js";
import { plan } from "../../../src/plan/index.js";
import type { ToolPlan } from "../../../src/plan/types.js";
import { proposeConfiguration } from "../../../src/render/configuration-proposal/index.js";

const text = { type: "string" };
const words = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `property_${i}`);
const objectOf = (names: readonly string[]): object => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, text])),
});
const json = (schema: object): object => ({ content: { "application/json": { schema } } });
const ok = (schema: object): object => ({ 200: { description: "OK", ...json(schema) } });
const path = (name: string): object => ({ name, in: "path", required: true, schema: text });
const query = (name: string, type = "string"): object => ({ name, in: "query", schema: { type } });
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const list = (name: string): object => ok({ type: "array", items: ref(name) });

/** A list of large things with pages, of which others take the ID; a write with large inputs. */
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Fleet", version: "1" },
  servers: [{ url: "https://fleet.example" }],
  paths: {
    "/orgs/{org}/trucks": {
      get: {
        operationId: "listTrucks",
        parameters: [
          path("org"),
          ...words(60).map((name) => query(name)),
          query("page", "integer"),
        ],
        responses: list("Truck"),
      },
      post: {
        operationId: "createTruck",
        parameters: [path("org")],
        requestBody: json({
          type: "object",
          required: ["plate"],
          properties: {
            plate: text,
            equipment: ref("Equipment"),
            insurance: ref("Insurance"),
            old_plate: { ...text, deprecated: true },
          },
        }),
        responses: { 201: { description: "Created", ...json(ref("Truck")) } },
      },
    },
    "/orgs/{org}/trucks/{truckCode}/trips": {
      get: {
        operationId: "listTrips",
        parameters: [path("org"), path("truckCode"), query("page", "integer")],
        responses: list("Trip"),
      },
    },
    ...Object.fromEntries(
      ["stops", "loads", "fines"].map((name) => [
        `/orgs/{org}/${name}`,
        {
          get: {
            operationId: `list_${name}`,
            parameters: [path("org"), query("page", "integer")],
            responses: list("Trip"),
          },
        },
      ]),
    ),
    "/drivers": { get: { operationId: "listDrivers", responses: list("Driver") } },
    "/drivers/{driverId}": {
      get: {
        operationId: "getDriver",
        parameters: [path("driverId")],
        responses: ok(ref("Driver")),
      },
      delete: {
        operationId: "deleteDriver",
        parameters: [path("driverId")],
        responses: { 204: { description: "Gone" } },
      },
    },
    "/drivers/{driverId}/photo": {
      get: { operationId: "getPhoto", parameters: [path("driverId")], responses: ok(ref("Trip")) },
    },
  },
  components: {
    schemas: {
      Truck: objectOf([...words(40), "truckCode"]),
      Trip: objectOf(["day", "km"]),
      Driver: objectOf(["id", "name"]),
      Equipment: {
        ...objectOf(words(30)),
        properties: { crane: ref("Crane"), spare: ref("Crane") },
      },
      Crane: objectOf(words(40)),
      Insurance: objectOf(words(30)),
    },
  },
};

function planOf(yaml: string): ToolPlan & { readonly problems: readonly string[] } {
  const { content, locationOf, diagnostics } = parseConfiguration(yaml, "mcp-gen.yaml");
  expect(diagnostics).toEqual([]);
  const source = { source: "fleet.json", name: "fleet.json", version: "3.1" } as const;
  const { model } = buildModel({ ...source, root: DOCUMENT as unknown as JsonObject });
  const planned = plan(model!, { configuration: { content: content!, locationOf } });
  const problems = planned.diagnostics
    .filter(({ severity, code }) => severity !== "info" || code.startsWith("config-"))
    .map(({ message }) => message);
  return { ...planned, problems };
}

const plain = planOf("version: 1\n");
const proposal = proposeConfiguration(plain, { output: "./server", isFiltered: false }).split("\n");
/** Lines of single suggestions, each with the keys above it. */
const suggestions = proposal.flatMap((line, i) => {
  if (!/# no\. \d+: /.test(line)) return [];
  const isBelowKey = /^ *# {3}/.test(line);
  const at = proposal.slice(0, i).findLastIndex((one) => /^ *# (?:inputs|parameters):$/.test(one));
  return [{ line, at: isBelowKey ? [at, i] : [i] }];
});
const numberOf = (line: string): number => Number(/# no\. (\d+): /.exec(line)?.[1]);

test("suggestions are ten at most, ranked by tokens saved and calls spared", () => {
  const ranked = suggestions.toSorted((a, b) => numberOf(a.line) - numberOf(b.line));
  expect(ranked.map(({ line }) => line.replace(/^[ #]+/, ""))).toEqual([
    "org: {env: FLEET_ORG, override: true}  # no. 1: for 6 of 9 tools",
    // A tool that may destroy looks up no name by itself. Others do.
    "driverId: {resolve: {via: find_drivers, match: name}}  # no. 2: spares a call of find_drivers",
    expect.stringMatching(
      /^equipment: \{hide: true\} {2}# no\. 3: saves up to \d+ tokens of the list$/,
    ),
    // The result has the value that another tool needs.
    "output: {pick: [truckCode, property_0, property_1, property_2, property_3, property_4]}  # no. 4: returns 6 of 41 fields",
    "output: {pick: [truckCode, property_0, property_1, property_2, property_3, property_4]}  # no. 5: returns 6 of 41 fields",
    expect.stringMatching(
      /^insurance: \{hide: true\} {2}# no\. 6: saves up to \d+ tokens of the list$/,
    ),
    "pagination: {maxItems: 100}  # no. 7: spares calls for further pages",
    "pagination: {maxItems: 100}  # no. 8: spares calls for further pages",
    "pagination: {maxItems: 100}  # no. 9: spares calls for further pages",
    expect.stringMatching(
      /^old_plate: \{hide: true\} {2}# no\. 10: saves up to \d+ tokens of the list$/,
    ),
  ]);
});

test.each(suggestions.map(({ line, at }) => [line.trim(), at] as const))(
  "%s applies when it is pasted, and saves what it says",
  (line, at) => {
    const pasted = proposal.map((one, i) => (at.includes(i) ? one.replace("# ", "") : one));
    const changed = planOf(pasted.join("\n"));
    expect(changed.problems).toEqual(plain.problems);
    expect(changed.tools).not.toEqual(plain.tools);
    const [, saved] = /saves up to (\d+) tokens/.exec(line) ?? [];
    if (saved === undefined) return;
    const difference = plain.budget.listTokens - changed.budget.listTokens;
    expect(Math.abs(difference - Number(saved))).toBeLessThanOrEqual(3);
  },
);
