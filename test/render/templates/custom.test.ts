import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { render, TemplateError } from "../../../src/render/index.js";
import { plant, scratch, type TreeText } from "../../write/tree.js";
import { clinicPlan } from "../clinic-plan.js";
import { nastyTexts } from "../hostile-strings.js";

async function rendered(
  templates: TreeText,
  plan = clinicPlan,
): Promise<ReadonlyMap<string, string>> {
  const folder = scratch();
  plant(folder, templates);
  return new Map(
    (await render(plan, { templates: folder })).map(({ path, content }) => [path, content]),
  );
}

async function problemOf(templates: TreeText): Promise<string> {
  const error = await rendered(templates).catch((thrown: unknown) => thrown);
  if (!(error instanceof TemplateError)) throw error;
  return error.message.replace(/^.*?mcp-gen-write-\w+\//, "");
}

test("templates without a replacement stay unchanged", async () => {
  const [plain, custom] = [
    await rendered({}),
    await rendered({ "README.md.hbs": "# {{title}}\n", "files/docs/a.txt.hbs": "a\n" }),
  ];
  const differing = [...custom]
    .filter(([path, content]) => plain.get(path) !== content)
    .map(([path]) => path);
  expect(differing).toEqual(["README.md", "docs/a.txt"]);
  expect([...custom.keys()]).toEqual([...custom.keys()].sort());
});

test("files of editors and operating systems are ignored", async () => {
  const files = await rendered({
    "files/.DS_Store": "x",
    "files/docs/Thumbs.db": "x",
    "files/docs/a.md.hbs~": "x",
    "files/docs/.a.md.hbs.swp": "x",
    "notes.txt": "mine",
  });
  expect([...files.keys()]).toEqual([...(await rendered({})).keys()]);
});

test("an added file sees the whole project; partials see their argument", async () => {
  const files = await rendered({
    "files/tools.md.hbs":
      "{{#each toolsets}}{{@index}} {{name}}\n{{#each tools}}{{> line this of=../name}}{{#if @last}}end of {{@root.envPrefix}}\n{{/if}}{{/each}}{{/each}}",
    "partials/line.hbs":
      "- {{name}} of {{of}} ({{@root.envPrefix}} {{@index}}){{#each inputs}} {{name}}{{/each}}\n",
  });
  expect(files.get("tools.md")).toMatch(
    /^0 (\w+)\n- \w+ of \1 \([A-Z_]+ 0\).*\n[\s\S]*end of [A-Z_]+\n/,
  );
});

test("text of the document is text in every form", async () => {
  const evil = nastyTexts.join(" ");
  const plan = { ...clinicPlan, summary: evil, api: { ...clinicPlan.api, title: evil } };
  const files = await rendered(
    {
      "files/a.json.hbs": '{"title": {{title.literal}}, "summary": {{summary.literal}} }',
      "files/a.html.hbs": "<p title='{{title.html}}'>{{summary.html}}</p>",
      "files/a.md.hbs": "{{title.markdown}}",
    },
    plan,
  );
  expect(Object.keys(JSON.parse(files.get("a.json") ?? "") as object)).toEqual([
    "title",
    "summary",
  ]);
  expect(files.get("a.html")?.match(/[<>']/g)?.join("")).toBe("<''><>");
  expect(files.get("a.md")).not.toMatch(/\n|(?<!\\)</);
});

describe("mistakes have a place", () => {
  test.each<readonly [given: string, templates: TreeText, want: RegExp]>([
    [
      "a field that is not there, inside a list",
      {
        "README.md.hbs":
          "# {{title}}\n{{#each toolsets}}\n{{#each tools}}\n- {{nam}}\n{{/each}}\n{{/each}}\n",
      },
      /^README\.md\.hbs:4:5: unknown field nam; did you mean name\? There are name, description$/,
    ],
    [
      "a field that only a partial of the default README has",
      { "partials/hosts.hbs": "{{host.vscode}}" },
      /^partials\/hosts\.hbs:1:3: unknown field host\.vscode; did you mean hosts/,
    ],
    [
      "a missing partial",
      { "files/a.md.hbs": "\n{{> tols}}" },
      /^files\/a\.md\.hbs:2:1: unknown partial tols; did you mean tools\?$/,
    ],
    [
      "broken syntax",
      { "README.md.hbs": "# {{title}}\n{{#each tools}}" },
      /^README\.md\.hbs:2: a \{\{# block is not closed/,
    ],
    [
      "broken syntax in a partial that nothing uses",
      { "partials/mine.hbs": "{{#if a}}{{/each}}" },
      /^partials\/mine\.hbs:1:4: \{\{#if\}\} is closed by/,
    ],
    [
      "a template of no file",
      { "READM.md.hbs": "" },
      /^READM\.md\.hbs:1:1: unknown template path; did you mean README\.md\? mcp-gen templates list prints all names, and templates of your own files go to files\/$/,
    ],
    [
      "a file of one's own that does not exist in the view",
      { "files/a.ts.hbs": "{{tools}}" },
      /^files\/a\.ts\.hbs:1:1: tools is not text/,
    ],
    [
      "a file in the place of a generated one",
      { "files/README.md.hbs": "" },
      /^files\/README\.md\.hbs:1:1: README\.md is a generated file/,
    ],
    [
      "the same in other case",
      { "files/SRC/Main.ts.hbs": "" },
      /SRC\/Main\.ts is a generated file/,
    ],
    [
      "a name that Windows cannot have",
      { "files/docs/aux.md.hbs": "" },
      /^files\/docs\/aux\.md\.hbs:1:1: docs\/aux\.md has a name that Windows does not allow$/,
    ],
    [
      "a name that Windows would change",
      { "files/docs./a.md.hbs": "" },
      /has a name that Windows does not allow$/,
    ],
    [
      "a file of one's own that is no template",
      { "files/docs/logo.svg": "<svg/>" },
      /^files\/docs\/logo\.svg:1:1: not a template; rename it to logo\.svg\.hbs$/,
    ],
    [
      "a template of no file, far from any",
      { "documentation.md.hbs": "" },
      /unknown template path; there are README\.md, .*templates of your own files go to files\/$/,
    ],
    ["a file among the owner's", { "files/src/custom/mine.ts.hbs": "" }, /is in src\/custom/],
    [
      "a file in mcp-gen's folder",
      { "files/.mcp-gen/manifest.json.hbs": "" },
      /is in a folder that cannot hold generated files/,
    ],
    [
      "templates for other views",
      { "views.json": '{"views": 0}', "README.md.hbs": "" },
      /^views\.json:1:1: these templates were made for views of version 0, and this mcp-gen has version 4/,
    ],
    [
      "a version that is none",
      { "views.json": "{" },
      /^views\.json:1:1: these templates were made for views of version unknown/,
    ],
  ])("%s", async (_given, templates, want) => {
    expect(await problemOf(templates)).toMatch(want);
  });
});

test("links in a folder of templates are not followed", async () => {
  const files = await rendered({
    "real.txt": "secret",
    "files/a.txt.hbs": "-> ../real.txt",
    "files/b": "-> ../../",
  });
  expect([...files.keys()].filter((path) => /^[ab]\b/.test(path))).toEqual([]);
});

test("templates/README.md matches the views", () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(resolve(import.meta.dirname, "../../.."), "scripts/views-readme.mjs"), "--check"],
    { encoding: "utf8" },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
