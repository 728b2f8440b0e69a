import type Handlebars from "handlebars";
import { shapes } from "../views/shapes.js";
import type { Templates } from "./compile.js";
import { precompiledTemplates, type PrecompiledTemplates } from "./precompiled.js";
import { readTemplates, requireViewsVersion } from "./sources.js";

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
  if (custom === undefined && precompiledTemplates) return fromPrecompiled(precompiledTemplates);
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
