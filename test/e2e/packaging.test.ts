/**
 * A generated project as a bundle, packed and unpacked by the official tool and started from there.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { getMcpConfigForManifest, type McpbManifestAny } from "@anthropic-ai/mcpb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clients } from "./clients.js";
import { generateProject, type Project } from "./project.js";

let project: Project;
let folder: string;

const mcpb = (...args: readonly string[]): Promise<unknown> =>
  promisify(execFile)(process.execPath, [
    resolve("node_modules/@anthropic-ai/mcpb/dist/cli/cli.js"),
    ...args,
  ]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcp-gen-bundle-"));
  project = await generateProject("samples/clinic/openapi.yaml");
  await project.run("bundle");
  await mcpb("validate", join(project.folder, "manifest.json"));
  await mcpb("pack", project.folder, join(folder, "clinic.mcpb"));
  await mcpb("unpack", join(folder, "clinic.mcpb"), join(folder, "unpacked"));
});
afterAll(() => Promise.all([project.remove(), rm(folder, { recursive: true, force: true })]));

test("the bundle contains only the files that the server needs", async () => {
  const files = await readdir(join(folder, "unpacked"), { recursive: true });
  expect(files.map((file) => file.replaceAll("\\", "/")).sort()).toEqual([
    "README.md",
    "dist",
    "dist/server.js",
    "dist/server.js.LEGAL.txt",
    "manifest.json",
    "package.json",
  ]);
});

test("the bundle includes the licenses of its packages", async () => {
  const text = await readFile(join(folder, "unpacked/dist/server.js.LEGAL.txt"), "utf8");
  for (const name of [
    "@modelcontextprotocol/server",
    "@modelcontextprotocol/core",
    "undici",
    "zod",
  ])
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)\n\n\\S`, "m"));
  expect(text).not.toMatch(/^(esbuild|typescript|ajv|jose) /m);
});

test.each<readonly [string, Record<string, string>]>([
  ["with a token", { maplewood_clinic_token: "token" }],
  ["with nothing filled in", {}],
])("a host starts it %s", async (_, userConfig) => {
  const manifest = JSON.parse(
    await readFile(join(folder, "unpacked/manifest.json"), "utf8"),
  ) as McpbManifestAny;
  const systemDirs = {};
  const config = await getMcpConfigForManifest({
    manifest,
    extensionPath: join(folder, "unpacked"),
    systemDirs,
    userConfig,
    pathSeparator: "/",
  });
  const { env = {}, args = [] } = config ?? {};
  expect(env).toMatchObject({
    MAPLEWOOD_CLINIC_BRANCH: "",
    MAPLEWOOD_CLINIC_TOKEN: userConfig["maplewood_clinic_token"] ?? "",
  });
  const client = await clients[2]![1]({
    command: process.execPath,
    args,
    env: { ...env, LOG_LEVEL: "silent" },
  });
  expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  const { content } = await client.callTool({ name: "find_pets", arguments: {} });
  const [text = ""] = (content as { text?: string }[]).map(({ text }) => text);
  // With a token the request goes to the default address; without one it is not sent.
  expect(text).toContain(
    userConfig["maplewood_clinic_token"] === undefined
      ? "Not sent: the description of Maplewood Clinic API asks for credentials"
      : "main.api.maplewood.example",
  );
  await client.close();
});
