import { expect, test } from "vitest";
import { parseYaml } from "../../src/load/text/parse-yaml.js";

test("a syntax error whose explanation exhausts the stack keeps its location", async () => {
  const lines = Array.from({ length: 16_000 }, (_, i) => `"k${i}: 1\n`).join("");
  const { problem } = await parseYaml(`${lines}]`, "openapi.yaml");
  expect(problem).toMatchObject({ code: "load-syntax", location: { file: "openapi.yaml" } });
  expect(problem?.location?.line).toBeGreaterThan(0);
});
