/**
 * Group E: regeneration, with the built program on a real disk. `test/write` has more cases of each
 * row, closer to the code.
 */
import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";
import { cli, mcpGen, type Outcome } from "../cli/built.js";
import { plant, scratch, treeOf, type TreeText } from "../write/tree.js";
import { row } from "./support/transcript.js";

const operation = (name: string, id = `get${name}`): string =>
  `  /${name.toLowerCase()}: {get: {operationId: ${id}, tags: [things], responses: {"200": {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}}\n`;
const document = (...operations: readonly string[]): string =>
  `openapi: 3.1.0\ninfo: {title: Things, version: "1"}\nservers: [{url: "https://things.example"}]\npaths:\n${operations.join("")}`;
const ONE = document(operation("Apple"), operation("Pear"));
const TWO = document(operation("Apple"), operation("Plum"), operation("Fig"));

/** A folder with a document and, unless it is told otherwise, the server of it in `out`. */
async function folder(generated = true, tree: TreeText = {}): Promise<string> {
  const root = scratch();
  plant(root, { "one.yaml": ONE, "two.yaml": TWO, ...tree });
  if (generated) expect((await run(root, "one.yaml")).code).toBe(0);
  return root;
}

const run = (root: string, spec: string, ...more: string[]): Promise<Outcome> =>
  mcpGen([spec, "-o", "out", ...more], root);

/** Exit code 4 and one line, and everything as it was. */
async function refused(
  root: string,
  args: readonly string[],
  says: RegExp,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const before = treeOf(root);
  const { code, out, err } = await mcpGen(args, root, "", more);
  expect([code, out]).toEqual([4, ""]);
  expect(err).toMatch(says);
  expect(err).not.toMatch(/\n\s+at |\n.*\n/);
  expect(treeOf(root)).toEqual(before);
}

row("E01", "a folder that cannot be one", async () => {
  await refused(
    await folder(false, { out: "a file" }),
    ["one.yaml", "-o", "out"],
    /out is not a folder/,
  );
  await refused(
    await folder(false),
    ["one.yaml", "-o", "no/such/out"],
    /the folder .*no\/such does not exist/,
  );
  await refused(
    await folder(false, { file: "x" }),
    ["one.yaml", "-o", "file/out"],
    /the folder .* does not exist/,
  );
});

const faults = pathToFileURL(join(import.meta.dirname, "../write/faults.mjs")).href;

/** The program with a fault at the n-th change of the disk. */
async function faulty(
  root: string,
  fault: string,
): Promise<{ readonly code: number | string; readonly err: string }> {
  try {
    const { stderr } = await promisify(execFile)(
      process.execPath,
      ["--import", faults, cli, "two.yaml", "-o", "out"],
      { cwd: root, env: { ...process.env, FAULT: fault } },
    );
    return { code: 0, err: stderr };
  } catch (error) {
    const { code, signal, stderr } = error as {
      code: number | null;
      signal: string | null;
      stderr: string;
    };
    return { code: code ?? signal ?? "", err: stderr };
  }
}

row("E02", "no space left at one moment or another", async () => {
  const root = await folder();
  const before = treeOf(root);
  for (const at of [1, 2, 3, 5, 8, 13, 18, 23]) {
    const { code, err } = await faulty(root, `fail:${at}`);
    if (code === 0) continue;
    expect([code, err]).toEqual([
      4,
      expect.stringMatching(
        /^error: out could not be written: no space left on the disk\. Nothing was changed\./,
      ),
    ]);
    expect(treeOf(root)).toEqual(before);
  }
  expect((await run(root, "two.yaml")).code).toBe(0);
});

/**
 * Whether this machine lets us make file systems of our own, as containers and most machines do.
 */
const canMount = ((): boolean => {
  try {
    execFileSync("unshare", ["-rm", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /mnt"], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
})();

if (canMount) {
  row("E02", "a disk that is full, and one that is read-only", async () => {
    const root = scratch();
    plant(root, { "one.yaml": ONE, "two.yaml": TWO, "disk/": "" });
    const generate = (spec: string): string =>
      `"${process.execPath}" "${cli}" ${spec} -o disk/out; echo "code $?"; ls -A disk; ls -A disk/out 2>/dev/null | head -3`;
    const script = `mount -t tmpfs -o size=64k tmpfs disk; ${generate("one.yaml")}; mount -o remount,size=64m disk; ${generate("one.yaml")}; mount -o remount,ro disk; ${generate("two.yaml")}; "${process.execPath}" "${cli}" one.yaml -o disk/out --check >/dev/null; echo "check $?"`;
    const { stdout, stderr } = await promisify(execFile)("unshare", ["-rm", "sh", "-c", script], {
      cwd: root,
    });
    expect(stdout.split("\n").filter((line) => /^(code|check) /.test(line))).toEqual([
      "code 4",
      "code 0",
      "code 4",
      "check 0",
    ]);
    expect(stdout.slice(0, stdout.indexOf("Things:"))).toBe("code 4\n");
    expect(stderr).toMatch(
      /^error: disk\/out could not be written: no space left on the disk\..*\nerror: disk\/out could not be written: the file system is read-only\..*\n$/,
    );
  });
}

// test/write/interrupt.test.ts has every moment there is.
row("E03", "killed at some moments, the next run makes it whole", async () => {
  const origin = await folder();
  const wanted = scratch();
  plant(wanted, { "two.yaml": TWO });
  await run(wanted, "two.yaml");
  const ways = [treeOf(join(origin, "out")), treeOf(join(wanted, "out"))];
  await Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (let i = lane; i < 12; i += 4) {
        const root = scratch();
        execFileSync("cp", ["-r", `${origin}/.`, root]);
        const { code } = await faulty(root, `kill:${1 + 3 * i}`);
        const isUndecided = ["journal", "rollback"].some((name) =>
          existsSync(join(root, `out/.mcp-gen/work/${name}.json`)),
        );
        const now = Object.fromEntries(
          Object.entries(treeOf(join(root, "out"))).filter(
            ([path]) => !/^\.mcp-gen\/(lock|work)/.test(path),
          ),
        );
        if (!isUndecided) expect(ways, `killed at ${1 + 3 * i}: ${code}`).toContainEqual(now);
        expect((await run(root, "two.yaml")).code).toBe(0);
        expect(treeOf(join(root, "out"))).toEqual(ways[1]);
        expect(treeOf(root)["out/.mcp-gen/manifest.json"]).toBeDefined();
      }
    }),
  );
});

