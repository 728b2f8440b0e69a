/** Stands in for the comparison of pages: no tool of this project returns a list. */
import type { PageMemory } from "./page-memory.js";

export function createPageMemory(): PageMemory {
  const memory = { compare: () => undefined, clear: () => {}, forCaller: () => memory };
  return memory;
}

export function repeatedPageNote(..._: readonly unknown[]): string | undefined {
  return undefined;
}
