/** `test/mock.ts` of projects. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Content, Operation, Parameter } from "../../src/model/types.js";
import type { ToolPlan } from "../../src/plan/types.js";
import { render } from "../../src/render/index.js";
import { mockModule } from "../../src/render/mock-module.js";
import { verbatimFiles } from "../../src/render/package-files.js";
import type { RenderOptions } from "../../src/render/types.js";
import { clinicPlan } from "./clinic-plan.js";
import { typeErrors, writeProject } from "./project.js";

const root = resolve(import.meta.dirname, "../..");

const mockOf = (plan: ToolPlan, options: RenderOptions = {}) =>
  mockModule(verbatimFiles(root).mock, plan, options);

const { path, content } = mockOf(clinicPlan, { features: ["all"] });

const temporary: string[] = [];
afterAll(() => temporary.forEach((folder) => rmSync(folder, { recursive: true })));

describe("the mock as one file", () => {
  test("has every module once", () => {
    const modules = readdirSync(join(root, "src/mock")).filter(
      (name) => name !== "index.ts" && !name.endsWith(".absent.ts"),
    );
    const included = [...content.matchAll(/^\/\/ ---- src\/mock\/(\S+) ----$/gm)].map(
      ([, name]) => name,
    );
    expect([...included].sort()).toEqual(modules.sort());
    expect(path).toBe("test/mock.ts");
  });

  test("imports packages only", () => {
    const imported = [...content.matchAll(/^(?:import|\}).* from "([^"]+)";$/gm)].map(
      ([, name]) => name,
    );
    expect(imported).toContain("@modelcontextprotocol/client");
    expect(imported.filter((name) => name?.startsWith("."))).toEqual([]);
  });

  test("declares no name twice", () => {
    const declaration = /^(?:export )?(?:async )?(?:function|class|const|interface|type) (\w+)/gm;
    const names = [...content.matchAll(declaration)].map(([, name]) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test.each(["contractTests", "startMock", "MockOptions", "sampleInput", "SchemaSet"])(
    "exports %s",
    (name) => {
      expect(content).toMatch(
        new RegExp(`^export (?:async )?(?:function|class|interface) ${name}\\b`, "m"),
      );
    },
  );

  test("keeps internal names to itself", () => {
    expect(content).toMatch(/^function refName\b/m);
    expect(readFileSync(join(root, "src/mock/schema-set.ts"), "utf8")).toMatch(
      /^export function refName\b/m,
    );
  });
});

const first = clinicPlan.mock.operations[0]!;

/** An operation without parameters, body and credentials, whose response is an object. */
const { body: _, ...bodiless } = clinicPlan.mock.operations[0]!;

const plainRead: Operation = {
  ...bodiless,
  ...{ method: "GET", path: "/time", parameters: [], security: [] },
  responses: [
    {
      ...first.responses[0]!,
      ...{ status: "200", headers: [], contents: [contentOf("application/json")] },
    },
  ],
};

function contentOf(mediaType: string): Content {
  return { ...first.responses[0]!.contents[0]!, mediaType, schema: { type: "object" } };
}

const parameter = {
  ...{ name: "page", in: "query", required: false, deprecated: false, schema: { type: "string" } },
  ...{ style: "form", explode: true, allowReserved: false, location: plainRead.location },
} as Parameter;

const bodyOf = (mediaType: string) => ({
  body: { required: true, contents: [contentOf(mediaType)] },
});

const responseOf = (mediaType: string) => ({
  responses: [{ ...plainRead.responses[0]!, contents: [contentOf(mediaType)] }],
});

const planOf = (changes: Partial<Operation>, mock: Partial<ToolPlan["mock"]> = {}): ToolPlan => ({
  ...clinicPlan,
  tools: [],
  mock: {
    operations: [{ ...plainRead, ...changes }],
    ...{ schemas: {}, securitySchemes: {}, ...mock },
  },
});

/** A plan of a tool with a required input that no request takes. */
function planWithInput(schema: object): ToolPlan {
  const [tool] = clinicPlan.tools;
  const inputSchema = { type: "object", properties: { n: schema }, required: ["n"] } as const;
  const definition = { ...tool!.definition, inputSchema, outputSchema: undefined, operations: [] };
  return { ...planOf({}), tools: [{ ...tool!, definition }] } as unknown as ToolPlan;
}

/** A declaration of each part of the mock. */
const witnesses = {
  bodies: "function decodeJson(",
  bodyInputs: "function fieldInputs(",
  deepObjects: "function readDeep(",
  forms: "function readFields(",
  combined: "function mergeProperties(",
  multipart: "function parsePart(",
  parameters: "function readBestShape(",
  parameterInputs: "function parameterValue(",
  formats: "function xmlOf(",
  sequences: "function toEvents(",
  patterns: "class PatternReader",
  slowPatterns: "function runInTime<",
  search: "function firstMatch(",
  security: "function hasHttpCredentials(",
  states: "class RecordedStates",
  workflows: "const unmetCriteria =",
  xmlBodies: "function strayTextError(",
  xmlResponses: "function toElements(",
} as const;

interface Row {
  readonly api: string;
  readonly plan: ToolPlan;
  readonly features?: RenderOptions["features"];
  readonly want: readonly string[];
}

