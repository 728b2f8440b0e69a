import { isDeviceName } from "../../file-name.js";

/** Folders and files that a project uses for something else, or that git ignores. */
const PROJECT = new Set([
  "index",
  "node_modules",
  "dist",
  "build",
  "coverage",
  "custom",
  "runtime",
]);

/** True when a tool or toolset name would be a bad file or folder name somewhere. */
export function isReservedFile(name: string): boolean {
  return isDeviceName(name) || PROJECT.has(name);
}

const WORDS = new Set(
  (
    "arguments async await break case catch class const continue debugger default delete do else enum eval export extends false finally for " +
    "function if implements import in instanceof interface let new null package private protected public return static super switch this " +
    "throw true try typeof undefined var void while with yield " +
    // What the files of a generated project import beside a tool.
    "defineTool defineApi tools api"
  ).split(" "),
);

/** True when a name cannot be a binding of a generated module. */
export function isReservedWord(name: string): boolean {
  return WORDS.has(name);
}
