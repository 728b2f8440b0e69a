import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { complaints } from "../cli/ci/parser.js";

const folder = resolve(import.meta.dirname, "../../.github/workflows");

test.each(readdirSync(folder))(".github/workflows/%s is a valid GitHub workflow", async (file) => {
  expect(await complaints(readFileSync(join(folder, file), "utf8"))).toEqual([]);
});
