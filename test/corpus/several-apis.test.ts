/** Published documents of three OpenAPI versions in one server. */
import { describe, expect, test } from "vitest";
import { generate } from "../../src/generate.js";
import { generateApis } from "../../src/generate-apis.js";
import type { ToolPlan } from "../../src/plan/index.js";
import { corpusDocuments } from "./documents.js";

const documents = corpusDocuments();
const fileOf = (name: string): string =>
  documents.find((document) => document.name.startsWith(`${name}/`))?.file ?? "";
/** Swagger 2.0, OpenAPI 3.0 and 3.1. */
const three = ["docker-engine", "spotify", "museum"];
const fourth = "train-travel";
const isPresent = [...three, fourth].every((name) => fileOf(name) !== "");

const apiName = (name: string): string => name.replaceAll("-", "_");

async function planTogether(...names: readonly string[]): Promise<ToolPlan> {
  const apis = names.map((name) => ({ name: apiName(name), source: fileOf(name) }));
  const { plan } = await generateApis(apis, undefined, { planOnly: true });
  return plan!;
}

const definitionsOf = ({ tools }: Pick<ToolPlan, "tools">) =>
  tools.map(({ definition }) => {
    const { name, title, description, annotations, inputSchema, outputSchema } = definition;
    return { name, title, description, annotations, inputSchema, outputSchema };
  });

describe.runIf(isPresent)("three published documents of different versions", () => {
  test("have the definitions that each has alone, also beside a fourth and in another order", async () => {
    const joined = await planTogether(...three);
    for (const name of three) {
      const { plan: alone } = await generate(fileOf(name), undefined, { planOnly: true });
      const own = joined.tools.filter(({ definition }) => definition.api === apiName(name));
      expect(definitionsOf({ tools: own })).toEqual(definitionsOf(alone!));
    }
    const more = await planTogether(fourth, ...three.toReversed());
    const others = more.tools.filter(({ definition }) => definition.api !== apiName(fourth));
    const byName = (plan: Pick<ToolPlan, "tools">) =>
      new Map(definitionsOf(plan).map((definition) => [definition.name, definition]));
    expect(byName({ tools: others })).toEqual(byName(joined));
    expect(others).toHaveLength(joined.tools.length);
  });
});
