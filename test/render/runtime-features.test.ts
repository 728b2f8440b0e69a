/** The files of the runtime that projects have. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { posix } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runtimeFeatures } from "../../src/configuration/types.js";
import type { ToolPlan } from "../../src/plan/types.js";
import { type GeneratedFile, render, type RenderOptions } from "../../src/render/index.js";
import { fingerprintParts } from "../../src/source-parts.js";
import { clinicPlan } from "./clinic-plan.js";
import { typeErrors, writeProject } from "./project.js";

const temporary: string[] = [];
afterAll(() => temporary.forEach((folder) => rmSync(folder, { recursive: true })));

const runtimeOf = (files: readonly GeneratedFile[]): ReadonlyMap<string, string> =>
  new Map(
    files
      .filter(({ path }) => path.startsWith("src/runtime/"))
      .map(({ path, content }) => [path.slice("src/runtime/".length), content]),
  );

const largeList: ToolPlan = {
  ...clinicPlan,
  api: { ...clinicPlan.api, listBudget: { tools: 1, tokens: 100, mode: "hybrid" } },
};

/** A declaration of each feature that no other feature needs. */
const witnesses = {
  approvals: "class ApprovalGate",
  cluster: "class Primary",
  discovery: "class TermIndex",
  "dry-run": "class DryRunGate",
  files: "function readFromFolder",
  metrics: "class Counter",
  oauth: "function createTokenVerifier",
  prompts: "function listPrompt",
  "raw-requests": "function bindRawRequest(\n  {",
  steps: "function fillReferences",
  stores: "function openRedisStore",
  telemetry: "function createHistogram",
} as const satisfies Record<(typeof runtimeFeatures)[number], string>;

test("every feature has a witness, a name in the schema and a stand-in of its seams", () => {
  expect(Object.keys(witnesses)).toEqual(runtimeFeatures);
  const schema = JSON.parse(readFileSync("mcp-gen.schema.json", "utf8")) as {
    readonly properties: { readonly features: { readonly items: { readonly enum: string[] } } };
  };
  expect(schema.properties.features.items.enum).toEqual(["all", ...runtimeFeatures]);
});

describe.each([
  { project: "a small API", plan: clinicPlan, features: undefined, want: [] },
  {
    project: "a small API with approvals in its configuration",
    plan: { ...clinicPlan, api: { ...clinicPlan.api, approve: "destructive" as const } },
    features: undefined,
    want: ["approvals"],
  },
  { project: "a list above its budget", plan: largeList, features: undefined, want: ["discovery"] },
  ...runtimeFeatures.map((name) => ({
    project: `a small API with ${name}`,
    plan: clinicPlan,
    features: [name],
    want: [name],
  })),
  {
    project: "a small API with all features",
    plan: clinicPlan,
    features: ["all"] as const,
    want: runtimeFeatures,
  },
])("$project", ({ plan, features, want }) => {
  const files = render(plan, { ...(features && { features }) });

  test("has the features that it can need", async () => {
    const text = [...runtimeOf(await files).values()].join("\n");
    const found = runtimeFeatures.filter((name) => text.includes(witnesses[name]));
    expect(found).toEqual(want);
  });

  test("has every imported file, and no stand-in beside it", async () => {
    const runtime = runtimeOf(await files);
    const missing = [...runtime].flatMap(([path, text]) =>
      [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)\.js"/g)]
        .map(([, to = ""]) => `${posix.join(posix.dirname(path), to)}.ts`)
        .filter((to) => !runtime.has(to) && !to.startsWith("dev/src/")),
    );
    expect(missing).toEqual([]);
    expect([...runtime.keys()].filter((path) => path.includes(".absent."))).toEqual([]);
  });
});

test.each([
  { project: "a small API", options: {} },
  { project: "a small API with all features", options: { features: ["all"] } },
  { project: "replicas", options: { deploy: ["compose", "workers"] } },
] as const)("known fingerprints are those of the texts: $project", async ({ options }) => {
  const known = (await render(clinicPlan, options)).filter(
    ({ fingerprints }) => fingerprints !== undefined,
  );
  expect(known.length).toBeGreaterThan(15);
  const found = known.map(({ path, fingerprints }) => ({ path, fingerprints }));
  expect(found).toEqual(
    known.map(({ path, content }) => ({ path, fingerprints: fingerprintParts(content) })),
  );
});