const mocks: readonly Row[] = [
  { api: "that reads one thing", plan: planOf({}), want: [] },
  {
    api: "with JSON bodies",
    plan: planOf(bodyOf("application/json")),
    want: ["bodies", "bodyInputs"],
  },
  {
    api: "with forms",
    plan: planOf(bodyOf("application/x-www-form-urlencoded")),
    want: ["bodies", "bodyInputs", "forms"],
  },
  {
    api: "with multipart bodies",
    plan: planOf(bodyOf("multipart/form-data")),
    want: ["bodies", "bodyInputs", "forms", "multipart"],
  },
  {
    api: "with bodies of any type",
    plan: planOf(bodyOf("*/*")),
    want: ["bodies", "bodyInputs", "forms", "multipart", "xmlBodies"],
  },
  {
    api: "with a parameter of a read",
    plan: planOf({ parameters: [parameter] }),
    want: ["parameters", "parameterInputs", "search"],
  },
  {
    api: "with a parameter of the path",
    plan: planOf({
      path: "/names/{name}",
      parameters: [{ ...parameter, name: "name", in: "path" }],
    }),
    want: ["parameters", "parameterInputs"],
  },
  {
    api: "with a parameter of a write",
    plan: planOf({ method: "POST", parameters: [parameter] }),
    want: ["parameters", "parameterInputs"],
  },
  {
    api: "with a form as a parameter",
    plan: planOf({
      parameters: [{ ...parameter, contentType: "application/x-www-form-urlencoded" }],
    }),
    want: ["forms", "parameters", "parameterInputs", "search"],
  },
  {
    api: "with a deep object as a parameter",
    plan: planOf({ method: "POST", parameters: [{ ...parameter, style: "deepObject" }] }),
    want: ["deepObjects", "parameters", "parameterInputs"],
  },
  {
    api: "with an event stream",
    plan: planOf(responseOf("text/event-stream")),
    want: ["formats", "sequences"],
  },
  {
    api: "with responses of any type",
    plan: planOf(responseOf("*/*")),
    want: ["formats", "sequences", "xmlResponses"],
  },
  { api: "with text", plan: planOf(responseOf("text/plain")), want: ["formats"] },
  {
    api: "with XML",
    plan: planOf(responseOf("application/xml")),
    want: ["formats", "xmlResponses"],
  },
  {
    api: "with a pattern",
    plan: planOf({}, { schemas: { Name: { type: "string", pattern: "^a+$" } } }),
    want: ["patterns", "slowPatterns"],
  },
  {
    api: "with a pattern and an example that matches it",
    plan: planOf({}, { schemas: { Name: { type: "string", pattern: "^a+$", examples: ["aa"] } } }),
    want: ["slowPatterns"],
  },
  {
    api: "with a pattern, an example and combined schemas",
    plan: planOf(
      {},
      { schemas: { Name: { allOf: [{ type: "string", pattern: "^a+$", examples: ["aa"] }] } } },
    ),
    want: ["combined", "patterns", "slowPatterns"],
  },
  {
    api: "with a pattern and an example, and a list of different values",
    plan: planOf(
      {},
      {
        schemas: {
          Name: { type: "string", pattern: "^a+$", examples: ["aa"] },
          Pair: { type: "array", items: { $ref: "#/$defs/Name" }, uniqueItems: true, minItems: 2 },
        },
      },
    ),
    want: ["patterns", "slowPatterns"],
  },
  {
    api: "with a pattern of a required input that its document lacks",
    plan: planWithInput({ type: "string", pattern: "^a+$", examples: ["aa"] }),
    want: ["patterns", "slowPatterns"],
  },
  {
    api: "with alternatives",
    plan: planOf({}, { schemas: { Id: { anyOf: [{ type: "string" }, { type: "integer" }] } } }),
    want: ["combined"],
  },
  {
    api: "with workflows",
    plan: { ...planOf({}), workflows: [] },
    want: ["combined", "patterns", "slowPatterns", "workflows"],
  },
  {
    api: "with credentials",
    plan: planOf({}, { securitySchemes: clinicPlan.mock.securitySchemes }),
    want: ["security"],
  },
  {
    api: "of several kinds",
    plan: clinicPlan,
    features: ["all"] as const,
    want: Object.keys(witnesses),
  },
];

test.each(mocks)("the mock of an API $api has what its requests and responses need", (row) => {
  const text = mockOf(row.plan, row.features && { features: row.features }).content;
  const found = Object.entries(witnesses).filter(([, declaration]) => text.includes(declaration));
  expect(found.map(([name]) => name)).toEqual(row.want);
});

test("the mocks of all of these APIs are well typed", async () => {
  const settings = (await render(clinicPlan)).filter(({ path: name }) =>
    ["package.json", "tsconfig.json"].includes(name),
  );
  const files = mocks.map(({ plan, features }, i) => ({
    path: `test/mock-${i}.ts`,
    content: mockOf(plan, features && { features }).content,
  }));
  const folder = writeProject([...settings, ...files]);
  temporary.push(folder);
  expect(await typeErrors(folder)).toEqual([]);
});

test("the mock of an API of which an operation has work that takes time, has its states", () => {
  const job = { follow: { tool: "get_report", fields: {}, inputs: {} }, state: "state" };
  const working = { ...job, started: "state", running: ["running"], done: ["done"] };
  const [tool] = clinicPlan.tools;
  const definition = {
    ...tool!.definition,
    operations: tool!.definition.operations.map((one) => ({ ...one, job: working })),
  };
  const plan = { ...planOf({}), tools: [{ ...tool!, definition }] } as unknown as ToolPlan;
  expect(mockOf(plan).content).toContain(witnesses.states);
});
