/** Letters outside English, apart from its quotation marks and dashes. */
const FOREIGN_LETTERS = /[^\0-\x7f\u00a0-\u00bf\u2000-\u206f]/;

/** Frequent words of other languages that are not English words. */
const FOREIGN_WORDS = new Set(
  (
    "der das dem den ein eine einem einen einer und von mit zum zur alle auf nach oder " +
    "wird werden nicht ist sind " +
    "le les des du une et pour avec sur dans vous est ou aux cette ce " +
    "el los las una del con para por como que su " +
    "il della di gli lo dei delle " +
    "os uma dos das pelo pela ao um na em " +
    "het een met voor naar deze niet"
  ).split(" "),
);
const ENGLISH_WORDS = new Set("the a of to for and with are this that by from your you".split(" "));

/**
 * True for text in another language than English. Its words are kept, because the rules here are
 * for English.
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
