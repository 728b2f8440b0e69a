import { execFile } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { cli, mcpGen, type Outcome } from "../cli/built.js";
import { scratch } from "../write/tree.js";
import { after, before } from "./story-documents.js";

/** What an owner lives through: generate, commit, make it theirs, and half a year later the API is another one. */
let root = "";
const server = (path: string): string => join(root, "server", path);
const run = promisify(execFile);
const git = async (...args: string[]): Promise<string> => (await run("git", ["-c", "user.name=Owner", "-c", "user.email=owner@bakery.example", "-c", "commit.gpgsign=false", ...args], { cwd: root })).stdout;
const npm = (script: string): Promise<{ stdout: string }> => run("npm", ["run", "--silent", script], { cwd: join(root, "server"), maxBuffer: 1 << 26 });
const generate = (...more: string[]): Promise<Outcome> => mcpGen(["bakery.yaml", "-o", "server", ...more], root);

const HOOKS = `import type { Hooks } from "../runtime/index.js";

/** Ours: the bakery wants to know who asks. */
const hooks: Hooks = {
  beforeRequest: (request) => ({ ...request, headers: [...request.headers, ["X-Asked-By", "agents"]] }),
};

export default hooks;
`;
const KEPT = `
/** @keep */
export const largestOrder = 12;
`;

beforeAll(async () => {
  root = scratch();
  writeFileSync(join(root, "bakery.yaml"), before);
  await git("init", "-q", "-b", "main");
});

