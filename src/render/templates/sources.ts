import { readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { isLitter } from "../../file-name.js";
import { TemplateError } from "./check.js";
import { filesBelow } from "./files-below.js";

/**
 * Templates by their path below the folder, with `/` and without `.hbs`; partials are those below
 * `partials/`.
 */
export type TemplateTexts = ReadonlyMap<string, { readonly file: string; readonly text: string }>;

/**
 * Where people put templates of files that they add: the rest of the path is where the file goes.
 */
export const FILES = "files/";

/**
 * Reads every `*.hbs` file below a folder.
 * @throws TemplateError for a file below `files/` that is none: whoever put it there wants it in
 *   the project; the error of the file system when the folder cannot be read
 */
export function readTemplates(folder: string): TemplateTexts {
  const all = filesBelow(folder);
  const stray = all.find((file) => !file.endsWith(".hbs") && relative(folder, file).startsWith(join(FILES)) && !isLitter(basename(file)));
  if (stray !== undefined) throw new TemplateError(`${stray}:1:1: this is no template, and nothing is made of it; call it ${basename(stray)}.hbs`);
  const files = all.filter((file) => file.endsWith(".hbs"));
  return new Map(files.map((file) => [pathOf(file, folder), { file, text: unifyLines(readFileSync(file, "utf8")) }] as const));
}

function pathOf(file: string, folder: string): string {
  return file.slice(join(folder, "x").length - 1, -".hbs".length).replaceAll("\\", "/");
}

/** A checkout with CRLF must give the same output. */
function unifyLines(text: string): string {
  return text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
}
