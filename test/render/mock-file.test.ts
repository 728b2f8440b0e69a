import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { mockFile } from "../../src/render/mock-files.js";

const root = resolve(import.meta.dirname, "../..");
const { path, content } = mockFile(root);

describe("the mock as one file", () => {
  test("has every module once", () => {
    const modules = readdirSync(join(root, "src/mock")).filter((name) => name !== "index.ts");
    const included = [...content.matchAll(/^\/\/ ---- src\/mock\/(\S+) ----$/gm)].map(
      ([, name]) => name,
    );
    expect([...included].sort()).toEqual(modules.sort());
    expect(path).toBe("test/mock.ts");
  });

  test("imports packages only", () => {
    const imported = [...content.matchAll(/^(?:import|\}).* from "([^"]+)";$/gm)].map(
      ([, name]) => name,
    );
    expect(imported).toContain("@modelcontextprotocol/client");
    expect(imported.filter((name) => name?.startsWith("."))).toEqual([]);
  });

  test("declares no name twice", () => {
    const declaration = /^(?:export )?(?:async )?(?:function|class|const|interface|type) (\w+)/gm;
    const names = [...content.matchAll(declaration)].map(([, name]) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test.each(["contractTests", "startMock", "MockOptions", "sampleInput", "SchemaSet"])(
    "exports %s",
    (name) => {
      expect(content).toMatch(
        new RegExp(`^export (?:async )?(?:function|class|interface) ${name}\\b`, "m"),
      );
    },
  );

  test("keeps internal names to itself", () => {
    expect(content).toMatch(/^function refName\b/m);
    expect(readFileSync(join(root, "src/mock/schema-set.ts"), "utf8")).toMatch(
      /^export function refName\b/m,
    );
  });
});
