import { describe, expect, it } from "vitest";
import { plan } from "../../../src/plan/index.js";
import { inputProperties } from "../../../src/plan/bound-parameters.js";
import type { ToolPlan } from "../../../src/plan/types.js";
import { api, json, names, ok, operation, parameter } from "../fixtures.js";

const zone = { type: "object", properties: { id: { type: "string" } } } as const;
const body = json({ type: "object", properties: { name: { type: ["string", "null"] } } });

/** A list and a get, a PATCH and a PUT, each pair with a parameter that only one of them has. */
const dns = api([
  operation("GET /zones", {
    parameters: [parameter("header server"), parameter("query dnssec")],
    responses: [ok({ type: "array", items: zone })],
  }),
  operation("GET /zones/{zone}", {
    parameters: [parameter("header server"), parameter("path zone"), parameter("query rrsets")],
    responses: [ok(zone)],
  }),
  operation("PATCH /zones/{zone}", { ...body, responses: [ok(zone)] }),
  operation("PUT /zones/{zone}", { ...body, responses: [ok(zone)] }),
]);

const planned = (content: object): ToolPlan =>
  plan(dns, {
    granularity: "task",
    configuration: {
      content: { version: 1, ...content },
      locationOf: () => ({ pointer: "#" }),
    },
  });

describe("merged tools with fixed parameters", () => {
  it.each([
    { given: {}, want: ["zone", "server", "dnssec", "rrsets"] },
    { given: { parameters: { server: { fixed: "local" } } }, want: ["zone", "dnssec", "rrsets"] },
    { given: { parameters: { dnssec: { fixed: "no" } } }, want: ["zone", "server", "rrsets"] },
    { given: { parameters: { rrsets: { fixed: "no" } } }, want: ["zone", "server", "dnssec"] },
    {
      given: { parameters: { server: { env: "DNS_SERVER" } } },
      want: ["zone", "dnssec", "rrsets"],
    },
    {
      given: { tools: { find_zones: { inputs: { dnssec: { fixed: "no" } } } } },
      want: ["zone", "server", "rrsets"],
    },
  ])("$given", ({ given, want }) => {
    const made = planned(given);
    expect(names(made)).toEqual(["find_zones", "update_zone"]);
    expect(made.tools[0]?.inputs.map(({ name }) => name)).toEqual(want);
    expect(made.tools.map(({ operations }) => operations.length)).toEqual([2, 2]);
  });

  it.each([
    { parameters: { zone: { fixed: "example.org" } } },
    { tools: { find_zones: { inputs: { zone: { fixed: "example.org" } } } } },
  ])("the ID that selects the get takes one value: %o", (given) => {
    const [find] = planned(given).tools;
    expect(find?.operations).toHaveLength(2);
    expect(find?.definition.operations.map(({ whenProvided }) => whenProvided)).toEqual([
      ["zone"],
      [],
    ]);
    expect(inputProperties(find!.definition)["zone"]).toEqual({
      type: "string",
      enum: ["example.org"],
      description: expect.stringContaining('Give "example.org" to select this one.'),
    });
  });

  it.each(["env", "hide"])("an ID that selects the get cannot have %s", (key) => {
    const rule = key === "env" ? { env: "DNS_ZONE" } : { hide: true };
    const made = planned({ tools: { find_zones: { inputs: { zone: rule } } } });
    expect(made.diagnostics.map(({ message }) => message)).toContain(
      '"zone" selects one of the operations of find_zones.',
    );
  });
});
