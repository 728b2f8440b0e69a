/** Specifications of compiled templates by path, as `Handlebars.template` reads them. */
export type PrecompiledTemplates = Readonly<Record<string, TemplateSpecification>>;

/**
 * The compiled default templates. The build replaces this module (`precompileModule`), because
 * compiling takes longer than rendering a large API. Undefined when the sources run without a
 * build: then the templates are compiled on demand.
 */
export const precompiledTemplates: PrecompiledTemplates | undefined = undefined;
