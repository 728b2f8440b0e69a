/**
 * The commands of other programs in the docs and in the README of a generated project, run by those
 * programs. Those of npm are installed. Docker runs nothing without its engine: its commands are
 * parsed. `test/docs/deployment.test.ts` runs those of kubectl.
 */
import { exec, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { pages, root, shellLines } from "../docs/snippets.js";
import { generateProject, type Project } from "../e2e/project.js";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { run } from "./install.js";

/** The programs, with the versions that were tried. */
const packages = [
  ...["deno@2.9.6", "wrangler@4.86.0", "@anthropic-ai/claude-code@2.1.330"],
  "@modelcontextprotocol/inspector@0.15.0",
];

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-programs-"));
let project: Project;
let upstream: Upstream;

/** Lines of shell blocks that start with a program. */
const lines = pages.flatMap((page) => shellLines(page).map(({ text }) => text));
const linesOf = (program: string): readonly string[] =>
  [...new Set(lines)].filter((line) => line.startsWith(`${program} `));

/** Variables of a user without settings of any program. */
function environment(): NodeJS.ProcessEnv {
  return {
    PATH: [join(folder, "node_modules/.bin"), process.env["PATH"]].join(delimiter),
    HOME: folder,
    CI: "1",
    WRANGLER_SEND_METRICS: "false",
    DISABLE_TELEMETRY: "1",
    MAPLEWOOD_CLINIC_HTTP_TOKEN: "inbound-token-4c1e",
    MAPLEWOOD_CLINIC_TOKEN: "outbound-token",
    MAPLEWOOD_CLINIC_BASE_URL: upstream.url,
  };
}

beforeAll(async () => {
  upstream = await startUpstream(reply(200, { data: [{ id: "pet_9TX3QA", name: "Biscuit" }] }));
  project = await generateProject("samples/clinic/openapi.yaml", { deploy: ["workers"] });
  await project.run("build:worker");
  await run(folder, "npm", "install", "--no-audit", "--no-fund", ...packages);
}, 1_800_000);
afterAll(async () => {
  await Promise.all([project.remove(), upstream.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command in the generated project to its end. */
function execute(command: string, cwd = project.folder): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
    ...{ cwd, env: environment(), encoding: "utf8", input: "" },
  });
  return { status, text: stdout + stderr };
}

/** Starts a server, and returns its URL as soon as it prints one. */
async function start(command: string, pattern: RegExp): Promise<string> {
  const child = spawn("sh", ["-c", `exec ${command} 2>&1`], {
    ...{ cwd: project.folder, env: environment(), stdio: ["ignore", "pipe", "ignore"] },
    // A group of its own, because wrangler starts further processes.
    detached: true,
  });
  onTestFinished(() => void process.kill(-child.pid!, "SIGKILL"));
  const printed: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    printed.push(line);
    const url = pattern.exec(line)?.[1];
    if (url !== undefined) return (child.stdout!.resume(), url);
  }
  throw new Error(`${command} did not start:\n${printed.join("\n")}`);
}

async function callTool(url: string): Promise<string> {
  const response = await fetch(new URL("/mcp", url), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: "Bearer inbound-token-4c1e",
    },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name: "find_pets", arguments: {} },
    }),
  });
  return response.text();
}

test("deno serve answers calls with the flags of the docs", async () => {
  const [line = "", ...others] = linesOf("deno");
  expect(others).toEqual([]);
  const readme = readFileSync(join(project.folder, "README.md"), "utf8");
  expect(readme).toContain(`\`${line}\``);
  const command = line.replace("deno serve", "deno serve --host 127.0.0.1 --port 0");
  const url = await start(command, /Listening on (http:\S+)/);
  expect(await callTool(url)).toContain("Biscuit");
});

test("wrangler accepts the deployments of the docs", () => {
  const deployments = linesOf("npx").filter((line) => line.startsWith("npx wrangler "));
  expect(deployments.length).toBe(2);
  for (const line of deployments) {
    // The installed one; npx would fetch another.
    const { status, text } = execute(`${line.replace("npx ", "")} --dry-run`);
    expect(status, text).toBe(0);
    expect(text).toContain("--dry-run: exiting now.");
  }
  expect(execute("wrangler secret put --help").text).toContain("wrangler secret put <key>");
});

test("wrangler dev answers calls with the generated configuration", async () => {
  const variables = Object.entries(environment())
    .filter(([name]) => name.startsWith("MAPLEWOOD"))
    .map(([name, value]) => `--var ${name}:${value}`);
  const command = `wrangler dev --local --ip 127.0.0.1 --port 0 ${variables.join(" ")}`;
  const url = await start(command, /Ready on (http:\S+)/);
  expect(await callTool(url)).toContain("Biscuit");
});

test("claude mcp add accepts the commands of the docs and of serve", () => {
  const texts = [...pages.map((page) => join(root, page)), join(project.folder, "README.md")];
  const commands = texts.flatMap(
    (file) => readFileSync(file, "utf8").match(/^.*claude mcp add [^\n`]+/gm) ?? [],
  );
  const unique = new Set(commands.map((line) => line.replace(/^.*(?=claude mcp add)/, "")));
  expect(unique.size).toBeGreaterThan(1);
  const overHttp =
    'claude mcp add --transport http clinic http://127.0.0.1:3000/mcp --header "Authorization: Bearer a"';
  for (const [i, command] of [...unique, overHttp].entries()) {
    // Names are unique in one configuration.
    const named = command.replace(/^(claude mcp add (?:--transport http )?)([\w-]+)/, `$1$2-${i}`);
    const { status, text } = execute(named, folder);
    expect(status, `${named}\n${text}`).toBe(0);
    expect(text).toMatch(/Added (?:stdio|HTTP) MCP server/);
  }
});

test("the MCP Inspector and `call` call a tool with the commands of the docs", async () => {
  await project.run("build");
  const [inspector = ""] = linesOf("npx").filter((text) => text.includes("inspector node"));
  const [call = ""] = linesOf("node").filter((text) => text.includes("server.js call find_pets"));
  const headless = `${inspector.replace("npx @modelcontextprotocol/inspector", "mcp-inspector --cli")} --method tools/call --tool-name find_pets --tool-arg perPage=2`;
  // Not `execute`, which would block the upstream in this process.
  for (const line of [headless, call]) {
    const { stdout } = await promisify(exec)(line, { cwd: project.folder, env: environment() });
    expect(stdout, line).toContain("Biscuit");
  }
});

const hasDocker = spawnSync("docker", ["--version"]).status === 0;

test.skipIf(!hasDocker)("docker knows the flags of the docs and of the README", () => {
  const readme = readFileSync(join(project.folder, "README.md"), "utf8");
  const commands = [...linesOf("docker"), ...(readme.match(/^docker .*$/gm) ?? [])];
  expect(commands.length).toBeGreaterThan(3);
  for (const command of commands.filter((line) => !line.startsWith("docker compose"))) {
    const [, name = "", ...words] = command.split(" ");
    const help = spawnSync("docker", [name, "--help"], { encoding: "utf8" }).stdout;
    const flags = words.filter((word, i) => word.startsWith("-") && i < words.length - 1);
    for (const flag of flags)
      expect(help, command).toMatch(new RegExp(`^\\s+(?:-\\w, )?${flag}\\b`, "m"));
  }
});
