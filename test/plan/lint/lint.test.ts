import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  generate,
  readConfiguration,
  type Diagnostic,
  type GenerateOptions,
} from "../../../src/index.js";
import { suggestOverlayAction } from "../../../src/plan/lint/rule.js";

const folder = mkdtempSync(path.join(tmpdir(), "mcp-gen-lint-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Json = Record<string, unknown>;
const pet = { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } };
const responses = (schema: unknown = pet): Json => ({
  200: { description: "ok", content: { "application/json": { schema } } },
  404: { description: "none" },
});
const query = (name: string, schema: Json, more: Json = {}): Json => ({
  name,
  in: "query",
  schema,
  ...more,
});
const operation = (rest: Json): Json => ({
  summary: "Adopt a pet",
  responses: responses(),
  ...rest,
});
const other = {
  "/other": { get: operation({ operationId: "getOther", summary: "Get the other" }) },
};
const post = (rest: Json): Json => ({
  ...other,
  "/it's/{id}~x": {
    parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
    post: operation({ operationId: "adoptPet", ...rest }),
  },
});
const body = (schema: unknown): Json => ({
  requestBody: {
    required: true,
    content: { "application/json": schema === undefined ? {} : { schema } },
  },
});

/** An operation with a description that fills the space for descriptions. */
const sameText = (operationId: string): Json => ({
  post: operation({
    operationId,
    summary: "Send the letter",
    description: "It says when the animal comes back, and what its owner brings. ".repeat(30),
  }),
});

interface Case {
  readonly code: string;
  readonly reason: string;
  readonly paths: Json;
  /** Advice in words, where the fix needs knowledge that the document does not have. */
  readonly advice?: RegExp;
}

const cases: readonly Case[] = [
  { code: "lint-missing-description", reason: "a name only", paths: post({ summary: undefined }) },
  {
    code: "lint-missing-description",
    reason: "a blank one",
    paths: post({ summary: " ", description: "" }),
  },
  {
    code: "lint-missing-description",
    reason: "none of several operations",
    paths: {
      "/pets": {
        get: { operationId: "listPets", responses: responses({ type: "array", items: pet }) },
      },
      "/pets/{id}": {
        get: {
          operationId: "getPet",
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          responses: responses(),
        },
      },
    },
  },
  {
    code: "lint-generic-name",
    reason: "data of something",
    paths: {
      ...other,
      "/reports/data": {
        get: operation({ operationId: "getData", tags: ["reports"], summary: "Get the report" }),
      },
    },
  },
  {
    code: "lint-unclear-effect",
    reason: "a safe method that starts something",
    paths: { "/builds/start": { get: operation({ summary: "Start a build" }) } },
  },
  {
    code: "lint-undocumented-input",
    reason: "a vague word",
    paths: post({ parameters: [query("type", { type: "string" })] }),
  },
  {
    code: "lint-undocumented-input",
    reason: "one letter",
    paths: post({ parameters: [query("q", { type: "string", default: "x" })] }),
  },
  {
    code: "lint-undocumented-input",
    reason: "a letter that means nothing",
    paths: post({ parameters: [query("x", { type: "string" })] }),
    advice: /^Describe it in the document/,
  },
  {
    code: "lint-undocumented-enum",
    reason: "numbers",
    advice: /^Describe 0, 1 and 2 in the description of the parameter/,
    paths: post({ parameters: [query("kind_of_pet", { type: "integer", enum: [0, 1, 2] })] }),
  },
  {
    code: "lint-too-many-inputs",
    reason: "sixty",
    paths: post({
      parameters: Array.from({ length: 60 }, (_, i) =>
        query(`filter_number_${i}`, { type: "string" }, { description: `Filter ${i}.` }),
      ),
    }),
  },
  {
    code: "lint-credential-input",
    reason: "a token",
    paths: post({
      parameters: [
        query(
          "token",
          { type: "string" },
          { description: "Authentication token.", required: true },
        ),
      ],
    }),
  },
  {
    code: "lint-untyped-body",
    reason: "any object, with an example",
    paths: post({
      requestBody: {
        content: {
          "application/json": {
            schema: { type: "object" },
            example: { name: "Rex", tags: ["a"], owner: { id: 1 } },
          },
        },
      },
    }),
  },
  {
    code: "lint-untyped-body",
    reason: "no schema",
    paths: post(body(undefined)),
    advice: /^Add a schema .* or an example$/,
  },
  {
    code: "lint-untyped-output",
    reason: "any value, with an example",
    paths: post({
      responses: {
        200: {
          description: "ok",
          content: { "application/json": { example: [{ id: 1, name: null }] } },
        },
        404: { description: "none" },
      },
    }),
  },
  {
    code: "lint-untyped-output",
    reason: "any value",
    paths: post({ responses: responses({}) }),
    advice: /^Add a schema .* or an example$/,
  },
  {
    code: "lint-untyped-output",
    reason: "no content of a GET",
    advice: /^Add its `content` to the response 200/,
    paths: {
      "/pet": {
        get: operation({ responses: { 200: { description: "ok" }, 404: { description: "none" } } }),
      },
    },
  },
  {
    code: "lint-undocumented-errors",
    reason: "only success",
    paths: post({ responses: { 200: { description: "ok" } } }),
  },
  {
    code: "lint-duplicate-description",
    reason: "names that differ in the number alone, other paths",
    paths: { "/letters/send": sameText("sendLetters"), "/letter/send": sameText("sendLetter") },
  },
];

let files = 0;
function file(content: string, extension: string): string {
  const name = path.join(folder, `${++files}.${extension}`);
  writeFileSync(name, content);
  return name;
}

async function found(
  document: string,
  options: GenerateOptions = {},
): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await generate(document, undefined, { lint: true, ...options });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return diagnostics;
}

