/** Large tables with more columns are not lists of values and meanings. */
const MAX_COLUMNS = 3;
/** Maximum length of a table in characters, in the description of an operation and of an input. */
const [MAX_LENGTH, MAX_INPUT_LENGTH] = [400, 250];

/**
 * Writes Markdown tables as lists: `- value: meaning`. Of a large one, the first rows and the number
 * of the others. Tables of parameters and fields are left as they are, because the inputs of the
 * tool have their texts.
 */
export function listTables(markdown: string): string {
  return rewriteTables(markdown, (rows) => {
    const items = rows.map(([first = "", ...others]) =>
      others.length > 0 ? `- ${first}: ${others.join(", ")}` : `- ${first}`,
    );
    const { taken, more } = takeWithin(items, MAX_LENGTH);
    if (more > 0 && rows.some(({ length }) => length > MAX_COLUMNS)) return "";
    return [...taken, ...(more > 0 ? [`- And ${more} more.`] : [])].join("\n");
  });
}

/** Writes Markdown tables about an input as a sentence: `1 = instant, 2 = scheduled.` */
export function inlineTables(markdown: string): string {
  return rewriteTables(markdown, (rows) => {
    const items = rows.flatMap(([first = "", ...others]) =>
      others.length > 0 ? [`${first} = ${others.join(", ").replace(/[.;]+$/, "")}`] : [],
    );
    const { taken, more } = takeWithin(items, MAX_INPUT_LENGTH);
    if (taken.length === 0 || rows.some(({ length }) => length > MAX_COLUMNS)) return "";
    return `\n${taken.join("; ")}${more > 0 ? ` and ${more} more` : ""}.\n`;
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
    const text = rewrite(body.map((cells) => cells.filter((cell) => cell !== "")));
    return text === "" ? table : `${before}${text}\n`;
  });
}

const TABLE = /(^|\n)[ \t]*\|[^\n]*\n[ \t]*\|?[ \t]*:?-[-:| \t]*\n(?:[ \t]*\|[^\n]*(?:\n|$))+/g;

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
