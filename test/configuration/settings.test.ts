import { describe, expect, test } from "vitest";
import { readConfiguration, settingsOf } from "../../src/configuration/index.js";
import { join } from "node:path";
import { folder } from "../load/folder.js";

describe("paths are relative to the configuration file", () => {
  test.each([
    {
      file: "mcp-gen.yaml",
      given: { spec: "./openapi.yaml", output: "./server" },
      want: { spec: "openapi.yaml", output: "server" },
    },
    {
      file: "api/mcp-gen.yaml",
      given: { spec: "../openapi.yaml", overlays: ["a.yaml", "./b/c.yaml"] },
      want: { spec: "openapi.yaml", overlays: [join("api", "a.yaml"), join("api", "b", "c.yaml")] },
    },
    {
      file: "api/mcp-gen.yaml",
      given: { spec: "https://x.example/openapi.json", templates: "/t" },
      want: { spec: "https://x.example/openapi.json", templates: "/t" },
    },
    {
      file: "api/mcp-gen.yaml",
      given: { spec: ".\\v1\\openapi.yaml", output: "..\\server" },
      want: { spec: join("api", "v1", "openapi.yaml"), output: "server" },
    },
    { file: "mcp-gen.yaml", given: { namespace: "shop" }, want: { namespace: "shop" } },
  ])("$file: $given", ({ file, given, want }) => {
    expect(settingsOf({ version: 1, ...given }, file)).toEqual(want);
  });
});

describe("a file", () => {
  test.each([
    { given: "version: 1\nspec: a.yaml\n", codes: [] },
    { given: "\ufeffversion: 1\n", codes: [] },
    { given: "version: 1\npackages: {undici: ^7.30.1}\n", codes: [] },
    { given: "version: 1\npackages: {mcp-gen-runtime: file:../runtime-0.1.0.tgz}\n", codes: [] },
    { given: "version: 1\npackages: {undici: latest}\n", codes: ["config-invalid-value"] },
    {
      given: "version: 1\npackages: {undici: file:../un dici.tgz}\n",
      codes: ["config-invalid-value"],
    },
    { given: "", codes: ["load-empty"] },
    { given: "<!doctype html>", codes: ["load-not-text"] },
    { given: "version: 1\na: *b\n", codes: ["config-syntax"] },
    {
      given: `version: 1\n${Array.from(
        { length: 9 },
        (_, i) =>
          `x${i}: &x${i} [${
            i === 0
              ? "a"
              : Array(10)
                  .fill(`*x${i - 1}`)
                  .join(", ")
          }]`,
      ).join("\n")}\n`,
      codes: ["config-syntax"],
    },
  ])("$given", async ({ given, codes }) => {
    const root = folder({ "mcp-gen.yaml": given });
    const { configuration, diagnostics } = await readConfiguration(join(root, "mcp-gen.yaml"));
    const empty = diagnostics.find(({ code }) => code === "load-empty");
    if (empty) expect(empty.hint).toBe("Start it with the line `version: 1`.");
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
    expect(configuration !== undefined).toBe(codes.length === 0);
  });
});