row("E04", "edited files are not overwritten; the owner's stay byte for byte", async () => {
  const root = await folder();
  plant(root, {
    "out/src/custom/index.ts": "export default {}; // mine\r\n",
    "out/src/custom/more.ts": "mine",
    "out/README.md": "mine",
  });
  await refused(
    root,
    ["two.yaml", "-o", "out"],
    /^error: 1 file in out would lose edits that were made since the last run: README\.md\. Nothing was changed\..*--force/,
  );
  expect((await run(root, "two.yaml", "--force")).code).toBe(0);
  expect(readFileSync(join(root, "out/src/custom/index.ts"), "utf8")).toBe(
    "export default {}; // mine\r\n",
  );
  expect(readFileSync(join(root, "out/src/custom/more.ts"), "utf8")).toBe("mine");
});

row("E05", "foreign files", async () => {
  const foreign: TreeText = { README: "r", ".git/HEAD": "h", ".env": "e", "src/mine.ts": "m" };
  await refused(
    await folder(
      false,
      Object.fromEntries(Object.entries(foreign).map(([path, text]) => [`out/${path}`, text])),
    ),
    ["one.yaml", "-o", "out"],
    /out is not empty and was not generated by mcp-gen/,
  );
  const root = await folder();
  plant(join(root, "out"), foreign);
  expect((await run(root, "two.yaml")).code).toBe(0);
  expect(treeOf(join(root, "out"))).toMatchObject(foreign);
});

row("E06", "links, and a manifest that names files elsewhere", async () => {
  const outside = scratch();
  plant(outside, { precious: "p" });
  const linked = await folder(false);
  symlinkSync(outside, join(linked, "out"));
  await refused(linked, ["one.yaml", "-o", "out"], /out is a symbolic link/);
  const within = await folder();
  rmSync(join(within, "out/README.md"));
  symlinkSync(join(outside, "precious"), join(within, "out/README.md"));
  await refused(
    within,
    ["one.yaml", "-o", "out", "--force"],
    /a link or a folder is at this path: README\.md/,
  );
  for (const path of ["../../precious", join(outside, "precious"), "/etc/hostname"]) {
    const root = await folder();
    const manifest = join(root, "out/.mcp-gen/manifest.json");
    writeFileSync(
      manifest,
      readFileSync(manifest, "utf8").replace('"README.md"', JSON.stringify(path)),
    );
    await refused(root, ["two.yaml", "-o", "out"], /which mcp-gen did not write/);
  }
  expect(treeOf(outside)).toEqual({ precious: "p" });
});

row("E07", "two at once", async () => {
  const root = await folder();
  const results = await Promise.all(
    ["one.yaml", "two.yaml", "one.yaml", "two.yaml"].map((spec) => run(root, spec)),
  );
  for (const { code, err } of results)
    expect([code, err]).toEqual(
      code === 0
        ? [0, expect.not.stringContaining("error")]
        : [4, expect.stringMatching(/Another run/)],
    );
  expect(results.some(({ code }) => code === 0)).toBe(true);
  const checks = await Promise.all(
    ["one.yaml", "two.yaml"].map((spec) => run(root, spec, "--check")),
  );
  expect(checks.map(({ code }) => code).sort()).toEqual([0, 1]);
});

