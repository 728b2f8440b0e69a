import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { load } from "../../src/load/index.js";
import { api, folder, type Files } from "./folder.js";

const overlay = (actions: readonly object[], rest: object = {}): object => ({
  overlay: "1.0.0",
  info: { title: "Fixes", version: "1" },
  actions,
  ...rest,
});
const TWO = api(
  { type: "string" },
  {
    paths: { "/pets": { get: { summary: "get pets", responses: {} }, delete: { responses: {} } } },
  },
);

async function loaded(files: Files, overlays: readonly string[]) {
  const root = folder({ "api.json": TWO, ...files });
  const { document, diagnostics, locate } = await load(join(root, "api.json"), {
    overlays: overlays.map((file) => join(root, file)),
  });
  const said = diagnostics.map(
    ({ code, location }) =>
      `${code} ${location?.file?.slice(root.length + 1)}:${location?.line ?? 1}:${location?.column ?? 1} ${location?.pointer}`,
  );
  return { paths: document?.root["paths"] as unknown, said, locate };
}

const RENAME = overlay([{ target: "$.paths['/pets'].get", update: { summary: "List pets" } }]);
const REMOVE = overlay([{ target: "$.paths.*.delete", remove: true }]);

test("overlays are applied in order, before references are resolved", async () => {
  const second = overlay([
    { target: "$.paths.*[?@.summary == 'List pets']", update: { summary: "List all pets" } },
  ]);
  const { paths, said } = await loaded({ "a.json": RENAME, "b.json": REMOVE, "c.json": second }, [
    "a.json",
    "b.json",
    "c.json",
  ]);
  expect(said).toEqual([]);
  expect(paths).toEqual({ "/pets": { get: { summary: "List all pets", responses: {} } } });
});

test("an overlay may be YAML with aliases, and add references to parts and files", async () => {
  const text = `overlay: 1.1.0
info: {title: Fixes, version: "1"}
actions:
  - target: $.paths.*.*
    update:
      responses:
        "200": {description: ok, content: {application/json: {schema: &pet {$ref: ./pet.json}}}}
        "201": {description: ok, content: {application/json: {schema: *pet}}}
`;
  const { paths, said } = await loaded(
    { "a.yaml": text, "pet.json": { type: "object", title: "Pet" } },
    ["a.yaml"],
  );
  expect(said).toEqual([]);
  const refs = new Set(
    [...JSON.stringify(paths).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref),
  );
  expect([...refs]).toEqual(["#/components/schemas/pet"]);
});

test("locations are those of the document; for additions of an overlay, of the nearest ancestor", async () => {
  const added = overlay([{ target: "$.paths", update: { "/owners": { get: { responses: {} } } } }]);
  const { locate } = await loaded({ "a.json": added, "b.json": RENAME }, ["a.json", "b.json"]);
  const lines = ["#/paths/~1pets/get/summary", "#/paths/~1owners/get"].map(
    (pointer) => locate({ pointer }).line,
  );
  expect(lines).toEqual([10, 7]);
});

const faults: readonly {
  given: string;
  files: Files;
  overlays: readonly string[];
  want: readonly string[];
}[] = [
  {
    given: "a missing file",
    files: {},
    overlays: ["a.json"],
    want: ["load-not-found a.json:1:1 #"],
  },
  {
    given: "text that does not parse",
    files: { "a.json": "{" },
    overlays: ["a.json"],
    want: ["load-syntax a.json:1:2 #"],
  },
  {
    given: "no overlay",
    files: { "a.json": { swagger: "2.0" } },
    overlays: ["a.json"],
    want: ["overlay-invalid a.json:1:1 #"],
  },
  {
    given: "a target that is not a JSONPath",
    files: { "a.json": overlay([{ target: "$.[", remove: true }]) },
    overlays: ["a.json"],
    want: ["overlay-path-invalid a.json:8:5 #/actions/0"],
  },
  {
    given: "an update of another kind",
    files: { "a.json": overlay([{ target: "$.info", update: "x" }]) },
    overlays: ["a.json"],
    want: ["overlay-type-mismatch a.json:8:5 #/actions/0"],
  },
  {
    given: "a fault in the second of two",
    files: { "a.json": RENAME, "b.json": overlay([{ target: "$.[", remove: true }]) },
    overlays: ["a.json", "b.json"],
    want: ["overlay-path-invalid b.json:8:5 #/actions/0"],
  },
];

describe("an overlay that cannot be used stops the run", () => {
  for (const { given, files, overlays, want } of faults) {
    test(given, async () => {
      const { paths, said } = await loaded(files, overlays);
      expect(paths).toBeUndefined();
      expect(said).toEqual(want);
    });
  }
});

test("warnings of an overlay are reported also when the result has no operations", async () => {
  const emptying = overlay([
    { target: "$.paths['/cats']", remove: true },
    { target: "$.paths['/pets']", remove: true },
  ]);
  const { paths, said } = await loaded({ "a.json": emptying }, ["a.json"]);
  expect(paths).toBeUndefined();
  expect(said).toEqual([
    "overlay-no-match a.json:8:5 #/actions/0",
    "load-no-operations api.json:7:3 #/paths",
  ]);
});

test("a target that matches nothing is a warning", async () => {
  const { paths, said } = await loaded(
    { "a.json": overlay([{ target: "$.paths['/cats']", remove: true }]) },
    ["a.json"],
  );
  expect(paths).toBeDefined();
  expect(said).toEqual(["overlay-no-match a.json:8:5 #/actions/0"]);
});

test("exponentially growing copies are rejected early", async () => {
  const doubled = (i: number): object[] => [
    { target: "$.paths", update: { [`x-${i}`]: {} } },
    { target: `$.paths['x-${i}']`, copy: "$.paths" },
  ];
  const copies = overlay(Array.from({ length: 40 }, (_, i) => doubled(i)).flat(), {
    overlay: "1.1.0",
  });
  const { paths, said } = await loaded({ "a.json": copies }, ["a.json"]);
  expect(paths).toBeUndefined();
  expect(said[0]).toMatch(/^load-(alias|too-deep) a\.json:\d+:\d+ #\/actions\/\d+$/);
});
