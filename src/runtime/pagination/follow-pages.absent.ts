/** Stands in for following pages: no tool of this project returns a list. */
import type { CollectedPages } from "./follow-pages.js";

export async function followPages(..._: readonly unknown[]): Promise<CollectedPages | undefined> {
  return undefined;
}
