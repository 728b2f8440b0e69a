import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../json.js";
import { viewsVersion } from "../views/views.js";
import { TemplateError } from "./check.js";

/** Says for which version of the views a folder of templates was made: `{"views": 1}`. */
export const VIEWS_VERSION_FILE = "views.json";

/** What `VERSION_FILE` holds for templates of today. */
export function viewsVersionText(): string {
  return `{"views": ${viewsVersion}}\n`;
}

/**
 * Refuses templates that were made for other views. A folder that does not say so is taken as it
 * is: what its templates name is checked in any case.
 * @throws TemplateError when the versions differ
 */
export function requireViewsVersion(folder: string): void {
  const file = join(folder, VIEWS_VERSION_FILE);
  const text = textOf(file);
  if (text === undefined) return;
  const version = viewsIn(text);
  if (version === viewsVersion) return;
  throw new TemplateError(`${file}:1:1: these templates were made for views of version ${JSON.stringify(version) ?? "unknown"}, and this mcp-gen has version ${viewsVersion}; compare them with "mcp-gen templates eject", then write ${viewsVersionText().trim()} there`);
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
