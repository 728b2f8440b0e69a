/** Newer versions of the packages of a project, as a bot for updates writes them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { GeneratedFile } from "../../src/render/index.js";
import { render } from "../../src/render/index.js";
import { write } from "../../src/write/index.js";
import { clinicPlan } from "../render/clinic-plan.js";
import { scratch } from "./tree.js";

type Versions = Record<string, string>;
interface Manifest {
  dependencies: Versions;
  devDependencies: Versions;
}

let files: readonly GeneratedFile[];
beforeAll(async () => {
  files = await render(clinicPlan);
});

/** Packages of the template, those of some projects included. */
const versions = readFileSync("templates/package.json.hbs", "utf8").matchAll(
  /^ {4}"([^"]+)": "\d/gm,
);
const listed = [...new Set([...versions].map(([, name = ""]) => name))];

test("the schema of mcp-gen.yaml lists the packages of projects", () => {
  const { properties } = JSON.parse(readFileSync("mcp-gen.schema.json", "utf8")) as {
    readonly properties: {
      readonly packages: { readonly propertyNames: { readonly enum: readonly string[] } };
    };
  };
  expect(properties.packages.propertyNames.enum).toEqual([...listed, "mcp-gen-runtime"].sort());
});

test("the runtime may be a packed file", async () => {
  const packages = { "mcp-gen-runtime": "file:../mcp-gen-runtime-0.1.0.tgz" };
  const rendered = await render(clinicPlan, { runtime: "package", packages });
  const manifest = rendered.find(({ path }) => path === "package.json")?.content ?? "";
  expect((JSON.parse(manifest) as Manifest).dependencies).toMatchObject(packages);
});

/** Changes the version of a package in package.json and, as npm does, in the lockfile. */
function setVersion(folder: string, name: string, change: (version: string) => string): boolean {
  const edit = (file: string, select: (json: Record<string, unknown>) => unknown): boolean => {
    const path = join(folder, file);
    const json = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    const { dependencies, devDependencies } = select(json) as Manifest;
    const group = [dependencies, devDependencies].find((one) => Object.hasOwn(one, name));
    if (!group) return false;
    group[name] = change(group[name]!);
    writeFileSync(path, `${JSON.stringify(json, null, 2)}\n`);
    return true;
  };
  const hasPackage = edit("package.json", (json) => json);
  edit("package-lock.json", (json) => (json["packages"] as Record<string, unknown>)[""]);
  return hasPackage;
}

const raise = (part: 0 | 1 | 2) => (version: string) =>
  version
    .split(".")
    .map((number, i) => (i === part ? Number(number) + 1 : i > part ? 0 : Number(number)))
    .join(".");

const optional = ["@redis/client", "jose", "json-p3", "oauth4webapi"];
describe.each(listed.filter((name) => !optional.includes(name)))("%s", (name) => {
  test.each([
    { given: "patch", change: raise(2), codes: [] },
    { given: "minor, as a range", change: (version: string) => `^${raise(1)(version)}`, codes: [] },
    { given: "major", change: raise(0), codes: ["write-package-untested"] },
  ])("a new $given version is kept", async ({ change, codes }) => {
    const folder = join(scratch(), "server");
    await write(files, folder);
    expect(setVersion(folder, name, change)).toBe(true);
    const edited = readFileSync(join(folder, "package.json"), "utf8");
    const checked = await write(files, folder, { dryRun: true });
    expect(checked).toMatchObject({ created: [], updated: [], deleted: [], refused: [] });
    // A minor version of a package before 1.0.0 may break, too.
    const isUnstable = /"esbuild": "\^/.test(edited);
    expect(checked.diagnostics.map(({ code }) => code)).toEqual(
      isUnstable ? ["write-package-untested"] : codes,
    );
    await write(files, folder);
    expect(readFileSync(join(folder, "package.json"), "utf8")).toBe(edited);
  });
});