/** Declarations of parts that only tools ask for, with a tool of the clinic that does. */
const toolParts = [
  { declaration: "function waitForJob(\n", needs: (text: string) => text.includes('"job":') },
  { declaration: "function lookUpNames(\n", needs: (text: string) => text.includes('"lookUps":') },
  {
    declaration: "function readItemBack(\n",
    needs: (text: string) => text.includes('"readBack":'),
  },
];

test.each(toolParts)(
  "$declaration is in projects with a tool that needs it",
  async ({ declaration, needs }) => {
    const has = async (plan: ToolPlan): Promise<boolean> =>
      [...runtimeOf(await render(plan)).values()].some((text) => text.includes(declaration));
    const definitions = clinicPlan.tools.filter(({ definition }) =>
      needs(JSON.stringify(definition)),
    );
    expect(await has(clinicPlan)).toBe(definitions.length > 0);
    const others = clinicPlan.tools.filter((tool) => !definitions.includes(tool));
    expect(await has({ ...clinicPlan, tools: others })).toBe(false);
  },
);

test.each<readonly [string, RenderOptions, boolean]>([
  ["without the search", {}, false],
  ["with the search", { features: ["discovery"] }, true],
  ["that imports the runtime", { runtime: "package" }, true],
])("the bundle of a project %s has tools as text: %o", async (_, options, serializes) => {
  const files = await render(clinicPlan, options);
  const bundler = files.find(({ path }) => path === "bundle.mjs")!.content;
  expect(bundler.includes("../runtime/bundle.js")).toBe(serializes);
  expect(files.some(({ path }) => path === "src/runtime/bundle.ts")).toBe(serializes);
});

type PlannedTool = ToolPlan["tools"][number];

const [firstRead] = clinicPlan.tools.filter(
  ({ definition: { annotations, operations } }) =>
    annotations.readOnlyHint && operations.length === 1,
);

const { security: _, ...openApi } = clinicPlan.api;
const { mock } = clinicPlan;

/** A plan of one tool that reads an object. */
function planOfOne(
  changes: Partial<PlannedTool["definition"]> = {},
  request: Partial<PlannedTool["definition"]["operations"][number]["request"]> = {},
  others: readonly PlannedTool[] = [],
): ToolPlan {
  const { definition } = firstRead!;
  const { pagination: __, ...operation } = definition.operations[0]!;
  const tool = {
    ...firstRead!,
    inputs: [],
    definition: {
      ...definition,
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
      outputSchema: { type: "object", properties: { time: { type: "string" } } },
      operations: [
        { ...operation, response: {}, request: { method: "GET", path: "/time", ...request } },
      ],
      ...changes,
    },
  } as unknown as PlannedTool;
  const api = { ...openApi, securitySchemes: {} };
  return { ...clinicPlan, api, tools: [tool, ...others], mock: { ...mock, operations: [] } };
}

/** A plan of one tool whose result is made from its response. */
function planWithResponse(
  response: PlannedTool["definition"]["operations"][number]["response"],
): ToolPlan {
  const [operation] = planOfOne().tools[0]!.definition.operations;
  return planOfOne({ operations: [{ ...operation!, response }] });
}

/** A plan of one tool that looks up names in the list of another one's response. */
function planWithNames(): ToolPlan {
  const [operation] = planOfOne().tools[0]!.definition.operations;
  const resolve = [{ input: "id", lookupTool: "list_things", items: "/rows" }];
  return planOfOne({
    operations: [{ ...operation!, resolve } as unknown as typeof operation & {}],
  });
}

/** A plan of one tool whose list has pages. */
function planOfPages(pagination: object): ToolPlan {
  const [operation] = planOfOne().tools[0]!.definition.operations;
  const response = { items: "/rows" };
  return planOfOne({
    operations: [{ ...operation!, response, pagination } as unknown as typeof operation & {}],
  });
}

/** A plan of one tool of an API whose users can sign in. */
function planWithSignIn(): ToolPlan {
  const signIn = { authorizationUrl: "https://id.example/authorize", tokenUrl: "" };
  const login = { kind: "oauth2", tokenEnv: "CLINIC_ACCESS_TOKEN", signIn };
  const plan = planOfOne();
  return { ...plan, api: { ...plan.api, securitySchemes: { login } } } as unknown as ToolPlan;
}

