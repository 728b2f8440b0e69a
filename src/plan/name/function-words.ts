/** Prepositions that something must follow. */
const NEEDY = new Set(["for", "to", "with", "from", "using"]);

/** What follows a verb without being its object: `list-for-repo`, `getById`. */
const LINKS = new Set([
  ...NEEDY,
  ..."by in on of at as via into is are has without under between against per and or within".split(
    " ",
  ),
]);

/** A preposition or conjunction. */
export function isLink(word: string | undefined): boolean {
  return word !== undefined && LINKS.has(word);
}

/** `for`, `with`: something must follow it. */
export function needsMore(word: string | undefined): boolean {
  return word !== undefined && NEEDY.has(word);
}

const REMNANTS = new Set([...NEEDY, "of", "by", "and", "or"]);

/**
 * What no name that was cut ends in. Elsewhere `of`, `by`, `and`, `or` can be meant: `allOf`,
 * `sortBy`.
 */
export function isCutOff(word: string | undefined): boolean {
  return word !== undefined && REMNANTS.has(word);
}

export function isArticle(word: string | undefined): boolean {
  return word === "a" || word === "an" || word === "the";
}

/** Says how many, which a list says anyway: `get-several-tracks`. */
export function isManyWord(word: string | undefined): boolean {
  return word === "all" || word === "multiple" || word === "several";
}
