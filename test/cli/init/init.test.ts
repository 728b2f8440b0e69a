import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plant, scratch } from "../../write/tree.js";
import { cli, mcpGen } from "../built.js";
import { quoteForUser } from "../../../src/cli/terminal.js";

const PETS = `openapi: 3.1.0
info: {title: Pets, version: '1'}
servers: [{url: 'https://pets.example/v1'}]
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
security: [{key: []}]
paths:
  /pets:
    get:
      tags: [pets]
      operationId: listPets
      responses: {'200': {description: Pets, content: {application/json: {schema: {type: array, items: {type: object, properties: {name: {type: string}}}}}}}}
  /owners:
    get:
      tags: [owners]
      operationId: listOwners
      responses: {'200': {description: Owners, content: {application/json: {schema: {type: array, items: {type: object, properties: {name: {type: string}}}}}}}}
`;

test("everything is written without a terminal, and a second run changes nothing", async () => {
  const root = scratch();
  plant(root, { "openapi.yaml": PETS, ".vscode/mcp.json": '{"inputs": []}', "home/": "" });
  const args = [
    ...["init", "--toolsets", "pets", "--set", "PETS_API_KEY=s3cret!", "--ci", "github"],
    ...["--host", "claude-code", "--host", "vscode", "--host", "codex"],
  ];
  const first = await mcpGen(args, root, "", { HOME: join(root, "home") });
  expect(first).toMatchObject({ code: 0 });
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  expect(read("mcp-gen.yaml")).toContain("version: 1\nspec: openapi.yaml\noutput: ./server\n");
  expect(read("server/.env")).toMatch(/^PETS_API_KEY=s3cret!$/m);
  expect(read("server/.env")).toMatch(/^PETS_TOOLSETS=pets$/m);
  if (process.platform !== "win32")
    expect(statSync(join(root, "server/.env")).mode & 0o777).toBe(0o600);
  expect(JSON.parse(read(".mcp.json"))).toEqual({
    mcpServers: {
      pets: { type: "stdio", command: "node", args: [join(root, "server/dist/server.js")] },
    },
  });
  expect(JSON.parse(read(".vscode/mcp.json"))).toMatchObject({ inputs: [], servers: { pets: {} } });
  expect(read("home/.codex/config.toml")).toContain("[mcp_servers.pets]");
  expect(existsSync(join(root, ".github/workflows/mcp-gen.yml"))).toBe(true);
  expect(first.out + first.err).not.toContain("s3cret");
  expect(first.out).toMatch(/^2 tools; \.\/server has \d+ files$/m);
  expect(first.out).toContain(
    "Next:\n  cd ./server\n  npm install\n  npm run build\n  restart Claude Code, VS Code, Codex\n",
  );

  const second = await mcpGen(args, root, "", { HOME: join(root, "home") });
  expect(second.code).toBe(0);
  expect(second.out).toContain("mcp-gen.yaml exists and is not changed.");
  expect(second.out).toContain(".mcp.json already has the server.");
});

test("the next steps name the variables that are left, and where hosts are described", async () => {
  const root = scratch();
  plant(root, { "openapi.yaml": PETS });
  const { out } = await mcpGen(["init"], root);
  expect(out).toContain("Next:\n  fill in ./server/.env, which Git ignores: PETS_API_KEY\n");
  expect(out).toContain("\n  connect a host: README.md of the server has its configuration\n");
});

test("a file that cannot be merged is kept, and its entry is printed", async () => {
  const root = scratch();
  const mine = "{\n  // mine\n}\n";
  plant(root, { "openapi.yaml": PETS, ".cursor/mcp.json": mine });
  const { code, err } = await mcpGen(["init", "--host", "cursor"], root);
  expect(code).toBe(4);
  expect(err).toContain("is not plain JSON and is not changed. Add this to it:");
  expect(readFileSync(join(root, ".cursor/mcp.json"), "utf8")).toBe(mine);
});

test.each([
  [["init"], "Give an OpenAPI document"],
  [["init", "-"], "mcp-gen.yaml needs the document in a file or at a URL"],
  [["init", "pets.yaml", "--host", "emacs"], "Known hosts: claude-desktop, claude-code"],
  [["init", "pets.yaml", "--set", "novalue"], "Give NAME=VALUE"],
  [
    ["init", "pets.yaml", "--set", "PETS_API_KY=1"],
    "Unknown variable PETS_API_KY; did you mean PETS_API_KEY?",
  ],
  [["init", "pets.yaml", "--toolsets", "cats"], "Unknown toolset cats; known: pets, owners"],
])("%j is a usage error", async (args, message) => {
  const root = scratch();
  plant(root, { "pets.yaml": PETS });
  const { code, err } = await mcpGen(args, root);
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(existsSync(join(root, "mcp-gen.yaml"))).toBe(false);
});

const hasScript =
  process.platform === "linux" &&
  spawnSync("script", ["--version"], { stdio: "ignore" }).status === 0;

test.runIf(hasScript).each([
  ["Ctrl-C", ["\x03"]],
  ["Ctrl-D", ["\x04"]],
  ["Ctrl-D at the second question", ["\r", "\x04"]],
])("%s on a terminal ends it, and nothing is written", async (_, keys) => {
  const root = scratch();
  plant(root, { "openapi.yaml": PETS });
  const program = [process.execPath, cli, "init"].map((word) => quoteForUser(word)).join(" ");
  const wide = `stty rows 24 cols 80; ${program}`;
  const child = spawn("script", ["-qec", wide, "/dev/null"], { cwd: root });
  const closed = once(child, "close");
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (screen += text));
  for (const [i, question] of ["Folder of the server", "Toolsets to list"].entries()) {
    if (keys[i] === undefined) break;
    await expect.poll(() => screen).toContain(question);
    child.stdin.write(keys[i]);
  }
  expect(await closed).toEqual([2, null]);
  expect(screen).toMatch(/Nothing was written\.\s*$/);
  expect(readdirSync(root)).toEqual(["openapi.yaml"]);
});
