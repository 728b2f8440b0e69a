// `npm run first-hour`: the way of a new user, from an empty folder with the packed tarball to a
// publish dry run, with the number of commands and the time of each step. With `-- --compare` the
// same steps with openapi-mcp-generator, which is installed into a temporary folder for it.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const repository = fileURLToPath(new URL("..", import.meta.url));
const RIVAL = "openapi-mcp-generator@4.0.1";
const isWindows = process.platform === "win32";

/** The API: it answers every request, and wants a key. */
function startApi() {
  const server = createServer((request, response) => {
    const isKnown = request.headers["x-key"] === "secret";
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(isKnown ? [{ id: 1, name: "Rex" }] : { error: "no key" }));
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () =>
      resolve({ url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }),
    );
  });
}

function documentOf(url, change = {}) {
  const pet = { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } } };
  const responses = {
    200: {
      description: "Pets",
      content: { "application/json": { schema: { type: "array", items: pet } } },
    },
  };
  const status = { name: "status", in: "query", schema: { type: "string" } };
  const listPets = {
    operationId: "listPets",
    summary: "List pets",
    parameters: [status],
    responses,
  };
  return JSON.stringify({
    openapi: "3.0.3",
    info: { title: "Pets", version: "1.0.0" },
    servers: [{ url }],
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
    security: [{ key: [] }],
    paths: { "/pets": { get: { ...listPets, ...change.get } }, ...change.paths },
  });
}

/** The next version of the document: a parameter is required, and an operation is new. */
const CHANGE = {
  get: {
    parameters: [{ name: "status", in: "query", required: true, schema: { type: "string" } }],
  },
  paths: {
    "/owners": {
      get: {
        operationId: "listOwners",
        summary: "List owners",
        responses: { 200: { description: "Owners" } },
      },
    },
  },
};

/** A folder to work in, with commands of its own in the path. */
class Workplace {
  folder = mkdtempSync(join(tmpdir(), "mcp-gen-first-hour-"));
  /** Commands and milliseconds by step. */
  steps = new Map();
  environment = {
    ...process.env,
    npm_config_fund: "false",
    npm_config_audit: "false",
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
    HOME: this.folder,
    npm_config_cache: process.env.npm_config_cache ?? join(process.env.HOME ?? "", ".npm"),
    PATH: `${join(this.folder, "node_modules/.bin")}${delimiter}${process.env.PATH}`,
  };

  /** Runs a step and records it. Each command that a user types counts. */
  async step(name, action) {
    const record = { commands: 0, milliseconds: 0 };
    this.steps.set(name, record);
    const start = performance.now();
    await action(record);
    record.milliseconds = performance.now() - start;
  }

