/** Stop words: function words of English, and verbs of reading that nearly every tool has. */
const stopWords = new Set(
  [
    "a an the this that these those of to in on at by for from with without into onto about as",
    "is are was were be been being am do does did done has have had having",
    "get fetch retrieve return returns can could will would shall should may might must",
    "i me my mine we us our you your he him his she her it its they them their",
    "and or but not no if then than so too very what which whose how there here also just",
    "please want need give tell let one ones some any each every other such more most",
  ].flatMap((line) => line.split(" ")),
);

/** Scripts without spaces between words. Their words are split into pairs of letters. */
const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** The terms of a name (`movieCredits`, `list_movies`) or a sentence in any script, as stems. */
export function tokenize(text: string): string[] {
  const words = text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? []).flatMap(termsOfWord);
}

function termsOfWord(word: string): readonly string[] {
  if (unspacedScripts.test(word)) return bigrams(word);
  return stopWords.has(word) ? [] : [stem(word)];
}

function bigrams(word: string): readonly string[] {
  const letters = [...word];
  if (letters.length < 3) return [word];
  return letters.slice(1).map((letter, index) => `${letters[index] ?? ""}${letter}`);
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

/** Words whose endings are not suffixes. */
const unstemmed = new Set([
  "customer",
  "newsletter",
  "parameter",
  "december",
  "november",
  "september",
]);

/** Cache of stems. Its size is bounded, because queries come from clients. */
const stems = new Map<string, string>();
const maxStems = 50_000;

/**
 * The stem of an English word: the same for `created`, `creating` and `creates`. It need not be the
 * linguistic stem.
 */
function stem(word: string): string {
  const cached = stems.get(word);
  if (cached !== undefined) return cached;
  const stemmed = withoutSuffixes(word);
  if (stems.size < maxStems) stems.set(word, stemmed);
  return stemmed;
}

function withoutSuffixes(word: string): string {
  const singular = word.replace(/s$/, "");
  if (unstemmed.has(singular)) return singular;
  if (!/^[a-z]{4,24}$/.test(word)) return word;
  return suffixRules.reduce(
    (rest, [suffix, replacement]) => rest.replace(suffix, replacement),
    word,
  );
}

/** Groups of synonyms, one per line. Only general terms of data and actions, none of a domain. */
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
for (const line of synonymGroups.trim().split("\n")) {
  const group = tokenize(line);
  for (const term of group) {
    const others = group.filter((member) => member !== term);
    synonymsByStem.set(term, [...new Set([...(synonymsByStem.get(term) ?? []), ...others])]);
  }
}

/** Stems with about the same meaning as a stem. */
export function synonymsOf(stem: string): readonly string[] {
  return synonymsByStem.get(stem) ?? [];
}