/** A plan of one tool of an API with client certificates. */
function planWithCertificate(): ToolPlan {
  const tls = { kind: "mutualTLS", certEnv: "CLINIC_CERT", keyEnv: "CLINIC_KEY" } as const;
  const plan = planOfOne();
  return { ...plan, api: { ...plan.api, securitySchemes: { tls } } };
}

/** A plan of one tool whose operation documents a status. */
function planWithStatus(status: string): ToolPlan {
  const [operation] = mock.operations;
  const responses = [{ status, contents: [], headers: [] }];
  return { ...planOfOne(), mock: { ...mock, operations: [{ ...operation!, responses }] } };
}

const address = {
  type: "object",
  properties: Object.fromEntries(
    ["street", "town", "region", "country", "postcode"].map((name) => [
      name,
      { type: "string", maxLength: 100, description: `The ${name} of the address, as on letters.` },
    ]),
  ),
};

const jsonBody = { contentType: "application/json", required: true, from: "body" } as const;

const planOfInput = (schema: object): ToolPlan =>
  planOfOne({ inputSchema: { type: "object", properties: { n: schema } } });

const { location } = mock.operations[0]!;
const contents = [{ mediaType: "application/pdf", location }];
const planOfFile: ToolPlan = {
  ...planOfOne(),
  mock: { ...mock, operations: [{ ...mock.operations[0]!, body: { required: true, contents } }] },
};

/** A plan with tools of a toolset each. */
const planOfToolsets = (count: number): ToolPlan =>
  planOfOne(
    { toolset: "clock" },
    {},
    Array.from({ length: count }, (_, i) => ({
      ...firstRead!,
      definition: { ...firstRead!.definition, name: `find_pets_${i}`, toolset: `pets_${i}` },
    })),
  );

