/** Code blocks and tables of documents, which plain text on one line lacks. */
import { sanitizeText } from "../../diagnostics/text.js";
import { memoize } from "../../language/patterns.js";

/** A block, with the heading or the line that leads to it: `A rule has this form:`. */
const BLOCK = new RegExp(
  "(?:(?:^|\\n)[ \\t]*(?:#{1,6} [^\\n]{1,100}|[^\\n]{1,200}:[*_ \\t]*)\\n\\s*)?" +
    "(?<block>" +
    "(?:^|(?<=\\n))[ \\t]*(?<fence>```|~~~)[\\s\\S]*?(?:\\n[ \\t]*\\k<fence>|$)" +
    "|<(?<tag>pre|table)\\b[\\s\\S]*?(?:<\\/\\k<tag>>|$)" +
    "|(?:^|(?<=\\n))[ \\t]*\\|[^\\n]*(?:\\n[ \\t]*\\|[^\\n]*)*" +
    ")",
  "gi",
);

interface Block {
  /** The block alone. */
  readonly content: string;
  /** The block and the line that leads to it. */
  readonly quote: string;
}

/** The blocks of a text; none for most texts. */
const blocksOf = memoize((markdown): readonly Block[] =>
  /```|~~~|<pre|<table|\|/i.test(markdown)
    ? [...sanitizeText(markdown).matchAll(BLOCK)].map(({ 0: quote, groups }) => ({
        content: groups?.["block"] ?? quote,
        quote: quote.trim(),
      }))
    : [],
);

/** True if a text has code blocks or tables. */
export const hasBlocks = (markdown: string): boolean => blocksOf(markdown).length > 0;

/** Lines of a block about the transport, which the server handles: commands, addresses and headers. */
const TRANSPORT_LINE = new RegExp(
  // The data of a command stay.
  "^(?:(?! (?:-d|--data)\\b).)*(?:\\bcurl\\b|https?:\\/\\/)(?:(?! (?:-d|--data)\\b).)*|" +
    "^\\W*(?:GET|POST|PUT|PATCH|DELETE|HEAD|HTTP\\/\\d)\\b.*$|" +
    "^\\W*(?:-H\\b|(?:accept|authorization|content-[a-z]+|host|user-agent)['\"]?:).*$",
  "gim",
);
const WORD = /[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu;
const HTML_TAG = /<\/?[a-z][^<>]*>/gi;

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(WORD) ?? []);

/** Share of the words of a block that other texts may lack: headings of columns, names of types. */
const MAX_MISSING = 0.2;

/**
 * The code blocks and tables of a document whose words other texts lack, word for word.
 * @param markdown text of the document
 * @param shown the texts that a model sees in its place
 */
export function missingBlocks(markdown: string, shown: string): readonly string[] {
  const known = wordsOf(shown);
  const isMissing = ({ content }: Block): boolean => {
    const words = [...wordsOf(content.replace(TRANSPORT_LINE, "").replace(HTML_TAG, " "))];
    return words.filter((word) => !known.has(word)).length > words.length * MAX_MISSING;
  };
  return blocksOf(markdown)
    .filter(isMissing)
    .map(({ quote }) => quote);
}

/** A plain text, and the code blocks and tables of its source whose words it lacks. */
export function withMissingBlocks(plain: string, markdown: string): string {
  return hasBlocks(markdown)
    ? [plain, ...missingBlocks(markdown, plain)].filter(Boolean).join("\n\n")
    : plain;
}
