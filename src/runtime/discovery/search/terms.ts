/**
 * English words that say how a sentence is built, not what it is about; and the verbs of reading
 * that nearly every tool has.
 */
const stopWords = new Set(
  (
    "a an the this that these those of to in on at by for from with without into onto about as is are was were be been being am do does did done has have had having " +
    "get fetch retrieve return returns can could will would shall should may might must i me my mine we us our you your he him his she her it its they them their and or but not no if then than so too very " +
    "what which whose how there here also just please want need give tell let one ones some any each every other such more most"
  ).split(" "),
);

/** Scripts that are written without spaces: words are found by their pairs of letters. */
const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/**
 * The stems of the words of a text, in their order: of names (`movieCredits`, `list_movies`) and of
 * sentences, in any script.
 */
export function tokenize(text: string): string[] {
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
    unspacedScripts.test(word) ? bigrams(word) : stopWords.has(word) ? [] : [stem(word)],
  );
}

function bigrams(word: string): readonly string[] {
  const letters = [...word];
  return letters.length < 3
    ? [word]
    : letters.slice(1).map((letter, i) => `${letters[i] ?? ""}${letter}`);
}

const suffixRules: readonly (readonly [RegExp, string])[] = [
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
const unstemmed = new Set([
  "customer",
  "newsletter",
  "parameter",
  "december",
  "november",
  "september",
]);

/** Names recur by the thousand; the memory is bounded, because queries come from outside. */
const stems = new Map<string, string>();
const maxStems = 50_000;

/**
 * A word without its English endings: `created`, `creating` and `creates` are one. Not a linguist's
 * stem, but the same for all of them.
 */
function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const singular = word.replace(/s$/, "");
  const left = unstemmed.has(singular)
    ? singular
    : /^[a-z]{4,24}$/.test(word)
      ? suffixRules.reduce((rest, [ending, kept]) => rest.replace(ending, kept), word)
      : word;
  if (stems.size < maxStems) stems.set(word, left);
  return left;
}

/**
 * Words that people and APIs use for about the same: of data and what is done with it in general,
 * and of no trade. A line is a group.
 */
const synonymGroups = `
list find
create add new make insert register
delete remove erase destroy drop discard clear
update edit change modify set replace rename
send submit publish deliver post
post create
cancel abort stop terminate
start begin launch run resume
image picture photo logo icon avatar thumbnail
user person people member account profile who
company organization business
comment review feedback note
similar like related recommendation suggestion
popular top best trending favorite
latest newest recent last new
price cost amount fee
buy purchase order
invoice bill
file document attachment upload
message chat text mail email
tag label keyword topic category genre
team group
task job issue ticket
status state
date time when schedule
place location address where
count number total many much
history log event activity
repo repository
org organization
app application
config configuration
env environment
doc document
msg message
img image
info information
admin administrator
param parameter
auth authentication
db database
`;

const synonymsByStem = new Map<string, readonly string[]>();
for (const group of synonymGroups.trim().split("\n")) {
  const words = tokenize(group);
  for (const word of words)
    synonymsByStem.set(word, [
      ...new Set([...(synonymsByStem.get(word) ?? []), ...words.filter((other) => other !== word)]),
    ]);
}

/** Stems that mean about the same as a stem. */
export function synonymsOf(stem: string): readonly string[] {
  return synonymsByStem.get(stem) ?? [];
}
