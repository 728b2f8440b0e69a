/**
 * Projects with the smallest runtimes: one operation, and one part of the runtime more than the
 * leanest. All are type-checked, several in one run of the compiler. Each is bundled, and its
 * contract test starts it and calls its tools.
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runtimeFeatures } from "../../src/configuration/types.js";
import type { RuntimeFeature } from "../../src/render/types.js";
import { reply, startUpstream } from "../runtime/support/upstream.js";
import { scratch } from "../write/tree.js";
import { generateProject, type Project, typeErrorsOf } from "./project.js";

interface Feature {
  readonly name: string;
  /** Changes of the operation `GET /things/{id}`. */
  readonly operation?: object;
  readonly parameters?: readonly object[];
  readonly method?: "get" | "post" | "put" | "delete";
  readonly path?: string;
  readonly responses?: object;
  /** Members of the document. */
  readonly document?: object;
  readonly features?: readonly RuntimeFeature[];
}

const text = { type: "string" } as const;
const thing = { type: "object", properties: { id: text, name: text } } as const;
const json = (schema: object): object => ({ content: { "application/json": { schema } } });
const found = (schema: object): object => ({
  "200": { description: "The thing", ...json(schema) },
});
const inQuery = (name: string, schema: object, rest: object = {}): object => ({
  ...{ name, in: "query", schema, ...rest },
});

const rows: readonly Feature[] = [
  { name: "a plain read" },
  {
    name: "a list",
    path: "/things",
    parameters: [],
    responses: found({ type: "array", items: thing }),
  },
  {
    name: "pages",
    path: "/things",
    parameters: [inQuery("limit", { type: "integer" }), inQuery("offset", { type: "integer" })],
    responses: found({ type: "array", items: thing }),
  },
  { name: "a query of single values", parameters: [inQuery("lang", text)] },
  { name: "a query of lists", parameters: [inQuery("tags", { type: "array", items: text })] },
  {
    name: "a query of objects",
    parameters: [inQuery("filter", thing, { style: "deepObject", explode: true })],
  },
  { name: "JSON in a query", parameters: [{ name: "filter", in: "query", ...json(thing) }] },
  { name: "a header", parameters: [{ name: "X-Trace", in: "header", schema: text }] },
  { name: "a cookie", parameters: [{ name: "theme", in: "cookie", schema: text }] },
  { name: "a body", method: "post", operation: { requestBody: json(thing) } },
  {
    name: "bytes",
    method: "put",
    operation: {
      requestBody: json({ type: "object", properties: { data: { ...text, format: "byte" } } }),
    },
  },
  {
    name: "a form",
    method: "post",
    operation: {
      requestBody: { content: { "application/x-www-form-urlencoded": { schema: thing } } },
    },
  },
  { name: "a deletion", method: "delete", responses: { "204": { description: "Deleted" } } },
  {
    name: "patterns",
    responses: found({ ...thing, properties: { id: { ...text, pattern: "^a+$" } } }),
  },
  {
    name: "keywords that few schemas have",
    responses: found({ ...thing, not: { required: ["error"] }, minProperties: 1 }),
  },
  {
    name: "shortened texts",
    operation: { description: `By a rule:\n\n~~~\n${"red, blue or green\n".repeat(60)}~~~` },
  },
  {
    name: "a documentation",
    document: {
      info: { title: "Things", version: "1", description: `# Filters\n${"By name. ".repeat(90)}` },
    },
  },
  { name: "payment", responses: { ...found(thing), "402": { description: "Not paid" } } },
  {
    name: "a sequence",
    responses: {
      "200": { description: "Things", content: { "application/x-ndjson": { schema: thing } } },
    },
  },
  {
    name: "security",
    document: {
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
    },
  },
  ...runtimeFeatures.map((name) => ({ name: `the feature ${name}`, features: [name] })),
];

function documentOf(feature: Feature): object {
  const { path = "/things/{id}", method = "get", operation, parameters = [], document } = feature;
  const id = path.includes("{id}")
    ? [{ name: "id", in: "path", required: true, schema: text }]
    : [];
  return {
    openapi: "3.1.0",
    info: { title: "Things", version: "1.0.0" },
    servers: [{ url: "https://things.example" }],
    paths: {
      [path]: {
        [method]: {
          summary: "Use a thing",
          parameters: [...id, ...parameters],
          responses: feature.responses ?? found(thing),
          ...operation,
        },
      },
    },
    ...document,
  };
}

/** Projects that are type-checked together. All of them at once would need 2 GB of memory. */
const BATCH = 8;
const batches = Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, i) => {
  const batch = rows.slice(i * BATCH, (i + 1) * BATCH);
  return { first: batch[0]!.name, batch };
});

function generateFeature(feature: Feature): Promise<Project> {
  const file = join(scratch(), "things.json");
  writeFileSync(file, JSON.stringify(documentOf(feature)));
  const { features } = feature;
  return generateProject(file, { ...(features && { features }) });
}

describe.each(batches)("$first and others", ({ batch }) => {
  const projects = new Map<Feature, Project>();
  let errors = "";

  beforeAll(async () => {
    for (const feature of batch) projects.set(feature, await generateFeature(feature));
    errors = await typeErrorsOf([...projects.values()]);
    for (const [{ name }, { folder }] of projects)
      errors = errors.replaceAll(basename(folder), name);
  });
  afterAll(() => Promise.all([...projects.values()].map((project) => project.remove())));

  test.each(batch)(
    "a project with $name is well typed, starts and serves its tool",
    async (feature) => {
      expect(errors).toBe("");
      const contract = await projects.get(feature)!.run("test");
      expect(contract).toMatch(/^# pass [1-9]\d*$/m);
      expect(contract).toMatch(/^# fail 0$/m);
    },
  );
});

test("a required body without fields is `{}`, where no input has a default", async () => {
  const requestBody = { required: true, ...json({ type: "object" }) };
  const project = await generateFeature({
    name: "a body without fields",
    method: "post",
    operation: { requestBody },
  });
  const upstream = await startUpstream(reply(200, {}));
  try {
    await project.run("bundle");
    const env = { ...process.env, THINGS_BASE_URL: upstream.url };
    const name = project.plan.tools[0]!.definition.name;
    await promisify(execFile)(process.execPath, [project.server, "call", name, "id=1"], { env });
    expect(upstream.requests.map(({ body }) => body)).toEqual(["{}"]);
  } finally {
    await upstream.close();
    await project.remove();
  }
}, 300_000);

test("tools whose schema and type disagree do not compile", async () => {
  const project = await generateFeature({ name: "a read" });
  const [{ definition }] = project.plan.tools as [(typeof project.plan.tools)[number]];
  const folder = join(project.folder, `src/tools/${definition.toolset}`);
  const written = readFileSync(join(folder, `${definition.name}.ts`), "utf8");
  const right = "  id: string | string[];\n";
  const wrong = [
    "  id: string;\n",
    "  id?: string | string[];\n",
    `${right}  other?: string;\n`,
    "",
  ];
  try {
    expect(written).toContain(right);
    for (const [i, type] of wrong.entries())
      writeFileSync(join(folder, `wrong${i}.ts`), written.replace(right, type));
    const errors = await typeErrorsOf([project]);
    expect([...new Set(errors.match(/\w+\.ts(?=\()/g))].sort()).toEqual(
      wrong.map((_, i) => `wrong${i}.ts`),
    );
  } finally {
    await project.remove();
  }
});
