/** Files of a folder of templates. */
import { readFileSync, readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { isJunkFile } from "../../file-name.js";
import { TemplateError } from "./check.js";

/**
 * Templates by path below the folder, with `/` and without `.hbs`. Partials are below `partials/`.
 */
export type TemplateTexts = ReadonlyMap<string, { readonly file: string; readonly text: string }>;

/** Folder of templates for added files. The rest of the path is the path of the file. */
export const ADDED_FILES = "files/";

/**
 * Reads every `*.hbs` file below a folder.
 * @throws TemplateError for another file below `files/`; the error of the file system when the
 *   folder cannot be read
 */
export function readTemplates(folder: string): TemplateTexts {
  const all = listFiles(folder);
  const stray = all.find(
    (file) =>
      !file.endsWith(".hbs") &&
      relative(folder, file).startsWith(join(ADDED_FILES)) &&
      !isJunkFile(basename(file)),
  );
  if (stray !== undefined)
    throw new TemplateError(`${stray}:1:1: not a template; rename it to ${basename(stray)}.hbs`);
  const files = all.filter((file) => file.endsWith(".hbs"));
  return new Map(
    files.map(
      (file) =>
        [
          templatePath(file, folder),
          { file, text: normalizeLineEndings(readFileSync(file, "utf8")) },
        ] as const,
    ),
  );
}

function templatePath(file: string, folder: string): string {
  return file.slice(join(folder, "x").length - 1, -".hbs".length).replaceAll("\\", "/");
}

/** Removes CRs and a byte order mark, so that a checkout with CRLF gives the same output. */
function normalizeLineEndings(text: string): string {
  return text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
}

/**
 * Lists every file below a folder, sorted by code unit. Symbolic links are not followed, unlike by
 * `recursive` of Node since version 26.
 * @throws when a folder cannot be read
 */
export function listFiles(folder: string): readonly string[] {
  const files = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : entry.isFile() ? [path] : [];
  });
  return files.sort();
}
