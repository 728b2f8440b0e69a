import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = new URL("../../src/mock", import.meta.url).pathname;
const declaration = /^(?:export )?(?:async )?(?:function|const|class|interface|type) (\w+)/gm;

test("no two modules of the mock declare the same name, because they become one file", () => {
  const files = readdirSync(folder).filter((file) => !file.endsWith(".absent.ts"));
  const names = files.flatMap((file) => {
    const matches = readFileSync(join(folder, file), "utf8").matchAll(declaration);
    return [...matches].map(([, name = ""]) => name);
  });
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
