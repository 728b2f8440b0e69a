/** The search index that `bundle.mjs` stores in the bundle. */
export { storeIndex } from "./search/index.js";
