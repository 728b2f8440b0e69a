/** Texts of a document about a whole body, whose fields are inputs. */
import { anyOfPhrases } from "../../language/patterns.js";
import { sentencesOf, toSentence } from "../text/sentences.js";
import { newContentWords } from "./content-words.js";
import { cleanProse } from "./prose.js";

/** Words about bodies in general. */
const GENERIC = new Set(
  (
    "attribute body contain content data definition describe detail dto element entity entry field form " +
    "format info information input instance item json method model new object operation parameter " +
    "payload property record representation represent request required resource response schema set " +
    "structure type use value xml"
  ).split(" "),
);

/** Content words that a sentence must add: fewer if it has a word of a rule, or a number. */
const MIN_NEW_WORDS = { rule: 3, other: 6 } as const;
const RULE = new RegExp(
  `\\b(?:${anyOfPhrases(
    "must, should, shall, cannot, can't, may, only, unless, if, when, either, at least, at most, one of",
    "required, optional, optionally, maximum, minimum, limit, limited, order, example, e\\.g",
    "format, not, never, ignored, default, defaults",
  )})\\b|\\d`,
  "i",
);

/**
 * The texts about a body and its schema that say more than other texts: `Body: At least one of name
 * and code is needed.`
 * @param texts with the operations marked that they name
 * @param known the texts of the tool and its inputs
 */
export function bodyText(texts: readonly string[], known: string): string {
  const told = texts
    .map((text) => toSentence(cleanProse(text)))
    .filter((text, i, all) => all.indexOf(text) === i && sentencesOf(text).some(isNewTo(known)));
  return told.length === 0 ? "" : `Body: ${told.join(" ")}`;
}

const isNewTo =
  (known: string) =>
  (sentence: string): boolean =>
    newContentWords(sentence, known).filter((word) => !GENERIC.has(word)).length >=
    (RULE.test(sentence) ? MIN_NEW_WORDS.rule : MIN_NEW_WORDS.other);
