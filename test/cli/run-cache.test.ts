/** Runs that change nothing: printed from the user's cache, as a run without it would print them. */
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runProgram } from "../../src/cli/run.js";
import { plant, scratch, treeOf } from "../write/tree.js";

const operation = (operationId: string, more: object = {}): object => ({
  get: { operationId, responses: { 200: { description: "OK" } }, ...more },
});
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Clinic", version: "1" },
  servers: [{ url: "https://clinic.example" }],
  paths: {
    "/pets": operation("listPets", { parameters: [{ $ref: "part.json#/Limit" }] }),
    "/owners": operation("listOwners", { parameters: [{ name: "q", in: "nowhere" }] }),
  },
};
const PART = { Limit: { name: "limit", in: "query", schema: { type: "integer" } } };
const CONFIGURATION = "version: 1\nspec: api.json\noutput: out\n";
const OVERLAY = {
  overlay: "1.0.0",
  info: { title: "More", version: "1" },
  actions: [{ target: "$.info", update: { description: "Pets and their owners." } }],
};

let root = "";
let home = "";
const path = (name: string): string => join(root, name);
const folder = (): string => join(root, "cache/mcp-gen-runs");
const entries = (): string[] => (existsSync(folder()) ? readdirSync(folder()) : []);

beforeEach(() => {
  root = scratch();
  home = process.cwd();
  process.chdir(root);
  vi.stubEnv("XDG_CACHE_HOME", join(root, "cache"));
  vi.stubEnv("CI", "");
  plant(root, {
    "api.json": JSON.stringify(DOCUMENT),
    "part.json": JSON.stringify(PART),
    "overlay.json": JSON.stringify(OVERLAY),
    "mcp-gen.yaml": CONFIGURATION,
    "templates/files/NOTES.md.hbs": "Notes\n",
  });
});
afterEach(() => {
  process.chdir(home);
  vi.unstubAllEnvs();
});

interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function mcpGen(...args: readonly string[]): Promise<Printed> {
  const texts = { out: "", err: "" };
  const code = await runProgram(args, {
    print: (text) => void (texts.out += text),
    error: (text) => void (texts.err += text),
    paint: (_, text) => text,
  });
  return { code, ...texts };
}

const OPTIONS = ["--overlay", "overlay.json"];
const MARK = "from the cache";

/** Marks the entry of the cache, so that a run that prints it can be recognized. */
function mark(): void {
  const file = join(folder(), entries()[0] ?? "");
  const text = readFileSync(file, "utf8").split("\n")[1] ?? "";
  const marked = JSON.stringify({ ...(JSON.parse(text) as object), summary: `${MARK}\n` });
  writeFileSync(file, `${createHash("sha256").update(marked).digest("hex")}\n${marked}`);
}

const entryFile = (): string => join(folder(), entries()[0] ?? "");

describe("a run that changes nothing", () => {
  test.each<[string, readonly string[]]>([
    ["as such", []],
    ["with --check", ["--check"]],
    ["with --dry-run", ["--dry-run"]],
    ["with --quiet", ["--quiet"]],
  ])("prints %s what a run without the cache prints", async (_, more) => {
    await mcpGen(...OPTIONS);
    expect(entries()).toHaveLength(1);
    const expected = await mcpGen(...OPTIONS, ...more, "--no-cache");
    expect(await mcpGen(...OPTIONS, ...more)).toEqual(expected);
    expect(expected.code).toBe(0);
    if (more.includes("--quiet")) return;
    expect(expected.out).toMatch(/1 warning about .*\nout is up to date \(\d+ files\)/);
    mark();
    expect((await mcpGen(...OPTIONS, ...more)).out).toBe(`${MARK}\n`);
  });

  test.each<[string, readonly string[], NodeJS.ProcessEnv]>([
    ["with --no-cache", ["--no-cache"], {}],
    ["with --verbose", ["--verbose"], {}],
    ["with --json", ["--json"], {}],
    ["with --check in CI", ["--check"], { CI: "true" }],
    ["with --strict, if there are warnings", ["--strict"], {}],
    ["with another option", ["--namespace", "zoo", "--dry-run"], {}],
    ["into another folder", ["-o", "other", "--dry-run"], {}],
  ])("is planned anew %s", async (_, more, env) => {
    await mcpGen(...OPTIONS);
    mark();
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const { out } = await mcpGen(...OPTIONS, ...more);
    expect(out).not.toContain(MARK);
  });

  test("of several APIs is printed from the cache, until one of them changes", async () => {
    const other = { ...DOCUMENT, info: { title: "Shop", version: "1" }, paths: {} };
    const shop = { ...other, paths: { "/orders": operation("listOrders") } };
    plant(root, { "shop.json": JSON.stringify(shop) });
    const run = (...more: string[]) => mcpGen("api.json", "shop.json", "-o", "both", ...more);
    await run();
    const expected = await run("--check", "--no-cache");
    expect(await run("--check")).toEqual(expected);
    mark();
    expect((await run("--check")).out).toBe(`${MARK}\n`);
    const renamed = await mcpGen("zoo=api.json", "shop.json", "-o", "both", "--check");
    expect(renamed.code).toBe(1);
    plant(root, {
      "shop.json": JSON.stringify({ ...shop, info: { ...other.info, version: "2" } }),
    });
    const after = await run("--check");
    expect(after.out).not.toContain(MARK);
  });

  test("is planned anew with an overlay from a pipe, which may have another content", async () => {
    execFileSync("mkfifo", ["pipe.json"]);
    for (const title of ["Zoo", "Farm"]) {
      const overlay = { ...OVERLAY, actions: [{ target: "$.info", update: { title } }] };
      writeFileSync("next.json", JSON.stringify(overlay));
      const isWritten = once(execFile("sh", ["-c", "cat next.json > pipe.json"]), "close");
      await mcpGen("--overlay", "pipe.json");
      await isWritten;
      expect(readFileSync(path("out/src/api.ts"), "utf8")).toContain(`title: "${title}"`);
    }
  });

  test("leaves files of the user to the user", async () => {
    await mcpGen(...OPTIONS);
    mark();
    writeFileSync(path("out/notes.md"), "mine\n");
    expect((await mcpGen(...OPTIONS)).out).toBe(`${MARK}\n`);
  });
});

