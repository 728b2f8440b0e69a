/** The table of verbs, which the search of generated servers reads too. */
export { VERBS, verbsOfClass, type VerbEffect } from "../runtime/language/verbs.js";
