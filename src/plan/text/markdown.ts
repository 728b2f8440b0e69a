import { joinFirst } from "../../diagnostics/index.js";
import { anyOfPatterns, sequence, memoize } from "../../language/patterns.js";
import { sanitizeText } from "../../diagnostics/text.js";

/** Longer text is truncated before parsing. No result is longer than a quarter of it. */
const MAX_SOURCE_LENGTH = 6000;

const TAGS =
  "a|abbr|b|blockquote|br|caption|center|code|col|dd|del|details|div|dl|dt|em|figure|font|h[1-6]|" +
  "hr|i|iframe|img|ins|kbd|label|li|mark|ol|p|picture|pre|q|s|samp|script|small|source|span|" +
  "strike|strong|style|sub|summary|sup|svg|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|video|wbr";
const TAG = new RegExp(`</?(?:${TAGS})(?:\\s[^<>]*)?/?>`, "gi");
const BLOCK_TAG =
  /<(?:\/(?:p|div|li|ul|ol|h[1-6]|tr|table|blockquote|dd|dt|pre)|br\s*\/?|p|li|hr\s*\/?)(?:\s[^<>]*)?>/gi;
const HEADING_TAG = /<h[1-6](?:\s[^<>]*)?>\s*/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  semi: ";",
  colon: ":",
  comma: ",",
  period: ".",
  lpar: "(",
  rpar: ")",
  excl: "!",
  quest: "?",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  rsquo: "’",
  lsquo: "‘",
  ldquo: "“",
  rdquo: "”",
  copy: "©",
  reg: "®",
  trade: "™",
  bull: "•",
  times: "×",
  deg: "°",
  euro: "€",
  rarr: "→",
};

/**
 * Converts Markdown and HTML to plain sentences on one line. Links keep their text and code keeps
 * its words. Code blocks, tables, images, comments (HTML's, and `(-- … --)` of Google's APIs),
 * invisible and control characters are removed.
 * Memoized, because half of the texts of an API recur.
 */