row("E08", "the same again, here and elsewhere", async () => {
  const [root, other] = [await folder(), await folder(false)];
  const files = Object.keys(treeOf(join(root, "out")));
  const moments = (): readonly bigint[] =>
    files.map((path) => statSync(join(root, "out", path), { bigint: true }).mtimeNs);
  const before = moments();
  expect((await run(root, "one.yaml")).out).toContain("is up to date");
  expect(moments()).toEqual(before);

  mkdirSync(join(other, "deep/er"), { recursive: true });
  await mcpGen(["../../one.yaml", "-o", "../../out"], join(other, "deep/er"), "", {
    TZ: "Pacific/Apia",
    LANG: "tr_TR.UTF-8",
    LC_ALL: "tr_TR.UTF-8",
    HOME: other,
  });
  for (const path of files)
    expect(readFileSync(join(other, "out", path), "utf8"), path).toBe(
      readFileSync(join(root, "out", path), "utf8"),
    );

  const made = files.filter((path) => !/^(src\/runtime|test\/mock)\//.test(path));
  const today = new Date().toISOString().slice(0, 10);
  for (const path of made)
    for (const text of [root, homedir() === "/" ? root : homedir(), today])
      expect(readFileSync(join(root, "out", path), "utf8"), path).not.toContain(text);

  for (const path of files)
    if (!path.startsWith("src/custom"))
      writeFileSync(
        join(root, "out", path),
        readFileSync(join(root, "out", path), "utf8").replaceAll("\n", "\r\n"),
      );
  expect((await run(root, "one.yaml", "--check")).code).toBe(0);
});

row("E09", "operations that come, go and change names", async () => {
  const root = await folder();
  const regenerate = (text: string): Promise<Outcome> => (
    writeFileSync(join(root, "one.yaml"), text),
    run(root, "one.yaml")
  );
  const before = treeOf(join(root, "out"));
  expect((await regenerate(TWO)).out).toContain(
    "Changes for agents: 1 breaking and 2 additive changes.\n  ! get_pear: Removed, with its operation `GET /pear`.\n",
  );
  const after = treeOf(join(root, "out"));
  const of = (test: (path: string) => boolean): readonly string[] =>
    [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(test).sort();
  expect(of((path) => before[path] === undefined)).toEqual([
    "src/tools/things/get_fig.ts",
    "src/tools/things/get_plum.ts",
  ]);
  expect(of((path) => after[path] === undefined)).toEqual(["src/tools/things/get_pear.ts"]);
  expect(
    of(
      (path) =>
        before[path] !== undefined && after[path] !== undefined && before[path] !== after[path],
    ),
  ).toEqual(["README.md", "mcp-gen.lock.json", "src/tools/index.ts", "test/api.json"]);

  expect(
    (
      await regenerate(
        document(operation("Apple"), operation("Plum", "getPrune"), operation("Fig")),
      )
    ).out,
  ).toContain("  ! get_prune: Was called `get_plum`.\n");
  expect(existsSync(join(root, "out/src/tools/things/get_plum.ts"))).toBe(false);
});

row("E10", "documents that are none", async () => {
  const root = await folder(false, { "docs/": "" });
  execFileSync("mkfifo", [join(root, "pipe")]);
  writeFileSync(join(root, "big.yaml"), "");
  truncateSync(join(root, "big.yaml"), 500 * 1024 * 1024);
  for (const [spec, says] of [
    ["-", /^error: -: .*empty/i],
    ["docs", /docs: This is a folder/],
    ["none.yaml", /none\.yaml/],
    ["big.yaml", /big\.yaml.*500 MB/],
    [
      "http://things.example/api.yaml",
      /was not fetched: http: is allowed only for loopback addresses/,
    ],
    ["ftp://things.example/api.yaml", /ftp: URLs are not supported/],
  ] as const) {
    const { code, out, err } = await run(root, spec);
    expect([code, out, err]).toEqual([3, "", expect.stringMatching(says)]);
  }
  expect(existsSync(join(root, "out"))).toBe(false);
  expect((await mcpGen(["-", "-o", "out"], root, ONE)).code).toBe(0);
  const [read] = await Promise.all([
    run(root, "pipe", "--check"),
    promisify(execFile)("sh", ["-c", "cat one.yaml > pipe"], { cwd: root }),
  ]);
  expect(read.code).toBe(1);
});

row("E11", "the root, the home folder and the current one, without consent", async () => {
  const root = await folder(false, { "home/": "" });
  await refused(root, ["one.yaml", "-o", "/"], /\/ is the root of the file system/);
  await refused(root, ["one.yaml", "-o", "home"], /home is the home folder/, {
    HOME: join(root, "home"),
  });
  await refused(root, ["one.yaml", "-o", "."], /\. is the current folder/);
});

row(
  "E12",
  "the generated package: exact pins, no scripts at installation, a current SDK",
  async () => {
    const root = await folder();
    const made = JSON.parse(readFileSync(join(root, "out/package.json"), "utf8")) as {
      scripts: object;
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    expect(
      Object.keys(made.scripts).filter((name) => /install|^prepare$|^prepublish$/.test(name)),
    ).toEqual([]);
    const pins = Object.entries({ ...made.dependencies, ...made.devDependencies });
    expect(pins.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    for (const [name, version] of pins)
      expect(
        `${name} ${(JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")) as { version: string }).version}`,
      ).toBe(`${name} ${version}`);
    expect(
      Number(made.dependencies["@modelcontextprotocol/server"]?.split(".")[0]),
    ).toBeGreaterThanOrEqual(2);
  },
);
