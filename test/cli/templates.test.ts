import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { plant, scratch, treeOf } from "../write/tree.js";
import { mcpGen } from "./built.js";

const defaults = resolve(import.meta.dirname, "../../templates");

test("list names every template", async () => {
  const { code, out, err } = await mcpGen(["templates", "list"], scratch());
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const files = Object.keys(treeOf(defaults)).filter((path) => path.endsWith(".hbs"));
  expect(out.trimEnd().split("\n")).toEqual(files.map((path) => path.slice(0, -4)).sort());
});

const ejected: readonly { given: string[]; want: string[] }[] = [
  { given: ["README.md"], want: ["README.md.hbs"] },
  { given: ["README.md.hbs", "README.md"], want: ["README.md.hbs"] },
  {
    given: ["partials/tools", "src/tools/[toolset]/[tool].ts"],
    want: ["partials/tools.hbs", "src/tools/[toolset]/[tool].ts.hbs"],
  },
  { given: ["[tool].ts"], want: ["src/tools/[toolset]/[tool].ts.hbs"] },
];

for (const { given, want } of ejected) {
  test(`eject ${given.join(" ")} copies ${want.join(" and ")}`, async () => {
    const root = scratch();
    const { code, err } = await mcpGen(["templates", "eject", ...given, "-o", "mine"], root);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(treeOf(join(root, "mine"))).toEqual({
      "views.json": '{"views": 4}\n',
      ...Object.fromEntries(
        ["README.md", ...want].map((path) => [path, readFileSync(join(defaults, path), "utf8")]),
      ),
    });
  });
}

test("eject without names copies all templates and keeps changed ones without --force", async () => {
  const root = scratch();
  expect((await mcpGen(["templates", "eject"], root)).code).toBe(0);
  const all = treeOf(join(root, "templates"));
  expect(Object.keys(all).filter((path) => path.endsWith(".hbs"))).toEqual(
    Object.keys(treeOf(defaults)).filter((path) => path.endsWith(".hbs")),
  );
  expect(await mcpGen(["templates", "eject"], root)).toMatchObject({
    code: 0,
    out: "templates already has these templates.\n",
  });

  plant(root, { "templates/README.md.hbs": "mine\n" });
  const refused = await mcpGen(["templates", "eject"], root);
  expect(refused).toMatchObject({ code: 4, out: "" });
  expect(refused.err).toMatch(
    /^error: templates already contains README\.md\.hbs\. Nothing was changed\. .*--force/,
  );
  expect(readFileSync(join(root, "templates/README.md.hbs"), "utf8")).toBe("mine\n");

  expect((await mcpGen(["templates", "eject", "--force"], root)).code).toBe(0);
  expect(treeOf(join(root, "templates"))).toEqual(all);
});

const complaints: readonly { given: string[]; says: RegExp }[] = [
  { given: [], says: /^error: Give an action: list or eject\./ },
  { given: ["show"], says: /^error: Unknown action "show". Use list or eject\./ },
  {
    given: ["eject", "readme.md"],
    says: /^error: Unknown template "readme\.md"; did you mean README\.md\?\n/,
  },
  {
    given: ["eject", "../../etc/passwd"],
    says: /^error: Unknown template "\.\.\/\.\.\/etc\/passwd"\. mcp-gen templates list prints the names\.\n/,
  },
  { given: ["eject", "-o", ""], says: /It must not be empty/ },
];

for (const { given, says } of complaints) {
  test(`templates ${given.join(" ")} is a usage error`, async () => {
    const root = scratch();
    const { code, out, err } = await mcpGen(["templates", ...given], root);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(says);
    expect(err).toMatch(/Run mcp-gen templates --help for the options\.\n$/);
    expect(treeOf(root)).toEqual({});
  });
}
