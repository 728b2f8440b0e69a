import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "./snippets.js";

test(
  "a new user gets from the packed tarball to a publish dry run",
  { timeout: 900_000 },
  async () => {
    const script = join(root, "scripts/first-hour.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, [script], { cwd: root });
    console.log(stdout);
    const rows = stdout.split("\n").map((line) => /^(.*?) +(\d+) commands?, [\d.]+ s$/.exec(line));
    expect(rows.flatMap((row) => (row ? [[row[1], Number(row[2])]] : []))).toEqual([
      ["install", 1],
      ["a tool answers", 1],
      ["own the server", 3],
      ["start, call", 0],
      ["see the change", 1],
      ["regenerate, call", 2],
      ["publish dry run", 1],
    ]);
  },
);
