import { expect, test } from "vitest";
import { parseConfiguration } from "../../src/configuration/parse-configuration.js";
import { blocksOf, pages } from "./snippets.js";

const configurations = pages.flatMap((page) =>
  blocksOf(page, "yaml")
    .filter((block) => /^version: 1$/m.test(block))
    .map((block, i) => ({ page, i: i + 1, block })),
);

test("the docs show configurations", () => expect(configurations.length).toBeGreaterThan(2));

test.each(configurations)("configuration $i of $page is valid", ({ block }) => {
  expect(parseConfiguration(block, "mcp-gen.yaml").diagnostics).toEqual([]);
});
