import { isDeviceName } from "../../file-name.js";

/**
 * camelCase identifier of a tool name: `find_pets` → `findPets`. Different names give different
 * identifiers, because the underscore before a digit is kept. Reserved words, and names whose
 * `…Input` or `…Output` is a named schema, get the suffix `Tool`.
 */
export function toIdentifier(name: string, isTaken: (typeName: string) => boolean): string {
  const camel = camelCase(name);
  const pascal = camel.charAt(0).toUpperCase() + camel.slice(1);
  const clashes =
    isReservedIdentifier(camel) || isTaken(`${pascal}Input`) || isTaken(`${pascal}Output`);
  return clashes ? `${camel}Tool` : camel;
}

function camelCase(name: string): string {
  const [first = "", ...rest] = name.split("_");
  return (
    first +
    rest
      .map((word) =>
        /^[a-z]/.test(word) ? word.charAt(0).toUpperCase() + word.slice(1) : `_${word}`,
      )
      .join("")
  );
}

/** File and folder names that a generated project uses itself or that git ignores. */
const RESERVED_FILE_NAMES = new Set([
  "index",
  "node_modules",
  "dist",
  "build",
  "coverage",
  "custom",
  "runtime",
]);

/** True when a tool or toolset name is not usable as a file or folder name. */
export function isReservedFileName(name: string): boolean {
  return isDeviceName(name) || RESERVED_FILE_NAMES.has(name);
}

const RESERVED_IDENTIFIERS = new Set(
  (
    "arguments async await break case catch class const continue debugger default delete do else " +
    "enum eval export extends false finally for function if implements import in instanceof " +
    "interface let new null package private protected public return static super switch this " +
    "throw true try typeof undefined var void while with yield " +
    // Names that the files of a generated project import beside a tool.
    "defineTool defineApi tools api"
  ).split(" "),
);

/** True when a name cannot be an identifier of a generated module. */
function isReservedIdentifier(name: string): boolean {
  return RESERVED_IDENTIFIERS.has(name);
}
