import { describe, expect, test } from "vitest";
import { examplePaths, pickPaths } from "../../../src/runtime/response/pick-fields.js";

const image = (name: string, snapshots: unknown): object => ({
  ...{ name, size: 6, features: ["layering"], snapshots },
  configuration: [{ name: "rbd_cache", value: "true" }],
});
const images = {
  items: [
    image("guest-01", [
      { id: 1, name: "a" },
      { id: 2, name: "b" },
    ]),
    image("guest-02", []),
  ],
  notes: ["These are all."],
  next: { offset: 2 },
  total: 9,
};
const facts = { notes: ["These are all."], next: { offset: 2 }, total: 9 };
const own = JSON.parse('{"__proto__": {"a": 1, "b": 2}, "constructor": 3}') as unknown;
const moved = {
  items: [],
  unexpected: [
    { path: "items[0].value", value: [image("guest-01", null)] },
    { path: "items[1].state", value: 7 },
  ],
};
const run = {
  steps: [
    { step: 1, tool: "list_images", result: images },
    { step: 2, tool: "get_flags", result: { flags: ["noout"] } },
    { step: 3, tool: "get_pet", error: "no such pet" },
  ],
};
const byId = (count: number, thing: (i: number) => object): object =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`id-${i}`, thing(i)]));
const step = (number: number, result: object): object => ({
  ...{ step: number, tool: "get_pet", result },
});
const names = { items: [{ name: "guest-01" }, { name: "guest-02" }], ...facts };

describe("picked fields", () => {
  test.each([
    ["of a list", images, ["items.name"], names],
    ["as JSONPath writes them", images, ["$.items[*].name"], names],
    ["as jq writes them", images, [".items[].name"], names],
    ["at a position, in all items", images, ["items[0].name"], names],
    ["of the list that the API sent", images, ["name"], names],
    [
      "of lists in lists, also empty ones",
      images,
      ["items.name", "items.snapshots.name"],
      {
        items: [
          { name: "guest-01", snapshots: [{ name: "a" }, { name: "b" }] },
          { name: "guest-02", snapshots: [] },
        ],
        ...facts,
      },
    ],
    [
      "beside the mark of a list that has more",
      { items: [{ id: 1, name: "a" }], truncated: true, links: {}, has_more: false },
      ["items.id"],
      { items: [{ id: 1 }], truncated: true },
    ],
    ["whole, and inside of them", { a: { b: 1, c: 2 }, d: 3 }, ["a.b", "a"], { a: { b: 1, c: 2 } }],
    [
      "whose names have dots",
      { "a.b": { c: 1, d: 2 }, a: { "b.c": 3, x: 4 } },
      ["a.b.c"],
      { "a.b": { c: 1 }, a: { "b.c": 3 } },
    ],
    [
      "whose names are those of prototypes",
      own,
      ["__proto__.a"],
      JSON.parse('{"__proto__": {"a": 1}}'),
    ],
    ["of an empty list", { items: [], more: 1 }, ["items.name"], { items: [] }],
    ["of null", { parent: null, more: 1 }, ["parent.name"], { parent: null }],
    ["of a list without a name", [{ a: 1, b: 2 }], ["items.a"], [{ a: 1 }]],
    ["beside items that are no objects", [{ a: 1, b: 2 }, "x"], ["a"], [{ a: 1 }, "x"]],
    [
      "of unexpected parts, by their place",
      moved,
      ["items.value.name", "items.state"],
      {
        items: [],
        unexpected: [
          { path: "items[0].value", value: [{ name: "guest-01" }] },
          { path: "items[1].state", value: 7 },
        ],
      },
    ],
    [
      "of inner objects",
      { current: { id: 3, tags: ["a"] }, links: { self: "/3" } },
      ["id", "tags"],
      { current: { id: 3, tags: ["a"] } },
    ],
    [
      "of an inner list",
      { items: [{ id: 3 }], current: { items: [{ id: 3, licence: { id: 1, label: "BY" } }] } },
      ["items.licence.label"],
      { current: { items: [{ licence: { label: "BY" } }] } },
    ],
    [
      "of an inner list, whose name they leave out",
      { items: [{ id: 3 }], current: { items: [{ id: 3, name: "a" }] } },
      ["current.name"],
      { current: { items: [{ name: "a" }] } },
    ],
    [
      "of objects by their IDs, also those without them",
      { p1: { name: "a", tag: 1 }, p2: { tag: 2 }, p3: { name: "c" } },
      ["name"],
      { p1: { name: "a" }, p2: {}, p3: { name: "c" } },
    ],
    [
      "of many objects by their IDs",
      byId(300, (i) => ({ name: i, tag: i })),
      ["name"],
      byId(300, (i) => ({ name: i })),
    ],
    [
      "of the outermost objects that have them",
      { a: { name: 1, b: { name: 2 } }, c: { d: { name: 3 } } },
      ["name"],
      { a: { name: 1 } },
    ],
    [
      "of a run, where a step has them at the top",
      { steps: [step(1, { name: "a" }), step(2, { owner: { name: "b" } })] },
      ["name"],
      { steps: [step(1, { name: "a" }), { step: 2, tool: "get_pet" }] },
    ],
    [
      "of a run, where no step has them at the top",
      { steps: [step(1, { id: 1 }), step(2, { owner: { name: "b" } })] },
      ["name"],
      { steps: [{ step: 1, tool: "get_pet" }, step(2, { owner: { name: "b" } })] },
    ],
    [
      "of a run",
      run,
      ["items.name", "steps.result.flags"],
      {
        steps: [
          { step: 1, tool: "list_images", result: names },
          { step: 2, tool: "get_flags", result: { flags: ["noout"] } },
          { step: 3, tool: "get_pet", error: "no such pet" },
        ],
      },
    ],
  ])("%s", (_, value, paths, picked) => {
    expect(pickPaths(value, paths)).toEqual({ value: picked, notes: [], isPicked: true });
  });

  test("a note names the facts that have other names beside data of theirs", () => {
    const value = { id: 1, notes: "of the API", resultNotes: ["ours"], text: "long" };
    expect(pickPaths(value, ["id"]).value).toEqual({ id: 1, resultNotes: ["ours"] });
  });

  test("unexpected parts beside them are counted", () => {
    expect(pickPaths(moved, ["unexpected.value.name"])).toEqual({
      value: { unexpected: [{ ...moved.unexpected[0], value: [{ name: "guest-01" }] }] },
      notes: ["Without 1 of the parts in `unexpected`, which pick does not name."],
      isPicked: true,
    });
  });

  test("results of steps that have none of them are left out", () => {
    expect(pickPaths(run, ["flags"])).toEqual({
      value: {
        steps: [
          { step: 1, tool: "list_images" },
          { step: 2, tool: "get_flags", result: { flags: ["noout"] } },
          { step: 3, tool: "get_pet", error: "no such pet" },
        ],
      },
      notes: [],
      isPicked: true,
    });
  });
});

