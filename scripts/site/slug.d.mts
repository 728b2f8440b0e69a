/** ID of a heading as GitHub makes it. */
export function githubSlug(heading: string): string;
