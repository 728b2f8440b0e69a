import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { load } from "../../src/load/index.js";
import { areRefsLocalAndValid } from "../../src/load/refs/reference-cycles.js";
import { measureGraph } from "../../src/load/limits.js";

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve("@readme/oas-examples/package.json"));

/** Every one of these real documents, once in JSON and once in YAML. */
const documents = ["2.0", "3.0", "3.1"].flatMap((version) =>
  ["json", "yaml"].flatMap((format) =>
    readdirSync(join(folder, version, format))
      .filter((name) => name.endsWith(`.${format}`))
      .map((name) => `${version}/${format}/${name}`),
  ),
);

test.each(documents)("%s is a document, or one problem with a location", async (name) => {
  const { document, diagnostics } = await load(join(folder, name));
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.length).toBe(document ? 0 : 1);
  for (const { location, message, hint } of errors)
    expect([typeof location?.line, message.length > 10, typeof hint]).toEqual([
      "number",
      true,
      "string",
    ]);
  if (!document) return;
  expect(document.version).toBe(name.slice(0, 3));
  const survey = measureGraph(document.root);
  expect("refs" in survey && areRefsLocalAndValid(document.root, survey.refs)).toBe(true);
});

test("a large document", async () => {
  const { document, diagnostics, locate } = await load(
    require.resolve("@octokit/openapi/generated/api.github.com.json"),
  );
  expect(diagnostics).toEqual([]);
  expect(Object.keys(document?.root.paths as object).length).toBeGreaterThan(700);
  expect(locate({ pointer: "#/components/schemas/simple-user/properties/login" })).toMatchObject({
    column: expect.any(Number) as number,
    line: expect.any(Number) as number,
  });
});
