import { tokenize } from "./terms.js";

/** The things that a clause is about. */
export interface ClauseObjects {
  /** Stems of the noun that it asks for: `comment` in `the comments of an issue`. */
  readonly head: ReadonlySet<string>;
  /** Stems of the words after it: `issue`. */
  readonly context: ReadonlySet<string>;
  /** True if it asks for several: `the comments`. */
  readonly isPlural: boolean;
}

/** Words that begin what is said about a thing. */
const boundary = new RegExp(
  `(?<=\\S)\\s+(?:${[
    "of|from|in|into|inside|on|onto|at|for|with|without|within|by|to|about|under|over|via|as|off",
    "out|back|that|which|who|whose|where|when|while|because|if|so|after|before|until|till|since",
    "during|between|per|than|is|are|was|were|has|have|had|do|does|did|can|could|will|would|should",
    "may|must|i|we|you|he|she|they|it|me|him|them",
  ].join("|")})(?!['\\p{L}\\p{N}])`,
  "iu",
);

/**
 * Reads the noun that a clause asks for: the last one before a preposition, a relative clause or a
 * question's verb.
 * @param body the clause without its verb
 * @param isVague whether a stem says nothing about a thing
 */
export function objectsOf(body: string, isVague: (stem: string) => boolean): ClauseObjects {
  const text = body.trim().replace(/^(?:which|what|whose|how (?:many|much))\s+/i, "");
  const start = boundary.exec(` ${text}`);
  const phrase = start ? ` ${text}`.slice(0, start.index) : text;
  const rest = start ? ` ${text}`.slice(start.index) : "";
  const owner = /^(.*)['\u2019]s?\s/su.exec(phrase)?.[1] ?? "";
  const words = phrase.slice(owner.length).match(/[\p{L}\p{N}-]+/gu) ?? [];
  const noun = words.findLast((word) => tokenize(word).some((stem) => !isVague(stem)));
  return {
    head: new Set(tokenize(noun ?? "")),
    context: new Set(tokenize(`${owner} ${rest}`)),
    isPlural: noun !== undefined && /[^s]s$/.test(noun),
  };
}
