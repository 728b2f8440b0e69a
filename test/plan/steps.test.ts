import { expect, test } from "vitest";
import { parseConfiguration } from "../../src/configuration/parse-configuration.js";
import { plan } from "../../src/plan/index.js";
import { api, ok, operation } from "./fixtures.js";

const list = ok({ type: "array", items: { type: "object" } });
const nouns = ["owners", "pets", "visits", "rooms", "vets", "drugs", "bills", "labs", "cages"];

const stepsOf = (reads: number, yaml = "") => {
  const { content, locationOf } = parseConfiguration(`version: 1\n${yaml}`, "mcp-gen.yaml");
  const model = api([
    ...nouns.slice(0, reads).map((noun) => operation(`GET /${noun}`, { responses: [list] })),
    operation("POST /pets", { summary: "Create a pet" }),
  ]);
  return plan(model, { configuration: { content: content!, locationOf } }).api.runSteps;
};

test.each([
  ["eight reads", 8, "", "byMode"],
  ["seven reads", 7, "", undefined],
  ["a setting of true", 2, "server: {runSteps: true}", true],
  ["a setting of reads", 2, "server: {runSteps: reads}", "reads"],
  ["a setting of false", 9, "server: {runSteps: false}", undefined],
] as const)("%s", (_, reads, yaml, want) => {
  expect(stepsOf(reads, yaml)).toBe(want);
});
