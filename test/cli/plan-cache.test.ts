/** Plans in the user's cache folder: used only for what has not changed, and private. */
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openPlanCache } from "../../src/cli/plan-cache.js";
import type { ResolvedCommand } from "../../src/cli/resolved-command.js";
import { digestOf, ReadFiles, sha256 } from "../../src/cli/user-cache.js";
import { plant, scratch } from "../write/tree.js";
import { mcpGen } from "./built.js";

let root = "";
const folder = (): string => join(root, "cache/mcp-gen-plans");
const entry = (): string => join(folder(), readdirSync(folder())[0] ?? "");

beforeEach(() => {
  root = scratch();
  plant(root, { "api.json": "{}", "part.json": "1" });
  vi.stubEnv("XDG_CACHE_HOME", join(root, "cache"));
});
afterEach(() => vi.unstubAllEnvs());

const cacheOf = (more: object = {}) =>
  openPlanCache<string>({
    source: join(root, "api.json"),
    options: {},
    ...more,
  } as ResolvedCommand);
const configured = (content: object, settings = {}): object => ({
  configuration: { content, settings },
});
const inputs = (): Map<string, string | undefined> =>
  new Map(
    ["api.json", "part.json", "absent.json"].map((name) => [
      join(root, name),
      digestOf(join(root, name)),
    ]),
  );
const store = (): void => cacheOf()?.store("the plan", inputs());