describe("paths that lead nowhere", () => {
  test("are named with the names that there are", () => {
    expect(pickPaths(images, ["items.name", "items.snapshots.nam"])).toEqual({
      value: names,
      notes: ['pick "items.snapshots.nam" matches nothing: items.snapshots has id, name.'],
      isPicked: true,
    });
  });

  test.each([
    [{ items: [{ id: 1 }] }, "item.name", "items has id"],
    [{ id: 1, name: "Rex" }, "age", "the result has id, name"],
    ["a text", "age", "the result has no fields"],
    [{ items: [], error: "no" }, "message", "the result has items, error"],
    [run, "age", "items has name, size, features, snapshots, configuration"],
  ])("do not hide the result %#", (value, path, place) => {
    expect(pickPaths(value, [path])).toEqual({
      value,
      notes: [`pick "${path}" matches nothing: ${place}. The whole result is shown.`],
      isPicked: false,
    });
  });
});

describe("examples of paths", () => {
  const omission = { kind: "items", omitted: 1, total: 2 } as const;
  test.each([
    [[{ ...omission, path: ["items"] }], ["items.name", "items.size"]],
    [
      [
        { ...omission, path: ["items", 0, "snapshots"] },
        { ...omission, path: ["items"] },
      ],
      ["items.name", "items.size"],
    ],
    [
      [{ ...omission, path: ["items", 0, "snapshots"] }],
      ["items.snapshots.id", "items.snapshots.name"],
    ],
    [[{ ...omission, kind: "characters" as const, path: ["items", 0, "name"] }], ["items.size"]],
    [[{ ...omission, path: ["items", 0, "features"] }], []],
    [[], []],
  ])("%#", (omissions, paths) => {
    expect(examplePaths(images, omissions)).toEqual(paths);
  });
});
