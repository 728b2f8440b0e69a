/** Specifications of compiled templates by path, as `Handlebars.template` reads them. */
export type PrecompiledTemplates = Readonly<Record<string, TemplateSpecification>>;

/**
 * The default templates, compiled. The build puts them here (`precompileModule`), because compiling
 * them takes longer than rendering a large API; when the sources run as they are, they are compiled
 * when they are needed.
 */
export const precompiledTemplates: PrecompiledTemplates | undefined = undefined;
