// `npm run conformance`: generates a server from openapi.yaml, starts it with an upstream API, and
// runs the MCP conformance suite against it in each revision. Features that a tool server does not
// have are listed in expected-failures-….yaml with a reason.
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const revisions = ["2025-11-25", "2026-07-28"];
const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const harness = join(here, "harness");

/**
 * Paths of the suite and of a Node that is new enough for it, or the reason why they are
 * unavailable.
 */
function harnessProgram() {
  const suite = join(harness, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  if (!isInstalled(suite)) {
    const { status, stderr } = npm(
      [
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--no-update-notifier",
        "--loglevel=error",
      ],
      harness,
    );
    if (status !== 0)
      throw new Error(
        `The conformance suite cannot be installed from the npm registry:\n${stderr}`,
      );
  }
  return { node: findNode(), suite };
}

function isInstalled(suite) {
  const { dependencies } = JSON.parse(readFileSync(join(harness, "package.json"), "utf8"));
  const manifest = join(suite, "../../package.json");
  return (
    existsSync(manifest) &&
    JSON.parse(readFileSync(manifest, "utf8")).version ===
      dependencies["@modelcontextprotocol/conformance"]
  );
}

function findNode() {
  if (Number(process.versions.node.split(".")[0]) >= 22) return process.execPath;
  const packages = existsSync(join(harness, "node_modules"))
    ? readdirSync(join(harness, "node_modules"))
    : [];
  const bundled = packages
    .filter((name) => /^node-.*(linux|darwin|win)/.test(name))
    .flatMap((name) =>
      ["bin/node", "bin/node.exe"].map((file) => join(harness, "node_modules", name, file)),
    );
  return bundled.find((file) => existsSync(file) && spawnSync(file, ["--version"]).status === 0);
}

function npm(args, cwd) {
  return spawnSync("npm", args, {
    cwd,
    encoding: "utf8",
    shell: process.platform === "win32",
    stdio: ["ignore", "inherit", "pipe"],
  });
}

/** Starts the upstream API of the server. */
function startApi() {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==",
    "base64",
  );
  const wav = Buffer.from("UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=", "base64");
  const answers = new Map([
    ["/simple-text", [200, "text/plain", "This is a simple text response for testing."]],
    ["/image", [200, "image/png", png]],
    ["/audio", [200, "audio/wav", wav]],
    ["/file", [200, "application/pdf", "%PDF-1.4"]],
    ["/mixed", [200, "image/png", png]],
    [
      "/error",
      [
        500,
        "application/json",
        '{"message":"This tool intentionally returns an error for testing"}',
      ],
    ],
  ]);
  const server = createServer({ keepAliveTimeout: 60_000 }, ({ url }, response) => {
    const [status, type, body] = answers.get(url) ?? [404, "text/plain", "Not found."];
    response.writeHead(status, { "content-type": type }).end(body);
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () =>
      resolve({ url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }),
    ),
  );
}

/** Generates and bundles the server in a new folder. */
function generateServer(folder) {
  run(
    process.execPath,
    [join(root, "dist/cli.cjs"), join(here, "openapi.yaml"), "-o", folder],
    root,
  );
  cpSync(join(here, "custom"), join(folder, "src/custom"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  run(npmCommand, ["run", "--silent", "build"], folder);
  return join(folder, "dist/server.js");
}

const npmCommand = process.platform === "win32" ? "npm.cmd" : "npm";

function run(command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    shell: command.endsWith(".cmd"),
  });
  if (status !== 0) throw new Error(`${[command, ...args].join(" ")} failed:\n${stdout}${stderr}`);
}

async function startServer(file, api) {
  const env = { PATH: process.env.PATH, CONFORMANCE_BASE_URL: api.url };
  const child = spawn(process.execPath, [file, "--http", "--port", "0"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /http:\/\/[^\s"]+/.exec(line)?.[0];
    if (url !== undefined) return { url, child };
  }
  throw new Error("The generated server did not start.");
}

/**
 * The suite prints one line per check. Its exit code reports anything unexpected, including an
 * unexpected success.
 */
function runSuite({ node, suite }, url, revision, output) {
  const args = [
    suite,
    "server",
    "--url",
    url,
    "--requirements",
    revision,
    "--expected-failures",
    join(here, `expected-failures-${revision}.yaml`),
    "-o",
    output,
  ];
  return new Promise((resolve) => {
    let text = "";
    const child = spawn(node, args, { cwd: output, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => (text += chunk));
    child.on("close", (status) => resolve({ status, text }));
  });
}

/** Lists unexpected failures of single checks in scenarios that are expected to fail. */
function unexpectedChecks(revision, output) {
  const { checks = {} } = parse(
    readFileSync(join(here, `expected-failures-${revision}.yaml`), "utf8"),
  );
  return Object.entries(checks).flatMap(([scenario, expected]) => {
    const folder = readdirSync(output).findLast((name) => name.startsWith(`server-${scenario}-`));
    const results = JSON.parse(readFileSync(join(output, folder, "checks.json"), "utf8"));
    return results
      .filter(({ id, status }) => status === "FAILURE" && !expected.includes(id))
      .map(({ id, errorMessage }) => `${scenario}: ${id}: ${errorMessage}`);
  });
}

const program = harnessProgram();
if (!program.node) {
  console.log(
    `Conformance was not run: the suite needs Node 22 or later, and npm has none for ${process.platform} ${process.arch}. Run it with a newer Node.`,
  );
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), "mcp-gen-conformance-"));
const api = await startApi();
let server;
try {
  server = await startServer(generateServer(join(folder, "server")), api);
  for (const revision of revisions) {
    const output = mkdtempSync(join(folder, `${revision}-`));
    const { status, text } = await runSuite(program, server.url, revision, output);
    const unexpected = unexpectedChecks(revision, output);
    console.log(
      [text.slice(Math.max(0, text.lastIndexOf("=== SUMMARY"))).trim(), ...unexpected].join("\n"),
    );
    const isExpected = status === 0 && unexpected.length === 0;
    console.log(`${revision}: ${isExpected ? "as expected" : "NOT as expected"}\n`);
    if (!isExpected) process.exitCode = 1;
  }
} finally {
  server?.child.kill("SIGKILL");
  api.close();
  rmSync(folder, { recursive: true, force: true });
}
