import { type Code, markSafe, sanitizeLine, toVisibleText } from "./safe.js";

/** Maximum columns of a comment. */
const COLUMNS = 100;
/** Maximum characters of a comment. Longer text is cut at a word. */
const MAX_LENGTH = 600;

/**
 * A JSDoc comment without indentation of its first line and without a final line break. Empty for
 * blank text.
 * @param indent indentation of the lines after the first
 * @param deprecated adds the tag `@deprecated`
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

/** A `//` comment with the text on one line. */
export function lineComment(text: string): Code {
  return markSafe(`// ${neutralize(sanitizeLine(text))}`);
}

/**
 * One line that needs no escaping: printable ASCII without `*`, `@` and `#`. Most descriptions
 * match.
 */
const plain = /^[!-")$-)+-?A-~](?:[ !-")$-)+-?A-~]*[!-")$-)+-?A-~])?$/;

/**
 * Neutralizes text that tools recognize in comments: the end of a comment, tags (`@ts-ignore`,
 * `@keep`, `@deprecated`), and pragmas (`#__PURE__`, `# sourceMappingURL=`).
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

/** Wraps text at words and keeps one blank line between paragraphs. */
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
