import { isObject } from "../../json.js";
import type { RawObject } from "../raw-object.js";

/** Extensions with a text per value, the most telling first. */
const EXTENSIONS = [
  "x-enum-descriptions",
  "x-enumDescriptions",
  "x-ms-enum",
  "x-enumNames",
  "x-enum-names",
  "x-enum-varnames",
];

/**
 * Reads the meanings of enum values: from extensions, as a list in the order of the values or an
 * object by value, or from a Markdown table of the description.
 * @returns the texts by value; undefined unless at least two values have one that says more
 */
export function readEnumMeanings(
  raw: RawObject,
  values: readonly unknown[],
): Readonly<Record<string, string>> | undefined {
  for (const key of EXTENSIONS) {
    const meanings = keepTelling(
      values,
      textsOf(raw[key], Array.isArray(raw.enum) ? raw.enum : []),
    );
    if (meanings) return meanings;
  }
  return typeof raw.description === "string"
    ? keepTelling(values, readTable(raw.description))
    : undefined;
}

function textsOf(extension: unknown, values: readonly unknown[]): ReadonlyMap<string, unknown> {
  if (Array.isArray(extension))
    return new Map(values.map((value, index) => [String(value), extension[index]]));
  if (!isObject(extension)) return new Map();
  if (!Array.isArray(extension.values)) return new Map(Object.entries(extension));
  const entries = extension.values.filter(isObject);
  return new Map(
    entries.map(({ value, description, name }) => [String(value), description ?? name]),
  );
}

/** Rows of Markdown tables: the text of the second cell by that of the first. */
function readTable(description: string): ReadonlyMap<string, string> {
  const rows = description.split("\n").flatMap((line) => {
    const cells = line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|");
    const [value = "", text = ""] = cells.map((cell) => cell.trim());
    return line.trim().startsWith("|") ? [[value.replace(/^[`"'*]+|[`"'*]+$/g, ""), text]] : [];
  });
  return new Map(rows as [string, string][]);
}

function keepTelling(
  values: readonly unknown[],
  texts: ReadonlyMap<string, unknown>,
): Readonly<Record<string, string>> | undefined {
  const entries = values.flatMap((value) => {
    const text = texts.get(String(value));
    return typeof text === "string" && normalize(text) !== normalize(String(value))
      ? [[String(value), text.trim()] as const]
      : [];
  });
  return entries.length < 2 ? undefined : Object.fromEntries(entries);
}

const normalize = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
