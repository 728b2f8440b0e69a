/** Words of states, which generated servers need too. */
import { isStateField as namesState } from "../runtime/language/state-words.js";

export * from "../runtime/language/state-words.js";

/** As in generated servers, and cheap for the many names without such a word at their end. */
export const isStateField: typeof namesState = (name, nouns) =>
  ENDS_IN_NOUN.test(name) && namesState(name, nouns);

const ENDS_IN_NOUN = /(?:status|state|phase)[^a-z\d]*$/i;
