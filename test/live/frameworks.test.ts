/**
 * The pages about servers that a generated project is a part of. Their commands install the
 * packages, their code runs, and clients of both SDKs call it over HTTP.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blocksOf, root, shellLines } from "../docs/snippets.js";
import { clients } from "../e2e/clients.js";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { findFreePort, startServer } from "./process.js";

/** Milliseconds for installations on a slow machine. */
const patience = 1_800_000;

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-frameworks-"));
const owners = [{ id: "own_1", firstName: "Ada", lastName: "Byron", email: "ada@example.com" }];
let upstream: Upstream;

/** Runs a line of a page, with this repository as `npx mcp-gen`. */
function runLine(line: string, cwd: string): void {
  const own = line.replace(/^npx mcp-gen/, `node ${join(root, "dist/cli.cjs")}`);
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
  execFileSync("sh", ["-c", own], { cwd, env, stdio: "pipe" });
}

/** Lines of a page: the first two make the package, the next installs it, and the last starts it. */
function linesOf(page: string) {
  const [generate = "", pack = "", install = "", ...starts] = shellLines(`docs/${page}.md`).map(
    ({ text }) => text,
  );
  return { generate, pack, install, builds: starts.slice(0, -1), start: starts.at(-1) ?? "" };
}

/** Writes the files of a page, each after its name. */
function writeCode(page: string, to: string): void {
  const text = readFileSync(join(root, `docs/${page}.md`), "utf8");
  const files = [...text.matchAll(/^`([\w./-]+)`:\n\n```js\n([^]*?)^```$/gm)];
  expect(files.map(([, , code]) => code)).toEqual(blocksOf(`docs/${page}.md`, "js"));
  for (const [, path = "", code = ""] of files) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), code);
  }
}

beforeAll(async () => {
  upstream = await startUpstream(reply(200, { data: owners }));
  symlinkSync(join(root, "samples"), join(folder, "samples"));
  const { generate, pack } = linesOf("express");
  runLine(generate, folder);
  runLine(pack, folder);
}, patience);
afterAll(async () => {
  await upstream?.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(["express", "fastify", "hono", "next"])(
  "docs/%s.md",
  async (page) => {
    const { generate, pack, install, builds, start } = linesOf(page);
    expect({ generate, pack }).toEqual(
      (({ generate, pack }) => ({ generate, pack }))(linesOf("express")),
    );
    const app = join(folder, page);
    mkdirSync(app);
    symlinkSync(join(folder, "server"), join(app, "server"));
    writeFileSync(join(app, "package.json"), '{ "private": true }\n');
    runLine(install, app);
    writeCode(page, app);
    for (const line of builds) runLine(line, app);

    const port = String(await findFreePort());
    const env = {
      PATH: `${join(app, "node_modules/.bin")}${delimiter}${process.env["PATH"]}`,
      PORT: port,
      APP_TOKEN: "secret",
      MAPLEWOOD_CLINIC_TOKEN: "token",
      MAPLEWOOD_CLINIC_BASE_URL: upstream.url,
      NEXT_TELEMETRY_DISABLED: "1",
    };
    const command = start.replace(/^npx /, "").replace("8080", port);
    const url = new URL(`http://localhost:${port}/mcp`);
    const launch = { command: "sh", args: ["-c", `exec ${command}`], env };
    const running = await startServer(launch, app, url.href);
    try {
      expect((await fetch(url, { method: "POST" })).status).toBe(401);
      for (const [name, connect] of clients) {
        const client = await connect(url, { authorization: "Bearer secret" });
        const call = { name: "find_owners", arguments: {} };
        const { structuredContent } = await client.callTool(call);
        expect({ name, structuredContent }).toMatchObject({
          name,
          structuredContent: { items: [{ firstName: "Ada" }] },
        });
        await client.close();
      }
    } finally {
      await running.stop();
    }
  },
  patience,
);