export const flattenMarkdown: (markdown: string) => string = memoize((markdown) => {
  const text = sanitizeText(
    markdown.length > MAX_SOURCE_LENGTH ? markdown.slice(0, MAX_SOURCE_LENGTH) : markdown,
  );
  if (!/[<>&`*_[\]#|\\~\n\t]|^\s|\s$| {2}|\(--/.test(text)) return text;
  const { outside, restore } = setCodeAside(removeBlocks(text));
  return joinLines(restore(removeInlineMarkup(removeHtml(outside))));
});

/**
 * Takes inline code out of a text, because it has no markup: `[a-z][a-z0-9]+` is not a link.
 * Code without letters and digits keeps its quotes, because `,` alone reads as punctuation.
 */
function setCodeAside(text: string): {
  readonly outside: string;
  readonly restore: (changed: string) => string;
} {
  const code: string[] = [];
  if (!text.includes("`")) return { outside: text, restore: (changed) => changed };
  const outside = text.replace(/`{1,3}([^`\n]+)`{1,3}/g, (quoted, written: string) => {
    code.push(/[\p{L}\p{N}]/u.test(written) ? written : quoted);
    return `\u0001${code.length - 1}\u0002`;
  });
  const restore = (changed: string): string =>
    changed.replace(CODE_PLACE, (_, index: string) => code[Number(index)] ?? "");
  return { outside, restore };
}

/** Stands for code. The text has no other control characters. */
const CODE_PLACE = /\u0001(\d{1,4})\u0002/g;

/** Removes HTML comments, which rendered text does not show. */
export function removeComments(text: string): string {
  return text.includes("<!--") ? text.replace(/<!--[\s\S]*?(?:-->|$)/g, "") : text;
}

/** Code between fences, and the line break before it. */
export const FENCED = /(^|\n)[ \t]*(```|~~~)[\s\S]*?(?:\n[ \t]*\2[^\n]*|$)/g;

function removeBlocks(text: string): string {
  // The clause that announces a removed block ends there, or is removed with it.
  let out = text;
  if (/```|~~~|\||<pre/i.test(out)) out = out.replace(ANNOUNCEMENT, "$1");
  if (/```|~~~|\|/.test(out)) out = out.replace(BEFORE_BLOCK, ".");
  if (out.includes("```") || out.includes("~~~")) out = out.replace(FENCED, "$1");
  out = removeComments(out);
  if (out.includes("(--")) out = out.replace(/\(-- [\s\S]{0,2000}?--\)\.?/g, "");
  if (out.includes("</"))
    out = out.replace(/<(script|style|table|pre)\b[\s\S]*?(?:<\/\1>|$)/gi, "\n");
  return out.includes("|") ? out.replace(/(^|\n)[ \t]*\|[^\n]*(?=\n|$)/g, "$1") : out;
}

/**
 * A clause that only announces a removed block: `Sample request:`, `Try something like:`, `The
 * following errors are returned.`
 */
const ANNOUNCEMENT = sequence(
  /((?:^|[.!?>])\s*|\n)(?:[^.!?<>\n]{0,100}\b)?/gi,
  new RegExp(
    `(?:${anyOfPatterns(
      /(?:e\.g|like|(?:examples?|samples?|snippets?)(?: (?:body|calls?|code|payload|requests?|responses?|usage))?):/,
      /following\b[^.!?<>\n]{0,100}[.:]/,
    )})`,
  ),
  /(?=(?:[ \t]|<br\s*\/?>|<\/?(?:b|em|strong)>)*(?:[ \t]*\n\s*(?:```|~~~|\|)|\n?\s*<pre\b))/,
);

/** The end of a sentence whose block is removed: `a policy, such as:`. */
const BEFORE_BLOCK = /(?:,? (?:such as|like|for example|e\.g\.))?:(?=[ \t]*\n\s*(?:```|~~~|\|))/g;

function removeHtml(text: string): string {
  let out = text;
  if (out.includes("<")) {
    out = out
      .replace(HEADING_TAG, "\n## ")
      .replace(BLOCK_TAG, "\n")
      .replace(CODE_REFERENCE, codeReference)
      .replace(POINTING_TAG, "$2 ($1)")
      .replace(/<sup>([^<]{1,20})<\/sup>/gi, "^$1")
      .replace(TAG, "")
      .replace(/<(https?:[^<>\s]+)>/g, "$1")
      .replace(PLAIN_TAG, removeClosedTags(text));
  }
  return out.includes("&") ? out.replace(ENTITY, decodeEntity) : out;
}

/** References in documentation comments of .NET: `<see cref="T:Shop.Order" />`. */
const CODE_REFERENCE = sequence(
  /<(see|seealso|paramref|typeparamref|inheritdoc)\b/gi,
  /(?: (?:cref|name|langword|href)="([^"<>]{0,300})")?[^<>]{0,100}?/,
  /(?:\/>|>([^<]{0,300})<\/\1>)/,
);

/** The text of a reference, or the last part of the name: `Order`. A page to see also is noise. */
const codeReference = (_: string, tag: string, name = "", text = ""): string =>
  /^see$|ref$/i.test(tag) ? text || (/([^.:()]+)(?:\([^)]*\))?$/.exec(name)?.[1] ?? "") : "";

const ENTITY = /&(#\d{2,6}|#x[\da-f]{2,6}|[a-z]{2,6});/gi;

const decodeEntity = (entity: string, name: string): string =>
  ENTITIES[name] ?? decodeNumericEntity(name) ?? entity;

/** A tag without attributes that HTML does not have: `<note>`. */
const PLAIN_TAG = /<\/?([a-z][a-z\d-]{0,30})>/gi;

/** Removes tags that are closed somewhere. A single `<id>` is a placeholder and is kept. */
function removeClosedTags(text: string): (tag: string, name: string) => string {
  const closedNames = new Set(
    [...text.matchAll(/<\/([a-z][a-z\d-]{0,30})>/gi)].map(([, name]) => name),
  );
  return (tag, name) => (closedNames.has(name) ? " " : tag);
}

function decodeNumericEntity(name: string): string | undefined {
  if (!name.startsWith("#")) return undefined;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isCharacter = code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? sanitizeText(String.fromCodePoint(code)) : undefined;
}

function removeInlineMarkup(text: string): string {
  let out = text;
  if (out.includes("!["))
    out = out.replace(/!\[([^\][]*)\]\([^()\s]{0,500}(?:\s"[^"]{0,200}")?\)/g, "");
  if (out.includes("]")) out = replaceLinks(out);
  if (out.includes("`")) out = out.replace(/`{1,3}([^`]*)`{1,3}/g, "$1");
  if (/\*\*|__|~~/.test(out))
    out = out
      .replace(/(\*\*|__|~~)(?=\S)([^\n]{0,300}?\S)\1/g, "$2")
      .replace(/(^|[\s("])\*\*(?=[A-Za-z])|(?<=[A-Za-z.!?])\*\*(?=[\s).,:;"]|$)/g, "$1");
  if (out.includes("*"))
    out = out.replace(
      /(^|[\s("'])\*(?=[^\s*)])(?!(?<=["']\*)["'])([^\n*]*[^\s*])\*(?=[\s.,:;!?)"']|$)/g,
      "$1$2",
    );
  if (/[*_]/.test(out))
    out = out.replace(
      /(^|[\s("'])([*_])(?=[^\s*_)])(?!(?<=["']\*)["'])([^\n*_]*[^\s*_])\2(?=[\s.,:;!?)"']|$)/g,
      "$1$3",
    );
  return out.includes("\\") ? out.replace(/\\([\\`*_{}[\]()#+.!|<>~-])/g, "$1") : out;
}

/** A link that is a whole sentence. A model cannot follow it. */
const LONE_LINK = /([.!?])[ \t]+\[[^\][]{1,80}\]\([^()\s]{1,300}\)\.?(?=[ \t]*(?:\n|$))/g;

/** `[here](https://…)`: a text without its address says nothing. */
const POINTING_LINK =
  /\[((?:given |found )?(?:here|this link|this page))\]\((https?:[^()\s]{1,300})\)/gi;
const POINTING_TAG =
  /<a\s[^<>]{0,100}?href=["']?(https?:[^"'<>\s]{1,300})["']?[^<>]{0,100}>((?:given |found )?(?:here|this link|this page))<\/a>/gi;

/** A section of links to other pages only. */
const LINKS_ONLY =
  /^#{1,6} [^\n]{1,60}\n+(?:[-*+] ?\[[^\][\n]{1,80}\]\([^()\s]{1,300}\)[ \t]*(?:\n+|$))+(?=#|>|$)/gm;

function replaceLinks(text: string): string {
  const out = text
    .replace(LINKS_ONLY, "")
    .replace(LONE_LINK, "$1")
    .replace(POINTING_LINK, "$1 ($2)")
    .replace(/\[([^\][]*)\]\((?:[^()\n]|\([^()\n]{0,200}\)){0,500}\)/g, "$1")
    // `filter[status][oeq]=` is the name of a parameter.
    .replace(/(?<![\w\]])\[([^\][]*)\]\[[^\][]{0,200}\](?![[=])/g, "$1");
  return out.includes("[!")
    ? out.replace(/\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]/gi, "")
    : out;
}

/**
 * Joins lines to sentences. List items get a full stop, and headings a colon; a heading without
 * content is removed.
 */
function joinLines(text: string): string {
  if (!text.includes("\n")) return collapseSpaces(text.trim().replace(/^#{1,6} /, ""));
  let out = "";
  let isEnded = true;
  let heading = "";
  let wasEntry = false;
  let wasItem = false;
  for (const raw of text.split("\n")) {
    const trimmed = raw.trim();
    const line = collapseSpaces(trimmed.startsWith(">") ? trimmed.replace(/^[\s>]+/, "") : trimmed);
    const block = /^[#*+•\d-]/.test(line) ? /^(#{1,6} |[-*+•] |\d{1,3}[.)] )/.exec(line) : null;
    const content = block
      ? removeGenericHeading(line.slice(block[0].length).replace(/(?<![#\s])[#\s]+$/, ""), block[0])
      : line;
    if (content !== "" && !block) wasItem = false;
    if (content === "" || /^([-=*_] ?){3,}$/.test(content)) {
      out = endSentence(out, isEnded);
      isEnded = true;
      if (block?.[0].startsWith("#")) heading = "";
      continue;
    }
    // An empty line before the end of a JSON array is not the end of a sentence.
    if (/^[\]}]/.test(content)) out = out.replace(/\.$/, "");
    const isEntry = ENTRY.test(line);
    const isItem = block !== null && /^[-*+•]/.test(block[0]) && SHORT_ITEM.test(content);
    if (isItem && wasItem) out = `${out},`;
    else if (isItem && heading === "" && out.endsWith(":")) isEnded = true;
    else if (block || (isEntry && wasEntry) || startsLabel(line, out))
      out = endSentence(out, isEnded);
    wasItem = isItem;
    wasEntry = isEntry;
    if (block?.[0].startsWith("#")) {
      heading = content;
      isEnded = true;
      continue;
    }
    out = [out, introduce(heading), content].filter((part) => part !== "").join(" ");
    heading = "";
    isEnded = false;
  }
  return out === "" ? endSentence(heading, false) : out;
}

/** `Scopes: READ` below `Join a space`: a label starts a sentence, unless a phrase leads to it. */
const startsLabel = (line: string, before: string): boolean =>
  LABEL.test(line) && !LEADS_ON.test(before);
const LABEL = /^[A-Z]\w*(?: \w+){0,2}: \S/;
const LEADS_ON = /(?:,|\b(?:an?|and|as|by|for|from|in|is|of|on|or|set|the|to|with))$/i;

/** An item of a list that is no sentence: a name, a value. Such items are joined with commas. */
const SHORT_ITEM = /^(?!.*[.:](?: |$))[^\s,;!?]{1,60}(?: [^\s,;!?]{1,60}){0,2}$/;

/** Line of a list without marks: `8: recurring`. */
const ENTRY = /^["']?[\w.-]{1,24}["']?\s?(?:[:=]|-|–|—)\s/;

/** Headings that only announce the next sentence. */
const GENERIC_HEADING = new RegExp(
  "^(?:descriptions?|overview|summary|returns?|responses?|usage|details|introduction|about|" +
    "remarks|implementation notes):?$",
  "i",
);
const removeGenericHeading = (text: string, mark: string): string =>
  mark.startsWith("#") && GENERIC_HEADING.test(text) ? "" : text;

const collapseSpaces = (text: string): string =>
  /\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, " ") : text;

/** `Notes` above a text → `Notes:`. */
const introduce = (heading: string): string =>
  heading === "" || /[.!?:;,。！？：…]["')\]]?$/.test(heading) ? heading : `${heading}:`;

function endSentence(text: string, isEnded: boolean): string {
  return isEnded || text === "" || /[.!?:;,[{(。！？：…]["')\]]?$/.test(text) ? text : `${text}.`;
}

/** Writes code blocks of one short line in the sentence: `in the form: [{"Path": "x"}]`. */
export function inlineCodeBlocks(markdown: string): string {
  return markdown.includes("```")
    ? markdown.replace(/\n[ \t]*```\w{0,12}\s*\n[ \t]*([^\n`]{1,100})\n[ \t]*```/g, " `$1`")
    : markdown;
}

/**
 * Shortens the items of lists to their beginnings, `- name: the meaning` to `- name`, so that a
 * text without room for the whole list has all its names.
 */
export function shortenItems(markdown: string): string {
  const blocks: string[][] = [];
  let isList = false;
  for (const line of markdown.split("\n")) {
    const isItem = ITEM.test(line);
    if (!isItem && isList && /^\s+\S/.test(line)) continue;
    if (isItem !== isList || blocks.length === 0) blocks.push([]);
    isList = isItem;
    blocks.at(-1)!.push(line);
  }
  return blocks.map((lines) => shortenList(lines).join("\n")).join("\n");
}

/** Shortens the items of a list of two or more. */
const shortenList = (lines: readonly string[]): readonly string[] =>
  lines.length < MIN_ITEMS || !ITEM.test(lines[0]!)
    ? lines
    : lines.map((line) => line.replace(ITEM, "- ").replace(ITEM_REST, "- $1"));

const MIN_ITEMS = 2;
const ITEM = /^[ \t]*[-*+•] /;
/** The code or the words that an item is about, and the rest. */
const ITEM_REST =
  /^- (`[^`\n]{1,60}`|\*\*[^*\n]{1,60}\*\*|[^\s:,;.(]{1,40}(?: [^\s:,;.(]{1,40}){0,2}(?=:(?:\s|$)| [-–—(])).*/;

/** Maximum length of a table in characters, in the description of an operation and of an input. */
const [MAX_LENGTH, MAX_INPUT_LENGTH] = [400, 250];

/**
 * Writes Markdown tables as lists: `- value: meaning`. A large table is shortened to its first rows
 * and the number of the others. Tables of parameters and fields are not converted, because the
 * inputs of the tool have their texts.
 */
export function listTables(markdown: string): string {
  return rewriteTables(markdown, (rows) => {
    const items = rows.map(([first = "", ...others]) =>
      others.length > 0 ? `- ${first}: ${others.join(", ")}` : `- ${first}`,
    );
    const { taken, more } = takeWithin(items, MAX_LENGTH);
    return [...taken, ...(more > 0 ? [`- And ${more} more.`] : [])].join("\n");
  });
}

/** Writes Markdown tables about an input as a sentence: `1 = instant, 2 = scheduled.` */
export function inlineTables(markdown: string): string {
  return rewriteTables(markdown, (rows) => {
    const items = rows.flatMap(([first = "", ...others]) =>
      others.length > 0 ? [`${first} = ${others.join(", ").replace(/(?<![.;])[.;]+$/, "")}`] : [],
    );
    const { taken } = takeWithin(items, MAX_INPUT_LENGTH);
    return `\n${joinFirst(items, taken.length, "; ")}.\n`;
  });
}

/** Leading items up to a length, and the number of the others. */
function takeWithin(
  items: readonly string[],
  maxLength: number,
): { readonly taken: readonly string[]; readonly more: number } {
  let length = 0;
  const end = items.findIndex((item) => (length += item.length) > maxLength);
  const taken = end < 0 ? items : items.slice(0, end);
  return { taken, more: items.length - taken.length };
}

function rewriteTables(
  markdown: string,
  rewrite: (rows: readonly (readonly string[])[]) => string,
): string {
  if (!markdown.includes("|")) return markdown;
  return markdown.replace(TABLE, (table, before: string) => {
    const [head = [], ...rows] = table.trim().split("\n").map(cellsOf);
    if (isAboutInputs(head)) return table;
    const body = rows.filter((cells) => !cells.every((cell) => /^:?-*:?$/.test(cell)));
    return `${before}${rewrite(body.map((cells) => cells.filter((cell) => cell !== "")))}\n`;
  });
}

const TABLE = /(^|\n)[ \t]*\|[^\n]*\n[ \t]*(?:\|[ \t]*)?:?-[-:| \t]*\n(?:[ \t]*\|[^\n]*(?:\n|$))+/g;

const cellsOf = (row: string): readonly string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());

const isAboutInputs = ([first = "", ...others]: readonly string[]): boolean =>
  INPUT_COLUMN.test(first) || others.some((cell) => TYPE_COLUMN.test(cell));

const INPUT_COLUMN =
  /^(?:fields?|params?|parameters?|keys?|names?|attributes?|propert(?:y|ies)|arguments?|headers?)$/i;
const TYPE_COLUMN = /^(?:type|data ?type|required|optional)\??$/i;
