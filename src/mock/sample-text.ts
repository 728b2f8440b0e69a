import { hasLength, patternText } from "./sample-pattern.js";
import type { Schema } from "./types.js";

/**
 * Valid strings of each format of JSON Schema and of the OpenAPI format registry. Different `n`
 * give different strings.
 */
const FORMATS: Readonly<Record<string, (n: number) => string>> = {
  "date-time": (n) => `2024-01-${twoDigits(n)}T09:30:00Z`,
  "date-time-local": (n) => `2024-01-${twoDigits(n)}T09:30:00`,
  date: (n) => `2024-01-${twoDigits(n)}`,
  time: (n) => `09:${twoDigits(n)}:00Z`,
  duration: (n) => `PT${n + 1}H`,
  email: (n) => `person${n || ""}@example.com`,
  "idn-email": (n) => `person${n || ""}@example.com`,
  hostname: (n) => `host${n || ""}.example.com`,
  "idn-hostname": (n) => `host${n || ""}.example.com`,
  ipv4: (n) => `192.0.2.${(n % 250) + 1}`,
  ipv6: (n) => `2001:db8::${(n + 1).toString(16)}`,
  uri: (n) => `https://example.com/${n || ""}`,
  url: (n) => `https://example.com/${n || ""}`,
  iri: (n) => `https://example.com/${n || ""}`,
  "uri-reference": (n) => `/items/${n}`,
  "iri-reference": (n) => `/items/${n}`,
  "uri-template": (n) => `/items/{id}/${n}`,
  uuid: (n) => `123e4567-e89b-42d3-a456-${(426614174000 + n).toString().padStart(12, "0")}`,
  "json-pointer": (n) => `/items/${n}`,
  "relative-json-pointer": (n) => `${n}/items`,
  regex: () => "^[a-z]+$",
  byte: (n) => Buffer.from(`text ${n}`).toString("base64"),
  base64: (n) => Buffer.from(`text ${n}`).toString("base64"),
  base64url: (n) => Buffer.from(`text ${n}`).toString("base64url"),
  binary: (n) => `text ${n}`,
  int32: (n) => String(n + 1),
  int64: (n) => String(n + 1),
  decimal: (n) => `${n + 1}.5`,
};

function twoDigits(n: number): string {
  return String((n % 28) + 1).padStart(2, "0");
}

/**
 * A valid string of a schema: by its format, pattern and length.
 * @param n different numbers give different strings where the schema allows it
 * @param hint text for strings without constraints, usually the name of the property
 */
export function sampleText(schema: Schema, n: number, hint: string): string {
  const least = boundOf(schema["minLength"], 0);
  const most = boundOf(schema["maxLength"], 10_000);
  const formatted = formatSampler(schema)?.(n);
  const matching = patternText(schema["pattern"], [formatted, hintText(hint, n)], {
    n,
    least,
    most,
  });
  if (matching !== undefined) return matching;
  return formatted !== undefined && hasLength(formatted, least, most)
    ? formatted
    : fitLength(hintText(hint, n), least, most);
}

function formatSampler(schema: Schema): ((n: number) => string) | undefined {
  const { format, contentEncoding } = schema;
  const name = [format, contentEncoding].find((value) => typeof value === "string") ?? "";
  return Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
}

function boundOf(value: unknown, fallback: number): number {
  return typeof value === "number" && value >= 0 ? Math.min(value, 10_000) : fallback;
}

function hintText(hint: string, n: number): string {
  const base =
    hint
      .replace(/[^A-Za-z0-9]+/gu, " ")
      .trim()
      .slice(0, 40) || "text";
  return n === 0 ? base : `${base} ${n}`;
}

function fitLength(text: string, least: number, most: number): string {
  const long = text.length >= least ? text : text + "x".repeat(least - text.length);
  // Keeps the end, in which strings of one schema differ.
  return long.length <= most
    ? long
    : long
        .slice(long.length - most)
        .trim()
        .padEnd(Math.min(Math.max(least, 1), most), "x");
}
