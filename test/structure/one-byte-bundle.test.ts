import { build } from "esbuild";
import { expect, test } from "vitest";

/*
 * V8 keeps a program in one byte per character only if all of it is Latin-1; one other character
 * doubles the memory of every bundle. esbuild escapes strings, but not regular expressions.
 */
test("bundles of the runtime are ASCII", async () => {
  const { outputFiles } = await build({
    entryPoints: ["src/runtime/serve.ts"],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
  });
  const lines = outputFiles[0]!.text.split("\n").filter((line) => /[^\x00-\x7f]/.test(line));
  expect(lines).toEqual([]);
});
