import type { JsonSchema } from "../../json.js";
import { code, list, shown } from "../words.js";
import type { Comparison, Direction, SchemaChange } from "./changes.js";
import { equalJson, isSilent } from "./side.js";

type Parts = readonly JsonSchema[];

/** Keywords that are compared part by part elsewhere. */
const elsewhere = new Set([
  "properties",
  "required",
  "additionalProperties",
  "items",
  "prefixItems",
  "$ref",
  "allOf",
]);
/** Keywords that mean nothing without each other. */
const groups: readonly (readonly string[])[] = [
  ["enum", "const"],
  ["anyOf", "oneOf"],
  ["if", "then", "else"],
  ["contains", "minContains", "maxContains"],
];

/**
 * Changes of what is valid at one place: types, values, ranges, and whatever else a schema demands
 * there.
 */
export function constraintChanges(
  comparison: Comparison,
  before: Parts,
  after: Parts,
  path: string,
): readonly SchemaChange[] {
  return keywordsOf(before, after).flatMap((group): SchemaChange[] => {
    const [was, now] = [demands(before, group), demands(after, group)];
    if (equalJson(was, now)) return [];
    const change = comparison.classifyDemands([before, was], [after, now]);
    const message = `${sentence(comparison.subject(path), group, was, now, comparison.direction)}.`;
    return [
      {
        class: change,
        kind: change === "wording" ? "text" : "values",
        path,
        message,
        ...ends(group, was, now),
      },
    ];
  });
}

function keywordsOf(before: Parts, after: Parts): readonly (readonly string[])[] {
  const keywords = new Set(
    [...before, ...after]
      .flatMap((part) => Object.keys(part))
      .filter((keyword) => !isSilent(keyword) && !elsewhere.has(keyword)),
  );
  return [
    ...new Set(
      [...keywords].map((keyword) => groups.find((group) => group.includes(keyword)) ?? [keyword]),
    ),
  ].map((group) => (Array.isArray(group) ? group : [group]));
}

/** What each part demands with the keywords of a group. */
function demands(parts: Parts, group: readonly string[]): readonly JsonSchema[] {
  return parts.map((part) => picked(part, group)).filter((part) => Object.keys(part).length > 0);
}

function picked(part: JsonSchema, group: readonly string[]): JsonSchema {
  return Object.fromEntries(
    group
      .filter((keyword) => Object.hasOwn(part, keyword))
      .map((keyword) => [keyword, part[keyword]]),
  );
}

function sentence(
  subject: string,
  group: readonly string[],
  was: Parts,
  now: Parts,
  direction: Direction,
): string {
  if (group.includes("enum"))
    return `${subject} ${aboutValues(valuesIn(was), valuesIn(now), direction)}`;
  if (group.length > 1)
    return `${subject} has other ${group.includes("anyOf") ? "alternatives" : "conditions"} now`;
  const [keyword] = group as readonly [string];
  const of = (parts: Parts): string =>
    keyword === "type" ? typeIn(parts) : parts.map((part) => shown(part[keyword])).join(" and ");
  const what = `The ${Object.hasOwn(words, keyword) ? words[keyword]! : code(keyword)} of ${subject.charAt(0).toLowerCase()}${subject.slice(1)}`;
  if (now.length === 0) return `${what} is gone; it was ${of(was)}`;
  return `${what} is ${of(now)} now; ${was.length === 0 ? "there was none" : `it was ${of(was)}`}`;
}

const words: Readonly<Record<string, string>> = {
  type: "type",
  minimum: "minimum",
  maximum: "maximum",
  exclusiveMinimum: "lower bound",
  exclusiveMaximum: "upper bound",
  multipleOf: "step",
  minLength: "shortest length",
  maxLength: "greatest length",
  minItems: "smallest number of items",
  maxItems: "greatest number of items",
  pattern: "pattern",
  format: "format",
};

/** The values that are allowed; undefined where all are. */
function valuesIn(parts: Parts): readonly unknown[] | undefined {
  const lists = parts.map((part) =>
    part.const !== undefined
      ? [part.const]
      : Array.isArray(part.enum)
        ? (part.enum as readonly unknown[])
        : [],
  );
  return lists.length === 0
    ? undefined
    : lists.reduce((all, some) => all.filter((one) => some.some((other) => equalJson(one, other))));
}

function aboutValues(
  was: readonly unknown[] | undefined,
  now: readonly unknown[] | undefined,
  direction: Direction,
): string {
  const input = direction === "input";
  if (was === undefined) return `${input ? "takes" : "is"} nothing but ${list(now ?? [])} now`;
  if (now === undefined) return `${input ? "takes" : "may be"} other values than ${list(was)}, too`;
  const lost = was.filter((one) => !now.some((other) => equalJson(one, other)));
  const gained = now.filter((one) => !was.some((other) => equalJson(one, other)));
  const less =
    lost.length > 0 ? [`${input ? "does not take" : "is never"} ${list(lost)} any more`] : [];
  const more = gained.length > 0 ? [`${input ? "takes" : "may be"} ${list(gained)}, too`] : [];
  return [...less, ...more].join(", and ") || "lists its values in another way";
}

function typeIn(parts: Parts): string {
  const types = parts.map((part) =>
    Array.isArray(part.type) ? (part.type as readonly unknown[]) : [part.type],
  );
  return types.map((names) => names.map((name) => code(String(name))).join(" or ")).join(" and ");
}

function ends(group: readonly string[], was: Parts, now: Parts): Pick<SchemaChange, "was" | "now"> {
  const of = (parts: Parts): unknown =>
    parts.length === 1 && group.length === 1
      ? parts[0]![group[0]!]
      : parts.length === 1
        ? parts[0]
        : parts;
  return { ...(was.length > 0 && { was: of(was) }), ...(now.length > 0 && { now: of(now) }) };
}
