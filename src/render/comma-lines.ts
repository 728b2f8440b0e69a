/**
 * Items as lines with commas between them, for a text of megabytes that is joined once. One empty
 * line without items.
 */
export function commaLines(items: readonly string[]): readonly string[] {
  const last = items.length - 1;
  return last < 0 ? [""] : items.map((item, i) => (i < last ? `${item},` : item));
}