describe("a stored plan", () => {
  test("is read while nothing has changed, and only its user can read it", () => {
    store();
    expect(cacheOf()?.read()).toBe("the plan");
    expect([statSync(folder()).mode & 0o777, statSync(entry()).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
  });

  test.each<[string, () => void]>([
    ["the document has changed", () => writeFileSync(join(root, "api.json"), "{} ")],
    ["a file that it refers to has changed", () => writeFileSync(join(root, "part.json"), "2")],
    ["a file is gone", () => rmSync(join(root, "part.json"))],
    ["a missing file is there", () => writeFileSync(join(root, "absent.json"), "")],
    ["the entry is damaged", () => writeFileSync(entry(), readFileSync(entry()).fill(32, 80, 82))],
    ["the entry is cut", () => writeFileSync(entry(), readFileSync(entry()).subarray(0, -5))],
    ["the entry is empty", () => writeFileSync(entry(), "")],
    ["others can read the entry", () => chmodSync(entry(), 0o644)],
    ["others can write to the folder", () => chmodSync(folder(), 0o777)],
    [
      "the entry is a link",
      () => {
        const path = entry();
        renameSync(path, join(root, "elsewhere"));
        symlinkSync(join(root, "elsewhere"), path);
      },
    ],
    [
      "the folder is a link",
      () => {
        renameSync(folder(), join(root, "elsewhere"));
        symlinkSync(join(root, "elsewhere"), folder());
      },
    ],
  ])("is ignored if %s", (_, change) => {
    store();
    expect(cacheOf()?.read()).toBe("the plan");
    change();
    expect(cacheOf()?.read()).toBeUndefined();
  });

  test("is in the home of the user if XDG_CACHE_HOME is a relative path", () => {
    vi.stubEnv("XDG_CACHE_HOME", "cache");
    vi.stubEnv("HOME", join(root, "home"));
    store();
    expect(existsSync("cache")).toBe(false);
    const home = process.platform === "darwin" ? "home/Library/Caches" : "home/.cache";
    if (process.platform !== "win32")
      expect(readdirSync(join(root, home, "mcp-gen-plans"))).toHaveLength(1);
  });

  test.each<[string, object]>([
    ["another option", { options: { namespace: "zoo" } }],
    ["another configuration", configured({ version: 1, tools: {} })],
  ])("is not that of %s", (_, more) => {
    store();
    expect(cacheOf(more)?.read()).toBeUndefined();
  });
});

test("a plan of contents that a file no longer has is not read", () => {
  const before = inputs();
  writeFileSync(join(root, "part.json"), "2");
  cacheOf()?.store("the plan", before);
  expect(cacheOf()?.read()).toBeUndefined();
});

describe("files that a run reads", () => {
  const read = (...contents: readonly (string | undefined)[]) => {
    const files = new ReadFiles();
    for (const content of contents)
      files.add("api.json", content === undefined ? undefined : Buffer.from(content));
    return files.digests;
  };

  test("are known by the contents that it was given", () => {
    expect(read("1", "1")).toEqual(new Map([[resolve("api.json"), sha256("1")]]));
    expect(read(undefined)).toEqual(new Map([[resolve("api.json"), undefined]]));
  });

  test.each([
    ["other contents", "1", "2"],
    ["a file that appears", undefined, "1"],
    ["a file that disappears", "1", undefined],
  ])("are not known after two reads with %s", (_, first, second) =>
    expect(read(first, second)).toBeUndefined(),
  );
});

describe("nothing is stored", () => {
  test.each<[string, object]>([
    ["of a URL", { source: "https://clinic.example/openapi.json" }],
    ["of standard input", { source: "-" }],
    ["of a missing document", { source: "/nowhere/api.json" }],
    ["with templates", { options: { templates: "t" } }],
    ["with remote references", configured({}, { allowRemoteRefs: ["a.example"] })],
    ["with --verbose", { options: { verbose: true } }],
    ["with a constant header", configured({ server: { headers: { Authorization: "Basic x" } } })],
    ["with a constant credential", configured({ parameters: { api_key: { fixed: "x" } } })],
  ])("%s", (_, more) => expect(cacheOf(more)).toBeUndefined());

  test("in a folder that cannot be written", () => {
    mkdirSync(join(root, "cache"), { recursive: true });
    writeFileSync(folder(), "a file");
    store();
    expect(cacheOf()?.read()).toBeUndefined();
  });
});

test("old entries are removed", () => {
  for (let i = 0; i < 40; i++) cacheOf({ options: { namespace: `n${i}` } })?.store("x", inputs());
  expect(readdirSync(folder())).toHaveLength(30);
});

test("serve stores a plan without its secrets, uses it, and plans a changed document again", async () => {
  const document = (operationId: string) =>
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Clinic", version: "1" },
      servers: [{ url: "http://127.0.0.1:9" }],
      components: { securitySchemes: { auth: { type: "http", scheme: "bearer" } } },
      security: [{ auth: [] }],
      paths: { "/a": { get: { operationId, responses: { 200: { description: "ok" } } } } },
    });
  plant(root, { "api.json": document("listPets"), ".env": "CLINIC_TOKEN=s3cret-of-the-file\n" });
  const serve = async (tool: string, ...more: readonly string[]) => {
    const args = ["serve", "api.json", "--call", tool, "--env", "X=s3cret-flag", ...more];
    const { err } = await mcpGen(args, root);
    return { failure: err.slice(err.indexOf(`${tool} failed`)) };
  };
  const uncached = await serve("list_pets", "--no-cache");
  expect(existsSync(folder())).toBe(false);
  const first = await serve("list_pets");
  const text = readFileSync(entry(), "utf8");
  expect(text).toContain("list_pets");
  expect(text).not.toContain("s3cret");
  // A plan that is not the document's shows that it is used.
  const other = text.slice(text.indexOf("\n") + 1).replaceAll("127.0.0.1:9", "127.0.0.1:11");
  writeFileSync(entry(), `${createHash("sha256").update(other).digest("hex")}\n${other}`);
  const second = await serve("list_pets");
  expect([first.failure, second.failure.replaceAll("127.0.0.1:11", "127.0.0.1:9")]).toEqual([
    uncached.failure,
    uncached.failure,
  ]);
  expect(second.failure).not.toBe(first.failure);
  writeFileSync(join(root, "api.json"), document("listCats"));
  expect((await serve("list_cats")).failure).toBe(
    first.failure.replaceAll("list_pets", "list_cats"),
  );
});
