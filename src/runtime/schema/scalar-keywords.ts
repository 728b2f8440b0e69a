/** Keywords of texts, numbers and single values, and the formats of texts. */
import { canParseUrl } from "../data/urls.js";
import { createMatcher } from "./bounded-regexp.js";
import { atLeast, atMost, type Check, type KeywordCompiler, limit, report } from "./check.js";

/** `type`, `const` and `enum`. `type` is first: `combineChecks` relies on it. */
export const typeKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["type", type],
  ["const", constant],
  ["enum", enumeration],
];

const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  string: (value) => typeof value === "string",
  array: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

function type(rule: unknown): Check | undefined {
  const names = (Array.isArray(rule) ? rule : [rule]).filter(
    (name) => typeof name === "string" && Object.hasOwn(typeTests, name),
  );
  const tests = names.map((name) => typeTests[name as string]!);
  const [first, second] = tests;
  if (!first) return undefined;
  if (tests.length === 1)
    return (value, context) => first(value) || report(context, "type", names, value);
  if (tests.length === 2)
    return (value, context) =>
      first(value) || second!(value) || report(context, "type", names, value);
  return (value, context) =>
    tests.some((test) => test(value)) || report(context, "type", names, value);
}

function constant(rule: unknown): Check {
  return (value, context) => jsonEquals(value, rule) || report(context, "const", rule, value);
}

function enumeration(rule: unknown): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const simple = new Set(rule.filter((member) => typeof member !== "object" || member === null));
  const structures = rule.filter((member) => typeof member === "object" && member !== null);
  return (value, context) =>
    simple.has(value) ||
    structures.some((member) => jsonEquals(member, value)) ||
    report(context, "enum", rule, value);
}

/** Keywords of numbers. */
export const numberKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["minimum", limit("minimum", numberOf, atLeast)],
  ["maximum", limit("maximum", numberOf, atMost)],
  ["exclusiveMinimum", limit("exclusiveMinimum", numberOf, (value, least) => value > least)],
  ["exclusiveMaximum", limit("exclusiveMaximum", numberOf, (value, most) => value < most)],
  ["multipleOf", limit("multipleOf", numberOf, isMultiple)],
];

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Tolerates rounding: 0.3 is a multiple of 0.1, although 0.3 / 0.1 is 2.9999999999999996. */
function isMultiple(value: number, step: number): boolean {
  if (step <= 0) return true;
  const times = value / step;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

/** Keywords of strings. */
export const stringKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["minLength", limit("minLength", charactersOf, atLeast)],
  ["maxLength", limit("maxLength", charactersOf, atMost)],
  ["pattern", pattern],
  ["format", format],
];

/** Number of Unicode code points. JSON Schema counts these, `length` counts UTF-16 units. */
function charactersOf(text: unknown): number | undefined {
  if (typeof text !== "string") return undefined;
  let pairs = 0;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00)
      pairs++;
  }
  return text.length - pairs;
}

function pattern(rule: unknown): Check | undefined {
  if (typeof rule !== "string") return undefined;
  const matches = createMatcher(rule);
  return (value, context) =>
    typeof value !== "string" ||
    matches(value, context.cost) ||
    report(context, "pattern", rule, value);
}

function format(rule: unknown): Check | undefined {
  if (typeof rule !== "string" || !isCheckedFormat(rule)) return undefined;
  return (value, context) =>
    typeof value !== "string" ||
    matchesFormat(rule, value) ||
    (rule === "uuid" && PLAIN_UUID.test(value)) ||
    report(context, "format", rule, value);
}

/** A UUID without hyphens, as OpenStack and others write it. */
const PLAIN_UUID = /^[0-9a-f]{32}$/i;

/** True if two JSON values are equal, regardless of the order of properties. */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(b, key) && jsonEquals(a[key as keyof typeof a], b[key as keyof typeof b]),
  );
}

/**
 * The checked formats. Any other format is an annotation. The checks are as lenient as common APIs
 * and linear in the length of the text.
 * https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3
 */
const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date", isDate],
  ["date-time", isDateTime],
  ["time", (text: string) => isTime(text)],
  ["email", (text: string) => text.length <= 320 && /^[^\s@]+@[^\s@]+$/.test(text)],
  [
    "uuid",
    (text: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
  ],
  ["uri", (text: string) => /^[a-z][a-z0-9+.-]*:/i.test(text) && canParseUrl(text)],
  ["ipv4", isIpv4],
  [
    "ipv6",
    (text: string) =>
      /^[0-9a-f:.]{2,45}$/i.test(text) && text.includes(":") && canParseUrl(`http://[${text}]`),
  ],
]);

function isCheckedFormat(format: string): boolean {
  return formats.has(format);
}

/** True for text in a format, and for all formats that are not checked. */
export function matchesFormat(format: string, text: string): boolean {
  return formats.get(format)?.(text) ?? true;
}

const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (month === 2 && !isLeapYear ? 28 : (daysInMonth[month - 1] ?? 0));
}

function isTime(text: string): boolean {
  const parts = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|[+-](\d\d):?(\d\d))$/i.exec(text);
  if (!parts) return false;
  const [, hour, minute, second, offsetHour, offsetMinute] = parts.map((part) => Number(part ?? 0));
  return hour! < 24 && minute! < 60 && second! <= 60 && offsetHour! < 24 && offsetMinute! < 60;
}

function isDateTime(text: string): boolean {
  return /[t ]/i.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isIpv4(text: string): boolean {
  const parts = text.split(".", 5);
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256);
}
