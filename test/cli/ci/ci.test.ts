import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { githubWorkflow } from "../../../src/cli/ci-workflow.js";
import { isSafeInWorkflow, quoteForShell } from "../../../src/cli/terminal.js";
import { plant, scratch, treeOf } from "../../write/tree.js";
import { mcpGen } from "../built.js";

const API =
  'openapi: 3.1.0\ninfo: {title: "A ${{ secrets.X }} $(touch pwned)", version: "1"}\npaths: {/a: {get: {operationId: getA, responses: {"200": {description: ok}}}, delete: {operationId: deleteA, responses: {"204": {description: ok}}}}}\n';
const WORKFLOW = ".github/workflows/mcp-gen.yml";

interface Steps {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly steps: readonly { readonly run?: string; readonly "working-directory"?: string }[];
      }
    >
  >;
}
const scripts = (text: string): readonly string[] =>
  Object.values((parse(text) as Steps).jobs).flatMap(({ steps }) =>
    steps.flatMap(({ run }) => run ?? []),
  );

describe("--ci github", () => {
  test("writes a workflow that runs the same command, at the root of the repository, once", async () => {
    const root = scratch();
    plant(root, { ".git/HEAD": "x", "my apis/api.yaml": API });
    const args = [
      "api.yaml",
      "-o",
      "../server",
      "--ci",
      "github",
      "--skip",
      "DELETE /**",
      "--verbose",
    ];
    expect((await mcpGen(args, join(root, "my apis"))).code).toBe(0);
    const text = readFileSync(join(root, WORKFLOW), "utf8");
    const { jobs } = parse(text) as Steps;
    const check = jobs["check"]!.steps.find(({ run }) => run?.includes("--check"));
    expect(check).toMatchObject({
      "working-directory": "my apis",
      run: `npx --yes "$MCP_GEN" api.yaml -o ../server --skip 'DELETE /**' --check\n`,
    });
    expect(jobs["check"]!.steps.find(({ run }) => run?.includes("eval.yaml"))).toMatchObject({
      "working-directory": "my apis",
      run: `[ ! -e eval.yaml ] || npx --yes "$MCP_GEN" eval api.yaml --skip 'DELETE /**' -o ../server\n`,
    });
    expect(jobs["packages"]).toMatchObject({
      defaults: { run: { "working-directory": "server" } },
    });
    expect(jobs["packages"]!.steps.flatMap(({ run }) => run ?? [])).toEqual([
      "npm ci --ignore-scripts",
      "npm run build\nnpm test\n",
      "npm audit --omit=dev",
      "npm audit --audit-level=high",
    ]);
    expect(scripts(text).join("")).not.toMatch(/\$\{\{|secrets|touch/);

    plant(root, { [WORKFLOW]: "mine" });
    const again = await mcpGen([...args, "--force"], join(root, "my apis"));
    expect([again.code, readFileSync(join(root, WORKFLOW), "utf8")]).toEqual([0, "mine"]);
    expect(again.err).toContain("exists and is not changed");
  });

  test.each<readonly [string, readonly string[], string, RegExp]>([
    ["a document from standard input", ["-", "-o", "server"], API, /not standard input/],
    [
      "a folder outside of the repository",
      ["api.yaml", "-o", "../out"],
      "",
      /inside the repository/,
    ],
    ["a document outside of the repository", ["../x.yaml", "-o", "server"], "", /CI can read/],
    [
      "a document on this machine",
      ["http://localhost:1/openapi.json", "-o", "server"],
      "",
      /CI can read/,
    ],
    ["what GitHub would replace", ["api.yaml", "-o", "${{ x }}"], "", /which GitHub replaces/],
  ])("of %s is refused", async (_, args, stdin, says) => {
    const root = join(scratch(), "repo");
    plant(root, { ".git/HEAD": "x", "api.yaml": API });
    const { code, err } = await mcpGen([...args, "--ci=github"], root, stdin);
    expect([code, err]).toEqual([2, expect.stringMatching(says)]);
    expect(Object.keys(treeOf(root)).filter((path) => path.startsWith(".github"))).toEqual([]);
  });

  test.each<readonly [string, (root: string) => readonly string[]]>([
    ["the document", (root) => [join(root, "api.yaml"), "-o", "server"]],
    ["the folder", (root) => ["api.yaml", `--output=${join(root, "server")}`]],
    ["an overlay", (root) => ["api.yaml", "-o", "server", "--overlay", join(root, "fixes.yaml")]],
    ["the configuration", (root) => ["api.yaml", "-o", "server", "-c", join(root, "other.yaml")]],
    ["templates", (root) => ["api.yaml", "-o", "server", "--templates", join(root, "templates")]],
  ])("of an absolute path of %s is refused", async (_what, args) => {
    const root = scratch();
    plant(root, {
      ".git/HEAD": "x",
      "api.yaml": API,
      "fixes.yaml":
        "overlay: 1.0.0\ninfo: {title: x, version: '1'}\nactions: [{target: $.info, update: {}}]\n",
      "other.yaml": "version: 1\n",
      "templates/": "",
    });
    const { code, err } = await mcpGen([...args(root), "--ci", "github"], root);
    expect([code, err]).toEqual([2, expect.stringContaining("--ci needs relative paths")]);
    expect(Object.keys(treeOf(root))).not.toContain("server/README.md");
  });

  test.each(["--check", "--dry-run"])("writes nothing with %s", async (flag) => {
    const root = scratch();
    plant(root, { ".git/HEAD": "x", "api.yaml": API });
    await mcpGen(["api.yaml", "-o", "server", "--ci", "github", flag], root);
    expect(Object.keys(treeOf(root))).toEqual([".git/HEAD", "api.yaml"]);
  });

  test("an unknown CI system is a usage error", async () => {
    expect(await mcpGen(["api.yaml", "-o", "server", "--ci", "jenkins"], scratch())).toMatchObject({
      code: 2,
      err: expect.stringContaining("github") as string,
    });
  });
});

test.each(["a", "a b", "it's", "$HOME", "`x`", '"', "~", "-x", "a;b", "*", "ü", "\\", ""])(
  "the shell reads %j as one word",
  (word) => {
    expect(
      execFileSync("sh", ["-c", `printf '%s|' ${quoteForShell(word)}`], { encoding: "utf8" }),
    ).toBe(`${word}|`);
  },
);

test.each([
  ["a", true],
  ["${{ a }}", false],
  ["$ {{", true],
  ["a\nb", false],
  ["\u0000", false],
  ["a\u2028b", false],
  ["\ufeffa", false],
  ["\ud800", false],
  ["日本 é🙂", true],
] as const)("%j may stand in a workflow: %s", (text, plain) =>
  expect(isSafeInWorkflow(text)).toBe(plain),
);

test.each(["server", "my server", "."])(
  "a workflow for the folder %j is YAML, with scripts that the shell can read",
  (server) => {
    const text = githubWorkflow({
      args: ["it's.yaml", "-o", server],
      evalArgs: ["it's.yaml", "-o", server],
      cwd: "",
      server,
      version: "1.2.3",
    });
    for (const script of scripts(text))
      expect(() => execFileSync("bash", ["-n", "-c", script])).not.toThrow();
    expect(scripts(text)).toHaveLength(8);
  },
);
