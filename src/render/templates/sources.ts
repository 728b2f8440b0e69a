import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { isJunkFile } from "../../file-name.js";
import { isObject } from "../../json.js";
import { packageRoot } from "../own-package.js";
import { viewsVersion } from "../views/views.js";
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

/** A default template. */
export interface DefaultTemplate {
  /** Path of the rendered file, or `partials/<name>`, without `.hbs`. */
  readonly name: string;
  /** Path of the template below the folder of templates. */
  readonly path: string;
  readonly text: string;
}

/** Returns the default templates, sorted by name. */
export function defaultTemplates(): readonly DefaultTemplate[] {
  const texts = readTemplates(join(packageRoot(), "templates"));
  return [...texts]
    .map(([name, { text }]) => ({ name, path: `${name}.hbs`, text }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Returns the files that accompany ejected templates: the documentation of the views and their
 * version.
 */
export function templateDocs(): readonly { readonly path: string; readonly text: string }[] {
  const readme = readFileSync(join(packageRoot(), "templates", "README.md"), "utf8");
  return [
    { path: "README.md", text: readme.replaceAll("\r\n", "\n") },
    { path: VIEWS_VERSION_FILE, text: viewsVersionText() },
  ];
}

/** File that holds the version of the views in a folder of templates: `{"views": 2}`. */
const VIEWS_VERSION_FILE = "views.json";

/** Content of `VIEWS_VERSION_FILE` for the current views. */
function viewsVersionText(): string {
  return `{"views": ${viewsVersion}}\n`;
}

/**
 * Rejects templates for another version of the views. A folder without that file is accepted,
 * because every field name is checked anyway.
 * @throws TemplateError when the versions differ
 */
export function requireViewsVersion(folder: string): void {
  const file = join(folder, VIEWS_VERSION_FILE);
  const text = textOf(file);
  if (text === undefined) return;
  const version = viewsIn(text);
  if (version === viewsVersion) return;
  throw new TemplateError(
    `${file}:1:1: these templates were made for views of version ` +
      `${JSON.stringify(version) ?? "unknown"}, and this mcp-gen has version ${viewsVersion}; ` +
      'compare them with "mcp-gen templates eject", ' +
      `then write ${viewsVersionText().trim()} there`,
  );
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function viewsIn(text: string): unknown {
  try {
    const data: unknown = JSON.parse(text);
    return isObject(data) ? data.views : undefined;
  } catch {
    return undefined;
  }
}
