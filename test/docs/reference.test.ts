import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./snippets.js";

test.each([
  ["configuration-reference.md", "configurationReference"],
  ["diagnostics.md", "diagnosticsReference"],
])("docs/%s is up to date: npm run reference", (name, generator) => {
  const script = `import("./scripts/reference.mjs").then((m) => process.stdout.write(m.${generator}()))`;
  const text = execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
  expect(readFileSync(join(root, "docs", name), "utf8").trim()).toBe(text.trim());
  expect(text).not.toContain("|  |");
});
