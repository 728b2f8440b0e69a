/**
 * Projects with the smallest runtimes: one operation, and one part of the runtime more than the
 * leanest. Each is type-checked and bundled, and its contract test starts it and calls its tools.
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { runtimeFeatures } from "../../src/configuration/types.js";
import type { RuntimeFeature } from "../../src/render/types.js";
import { reply, startUpstream } from "../runtime/support/upstream.js";
import { scratch } from "../write/tree.js";
import { generateProject } from "./project.js";

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

test.each(rows)(
  "a project with $name is well typed, starts and serves its tool",
  async (feature) => {
    const file = join(scratch(), "things.json");
    writeFileSync(file, JSON.stringify(documentOf(feature)));
    const { features } = feature;
    const project = await generateProject(file, { ...(features && { features }) });
    try {
      expect(await project.run("typecheck")).toBe("");
      const contract = await project.run("test");
      expect(contract).toMatch(/^# pass [1-9]\d*$/m);
      expect(contract).toMatch(/^# fail 0$/m);
    } finally {
      await project.remove();
    }
  },
  300_000,
);

test("a required body without fields is `{}`, where no input has a default", async () => {
  const file = join(scratch(), "things.json");
  const requestBody = { required: true, ...json({ type: "object" }) };
  const feature = { name: "a body without fields", method: "post", operation: { requestBody } };
  writeFileSync(file, JSON.stringify(documentOf(feature as Feature)));
  const project = await generateProject(file);
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

test("a tool whose schema and type disagree does not compile", async () => {
  const file = join(scratch(), "things.json");
  writeFileSync(file, JSON.stringify(documentOf({ name: "a read" })));
  const project = await generateProject(file);
  const [{ definition }] = project.plan.tools as [(typeof project.plan.tools)[number]];
  const module = join(project.folder, `src/tools/${definition.toolset}/${definition.name}.ts`);
  const written = readFileSync(module, "utf8");
  try {
    expect(written).toContain("  id: string | string[];\n");
    for (const wrong of [
      "  id: string;\n",
      "  id?: string | string[];\n",
      "  id: string | string[];\n  other?: string;\n",
      "",
    ]) {
      writeFileSync(module, written.replace("  id: string | string[];\n", wrong));
      await expect(project.run("typecheck")).rejects.toThrow(`${definition.name}.ts`);
    }
  } finally {
    await project.remove();
  }
}, 300_000);
