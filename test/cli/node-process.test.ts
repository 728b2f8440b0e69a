import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { setEngineOptions, describeOldNode } from "../../src/cli/node-process.js";
import { ensureFreshBuild } from "../fresh-build.js";

ensureFreshBuild();

test.each([
  ["18.20.8", "mcp-gen needs Node 20.19 or newer; this is 18.20.8."],
  ["20.18.3", "mcp-gen needs Node 20.19 or newer; this is 20.18.3."],
  ["20.19.0", undefined],
  ["22.0.0", undefined],
  ["26.1.0-pre", undefined],
])("Node %s", (version, want) => expect(describeOldNode(version, "mcp-gen")).toBe(want));

test("the minimum is that of package.json", () => {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as {
    engines: { node: string };
  };
  expect(engines.node).toBe(">=20.19");
});

test("this engine knows the options: it would complain otherwise", () => {
  const cli = join(import.meta.dirname, "../../dist/cli.cjs");
  const { stdout, stderr } = spawnSync(process.execPath, [cli, "--version"], { encoding: "utf8" });
  expect(`${stdout}${stderr}`).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each(["1.0.0", "99.1.2-node.3", ""])("an engine of version %j is left alone", (v8) => {
  expect(() => setEngineOptions(v8)).not.toThrow();
});
