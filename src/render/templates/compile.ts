/** Compilation of templates with Handlebars. */
import Handlebars from "handlebars";
import { closestMatch } from "../../diagnostics/text.js";
import { projectShape, type Shape, shapes } from "../views/shapes.js";
import {
  checkSyntax,
  checkTemplate,
  type TemplateEngine,
  TemplateError,
  type TemplateSource,
} from "./check.js";
import { ADDED_FILES, readTemplates, type TemplateTexts } from "./read.js";

/** A compiled template. */
export type Template = (view: object) => string;
/** Compiled templates by path. */
export type Templates = ReadonlyMap<string, Template>;

/** Handlebars escapes nothing, because every value of a view is already escaped. */
const options = { noEscape: true, knownHelpersOnly: true } as const;
const PARTIALS = "partials/";

/**
 * Checks and compiles templates.
 * @param shapes shape of the view of each template; templates of other paths are mistakes
 * @throws TemplateError for the first mistake in a template
 */
export function compileTemplates(
  texts: TemplateTexts,
  shapes: ReadonlyMap<string, Shape>,
): Templates {
  checkAll(texts, shapes);
  const engine = Handlebars.create();
  const compiled = new Map<string, Template>();
  for (const [path, { text }] of texts) {
    if (path.startsWith(PARTIALS))
      engine.registerPartial(path.slice(PARTIALS.length), engine.compile(text, options));
    else compiled.set(path, engine.compile(text, options) as Template);
  }
  return compiled;
}

/**
 * Compiles templates to source code: an object of template specifications by path, for
 * `Handlebars.template`. The default templates use no `@` variables.
 */
function precompileTemplates(texts: TemplateTexts, shapes: ReadonlyMap<string, Shape>): string {
  checkAll(texts, shapes);
  const entries = [...texts].map(
    ([path, { text }]) =>
      `${JSON.stringify(path)}: ${Handlebars.precompile(text, { ...options, data: false }) as string}`,
  );
  return `{\n${entries.join(",\n")}\n}`;
}

function checkAll(texts: TemplateTexts, shapes: ReadonlyMap<string, Shape>): void {
  const partialNames = [...texts.keys()]
    .filter((path) => path.startsWith(PARTIALS))
    .map((path) => path.slice(PARTIALS.length));
  const engine: TemplateEngine = {
    partials: (name) => texts.get(PARTIALS + name),
    partialNames,
    parse: (text) => Handlebars.parse(text),
  };
  for (const [path, source] of texts) {
    if (path.startsWith(PARTIALS)) checkSyntax(source, engine.parse);
    else
      checkTemplate(
        source,
        shapes.get(path) ??
          (path.startsWith(ADDED_FILES) ? projectShape : unknownPath(path, source, shapes)),
        engine,
      );
  }
}

function unknownPath(
  path: string,
  source: TemplateSource,
  shapes: ReadonlyMap<string, Shape>,
): never {
  const near = closestMatch(path, shapes.keys());
  const known =
    near === undefined
      ? `there are ${[...shapes.keys()].join(", ")}`
      : `did you mean ${near}? mcp-gen templates list prints all names`;
  throw new TemplateError(
    `${source.file}:1:1: unknown template path; ${known}, ` +
      `and templates of your own files go to ${ADDED_FILES}`,
  );
}

/**
 * The compiled templates as source code, which replaces those of `prebuilt.ts` in the built
 * program.
 * @param folder folder of the default templates
 * @throws TemplateError when a template names a field that its view lacks
 */
export function precompileModule(folder: string): string {
  return `export const precompiledTemplates = ${precompileTemplates(readTemplates(folder), shapes)};\n`;
}
