import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { generate } from "../../../src/generate.js";
import type { JsonSchema } from "../../../src/json.js";
import type { Operation } from "../../../src/model/types.js";
import { plan } from "../../../src/plan/index.js";
import { draftWorkflows } from "../../../src/render/configuration-proposal/workflow-drafts.js";
import { tryServer } from "../../../src/try/index.js";
import { api, json, ok, operation } from "../../plan/fixtures.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-drafts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const corpus = join(process.env["MCP_GEN_SHARED"] ?? "../shared", "corpus");
const workflowIds = (text: string): readonly string[] =>
  [...text.matchAll(/workflowId: (.*)/g)].map(([, id = ""]) => id);

/** A server with the drafts of a document as its only workflows. */
async function withDrafts(document: string) {
  const { plan: planned } = await generate(document, undefined, { planOnly: true });
  if (!planned) throw new Error("no plan");
  const place = mkdtempSync(join(folder, "api-"));
  const spec = join(place, basename(document));
  symlinkSync(resolve(document), spec);
  const drafts = draftWorkflows(planned, `./${basename(document)}`);
  writeFileSync(join(place, "tasks.arazzo.yaml"), drafts.text);
  const made = await generate(spec, undefined, { workflows: [join(place, "tasks.arazzo.yaml")] });
  return { drafts, made };
}

describe("drafts are valid for the reader of workflows, and are ten at most", () => {
  const documents = ["clinic", "shop", "tickets", "library"]
    .map((name) => `samples/${name}/openapi.yaml`)
    .concat(join(corpus, "pagerduty/openapiv3.json"));
  test.each(documents.filter((document) => existsSync(document)))("%s", async (document) => {
    const { drafts, made } = await withDrafts(document);
    const ids = workflowIds(drafts.text);
    expect(ids.length).toBe(drafts.count);
    expect(drafts.count).toBeLessThanOrEqual(10);
    expect(new Set(ids).size).toBe(ids.length);
    const problems = made.diagnostics.filter(
      ({ code, severity }) => code.startsWith("workflow-") || severity === "error",
    );
    if (drafts.count === 0) return;
    expect(problems).toEqual([]);
    expect(made.plan?.tools.filter(({ workflow }) => workflow)).toHaveLength(drafts.count);
  });
});

test("drafts run against the mock", async () => {
  const { drafts, made } = await withDrafts("samples/clinic/openapi.yaml");
  const tools = workflowIds(drafts.text).map((id) => id.replaceAll("-", "_"));
  const calls = await tryServer(made.plan!, made.files!, { only: tools });
  expect(calls.map(({ tool, verdict }) => [tool, verdict])).toEqual(
    tools.map((tool) => [tool, "works"]),
  );
  expect(tools).toEqual([
    "book_visit_and_add_visit_document",
    "create_pet_by_words",
    "update_owner_by_words",
  ]);
});

const text: JsonSchema = { type: "string" };
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
});
const thing = object({ id: text, name: text });
const named = json(object({ name: text }));
const getList = operation("GET /lists/{id}", { responses: [ok(thing)] });
const createList = operation("POST /lists", {
  operationId: "createList",
  ...named,
  responses: [ok(thing, "201")],
});
const act = (at: string, rest: Partial<Operation> = {}) =>
  operation(at, { ...named, responses: [ok(thing)], ...rest });

describe("a creation and an act on the created thing", () => {
  test.each<[name: string, operations: readonly Operation[], want: readonly string[]]>([
    [
      "is drafted",
      [getList, createList, act("POST /lists/{id}/members")],
      ["create-list-and-create-list-member"],
    ],
    [
      "is drafted without operationIds",
      [
        getList,
        { ...createList, operationId: undefined } as never,
        act("POST /lists/{id}/members"),
      ],
      ["create-list-and-create-list-member"],
    ],
    ["not for a removal", [getList, createList, operation("DELETE /lists/{id}/members")], []],
    ["not for another thing", [getList, createList, act("POST /boards/{id}/members")], []],
    [
      "not for a part of a part",
      [getList, createList, act("POST /lists/{id}/members/{memberId}/tags")],
      [],
    ],
    [
      "not where the response has no ID",
      [
        getList,
        { ...createList, responses: [ok(object({ name: text }), "201")] },
        act("POST /lists/{id}/members"),
      ],
      [],
    ],
  ])("%s", (_, operations, want) => {
    expect(workflowIds(draftWorkflows(plan(api(operations)), "./api.yaml").text)).toEqual(want);
  });

  test("keeps inputs of the same name apart", () => {
    const { text: drafted } = draftWorkflows(
      plan(api([getList, createList, act("POST /lists/{id}/members")])),
      "./api.yaml",
    );
    expect(drafted).toContain("payload: {name: $inputs.name}");
    expect(drafted).toContain("payload: {name: $inputs.create_list_member_name}");
    expect(drafted).toContain("{name: id, in: path, value: $steps.create.outputs.id}");
  });
});
