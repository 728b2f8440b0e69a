import { nearest } from "../nearest.js";
import type { Problem, Step } from "./problem.js";
import { show } from "./show.js";

/**
 * What is wrong, as a clause to follow the name of the part: `500 is above the maximum of 100`.
 * Says what was expected and what came, never more than a few words of the value.
 */
export function describe(problem: Problem): string {
  const clause = clauses.get(problem.keyword);
  const got = show(problem.value);
  return clause ? clause(got, problem.rule, problem) : `${got} is not allowed here`;
}

type Clause = (got: string, rule: unknown, problem: Problem) => string;

const clauses: ReadonlyMap<string, Clause> = new Map<string, Clause>([
  ["required", () => "is required"],
  [
    "additionalProperties",
    (_, known, { path }) => unknownName(String(path.at(-1)), known as readonly string[]),
  ],
  ["type", (got, types) => `expected ${kinds(types as readonly string[])}, got ${got}`],
  ["enum", (got, allowed, { value }) => notOneOf(got, value, allowed as readonly unknown[])],
  ["const", (got, only) => `must be ${show(only)}, got ${got}`],
  ["anyOf", (got, forms) => noneOf(got, forms as readonly { type?: unknown }[])],
  [
    "oneOf",
    () => "fits more than one of the allowed forms; leave out what belongs to another form",
  ],
  ["minimum", (got, limit) => `${got} is below the minimum of ${limit}`],
  ["maximum", (got, limit) => `${got} is above the maximum of ${limit}`],
  ["exclusiveMinimum", (got, limit) => `${got} is not more than ${limit}`],
  ["exclusiveMaximum", (got, limit) => `${got} is not less than ${limit}`],
  ["multipleOf", (got, step) => `${got} is not a multiple of ${step}`],
  [
    "minLength",
    (got, limit) =>
      limit === 1 ? "must not be empty" : `${got} is shorter than ${limit} characters`,
  ],
  [
    "maxLength",
    (_, limit, { value }) =>
      `has ${(value as string).length} characters; at most ${limit} are allowed`,
  ],
  ["pattern", (got, pattern) => `${got} does not match the pattern ${cut(pattern as string, 100)}`],
  ["format", (got, format) => `${got} is not ${formatNames.get(format as string)}`],
  ["minItems", (_, limit, { value }) => `has ${items(value)}; at least ${limit} needed`],
  ["maxItems", (_, limit, { value }) => `has ${items(value)}; at most ${limit} allowed`],
  ["minProperties", (_, limit, { value }) => `has ${fields(value)}; at least ${limit} needed`],
  ["maxProperties", (_, limit, { value }) => `has ${fields(value)}; at most ${limit} allowed`],
  ["uniqueItems", () => "has the same item more than once"],
  ["depth", () => "is nested too deeply"],
]);

/** The name of a part: `items[2].name`; the whole value has none. */
export function pathName(path: readonly Step[]): string {
  return path
    .map((step, i) =>
      typeof step === "number" ? `[${step}]` : i === 0 ? cut(step, 64) : `.${cut(step, 64)}`,
    )
    .join("");
}

/**
 * The problems worth telling: "fits none of the forms" only when nothing is told about the parts of
 * the form that it nearly fits.
 */
export function worthTelling(problems: readonly Problem[]): readonly Problem[] {
  if (!problems.some(({ keyword }) => keyword === "anyOf")) return problems;
  const told = new Set<string>();
  return problems.filter(({ keyword, path }) => {
    const around = placesAround(path);
    const isWorth = keyword !== "anyOf" || !told.has(around.at(-1) ?? "");
    for (const place of around) told.add(place);
    return isWorth;
  });
}

/** A place and all around it, outermost first, each as text that no other place has. */
function placesAround(path: readonly Step[]): readonly string[] {
  const places = [""];
  for (const step of path) places.push(`${places.at(-1)}${JSON.stringify(step)},`);
  return places;
}

const typeNames: ReadonlyMap<string, string> = new Map([
  ["string", "text"],
  ["integer", "an integer"],
  ["number", "a number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["object", "an object"],
  ["null", "null"],
]);

const formatNames: ReadonlyMap<string, string> = new Map([
  ["date", "a date such as 2026-01-31"],
  ["date-time", "a time such as 2026-01-31T12:00:00Z"],
  ["time", "a time of day such as 12:00:00Z"],
  ["email", "an e-mail address"],
  ["uuid", "a UUID such as 123e4567-e89b-12d3-a456-426614174000"],
  ["uri", "an absolute URI such as https://example.com/a"],
  ["ipv4", "an IPv4 address"],
  ["ipv6", "an IPv6 address"],
]);

function kinds(types: readonly string[]): string {
  const names = types.filter((type) => type !== "null" || types.length === 1);
  return names.map((type) => typeNames.get(type) ?? type).join(" or ");
}

function unknownName(name: string, known: readonly string[]): string {
  const [near] = nearest(name, known, 1);
  if (near !== undefined) return `unknown input; did you mean ${near}?`;
  return known.length === 0
    ? "unknown input; there are none"
    : `unknown input; known are ${list(known)}`;
}

function notOneOf(got: string, value: unknown, allowed: readonly unknown[]): string {
  const texts = allowed.filter((member) => typeof member === "string");
  const [near] = typeof value === "string" ? nearest(value, texts, 1) : [];
  return `${got} is not one of ${list(allowed.map(show))}${near === undefined ? "" : `; did you mean ${show(near)}?`}`;
}

function noneOf(got: string, forms: readonly { type?: unknown }[]): string {
  const types = [...new Set(forms.flatMap((form) => form?.type))];
  if (types.every((type) => typeof type === "string"))
    return `expected ${kinds(types)}, got ${got}`;
  return `${got} fits none of the ${forms.length} allowed forms`;
}

function list(names: readonly string[]): string {
  return names.length > 20
    ? `${names.slice(0, 20).join(", ")} and ${names.length - 20} more`
    : names.join(", ");
}

function fields(value: unknown): string {
  const count = Object.keys(value as object).length;
  return count === 0 ? "no fields" : `${count} field${count === 1 ? "" : "s"}`;
}

function items(value: unknown): string {
  const count = (value as readonly unknown[]).length;
  return `${count} item${count === 1 ? "" : "s"}`;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
