// `npm run lockfile`: writes templates/package-lock.json.hbs, the lock of generated projects, anew.
// To be run when a version in templates/package.json.hbs changes, or to have newer versions of what
// those packages need. It asks the registry.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Handlebars from "handlebars";

const templates = fileURLToPath(new URL("../templates/", import.meta.url));

/** What stands for the fields of the view, as npm writes it into the lock. */
const slots = { name: "slot-name", version: "0.0.0-slot-version", bin: "slot-bin" };

/** The lock of a project that uses everything, or everything but what only some need. */
function lockOf(flags) {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-lockfile-"));
  try {
    const make = Handlebars.compile(readFileSync(join(templates, "package.json.hbs"), "utf8"), {
      noEscape: true,
    });
    const values = Object.fromEntries(
      Object.entries(slots).map(([field, slot]) => [field, JSON.stringify(slot)]),
    );
    writeFileSync(
      join(folder, "package.json"),
      make({ ...values, description: '""', mcpName: '""', ...flags }),
    );
    const options = [
      "--package-lock-only",
      "--ignore-scripts",
      "--omit-lockfile-registry-resolved",
      "--no-audit",
      "--no-fund",
      "--no-update-notifier",
    ];
    execFileSync("npm", ["install", ...options], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    });
    return JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Members of `all` that `some` has not got: lines that stand in `{{#if}}`. Everything else must be
 * the same.
 */
function additional(all, some) {
  const names = Object.keys(all).filter((name) => !(name in some));
  const rest = Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
  if (JSON.stringify(Object.keys(rest)) !== JSON.stringify(Object.keys(some)))
    throw new Error("The optional packages change more of the lock than their own lines.");
  return names;
}

/**
 * Puts `{{#if flag}}` around a member and its comma. The members of optional packages are never the
 * last ones.
 */
function guarded(text, member, flag) {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.trim().startsWith(`${JSON.stringify(member)}:`));
  const indent = /^ */.exec(lines[first])[0];
  const last = lines[first].endsWith("{") ? lines.indexOf(`${indent}},`, first) : first;
  if (first < 0 || last < first || !lines[last].endsWith(","))
    throw new Error(`${member} has no place of its own in the lock.`);
  return [
    ...lines.slice(0, first),
    `{{#if ${flag}}}`,
    ...lines.slice(first, last + 1),
    "{{/if}}",
    ...lines.slice(last + 1),
  ].join("\n");
}

const all = lockOf({ usesJsonPath: true });
const some = lockOf({});
const packages = additional(all.packages, some.packages);
const direct = additional(all.packages[""].dependencies, some.packages[""].dependencies);
const plain = {
  ...all,
  packages: Object.fromEntries(
    Object.entries(all.packages).filter(([path]) => !packages.includes(path)),
  ),
};
plain.packages[""] = some.packages[""];
if (JSON.stringify(plain) !== JSON.stringify(some))
  throw new Error("The optional packages change more of the lock than their own lines.");

let text = `${JSON.stringify(all, null, 2)}\n`;
for (const member of [...packages, ...direct]) text = guarded(text, member, "usesJsonPath");
for (const [field, slot] of Object.entries(slots))
  text = text.replaceAll(JSON.stringify(slot), `{{${field}}}`);
if (/\bslot-|"resolved"/.test(text))
  throw new Error("The lock has a slot that is not filled, or names a registry.");
writeFileSync(join(templates, "package-lock.json.hbs"), text);
