// `npm run supply`: installs generated projects as a user would. For one project of each kind it
// fills an empty cache from the registry, runs `npm audit`, installs again from that cache alone,
// builds and tests.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { audit } from "./audit.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "mcp-gen-supply-"));
const cache = join(work, "cache");
const env = {
  ...process.env,
  NO_COLOR: "1",
  npm_config_cache: cache,
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
};

/** One sample for each form of package.json, with the arguments that generate it. */
const projects = [
  { sample: "clinic", args: ["openapi.yaml", "-o", "server"] },
  { sample: "tickets", args: [], extraDependency: "json-p3" },
];

function run(cwd, program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env,
    encoding: "utf8",
    shell: process.platform === "win32" && program === "npm",
    maxBuffer: 1 << 26,
  });
  if (status !== 0)
    throw new Error(
      `${[program, ...args].join(" ")} failed:\n${`${stdout}\n${stderr}`.trim().slice(-4000)}`,
    );
  return stdout;
}

function assert(condition, message) {
  if (!condition) throw new Error(message);
}

/** Number of checks by outcome. A check that could not run is skipped. */
const tally = { passed: 0, failed: 0, skipped: 0 };

function report(subject, outcome, message) {
  tally[outcome]++;
  console[outcome === "failed" ? "error" : "log"](`${subject}: ${message}`);
}

async function reportAudit(subject, cwd, title, ...options) {
  const { outcome, summary } = await audit(cwd, options, env);
  report(subject, outcome, `${title}: ${summary}`);
}

/** Names of scripts that npm runs on installation. */
function installScripts({ scripts = {} }) {
  return Object.keys(scripts).filter((name) =>
    /^(pre|post)?install$|^(pre|post)?prepare$/.test(name),
  );
}

async function check({ sample, args, extraDependency }) {
  const folder = join(work, sample);
  const read = (...path) => readFileSync(join(folder, "server", ...path), "utf8");
  cpSync(join(root, "samples", sample), folder, {
    recursive: true,
    filter: (path) => basename(path) !== "server",
  });
  const npm = (...rest) => run(join(folder, "server"), "npm", ...rest);
  const pass = (message) => report(sample, "passed", message);
  execFileSync(process.execPath, [join(root, "dist/cli.cjs"), ...args], {
    cwd: folder,
    stdio: "pipe",
  });
  const [manifest, lock] = [read("package.json"), read("package-lock.json")];

  npm("ci");
  await reportAudit(sample, join(folder, "server"), "npm audit");
  await reportAudit(sample, join(folder, "server"), "npm audit --omit=dev", "--omit=dev");
  rmSync(join(folder, "server/node_modules"), { recursive: true });
  const [, packages] = /added (\d+) packages/.exec(npm("ci", "--offline")) ?? [];
  pass(`npm ci --offline installs ${packages} packages from the lock`);
  npm("ls", "--all");
  pass("npm ls reports no problems");
  assert(
    !extraDependency || extraDependency in JSON.parse(manifest).dependencies,
    `package.json does not need ${extraDependency}`,
  );
  assert(installScripts(JSON.parse(manifest)).length === 0, "package.json has install scripts");
  npm("run", "build");
  assert(
    /^zod \d/m.test(read("dist/server.js.LEGAL.txt")),
    "the licenses of the bundled packages are missing",
  );
  assert(
    read("dist/server.js.LEGAL.txt").match(/^zod \d/gm).length === 1,
    "the server contains two copies of zod",
  );
  pass(
    `npm run build makes dist/server.js, ${Math.round(read("dist/server.js").length / 1000)} kB`,
  );
  const [, passed] = /^[#ℹ] pass (\d+)$/mu.exec(npm("test")) ?? [];
  pass(`npm test passes ${passed} tests`);
  npm("install", "--offline");
  assert(
    read("package.json") === manifest && read("package-lock.json") === lock,
    "npm install changes generated files",
  );
  execFileSync(process.execPath, [join(root, "dist/cli.cjs"), ...args, "--check"], {
    cwd: folder,
    stdio: "pipe",
  });
  pass("npm install and a second run change nothing");
}

/** Runs one part and reports its failure. The other parts still run. */
async function runPart(subject, action) {
  try {
    await action();
  } catch (error) {
    report(subject, "failed", error.message);
  }
}

try {
  for (const project of projects) await runPart(project.sample, () => check(project));
  await runPart("mcp-gen", () =>
    reportAudit("mcp-gen", root, "npm audit --omit=dev", "--omit=dev"),
  );
  await runPart("clinic", () => {
    assert(
      !/new Function|\beval\(/.test(
        readFileSync(join(work, "clinic/server/dist/server.js"), "utf8"),
      ),
      "the server evaluates text as code",
    );
    assert(
      readdirSync(cache).includes("_cacache"),
      "the cache is empty: the packages came from another source",
    );
    report(
      "clinic",
      "passed",
      "the server evaluates no text as code, and the packages came from the registry",
    );
  });
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
process.exitCode = tally.failed > 0 ? 1 : 0;
