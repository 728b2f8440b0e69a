// `npm run supply`: installs generated projects as a user would. For one project of each kind it fills
// an empty cache from the registry, runs `npm audit`, installs again from that cache alone, builds and
// tests.
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
  { sample: "tickets", args: [], alsoNeeds: "json-p3" },
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

function want(condition, otherwise) {
  if (!condition) throw new Error(otherwise);
}

/** Outcomes so far. A check that could not be made is neither passed nor failed. */
const tally = { passed: 0, failed: 0, skipped: 0 };

function say(subject, outcome, what) {
  tally[outcome]++;
  console[outcome === "failed" ? "error" : "log"](`${subject}: ${what}`);
}

async function sayAudit(subject, cwd, title, ...options) {
  const { outcome, says } = await audit(cwd, options, env);
  say(subject, outcome, `${title}: ${says}`);
}

/** Names of scripts that npm runs on installation. */
function installScripts({ scripts = {} }) {
  return Object.keys(scripts).filter((name) =>
    /^(pre|post)?install$|^(pre|post)?prepare$/.test(name),
  );
}

async function check({ sample, args, alsoNeeds }) {
  const folder = join(work, sample);
  const read = (...path) => readFileSync(join(folder, "server", ...path), "utf8");
  cpSync(join(root, "samples", sample), folder, {
    recursive: true,
    filter: (path) => basename(path) !== "server",
  });
  const npm = (...rest) => run(join(folder, "server"), "npm", ...rest);
  const holds = (what) => say(sample, "passed", what);
  execFileSync(process.execPath, [join(root, "dist/cli.cjs"), ...args], {
    cwd: folder,
    stdio: "pipe",
  });
  const [manifest, lock] = [read("package.json"), read("package-lock.json")];

  npm("ci");
  await sayAudit(sample, join(folder, "server"), "npm audit");
  await sayAudit(sample, join(folder, "server"), "npm audit --omit=dev", "--omit=dev");
  rmSync(join(folder, "server/node_modules"), { recursive: true });
  const [, packages] = /added (\d+) packages/.exec(npm("ci", "--offline")) ?? [];
  holds(`npm ci --offline installs ${packages} packages from the lock`);
  npm("ls", "--all");
  holds("npm ls has no complaints");
  want(
    !alsoNeeds || alsoNeeds in JSON.parse(manifest).dependencies,
    `package.json does not need ${alsoNeeds}`,
  );
  want(installScripts(JSON.parse(manifest)).length === 0, "package.json has install scripts");
  npm("run", "build");
  want(
    /^zod \d/m.test(read("dist/server.js.LEGAL.txt")),
    "the licences of the packages inside are not there",
  );
  want(
    read("dist/server.js.LEGAL.txt").match(/^zod \d/gm).length === 1,
    "there are two copies of zod in the server",
  );
  holds(
    `npm run build makes dist/server.js, ${Math.round(read("dist/server.js").length / 1000)} kB`,
  );
  const [, passed] = /^[#ℹ] pass (\d+)$/mu.exec(npm("test")) ?? [];
  holds(`npm test passes ${passed} tests`);
  npm("install", "--offline");
  want(
    read("package.json") === manifest && read("package-lock.json") === lock,
    "npm install changes what was generated",
  );
  execFileSync(process.execPath, [join(root, "dist/cli.cjs"), ...args, "--check"], {
    cwd: folder,
    stdio: "pipe",
  });
  holds("npm install changes nothing, and so does another run");
}

/** Runs one part. A failure does not stop the others. */
async function part(subject, run) {
  try {
    await run();
  } catch (error) {
    say(subject, "failed", error.message);
  }
}

try {
  for (const project of projects) await part(project.sample, () => check(project));
  await part("mcp-gen", () => sayAudit("mcp-gen", root, "npm audit --omit=dev", "--omit=dev"));
  await part("clinic", () => {
    want(
      !/new Function|\beval\(/.test(
        readFileSync(join(work, "clinic/server/dist/server.js"), "utf8"),
      ),
      "the server makes code of text",
    );
    want(
      readdirSync(cache).includes("_cacache"),
      "nothing was cached: the packages came from elsewhere",
    );
    say(
      "clinic",
      "passed",
      "the server makes no code of text, and the packages came from the registry",
    );
  });
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
process.exitCode = tally.failed > 0 ? 1 : 0;
