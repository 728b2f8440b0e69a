import { type Code, join, newline, stringLiteral, ts, literal, memberKey } from "../code.js";

/** A type, and what binds its parts. */
export interface Printed {
  readonly text: Code;
  readonly form: "single" | "union" | "intersection";
  /** The types of a union, so that a union of unions is one. */
  readonly members?: readonly Printed[];
}

/** Longest union on one line. */
const LINE = 110;
/** Enumerations with more values are written as the types of the values. */
const MOST_LITERALS = 500;

export const single = (text: Code): Printed => ({ text, form: "single" });
export const unknown = single(ts`unknown`);
export const never = single(ts`never`);
export const nothing = single(ts`null`);

/** A type that may stand before `[]` or beside `&`. */
export function enclosed(type: Printed): Code {
  return type.form === "single" ? type.text : ts`(${type.text})`;
}

/** One of several types: each once, `null` last, `unknown` alone. */
export function union(types: readonly Printed[], indent: number): Printed {
  if (types.length === 1) return types[0]!;
  const flat = types.flatMap((type) => type.members ?? [type]);
  const unique = distinct(flat.filter((type) => type.text !== never.text));
  if (unique.length === 0) return types.length === 0 ? unknown : never;
  if (unique.some((type) => type.text === unknown.text)) return unknown;
  if (unique.length === 1) return unique[0]!;
  const ordered = [
    ...unique.filter((type) => type.text !== nothing.text),
    ...unique.filter((type) => type.text === nothing.text),
  ];
  const texts = ordered.map((type) => (type.form === "intersection" ? enclosed(type) : type.text));
  return { text: onLines(texts, indent), form: "union", members: ordered };
}

function onLines(texts: readonly Code[], indent: number): Code {
  const flat = join(texts, ts` | `);
  if (flat.includes("\n") || flat.length + indent <= LINE) return flat;
  const start = ts`${newline(indent + 2)}| `;
  return ts`${start}${join(texts, start)}`;
}

/** All of several types at once: each once, `unknown` says nothing. */
export function intersection(types: readonly Printed[]): Printed {
  if (types.length === 1) return types[0]!;
  const unique = distinct(types).filter((type) => type.text !== unknown.text);
  if (unique.length === 0) return unknown;
  return unique.length === 1
    ? unique[0]!
    : { text: join(unique.map(enclosed), ts` & `), form: "intersection" };
}

function distinct(types: readonly Printed[]): readonly Printed[] {
  return [...new Map(types.map((type) => [type.text, type])).values()];
}

/** The union of JSON values. */
export function literalUnion(values: readonly unknown[], indent: number): Printed {
  const few = values.length <= MOST_LITERALS;
  return values.length === 0
    ? never
    : union(
        values.map((value) => single(few ? literalType(value) : kindOf(value))),
        indent,
      );
}

function kindOf(value: unknown): Code {
  if (typeof value === "string") return ts`string`;
  if (typeof value === "number") return ts`number`;
  return typeof value === "boolean" ? ts`boolean` : literalType(value);
}

/**
 * The type of one JSON value. Values inside objects and lists count, down to a depth that no
 * enumeration has.
 */
function literalType(value: unknown, depth = 0): Code {
  if (typeof value === "string") return stringLiteral(value);
  if (typeof value !== "object" || value === null) return literal(value);
  if (depth > 8) return ts`unknown`;
  if (Array.isArray(value))
    return ts`[${join(
      value.map((item) => literalType(item, depth + 1)),
      ts`, `,
    )}]`;
  const members = Object.entries(value).map(
    ([name, member]) => ts`${memberKey(name)}: ${literalType(member, depth + 1)}`,
  );
  return members.length === 0 ? ts`{ [key: string]: never }` : ts`{ ${join(members, ts`; `)} }`;
}
