import { type Markup, markup, Markup as Trusted, type Piece } from "./markup.js";

/** Table with one line per row in the source of the page. */
export function table(headings: readonly string[], rows: readonly Markup[]): Markup {
  const cells = headings.map((heading) => markup`<th>${heading}</th>`);
  return markup`<table><thead><tr>${cells}</tr></thead><tbody>
${rows}</tbody></table>`;
}

export function row(cells: readonly Piece[], className?: string): Markup {
  const data = cells.map((cell) => markup`<td>${cell}</td>`);
  return markup`<tr${classAttribute(className)}>${data}</tr>\n`;
}

/** Row of a bar chart: heading, figure and bar. */
export function barRow(heading: Piece, value: number, bar: Piece, className?: string): Markup {
  const figure = markup`<td>${thousands(value)}</td><td class="bar">${bar}</td>`;
  return markup`<tr${classAttribute(className)}><th>${heading}</th>${figure}</tr>`;
}

function classAttribute(className: string | undefined): Markup | false {
  return className !== undefined && new Trusted(` class="${className}"`);
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

export function toolLink(name: string): Markup {
  return markup`<a href="#tool-${name}">${name}</a>`;
}

export function tag(text: string): Markup {
  return markup`<b class="tag">${text}</b>`;
}

export function count(number: number, noun: string): string {
  return `${thousands(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** Formats a number as `12,345`, independent of the locale. */
export function thousands(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}
