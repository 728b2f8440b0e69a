import { textMatching } from "./pattern.js";
import { legalPattern } from "./schemas.js";
import type { Schema } from "./types.js";

/**
 * One valid text per format that JSON Schema and the OpenAPI format registry know; `n` makes texts
 * differ.
 */
const FORMATS: Readonly<Record<string, (n: number) => string>> = {
  "date-time": (n) => `2024-01-${day(n)}T09:30:00Z`,
  "date-time-local": (n) => `2024-01-${day(n)}T09:30:00`,
  date: (n) => `2024-01-${day(n)}`,
  time: (n) => `09:${day(n)}:00Z`,
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

function day(n: number): string {
  return String((n % 28) + 1).padStart(2, "0");
}

/**
 * A text that satisfies a string schema: by its format, its pattern, its bounds.
 * @param n different numbers give different texts where the schema allows it
 * @param hint a word to use when nothing decides, usually the name of the property
 */
export function sampleText(schema: Schema, n: number, hint: string): string {
  const least = boundOf(schema["minLength"], 0);
  const most = boundOf(schema["maxLength"], 10_000);
  const pattern = schema["pattern"];
  const formatted = formatOf(schema)?.(n);
  if (typeof pattern === "string" && legalPattern(pattern)) {
    const expression = new RegExp(pattern, "u");
    const candidates = [
      formatted,
      textMatching(pattern, least, n),
      textMatching(pattern, Math.max(least, 1)),
      word(hint, n),
      "A",
      "1",
      "a1",
    ];
    const found = candidates.filter(
      (text) => text !== undefined && fits(text, least, most) && expression.test(text),
    );
    // Nothing at all is what nobody means, and no path can hold it.
    const [best = ""] = found.filter((text) => text !== "");
    if (found.length > 0) return best;
  }
  return formatted !== undefined && fits(formatted, least, most)
    ? formatted
    : fill(word(hint, n), least, most);
}

function formatOf(schema: Schema): ((n: number) => string) | undefined {
  const encoding = schema["contentEncoding"];
  const name =
    typeof schema["format"] === "string"
      ? schema["format"]
      : typeof encoding === "string"
        ? encoding
        : "";
  return Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
}

function boundOf(value: unknown, fallback: number): number {
  return typeof value === "number" && value >= 0 ? Math.min(value, 10_000) : fallback;
}

function fits(text: string, least: number, most: number): boolean {
  return text.length >= least && text.length <= most;
}

function word(hint: string, n: number): string {
  const base =
    hint
      .replace(/[^A-Za-z0-9]+/gu, " ")
      .trim()
      .slice(0, 40) || "text";
  return n === 0 ? base : `${base} ${n}`;
}

function fill(text: string, least: number, most: number): string {
  const long = text.length >= least ? text : text + "x".repeat(least - text.length);
  // The end is what differs between two texts of one schema, so a cut keeps it.
  return long.length <= most
    ? long
    : long
        .slice(long.length - most)
        .trim()
        .padEnd(Math.min(Math.max(least, 1), most), "x");
}
