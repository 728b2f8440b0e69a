import { describe, expect, test } from "vitest";
import { parseConfiguration } from "../../src/configuration/parse-configuration.js";
import { plan, planPasses } from "../../src/plan/index.js";
import {
  classifyPass,
  configureOperationsPass,
  connectPass,
  groupPass,
  namePass,
  selectPass,
} from "../../src/plan/passes.js";
import { initialState, Passes } from "../../src/plan/state.js";
import { api, ok, operation } from "./fixtures.js";

const PET = { type: "object", properties: { id: { type: "string" } } } as const;
const model = api([
  operation("GET /pets", {
    operationId: "listPets",
    tags: ["pets"],
    responses: [ok({ type: "array", items: PET })],
  }),
  operation("GET /pets/{petId}", { operationId: "getPet", tags: ["pets"], responses: [ok(PET)] }),
  operation("DELETE /pets/{petId}", { operationId: "deletePet", deprecated: true }),
]);

function configured(text: string) {
  const { content, locationOf } = parseConfiguration(`version: 1\n${text}`, "mcp-gen.yaml");
  const start = initialState(model, content && { configuration: { content, locationOf } });
  const classified = { ...start, ...classifyPass(start) };
  const named = { ...classified, ...namePass(classified) };
  return { ...named, ...configureOperationsPass(named) };
}

describe("segments with which all paths begin", () => {
  const nouns = ["areas", "boats", "keys", "maps", "piers", "ports", "seats", "towns"];
  const namesOf = (paths: readonly string[]): readonly string[] => {
    const start = initialState(api(paths.map((path) => operation(`GET ${path}`))));
    const state = { ...start, ...classifyPass(start) };
    const { names } = namePass(state);
    return state.operations.map((one) => names.get(one)!.name);
  };

  test("are no part of names", () => {
    expect(namesOf(nouns.map((noun) => `/tier2/{company}/${noun}`))).toEqual(
      nouns.map((noun) => `list_${noun}`),
    );
  });

  test.each([
    { folder: "/v3/admin", further: "/v3/admin/store/areas", expected: "list_areas" },
    { folder: "/v3/admin", further: "/v3/admin/{id}", expected: "list_admin_areas" },
    { folder: "/v3/admin", further: "/v3/admin", expected: "list_admin_areas" },
    { folder: "/scan", further: "/scan/store/areas", expected: "list_scan_areas" },
  ])("$folder beside $further: $expected", ({ folder, further, expected }) => {
    const paths = [...nouns.map((noun) => `${folder}/${noun}`), further];
    expect(namesOf(paths)[0]).toBe(expected);
  });

  test("are a part of names if the segment has operations of its own", () => {
    const paths = ["/tier2/{company}", ...nouns.map((noun) => `/tier2/{company}/${noun}`)];
    expect(namesOf(paths)[1]).toBe("list_tier2_areas");
  });
});

describe("a group with which all operationIds begin", () => {
  const nouns = ["Areas", "Boats", "Keys", "Maps", "Piers", "Ports", "Seats", "Towns"];
  const namesOf = (ids: readonly string[]): readonly string[] => {
    const operations = ids.map((operationId, i) => operation(`GET /v1/t${i}`, { operationId }));
    const start = initialState(api(operations));
    const state = { ...start, ...classifyPass(start) };
    const { names } = namePass(state);
    return state.operations.map((one) => names.get(one)!.name);
  };

  test.each([
    ["is no part of names", nouns.map((noun) => `Harbor_List${noun}`), "list_areas"],
    [
      "is a part of names if one has another group",
      [...nouns.map((noun) => `Harbor_List${noun}`), "State_GetInfo"],
      "list_harbor_areas",
    ],
    ["is a verb", nouns.map((noun) => `list.${noun}`), "list_areas"],
  ])("%s", (_, ids, expected) => {
    expect(namesOf(ids)[0]).toBe(expected);
  });
});

describe("the passes of planning", () => {
  test("run in this order", () => {
    expect(planPasses.names).toEqual([
      "classify",
      "name",
      "configure operations",
      "select",
      "connect",
      "group",
      "merge",
      "describe",
      "plan workflows",
      "configure tools",
      "finish",
      "print descriptions",
      "intern schemas",
      "write instructions",
      "read project code",
      "check budget",
    ]);
  });

  test("give the tools of the plan", () => {
    const { tools } = planPasses.run(initialState(model));
    expect(tools).toEqual(plan(model).tools);
  });

  test("add to the state, and replace values of earlier passes", () => {
    const passes = Passes.from<{ readonly count: number }>()
      .add("double", ({ count }) => ({ count: count * 2 }))
      .add("print", ({ count }) => ({ text: String(count) }));
    expect(passes.run({ count: 2 })).toEqual({ count: 4, text: "4" });
  });
});

describe("classify", () => {
  test("finds the kind of every operation", () => {
    const { operations } = classifyPass(initialState(model));
    expect(operations.map(({ kind }) => kind)).toEqual(["list", "get", "delete"]);
  });
});

describe("configure operations", () => {
  test("replaces inferred names", () => {
    const { names } = configured("tools: {browse_pets: {operation: listPets}}");
    expect([...names.values()].map(({ name }) => name)).toEqual([
      "browse_pets",
      "get_pet",
      "delete_pet",
    ]);
  });

  test("lists merges and operations that keep their own tool", () => {
    const { configuration } = configured(
      "tools:\n  pets: {merge: [listPets, getPet]}\n  remove: {operation: deletePet}",
    );
    expect(configuration.merges.map(({ name }) => name)).toEqual(["pets"]);
    expect([...configuration.neverMerged].map(({ operationId }) => operationId)).toEqual([
      "deletePet",
    ]);
  });
});

describe("select", () => {
  test("leaves deprecated operations out, unless the configuration names them", () => {
    const selectedBy = (text: string) =>
      selectPass(configured(text)).selected.map(({ operation: one }) => one.operationId);
    expect(selectedBy("")).toEqual(["listPets", "getPet"]);
    expect(selectedBy("tools: {remove: {operation: deletePet}}")).toContain("deletePet");
  });
});

describe("connect", () => {
  test("adds the variables of configured parameters", () => {
    const state = configured("parameters: {petId: {env: SHOP_PET}}");
    const { environment } = connectPass({ ...state, ...selectPass(state) });
    expect(environment.list.map(({ name }) => name)).toEqual(["CLINIC_BASE_URL", "SHOP_PET"]);
  });
});

describe("group", () => {
  test("assigns operations to the toolsets of their tags", () => {
    const state = configured("");
    const { toolsets, toolsetByOperation } = groupPass({ ...state, ...selectPass(state) });
    expect(toolsets.map(({ name }) => name)).toEqual(["pets"]);
    expect([...toolsetByOperation.values()]).toEqual(["pets", "pets"]);
  });
});
