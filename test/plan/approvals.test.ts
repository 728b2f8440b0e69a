import { describe, expect, test } from "vitest";
import { configuredPlan } from "./configuration/fixtures.js";

/** `approve` in mcp-gen.yaml: the tools that ask, their texts, and the definition of the API. */
const ASKS = "Asks the user before it is sent.";

const planned = (yaml: string) => {
  const { tools, api, diagnostics } = configuredPlan(yaml);
  return {
    asking: tools
      .filter(({ definition }) => definition.description.includes(ASKS))
      .map(({ definition }) => definition.name),
    approve: api.approve,
    own: Object.fromEntries(
      tools.flatMap(({ definition: { name, approve } }) =>
        approve === undefined ? [] : [[name, approve]],
      ),
    ),
    codes: diagnostics.map(({ code }) => code).filter((code) => code.startsWith("config-")),
  };
};
const all = configuredPlan("tools: {}").tools.map(({ definition }) => definition);
const named = (filter: (tool: (typeof all)[number]) => boolean): string[] =>
  all.filter(filter).map(({ name }) => name);
const destructive = named(({ annotations }) => annotations.destructiveHint);
const writes = named(({ annotations }) => !annotations.readOnlyHint);
const [first = "", second = ""] = destructive;

describe("approve", () => {
  test("the document of this test has tools of each kind", () => {
    expect(destructive.length).toBeGreaterThan(0);
    expect(writes.length).toBeGreaterThan(destructive.length);
  });

  test.each<[string, string, Partial<ReturnType<typeof planned>>]>([
    ["nothing", "tools: {}", { asking: [], approve: undefined, own: {}, codes: [] }],
    ["destructive", "approve: destructive", { asking: destructive, approve: "destructive" }],
    ["writes", "approve: writes", { asking: writes, approve: "writes" }],
    ["a list", `approve: [${first}]`, { asking: [first], approve: [first], codes: [] }],
    ["an unknown name", "approve: [nope]", { asking: [], codes: ["config-unknown-tool"] }],
    [
      "one tool only",
      `tools: {${first}: {approve: true}}`,
      { asking: [first], approve: [], own: { [first]: true } },
    ],
    [
      "all but one",
      `approve: destructive\ntools: {${first}: {approve: false}}`,
      { asking: destructive.slice(1), own: { [first]: false } },
    ],
    [
      "by name",
      `tools: {${first}: {approve: {type: name}}}`,
      { asking: [first], own: { [first]: { type: "name" } } },
    ],
  ])("%s", (_, yaml, want) => {
    expect(planned(yaml)).toMatchObject(want);
  });

  test("definitions are unchanged where nothing is configured", () => {
    expect(second === "" ? first : second).not.toBe("");
    expect(JSON.stringify(all)).not.toMatch(/"approve"|"sends"|Asks the user/);
  });
});
