import { type JsonSchema, omitUndefined } from "../../json.js";
import { inlineChange, inlineCode, inlineJson, inlineJsonList } from "../inline-code.js";
import type { ChangeClass } from "../types.js";
import type { SchemaChange, SchemaDirection } from "./types.js";
import { equalJson, isAnnotation } from "./schema-version.js";

type Parts = readonly JsonSchema[];

/** Keywords that other functions compare. */
const comparedElsewhere = new Set(
  "properties required additionalProperties items prefixItems $ref allOf".split(" "),
);
/** Keywords that are only meaningful together. */
const keywordGroups: readonly (readonly string[])[] = [
  ["enum", "const"],
  ["anyOf", "oneOf"],
  ["if", "then", "else"],
  ["contains", "minContains", "maxContains"],
];

/** Classifies a change of some keywords at one location. */
interface ConstraintClassifier {
  readonly direction: SchemaDirection;
  subjectOf(path: string): string;
  classifyConstraints(before: readonly [Parts, Parts], after: readonly [Parts, Parts]): ChangeClass;
}

/** Compares types, values, ranges and all other constraints at one location. */
export function constraintChanges(
  comparison: ConstraintClassifier,
  before: Parts,
  after: Parts,
  path: string,
): readonly SchemaChange[] {
  return keywordsOf(before, after).flatMap((group): SchemaChange[] => {
    const [was, now] = [constraintsIn(before, group), constraintsIn(after, group)];
    if (equalJson(was, now)) return [];
    const change = comparison.classifyConstraints([before, was], [after, now]);
    const message = `${constraintMessage(comparison.subjectOf(path), group, was, now, comparison.direction)}.`;
    return [
      {
        class: change,
        kind: change === "cosmetic" ? "text" : "values",
        path,
        message,
        ...oldAndNewValue(group, was, now),
      },
    ];
  });
}

function keywordsOf(before: Parts, after: Parts): readonly (readonly string[])[] {
  const keywords = new Set(
    [...before, ...after]
      .flatMap((part) => Object.keys(part))
      .filter((keyword) => !isAnnotation(keyword) && !comparedElsewhere.has(keyword)),
  );
  return [
    ...new Set(
      [...keywords].map(
        (keyword) => keywordGroups.find((group) => group.includes(keyword)) ?? [keyword],
      ),
    ),
  ].map((group) => (Array.isArray(group) ? group : [group]));
}

function constraintsIn(parts: Parts, group: readonly string[]): readonly JsonSchema[] {
  return parts
    .map((part) => pickKeywords(part, group))
    .filter((part) => Object.keys(part).length > 0);
}

function pickKeywords(part: JsonSchema, group: readonly string[]): JsonSchema {
  return Object.fromEntries(
    group
      .filter((keyword) => Object.hasOwn(part, keyword))
      .map((keyword) => [keyword, part[keyword]]),
  );
}

function constraintMessage(
  subject: string,
  group: readonly string[],
  was: Parts,
  now: Parts,
  direction: SchemaDirection,
): string {
  if (group.includes("enum"))
    return `${subject} ${valuesMessage(listedValues(was), listedValues(now), direction)}`;
  if (group.length > 1)
    return `${subject} has different ${group.includes("anyOf") ? "alternatives" : "conditions"}`;
  const [keyword] = group as readonly [string];
  const format = (parts: Parts): string =>
    keyword === "type"
      ? typesMessage(parts)
      : parts.map((part) => inlineJson(part[keyword])).join(" and ");
  const name = Object.hasOwn(keywordNames, keyword) ? keywordNames[keyword]! : inlineCode(keyword);
  const constraint = `The ${name} of ${subject.charAt(0).toLowerCase()}${subject.slice(1)}`;
  if (now.length === 0) return `${constraint} was removed; it was ${format(was)}`;
  if (was.length === 0) return `${constraint} is now ${format(now)}; there was none before`;
  return `${constraint} changed from ${format(was)} to ${format(now)}`;
}

const keywordNames: Readonly<Record<string, string>> = {
  type: "type",
  minimum: "minimum",
  maximum: "maximum",
  exclusiveMinimum: "lower bound",
  exclusiveMaximum: "upper bound",
  multipleOf: "step",
  minLength: "minimum length",
  maxLength: "maximum length",
  minItems: "minimum number of items",
  maxItems: "maximum number of items",
  pattern: "pattern",
  format: "format",
};

