import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { identifier, lineComment, literal, ts } from "../../../src/render/code/index.js";
import type { ApiView } from "../../../src/render/views/views.js";

const render = resolve(import.meta.dirname, "../../../src/render");

test("unescaped text is a type error in a view and in code", () => {
  const document: string = "PWNED()";
  // @ts-expect-error a string is no code
  const view: ApiView = { header: lineComment("Generated."), api: document };
  // @ts-expect-error a string is no code
  const code = ts`const x = ${document};`;
  expect([view.header, code]).toEqual(["// Generated.", "const x = PWNED();"]);
});

test("code is composed of code", () => {
  expect(ts`const ${identifier("x")} = ${literal({ a: 1 })};`).toBe("const x = { a: 1 };");
});

test("only the escaping functions mark text as safe", () => {
  const outside = readdirSync(render, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.startsWith("code/"),
  );
  const claiming = outside.filter((path) =>
    /\bmarkSafe\b|\bas (unknown as )?(Code|Safe|Markdown|Json|EnvText|FilePath)\b/.test(
      readFileSync(join(render, path), "utf8"),
    ),
  );
  expect(claiming).toEqual([]);
});
