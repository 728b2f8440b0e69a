import Handlebars from "handlebars";
import type { Shape } from "./shape.js";
import { checkTemplate, TemplateError, type Partials } from "./check.js";
import type { TemplateTexts } from "./sources.js";

/** One template, ready. */
export type Template = (view: object) => string;
export type Templates = ReadonlyMap<string, Template>;

/** Nothing is escaped here: every value of a view is safe for the place it is made for. Templates have no `@` variables. */
const options = { noEscape: true, knownHelpersOnly: true, data: false } as const;
const PARTIALS = "partials/";

/**
 * Checks and compiles templates.
 * @param shapes what each template's view has; a template of another path is a mistake
 * @throws TemplateError for the first mistake in a template
 */
export function compileTemplates(texts: TemplateTexts, shapes: ReadonlyMap<string, Shape>): Templates {
  checkAll(texts, shapes);
  const engine = Handlebars.create();
  const compiled = new Map<string, Template>();
  for (const [path, { text }] of texts) {
    if (path.startsWith(PARTIALS)) engine.registerPartial(path.slice(PARTIALS.length), engine.compile(text, options));
    else compiled.set(path, engine.compile(text, options));
  }
  return compiled;
}

/** The same as source code: an expression that is `{path: specification}`, for `Handlebars.template`. */
export function precompileTemplates(texts: TemplateTexts, shapes: ReadonlyMap<string, Shape>): string {
  checkAll(texts, shapes);
  const entries = [...texts].map(([path, { text }]) => `${JSON.stringify(path)}: ${Handlebars.precompile(text, options) as string}`);
  return `{\n${entries.join(",\n")}\n}`;
}

function checkAll(texts: TemplateTexts, shapes: ReadonlyMap<string, Shape>): void {
  const partials: Partials = (name) => texts.get(PARTIALS + name);
  for (const [path, source] of texts) {
    if (path.startsWith(PARTIALS)) continue;
    const shape = shapes.get(path);
    if (!shape) throw new TemplateError(`${source.file}:1:1: there is no template of that path; there are ${[...shapes.keys()].join(", ")}`);
    checkTemplate(source, shape, partials, (text) => Handlebars.parse(text));
  }
}