/** Parts that only some tools ask for: a declaration of each, and a plan that needs it. */
const partsOfTools = [
  { declaration: "function valueCountsNote(\n", plan: planOfOne({ outputSchema: undefined }) },
  { declaration: "function kindAt(", plan: planOfToolsets(60) },
  { declaration: "function toDataUri(", plan: planOfFile },
  { declaration: "function doubledItem(", plan: planOfOne({}, { query: { q: "q" } }) },
  { declaration: "function restoreDigits(", plan: planOfInput({ type: "integer" }) },
  { declaration: "function findReader(", plan: planOfOne({ producers: { id: ["find_pets"] } }) },
  { declaration: "function scalars(", plan: planOfOne({ errorCodes: { E1: "Try again." } }) },
  {
    declaration: "function inspectObject(",
    plan: planOfOne({ inputSchema: { type: "object", properties: {} } }),
  },
  { declaration: "function inspectObject(", plan: planOfOne({}, { body: jsonBody }) },
  { declaration: "const envelopeOf =", plan: planOfOne({}, { body: jsonBody }) },
  { declaration: "function withNulls(", plan: planOfOne({}, { body: jsonBody }) },
  { declaration: "function withNulls(", plan: planOfOne({}, { query: { q: "q" } }) },
  { declaration: "function withEmptyBody(", plan: planOfOne({}, { body: jsonBody }) },
  {
    declaration: "function serializeElement(",
    plan: planOfOne({}, { body: { ...jsonBody, contentType: "application/xml" } }),
  },
  {
    declaration: "function nestedPart(",
    plan: planOfOne({}, { body: { ...jsonBody, contentType: "multipart/mixed" } }),
  },
  { declaration: "function readPem(", plan: planWithCertificate() },
  { declaration: "function bodyInputs(", plan: planOfOne({}, { method: "POST" }) },
  { declaration: "const RULES: AllRules", plan: clinicPlan },
  { declaration: "function smallerPage(", plan: planOfOne({}, { query: { limit: "limit" } }) },
  { declaration: "function parameterPairs(", plan: planOfOne({}, { query: { limit: "limit" } }) },
  { declaration: "function fixedNames(", plan: planOfOne({}, { headers: { "X-Trace": "trace" } }) },
  {
    declaration: "function parseOrKeep(",
    plan: planOfOne({}, { query: { limit: { from: "limit", default: 20 } } }),
  },
  {
    declaration: "function dropFields(",
    plan: planWithResponse({ projection: {} }),
  },
  { declaration: "function assembleResult(", plan: planWithResponse({ items: "/rows" }) },
  { declaration: "function assembleResult(", plan: planWithNames() },
  { declaration: "function matchExactly(", plan: planWithNames() },
  { declaration: "function oauthSchemes(", plan: planWithSignIn() },
  {
    declaration: "class PageCollection<",
    plan: planOfPages({ isFollowed: true }),
  },
  { declaration: "function serializeEvent(", plan: planOfOne({}, { body: jsonBody }) },
  {
    declaration: "function serializeForm(",
    plan: planOfOne({}, { headers: { "X-Filter": { from: "filter", contentType: "text/plain" } } }),
  },
  { declaration: "function effectLines(effects", plan: clinicPlan },
  { declaration: "function neededScopes(", plan: planWithSignIn() },
  {
    declaration: "function sharedTexts(",
    plan: { ...planOfOne(), api: { ...openApi, securitySchemes: {}, apis: { clock: openApi } } },
  },
  {
    declaration: "function environmentOf(",
    plan: { ...planOfOne(), api: { ...openApi, securitySchemes: {}, apis: { clock: openApi } } },
  },
  { declaration: "function addCredential(", plan: clinicPlan },
  { declaration: "function elicitPayment(\n  {", plan: planWithStatus("402") },
  { declaration: "function pageOfHeaders(", plan: planWithStatus("4XX") },
  { declaration: "function pageIn(", plan: planWithStatus("default") },
  {
    declaration: "function decodePadded(",
    plan: planOfOne({
      inputSchema: { type: "object", properties: { data: { type: "string", format: "byte" } } },
    }),
  },
  {
    declaration: "function listText(",
    plan: planOfOne(
      { inputSchema: { type: "object", properties: { tags: { type: "array" } } } },
      { query: { tags: "tags" } },
    ),
  },
  {
    declaration: "function deepObjectPairs(",
    plan: planOfOne({}, { query: { filter: { from: "filter", style: "deepObject" } } }),
  },
  {
    declaration: "function* parseEvents(",
    plan: planOfOne({}, { accept: ["application/x-ndjson"] }),
  },
  { declaration: "function headerText(", plan: planOfOne({}, { headers: { "X-Trace": "trace" } }) },
  { declaration: "function cookiePairs(", plan: planOfOne({}, { cookies: { theme: "theme" } }) },
  {
    declaration: "function formBody(",
    plan: planOfOne(
      {},
      { query: { filter: { from: "filter", contentType: "application/x-www-form-urlencoded" } } },
    ),
  },
  {
    declaration: "function encodeFormQuery(",
    plan: planOfOne({}, { querystring: { from: "query" } }),
  },
  {
    declaration: "class RepetitionShortener",
    plan: planOfOne({
      inputSchema: { type: "object", properties: { from: address, to: address } },
    }),
  },
  {
    declaration: "function toolsetsText(",
    plan: planOfOne({ toolset: "clock" }, {}, [
      { ...firstRead!, definition: { ...firstRead!.definition, toolset: "pets" } },
    ]),
  },
];

test.each(partsOfTools)(
  "$declaration is in projects that need it, and not in one of a plain read",
  async ({ declaration, plan }) => {
    const has = async (one: ToolPlan): Promise<boolean> =>
      [...runtimeOf(await render(one)).values()].some((text) => text.includes(declaration));
    expect([await has(plan), await has(planOfOne())]).toEqual([true, false]);
  },
);

test.each([
  ["function matchExactly(", "a list of names", clinicPlan],
  ["function oauthSchemes(", "a key", clinicPlan],
  ["function kindAt(", "a few toolsets", planOfToolsets(3)],
  ["class PageCollection<", "pages that are not followed", planOfPages({})],
] as const)("%s is not in a project with %s", async (declaration, _, plan) => {
  const text = [...runtimeOf(await render(plan)).values()].join("\n");
  expect(text).not.toContain(declaration);
});

test.each(["function serializeElement(", "function nestedPart(", "function readPem("])(
  "%s is not in a project with a JSON body and another scheme",
  async (declaration) => {
    const plan = planOfOne({}, { body: jsonBody });
    const { securitySchemes } = clinicPlan.api;
    const files = await render({ ...plan, api: { ...plan.api, securitySchemes } });
    expect([...runtimeOf(files).values()].join("\n")).not.toContain(declaration);
  },
);

