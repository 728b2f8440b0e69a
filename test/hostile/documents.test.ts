/** Group A: malicious and malformed documents, given to the built program. */
import { execFile, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { bundleTogether, listedTools } from "../corpus/server.js";
import { typeErrors } from "../corpus/typecheck.js";
import { ensureFreshBuild } from "../fresh-build.js";

ensureFreshBuild();

const root = fileURLToPath(new URL("../..", import.meta.url));
const hostile = path.join(process.env.MCP_GEN_SHARED ?? path.join(root, "..", "shared"), "hostile");
const cli = path.join(root, "dist/cli.cjs");
const workspace = mkdtempSync(path.join(tmpdir(), "mcp-gen-hostile-"));
symlinkSync(path.join(root, "node_modules"), path.join(workspace, "node_modules"));
writeFileSync(path.join(workspace, "package.json"), '{"type":"module"}');
/** Contains only generated projects, one folder per document. */
const outputs = path.join(workspace, "out");
mkdirSync(outputs);
/** Folder of the injection check, which imports TypeScript as a library. ts-morph includes a copy. */
const checkFolder = path.join(workspace, "check");
mkdirSync(path.join(checkFolder, "node_modules/typescript"), { recursive: true });
writeFileSync(
  path.join(checkFolder, "node_modules/typescript/index.js"),
  `module.exports = require(${JSON.stringify(path.join(root, "node_modules/@ts-morph/common/dist/typescript.js"))});`,
);
afterAll(() => rmSync(workspace, { recursive: true }));

type Verdict = "OK" | "OK+W" | "REJ" | "any";

/** Verdict per document, and a pattern that the diagnostics must match. */
const expected: Readonly<Record<string, readonly [Verdict, RegExp?]>> = {
  A01: ["OK", /PWNED_A01/],
  A02: ["OK"],
  A04: ["OK+W"],
  A05: ["OK"],
  A06: ["OK+W"],
  A09: ["OK"],
  A11: ["OK+W"],
  A13: ["REJ", /\/etc\/passwd/],
  A14: ["REJ", /169\.254/],
  A14b: ["REJ", /127\.0\.0\.1|localhost/],
  A15: ["REJ", /outside of the document/],
  A15b: ["REJ"],
  A15c: ["REJ"],
  A16: ["OK"],
  A16b: ["any", /circular/],
  A16c: ["any", /circular/],
  A17: ["REJ", /alias/],
  A17b: ["OK"],
  A18: ["REJ", /nesting too deep/i],
  A18b: ["REJ", /nesting too deep/i],
  A20: ["any", /nesting too deep/i],
  A22: ["OK+W"],
  A23: ["OK+W"],
  A25: ["OK+W"],
  A27: ["OK+W", /model-hidden-characters[^]*model-prompt-injection/],
  A28a: ["REJ", /empty/],
  A28b: ["REJ"],
  A28d: ["REJ"],
  A28e: ["REJ", /HTML/],
  A28f: ["REJ", /binary/i],
  A28h: ["OK"],
  A28i: ["REJ", /UTF-8/],
  A28j: ["REJ", /tab/i],
  A28l: ["REJ", /document/],
  A28m: ["OK+W"],
  A28n: ["REJ", /4\.0\.0/],
  A28o: ["REJ", /AsyncAPI/],
  A28p: ["REJ", /operation/],
  A28q: ["REJ", /operation|paths/],
  A28s: ["REJ"],
  A28t: ["REJ", /tag/],
  A30: ["OK"],
  A32: ["OK+W"],
  A34: ["OK+W"],
  A36: ["OK"],
  A37: ["OK"],
  A38: ["OK"],
};

interface Run {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Connections and DNS lookups that `watch.mjs` reported. */
  readonly forbiddenActions: readonly string[];
  /** Peak resident memory in MB. */
  readonly megabytes: number;
}

/** Rows of the table of results. */
const table: string[][] = [];
afterAll(
  () =>
    void process.stdout.write(
      `${table
        .map(([name = "", ...rest]) => `${name.padEnd(36)} ${rest.join("  ")}`)
        .sort()
        .join("\n")}\n`,
    ),
);

function run(
  file: string,
  out: string,
  env: Record<string, string> = {},
  ...more: string[]
): Promise<Run> {
  return new Promise((resolve) => {
    const report = path.join(workspace, `${path.basename(out)}.watch`);
    rmSync(report, { force: true });
    const args = [
      "--import",
      pathToFileURL(path.join(import.meta.dirname, "watch.mjs")).href,
      cli,
      file,
      "-o",
      out,
      ...more,
    ];
    const child = execFile(
      process.execPath,
      args,
      {
        env: { ...process.env, ...env, WATCH_REPORT: report },
        maxBuffer: 1 << 27,
        timeout: 100_000,
      },
      (_error, stdout, stderr) => {
        const lines = existsSync(report) ? readFileSync(report, "utf8").trim().split("\n") : [];
        const rss = lines.find((line) => line.startsWith("rss "));
        resolve({
          status: child.exitCode,
          signal: child.signalCode,
          stdout,
          stderr,
          forbiddenActions: lines.filter((line) => line !== rss),
          megabytes: Number(rss?.slice(4)),
        });
      },
    );
  });
}

/** Expects regular files and folders only, with names that are valid on every system. */
function expectPlainFiles(folder: string): void {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  expect(
    entries.filter((entry) => !entry.isFile() && !entry.isDirectory()).map(({ name }) => name),
  ).toEqual([]);
  const names = entries.map((entry) => path.join(entry.parentPath, entry.name).toLowerCase());
  expect(new Set(names).size).toBe(names.length);
  expect(
    entries
      .filter(
        ({ name }) =>
          !/^[\w.@-]{1,100}$/.test(name) || /^(con|nul|aux|prn|com\d|lpt\d)(\.|$)/i.test(name),
      )
      .map(({ name }) => name),
  ).toEqual([]);
}

const files = existsSync(hostile)
  ? readdirSync(hostile)
      .filter((file) => /^A\d+/.test(file))
      .sort()
  : [];
const caseOf = (file: string): string => /^A\d+[a-z]?/.exec(file)?.[0] ?? file;
const errors = (stderr: string): string[] =>
  stderr.split("\n").filter((line) => line.startsWith("error"));

describe.each(files)("%s", (file) => {
  const out = path.join(outputs, caseOf(file));
  const [verdict, pattern] = expected[caseOf(file)] ?? ["any"];

  it("has the expected verdict, with one error when it is rejected", async () => {
    const existing = readdirSync(outputs);
    const { status, signal, stdout, stderr, forbiddenActions, megabytes } = await run(
      path.join(hostile, file),
      out,
    );
    table.push([
      file,
      verdict,
      status === 0 ? "generated" : "rejected",
      `${megabytes} MB`,
      (stderr.split("\n").find((line) => /^(error|warning)/.test(line)) ?? "")
        .replace(/^.*?\(#/, "(#")
        .slice(0, 110),
    ]);
    expect(signal).toBe(null);
    expect(forbiddenActions).toEqual([]);
    expect(megabytes).toBeLessThan(file.startsWith("A30") ? 1024 : 512);
    expect(
      readdirSync(outputs).filter((entry) => !existing.includes(entry) && entry !== caseOf(file)),
    ).toEqual([]);
    expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
    // oxlint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(
      /[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u{e0000}-\u{e007f}]/u,
    );
    expect(stdout + stderr).not.toMatch(/hunter2|root:x:0/);
    if (verdict !== "any")
      expect(status === 0 ? "OK" : "REJ").toBe(verdict.slice(0, 3).replace("OK+", "OK"));
    if (verdict === "OK+W") expect(stderr).toMatch(/^warning/m);
    if (pattern) expect(stderr).toMatch(pattern);
    if (status === 0) return expectPlainFiles(out);
    expect(errors(stderr)).toHaveLength(1);
    expect(errors(stderr)[0]).toContain(file);
    expect(existsSync(out)).toBe(false);
  });

  if (verdict === "OK+W") {
    it("is rejected by --strict without any output", async () => {
      const { status, forbiddenActions } = await run(
        path.join(hostile, file),
        `${out}-strict`,
        {},
        "--strict",
      );
      expect([status, existsSync(`${out}-strict`), forbiddenActions]).toEqual([3, false, []]);
    });
  }

  it("generates the same files in another folder, time zone and language", async () => {
    if (!existsSync(out)) return;
    const second = await run(
      path.join(hostile, file),
      out,
      { TZ: "Asia/Kathmandu", LANG: "tr_TR.UTF-8", HOME: workspace },
      "--check",
    );
    expect(second.stderr + second.stdout).not.toMatch(/would change/);
    expect(second.status).toBe(0);
  });
});

describe.runIf(files.length > 0)("all generated projects", () => {
  it("start and list tools with legal, unique names", async () => {
    const names = readdirSync(outputs);
    const canary = path.join(workspace, "canary");
    const servers = await bundleTogether(
      names.map((name) => path.join(outputs, name)),
      path.join(workspace, "servers"),
    );
    for (const [i, server] of servers.entries()) {
      const tools = await listedTools(
        server,
        ["--import", pathToFileURL(path.join(hostile, "canary.mjs")).href],
        { CANARY_DIR: canary },
      );
      const illegal = tools.filter((tool) => !/^[a-zA-Z0-9_-]{1,64}$/.test(tool));
      expect([illegal, new Set(tools).size, readdirSync(canary)], names[i]).toEqual([
        [],
        tools.length,
        [],
      ]);
    }
  }, 300_000);

  it("contain no code from a document", () => {
    const check = spawnSync(
      process.execPath,
      [path.join(hostile, "check-injection.mjs"), outputs],
      {
        cwd: checkFolder,
        encoding: "utf8",
        env: { ...process.env, CANARY_DIR: path.join(workspace, "canary") },
      },
    );
    expect([check.stdout, check.status]).toEqual([
      expect.stringMatching(/^\d+ source files, 0 findings\n$/),
      0,
    ]);
  }, 300_000);

  it("type-check under --strict", async () => {
    expect(
      await typeErrors(
        workspace,
        readdirSync(outputs).map((name) => path.join(outputs, name)),
      ),
    ).toBe("");
  }, 300_000);

  it("do not contain the password of a server URL", () => {
    const folder = path.join(outputs, "A11");
    if (!existsSync(folder)) return;
    const texts = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.(ts|json|md|example)$/.test(name),
    );
    expect(
      texts.filter((name) => readFileSync(path.join(folder, name), "utf8").includes("hunter2")),
    ).toEqual([]);
  });
});
