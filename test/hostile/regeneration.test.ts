/**
 * Group E: regeneration with the built program on a real file system. `test/write` covers each
 * scenario in more detail.
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
import { scenario } from "./support/transcript.js";

const operation = (name: string, id = `get${name}`): string =>
  `  /${name.toLowerCase()}: {get: {operationId: ${id}, tags: [things], responses: {"200": {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}}\n`;
const document = (...operations: readonly string[]): string =>
  `openapi: 3.1.0\ninfo: {title: Things, version: "1"}\nservers: [{url: "https://things.example"}]\npaths:\n${operations.join("")}`;
const ONE = document(operation("Apple"), operation("Pear"));
const TWO = document(operation("Apple"), operation("Plum"), operation("Fig"));

/** Creates a folder with a document and, by default, its generated server in `out`. */
async function folder(shouldGenerate = true, tree: TreeText = {}): Promise<string> {
  const root = scratch();
  plant(root, { "one.yaml": ONE, "two.yaml": TWO, ...tree });
  if (shouldGenerate) expect((await run(root, "one.yaml")).code).toBe(0);
  return root;
}

const run = (root: string, spec: string, ...more: string[]): Promise<Outcome> =>
  mcpGen([spec, "-o", "out", ...more], root);

/** Expects exit code 4, one line on stderr, and unchanged files. */
async function expectRefused(
  root: string,
  args: readonly string[],
  message: RegExp,
  extraEnv: Readonly<Record<string, string>> = {},
): Promise<void> {
  const before = treeOf(root);
  const { code, out, err } = await mcpGen(args, root, "", extraEnv);
  expect([code, out]).toEqual([4, ""]);
  expect(err).toMatch(message);
  expect(err).not.toMatch(/\n\s+at |\n.*\n/);
  expect(treeOf(root)).toEqual(before);
}

scenario("E01", "invalid output folders", async () => {
  await expectRefused(
    await folder(false, { out: "a file" }),
    ["one.yaml", "-o", "out"],
    /out is not a folder/,
  );
  await expectRefused(
    await folder(false),
    ["one.yaml", "-o", "no/such/out"],
    /the folder .*no\/such does not exist/,
  );
  await expectRefused(
    await folder(false, { file: "x" }),
    ["one.yaml", "-o", "file/out"],
    /the folder .* does not exist/,
  );
});

const faults = pathToFileURL(join(import.meta.dirname, "../write/faults.mjs")).href;

