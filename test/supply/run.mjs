// `npm run supply`: the way of packages into a generated project, as its owner goes it. Generates one of each kind, fills an empty cache
// from the registry, installs again with nothing but that cache, and then builds and tests.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "mcp-gen-supply-"));
const cache = join(work, "cache");
const env = { ...process.env, NO_COLOR: "1", npm_config_cache: cache, npm_config_audit: "false", npm_config_fund: "false", npm_config_update_notifier: "false" };

/** Samples, one for each package.json there is, and how they are generated. */
const projects = [
  { sample: "clinic", args: ["openapi.yaml", "-o", "server"] },
  { sample: "tickets", args: [], alsoNeeds: "json-p3" },
];

function run(cwd, program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8", shell: process.platform === "win32" && program === "npm", maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`${[program, ...args].join(" ")} failed:\n${`${stdout}\n${stderr}`.trim().slice(-4000)}`);
  return stdout;
}

function want(condition, otherwise) {
  if (!condition) throw new Error(otherwise);
}

/** Names of scripts that npm would run by itself when the package is installed. */
function installScripts({ scripts = {} }) {
  return Object.keys(scripts).filter((name) => /^(pre|post)?install$|^(pre|post)?prepare$/.test(name));
}

function check({ sample, args, alsoNeeds }) {
  const folder = join(work, sample);
  const read = (...path) => readFileSync(join(folder, "server", ...path), "utf8");
  cpSync(join(root, "samples", sample), folder, { recursive: true, filter: (path) => basename(path) !== "server" });
  const npm = (...rest) => run(join(folder, "server"), "npm", ...rest);
  const say = (what) => console.log(`${sample}: ${what}`);
  execFileSync(process.execPath, [join(root, "dist/cli.cjs"), ...args], { cwd: folder, stdio: "pipe" });
  const [manifest, lock] = [read("package.json"), read("package-lock.json")];

  npm("ci");
  rmSync(join(folder, "server/node_modules"), { recursive: true });
  const [, packages] = /added (\d+) packages/.exec(npm("ci", "--offline")) ?? [];
  say(`npm ci --offline installs ${packages} packages from the lock`);
  npm("ls", "--all");
  say("npm ls has no complaints");
  want(!alsoNeeds || alsoNeeds in JSON.parse(manifest).dependencies, `package.json does not need ${alsoNeeds}`);
  want(installScripts(JSON.parse(manifest)).length === 0, "package.json has install scripts");
  npm("run", "build");
  want(/^zod \d/m.test(read("dist/server.js.LEGAL.txt")), "the licences of the packages inside are not there");
  want(read("dist/server.js.LEGAL.txt").match(/^zod \d/gm).length === 1, "there are two copies of zod in the server");
  say(`npm run build makes dist/server.js, ${Math.round(read("dist/server.js").length / 1000)} kB`);
  const [, passed] = /^[#ℹ] pass (\d+)$/mu.exec(npm("test")) ?? [];
  say(`npm test passes ${passed} tests`);
  npm("install", "--offline");
  want(read("package.json") === manifest && read("package-lock.json") === lock, "npm install changes what was generated");
  execFileSync(process.execPath, [join(root, "dist/cli.cjs"), ...args, "--check"], { cwd: folder, stdio: "pipe" });
  say("npm install changes nothing, and so does another run");
}

try {
  projects.forEach(check);
  want(!/new Function|\beval\(/.test(readFileSync(join(work, "clinic/server/dist/server.js"), "utf8")), "the server makes code of text");
  want(readdirSync(cache).includes("_cacache"), "nothing was cached: the packages came from elsewhere");
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
