import { load as parseYaml } from "js-yaml";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";
import type { JsonObject } from "../../src/json.js";
import { applyOverlay, readOverlay } from "../../src/overlay/index.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const shared = path.join(process.env.MCP_GEN_SHARED ?? path.join(root, "..", "shared"), "overlay");
const parse = (file: string): unknown => parseYaml(readFileSync(file, "utf8"));

function apply(document: unknown, overlayDocument: unknown): { root: unknown; codes: string[] } {
  const { overlay, diagnostics } = readOverlay(overlayDocument, "o.yaml");
  if (!overlay) return { root: document, codes: diagnostics.map((d) => d.code) };
  const applied = applyOverlay(document as JsonObject, overlay);
  return { root: applied.root, codes: applied.diagnostics.map((d) => d.code) };
}

const overlayOf = (actions: unknown[], overlay = "1.1.0"): unknown => ({
  overlay,
  info: { title: "t", version: "1" },
  actions,
});

describe("actions", () => {
  const document = {
    info: { title: "A", tags: ["x"] },
    list: [{ k: 1 }, { k: 2 }, { k: 3 }],
    text: "old",
  };
  it.each([
    {
      given: [{ target: "$.info", update: { title: "B", extra: { a: 1 } } }],
      want: { ...document, info: { title: "B", tags: ["x"], extra: { a: 1 } } },
    },
    {
      given: [{ target: "$.info", update: { tags: ["y"] } }],
      want: { ...document, info: { title: "A", tags: ["x", "y"] } },
    },
    {
      given: [{ target: "$.list", update: { k: 4 } }],
      want: { ...document, list: [{ k: 1 }, { k: 2 }, { k: 3 }, { k: 4 }] },
    },
    {
      given: [{ target: "$.list[?@.k < 3]", remove: true }],
      want: { ...document, list: [{ k: 3 }] },
    },
    {
      given: [{ target: "$.list[*]", update: { seen: true } }],
      want: { ...document, list: [1, 2, 3].map((k) => ({ k, seen: true })) },
    },
    {
      given: [{ target: "$[?search(@, '^o.d$')]", remove: true }],
      want: { info: document.info, list: document.list },
    },
    { given: [{ target: "$.text", update: "new" }], want: { ...document, text: "new" } },
    {
      given: [{ target: "$.list[0]", copy: "$.info" }],
      want: { ...document, list: [{ k: 1, title: "A", tags: ["x"] }, { k: 2 }, { k: 3 }] },
    },
    {
      given: [{ target: "$.text", remove: true, update: "ignored" }],
      want: { info: document.info, list: document.list },
    },
    {
      given: [
        { target: "$.text", remove: true },
        { target: "$", update: { text: "again" } },
      ],
      want: { ...document, text: "again" },
    },
  ])("$given", ({ given, want }) => {
    expect(apply(document, overlayOf(given))).toEqual({ root: want, codes: [] });
  });

  it.each([
    { given: [{ target: "$.nothing", update: 1 }], codes: ["overlay-no-match"] },
    { given: [{ target: "$.[", update: 1 }], codes: ["overlay-path-invalid"] },
    { given: [{ target: "$.info", update: "text" }], codes: ["overlay-type-mismatch"] },
    { given: [{ target: "$", remove: true }], codes: ["overlay-type-mismatch"] },
    { given: [{ target: "$.info", copy: "$.list[*]" }], codes: ["overlay-copy-source"] },
  ])("$codes", ({ given, codes }) => {
    expect(apply(document, overlayOf(given))).toEqual({ root: document, codes });
  });

  it.each([
    { given: [{ target: "$.info", update: { title: ["x"] } }], codes: ["overlay-type-mismatch"] },
    { given: [{ target: "$.info", update: { tags: "y" } }], codes: ["overlay-type-mismatch"] },
    { given: [{ target: "$", update: { info: null } }], codes: ["overlay-type-mismatch"] },
    { given: [{ target: "$['info','list']", update: { k: 4 } }], codes: ["overlay-type-mismatch"] },
    { given: [{ target: "$.text", update: ["x"] }], codes: ["overlay-type-mismatch"] },
    { given: [{ target: "$.nothing", copy: "$.nor.this" }], codes: ["overlay-no-match"] },
    { given: [{ target: "$.info", copy: "$.list[?@.k > 9]" }], codes: ["overlay-copy-source"] },
  ])("a type mismatch leaves the document unchanged since 1.1: $given", ({ given, codes }) => {
    for (const version of ["1.1.0", "1.2.3"])
      expect(apply(document, overlayOf(given, version))).toEqual({ root: document, codes });
  });

  it("a type mismatch replaces the value in 1.0 with a warning, except by null", () => {
    const given = [{ target: "$", update: { info: { title: ["x"] }, list: null } }];
    expect(apply(document, overlayOf(given, "1.0.0"))).toEqual({
      root: { ...document, info: { title: ["x"], tags: ["x"] } },
      codes: ["overlay-type-replaced", "overlay-type-replaced"],
    });
  });

  it("a node selected twice is one target", () => {
    expect(apply(document, overlayOf([{ target: "$.list[0,0]", remove: true }])).root).toEqual({
      ...document,
      list: [{ k: 2 }, { k: 3 }],
    });
    expect(apply(document, overlayOf([{ target: "$['list','list']", update: 4 }])).root).toEqual({
      ...document,
      list: [{ k: 1 }, { k: 2 }, { k: 3 }, 4],
    });
  });

  it("a removal ignores the other fields of the action", () => {
    expect(
      apply(document, overlayOf([{ target: "$.text", remove: true, copy: "$.[", update: {} }])),
    ).toEqual({ root: { info: document.info, list: document.list }, codes: [] });
  });

  it("a copy and an update in one action are both merged, with a warning", () => {
    expect(
      apply(document, overlayOf([{ target: "$.list[0]", copy: "$.list[1]", update: { more: 1 } }])),
    ).toEqual({
      root: { ...document, list: [{ k: 2, more: 1 }, { k: 2 }, { k: 3 }] },
      codes: ["overlay-copy-and-update"],
    });
  });

  it("keeps a key named __proto__ as data", () => {
    const update: unknown = JSON.parse('{"__proto__": {"polluted": 1}}');
    const { root: changed } = apply(document, overlayOf([{ target: "$.info", update }]));
    expect(JSON.stringify(changed)).toContain('"__proto__":{"polluted":1}');
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

it("descendants of descendants are selected once each", () => {
  let document: object = { last: 1 };
  for (let level = 0; level < 40; level++) document = { deep: document };
  const target = `$${"..*".repeat(12)}.last`;
  expect(apply({ document }, overlayOf([{ target, update: 2 }])).root).toMatchObject({
    document: { deep: {} },
  });
  expect(JSON.stringify(apply({ document }, overlayOf([{ target, update: 2 }])).root)).toContain(
    '"last":2',
  );
});

it("a pattern with catastrophic backtracking selects nothing", () => {
  const document = { info: { title: `${"a".repeat(60)}!` } };
  for (const filter of ["search(@, '^(a+)+$')", "match(@, '(a|a)*b')"])
    expect(
      apply(document, overlayOf([{ target: `$.info[?${filter}]`, remove: true }])).root,
    ).toEqual(document);
});

describe("messages", () => {
  const document = { paths: { "/pets": { get: { tags: [] } } }, info: {} };
  const said = (action: object): readonly string[] => {
    const { overlay } = readOverlay(overlayOf([action]), "o.yaml");
    return overlay
      ? applyOverlay(document, overlay).diagnostics.map(({ message, hint }) =>
          [message, hint].filter(Boolean).join(" | "),
        )
      : ["not read"];
  };
  it.each([
    [
      "$.paths['/pet'].get",
      {},
      `The target $.paths['/pet'].get matches nothing in the document: there is no $.paths['/pet']; did you mean /pets?`,
    ],
    [
      "$.paths.*[?@.x]",
      {},
      `The target $.paths.*[?@.x] matches nothing in the document: there is no $.paths[*][?@.x]`,
    ],
    [
      "$.paths./pets.get",
      {},
      `The target $.paths./pets.get is not an RFC 9535 JSONPath: unexpected shorthand selector '/' | Write names with such characters in brackets and quotes: $.paths['/pets'].get.`,
    ],
    [
      "$.paths[?(@.x=~/a/)]",
      {},
      "The target $.paths[?(@.x=~/a/)] is not an RFC 9535 JSONPath: unexpected filter selector token '=' | Patterns are functions in RFC 9535: [?search(@.name, 'pattern')].",
    ],
    [
      "$.paths",
      { "/pets": { get: [] } },
      "The update of $.paths has a list but the document has an object, at #/paths/~1pets/get | To replace the value, remove it by a previous action.",
    ],
  ])("of %s", (target, update, want) => {
    expect(said({ target, update })).toEqual([want]);
  });
});

describe("reusable actions", () => {
  const document = {
    paths: { "/a": { get: { responses: { 200: {} } } }, "/b": { get: { responses: { 200: {} } } } },
  };
  const overlay = (actions: readonly unknown[], components: unknown, rest = {}): unknown => ({
    overlay: "1.2.0",
    $self: "https://example.com/o.yaml",
    info: { title: "t", version: "1" },
    extends: "../a.yaml",
    components,
    actions,
    ...rest,
  });
  const fields = { description: "Adds one.", update: { 404: { description: "Not found" } } };

  it("are applied wherever they are referenced", () => {
    const components = {
      actions: { "error/~404": { description: "Errors", "x-a": 1, fields } },
      "x-b": 1,
    };
    const actions = ["/a", "/b"].map((path) => ({
      $ref: "#/components/actions/error~1~0404",
      target: `$.paths['${path}'].get.responses`,
      description: "Here.",
      "x-c": 1,
    }));
    const responses = { 200: {}, 404: { description: "Not found" } };
    expect(apply(document, overlay(actions, components))).toEqual({
      root: { paths: { "/a": { get: { responses } }, "/b": { get: { responses } } } },
      codes: [],
    });
  });

  it("may be empty, and may remove", () => {
    const actions = [
      { $ref: "#/components/actions/nothing", target: "$.paths" },
      { $ref: "#/components/actions/gone%20now", target: "$.paths['/b']" },
    ];
    expect(
      apply(
        document,
        overlay(actions, { actions: { nothing: {}, "gone now": { fields: { remove: true } } } }),
      ),
    ).toEqual({ root: { paths: { "/a": document.paths["/a"] } }, codes: [] });
  });

  const use = { $ref: "#/components/actions/a", target: "$" };
  const components = { actions: { a: { fields } } };
  it.each([
    {
      actions: [{ ...use, $ref: "#/components/actions/b" }],
      components,
      fault: "#/actions/0/$ref",
    },
    {
      actions: [{ ...use, $ref: "#/components/actions/a/fields" }],
      components,
      fault: "#/actions/0/$ref",
    },
    {
      actions: [{ ...use, $ref: "other.yaml#/components/actions/a" }],
      components,
      fault: "#/actions/0/$ref",
    },
    {
      actions: [{ ...use, $ref: "#/components/actions/a~2" }],
      components,
      fault: "#/actions/0/$ref",
    },
    { actions: [{ ...use, $ref: 1 }], components, fault: "#/actions/0/$ref" },
    { actions: [{ $ref: use.$ref }], components, fault: "#/actions/0/target" },
    { actions: [{ ...use, update: {} }], components, fault: "#/actions/0/update" },
    {
      actions: [use],
      components: { actions: { a: { fields, update: {} } } },
      fault: "#/components/actions/a",
    },
    {
      actions: [use],
      components: { actions: { a: { fields: { target: "$" } } } },
      fault: "#/components/actions/a/fields/target",
    },
    {
      actions: [use],
      components: { actions: { a: { fields: { $ref: use.$ref } } } },
      fault: "#/components/actions/a/fields",
    },
    {
      actions: [use],
      components: { actions: { a: { fields: [] } } },
      fault: "#/components/actions/a/fields",
    },
    {
      actions: [use],
      components: { actions: { a: { description: 1 } } },
      fault: "#/components/actions/a/description",
    },
    { actions: [{ target: "$" }], components: { schemas: {} }, fault: "#/components" },
    { actions: [{ target: "$" }], components: [], fault: "#/components" },
    { actions: [{ target: "$" }], components, rest: { $self: "a#b" }, fault: "#/$self" },
    { actions: [{ target: "$" }], components, rest: { extends: "a#b" }, fault: "#/extends" },
    {
      actions: [{ target: "$" }],
      components,
      rest: { overlay: "1.1.0", $self: undefined },
      fault: "#",
    },
  ])("$fault of $actions", ({ actions, components: given, rest = {}, fault }) => {
    const { diagnostics } = readOverlay(
      JSON.parse(JSON.stringify(overlay(actions, given, rest))),
      "o.yaml",
    );
    expect(diagnostics.map((d) => d.location?.pointer)).toEqual([fault]);
  });
});

describe("documents", () => {
  it("may have a $schema for editors", () => {
    expect(
      readOverlay(
        {
          $schema: "https://spec.openapis.org/overlay/1.0/schema/2024-10-17",
          ...(overlayOf([{ target: "$" }]) as object),
        },
        "o.yaml",
      ).diagnostics,
    ).toEqual([]);
  });

  it("name the version that added a field, or a similar field", () => {
    const said = (action: object): unknown =>
      readOverlay(overlayOf([{ target: "$", ...action }], "1.0.0"), "o.yaml").diagnostics[0];
    expect(said({ copy: "$.a" })).toMatchObject({
      message: "Unknown field `copy`: it was added in Overlay 1.1, but this is 1.0",
      hint: "Write overlay: 1.1.0 at the top, or remove it.",
    });
    expect(said({ updates: {} })).toMatchObject({
      message: "Unknown field `updates`; did you mean update?",
    });
  });

  it.each([
    { given: null, fault: "#" },
    {
      given: { overlay: "2.0.0", info: { title: "t", version: "1" }, actions: [{ target: "$" }] },
      fault: "#/overlay",
    },
    { given: overlayOf([]), fault: "#/actions" },
    { given: overlayOf([{ target: "info" }]), fault: "#/actions/0/target" },
    { given: overlayOf([{ target: "$" }, { target: "$" }]), fault: "#/actions/1" },
    { given: overlayOf([{ target: "$", copy: "$.a" }], "1.0.0"), fault: "#/actions/0" },
  ])("$fault", ({ given, fault }) => {
    expect(readOverlay(given, "o.yaml").diagnostics.map((d) => d.location?.pointer)).toEqual([
      fault,
    ]);
  });
});

const sets = path.join(shared, "oai-compliant-sets");
describe.each(existsSync(sets) ? readdirSync(sets).filter((name) => !name.includes(".")) : [])(
  "compliant set %s",
  (name) => {
    it("has the expected output", () => {
      const [document, overlay, want] = ["openapi.yaml", "overlay.yaml", "output.yaml"].map(
        (file) => parse(path.join(sets, name, file)),
      );
      expect(apply(document, overlay)).toEqual({ root: want, codes: [] });
    });
  },
);

describe.each(
  ["v1.0", "v1.1"].filter((version) => existsSync(path.join(shared, "oai-schema-tests", version))),
)("schema tests %s", (version) => {
  const verdicts = ["pass", "fail"].flatMap((verdict) => {
    const folder = path.join(shared, "oai-schema-tests", version, verdict);
    return readdirSync(folder).map((file) => ({
      verdict,
      file: path.join(folder, file),
      name: file,
    }));
  });
  it.each(verdicts)("$verdict $name", ({ verdict, file }) => {
    expect(readOverlay(parse(file), file).overlay === undefined ? "fail" : "pass").toBe(verdict);
  });
});

describe("an overlay that visits too many values is an error that names the action", () => {
  const item = (i: number): object => ({ i, tags: ["a", "b"], x: { y: [i] } });
  const listOf = (length: number): object[] => Array.from({ length }, (_, i) => item(i));
  const document = {
    list: listOf(100),
    other: { deep: [[listOf(100)]] },
    same: { deep: [[listOf(100)]] },
    large: Object.fromEntries(listOf(100).map((value, i) => [`k${i}`, value])),
    wide: Object.fromEntries(listOf(101).map((value, i) => [`k${i}`, value])),
    long: Array.from({ length: 1_000 }, (_, i) => i),
    text: `${"a".repeat(5_000)}b`,
    text2: `${"a".repeat(5_000)}c`,
  };
  const once = (target: string, fields: object = { update: { z: 1 } }): object[] => [
    { target: "$.list[0].i", update: 7 },
    { target, ...fields },
    { target: "$.list[1].i", update: 7 },
  ];
  const filters = "$..[?@..[?@..[?@..q]]]";
  const selectors = `$.list[${"*,".repeat(99)}*]..*..*`;
  const many = Array.from({ length: 300 }, (_, i) => ({ target: `$..[?@.q == ${i}]`, update: {} }));
  const tags = Array.from({ length: 1_000 }, () => "t");
  const sharing = Array.from({ length: 100 }, (_, i) => [
    { target: "$['list','text']", copy: "$.large", description: `${i}` },
    { target: "$.large.k1.i", update: i },
  ]).flat();
  const removals = Array.from({ length: 1_000 }, (_, i) => ({
    target: "$.long[0]",
    remove: true,
    description: `${i}`,
  }));
  it.each([
    { by: "descendants in filters", actions: once(filters) },
    {
      by: "a query for each item",
      actions: once("$..[?count(@..*) > 1]"),
    },
    { by: "comparisons of large values", actions: once("$.list[?$.other == $.same]") },
    { by: "comparisons of objects of other sizes", actions: once("$.list[?$.large == $.wide]") },
    { by: "comparisons of long texts", actions: once("$.list[?$.text == $.text2]") },
    { by: "the order of long texts", actions: once("$.list[?$.text < $.text2]") },
    { by: "lengths of long texts", actions: once("$.list[?length($.text) == 1]") },
    { by: "copies of shared parts", actions: sharing, at: /^#\/actions\/\d+$/ },
    { by: "removals from a long list", actions: removals, at: /^#\/actions\/\d+$/ },
    { by: "lengths of objects", actions: once("$.list[?length($.large) == 1]") },
    { by: "repeated selectors", actions: once(selectors) },
    { by: "the source of a copy", actions: once("$.other", { copy: filters }) },
    { by: "a large update of many places", actions: once("$.list[*].tags", { update: tags }) },
    { by: "many actions", actions: many, at: /^#\/actions\/\d+$/ },
  ])("by $by", ({ actions, at = /^#\/actions\/1$/ }) => {
    const { overlay } = readOverlay(overlayOf(actions), "o.yaml");
    if (!overlay) throw new Error("not read");
    const applied = applyOverlay(document as never, overlay, { maxValues: 5_000 });
    const last = applied.diagnostics.at(-1);
    expect(last?.code).toBe("overlay-limit");
    expect(last?.location?.pointer).toMatch(at);
    expect(applied.root).toBe(document);
  });
});

test("an overlay that fits none of very many values has a message for each", () => {
  const list = Array.from({ length: 200_000 }, () => 1);
  const { overlay } = readOverlay(overlayOf([{ target: "$.list[*]", update: { a: 1 } }]), "o.yaml");
  if (!overlay) throw new Error("not read");
  const applied = applyOverlay({ list } as never, overlay);
  expect(applied.diagnostics).toHaveLength(list.length);
});

describe("changes in place", () => {
  const freeze = <Value>(value: Value): Value => {
    if (typeof value === "object" && value !== null) Object.values(value).forEach(freeze);
    return Object.freeze(value);
  };
  const shared = freeze({ a: [1, { b: 2 }] });
  const document = freeze({ one: shared, two: shared, info: { title: "A" } }) as JsonObject;
  it.each([
    {
      given: "an update of one of two places with the same value",
      actions: [{ target: "$.one.a[1]", update: { c: 3 } }],
      want: { ...document, one: { a: [1, { b: 2, c: 3 }] } },
    },
    {
      given: "a copy that is changed later",
      actions: [
        { target: "$.info", update: { more: { x: 1 } } },
        { target: "$.two", copy: "$.info" },
        { target: "$.two.more", update: { y: 2 } },
        { target: "$.info.more", update: { z: 3 } },
      ],
      want: {
        one: shared,
        two: { ...shared, title: "A", more: { x: 1, y: 2 } },
        info: { title: "A", more: { x: 1, z: 3 } },
      },
    },
    {
      given: "a copy of the document into itself",
      actions: [
        { target: "$.info", copy: "$" },
        { target: "$.info.info", update: { title: "B" } },
      ],
      want: { ...document, info: { title: "A", ...document, info: { title: "B" } } },
    },
    {
      given: "one update value in two places",
      actions: [
        { target: "$['one','two']", update: { n: { x: 1 } } },
        { target: "$.one.n", update: { y: 2 } },
      ],
      want: { ...document, one: { ...shared, n: { x: 1, y: 2 } }, two: { ...shared, n: { x: 1 } } },
    },
    {
      given: "nested targets",
      actions: [{ target: "$..[?@.b || @.a]", update: { n: 1 } }],
      want: {
        one: { a: [1, { b: 2, n: 1 }], n: 1 },
        two: { a: [1, { b: 2, n: 1 }], n: 1 },
        info: { title: "A" },
      },
    },
    {
      given: "the removal of several items of one list, and of a list around them",
      actions: [
        { target: "$.one..*", remove: true },
        { target: "$.two.a[0,1]", remove: true },
      ],
      want: { one: {}, two: { a: [] }, info: { title: "A" } },
    },
  ])("$given: nothing else changes", ({ actions, want }) => {
    const given = actions.map((action) => freeze(action));
    expect(apply(document, overlayOf(given))).toEqual({ root: want, codes: [] });
  });
});

/** Targets, and what is done there. Overlays may have an action for each path. */
const targets = {
  wildcards: () => "$.paths.*",
  descendants: () => "$.paths..summary",
  filters: () => "$.paths[?@.summary]",
  "filters with absolute queries": () => "$.paths[?@.summary != $.info.title]",
  patterns: () => "$.paths[?search(@.summary, 'Item')].summary",
  unions: () => "$.paths.*['summary','tags']",
  slices: () => "$.paths.*.tags[0:1]",
  "negative indexes": () => "$.paths.*.tags[-1]",
  "an action for each path": (i: number) => `$.paths['/p${i}']`,
  "an action for each descendant": (i: number) => `$.paths['/p${i}']..a`,
};
const changes = {
  "an update": { update: { x: 1 } },
  "a text": { update: "x" },
  "a list": { update: ["x"] },
  "a removal": { remove: true },
  "a copy": { copy: "$.info" },
};
const places = Object.entries(targets).flatMap(([name, target]) =>
  Object.entries(changes).map(([change, fields]) => ({ name, target, change, fields })),
);

/** Visited, compared and written values. They bound the time; nothing is done without a charge. */
describe("overlays take time proportional to the parts that they change", () => {
  const VALUES_FOR_EACH_PATH = 60;
  it.each(places)("$change by $name", ({ name, target, fields }) => {
    const isForEach = name.startsWith("an action");
    for (const n of isForEach ? [250, 1_000] : [500, 4_000]) {
      const ids = Array.from({ length: n }, (_, i) => i);
      const paths = ids.map((i) => [`/p${i}`, { summary: `Item ${i}`, tags: ["a"], a: { b: i } }]);
      const actions = (isForEach ? ids : [0]).map((i) => ({
        target: target(i),
        description: `${i}`,
        ...fields,
      }));
      const { overlay } = readOverlay(overlayOf(actions), "o.yaml");
      const document = { info: { title: "A" }, paths: Object.fromEntries(paths) as JsonObject };
      const { diagnostics } = applyOverlay(document, overlay!, {
        maxValues: VALUES_FOR_EACH_PATH * n,
      });
      expect(diagnostics.map(({ code }) => code)).not.toContain("overlay-limit");
    }
  });
});
