#!/usr/bin/env node
/**
 * Starts a live server in the state that its tasks start from, generates a server for it, and runs
 * a command with the generated server's command at its end. Both end with the command.
 *
 *     node bench/trials/start.mjs SERVER VARIANT FOLDER [--settings FILE] -- command…
 *
 * SERVER is a folder beside this file, VARIANT is `tools`, `discovery` or `hybrid`. FOLDER keeps
 * the installations for the next trial; each start makes a folder for its data in it. The settings
 * are put below the keys that every trial has. `npm run build` comes first.
 */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Arguments before and behind the two dashes. */
function readArguments() {
  const all = process.argv.slice(2);
  const dashes = all.indexOf("--");
  const [name, variant, folder, option, settings] = all.slice(0, dashes);
  const command = all.slice(dashes + 1);
  if (dashes < 3 || command.length === 0 || (option && option !== "--settings")) {
    console.error("start.mjs SERVER VARIANT FOLDER [--settings FILE] -- command…");
    process.exit(2);
  }
  return { name, variant, folder: resolve(folder), settings, command };
}

async function findFreePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** Installs a server unless an earlier trial did. */
function install({ packages, debian, arrange }, folder) {
  if (existsSync(join(folder, "complete"))) return;
  mkdirSync(folder, { recursive: true });
  const run = (program, ...args) => execFileSync(program, args, { cwd: folder, stdio: "inherit" });
  if (packages) {
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    run("npm", "install", "--no-audit", "--no-fund", "--save-exact", ...packages);
  }
  if (debian) unpackDebian(debian, folder, run);
  arrange?.(folder);
  writeFileSync(join(folder, "complete"), "");
}

/** Downloads packages and unpacks them without running their scripts. */
function unpackDebian(packages, folder, run) {
  const archives = join(folder, "archives");
  mkdirSync(join(archives, "partial"), { recursive: true });
  const set = ["-o", "Debug::NoLocking=true", "-o", `Dir::Cache::archives=${archives}`];
  const flags = ["--yes", "--no-install-recommends", "--download-only", "--reinstall"];
  run("apt-get", "install", ...flags, ...set, ...packages);
  for (const file of readdirSync(archives).filter((entry) => entry.endsWith(".deb")))
    run("dpkg", "-x", join(archives, file), join(folder, "debian"));
}

/** Starts a program in a process group of its own, so that its children end with it. */
function startGroup({ command, args, env, uid }, cwd) {
  const user = uid !== undefined && process.getuid?.() === 0 ? { uid, gid: uid } : {};
  const child = spawn(command, args, {
    cwd,
    detached: true,
    env: { PATH: process.env.PATH, HOME: cwd, TZ: "UTC", ...env },
    stdio: ["ignore", "ignore", "inherit"],
    ...user,
  });
  process.on("exit", () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  });
}

async function waitFor(url) {
  for (let attempt = 0; attempt < 360; attempt++) {
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (response && response.status < 500) return;
    await delay(500);
  }
  throw new Error(`no answer at ${url}`);
}

/** Starts and fills the live server. Returns its URL. */
async function startLive(server, installation, data) {
  const [port, freePort] = [await findFreePort(), await findFreePort()];
  chmodSync(data, 0o777);
  startGroup(server.launch({ installation, data, port, freePort }), data);
  const url = `http://127.0.0.1:${port}`;
  await waitFor(url + server.ready);
  await server.seed(url);
  return url;
}

/** Generates and bundles the server. Returns the folder of the project. */
async function generate(server, url, folder, settings) {
  const response = await fetch(url + server.document, { headers: server.documentHeaders ?? {} });
  writeFileSync(join(folder, "openapi.json"), await response.text());
  const extra = settings ? readFileSync(settings, "utf8") : "";
  writeFileSync(join(folder, "mcp-gen.yaml"), `version: 1\nserver:\n  rawRequests: true\n${extra}`);
  const base = ["--base-url", url + (server.basePath ?? "")];
  const options = ["-o", "server", "--config", "mcp-gen.yaml", "--features", "all", ...base];
  const cli = join(repository, "dist/cli.cjs");
  const run = (program, args, cwd) => execFileSync(program, args, { cwd, stdio: "inherit" });
  run(process.execPath, [cli, "openapi.json", ...options], folder);
  const project = join(folder, "server");
  symlinkSync(join(repository, "node_modules"), join(project, "node_modules"), "junction");
  run("npm", ["run", "--silent", "build"], project);
  return project;
}

/** First words of the variables of a generated project. */
function readPrefix(project) {
  const example = readFileSync(join(project, ".env.example"), "utf8");
  return /^#? ?([A-Z0-9_]+)_BASE_URL=/m.exec(example)[1];
}

const { name, variant, folder, settings, command } = readArguments();
const server = await import(`./${name}/server.mjs`);
mkdirSync(folder, { recursive: true });
chmodSync(folder, 0o755);
const installation = join(folder, `installation-${name}`);
install(server, installation);
const [data, work] = ["data", "work"].map((kind) => mkdtempSync(join(folder, `${kind}-${name}-`)));
const url = await startLive(server, installation, data);
const project = await generate(server, url, work, settings);
const { variable, value } = server.credentials;
const env = { ...process.env, [`${readPrefix(project)}_${variable}`]: value };
const start = [process.execPath, join(project, "dist/server.js"), "--mode", variant];
const [program, ...args] = [...command, ...start];
const child = spawn(program, args, { env, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
