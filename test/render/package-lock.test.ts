/**
 * The lock of generated projects: a template, resolved once (`npm run lockfile`), that must be what
 * npm would make of package.json.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { isLockfileCurrent } from "../../src/package-lock.js";
import { render } from "../../src/render/index.js";
import { loadTemplates } from "../../src/render/templates/load.js";
import { clinicPlan } from "./clinic-plan.js";

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

/** `node_modules/a/node_modules/@b/c` → `@b/c` */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

const temporary: string[] = [];
afterAll(() => temporary.forEach((path) => rmSync(path, { recursive: true, force: true })));

function scratch(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-lock-"));
  temporary.push(folder);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  return folder;
}

/** Packages that a project needs. */
interface Flags {
  readonly usesJsonPath?: boolean;
  readonly usesOAuth?: boolean;
  readonly usesRedis?: boolean;
  readonly usesSignIn?: boolean;
}

const allFlags: Flags = {
  usesJsonPath: true,
  usesOAuth: true,
  usesRedis: true,
  usesSignIn: true,
};

/** The files of a project that needs these packages. */
async function filesOf(
  flags: Flags,
): Promise<{ "package.json": string; "package-lock.json": string }> {
  const templates = await loadTemplates(resolve("templates"), undefined);
  const view = {
    name: '"@acme/clinic"',
    version: '"1.4.0"',
    description: '""',
    bin: '"clinic"',
    mcpName: '""',
    isPrivate: false,
    eval: JSON.stringify("mcp-gen eval --project ."),
    ...flags,
  };
  return {
    "package.json": templates.get("package.json")!(view),
    "package-lock.json": templates.get("package-lock.json")!(view),
  };
}

function npm(
  folder: string,
  ...args: readonly string[]
): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync("npm", args, {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  return { status, said: stdout + stderr };
}

describe.each<Flags & { readonly given: string }>([
  { given: "a workflow that queries by JSONPath", usesJsonPath: true },
  { given: "an API whose users can sign in", usesSignIn: true },
  { given: "callers with access tokens", usesOAuth: true },
  { given: "a store", usesRedis: true },
  { given: "all of these", ...allFlags },
  { given: "none of these" },
])("a server with $given", ({ given: _, ...flags }) => {
  test("has a lock that `npm ci` takes, and that lacks nothing", async () => {
    const folder = scratch(await filesOf(flags));
    expect(npm(folder, "ci", "--dry-run", "--offline").said).toMatch(/^added \d+ packages/mu);
    expect(npm(folder, "ls", "--all", "--package-lock-only")).toMatchObject({
      status: 0,
      said: expect.not.stringMatching(/invalid|UNMET DEPENDENCY|extraneous/u),
    });
  });

  test("has its name and version in the lock, as npm would write them", async () => {
    const files = await filesOf(flags);
    const lock = JSON.parse(files["package-lock.json"]) as Lock;
    expect(lock).toMatchObject({
      name: "@acme/clinic",
      version: "1.4.0",
      packages: {
        "": { name: "@acme/clinic", version: "1.4.0", bin: { clinic: "dist/server.js" } },
      },
    });
    const { usesJsonPath = false, usesOAuth = false, usesSignIn = false } = flags;
    expect(Object.keys(lock.packages).includes("node_modules/json-p3")).toBe(usesJsonPath);
    expect(Object.keys(lock.packages).includes("node_modules/oauth4webapi")).toBe(usesSignIn);
    expect("node_modules/@redis/client" in lock.packages).toBe(flags.usesRedis === true);
    expect(lock.packages["node_modules/jose"]?.dev).toBe(usesOAuth ? undefined : true);
  });
});

test("`npm ci` refuses a lock of other versions", async () => {
  const files = await filesOf({});
  const folder = scratch({
    ...files,
    "package.json": files["package.json"].replace(/"undici": "[^"]+"/u, '"undici": "7.0.0"'),
  });
  expect(npm(folder, "ci", "--dry-run", "--offline")).toMatchObject({ status: 1 });
});

describe("the package lock", async () => {
  const [, ...packages] = Object.entries(
    (JSON.parse((await filesOf(allFlags))["package-lock.json"]) as Lock).packages,
  );

  test("is held by its content, whichever registry it comes from", () => {
    expect(
      packages.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/u.test(integrity ?? "")),
    ).toEqual([]);
    expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  test("has the packages of this repository, with the same content", () => {
    const ours = (JSON.parse(readFileSync("package-lock.json", "utf8")) as Lock).packages;
    const tested = new Set(
      Object.entries(ours).map(
        ([path, { version, integrity }]) => `${nameOf(path)} ${version} ${integrity}`,
      ),
    );
    expect(
      packages
        .filter(
          ([path, { version, integrity }]) =>
            !tested.has(`${nameOf(path)} ${version} ${integrity}`),
        )
        .map(([path]) => path),
    ).toEqual([]);
  });

  test("is for every platform", () => {
    const names = new Set(packages.map(([path]) => path));
    const optional = packages.flatMap(([, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies),
    );
    expect(optional.filter((name) => !names.has(`node_modules/${name}`))).toEqual([]);
    expect(optional).toEqual(
      expect.arrayContaining([
        "@esbuild/linux-x64",
        "@esbuild/darwin-arm64",
        "@esbuild/win32-x64",
        "@typescript/typescript-linux-x64",
      ]),
    );
  });

  test("runs nothing when it is installed, but esbuild's check of its own program, which it can do without", () => {
    expect(
      packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path),
    ).toEqual(["node_modules/esbuild"]);
    expect(readFileSync("templates/.npmrc.hbs", "utf8")).toContain("ignore-scripts=true\n");
  });
});

describe("a package.json of the owner's own template", () => {
  const template = readFileSync("templates/package.json.hbs", "utf8");
  test.each([
    {
      given: "needs the same packages",
      text: template.replace('"type": "module"', '"license": "MIT",\n  "type": "module"'),
      want: true,
    },
    {
      given: "needs another one",
      text: template.replace('"dependencies": {', '"dependencies": {\n    "luxon": "3.7.2",'),
      want: false,
    },
    { given: "is no JSON", text: "{{name}}", want: false },
  ])("that $given: a lock is made: $want", async ({ text, want }) => {
    const files = await render(clinicPlan, { templates: scratch({ "package.json.hbs": text }) });
    expect(files.some(({ path }) => path === "package-lock.json")).toBe(want);
  });
});

test.each<readonly [string, object | string, object | string, boolean]>([
  [
    "the same",
    { dependencies: { a: "1", b: "2" } },
    { packages: { "": { dependencies: { b: "2", a: "1" } } } },
    true,
  ],
  ["none, and an empty list", {}, { packages: { "": { devDependencies: {} } } }, true],
  [
    "another version",
    { dependencies: { a: "1" } },
    { packages: { "": { dependencies: { a: "2" } } } },
    false,
  ],
  [
    "another kind",
    { dependencies: { a: "1" } },
    { packages: { "": { devDependencies: { a: "1" } } } },
    false,
  ],
  ["a lock of npm 6", { dependencies: {} }, { dependencies: {} }, false],
  ["no lock", {}, "<<<<<<< ours", false],
])("whether a lock fits: %s", (_, manifest, lock, want) => {
  const text = (data: object | string): string =>
    typeof data === "string" ? data : JSON.stringify(data);
  expect(isLockfileCurrent(text(lock), text(manifest))).toBe(want);
});
