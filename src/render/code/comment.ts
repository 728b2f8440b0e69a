import { type Code, markSafe } from "./safe.js";
import { toVisibleText, sanitizeLine } from "./text.js";

/** Last column of a comment's text. */
const COLUMNS = 112;
/** Longer documentation is cut at a word; the document has the rest. */
const MAX_LENGTH = 600;

/**
 * A JSDoc comment, without indentation before its first line and without a line break at its end.
 * Empty when the text is blank.
 * @param indent columns that the lines after the first are indented by
 * @param deprecated adds the tag that editors strike names through for
 */
export function docComment(text: string, indent = 0, deprecated = false): Code {
  if (text === "" && !deprecated) return markSafe("");
  const safe = shorten(plain.test(text) ? text : neutralize(toVisibleText(text)).trim());
  if (!deprecated && safe.length + indent + 4 <= COLUMNS && safe !== "" && !safe.includes("\n"))
    return markSafe(`/** ${safe} */`);
  const lines = wrapLines(safe, COLUMNS - indent - 3);
  if (deprecated) lines.push("@deprecated");
  return markSafe(
    lines.length === 0
      ? ""
      : lines.length === 1
        ? `/** ${lines[0]!} */`
        : block(lines, " ".repeat(indent)),
  );
}

function block(lines: readonly string[], pad: string): string {
  let text = "/**\n";
  for (const line of lines) text += line === "" ? `${pad} *\n` : `${pad} * ${line}\n`;
  return `${text}${pad} */`;
}

/** A `//` comment: the text on one line. */
export function lineComment(text: string): Code {
  return markSafe(`// ${neutralize(sanitizeLine(text))}`);
}

/**
 * One line of text that needs no care: most descriptions. Printable ASCII without `*`, `@` and `#`.
 */
const plain = /^[!-")$-)+-?A-~](?:[ !-")$-)+-?A-~]*[!-")$-)+-?A-~])?$/;

/**
 * Takes the meaning from what tools look for in comments: their end, tags (`@ts-ignore`, `@keep`, `@deprecated`),
 * and pragmas (`#__PURE__`, `# sourceMappingURL=`).
 */
function neutralize(text: string): string {
  let safe = text;
  if (safe.includes("*/")) safe = safe.replaceAll("*/", "*\\/");
  if (safe.includes("@")) safe = safe.replace(/(?<![\w\\])@/g, "\\@");
  if (safe.includes("#")) safe = safe.replace(/#(?=__|\s*source(?:Mapping)?URL)/g, "\\#");
  return safe;
}

function shorten(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const space = text.lastIndexOf(" ", MAX_LENGTH);
  return `${text.slice(0, space > MAX_LENGTH / 2 ? space : MAX_LENGTH).trimEnd()}…`;
}

/**
 * Lines that are no longer than `columns` where words allow it; one blank line between paragraphs.
 */
function wrapLines(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const words = line.trim();
    if (words !== "") wrapLine(words, columns, lines);
    else if (lines.length > 0 && lines.at(-1) !== "") lines.push("");
  }
  return lines;
}

function wrapLine(text: string, columns: number, lines: string[]): void {
  let rest = text;
  while (rest.length > columns) {
    const before = rest.lastIndexOf(" ", columns);
    const end = before > 0 ? before : rest.indexOf(" ", columns);
    if (end < 0) break;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end + 1).trimStart();
  }
  lines.push(rest);
}
