// `npm run lockfile`: regenerates templates/package-lock.json.hbs, the lock of generated projects,
// from the npm registry. Run it after a version in templates/package.json.hbs changes, or to update
// transitive dependencies.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Handlebars from "handlebars";

const templates = fileURLToPath(new URL("../templates/", import.meta.url));

/** Placeholders for the fields of the view in the lock that npm writes. */
const placeholders = { name: "slot-name", version: "0.0.0-slot-version", bin: "slot-bin" };

/**
 * Creates the lock of a project with or without the optional dependencies.
 * @param known lock whose versions are kept. A package that is also a dependency of others would
 *   have a newer version without its flag.
 */
function lockOf(flags, known) {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-lockfile-"));
  try {
    const make = Handlebars.compile(readFileSync(join(templates, "package.json.hbs"), "utf8"), {
      noEscape: true,
    });
    const values = Object.fromEntries(
      Object.entries(placeholders).map(([field, slot]) => [field, JSON.stringify(slot)]),
    );
    writeFileSync(
      join(folder, "package.json"),
      make({ ...values, description: '""', mcpName: '""', eval: '""', ...flags }),
    );
    if (known) writeFileSync(join(folder, "package-lock.json"), JSON.stringify(known));
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
 * Lists the members of `complete` that `base` lacks. They become conditional in the template.
 *
 * @throws when other members differ
 */
function optionalMembers(complete, base) {
  const names = Object.keys(complete).filter((name) => !(name in base));
  const rest = Object.fromEntries(
    Object.entries(complete).filter(([name]) => !names.includes(name)),
  );
  if (JSON.stringify(Object.keys(rest)) !== JSON.stringify(Object.keys(base)))
    throw new Error("The optional packages change other lines of the lock.");
  return names;
}

/**
 * Wraps a member and its comma in `{{#if flag}}`. Members of optional packages are never the last
 * ones.
 */
function makeConditional(text, member, flag) {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.trim().startsWith(`${JSON.stringify(member)}:`));
  const indent = /^ */.exec(lines[first])[0];
  const last = lines[first].endsWith("{") ? lines.indexOf(`${indent}},`, first) : first;
  if (first < 0 || last < first || !lines[last].endsWith(","))
    throw new Error(`${member} is not a separate member of the lock.`);
  return [
    ...lines.slice(0, first),
    `{{#if ${flag}}}`,
    ...lines.slice(first, last + 1),
    "{{/if}}",
    ...lines.slice(last + 1),
  ].join("\n");
}

/** Packages that only development needs without the optional ones. */
function developmentPackages(complete, base) {
  return Object.keys(base).filter((path) => base[path].dev && !complete[path].dev);
}

/** A member of the lock of a package that only development needs, as npm writes it. */
function asDevelopment({ version, integrity, ...others }) {
  return { version, integrity, dev: true, ...others };
}

/** Marks a package as one for development in projects without a flag. */
function makeDevelopment(text, member, flag) {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.trim() === `${JSON.stringify(member)}: {`);
  const end = lines.findIndex((line, i) => i > first && line.trim().startsWith('"integrity"')) + 1;
  if (first < 0 || end !== first + 3) throw new Error(`${member} has other lines in the lock.`);
  const condition = [`{{#if ${flag}}}`, "{{else}}", '      "dev": true,', "{{/if}}"];
  return [...lines.slice(0, end), ...condition, ...lines.slice(end)].join("\n");
}

/** Flags of the views that add packages. */
const flags = ["usesJsonPath", "usesOAuth", "usesRedis", "usesSignIn"];
const complete = lockOf(Object.fromEntries(flags.map((flag) => [flag, true])));
let text = `${JSON.stringify(complete, null, 2)}\n`;
for (const flag of flags) {
  const base = lockOf(Object.fromEntries(flags.map((other) => [other, other !== flag])), complete);
  const packages = optionalMembers(complete.packages, base.packages);
  const direct = optionalMembers(
    complete.packages[""].dependencies,
    base.packages[""].dependencies,
  );
  const development = developmentPackages(complete.packages, base.packages);
  const withoutOptional = {
    ...complete,
    packages: Object.fromEntries(
      Object.entries(complete.packages)
        .filter(([path]) => !packages.includes(path))
        .map(([path, entry]) => [path, development.includes(path) ? asDevelopment(entry) : entry]),
    ),
  };
  withoutOptional.packages[""] = base.packages[""];
  if (JSON.stringify(withoutOptional) !== JSON.stringify(base))
    throw new Error("The optional packages change other lines of the lock.");
  for (const member of [...packages, ...direct]) text = makeConditional(text, member, flag);
  for (const member of development) text = makeDevelopment(text, member, flag);
}
for (const [field, slot] of Object.entries(placeholders))
  text = text.replaceAll(JSON.stringify(slot), `{{${field}}}`);
if (/\bslot-|"resolved"/.test(text))
  throw new Error("The lock contains an unreplaced placeholder or a registry URL.");
writeFileSync(join(templates, "package-lock.json.hbs"), text);
