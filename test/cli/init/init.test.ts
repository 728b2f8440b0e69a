import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { plant, scratch, treeOf } from "../../write/tree.js";
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
  expect(read("mcp-gen.yaml")).toMatch(/^# yaml-language-server: \$schema=https:/);
  expect(read("mcp-gen.yaml")).toContain("version: 1\nspec: openapi.yaml\noutput: ./server\n");
  expect(read("server/.env")).toMatch(/^PETS_API_KEY=s3cret!$/m);
  expect(read("server/.env")).toMatch(/^PETS_TOOLSETS=pets$/m);
  if (process.platform !== "win32")
    expect(statSync(join(root, "server/.env")).mode & 0o777).toBe(0o600);
  expect(JSON.parse(read(".mcp.json"))).toEqual({
    mcpServers: {
      pets: {
        type: "stdio",
        command: "node",
        args: ["${CLAUDE_PROJECT_DIR:-.}/server/dist/server.js"],
        alwaysLoad: true,
      },
    },
  });
  expect(JSON.parse(read(".vscode/mcp.json"))).toMatchObject({ inputs: [], servers: { pets: {} } });
  expect(read("home/.codex/config.toml")).toContain("[mcp_servers.pets]");
  expect(existsSync(join(root, ".github/workflows/mcp-gen.yml"))).toBe(true);
  expect(first.out + first.err).not.toContain("s3cret");
  expect(first.out).toMatch(/^2 tools; \.\/server has \d+ files$/m);
  expect(first.out).toContain(
    "Next:\n  cd ./server\n  npm install\n  npm run build\n" +
      "  node dist/server.js call list_pets   (to check the credentials)\n" +
      "  restart Claude Code, VS Code, Codex: it lists 2 tools, about ",
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

test("a variable of another server is written, with a note", async () => {
  const root = scratch();
  plant(root, { "openapi.yaml": PETS });
  const args = ["init", "--set", "SHOP_KEY=1", "--set", "LOG_LEVEL=warn"];
  const { code, err } = await mcpGen(args, root);
  expect([code, err]).toEqual([
    0,
    "The server does not read SHOP_KEY: its variables start with PETS_.\n",
  ]);
});

test.skipIf(process.platform === "win32")("a host's file keeps its permissions", async () => {
  const root = scratch();
  plant(root, { "openapi.yaml": PETS, ".cursor/mcp.json": "{}" });
  const file = join(root, ".cursor/mcp.json");
  chmodSync(file, 0o640);
  const { code } = await mcpGen(["init", "--host", "cursor"], root);
  expect({ code, mode: statSync(file).mode & 0o777 }).toEqual({ code: 0, mode: 0o640 });
});

describe.skipIf(process.platform === "win32")("links of a downloaded repository", () => {
  const outside = { "home/keep.json": '{"own":1}', "home/.env": "OTHER=1\n", "home/folder/": "" };

  test("mcp-gen.yaml is not written through one", async () => {
    const root = scratch();
    plant(root, { ...outside, "repo/openapi.yaml": PETS, "repo/mcp-gen.yaml": "-> ../home/new" });
    const before = treeOf(join(root, "home"));
    const { code, err } = await mcpGen(["init"], join(root, "repo"));
    expect([code, treeOf(join(root, "home"))]).toEqual([4, before]);
    expect(err).toContain("mcp-gen.yaml leads through a link to a file of another folder.");
  });

  test("files of hosts and .env are not written through one, but through those inside", async () => {
    const root = scratch();
    plant(root, {
      ...outside,
      "repo/openapi.yaml": PETS,
      "repo/.mcp.json": "-> ../home/keep.json",
      "repo/.cursor": "-> ../home/folder",
      "repo/.vscode/mcp.json": "-> ../shared.json",
      "repo/shared.json": "{}",
    });
    const here = join(root, "repo");
    const before = treeOf(join(root, "home"));
    const hosts = ["claude-code", "cursor", "vscode"].flatMap((host) => ["--host", host]);
    const first = await mcpGen(["init", ...hosts], here);
    rmSync(join(here, "server/.env"));
    plant(here, { "server/.env": "-> ../../home/.env" });
    const second = await mcpGen(["init", "--set", "PETS_API_KEY=s3cret"], here);
    expect([first.code, second.code, treeOf(join(root, "home"))]).toEqual([4, 4, before]);
    for (const path of [".mcp.json", ".cursor/mcp.json"])
      expect(first.err).toContain(`${path} leads through a link to a file of another folder.`);
    expect(second.err).toContain("server/.env leads through a link to a file of another folder.");
    expect(treeOf(here)[".vscode/mcp.json"]).toBe("-> ../shared.json");
    expect(treeOf(here)["shared.json"]).toContain('"pets"');
  });
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
  [
    ["init", "pets.yaml", "--set", "PETS_API_KEY='\"`"],
    "error: PETS_API_KEY: A .env file cannot hold this value",
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

const OTHER = PETS.replace("Pets", "Others");

test.each([
  [["other.yaml"], "configures another document (pets.yaml). Run init in another folder."],
  [["pets.yaml", "--namespace", "shop"], "mcp-gen.yaml exists. Set namespace in it"],
  [["pets.yaml", "--name", "x"], "mcp-gen.yaml exists. Set name in it"],
  [["--base-url", "https://x.example"], "mcp-gen.yaml exists. Set baseUrl in it"],
  [["-o", "other"], "mcp-gen.yaml exists. Set output in it"],
])("%j does not contradict mcp-gen.yaml", async (args, message) => {
  const root = scratch();
  const configuration = "version: 1\nspec: ./pets.yaml\noutput: server\nnamespace: pets\n";
  plant(root, { "mcp-gen.yaml": configuration, "pets.yaml": PETS, "other.yaml": OTHER });
  const { code, err } = await mcpGen(["init", ...args], root);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  expect(readdirSync(root).sort()).toEqual(["mcp-gen.yaml", "other.yaml", "pets.yaml"]);
});

test("arguments that repeat mcp-gen.yaml are accepted", async () => {
  const root = scratch();
  const configuration = "version: 1\nspec: ./pets.yaml\noutput: server\nnamespace: pets\n";
  plant(root, { "mcp-gen.yaml": configuration, "pets.yaml": PETS });
  const args = ["init", join(root, "pets.yaml"), "-o", "./server", "--namespace", "pets"];
  expect(await mcpGen(args, root)).toMatchObject({ code: 0 });
});

test("a refused folder leaves no mcp-gen.yaml, and the next run uses another folder", async () => {
  const root = scratch();
  plant(root, { "pets.yaml": PETS, "full/notes.txt": "mine" });
  const refused = await mcpGen(["init", "pets.yaml", "-o", "full"], root);
  expect(refused).toMatchObject({ code: 4, err: expect.stringContaining("Removed mcp-gen.yaml") });
  expect(existsSync(join(root, "mcp-gen.yaml"))).toBe(false);
  expect(await mcpGen(["init", "pets.yaml", "-o", "server"], root)).toMatchObject({ code: 0 });
  expect(readFileSync(join(root, "mcp-gen.yaml"), "utf8")).toContain("output: server\n");
});

test("only the configuration of the current folder applies, and paths in it are relative", async () => {
  const root = scratch();
  const configuration = "version: 1\nspec: ./pets.yaml\nnamespace: shop\n";
  plant(root, { "apis/mcp-gen.yaml": configuration, "apis/pets.yaml": PETS, "here/": "" });
  const here = join(root, "here");
  const { code, err } = await mcpGen(["init", join(root, "apis/pets.yaml")], here);
  expect([code, err]).toEqual([0, ""]);
  expect(readFileSync(join(here, "mcp-gen.yaml"), "utf8")).toContain("spec: ../apis/pets.yaml\n");
  expect(readFileSync(join(here, "server/mcp-gen.lock.json"), "utf8")).not.toContain("shop_");
});

const hasScript =
  process.platform === "linux" &&
  spawnSync("script", ["--version"], { stdio: "ignore" }).status === 0;

/** Answers the questions of `init` on a terminal, each when it is asked. */
async function answer(
  root: string,
  args: readonly string[],
  answers: readonly (readonly [question: string, keys: string])[],
): Promise<{ readonly closed: readonly unknown[]; readonly screen: string }> {
  const program = [process.execPath, cli, "init", ...args].map((word) => quoteForUser(word));
  const wide = `stty rows 24 cols 200; ${program.join(" ")}`;
  const child = spawn("script", ["-qec", wide, "/dev/null"], { cwd: root });
  const closed = once(child, "close");
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (screen += text));
  for (const [question, keys] of answers) {
    await expect.poll(() => screen, { timeout: 60_000 }).toContain(question);
    child.stdin.write(keys);
  }
  return { closed: await closed, screen };
}

test.runIf(hasScript).each([
  ["Ctrl-C", [["Folder of the server", "\x03"]]],
  ["Ctrl-D", [["Folder of the server", "\x04"]]],
  [
    "Ctrl-D at the second question",
    [
      ["Folder of the server", "\r"],
      ["Toolsets to list", "\x04"],
    ],
  ],
] as const)("%s on a terminal ends it, and nothing is written", async (_, answers) => {
  const root = scratch();
  plant(root, { "openapi.yaml": PETS });
  const { closed, screen } = await answer(root, [], answers);
  expect(closed).toEqual([2, null]);
  expect(screen).toMatch(/Nothing was written\.\s*$/);
  expect(readdirSync(root)).toEqual(["openapi.yaml"]);
});

const ALTERNATIVES = PETS.replace(
  "{type: apiKey, in: header, name: X-Key}}}",
  "{type: apiKey, in: header, name: X-Key}, user: {type: oauth2, flows: {authorizationCode: " +
    "{authorizationUrl: 'https://id.example/a', tokenUrl: 'https://id.example/t', scopes: {}}}}}}",
).replace("[{key: []}]", "[{key: []}, {user: []}]");

const REMOVAL = `  /pets/{name}:
    delete:
      tags: [pets]
      operationId: deletePet
      parameters: [{name: name, in: path, required: true, schema: {type: string}}]
      responses: {'204': {description: Deleted}}
`;

test.runIf(hasScript)(
  "of alternative credentials, only the selected ones are asked for",
  async () => {
    const root = scratch();
    plant(root, { "openapi.yaml": ALTERNATIVES + REMOVAL });
    const args = ["-o", "server", "--toolsets", "pets", "--host", "cursor", "--ci", "github"];
    const { closed, screen } = await answer(root, args, [
      ["Credentials of the API", "\r"],
      ["PETS_API_KEY: ", "s3cret\r"],
      ["Let the server ask the user before destructive requests", "y"],
    ]);
    expect(readFileSync(join(root, "mcp-gen.yaml"), "utf8")).toMatch(/^approve: destructive$/m);
    expect(closed).toEqual([0, null]);
    expect(readFileSync(join(root, "server/.env"), "utf8")).toMatch(/^PETS_API_KEY=s3cret$/m);
    expect(screen).toContain("PETS_CLIENT_ID (then login)");
    expect(screen).not.toContain("PETS_TOKEN: ");
    expect(screen).not.toContain("fill in");
  },
);

test("a client ID is followed by the sign-in, an incomplete alternative by all of them", async () => {
  const root = scratch();
  plant(root, { "openapi.yaml": ALTERNATIVES });
  const client = await mcpGen(["init", "--set", "PETS_CLIENT_ID=c"], root);
  expect(client.out).toContain("  npm run build\n  node dist/server.js login   (to sign in)\n");
  expect(client.out).not.toContain("fill in");
  plant(root, { "server/.env": "PETS_REFRESH_TOKEN=r\n" });
  const incomplete = await mcpGen(["init"], root);
  expect(incomplete.out).toContain("which Git ignores: one of PETS_API_KEY, or PETS_TOKEN, or");
});

test("a list above the budget is reported, with the settings that trim it", async () => {
  const root = scratch();
  plant(root, {
    "pets.yaml": PETS,
    "mcp-gen.yaml": "version: 1\nspec: ./pets.yaml\noutput: server\nbudget: {tools: 1}\n",
  });
  const { code, out } = await mcpGen(["init"], root);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^2 tools; server has \d+ files\n {2}2 tools cost .* over the budget of 1 tool/m,
  );
});
