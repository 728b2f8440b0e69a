import { load as parseYaml } from "js-yaml";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
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

const overlayOf = (actions: unknown[], overlay = "1.1.0"): unknown => ({ overlay, info: { title: "t", version: "1" }, actions });

describe("actions", () => {
  const document = { info: { title: "A", tags: ["x"] }, list: [{ k: 1 }, { k: 2 }, { k: 3 }], text: "old" };
  it.each([
    { given: [{ target: "$.info", update: { title: "B", extra: { a: 1 } } }], want: { ...document, info: { title: "B", tags: ["x"], extra: { a: 1 } } } },
    { given: [{ target: "$.info", update: { tags: ["y"] } }], want: { ...document, info: { title: "A", tags: ["x", "y"] } } },
    { given: [{ target: "$.list", update: { k: 4 } }], want: { ...document, list: [{ k: 1 }, { k: 2 }, { k: 3 }, { k: 4 }] } },
    { given: [{ target: "$.list[?@.k < 3]", remove: true }], want: { ...document, list: [{ k: 3 }] } },
    { given: [{ target: "$.list[*]", update: { seen: true } }], want: { ...document, list: [1, 2, 3].map((k) => ({ k, seen: true })) } },
    { given: [{ target: "$.text", update: "new" }], want: { ...document, text: "new" } },
    { given: [{ target: "$.list[0]", copy: "$.info" }], want: { ...document, list: [{ k: 1, title: "A", tags: ["x"] }, { k: 2 }, { k: 3 }] } },
    { given: [{ target: "$.text", remove: true, update: "ignored" }], want: { info: document.info, list: document.list } },
    { given: [{ target: "$.text", remove: true }, { target: "$", update: { text: "again" } }], want: { ...document, text: "again" } },
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

  it("keeps a key named __proto__ as data", () => {
    const update: unknown = JSON.parse('{"__proto__": {"polluted": 1}}');
    const { root: changed } = apply(document, overlayOf([{ target: "$.info", update }]));
    expect(JSON.stringify(changed)).toContain('"__proto__":{"polluted":1}');
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("documents", () => {
  it.each([
    { given: null, fault: "#" },
    { given: { overlay: "2.0.0", info: { title: "t", version: "1" }, actions: [{ target: "$" }] }, fault: "#/overlay" },
    { given: overlayOf([]), fault: "#/actions" },
    { given: overlayOf([{ target: "info" }]), fault: "#/actions/0/target" },
    { given: overlayOf([{ target: "$" }, { target: "$" }]), fault: "#/actions/1" },
    { given: overlayOf([{ target: "$", copy: "$.a" }], "1.0.0"), fault: "#/actions/0" },
  ])("$fault", ({ given, fault }) => {
    expect(readOverlay(given, "o.yaml").diagnostics.map((d) => d.place?.pointer)).toEqual([fault]);
  });
});

const sets = path.join(shared, "oai-compliant-sets");
describe.each(existsSync(sets) ? readdirSync(sets).filter((name) => !name.includes(".")) : [])("compliant set %s", (name) => {
  it("gives the expected output", () => {
    const [document, overlay, want] = ["openapi.yaml", "overlay.yaml", "output.yaml"].map((file) => parse(path.join(sets, name, file)));
    expect(apply(document, overlay)).toEqual({ root: want, codes: [] });
  });
});

describe.each(["v1.0", "v1.1"].filter((version) => existsSync(path.join(shared, "oai-schema-tests", version))))("schema tests %s", (version) => {
  const verdicts = ["pass", "fail"].flatMap((verdict) => {
    const folder = path.join(shared, "oai-schema-tests", version, verdict);
    return readdirSync(folder).map((file) => ({ verdict, file: path.join(folder, file), name: file }));
  });
  it.each(verdicts)("$verdict $name", ({ verdict, file }) => {
    expect(readOverlay(parse(file), file).overlay === undefined ? "fail" : "pass").toBe(verdict);
  });
});