describe("a changed state is planned anew:", () => {
  const generated = "out/src/api.ts";
  test.each<[string, () => void]>([
    ["the document", () => appendFileSync(path("api.json"), " ")],
    ["a file that it refers to", () => appendFileSync(path("part.json"), " ")],
    ["an overlay", () => appendFileSync(path("overlay.json"), " ")],
    [
      "the configuration",
      () => writeFileSync(path("mcp-gen.yaml"), `${CONFIGURATION}namespace: zoo\n`),
    ],
    ["an edited file", () => appendFileSync(path(generated), "// edit\n")],
    ["a deleted file", () => rmSync(path(generated))],
    [
      "code of the user, which may define tools",
      () => appendFileSync(path("out/src/custom/hooks.ts"), "// mine\n"),
    ],
    ["a deleted file of the user", () => rmSync(path("out/src/custom"), { recursive: true })],
    ["an edited manifest", () => appendFileSync(path("out/.mcp-gen/manifest.json"), "\n")],
    [
      "a file that is a link",
      () => {
        renameSync(path(generated), path("api.ts"));
        symlinkSync(path("api.ts"), path(generated));
      },
    ],
    [
      "a folder that is a link",
      () => {
        renameSync(path("out/src"), path("src"));
        symlinkSync(path("src"), path("out/src"));
      },
    ],
    ["another run in progress", () => mkdirSync(path("out/.mcp-gen/work"))],
    ["a damaged entry", () => appendFileSync(entryFile(), " ")],
    ["an entry that others can write", () => chmodSync(entryFile(), 0o666)],
    ["a folder that others can write", () => chmodSync(folder(), 0o777)],
  ])("%s", async (_, change) => {
    await mcpGen(...OPTIONS);
    mark();
    expect((await mcpGen(...OPTIONS)).out).toBe(`${MARK}\n`);
    change();
    expect((await mcpGen(...OPTIONS)).out).not.toContain(MARK);
  });
});

test.each<[string, () => void]>([
  ["has changed", () => appendFileSync(path("templates/files/NOTES.md.hbs"), "More\n")],
  ["is new", () => writeFileSync(path("templates/files/B.md.hbs"), "B\n")],
])("a document is planned anew if a template %s", async (_, change) => {
  const run = () => mcpGen("--templates", "templates");
  await run();
  mark();
  expect((await run()).out).toBe(`${MARK}\n`);
  change();
  expect((await run()).out).toMatch(/^Updated out/m);
});

describe("nothing is stored", () => {
  test.each<[string, readonly string[], () => void]>([
    ["of a run that fails", [], () => writeFileSync(path("api.json"), "{")],
    ["of a run that writes nothing", ["--dry-run"], () => undefined],
    ["of a check that finds differences", ["--check"], () => undefined],
    ["with --no-cache", ["--no-cache"], () => undefined],
  ])("%s", async (_, more, before) => {
    before();
    await mcpGen(...more);
    expect(entries()).toEqual([]);
  });

  test("of edits that a run refuses", async () => {
    await mcpGen("--no-cache");
    appendFileSync(path("out/src/api.ts"), "// edit\n");
    expect((await mcpGen()).code).toBe(4);
    expect(entries()).toEqual([]);
  });
});

test("mcp-gen cache clear removes the entries", async () => {
  await mcpGen();
  expect(entries()).toHaveLength(1);
  expect(await mcpGen("cache", "clear")).toMatchObject({ code: 0, err: "" });
  expect(existsSync(folder())).toBe(false);
  expect((await mcpGen("cache", "clear")).out).toBe("The cache is empty.\n");
  expect((await mcpGen("cache", "list")).code).toBe(2);
});

