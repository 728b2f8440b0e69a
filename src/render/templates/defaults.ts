import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../package-root.js";
import { readTemplates } from "./sources.js";
import { VIEWS_VERSION_FILE, viewsVersionText } from "./views-version.js";

/** A default template. */
export interface DefaultTemplate {
  /** The path that it makes, or `partials/<name>`: without `.hbs`. */
  readonly name: string;
  /** Its file, relative to the folder of templates. */
  readonly path: string;
  readonly text: string;
}

/** The templates that come with mcp-gen, sorted: for people who want to change some. */
export function defaultTemplates(): readonly DefaultTemplate[] {
  const texts = readTemplates(join(packageRoot(), "templates"));
  return [...texts].map(([name, { text }]) => ({ name, path: `${name}.hbs`, text })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * What goes with templates into a folder of somebody's own: what they may name, and for which views
 * they are.
 */
export function templateDocs(): readonly { readonly path: string; readonly text: string }[] {
  const readme = readFileSync(join(packageRoot(), "templates", "README.md"), "utf8");
  return [{ path: "README.md", text: readme.replaceAll("\r\n", "\n") }, { path: VIEWS_VERSION_FILE, text: viewsVersionText() }];
}
