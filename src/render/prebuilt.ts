/**
 * Files that the build prepares. It replaces this module. When the sources run without a build,
 * both values are undefined.
 */

/**
 * Path of the file that holds all shared files, relative to the package's
 * folder. One file is read faster than 150 small ones. If undefined, the files are read one by one.
 */
export const verbatimBundle: string | undefined = undefined;

/** Specifications of compiled templates by path, as `Handlebars.template` reads them. */
export type PrecompiledTemplates = Readonly<Record<string, TemplateSpecification>>;

/**
 * The default templates, compiled by `precompileModule`, because compiling takes longer than
 * rendering a large API. If undefined, the templates are compiled on demand.
 */
export const precompiledTemplates: PrecompiledTemplates | undefined = undefined;
