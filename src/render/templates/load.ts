/** Templates: the defaults and those of a user, and the files that a user adds. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type Handlebars from "handlebars";
import { isPortableName } from "../../file-name.js";
import { isObject } from "../../json.js";
import type { ToolPlan } from "../../plan/types.js";
import { packageRoot } from "../package-files.js";
import { precompiledTemplates, type PrecompiledTemplates } from "../prebuilt.js";
import type { GeneratedFile } from "../types.js";
import { projectView } from "../views/project.js";
import { shapes } from "../views/shapes.js";
import { viewsVersion } from "../views/views.js";
import { TemplateError } from "./check.js";
import type { Templates } from "./compile.js";
import { readTemplates, ADDED_FILES } from "./read.js";

/**
 * Loads the templates by path. Templates and partials of the `custom` folder replace the defaults
 * of the same path.
 * @throws TemplateError for a mistake in a custom template; the error of the file system when the
 *   folder cannot be read
 */
export async function loadTemplates(
  defaults: string,
  custom: string | undefined,
): Promise<Templates> {
  if (custom !== undefined) return compileWith(defaults, custom);
  if (precompiledTemplates) return fromPrecompiled(precompiledTemplates);
  const known = compiledDefaults.get(defaults) ?? compileWith(defaults);
  compiledDefaults.set(defaults, known);
  return known;
}

/** Default templates by folder, which only sources without a build compile: once in a process. */
const compiledDefaults = new Map<string, Promise<Templates>>();

async function compileWith(defaults: string, custom?: string): Promise<Templates> {
  const { compileTemplates } = await import("./compile.js");
  const texts = new Map(readTemplates(defaults));
  if (custom !== undefined) {
    requireViewsVersion(custom);
    for (const [path, text] of readTemplates(custom)) texts.set(path, text);
  }
  return compileTemplates(texts, shapes);
}

/** Instantiates the default templates that the build compiled. Needs no compiler. */
export async function fromPrecompiled(specifications: PrecompiledTemplates): Promise<Templates> {
  const { default: runtime } = (await import("handlebars/runtime.js")) as {
    default: typeof Handlebars;
  };
  const engine = runtime.create();
  const templates = new Map(
    Object.entries(specifications).map(
      ([path, spec]) => [path, engine.template<object>(spec)] as const,
    ),
  );
  for (const [path, template] of templates)
    if (path.startsWith("partials/"))
      engine.registerPartial(path.slice("partials/".length), template);
  return templates;
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

/** File that holds the version of the views in a folder of templates: `{"views": 4}`. */
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
function requireViewsVersion(folder: string): void {
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

/**
 * Renders the files that custom templates add to the output.
 * @param taken paths of all other generated files
 * @throws TemplateError when a file would replace another one
 */
export function addedFiles(
  plan: ToolPlan,
  templates: Templates,
  taken: readonly string[],
): readonly GeneratedFile[] {
  const extra = [...templates].filter(([path]) => path.startsWith(ADDED_FILES));
  if (extra.length === 0) return [];
  const view = projectView(plan);
  const others = new Set(taken.map((path) => path.toLowerCase()));
  return extra.map(([template, make]) => {
    // macOS decomposes accented characters in file names.
    const path = template.slice(ADDED_FILES.length).normalize("NFC");
    const problem = findPathProblem(path.toLowerCase(), others);
    if (problem !== undefined) throw new TemplateError(`${template}.hbs:1:1: ${path} ${problem}`);
    return { path, content: make(view) };
  });
}

function findPathProblem(path: string, others: ReadonlySet<string>): string | undefined {
  if (others.has(path))
    return "is a generated file; put the template that replaces it outside of files/";
  if (!path.split("/").every(isPortableName)) return "has a name that Windows does not allow";
  if (path.startsWith("src/custom/")) return "is in src/custom, which mcp-gen never writes";
  return /^(\.git|\.mcp-gen|node_modules)\//.test(path)
    ? "is in a folder that cannot hold generated files"
    : undefined;
}
