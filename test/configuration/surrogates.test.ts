import { expect, test } from "vitest";
import { parseConfiguration } from "../../src/configuration/parse-configuration.js";

test("a key with an unpaired surrogate is a fault of the file", () => {
  const { diagnostics } = parseConfiguration('{"tools": {"\\ud800": {}}}', "mcp-gen.yaml");
  expect(diagnostics.map(({ code }) => code)).toEqual(["config-syntax"]);
  expect(diagnostics[0]?.message).toContain("unpaired surrogate");
});

test("an invisible character of a key is not part of a message", () => {
  const { diagnostics } = parseConfiguration('{"version": 1, "to\u200bols": {}}', "mcp-gen.yaml");
  expect(diagnostics[0]?.message).toMatch(/^Unknown key `tools`/);
});
