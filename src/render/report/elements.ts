/** HTML elements of the report, and the escaping of text in them. */
import { formatNumber } from "../../diagnostics/index.js";
import { html } from "../code/index.js";

interface Row {
  readonly cells: readonly Piece[];
  readonly className?: string;
}

/**
 * Table with one line per row in the source of the page. On narrow screens each row is a card: its
 * first cell is the title, and the others show the heading of their column.
 */
export function table(
  className: string,
  headings: readonly string[],
  rows: readonly Row[],
): Markup {
  const head = headings.map((heading) => markup`<th>${heading}</th>`);
  return markup`<table class="cards ${className}"><thead><tr>${head}</tr></thead><tbody>
${rows.map((row) => tableRow(row, headings))}</tbody></table>`;
}

function tableRow({ cells, className }: Row, headings: readonly string[]): Markup {
  const data = cells.map((cell, i) =>
    i === 0 ? markup`<td>${cell}</td>` : markup`<td data-label="${headings[i]}">${cell}</td>`,
  );
  return markup`<tr${classAttribute(className)}>${data}</tr>\n`;
}

/** Row of a bar chart: heading, figure and bar. */
export function barRow(heading: Piece, value: number, bar: Piece, className?: string): Markup {
  const figure = markup`<td>${formatNumber(value)}</td><td class="bar">${bar}</td>`;
  return markup`<tr${classAttribute(className)}><th>${heading}</th>${figure}</tr>`;
}

function classAttribute(className: string | undefined): Markup | false {
  return className !== undefined && new Markup(` class="${className}"`);
}

/** Bar that shows `value` as a part of `maximum`. */
export function meter(value: number, maximum: number): Markup {
  const part = value / Math.max(maximum, 1);
  const label = `${Math.round(100 * part)} %`;
  const width = Math.min(100, Math.round(1000 * part) / 10);
  return markup`<svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${label}">
<rect class="track" width="100" height="8"/>
<rect class="fill" width="${width}" height="8"/>
</svg>`;
}

/** Comma-separated links to the details of tools. */
export function toolLinks(names: readonly string[]): Markup {
  return markup`${names.map((name, i) => markup`${i > 0 && ", "}${toolLink(name)}`)}`;
}

/** Link to the details of a tool. */
export function toolLink(name: string): Markup {
  return markup`<a href="#tool-${name}">${breakable(name)}</a>`;
}

/** Length from which names may break. Shorter ones fit into every column. */
const LONG_NAME = 16;

/** Name, path or line in a fixed-width font. */
export function code(text: string): Markup {
  return markup`<code>${breakable(text)}</code>`;
}

/**
 * A name or a path that may break between its words, not inside them. Short ones are not broken.
 */
export function breakable(text: string): Piece {
  if (text.length < LONG_NAME) return text;
  const words = text.split(/(?<=[/_.,:\-\]})])(?=[^\s/])|(?<=[a-z0-9])(?=[A-Z])/);
  return markup`${words.map((word, i) => markup`${i > 0 && new Markup("<wbr>")}${word}`)}`;
}

/** Prose in which text between backticks is code. */
export function prose(text: string): Markup {
  const parts = text.split(/`([^`]+)`/);
  return markup`${parts.map((part, i) => (i % 2 === 1 ? code(part) : breakLongWords(part)))}`;
}

function breakLongWords(text: string): Piece {
  return text.length < LONG_NAME ? text : text.split(/(\s+)/).map(breakable);
}

/** Label of a tool or a variable, such as `read-only`. */
export function tag(text: string): Markup {
  return markup`<b class="tag">${text}</b>`;
}

/** The noun of a number: with `s`, except for 1. */
export function plural(number: number, noun: string): string {
  return number === 1 ? noun : `${noun}s`;
}

/** Safe HTML. Only `markup` creates it. */
export class Markup {
  constructor(readonly text: string) {}
}

/** Content of a `${}` in `markup`. */
type Piece = string | number | Markup | undefined | false | readonly Piece[];

/**
 * Concatenates HTML: literal parts are trusted, each `${}` is escaped unless it is markup. Lists
 * are joined; `undefined` and `false` are omitted.
 */
export function markup(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(parts.map((part, i) => part + write(pieces[i])).join(""));
}

function write(piece: Piece): string {
  if (piece === undefined || piece === false) return "";
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === "object") return piece.map(write).join("");
  return html(String(piece));
}
