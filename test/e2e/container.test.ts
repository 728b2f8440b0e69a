/**
 * Follows the Dockerfile of a generated project without a container. The copied files suffice to
 * build and serve, and the server writes nothing.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { clients } from "./clients.js";
import { follow, type Image } from "./dockerfile.js";
import { generateProject, type Project } from "./project.js";

const files = ["dist", "dist/server.js", "dist/server.js.LEGAL.txt", "package.json"];
const token = "a-token-of-a-good-length-for-a-test";
let project: Project;
let image: Image;

beforeAll(async () => {
  project = await generateProject("samples/clinic/openapi.yaml");
  image = await follow(project.folder);
});
afterAll(async () => {
  await project.remove();
  rmSync(image.folder, { recursive: true, force: true });
});

const inside = (): readonly string[] =>
  readdirSync(image.app, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
const program = (): string[] => [join(image.app, image.entrypoint[1]!), "--stdio"];

test("the image contains only the server, for an unprivileged user", () => {
  expect([inside(), image.user, image.entrypoint[0]]).toEqual([files, "node", "node"]);
});

test("with --stdio it serves one client", async () => {
  const client = await clients[2]![1]({
    command: process.execPath,
    args: program(),
    env: { LOG_LEVEL: "silent" },
  });
  expect((await client.listTools()).tools.length).toBe(project.plan.tools.length + 1);
  await client.close();
});

test("serves HTTP with a token by default, reports health, stops on a signal, and leaves no files", async () => {
  const args = [
    ...image.entrypoint.slice(1),
    ...image.command.map((arg) => (arg === "3000" ? "0" : arg)),
  ];
  expect(
    spawnSync(process.execPath, args, { cwd: image.app, encoding: "utf8", env: {} }),
  ).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("MAPLEWOOD_CLINIC_HTTP_TOKEN") as string,
  });
  const child = spawn(process.execPath, args, {
    cwd: image.app,
    env: { MAPLEWOOD_CLINIC_HTTP_TOKEN: token, MAPLEWOOD_CLINIC_API_KEY: "key" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close");
  const [line] = (await once(createInterface({ input: child.stderr }), "line")) as [string];
  const port = /:(\d+)\/mcp/.exec(line)?.[1] ?? "";

  const [command = "", ...arguments_] = image.healthcheck.map((arg) =>
    arg.replace(":3000/", `:${port}/`),
  );
  // Not a process of Node, which takes more memory than the check is worth.
  expect(command).toBe("env");
  const hasWget = spawnSync("wget", ["--version"]).status === 0;
  const isHealthy = (): boolean => {
    const proxied = { ...process.env, http_proxy: "http://127.0.0.1:1" };
    return spawnSync(command, arguments_, { env: proxied }).status === 0;
  };
  expect(isHealthy()).toBe(hasWget);
  const client = await clients[2]![1](new URL(`http://127.0.0.1:${port}/mcp`), {
    authorization: `Bearer ${token}`,
  });
  expect((await client.listTools()).tools.length).toBe(project.plan.tools.length + 1);
  await client.close();

  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(isHealthy()).toBe(false);
  expect(inside()).toEqual(files);
});
