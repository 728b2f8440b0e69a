/** Tables of results for terminals. */
import { isObject } from "../data/values.js";

const MAX_COLUMNS = 8;
const MAX_WIDTH = 60;

/** A list as rows, also the first list of objects in an object; any other value as a row of its fields. */
export function formatTable(value: unknown): string {
  const rows = rowsOf(value);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);
  const lines = [columns, ...rows.map((row) => columns.map((name) => cell(row[name])))];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)));
  return lines
    .map((line) =>
      line
        .map((text, i) => text.padEnd(widths[i]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

type Row = Readonly<Record<string, unknown>>;

function rowsOf(value: unknown): readonly Row[] {
  const lists = isObject(value) ? Object.values(value).filter(Array.isArray) : [];
  const list = Array.isArray(value) ? value : lists.find((items) => items.some(isObject));
  const items: readonly unknown[] = list ?? [value];
  return items.map((item) => (isObject(item) ? item : { value: item }));
}

/** A value on one line, without control characters. */
function cell(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH - 1)}…` : line;
}
