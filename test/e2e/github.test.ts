import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfiguration } from "../../src/configuration/index.js";
import { generate } from "../../src/generate.js";
import { mcpGen } from "../cli/built.js";
import { readLock } from "../../src/diff/index.js";

/** The sample made of GitHub's own document, which npm installs. */
const folder = "samples/github";

test("GitHub's 1,200 operations are 20 to 30 tools under 12,000 tokens", async () => {
  const { configuration } = await readConfiguration(join(folder, "mcp-gen.yaml"));
  const { plan, files, ok } = await generate(configuration?.settings.spec ?? "", undefined, {
    ...(configuration && { configuration }),
  });
  expect(ok).toBe(true);
  expect(plan?.tools.length).toBeGreaterThanOrEqual(20);
  expect(plan?.tools.length).toBeLessThanOrEqual(30);
  expect(plan?.budget.listTokens).toBeLessThan(12_000);
  expect(plan?.budget.mode).toBe("tools");
  const lock = readLock(files?.find(({ path }) => path === "mcp-gen.lock.json")?.content ?? "");
  const inputs = typeof lock === "object" ? lock.tools.map(({ inputSchema }) => inputSchema) : [];
  const names = inputs.flatMap(({ properties = {} }) => Object.keys(properties));
  expect(names).toContain("repo");
  expect(names).not.toContain("owner");
});

test("every tool of it works against a mock of GitHub", async () => {
  const { code, out } = await mcpGen(["try", "--config", join(folder, "mcp-gen.yaml")], ".");
  expect(out).toMatch(/(\d+) of \1 tools work/);
  expect(code).toBe(0);
});