describe.sequential("the story of an owner", () => {
  test("generates, with a workflow, and commits", async () => {
    const { code, err } = await generate("--ci", "github");
    expect([code, err]).toEqual([0, expect.stringContaining("Wrote .github/workflows/mcp-gen.yml")]);
    symlinkSync(resolve("node_modules"), server("node_modules"), "junction");
    appendFileSync(join(root, ".git/info/exclude"), "node_modules\ndist\n");
    await git("add", "-A");
    await git("commit", "-qm", "A server");
    expect((await generate("--check")).code).toBe(0);
  });

  test("writes custom code and keeps a declaration", async () => {
    writeFileSync(server("src/custom/index.ts"), HOOKS);
    appendFileSync(server("src/tools/orders/create_order.ts"), KEPT);
    await npm("typecheck");
    await git("commit", "-qam", "Ours");
    expect((await generate("--check")).code).toBe(0);
    expect(await git("status", "--porcelain")).toBe("");
  });

  test("the API changes: the check fails, the difference says why, and nothing is written", async () => {
    writeFileSync(join(root, "bakery.yaml"), after);
    const check = await generate("--check");
    expect(check.code).toBe(1);
    expect(check.out).toContain("For agents: ");
    const diff = await mcpGen(["diff", "bakery.yaml", "-o", "server", "--json", "--fail-on", "breaking"], root);
    expect(diff.code).toBe(1);
    const changes = (JSON.parse(diff.out) as { changes: { class: string; kind: string; tool: string; where?: string; was?: unknown }[] }).changes;
    const told = changes.filter((change) => change.class !== "wording").map((change) => [change.class, change.kind, change.tool, change.where]);
    expect(told.sort()).toEqual([
      ["additive", "tool-added", "list_reviews", undefined],
      ["breaking", "field-added", "create_order", "input.pickup"],
      ["breaking", "tool-removed", "list_ovens", undefined],
      ["breaking", "tool-renamed", "get_invoice", undefined],
      ["breaking", "values", "list_cakes", "input.size"],
    ]);
    expect(changes.find(({ kind }) => kind === "tool-renamed")?.was).toBe("get_receipt");
    expect(await git("status", "--porcelain")).toBe(" M bakery.yaml\n");
  });

  test("regenerates: what is theirs is there, what is gone is gone, nothing else was touched", async () => {
    const { code, out, err } = await generate();
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("  ! get_invoice: Was called `get_receipt`.");
    expect(readFileSync(server("src/custom/index.ts"), "utf8")).toBe(HOOKS);
    expect(readFileSync(server("src/tools/orders/create_order.ts"), "utf8")).toContain(KEPT);
    expect(readFileSync(server("src/tools/orders/create_order.ts"), "utf8")).toContain("pickup: string;");
    await git("add", "-A");
    expect((await git("status", "--porcelain", "--no-renames")).split("\n").filter(Boolean)).toEqual([
      "M  bakery.yaml",
      "M  server/.mcp-gen/manifest.json",
      "M  server/README.md",
      "M  server/manifest.json",
      "M  server/mcp-gen.lock.json",
      "A  server/src/tools/cakes/list_reviews.ts",
      "M  server/src/tools/cakes/list_cakes.ts",
      "M  server/src/tools/index.ts",
      "M  server/src/tools/orders/create_order.ts",
      "A  server/src/tools/orders/get_invoice.ts",
      "D  server/src/tools/orders/get_receipt.ts",
      "D  server/src/tools/ovens/list_ovens.ts",
      "M  server/test/api.json",
    ].sort((a, b) => (a.slice(3) < b.slice(3) ? -1 : 1)));
    expect(existsSync(server("src/tools/ovens"))).toBe(false);
  });

  test("type-checks and passes its tests, and the check is content", async () => {
    await npm("typecheck");
    expect((await npm("test")).stdout).toMatch(/^# fail 0$|ℹ fail 0/mu);
    expect((await generate("--check")).code).toBe(0);
  });

  test("the workflow runs on the pull request: checks, annotates, sums up and comments once", async () => {
    await git("checkout", "-q", "-b", "change");
    await git("commit", "-qam", "The API of the second half");
    await git("checkout", "-q", "main");
    await git("merge", "-q", "--no-ff", "-m", "As GitHub merges", "change");
    const { jobs } = parse(readFileSync(join(root, ".github/workflows/mcp-gen.yml"), "utf8")) as Workflow;

    const [check, diff] = jobs.check.steps.filter((step) => step.run !== undefined);
    expect((await inShell(check!)).code).toBe(0);
    const said = await inShell(diff!);
    expect(said.out).toMatch(/^::error file=server\/mcp-gen\.lock\.json,line=\d+,title=get_invoice \(breaking\)::Was called `get_receipt`\.$/m);
    expect(readFileSync(join(root, ".git/ci/summary.md"), "utf8")).toMatch(/^### Tools for agents: 4 breaking and 1 additive/);

    const comment = /^comment=(.*)$/m.exec(readFileSync(join(root, ".git/ci/output"), "utf8"))![1]!;
    const [post] = jobs.comment.steps;
    await inShell(post!, { COMMENT: comment, REPOSITORY: "bakery/api", NUMBER: "7" });
    await inShell(post!, { COMMENT: comment, REPOSITORY: "bakery/api", NUMBER: "7", OLD_COMMENT: "4711" });
    const calls = readFileSync(join(root, ".git/ci/gh"), "utf8").split("\n").filter((line) => line.includes("--method"));
    expect(calls.map((line) => line.replace(/ -F .*/, ""))).toEqual(["api --silent --method POST repos/bakery/api/issues/7/comments", "api --silent --method PATCH repos/bakery/api/issues/comments/4711"]);
    expect(readFileSync(join(root, ".git/ci/comment.md"), "utf8")).toBe(`<!-- mcp-gen -->\n${readFileSync(join(root, ".git/ci/summary.md"), "utf8")}`);
  });

  test("the workflow may do nothing but read, and in the job without the repository, comment", () => {
    const workflow = parse(readFileSync(join(root, ".github/workflows/mcp-gen.yml"), "utf8")) as Workflow;
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(workflow.jobs.check.permissions).toBeUndefined();
    expect(workflow.jobs.comment.permissions).toEqual({ "pull-requests": "write" });
    expect(workflow.jobs.comment.steps.some(({ uses }) => uses !== undefined)).toBe(false);
    for (const { steps } of Object.values(workflow.jobs)) for (const { run: script = "" } of steps) expect(script).not.toContain("${{");
  });
});

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly "working-directory"?: string;
}
interface Job {
  readonly steps: readonly Step[];
  readonly permissions?: object;
}
interface Workflow {
  readonly permissions: object;
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: { readonly check: Job; readonly comment: Job };
}

/** Runs a step as GitHub does: `bash -e`, its files, `npx` and `gh` on the path. The latter two are ours here. */
async function inShell(step: Step, env: Readonly<Record<string, string>> = {}): Promise<{ readonly out: string; readonly code: number }> {
  const temp = join(root, ".git/ci");
  mkdirSync(join(temp, "bin"), { recursive: true });
  program("npx", `[ "$1" = --yes ] && [ "$2" = "$MCP_GEN" ] || exit 9\nshift 2\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(cli)} "$@"\n`);
  program("gh", 'printf "%s\\n" "$*" >> "$RUNNER_TEMP/gh"\ncase "$*" in *--jq*) echo "$OLD_COMMENT" ;; esac\n');
  const files = { RUNNER_TEMP: temp, GITHUB_OUTPUT: join(temp, "output"), GITHUB_STEP_SUMMARY: join(temp, "summary.md"), MCP_GEN: "mcp-gen@1.2.3" };
  const options = { cwd: join(root, step["working-directory"] ?? "."), env: { ...process.env, ...files, PATH: `${join(temp, "bin")}${delimiter}${process.env["PATH"]}`, ...env } };
  const { stdout } = await run("bash", ["-e", "-c", step.run ?? ""], options);
  return { out: stdout, code: 0 };

  function program(name: string, script: string): void {
    writeFileSync(join(temp, "bin", name), `#!/bin/sh\n${script}`);
    chmodSync(join(temp, "bin", name), 0o755);
  }
}
