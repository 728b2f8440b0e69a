/** Letters that English has not; its quotation marks and dashes do not count. */
const FOREIGN_LETTERS = /[^\0-\x7f\u00a0-\u00bf\u2000-\u206f]/;

/** Words that stand in most sentences of a language, and in none of English. */
const FOREIGN_WORDS = new Set(
  (
    "der das dem den ein eine einen einer und von mit zum zur alle auf nach oder wird werden nicht ist sind einem " +
    "le les des du une et pour avec sur dans vous est ou aux cette ce " +
    "el los las una del con para por como que su " +
    "il della di gli lo dei delle " +
    "os uma dos das pelo pela ao um na em " +
    "het een met voor naar deze niet"
  ).split(" "),
);
const ENGLISH_WORDS = new Set("the a of to for and with are this that by from your you".split(" "));

/**
 * True for a sentence in another language than English: its words are its author's, and no grammar
 * of ours fits them.
 */
export function isNonEnglish(text: string): boolean {
  if (FOREIGN_LETTERS.test(text) && /[^\0-\u024f\u2000-\u206f]/.test(text)) return true;
  const words =
    text
      .slice(0, 200)
      .toLowerCase()
      .match(/[a-z\u00c0-\u024f]+/g) ?? [];
  let [foreign, english] = [0, 0];
  for (const word of words) {
    if (ENGLISH_WORDS.has(word)) english += 1;
    else if (FOREIGN_WORDS.has(word)) foreign += 1;
  }
  return foreign > 0 ? foreign >= english : english === 0 && FOREIGN_LETTERS.test(text);
}
