/** Unions, intersections and literal types of TypeScript. */
import {
  type Code,
  joinCode,
  newline,
  stringLiteral,
  ts,
  literal,
  memberKey,
} from "../code/index.js";

/** The text of a type, and its outermost operator. */
export interface TypeExpression {
  readonly text: Code;
  readonly form: "single" | "union" | "intersection";
  /** The members of a union, for flattening nested unions. */
  readonly members?: readonly TypeExpression[];
}

/** Maximum columns of a union on one line. */
const LINE = 100;
/** Maximum values of a literal union. Larger enumerations become the types of their values. */
const MAX_LITERALS = 500;

/** A type that needs no parentheses. */
export const atomicType = (text: Code): TypeExpression => ({ text, form: "single" });
export const unknownType = atomicType(ts`unknown`);
export const neverType = atomicType(ts`never`);
export const nullType = atomicType(ts`null`);

/** Adds parentheses to a type before `[]` or next to `&`. */
export function parenthesize(type: TypeExpression): Code {
  return type.form === "single" ? type.text : ts`(${type.text})`;
}

/** A union without duplicates, with `null` last. `unknown` absorbs all other members. */
export function unionType(types: readonly TypeExpression[], indent: number): TypeExpression {
  if (types.length === 1) return types[0]!;
  const flat = types.flatMap((type) => type.members ?? [type]);
  const unique = distinctTypes(flat.filter((type) => type.text !== neverType.text));
  if (unique.length === 0) return types.length === 0 ? unknownType : neverType;
  if (unique.some((type) => type.text === unknownType.text)) return unknownType;
  if (unique.length === 1) return unique[0]!;
  const ordered = [
    ...unique.filter((type) => type.text !== nullType.text),
    ...unique.filter((type) => type.text === nullType.text),
  ];
  const texts = ordered.map((type) =>
    type.form === "intersection" ? parenthesize(type) : type.text,
  );
  return { text: joinUnion(texts, indent), form: "union", members: ordered };
}

function joinUnion(texts: readonly Code[], indent: number): Code {
  const flat = joinCode(texts, ts` | `);
  if (flat.includes("\n") || flat.length + indent <= LINE) return flat;
  const start = ts`${newline(indent + 2)}| `;
  return ts`${start}${joinCode(texts, start)}`;
}

/** An intersection without duplicates and without `unknown`. */
export function intersectionType(types: readonly TypeExpression[]): TypeExpression {
  if (types.length === 1) return types[0]!;
  const unique = distinctTypes(types).filter((type) => type.text !== unknownType.text);
  if (unique.length === 0) return unknownType;
  return unique.length === 1
    ? unique[0]!
    : { text: joinCode(unique.map(parenthesize), ts` & `), form: "intersection" };
}

function distinctTypes(types: readonly TypeExpression[]): readonly TypeExpression[] {
  return [...new Map(types.map((type) => [type.text, type])).values()];
}

/** The union of JSON values. */
export function literalUnion(values: readonly unknown[], indent: number): TypeExpression {
  const few = values.length <= MAX_LITERALS;
  return values.length === 0
    ? neverType
    : unionType(
        values.map((value) => atomicType(few ? literalType(value) : widenedType(value))),
        indent,
      );
}

function widenedType(value: unknown): Code {
  if (typeof value === "string") return ts`string`;
  if (typeof value === "number") return ts`number`;
  return typeof value === "boolean" ? ts`boolean` : literalType(value);
}

/** The literal type of a JSON value, to a limited depth. */
function literalType(value: unknown, depth = 0): Code {
  if (typeof value === "string") return stringLiteral(value);
  if (typeof value !== "object" || value === null) return literal(value);
  if (depth > 8) return ts`unknown`;
  if (Array.isArray(value))
    return ts`[${joinCode(
      value.map((item) => literalType(item, depth + 1)),
      ts`, `,
    )}]`;
  const members = Object.entries(value).map(
    ([name, member]) => ts`${memberKey(name)}: ${literalType(member, depth + 1)}`,
  );
  return members.length === 0 ? ts`{ [key: string]: never }` : ts`{ ${joinCode(members, ts`; `)} }`;
}