describe("a document at a URL", () => {
  let server: Server;
  let state: { body: string; etag?: string; status?: number };
  let requests: { readonly path?: string; readonly condition?: string; readonly auth?: string }[];
  let url = "";

  beforeEach(async () => {
    requests = [];
    state = { body: JSON.stringify({ ...DOCUMENT, paths: { "/a": operation("listA") } }) };
    server = createServer(({ url: path, headers }, response) => {
      const { "if-none-match": condition, authorization: auth } = headers;
      requests.push({ path, condition, auth } as (typeof requests)[number]);
      if (state.etag !== undefined) response.setHeader("etag", state.etag);
      const isSame = state.etag !== undefined && condition === state.etag;
      response.statusCode = state.status ?? (isSame ? 304 : 200);
      response.end(isSame ? undefined : state.body);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.json`;
    rmSync(path("mcp-gen.yaml"));
  });
  afterEach(() => server.close());

  const run = (...more: readonly string[]) => mcpGen(url, "-o", "out", ...more);

  test("is asked for by its entity tag, with the header of the document", async () => {
    state.etag = '"v1"';
    vi.stubEnv("MCP_GEN_HEADER", "Authorization: Bearer t");
    await run();
    mark();
    expect((await run()).out).toBe(`${MARK}\n`);
    expect(requests).toEqual([
      { path: "/api.json", condition: undefined, auth: "Bearer t" },
      { path: "/api.json", condition: '"v1"', auth: "Bearer t" },
    ]);
  });

  test("is compared by its content without an entity tag", async () => {
    await run();
    mark();
    expect((await run()).out).toBe(`${MARK}\n`);
    state.body = state.body.replace("listA", "listB");
    expect((await run()).out).toMatch(/^Clinic: /);
  });

  test.each<[string, () => void]>([
    ["other content", () => Object.assign(state, { etag: '"v2"', body: `${state.body} ` })],
    ["a failed request", () => Object.assign(state, { etag: '"v2"', status: 500 })],
  ])("is planned anew after %s", async (_, change) => {
    state.etag = '"v1"';
    await run();
    mark();
    change();
    expect((await run()).out).not.toContain(MARK);
  });

  test("is planned anew if a remote reference has changed", async () => {
    const reference = `${url.replace("api.json", "part.json")}#/Limit`;
    const paths = { "/a": operation("listA", { parameters: [{ $ref: reference }] }) };
    rmSync(path("api.json"));
    writeFileSync(path("api.json"), JSON.stringify({ ...DOCUMENT, paths }));
    state = { body: JSON.stringify(PART), etag: '"p1"' };
    const remote = () => mcpGen("api.json", "-o", "out", "--allow-remote-refs", "127.0.0.1");
    await remote();
    mark();
    expect((await remote()).out).toBe(`${MARK}\n`);
    expect(requests.map(({ condition }) => condition)).toEqual([undefined, '"p1"']);
    state = { body: JSON.stringify({ Limit: { ...PART.Limit, name: "max" } }), etag: '"p2"' };
    expect((await remote()).out).toMatch(/^Updated out/m);
  });
});

/** A random number from 0 to below `limit`, the same in every run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
}

/** Random edits of inputs, of which some change nothing and some undo earlier ones. */
const EDITS: readonly ((value: number) => void)[] = [
  (value) => edit("api.json", { info: { title: "Clinic", version: `${value % 3}` } }),
  (value) =>
    edit("api.json", {
      paths: { ...DOCUMENT.paths, [`/rooms${value % 2}`]: operation(`listRooms${value % 3}`) },
    }),
  (value) => edit("part.json", { Limit: { ...PART.Limit, description: `Limit ${value % 2}` } }),
  (value) =>
    writeFileSync(path("mcp-gen.yaml"), `${CONFIGURATION}${value % 2 ? "namespace: zoo\n" : ""}`),
  (value) =>
    edit("overlay.json", {
      actions: [{ target: "$.info", update: { description: `Pets ${value % 2}` } }],
    }),
  () => rmSync(path("out/README.md"), { force: true }),
  () => undefined,
];

function edit(file: string, change: object): void {
  const value = JSON.parse(readFileSync(path(file), "utf8")) as object;
  writeFileSync(path(file), JSON.stringify({ ...value, ...change }));
}

/** Number of edits; more with `EDITS=500`. */
const COUNT = Number(process.env["EDITS"] ?? 12);

test("random edits give the same files with the cache and without", async () => {
  const random = numbers(7);
  let hits = 0;
  for (let i = 0; i < COUNT; i++) {
    EDITS[random(EDITS.length)]?.(random(1000));
    const cached = await mcpGen(...OPTIONS);
    const fresh = await mcpGen(...OPTIONS, "-o", "fresh", "--no-cache");
    expect(treeOf(path("out"))).toEqual(treeOf(path("fresh")));
    expect(cached.code).toBe(fresh.code);
    if (/up to date/.test(cached.out)) hits += 1;
  }
  expect(hits).toBeGreaterThan(0);
});
