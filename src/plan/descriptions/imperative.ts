import { toImperative, isAmbiguousVerb, canStartImperative } from "../names/grammar.js";
import { isNonEnglish } from "../text/language.js";

/** Phrases that say nothing before the verb: `This endpoint returns …`, `Allows you to …`. */
const PREAMBLE =
  /^(?:(?:this|the)\s+(?:api\s+)?(?:endpoint|operation|method|call|api|request|resource|function|service|route)\s+(?:is used to\s+|can be used to\s+|will\s+|allows (?:you|users?|one)(?: to)?\s+|lets you\s+|enables (?:you|users?) to\s+)?|an? (?:api )?(?:endpoint|operation|method|call) (?:that|which) (?:(?:allows|lets|enables) \w+(?: to)?\s+)?|(?:use|call) (?:this|the) (?:endpoint|operation|method|api|call|request|function) to\s+|(?:allows|lets|enables) (?:you|users?|one)(?: to)?\s+|used to\s+|you can use this (?:endpoint|operation|method|api) to\s+)(?=\S)/i;

/** A sentence without what says nothing before its verb; the same when there is none. */
export const stripPreamble = (text: string): string =>
  text.replace(PREAMBLE, "").replace(/^responds with(?= )/i, "Returns");

/**
 * `Returns pets` → `Return pets`; undefined for English that starts with no known verb. Other
 * languages stay as they are.
 */
export function toImperativeSentence(text: string): string | undefined {
  const bare = stripPreamble(text).replace(
    /^(?:(an?|the) )?list of (?=\S)/i,
    (_, article?: string) => `Return ${article?.toLowerCase() ?? "a"} list of `,
  );
  const adverb = /^[a-z]{3,12}ly (?=([a-z]+) )/i.exec(bare);
  if (adverb && canStartImperative((adverb[1] as string).toLowerCase())) return capitalize(bare);
  const match =
    /^((?:Re|Un|De|Pre)-)?([A-Za-z]+)(?![\w'’-])( (?:an?|the|all|your|one|new|(?<=searches )for|(?:or|and|then) [a-z]+s) )?/i.exec(
      bare,
    );
  const verb = match
    ? imperativeOfWord((match[2] as string).toLowerCase(), match[3] !== undefined)
    : undefined;
  // A known verb in front is English enough; of anything else the language decides.
  if (!match || verb === undefined || !isKnownVerb((match[2] as string).toLowerCase())) {
    if (isNonEnglish(text)) return text;
    if (!match || verb === undefined) return undefined;
  }
  const prefix = match[1]?.toLowerCase() ?? "";
  const rest = bare.slice(prefix.length + (match[2] as string).length);
  return (
    capitalize(prefix + verb) +
    (/ (?:or|and|then) /.test(rest) ? rest.replace(SECOND_VERB, secondVerbToImperative) : rest)
  );
}

const isKnownVerb = (word: string): boolean =>
  canStartImperative(word) || toImperative(word) !== undefined;
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `Uploads or creates a file`: what stands beside the verb is one, too. */
const SECOND_VERB =
  /^( or| and|(?:[^.;:]{1,60}? (?:or|and|then))) ([a-z]+s)(?= (?:an?|the|all|its|your|it|their)\b)/;

function secondVerbToImperative(whole: string, before: string, word: string): string {
  const verb = toImperative(word);
  return verb === undefined || isAmbiguousVerb(verb) ? whole : `${before} ${verb}`;
}

/**
 * A known verb, or any word that an article follows: `Presents a payment method` can only be one.
 */
function imperativeOfWord(word: string, hasObject: boolean): string | undefined {
  if (canStartImperative(word)) return word;
  const known = toImperative(word) ?? (hasObject ? imperativeOfPastTense(word) : undefined);
  // `Reports a bug` says what is done, `Users with access may` does not.
  if (known !== undefined && (hasObject || word === "returns" || !isAmbiguousVerb(known)))
    return known;
  if (!hasObject || NON_VERB_STARTS.has(word) || word.endsWith("ing")) return undefined;
  if (!/[^s]s$/.test(word)) return word;
  return /(ss|sh|ch|x|zz)es$/.test(word)
    ? word.slice(0, -2)
    : word.endsWith("ies")
      ? `${word.slice(0, -3)}y`
      : word.slice(0, -1);
}

/** `Marked a user` → mark. */
function imperativeOfPastTense(word: string): string | undefined {
  return word.endsWith("ed")
    ? [word.slice(0, -2), word.slice(0, -1)].find(canStartImperative)
    : undefined;
}

const NON_VERB_STARTS = new Set(
  "all both in for with if when while this these those the a an on by to as at of from and or not only also please note once after before since because is are was has have can may must will should".split(
    " ",
  ),
);
