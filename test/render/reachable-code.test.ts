/** Selection of declarations, and the texts of the files that they are in. */
import { expect, test } from "vitest";
import { reachableCode, textOf } from "../../src/render/reachable-code.js";
import { readRuntimeFiles } from "../../src/render/runtime-scopes.js";

const sources: Readonly<Record<string, string>> = {
  "index.ts": `/** The entry. */
import { type Shape, area } from "./shape.js";

export const unit: Shape = { side: 1 };
export const size = area(unit);
`,
  "shape.ts": `/** Shapes. */
import { square, cube } from "./data/powers.js";
import type { Solid } from "./solid.js";

export interface Shape {
  readonly side: number;
}

/** Its area. */
export function area({ side }: Shape): number {
  return square(side) * SCALE;
}

const SCALE = 1;

// Volumes.
export const volume = ({ side }: Solid): number => cube(side);
`,
  "data/powers.ts": `export * from "./square.js";

export const cube = (value: number): number => value ** 3;
`,
  "data/square.ts": `export const square = (value: number): number => value ** 2;
`,
  "solid.ts": `import type { Shape } from "./shape.js";

export type Solid = Shape & { readonly volume: number };
`,
};

/** Texts of what the entry reaches, with the stand-ins of some files. */
function reached(texts = sources, replaced: readonly string[] = []): Record<string, string> {
  const { files, standIns } = readRuntimeFiles(
    Object.entries(texts).map(([path, content]) => ({ path, content })),
  );
  const find = (path: string) => (replaced.includes(path) ? standIns : files).get(path);
  const kept = reachableCode(find, ["index.ts"]);
  return Object.fromEntries([...kept].map(([path, file]) => [path, textOf(file)]));
}

test("keeps what the entry uses, with its comments and imports", () => {
  expect(reached()).toEqual({
    "index.ts": sources["index.ts"]?.replace("{ type Shape, area }", "{ area, type Shape }"),
    "shape.ts": `/** Shapes. */
import { square } from "./data/powers.js";

export interface Shape {
  readonly side: number;
}

/** Its area. */
export function area({ side }: Shape): number {
  return square(side) * SCALE;
}

const SCALE = 1;
`,
    "data/powers.ts": 'export * from "./square.js";\n',
    "data/square.ts": sources["data/square.ts"],
  });
});

test("keeps all exports of a file that is loaded on demand", () => {
  const entry = 'export const later = () => import("./data/powers.js");\n';
  expect(Object.keys(reached({ ...sources, "index.ts": entry }))).toEqual([
    "index.ts",
    "data/powers.ts",
    "data/square.ts",
  ]);
  expect(reached({ ...sources, "index.ts": entry })["data/powers.ts"]).toContain("cube");
});

test("a stand-in replaces declarations of the same names, and what only they use is left out", () => {
  const standIn = `/** Stands in for areas. */
import type { Shape } from "./shape.js";

export function area({ side }: Shape): number {
  return side;
}
`;
  const files = reached({ ...sources, "shape.absent.ts": standIn }, ["shape.ts"]);
  expect(Object.keys(files)).toEqual(["index.ts", "shape.ts"]);
  expect(files["shape.ts"]).toBe(`/** Shapes. */

export function area({ side }: Shape): number {
  return side;
}

export interface Shape {
  readonly side: number;
}
`);
});
