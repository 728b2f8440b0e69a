/**
 * English words that say how a sentence is built, not what it is about; and the verbs of reading
 * that nearly every tool has.
 */
const fillers = new Set(
  (
    "a an the this that these those of to in on at by for from with without into onto about as is are was were be been being am do does did done has have had having " +
    "get fetch retrieve return returns can could will would shall should may might must i me my mine we us our you your he him his she her it its they them their and or but not no if then than so too very " +
    "what which whose how there here also just please want need give tell let one ones some any each every other such more most"
  ).split(" "),
);

/** Scripts that are written without spaces: words are found by their pairs of letters. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/**
 * The stems of the words of a text, in their order: of names (`movieCredits`, `list_movies`) and of
 * sentences, in any script.
 */
export function wordsOf(text: string): string[] {
  const spaced = text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  const words =
    spaced
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((word) =>
    unspaced.test(word) ? pairs(word) : fillers.has(word) ? [] : [stem(word)],
  );
}

function pairs(word: string): readonly string[] {
  const letters = [...word];
  return letters.length < 3
    ? [word]
    : letters.slice(1).map((letter, i) => `${letters[i] ?? ""}${letter}`);
}

const endings: readonly (readonly [RegExp, string])[] = [
  [/(ss|x|ch|sh|zz)es$/, "$1"],
  [/ies$/, "i"],
  [/([^su])s$/, "$1"],
  [/(ational|ation|ations)$/, "at"],
  [/(\w{3})ing$/, "$1"],
  [/(\w{3})ed$/, "$1"],
  [/(\w{6})(er|or)$/, "$1"],
  [/(\w{3})ly$/, "$1"],
  [/(\w{4})ment$/, "$1"],
  [/(\w{4})(al|ive|able|ible)$/, "$1"],
  [/(\w{3})([b-df-hj-np-rtv-z])\2$/, "$1$2"],
  [/(\w{2})e$/, "$1"],
  [/(\w{2})y$/, "$1i"],
];

/** Words that look like another with an ending, and are not. */
const whole = new Set(["customer", "newsletter", "parameter", "december", "november", "september"]);

/** Names recur by the thousand; the memory is bounded, because queries come from outside. */
const stems = new Map<string, string>();
const mostStems = 50_000;

/**
 * A word without its English endings: `created`, `creating` and `creates` are one. Not a linguist's
 * stem, but the same for all of them.
 */
function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const singular = word.replace(/s$/, "");
  const left = whole.has(singular)
    ? singular
    : /^[a-z]{4,24}$/.test(word)
      ? endings.reduce((rest, [ending, kept]) => rest.replace(ending, kept), word)
      : word;
  if (stems.size < mostStems) stems.set(word, left);
  return left;
}