  /** Runs a command as a user types it. */
  run(record, command, { cwd = this.folder, codes = [0] } = {}) {
    record.commands += command.split("&&").length;
    return new Promise((resolve, reject) => {
      const child = spawn(command, {
        ...{ cwd, env: this.environment, shell: true },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      child.stdout.on("data", (text) => (output += text));
      child.stderr.on("data", (text) => (output += text));
      child.on("close", (code) =>
        codes.includes(code)
          ? resolve(output)
          : reject(new Error(`${command} ended with ${code}:\n${output}`)),
      );
    });
  }

  write(path, text) {
    writeFileSync(join(this.folder, path), text);
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Starts a server as a host does, calls the tool that lists pets, and checks its answer. */
async function callTool(workplace, { command, args, env = {}, input = {} }) {
  const client = new Client({ name: "first-hour", version: "1.0.0" });
  const { PATH } = workplace.environment;
  const transport = new StdioClientTransport({
    ...{ command, args, cwd: workplace.folder, stderr: "pipe" },
    env: { ...getDefaultEnvironment(), HOME: workplace.folder, PATH, ...env },
  });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const { name } = tools.find((tool) => /pets/i.test(tool.name)) ?? {};
    const result = await client.callTool({ name, arguments: input });
    check(JSON.stringify(result.content), /Rex/);
  } finally {
    await client.close();
  }
}

function check(text, pattern) {
  if (!pattern.test(text)) throw new Error(`Expected ${pattern} in:\n${text}`);
}

/** A command of `node_modules/.bin`, as Windows starts it. */
const program = (name) => (isWindows ? `${name}.cmd` : name);

async function withMcpGen(api, tarball) {
  const workplace = new Workplace();
  const { folder } = workplace;
  const server = join(folder, "server");
  workplace.write("openapi.json", documentOf(api.url));
  await workplace.step("install", (record) => workplace.run(record, `npm install "${tarball}"`));
  await workplace.step("a tool answers", async (record) => {
    record.commands++;
    const env = { PETS_API_KEY: "secret" };
    const args = ["serve", "openapi.json", "--env", "PETS_API_KEY"];
    await callTool(workplace, { command: program("mcp-gen"), args, env });
  });
  await workplace.step("own the server", async (record) => {
    await workplace.run(record, "mcp-gen init openapi.json --yes --host cursor");
    await workplace.run(record, "npm install && npm run build", { cwd: server });
  });
  /** The entry as Cursor reads it. */
  const entryOf = () => {
    const text = readFileSync(join(folder, ".cursor/mcp.json"), "utf8");
    const inFolder = JSON.stringify(folder).slice(1, -1);
    return Object.values(
      JSON.parse(text.replaceAll("${workspaceFolder}", () => inFolder)).mcpServers,
    )[0];
  };
  await workplace.step("start, call", () => {
    writeFileSync(join(server, ".env"), "PETS_API_KEY=secret\n");
    return callTool(workplace, entryOf());
  });
  workplace.write("openapi.json", documentOf(api.url, CHANGE));
  await workplace.step("see the change", async (record) => {
    const text = await workplace.run(
      record,
      "mcp-gen diff openapi.json -o server --fail-on breaking",
      {
        codes: [1],
      },
    );
    check(text, /find_pets|list_pets/);
    check(text, /list_owners/);
  });
  await workplace.step("regenerate, call", async (record) => {
    check(await workplace.run(record, "mcp-gen"), /Updated .*server/);
    await workplace.run(record, "npm run build", { cwd: server });
    await callTool(workplace, { ...entryOf(), input: { status: "sold" } });
  });
  await workplace.step("publish dry run", async (record) => {
    check(
      await workplace.run(record, "npm run release -- --dry-run", { cwd: server }),
      /\+ pets-mcp/,
    );
  });
  workplace.remove();
  return workplace.steps;
}

async function withRival(api) {
  const workplace = new Workplace();
  const server = join(workplace.folder, "server");
  const generate = "openapi-mcp-generator --input openapi.json --output server";
  workplace.write("openapi.json", documentOf(api.url));
  const start = {
    ...{ command: process.execPath, args: [join(server, "build/index.js")] },
    env: { API_KEY_KEY: "secret" },
  };
  await workplace.step("install", (record) => workplace.run(record, `npm install ${RIVAL}`));
  await workplace.step("a tool answers", async (record) => {
    await workplace.run(record, generate);
    await workplace.run(record, "npm install && npm run build", { cwd: server });
    await callTool(workplace, start);
  });
  await workplace.step("start, call", () => callTool(workplace, start));
  workplace.write("openapi.json", documentOf(api.url, CHANGE));
  await workplace.step("regenerate, call", async (record) => {
    await workplace.run(record, `${generate} --force`);
    await workplace.run(record, "npm install && npm run build", { cwd: server });
    await callTool(workplace, { ...start, input: { status: "sold" } });
  });
  await workplace.step("publish dry run", (record) =>
    workplace.run(record, "npm publish --dry-run", { cwd: server }),
  );
  workplace.remove();
  return workplace.steps;
}

/** Packs the repository as it would be published. */
async function pack() {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-pack-"));
  const packer = new Workplace();
  const command = `npm pack --ignore-scripts --silent --pack-destination "${folder}"`;
  await packer.run({ commands: 0 }, command, { cwd: repository });
  packer.remove();
  return { tarball: join(folder, readdirSync(folder)[0]), folder };
}

/** Width of a column of the table. */
const COLUMN = 30;

function print(columns) {
  const names = [...columns[0][1].keys()];
  const head = columns.map(([title]) => title.padStart(COLUMN)).join("");
  console.log(`${"".padEnd(18)}${head}`);
  for (const name of names) {
    const cells = columns.map(([, steps]) => {
      const step = steps.get(name);
      if (!step) return "–".padStart(COLUMN);
      const { commands, milliseconds } = step;
      const many = `${commands} command${commands === 1 ? "" : "s"}`;
      return `${many}, ${(milliseconds / 1000).toFixed(1)} s`.padStart(COLUMN);
    });
    console.log(`${name.padEnd(18)}${cells.join("")}`);
  }
}

mkdirSync(tmpdir(), { recursive: true });
const api = await startApi();
const { tarball, folder } = await pack();
try {
  const columns = [["mcp-gen", await withMcpGen(api, tarball)]];
  if (process.argv.includes("--compare")) columns.push([RIVAL, await withRival(api)]);
  print(columns);
} finally {
  api.close();
  rmSync(folder, { recursive: true, force: true });
}
