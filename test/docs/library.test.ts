import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compile } from "../compiler.js";
import { scratch } from "../write/tree.js";
import { blocksOf, root } from "./snippets.js";
import { ensureFreshBuild } from "../fresh-build.js";

ensureFreshBuild();

test("the TypeScript of docs/library.md type-checks against the package", async () => {
  const folder = scratch();
  mkdirSync(join(folder, "src"));
  const blocks = blocksOf("docs/library.md", "ts");
  expect(blocks.length).toBeGreaterThan(1);
  blocks.forEach((block, i) => writeFileSync(join(folder, `src/snippet${i}.ts`), block));
  const paths = {
    "mcp-gen": [join(root, "dist/types/index.d.ts")],
    "mcp-gen-runtime": [join(root, "dist/runtime/index.d.ts")],
    "mcp-gen-runtime/node": [join(root, "dist/runtime/node.d.ts")],
  };
  const compilerOptions = {
    ...{ target: "es2023", module: "nodenext", strict: true, noEmit: true, skipLibCheck: true },
    ...{ paths, types: ["node"], typeRoots: [join(root, "node_modules/@types")] },
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["src"] }),
  );
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  expect(await compile(folder)).toBe("");
});
