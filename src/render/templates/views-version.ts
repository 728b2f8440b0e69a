import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../json.js";
import { viewsVersion } from "../views/views.js";
import { TemplateError } from "./check.js";

/** File that holds the version of the views in a folder of templates: `{"views": 2}`. */
export const VIEWS_VERSION_FILE = "views.json";

/** Content of `VIEWS_VERSION_FILE` for the current views. */
export function viewsVersionText(): string {
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
