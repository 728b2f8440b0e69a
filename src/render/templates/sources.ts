import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "./files-below.js";

/** Templates by their path below the folder, with `/` and without `.hbs`; partials are those below `partials/`. */
export type TemplateTexts = ReadonlyMap<string, { readonly file: string; readonly text: string }>;

/**
 * Reads every `*.hbs` file below a folder.
 * @throws when the folder cannot be read
 */
export function readTemplates(folder: string): TemplateTexts {
  const files = filesBelow(folder).filter((file) => file.endsWith(".hbs"));
  return new Map(files.map((file) => [pathOf(file, folder), { file, text: unifyLines(readFileSync(file, "utf8")) }] as const));
}

function pathOf(file: string, folder: string): string {
  return file.slice(join(folder, "x").length - 1, -".hbs".length).replaceAll("\\", "/");
}

/** A checkout with CRLF must give the same output. */
function unifyLines(text: string): string {
  return text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
}
