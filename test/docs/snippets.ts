import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

/** Documents for users of mcp-gen. */
export const pages: readonly string[] = [
  "README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** Fenced blocks of a language, in order. */
export function blocksOf(page: string, language: string): readonly string[] {
  const text = readFileSync(join(root, page), "utf8");
  const fence = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm");
  return [...text.matchAll(fence)].map(([, block]) => block as string);
}

/** A line of a shell block. */
export interface ShellLine {
  readonly text: string;
  /** Exit codes that the page announces: 0, and that of a comment such as `# exit code 1`. */
  readonly codes: readonly number[];
}

/** Lines of the shell blocks of a page, with continued lines joined. */
export function shellLines(page: string): readonly ShellLine[] {
  return blocksOf(page, "sh")
    .join("")
    .replace(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => ({
      text: line.replace(/\s+#.*$/, "").trim(),
      codes: [0, ...[...line.matchAll(/exit code (\d)/g)].map(([, code]) => Number(code))],
    }))
    .filter(({ text }) => text !== "" && !text.startsWith("#"));
}
