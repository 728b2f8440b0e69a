#!/usr/bin/env node
/**
 * Builds the documentation site from `docs/`, the README and the other documents.
 *
 * node scripts/site.mjs [--out FOLDER] [--base PATH]
 *
 * The default folder is `.tmp/site`. PATH is the path of the site on its host, such as `/mcp-gen/`.
 * Exit code 1 when a link or an anchor leads nowhere.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { deadLinks } from "./site/dead-links.mjs";
import { sitePages } from "./site/pages.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: { out: { type: "string", default: join(root, ".tmp/site") }, base: { type: "string" } },
});
const out = resolve(values.out);
const base = values.base ?? "/";
mkdirSync(join(root, ".tmp"), { recursive: true });
// Inside of the repository, because pages import packages from its node_modules.
const work = mkdtempSync(join(root, ".tmp/site-pages-"));
try {
  process.exitCode = build();
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Writes the pages, builds the site and checks its links. Returns the exit code. */
function build() {
  for (const [path, text] of sitePages(root)) {
    mkdirSync(dirname(join(work, "pages", path)), { recursive: true });
    writeFileSync(join(work, "pages", path), text);
  }
  const vitepress = join(root, "node_modules/vitepress/bin/vitepress.js");
  const { status } = spawnSync(process.execPath, [vitepress, "build", join(root, "scripts/site")], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, SITE_PAGES: join(work, "pages"), SITE_OUT: out, SITE_BASE: base },
  });
  if (status !== 0) return 1;
  const dead = deadLinks(builtPages(), base);
  for (const link of dead) process.stderr.write(`${link}\n`);
  if (dead.length === 0) process.stdout.write(`${out}: every link and anchor leads somewhere\n`);
  return dead.length === 0 ? 0 : 1;
}

/** HTML of the built pages by their path. */
function builtPages() {
  const names = readdirSync(out, { recursive: true, encoding: "utf8" });
  const pages = names.filter((name) => name.endsWith(".html"));
  return new Map(
    pages.map((name) => [name.replaceAll("\\", "/"), readFileSync(join(out, name), "utf8")]),
  );
}
