/** Links of built pages to missing pages or headings, each with its page. */
export function deadLinks(pages: ReadonlyMap<string, string>, base: string): readonly string[];
