/**
 * Commands in docs/regeneration.md for other systems than GitHub, run unchanged in a clone of a
 * repository.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { version } from "../../../src/version.js";
import { scratch } from "../../write/tree.js";
import { type Api, branchOf, git, newRepository, npxFor } from "./repository.js";

const script =
  /\nIn other CI systems:[^]*?```sh\n([^]*?)```/.exec(
    readFileSync("docs/regeneration.md", "utf8"),
  )?.[1] ?? "";
let main = "";

beforeAll(async () => {
  main = await newRepository("apis/notes");
});

/** A clone on a branch of its own, while main may have gone on. */
async function cloneOf(
  change: Partial<Api>,
  regenerates: boolean,
  later: Partial<Api> | undefined,
): Promise<string> {
  const branch = await branchOf(main, "apis/notes", change, regenerates);
  const upstream = later ? await branchOf(main, "apis/notes", later, true) : main;
  git(branch, "remote", "add", "origin", `file://${upstream}`);
  if (later) git(upstream, "branch", "-qf", "main", "change");
  return branch;
}

function inShell(repository: string): { readonly code: number | null; readonly out: string } {
  const bin = join(scratch(), "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npx"), `#!/bin/sh\n${npxFor(`mcp-gen@${version}`)}`);
  chmodSync(join(bin, "npx"), 0o755);
  const { status, stdout, stderr } = spawnSync("sh", ["-c", script], {
    cwd: join(repository, "apis/notes"),
    encoding: "utf8",
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"]}` },
  });
  return { code: status, out: stdout + stderr };
}

test.each<readonly [string, Partial<Api>, boolean, Partial<Api> | undefined, number, string]>([
  ["changes nothing", {}, true, undefined, 0, "No changes for agents."],
  ["changes words", { summary: "List all notes" }, true, undefined, 0, "2 cosmetic changes"],
  ["breaks calls", { status: "[open]" }, true, undefined, 1, "1 breaking"],
  ["forgets to regenerate", { status: "[open]" }, false, undefined, 1, "1 breaking"],
  [
    "is behind main, which takes more by now",
    {},
    true,
    { status: "[open, shut, lost]" },
    0,
    "No changes for agents.",
  ],
])("a branch that %s", async (_, change, regenerates, later, code, says) => {
  expect(inShell(await cloneOf(change, regenerates, later))).toEqual({
    code,
    out: expect.stringContaining(says) as string,
  });
});

test("a clone without the common history fails", async () => {
  const branch = await cloneOf({ status: "[open]" }, true, { summary: "List all notes" });
  const shallow = join(scratch(), "clone");
  git(scratch(), "clone", "-q", "--depth=1", "--branch=change", `file://${branch}`, shallow);
  git(shallow, "remote", "set-url", "origin", git(branch, "remote", "get-url", "origin").trim());
  expect(inShell(shallow).code).toBe(1);
});
