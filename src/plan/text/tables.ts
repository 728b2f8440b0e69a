/** Larger tables are references, which a description has no room for. */
const MAX_ROWS = 12;
const MAX_LENGTH = 400;

/**
 * Writes small Markdown tables as lists: `- value: meaning`. Tables of parameters and fields are left
 * as they are, because the inputs of the tool have their texts.
 */
export function listTables(markdown: string): string {
  if (!markdown.includes("|")) return markdown;
  return markdown.replace(TABLE, (table, before: string) => {
    const [head = [], ...rows] = table.trim().split("\n").map(cellsOf);
    const body = rows.filter((cells) => !cells.every((cell) => /^:?-*:?$/.test(cell)));
    const items = body.map(itemOf);
    const length = items.reduce((sum, item) => sum + item.length, 0);
    const isSmall = items.length > 0 && items.length <= MAX_ROWS && length <= MAX_LENGTH;
    return isSmall && !isAboutInputs(head) ? `${before}${items.join("\n")}\n` : table;
  });
}

const TABLE = /(^|\n)[ \t]*\|[^\n]*\n[ \t]*\|?[ \t]*:?-[-:| \t]*\n(?:[ \t]*\|[^\n]*(?:\n|$))+/g;

const cellsOf = (row: string): readonly string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());

function itemOf(cells: readonly string[]): string {
  const [first = "", ...others] = cells.filter((cell) => cell !== "");
  return `- ${first}${others.length > 0 ? `: ${others.join(", ")}` : ""}`;
}

const isAboutInputs = ([first = "", ...others]: readonly string[]): boolean =>
  INPUT_COLUMN.test(first) || others.some((cell) => TYPE_COLUMN.test(cell));

const INPUT_COLUMN =
  /^(?:fields?|params?|parameters?|keys?|names?|attributes?|propert(?:y|ies)|arguments?|headers?)$/i;
const TYPE_COLUMN = /^(?:type|data ?type|required|optional)\??$/i;
