import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { limits } from "../../src/load/limits.js";
import { load } from "../../src/load/index.js";
import { readSource } from "../../src/load/source/index.js";
import { api, folder, problemsOf } from "./folder.js";

const text = JSON.stringify(api({}));
const small = { ...limits, bytes: 1000, milliseconds: 300 };

const unreadable: readonly {
  name: string;
  make: (root: string) => string;
  code: string;
  says: RegExp;
}[] = [
  {
    name: "a missing file",
    make: (root) => join(root, "none.yaml"),
    code: "load-not-found",
    says: /file does not exist/,
  },
  {
    name: "a path through a file",
    make: (root) => join(root, "a.json", "b"),
    code: "load-not-found",
    says: /file does not exist/,
  },
  { name: "an empty path", make: () => "", code: "load-not-found", says: /file does not exist/ },
  {
    name: "a path with NUL",
    make: (root) => `${root}\0`,
    code: "load-not-found",
    says: /file does not exist/,
  },
  { name: "a folder", make: (root) => root, code: "load-not-a-file", says: /is a folder/ },
  { name: "a device", make: () => "/dev/null", code: "load-not-a-file", says: /is a device/ },
  {
    name: "a link to itself",
    make: (root) => (symlinkSync("loop", join(root, "loop")), join(root, "loop")),
    code: "load-unreadable",
    says: /cannot be read \(ELOOP\)/,
  },
  {
    name: "500 MB",
    make: (root) => (
      writeFileSync(join(root, "big"), ""),
      truncateSync(join(root, "big"), 500 * 1024 * 1024),
      join(root, "big")
    ),
    code: "load-too-large",
    says: /has 500 MB, more than the limit of 64 MB/,
  },
];

test.each(unreadable)("rejects $name", async ({ make, code, says }) => {
  const source = make(folder({ "a.json": text }));
  const { document, diagnostics } = await load(source);
  expect(document).toBeUndefined();
  expect(diagnostics).toMatchObject([
    {
      code,
      message: expect.stringMatching(says) as string,
      location: { file: source, pointer: "#" },
    },
  ]);
  expect(diagnostics[0]?.hint).toBeTruthy();
});

test.each([
  ["openapi.yml", "Did you mean openapi.yaml?"],
  ["OpenAPI.yaml", "Did you mean openapi.yaml?"],
  ["other.yaml", "Check the path."],
  ["none/openapi.yaml", "Check the path."],
])("a missing document: %s", async (given, hint) => {
  const root = folder({ "openapi.yaml": text });
  expect((await load(join(root, given))).diagnostics).toMatchObject([
    { code: "load-not-found", hint },
  ]);
});

// The superuser may read everything.
if (process.getuid?.() !== 0) {
  test("rejects a file without permission", async () => {
    const root = folder({ "a.json": text });
    chmodSync(join(root, "a.json"), 0);
    expect((await load(join(root, "a.json"))).diagnostics).toMatchObject([
      { code: "load-unreadable" },
    ]);
  });
}

test("messages use the path as typed", async () => {
  const typed = relative(process.cwd(), join(folder({ "a.json": text }), "a.json"));
  const { document } = await load(typed);
  expect(document).toMatchObject({ source: typed, name: "a.json" });
  expect(document?.url).toBeUndefined();
});

test("a document's name has the spelling of the file system", async () => {
  const root = folder({ "api.json": text });
  symlinkSync("api.json", join(root, "API.json"));
  symlinkSync("api.json", join(root, "latest.json"));
  const named = async (path: string) => (await load(join(root, path))).document?.name;
  expect([await named("API.json"), await named("latest.json")]).toEqual([
    "api.json",
    "latest.json",
  ]);
});

test("standard input", async () => {
  const { document, diagnostics } = await load("-", { stdin: async () => Buffer.from(text) });
  expect(diagnostics).toEqual([]);
  expect(document).toMatchObject({ source: "-", name: "stdin" });
});

test("standard input has a limit", async () => {
  const stdin = async (): Promise<Buffer> => Buffer.alloc(1001);
  expect((await readSource("-", { stdin }, small)).problem).toMatchObject({
    code: "load-too-large",
  });
});

test("references from standard input need a folder", async () => {
  const root = folder({ "b.json": { type: "object" } });
  const stdin = async (): Promise<Uint8Array> =>
    Buffer.from(JSON.stringify(api({ $ref: "b.json" })));
  expect(problemsOf(await load("-", { stdin }))).toMatchObject([
    {
      code: "load-ref-broken",
      message: expect.stringContaining("standard input has no base folder") as string,
    },
  ]);
  expect((await load("-", { stdin, refRoot: root })).diagnostics).toEqual([]);
});

const pipe = (): string => {
  const path = join(folder({}), "pipe");
  execFileSync("mkfifo", [path]);
  return path;
};

const write = (path: string, command: string): void => {
  const writer = spawn("sh", ["-c", `{ ${command}; } > "$1"`, "sh", path], { stdio: "ignore" });
  onTestFinished(() => void writer.kill("SIGKILL"));
};

test("a pipe is read to its end", async () => {
  const path = pipe();
  write(path, `sleep 0.1; printf '{"a"'; sleep 0.1; printf ':1}'`);
  const { value } = await readSource(path, {}, limits);
  expect(Buffer.from(value?.bytes ?? []).toString()).toBe('{"a":1}');
});

test("an endless pipe is cut", async () => {
  const path = pipe();
  write(path, "yes");
  expect((await readSource(path, {}, { ...small, milliseconds: 30_000 })).problem).toMatchObject({
    code: "load-too-large",
  });
});

test("a pipe without a writer times out", async () => {
  expect((await readSource(pipe(), {}, small)).problem).toMatchObject({
    code: "load-unreadable",
    message: expect.stringContaining("did not end") as string,
  });
});

test("a pipe is not followed from a document", async () => {
  const root = folder({ "a.json": api({ $ref: "pipe" }) });
  execFileSync("mkfifo", [join(root, "pipe")]);
  expect(problemsOf(await load(join(root, "a.json")))).toMatchObject([
    { code: "load-ref-broken", message: expect.stringContaining("this is a pipe") as string },
  ]);
});

test("a device is not followed from a document", async () => {
  const root = folder({ "a.json": api({ $ref: "sub/zero" }) });
  mkdirSync(join(root, "sub"));
  symlinkSync("/dev/zero", join(root, "sub/zero"));
  expect(problemsOf(await load(join(root, "a.json")))).toMatchObject([{ code: "load-ref-broken" }]);
});

test.each([
  ["api.example.com/openapi.json", "Check the path. A URL starts with https://."],
  ["localhost:8080/openapi.json", "Did you mean http://localhost:8080/openapi.json?"],
  ["127.0.0.1/openapi.json", "Did you mean http://127.0.0.1/openapi.json?"],
  ["absent/openapi.json", "Check the path."],
  ["../absent.d/openapi.json", "Check the path."],
])("the hint for the missing file %s", async (path, hint) => {
  const { diagnostics } = await load(path);
  expect(diagnostics.map((one) => one.hint)).toEqual([hint]);
});
