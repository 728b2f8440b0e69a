import { rmSync } from "node:fs";
import { parseEnv } from "node:util";
import { ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import type { JsonSchema } from "../../src/json.js";
import type { Operation } from "../../src/model/types.js";
import type { PlannedTool, ToolPlan } from "../../src/plan/types.js";
import { type GeneratedFile, render } from "../../src/render/index.js";
import { clinicPlan } from "./clinic-plan.js";
import { nastyTexts } from "./hostile-strings.js";
import { calls, evaluate, parse } from "./parse.js";
import { typeErrors, writeProject } from "./project.js";

/** A schema with the text wherever a document's text can be. */
function schemaWith(text: string): JsonSchema {
  return {
    type: "object",
    title: text,
    description: text,
    properties: {
      [text]: {
        type: "string",
        description: text,
        pattern: text,
        format: text,
        default: text,
        examples: [text],
      },
      choice: { enum: [text, `${text}2`], description: text },
      fixed: { const: text },
      other: { $ref: "#/$defs/Pet" },
    },
    required: [text],
    additionalProperties: { type: "string", description: text },
  };
}

function toolWith(text: string, number: number): PlannedTool {
  const [tool] = clinicPlan.tools;
  const schema = schemaWith(text);
  const plain: JsonSchema = { enum: [text] };
  return {
    ...tool!,
    definition: {
      ...tool!.definition,
      name: `tool_${number}`,
      title: text,
      description: text,
      inputSchema: { ...schema, properties: { [text]: schema, plain } },
      outputSchema: schema,
      operations: [
        {
          whenProvided: [text],
          request: {
            method: "POST",
            path: `/x/${text}`,
            query: { [text]: text },
            headers: { [text]: { value: { [text]: [text] } } },
            body: { contentType: text, fields: { [text]: { from: text } } },
          },
          response: { items: text },
        },
      ],
      onError: { 404: text, [text]: text },
    },
    identifier: `tool${number}`,
    inputs: [
      { name: text, description: text, required: true, type: schema },
      { name: "plain", description: text, required: false, type: plain },
    ],
    output: schema,
    operations: [
      { operationId: text, method: "POST", path: `/x/${text}`, location: { pointer: "#" } },
    ],
  };
}

function planWith(texts: readonly string[]): ToolPlan {
  const all = texts.join(" ");
  const tools = texts.map(toolWith);
  const operation = clinicPlan.mock.operations[0] as Operation;
  return {
    ...clinicPlan,
    source: all,
    summary: all,
    api: {
      ...clinicPlan.api,
      title: all,
      version: all,
      instructions: all,
      servers: texts.map((url) => ({ url })),
      securitySchemes: Object.fromEntries(
        texts.map((name) => [name, { kind: "apiKey", in: "header", name, env: "X_KEY" }]),
      ),
    },
    environment: texts.map((text, i) => ({
      name: `X_${i}`,
      description: text,
      required: i % 2 === 0,
      secret: i % 3 === 0,
      example: text,
    })),
    toolsets: [{ name: "pets", title: all, description: all }],
    tools,
    types: [
      ...clinicPlan.types,
      ...texts.map((text, i) => ({ name: `Type${i}`, schema: schemaWith(text) })),
    ],
    mock: {
      ...clinicPlan.mock,
      operations: texts.map((text) => ({ ...operation, operationId: text, path: text })),
      schemas: Object.fromEntries(texts.map((text) => [text, schemaWith(text)])),
    },
  };
}

const copied = /^(src\/runtime\/|test\/mock\.ts$)/;
const plan = planWith(nastyTexts);
const rendered = render(plan).then((files) => files.filter(({ path }) => !copied.test(path)));

function find(files: readonly GeneratedFile[], path: string): string {
  return files.find((file) => file.path === path)?.content ?? "";
}

describe("text that breaks out of other generators", () => {
  test("calls nothing", async () => {
    for (const { path, content } of await rendered) {
      if (!path.endsWith(".ts")) continue;
      const ours = [
        "Array.of",
        "defineTool",
        "defineApi",
        "serve",
        "workerFetch",
        "serveDev",
        "fetchHandler",
        "fileURLToPath",
        "new URL",
        "contractTests",
        "JSON.parse",
        "readFileSync",
      ];
      expect(calls(parse(content, path)).filter((call) => !ours.includes(call))).toEqual([]);
    }
  });

  test("reaches the tools unchanged", async () => {
    const files = await rendered;
    plan.tools.forEach((tool, i) => {
      const source = parse(find(files, `src/tools/pets/tool_${i}.ts`));
      const found: string[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isCallExpression(node)) found.push(node.arguments[0]!.getText());
        ts.forEachChild(node, visit);
      };
      visit(source);
      expect(JSON.stringify(evaluate(found[0]!))).toBe(JSON.stringify(tool.definition));
    });
  });

  test("has no file of its own", async () => {
    const paths = (await rendered).map(({ path }) => path);
    expect(
      paths.filter((path) => !/^[a-zA-Z0-9._/-]{1,150}$/.test(path) || path.includes("..")),
    ).toEqual([]);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
  });

  test("changes neither scripts nor names in package.json", async () => {
    const manifest = JSON.parse(find(await rendered, "package.json")) as Record<string, unknown>;
    const usual = JSON.parse(find(await render(clinicPlan), "package.json")) as Record<
      string,
      unknown
    >;
    expect({ ...manifest, version: 0, description: 0 }).toEqual({
      ...usual,
      version: 0,
      description: 0,
    });
  });

  test("sets no variable in .env.example", async () => {
    const names = Object.keys(parseEnv(find(await rendered, ".env.example")));
    expect(names.sort()).toEqual(
      plan.environment
        .filter(({ required }) => required)
        .map(({ name }) => name)
        .sort(),
    );
  });

  test("is plain text in SKILL.md", async () => {
    const skill = find(await rendered, "SKILL.md");
    const [, head = "", body = ""] = /^---\n([^]*?)\n---\n([^]*)$/.exec(skill) ?? [];
    expect(Object.keys(parseYaml(head) as object)).toEqual(["name", "description"]);
    expect(body.replace(/```[\s\S]*?```|(?<!\\)`[^`\n]*`/g, "")).not.toMatch(
      /<|(?<!\\)\]\(|(?<!\\)!\[|[\u0000-\u0009\u202a-\u202e]/,
    );
  });

  test("is plain text in README.md", async () => {
    const readme = find(await rendered, "README.md").replace(
      /```[\s\S]*?```|(?<!\\)`[^`\n]*`/g,
      "",
    );
    expect(readme).not.toMatch(
      /<|(?<!\\)\]\((?!SKILL\.md\)|https:\/\/(?:www\.npmjs\.com|github\.com\/modelcontextprotocol))|(?<!\\)!\[|[\u0000-\u0009\u202a-\u202e]/,
    );
    const headings = readme.split("\n").filter((line) => line.startsWith("#"));
    expect(headings.map((line) => line.slice(0, 10).trim())).toEqual([
      "# \\${PWNED",
      "## Start",
      "## Environ",
      "## Configu",
      "## Select",
      "## Tools",
      "### \\${PWN",
      "## Serve o",
      "## Run",
      "## Customi",
      "## Package",
      "## Test",
    ]);
  });

  test("is JSON in test/api.json", async () => {
    const api = JSON.parse(find(await rendered, "test/api.json")) as ToolPlan["mock"];
    expect(api.operations.map(({ path }) => path)).toEqual(nastyTexts);
    expect(Object.keys(api.schemas)).toEqual(Object.keys(plan.mock.schemas));
  });

  test("is JSON in mcp-gen.lock.json", async () => {
    const text = find(await rendered, "mcp-gen.lock.json");
    const { tools } = JSON.parse(text) as {
      tools: readonly { readonly name: string; readonly description: string }[];
    };
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    for (const { definition } of plan.tools)
      expect(byName.get(definition.name)?.description).toBe(definition.description);
    expect(text).not.toMatch(/[\u0000-\u0009\u202a-\u202e\u2028]/);
  });

  test("is well typed", async () => {
    const folder = writeProject(await render(plan));
    try {
      expect(await typeErrors(folder)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
