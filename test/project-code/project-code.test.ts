/** Definitions of a project's own code: what is read of them, and where they stand. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { compareLocks, readLock } from "../../src/diff/index.js";
import { generate } from "../../src/generate.js";
import { isUntouched, readProjectCode } from "../../src/project-code/index.js";
import { reportData } from "../../src/render/report/data.js";
import { scratch } from "../write/tree.js";

const DOCUMENT = "samples/library/openapi.yaml";

function project(files: Readonly<Record<string, string>>): string {
  const folder = scratch();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const schema = `{ type: "object", properties: { author: { type: "string" } } }`;
const hooks = (tools: string, before = ""): string =>
  `import type { Hooks } from "../runtime/index.js";\n${before}\nconst hooks: Hooks = { tools: ${tools} };\nexport default hooks;\n`;

describe("custom tools are read without running them", () => {
  const rows: readonly (readonly [
    given: string,
    files: Readonly<Record<string, string>>,
    want: object,
  ])[] = [
    [
      "a literal, with the defaults of annotations",
      {
        "index.ts": hooks(
          `[defineCustomTool({ name: "a", description: "A.", inputSchema: ${schema}, run: () => 1 })]`,
        ),
      },
      { listing: { name: "a", description: "A.", annotations: { destructiveHint: true } } },
    ],
    [
      "constants, templates, sums and joined lists",
      {
        "index.ts": hooks(
          `[customToolsFor<Tools>()({ name: \`\${prefix}_b\`, description: "One. " + ["Two.", "Three."].join(" "), inputSchema } as const)]`,
          `const prefix = "desk";\nconst inputSchema = ${schema};`,
        ),
      },
      {
        listing: {
          name: "desk_b",
          description: "One. Two. Three.",
          inputSchema: { properties: { author: { type: "string" } } },
        },
      },
    ],
    [
      "a constant for the function that types the tools, also of another file",
      {
        "index.ts": hooks(
          `[own({ name: "e", description: text({ x: 1 }), inputSchema: ${schema} })]`,
          'import { own } from "./own.js";\nconst text = String;',
        ),
        "own.ts":
          'import { customToolsFor } from "../runtime/index.js";\nconst tools = customToolsFor<Tools>();\nexport const own = tools;',
      },
      { listing: { name: "e", inputSchema: { type: "object" } }, computed: ["description"] },
    ],
    [
      "imports, re-exports and spreads",
      {
        "index.ts": hooks("[...ours]", 'import { all as ours } from "./tools/index.js";'),
        "tools/index.ts": 'export { list as all } from "./list.js";',
        "tools/list.ts": `import one from "./one.js";\nexport const list = [{ ...one, title: "One" }];`,
        "tools/one.ts": `export default { name: "one", description: "O.", inputSchema: ${schema} };`,
      },
      { listing: { name: "one", title: "One", description: "O." } },
    ],
    [
      "computed fields are named, and the others are read",
      {
        "index.ts": hooks(
          `[{ name: "c", description: describe(), inputSchema: { type: "object", properties: { x: { enum: values() } } }, title: "C" }]`,
        ),
      },
      { listing: { name: "c", title: "C" }, computed: ["description", "inputSchema"] },
    ],
    [
      "a variable that may change is computed",
      {
        "index.ts": hooks(
          `[{ name: "d", description: text, inputSchema: ${schema} }]`,
          `let text = "D.";`,
        ),
      },
      { listing: { name: "d" }, computed: ["description"] },
    ],
  ];
  test.each(rows)("%s", async (_, files, want) => {
    const paths = Object.entries(files).map(([path, text]) => [`src/custom/${path}`, text]);
    const code = await readProjectCode(
      project(Object.fromEntries(paths) as Record<string, string>),
    );
    expect(code?.diagnostics).toEqual([]);
    expect(code?.tools).toMatchObject([want]);
  });

  const unread: readonly (readonly [given: string, tools: string, want: RegExp])[] = [
    ["a computed list", "makeTools()", /^The custom tools of src\/custom/],
    ["a computed name", "[{ name: nameOf(), description: '' }]", /^1 custom tool of src\/custom/],
    ["a cycle", "[...tools]", /^The custom tools/],
    ["a list that doubles 27 times", "[...list27]", /^The custom tools/],
  ];
  test.each(unread)("%s is a warning", async (_, tools, want) => {
    const doubled = Array.from(
      { length: 27 },
      (_, i) => `const list${i + 1} = [...list${i}, ...list${i}];`,
    );
    const before = [
      "const tools = [...more];\nconst more = [...tools];\nconst list0 = [1];",
      ...doubled,
    ].join("\n");
    const code = await readProjectCode(project({ "src/custom/index.ts": hooks(tools, before) }));
    expect(code?.diagnostics[0]?.message).toMatch(want);
  });

  test.each<readonly [string, boolean]>([
    ["const hooks = { prompts: [customPromptsFor<Tools>()({ name: 'plan' })] };", true],
    ["const hooks = { resources };", true],
    ["const hooks = { ...others() };", true],
    ["const hooks = { tools: [] };", false],
  ])("`%s` may have prompts or resources: %s", async (code, want) => {
    const folder = project({ "src/custom/index.ts": `${code}\nexport default hooks;\n` });
    expect((await readProjectCode(folder))?.hasContent).toBe(want);
  });

  test("prompts in the code bring the part of the runtime that serves them", async () => {
    const serve = (folder: string): string => {
      const file = join(folder, "src/runtime/tools.ts");
      return readFileSync(file, "utf8");
    };
    const folder = scratch();
    await generate(DOCUMENT, folder);
    expect(serve(folder)).toContain("prompts and resources of src/custom");
    const code = "const hooks = { prompts: [] };\nexport default hooks;\n";
    writeFileSync(join(folder, "src/custom/index.ts"), code);
    await generate(DOCUMENT, folder);
    expect(serve(folder)).not.toContain("prompts and resources of src/custom");
  });

  test("imports lead nowhere outside the project", async () => {
    const folder = project({
      "secret.ts": "export default [{ name: 'leak' }];",
      "app/src/custom/index.ts": hooks("leaked", 'import leaked from "../../../secret.js";'),
    });
    expect((await readProjectCode(join(folder, "app")))?.tools).toEqual([]);
  });

  test("the module that a first run writes needs no parser", async () => {
    const { files } = await generate(DOCUMENT, undefined);
    const text = files!.find(({ path }) => path === "src/custom/index.ts")!.content;
    expect(isUntouched(text)).toBe(true);
    expect(isUntouched(text.replace("= {}", "= { tools: [] }"))).toBe(false);
  });
});

test("custom tools and kept descriptions stand in lock, README, manifest, budget, report and diff", async () => {
  const folder = project({
    "src/custom/index.ts": hooks(
      `[{ name: "suggest", description: "Suggest a book. More.", inputSchema: ${schema} }, { name: "create_loan", description: "Our loan.", inputSchema: ${schema} }]`,
    ),
  });
  const read = (path: string): string => readFileSync(join(folder, path), "utf8");
  const lockOf = (text: string) => readLock(text) as Exclude<ReturnType<typeof readLock>, string>;
  const first = await generate(DOCUMENT, folder, { force: true });
  expect(first.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const before = read("mcp-gen.lock.json");

  const tool = "src/tools/books/find_books.ts";
  const edited = read(tool)
    .replace("export const", "/** @keep */\nexport const")
    .replace(/description: "Find books[^"]*"/, 'description: "Find what our readers want."');
  writeFileSync(join(folder, tool), edited);
  const second = await generate(DOCUMENT, folder);
  expect(second.ok).toBe(true);
  const lock = lockOf(read("mcp-gen.lock.json"))!;
  const entry = (name: string) => lock.tools.find((one) => one.name === name);
  expect(entry("find_books")).toMatchObject({
    description: "Find what our readers want.",
    outputSchema: { properties: { items: { type: "array", items: { type: "object" } } } },
    operations: ["GET /books", "GET /books/{bookId}"],
  });
  expect(entry("create_loan")).toMatchObject({
    description: "Our loan.",
    custom: true,
    operations: [],
  });
  expect(entry("suggest")).toMatchObject({ custom: true });
  for (const file of ["README.md", "manifest.json"]) {
    expect(read(file)).toContain("Suggest a book.");
    expect(read(file)).toContain("Find what our readers want.");
    expect(read(file)).toContain("Our loan.");
  }
  expect(second.plan!.budget.costs.map((cost) => cost.tool)).toEqual([
    "find_books",
    "get_opening_hours",
    "create_loan",
    "suggest",
  ]);
  const { tools } = reportData(second.plan!, DOCUMENT, []);
  expect(tools.map(({ description }) => description)).toEqual([
    "Find what our readers want.",
    expect.any(String),
    "Our loan.",
    "Suggest a book. More.",
  ]);
  const changes = compareLocks(lockOf(before)!, lock);
  expect(changes.map(({ tool: name, kind }) => [name, kind])).toEqual([
    ["find_books", "description"],
  ]);

  const renamed = read("src/custom/index.ts").replace('"suggest"', '"propose"');
  writeFileSync(join(folder, "src/custom/index.ts"), renamed);
  await generate(DOCUMENT, folder);
  const after = lockOf(read("mcp-gen.lock.json"))!;
  expect(compareLocks(lock, after).map(({ class: one, message }) => [one, message])).toEqual([
    ["additive", "Added in `src/custom`."],
    ["breaking", "Removed from `src/custom`."],
  ]);
  expect(compareLocks({ ...lock, isWithoutProject: true }, after)).toEqual([]);
});
