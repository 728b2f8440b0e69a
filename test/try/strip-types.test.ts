import { ts } from "ts-morph";
import { expect, test } from "vitest";
import { stripTypes } from "../../src/try/strip-types.js";

const code = `
import type { Tool } from "./types.js";
import { type Options, run } from "./run.js";
import { sideEffect } from "./side-effect.js";
/** Inputs. */
export interface Input { id: number }
export type Output = Record<string, unknown>;
const names = ["a", "b"] as const satisfies readonly string[];
class Store<T> {
  #items = new Map<string, T>();
  get<K extends string>(key: K): T | undefined { return this.#items.get(key)!; }
}
export const tool = run<Input, Output>({ names, items: new Store<Tool>(), text: \`a\${1 as number}\` });
export const read = async (input?: Options): Promise<void> => { await input?.go!(/[/]\\/<x>/u); };
`;

const program = (text: string): string =>
  ts.createPrinter({ removeComments: true }).printFile(ts.createSourceFile("a.ts", text, 99));

test("types are stripped as by the compiler of TypeScript", async () => {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { target: 9, module: 99, verbatimModuleSyntax: true },
  });
  const [[path, stripped] = []] = await stripTypes([["src/tool.ts", code]]);
  expect(path).toBe("src/tool.js");
  expect(program(stripped!)).toBe(program(outputText));
  expect(stripped).toContain("side-effect.js");
});
