import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { filesBelow } from "./files-below.js";

/** Templates by their path below the folder, with `/` and without `.hbs`; partials are those below `partials/`. */
export type TemplateTexts = ReadonlyMap<string, { readonly file: string; readonly text: string }>;

/**
 * Reads every `*.hbs` file below a folder.
 * @throws when the folder cannot be read
 */
export async function readTemplates(folder: string): Promise<TemplateTexts> {
  const files = filesBelow(folder).filter((file) => file.endsWith(".hbs"));
  const read = async (file: string) => [pathOf(file, folder), { file, text: unifyLines(await readFile(file, "utf8")) }] as const;
  return new Map(await Promise.all(files.map(read)));
}

function pathOf(file: string, folder: string): string {
  return file.slice(join(folder, "x").length - 1, -".hbs".length).replaceAll("\\", "/");
}

/** A checkout with CRLF must give the same output. */
function unifyLines(text: string): string {
  return text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
}
