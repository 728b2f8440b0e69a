import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { plant, scratch } from "../write/tree.js";
import { cli } from "../cli/built.js";
import { blocksOf, pages, root, shellLines } from "./snippets.js";

/**
 * Every command of mcp-gen in the README and the docs runs, in the order of its page, in a folder
 * with the files that the pages name.
 */
const MCP_GEN = /^(?:.*\| )?(?:npx (?:--yes )?)?mcp-gen(?:@[\d.]+)?(?: |$)/;

/**
 * Commands that need another program, a running service or a generated project. Tests of their own
 * cover those of generated projects (`test/e2e`), and those of docker, deno, wrangler, claude and
 * the inspector (`test/live/programs.test.ts`), and those of the pages about frameworks
 * (`test/live/frameworks.test.ts`). `deployment.test.ts` runs those of kubectl.
 */
const ELSEWHERE = [
  /^npm (ci|install|test|start|run|audit|version)\b/,
  /^(cd|cp|set|export|git|docker|deno|kubectl|node) ?/,
  /^base=/,
  /^npx (?:next|wrangler|@modelcontextprotocol\/inspector) /,
  // Secrets of a worker.
  /^(?:echo [\w-]+|openssl rand -hex \d+) \| npx wrangler /,
  /^claude mcp add /,
  // A loop over images of an engine, and a log that a server has written.
  /^(?:echo images:|for image in|name=\$\{image|echo " {2}\$\{image|done$)/,
  /^jq /,
  // It needs an authorization server: test/runtime/auth/sign-in/serve-login.test.ts has one.
  /^mcp-gen serve \S+ --login\b/,
  // They need a model: test/eval/command.test.ts has one.
  /^mcp-gen eval .*--model\b/,
];

/** A folder as the pages assume it. */
function workplace(): string {
  const folder = scratch();
  const clinic = readFileSync(join(root, "samples/clinic/openapi.yaml"), "utf8");
  const library = readFileSync(join(root, "samples/library/openapi.yaml"), "utf8");
  plant(folder, {
    "openapi.yaml": clinic,
    "old.yaml": clinic,
    "billing.yaml": clinic,
    "crm.yaml": library,
    "customers.yaml": library,
    "new.yaml": clinic.replace("summary: ", "summary: Now: ".replace(": ", " ")),
    "eval.yaml": readFileSync(join(root, "samples/clinic/eval.yaml"), "utf8"),
    "templates-of-others/": "",
    "bin/": "",
    "home/": "",
  });
  mkdirSync(join(folder, "samples"));
  cpSync(join(root, "samples/clinic/openapi.yaml"), join(folder, "samples/clinic/openapi.yaml"), {
    recursive: true,
  });
  const program = `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`;
  writeFileSync(join(folder, "bin/mcp-gen"), program, { mode: 0o755 });
  // npx runs the program that is being tested, without a registry.
  const npx = '#!/bin/sh\n[ "$1" = --yes ] && shift\nshift\nexec mcp-gen "$@"\n';
  writeFileSync(join(folder, "bin/npx"), npx, { mode: 0o755 });
  return folder;
}

/** Runs a line in a shell. A server is stopped after its first line of output on stderr. */
function run(line: string, folder: string): Promise<{ code: number | null; err: string }> {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      PATH: `${join(folder, "bin")}${delimiter}${process.env.PATH}`,
      HOME: join(folder, "home"),
    };
    const child = spawn("sh", ["-c", `exec ${line}`], { cwd: folder, env });
    let err = "";
    const isServer = line.includes("mcp-gen serve") || line.includes("--watch");
    child.stdout.resume();
    child.stderr.on("data", (text: Buffer) => {
      err += text.toString();
      // A second signal would end the server at once, with another exit code.
      if (isServer && !child.killed && /Listening|Watching|Open http/.test(err))
        child.kill("SIGTERM");
    });
    child.on("close", (code) => resolve({ code, err }));
    child.stdin.end();
  });
}

/** Runs a block that reads committed files, in a repository with everything committed. */
async function runCommitted(block: string, folder: string): Promise<void> {
  const git = "git -c user.name=t -c user.email=t@t.example -c init.defaultBranch=main";
  const setUp = `${git} init -q; git add -A; ${git} commit -qm all; git remote add origin .`;
  const { code, err } = await run(
    `sh -c '(${setUp}) 2>&1; ${block.replaceAll("'", "'\\''")}'`,
    folder,
  );
  expect.soft({ block, code }, err).toEqual({ block, code: 0 });
}

test.runIf(process.platform !== "win32").each(pages)("the commands of %s work", async (page) => {
  const lines = shellLines(page);
  const isElsewhere = (text: string): boolean => ELSEWHERE.some((one) => one.test(text));
  const unknown = lines.filter(({ text }) => !MCP_GEN.test(text) && !isElsewhere(text));
  expect(unknown).toEqual([]);
  const folder = workplace();
  for (const { text, codes } of lines.filter((line) => !isElsewhere(line.text))) {
    const line = text.replace(/^.*\| /, "").replaceAll("/tmp/clinic", "clinic");
    if (text.includes("| ") || text.includes("claude mcp add")) continue;
    const { code, err } = await run(line, folder);
    expect.soft({ line, ok: codes.includes(code ?? 0) }, err).toEqual({ line, ok: true });
  }
  for (const block of blocksOf(page, "sh").filter((text) => text.includes("git show")))
    await runCommitted(block, folder);
});
