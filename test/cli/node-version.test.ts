import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeOldNode } from "../../src/cli/node-version.js";

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