/** Runs the program with a fault injected at a given file system operation. */
async function runWithFault(
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

scenario("E02", "no space left during writing", async () => {
  const root = await folder();
  const before = treeOf(root);
  for (const at of [1, 2, 3, 5, 8, 13, 18, 23]) {
    const { code, err } = await runWithFault(root, `fail:${at}`);
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

/** True if the system allows unprivileged mounts, as containers and most machines do. */
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
  scenario("E02", "a full disk and a read-only one", async () => {
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

// test/write/interrupt.test.ts covers an interruption at every operation.
scenario("E03", "after a kill at any moment, the next run completes the output", async () => {
  const origin = await folder();
  const target = scratch();
  plant(target, { "two.yaml": TWO });
  await run(target, "two.yaml");
  const validTrees = [treeOf(join(origin, "out")), treeOf(join(target, "out"))];
  await Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (let i = lane; i < 12; i += 4) {
        const root = scratch();
        execFileSync("cp", ["-r", `${origin}/.`, root]);
        const { code } = await runWithFault(root, `kill:${1 + 3 * i}`);
        const isUndecided = ["journal", "rollback"].some((name) =>
          existsSync(join(root, `out/.mcp-gen/work/${name}.json`)),
        );
        const current = Object.fromEntries(
          Object.entries(treeOf(join(root, "out"))).filter(
            ([path]) => !/^\.mcp-gen\/(lock|work)/.test(path),
          ),
        );
        if (!isUndecided)
          expect(validTrees, `killed at ${1 + 3 * i}: ${code}`).toContainEqual(current);
        expect((await run(root, "two.yaml")).code).toBe(0);
        expect(treeOf(join(root, "out"))).toEqual(validTrees[1]);
        expect(treeOf(root)["out/.mcp-gen/manifest.json"]).toBeDefined();
      }
    }),
  );
});

scenario("E04", "edited files are not overwritten; custom files stay byte for byte", async () => {
  const root = await folder();
  plant(root, {
    "out/src/custom/index.ts": "export default {}; // mine\r\n",
    "out/src/custom/more.ts": "mine",
    "out/README.md": "mine",
  });
  await expectRefused(
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

scenario("E05", "foreign files", async () => {
  const foreign: TreeText = { README: "r", ".git/HEAD": "h", ".env": "e", "src/mine.ts": "m" };
  await expectRefused(
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

scenario("E06", "symbolic links, and a manifest with paths outside of the output", async () => {
  const outside = scratch();
  plant(outside, { precious: "p" });
  const linkedOutput = await folder(false);
  symlinkSync(outside, join(linkedOutput, "out"));
  await expectRefused(linkedOutput, ["one.yaml", "-o", "out"], /out is a symbolic link/);
  const linkedFile = await folder();
  rmSync(join(linkedFile, "out/README.md"));
  symlinkSync(join(outside, "precious"), join(linkedFile, "out/README.md"));
  await expectRefused(
    linkedFile,
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
    await expectRefused(root, ["two.yaml", "-o", "out"], /which mcp-gen did not write/);
  }
  expect(treeOf(outside)).toEqual({ precious: "p" });
});

scenario("E07", "concurrent runs", async () => {
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

scenario("E08", "repeated runs, and runs from another folder", async () => {
  const [root, other] = [await folder(), await folder(false)];
  const files = Object.keys(treeOf(join(root, "out")));
  const modificationTimes = (): readonly bigint[] =>
    files.map((path) => statSync(join(root, "out", path), { bigint: true }).mtimeNs);
  const before = modificationTimes();
  expect((await run(root, "one.yaml")).out).toContain("is up to date");
  expect(modificationTimes()).toEqual(before);

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

  const generatedFiles = files.filter((path) => !/^(src\/runtime|test\/mock)\//.test(path));
  const today = new Date().toISOString().slice(0, 10);
  for (const path of generatedFiles)
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

scenario("E09", "added, removed and renamed operations", async () => {
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
  const pathsWhere = (test: (path: string) => boolean): readonly string[] =>
    [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(test).sort();
  expect(pathsWhere((path) => before[path] === undefined)).toEqual([
    "src/tools/things/get_fig.ts",
    "src/tools/things/get_plum.ts",
  ]);
  expect(pathsWhere((path) => after[path] === undefined)).toEqual(["src/tools/things/get_pear.ts"]);
  expect(
    pathsWhere(
      (path) =>
        before[path] !== undefined && after[path] !== undefined && before[path] !== after[path],
    ),
  ).toEqual(["README.md", "SKILL.md", "mcp-gen.lock.json", "src/tools/index.ts", "test/api.json"]);

  expect(
    (
      await regenerate(
        document(operation("Apple"), operation("Plum", "getPrune"), operation("Fig")),
      )
    ).out,
  ).toContain("  ! get_prune: Renamed from `get_plum`.\n");
  expect(existsSync(join(root, "out/src/tools/things/get_plum.ts"))).toBe(false);
});

scenario("E10", "invalid documents and other sources", async () => {
  const root = await folder(false, { "docs/": "" });
  execFileSync("mkfifo", [join(root, "pipe")]);
  writeFileSync(join(root, "big.yaml"), "");
  truncateSync(join(root, "big.yaml"), 500 * 1024 * 1024);
  for (const [spec, message] of [
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
    expect([code, out, err]).toEqual([3, "", expect.stringMatching(message)]);
  }
  expect(existsSync(join(root, "out"))).toBe(false);
  expect((await mcpGen(["-", "-o", "out"], root, ONE)).code).toBe(0);
  const [fromPipe] = await Promise.all([
    run(root, "pipe", "--check"),
    promisify(execFile)("sh", ["-c", "cat one.yaml > pipe"], { cwd: root }),
  ]);
  expect(fromPipe.code).toBe(1);
});

scenario("E11", "the root, home and current folders are rejected", async () => {
  const root = await folder(false, { "home/": "" });
  await expectRefused(root, ["one.yaml", "-o", "/"], /\/ is the root of the file system/);
  await expectRefused(root, ["one.yaml", "-o", "home"], /home is the home folder/, {
    HOME: join(root, "home"),
  });
  await expectRefused(root, ["one.yaml", "-o", "."], /\. is the current folder/);
});

scenario(
  "E12",
  "the generated package: exact pins, no scripts at installation, a current SDK",
  async () => {
    const root = await folder();
    const manifest = JSON.parse(readFileSync(join(root, "out/package.json"), "utf8")) as {
      scripts: object;
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    expect(
      Object.keys(manifest.scripts).filter((name) => /install|^prepare$|^prepublish$/.test(name)),
    ).toEqual([]);
    const pins = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(pins.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    for (const [name, version] of pins)
      expect(
        `${name} ${(JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")) as { version: string }).version}`,
      ).toBe(`${name} ${version}`);
    expect(
      Number(manifest.dependencies["@modelcontextprotocol/server"]?.split(".")[0]),
    ).toBeGreaterThanOrEqual(2);
  },
);