/** The allowed values. Undefined when all values are allowed. */
function listedValues(parts: Parts): readonly unknown[] | undefined {
  const lists = parts.map((part): readonly unknown[] => {
    if (part.const !== undefined) return [part.const];
    return Array.isArray(part.enum) ? part.enum : [];
  });
  return lists.length === 0
    ? undefined
    : lists.reduce((all, some) =>
        all.filter((value) => some.some((other) => equalJson(value, other))),
      );
}

function valuesMessage(
  was: readonly unknown[] | undefined,
  now: readonly unknown[] | undefined,
  direction: SchemaDirection,
): string {
  const isInput = direction === "input";
  if (was === undefined)
    return `${isInput ? "now only accepts" : "is now always one of"} ${inlineJsonList(now ?? [])}`;
  if (now === undefined)
    return `${isInput ? "now also accepts" : "may now have"} other values than ${inlineJsonList(was)}`;
  const removed = was.filter((value) => !now.some((other) => equalJson(value, other)));
  const added = now.filter((value) => !was.some((other) => equalJson(value, other)));
  const parts: string[] = [];
  if (removed.length > 0)
    parts.push(`${isInput ? "no longer accepts" : "is never again"} ${inlineJsonList(removed)}`);
  if (added.length > 0)
    parts.push(`${isInput ? "now also accepts" : "may now also be"} ${inlineJsonList(added)}`);
  return parts.join(", and ") || "lists its values differently";
}

function typesMessage(parts: Parts): string {
  const types = parts.map((part) =>
    Array.isArray(part.type) ? (part.type as readonly unknown[]) : [part.type],
  );
  return types
    .map((names) => names.map((name) => inlineCode(String(name))).join(" or "))
    .join(" and ");
}

function oldAndNewValue(
  group: readonly string[],
  was: Parts,
  now: Parts,
): Pick<SchemaChange, "was" | "now"> {
  const valueOf = (parts: Parts): unknown => {
    if (parts.length !== 1) return parts;
    return group.length === 1 ? parts[0]![group[0]!] : parts[0];
  };
  return {
    ...(was.length > 0 && { was: valueOf(was) }),
    ...(now.length > 0 && { now: valueOf(now) }),
  };
}

/** Keywords without effect on validity. */
const annotationKeywords =
  "title description examples deprecated readOnly writeOnly $comment".split(" ");

/** Compares the annotations at one location. */
export function textChanges(
  before: readonly JsonSchema[],
  after: readonly JsonSchema[],
  path: string,
): readonly SchemaChange[] {
  return annotationKeywords.flatMap((keyword): SchemaChange[] => {
    const [was, now] = [firstValue(before, keyword), firstValue(after, keyword)];
    if (equalJson(was, now)) return [];
    const suffix = path === "" ? "" : ` of ${inlineCode(path)}`;
    const subject = `The ${annotationNames[keyword] ?? keyword}${suffix}`;
    return [
      omitUndefined({
        class: "cosmetic",
        kind: "text",
        path,
        message: annotationMessage(subject, was, now),
        was,
        now,
      }),
    ];
  });
}

function annotationMessage(subject: string, was: unknown, now: unknown): string {
  if (was === undefined) return `${subject} was added: ${formatAnnotation(now)}.`;
  if (now === undefined) return `${subject} was removed; it was ${formatAnnotation(was)}.`;
  if (typeof was === "string" && typeof now === "string")
    return `${subject} changed ${inlineChange(was, now)}.`;
  return `${subject} changed from ${formatAnnotation(was)} to ${formatAnnotation(now)}.`;
}

const formatAnnotation = (value: unknown): string =>
  typeof value === "string" ? inlineCode(value) : inlineJson(value);

const annotationNames: Readonly<Record<string, string>> = {
  examples: "example",
  deprecated: "deprecation",
  $comment: "comment",
};

/** The value of the schema itself overrides that of a referenced schema. */
function firstValue(parts: readonly JsonSchema[], keyword: string): unknown {
  return parts.find((part) => part[keyword] !== undefined)?.[keyword];
}
