/** Texts of all pages by their path on the site. Throws if a link leads nowhere. */
export function sitePages(root: string): ReadonlyMap<string, string>;
/** Repository paths of the documents that become pages, the decisions included. */
export function documentsOf(root: string): readonly string[];
/** Path on the site of a document, a folder or another file of the repository. */
export function pagePath(path: string): string;
