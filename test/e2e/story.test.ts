import { execFile } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { mcpGen, type Outcome } from "../cli/built.js";
import { scratch } from "../write/tree.js";
import { after, before } from "./story-documents.js";

/**
 * The life of a generated project: generate, commit, customize, and regenerate after the API has
 * changed.
 */
let root = "";
const server = (path: string): string => join(root, "server", path);
const run = promisify(execFile);
const git = async (...args: string[]): Promise<string> =>
  (
    await run(
      "git",
      [
        "-c",
        "user.name=Owner",
        "-c",
        "user.email=owner@bakery.example",
        "-c",
        "commit.gpgsign=false",
        ...args,
      ],
      { cwd: root },
    )
  ).stdout;
const npm = (script: string): Promise<{ stdout: string }> =>
  run("npm", ["run", "--silent", script], { cwd: join(root, "server"), maxBuffer: 1 << 26 });
const generate = (...more: string[]): Promise<Outcome> =>
  mcpGen(["bakery.yaml", "-o", "server", ...more], root);

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

describe.sequential("the life of a generated project", () => {
  test("generates, with a workflow, and commits", async () => {
    const { code, err } = await generate("--ci", "github");
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("Wrote .github/workflows/mcp-gen.yml"),
    ]);
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

  test("after an API change, the check fails, the diff explains it, and nothing is written", async () => {
    writeFileSync(join(root, "bakery.yaml"), after);
    const check = await generate("--check");
    expect(check.code).toBe(1);
    expect(check.out).toContain("Changes for agents: ");
    const diff = await mcpGen(
      ["diff", "bakery.yaml", "-o", "server", "--json", "--fail-on", "breaking"],
      root,
    );
    expect(diff.code).toBe(1);
    const changes = (
      JSON.parse(diff.out) as {
        changes: { class: string; kind: string; tool: string; where?: string; was?: unknown }[];
      }
    ).changes;
    const told = changes
      .filter((change) => change.class !== "cosmetic")
      .map((change) => [change.class, change.kind, change.tool, change.where]);
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

  test("regeneration keeps user code, deletes removed tools and changes nothing else", async () => {
    const { code, out, err } = await generate();
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("  ! get_invoice: Renamed from `get_receipt`.");
    expect(readFileSync(server("src/custom/index.ts"), "utf8")).toBe(HOOKS);
    expect(readFileSync(server("src/tools/orders/create_order.ts"), "utf8")).toContain(KEPT);
    expect(readFileSync(server("src/tools/orders/create_order.ts"), "utf8")).toContain(
      "pickup: string;",
    );
    await git("add", "-A");
    expect(
      (await git("status", "--porcelain", "--no-renames")).split("\n").filter(Boolean),
    ).toEqual(
      [
        "M  bakery.yaml",
        "M  server/.mcp-gen/manifest.json",
        "M  server/README.md",
        "M  server/SKILL.md",
        "M  server/manifest.json",
        "M  server/mcp-gen.lock.json",
        // The instructions name the verbs of each toolset.
        "M  server/src/api.ts",
        "A  server/src/tools/cakes/list_reviews.ts",
        "M  server/src/tools/cakes/list_cakes.ts",
        "M  server/src/tools/index.ts",
        "M  server/src/tools/orders/create_order.ts",
        "A  server/src/tools/orders/get_invoice.ts",
        "D  server/src/tools/orders/get_receipt.ts",
        "D  server/src/tools/ovens/list_ovens.ts",
        "M  server/test/api.json",
      ].sort((a, b) => (a.slice(3) < b.slice(3) ? -1 : 1)),
    );
    expect(existsSync(server("src/tools/ovens"))).toBe(false);
  });

  test("type-checks and passes its tests and the check", async () => {
    await npm("typecheck");
    expect((await npm("test")).stdout).toMatch(/^# fail 0$|ℹ fail 0/mu);
    expect((await generate("--check")).code).toBe(0);
  });

  test("after npm raises the version, the check passes, and the next run updates the version", async () => {
    await git("commit", "-qam", "The API of the second half");
    await run("npm", ["version", "3.1.4", "--no-git-tag-version"], { cwd: join(root, "server") });
    expect(await git("status", "--porcelain")).toBe(
      " M server/package-lock.json\n M server/package.json\n",
    );
    const check = await generate("--check");
    expect([check.code, check.err]).toEqual([
      0,
      expect.stringContaining("will get the version of package.json with the next run"),
    ]);
    await npm("bundle");
    expect((await run(process.execPath, [server("dist/server.js"), "--version"])).stdout).toBe(
      "3.1.4\n",
    );
    expect((await generate()).code).toBe(0);
    for (const path of [
      "server.json",
      "manifest.json",
      "Dockerfile",
      "package.json",
      "package-lock.json",
    ])
      expect(readFileSync(server(path), "utf8")).toContain('"3.1.4"');
    expect(await git("diff", "--stat", "HEAD")).toMatch(
      / 5 files changed, 7 insertions\(\+\), 7 deletions\(-\)\n$/,
    );
    expect((await generate("--check")).err).toBe("");
  });
});
