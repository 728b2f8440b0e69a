// Words of tool names and descriptions.

/** Words of a snake_case name in the singular: `delete_boxes` → delete, box. */
export function nameWords(name) {
  return name.split("_").filter(Boolean).map(singular);
}

/** The singular of a word, regular plurals only. Both sides of a comparison go through it. */
export function singular(word) {
  if (/(ss|us|[sxr]is|news|series|species)$/.test(word)) return word;
  return word
    .replace(/ies$/, "y")
    .replace(/(s|x|z|ch|sh)es$/, "$1")
    .replace(/s$/, "");
}

/** True if the words of a phrase follow each other in a list of words. */
export function containsPhrase(words, phrase) {
  return words.some((_, i) => phrase.every((word, j) => words[i + j] === word));
}

/** Text without case, spaces and punctuation, so that `createdAt` equals `created_at`. */
export function squash(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** The part of a description from the sentence about the result. */
export function resultText(description) {
  const start = description.search(/\b[Rr]eturns?\b/);
  return start < 0 ? "" : description.slice(start);
}

/** True if a description claims that what is not given is lost. */
export function claimsReplacement(description) {
  return /\bnot (?:given|sent|provided|included) (?:is|are) (?:lost|removed|reset|cleared)|\breplaces (?:all|everything|the (?:whole|entire))\b/i.test(
    description,
  );
}

/** True if a description claims that nobody can undo the call. */
export function claimsIrreversible(description) {
  return /\b(?:can(?:not|'t| not|’t)|not) be (?:undone|restored|recovered|undeleted|reversed(?! again))\b|\birreversibl|(?<!\b(?:either|moved) )\bpermanently (?:delet|remov|destroy|eras|drop|purg)|永久/i.test(
    description,
  );
}