const countFindings = (diagnostics: readonly Diagnostic[]): number =>
  diagnostics.filter(({ code }) => code.startsWith("lint-")).length;

/** Options with the suggested fix of a diagnostic, as a user would copy it. */
async function mended(hint: string): Promise<GenerateOptions> {
  const [, where, text = ""] =
    /^(In mcp-gen\.yaml|As an overlay action): ([^]*)$/.exec(hint) ?? expect.fail(hint);
  if (where !== "In mcp-gen.yaml")
    return {
      overlays: [
        file(
          `overlay: 1.0.0\ninfo: {title: Fix, version: "1"}\nactions:\n  - ${text}\n`,
          "overlay.yaml",
        ),
      ],
    };
  const { configuration: configuredPlan, diagnostics } = await readConfiguration(
    file(`version: 1\n${text}\n`, "mcp-gen.yaml"),
  );
  expect(diagnostics).toEqual([]);
  return configuredPlan ? { configuration: configuredPlan } : expect.fail("no configuration");
}

describe("lint diagnostics with suggested fixes", () => {
  it.each(cases)("$code: $reason", async ({ code, paths, advice }) => {
    const document = file(
      JSON.stringify({
        openapi: "3.0.3",
        info: { title: "Clinic", version: "1" },
        servers: [{ url: "https://clinic.example" }],
        paths,
      }),
      "json",
    );
    const before = await found(document);
    const [finding, ...more] = before.filter((d) => d.code === code);
    expect(more.length).toBeLessThanOrEqual(1);
    expect(finding?.location?.line).toBe(1);
    if (advice) return expect(finding?.hint).toMatch(advice);
    const after = await found(document, await mended(finding?.hint ?? expect.fail(`no ${code}`)));
    expect(after.filter((d) => d.code === code).length).toBe(more.length);
    return expect(countFindings(after)).toBeLessThan(countFindings(before));
  });

  it("reports nothing for a good document", async () => {
    const paths = post({
      ...body(pet),
      parameters: [
        query("kind", { type: "integer", enum: [1, 2] }, { description: "1: cats; 2: dogs." }),
      ],
    });
    const document = file(
      JSON.stringify({
        openapi: "3.0.3",
        info: { title: "Clinic", version: "1" },
        servers: [{ url: "https://clinic.example" }],
        paths,
      }),
      "json",
    );
    expect((await found(document)).filter(({ code }) => code.startsWith("lint-"))).toEqual([]);
  });

  it("is part of the plan, and of the diagnostics only on request", async () => {
    const document = file(
      JSON.stringify({
        openapi: "3.0.3",
        info: { title: "Clinic", version: "1" },
        servers: [{ url: "https://clinic.example" }],
        paths: post({ summary: undefined }),
      }),
      "json",
    );
    const { plan, diagnostics } = await generate(document, undefined);
    expect(plan?.lint.map(({ code }) => code)).toEqual(["lint-missing-description"]);
    expect(diagnostics.filter(({ code }) => code.startsWith("lint-"))).toEqual([]);
  });
});

it.each([
  ["#/paths/~1pets~1{id}/get", "$['paths']['/pets/{id}']['get']"],
  ["#/paths/~1it's~0x/get", "$['paths']['/it\\'s~x']['get']"],
  ["#", "$"],
])("%s is %s", (pointer, target) =>
  expect(suggestOverlayAction(pointer, {})).toBe(
    `As an overlay action: ${JSON.stringify({ target, update: {} })}`,
  ),
);
