/** Words of states, which generated servers need too. */
export * from "../runtime/language/state-words.js";