test("a project of one plain read has few files and is well typed", async () => {
  const severalIds = { input: "id" } as const;
  const [operation] = planOfOne().tools[0]!.definition.operations;
  const ofIds = planOfOne({ operations: [{ ...operation!, severalIds }] });
  const files = await render(ofIds);
  // Of these, src/schemas.ts has the shared schemas of the clinic.
  expect(files.length).toBeLessThanOrEqual(50);
  expect([...runtimeOf(files).keys()]).not.toContain("pagination.ts");
  const folder = writeProject(files);
  temporary.push(folder);
  expect(await typeErrors(folder)).toEqual([]);
});

/** Flags and variables of the server that need a feature. */
const requests = [
  { flags: ["--mode", "discovery"], subject: "the tool search", feature: "discovery" },
  { flags: ["--http", "--workers", "2"], subject: "--workers", feature: "cluster" },
  { flags: ["--mode", "hybrid"], subject: "the tool search", feature: "discovery" },
  { flags: [], env: { METRICS_PORT: "0" }, subject: "metrics", feature: "metrics" },
  {
    flags: [],
    env: { STORE: "file:state" },
    subject: "the stores of CLINIC_STORE",
    feature: "stores",
  },
  { flags: [], env: { RUN_STEPS: "true" }, subject: "run_steps", feature: "steps" },
  { flags: ["--dry-run"], subject: "dry runs", feature: "dry-run" },
  { flags: ["--files", "."], subject: "the folder of --files", feature: "files" },
  { flags: ["--raw-requests"], subject: "raw requests", feature: "raw-requests" },
  {
    flags: ["--http"],
    env: { KEY: "key", HTTP_OAUTH_ISSUER: "https://id.example" },
    subject: "the access tokens of CLINIC_HTTP_OAUTH_ISSUER",
    feature: "oauth",
  },
];

describe("a project without optional features", () => {
  const project = render(clinicPlan).then((files) => {
    const folder = writeProject(files);
    temporary.push(folder);
    return folder;
  });

  test("is well typed", async () => expect(await typeErrors(await project)).toEqual([]));

  test("says how to add the feature that a flag needs", async () => {
    const cwd = await project;
    const run = (args: readonly string[], variables = {}) => {
      const own = Object.entries(variables).map(([name, value]) => [`CLINIC_${name}`, value]);
      const env = { ...process.env, ...(Object.fromEntries(own) as Record<string, string>) };
      return spawnSync(process.execPath, args, { cwd, encoding: "utf8", env });
    };
    expect(run(["bundle.mjs"])).toMatchObject({ status: 0, stderr: "" });
    expect(run(["dist/server.js", "--help"]).stdout).toContain(
      `Left out of this project, because nothing needed it: ${runtimeFeatures.join(", ")}.\n`,
    );
    for (const { flags, env, subject, feature } of requests) {
      const { status, stderr } = run(["dist/server.js", ...flags], env);
      expect({ status, stderr: stderr.trim() }).toEqual({
        status: 2,
        stderr:
          `This server was generated without ${subject}. Generate it again with --features ` +
          `${feature}, or with features: [${feature}] in mcp-gen.yaml.`,
      });
    }
    expect(run(["dist/server.js"], { APPROVALS: "refuse" })).toMatchObject({
      status: 2,
      stderr:
        "This server was generated without approvals. Generate it again with " +
        "approve: destructive (or writes, or a list of tools) in mcp-gen.yaml, or with " +
        "--features approvals.\n",
    });
  });
});

test.each<readonly [string, readonly (typeof runtimeFeatures)[number][], boolean]>([
  ["without the search", [], false],
  ["with the search", ["discovery"], true],
])("the pages of a project %s name modes that it has", async (_, features, names) => {
  const files = await render(clinicPlan, { features });
  const page = (name: string): string => files.find(({ path }) => path === name)!.content;
  expect(page("README.md").includes("CLINIC_MODE=hybrid")).toBe(names);
  expect(page("README.md").includes("`--features discovery`")).toBe(!names);
  expect(page(".env.example").includes("CLINIC_MODE")).toBe(names);
});

test("a project with all features is well typed", async () => {
  const folder = writeProject(await render(clinicPlan, { features: ["all"] }));
  temporary.push(folder);
  expect(await typeErrors(folder)).toEqual([]);
});
