import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../package-root.js";
import { readTemplates } from "./sources.js";
import { VIEWS_VERSION_FILE, viewsVersionText } from "./views-version.js";

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
