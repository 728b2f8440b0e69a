import type { StoredIndex } from "./index.js";

/** The index of the tools of a bundle; `bundle.mjs` replaces this module. */
export const readStoredIndex: (() => StoredIndex) | undefined = undefined;
