/** Stands in for following pages: no list of this project is read page by page. */
import type { CollectedPages } from "./follow-pages.js";

export async function followPages(..._: readonly unknown[]): Promise<CollectedPages | undefined> {
  return undefined;
}
