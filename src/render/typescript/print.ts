import { isObject, type JsonSchema } from "../../json.js";
import { type Code, join, ts } from "../code.js";
import { refName } from "./cycles.js";
import { hasMembers, membersText } from "./members.js";
import {
  enclosed,
  intersection,
  literalUnion,
  never,
  nothing,
  type Printed,
  single,
  union,
  unknown,
} from "./printed.js";

/** What the printer needs to know about the module that a type stands in. */
export interface TypeScope {
  /** The local name of a named type; nothing when there is none. Asking imports it. */
  readonly nameOf: (ref: string) => Code | undefined;
  /** Named types that must not be part of this one; see `circularAliases`. */
  readonly circular: ReadonlySet<string>;
}

/** Where a part of a type stands. */
export interface Position {
  readonly scope: TypeScope;
  /** Columns that its lines after the first are indented by. */
  readonly indent: number;
  readonly depth: number;
  /** It is the named type itself, not something that an object or array holds. */
  readonly bare: boolean;
}

const string = single(ts`string`);
const boolean = single(ts`boolean`);
const number = single(ts`number`);
/** Deeper parts of a type are `unknown`. */
const DEEPEST = 24;

/**
 * The TypeScript type of a schema in model form. Total: what TypeScript cannot say (patterns,
 * ranges, `not`, conditions) is left out, and what is no schema is `unknown`.
 */
export function typeText(schema: unknown, scope: TypeScope, indent = 0): Code {
  return print(schema, { scope, indent, depth: 0, bare: true }).text;
}

/** One type; parts of it are printed by the same function. */
export function print(schema: unknown, at: Position): Printed {
  if (schema === false) return never;
  if (!isObject(schema) || at.depth > DEEPEST) return unknown;
  const ref = refName(schema);
  if (ref !== undefined) return named(ref, at);
  if ("const" in schema) return literalUnion([schema.const], at.indent);
  if (Array.isArray(schema.enum)) return literalUnion(schema.enum, at.indent);
  return combined(schema, at);
}

function named(ref: string, at: Position): Printed {
  const name = at.bare && at.scope.circular.has(ref) ? undefined : at.scope.nameOf(ref);
  return name === undefined ? unknown : single(name);
}

/** `allOf`, `anyOf` and `oneOf` together with what stands beside them. */
function combined(schema: JsonSchema, at: Position): Printed {
  if (schema.allOf === undefined && schema.anyOf === undefined && schema.oneOf === undefined)
    return plain(schema, at, false) ?? unknown;
  const all = parts(schema.allOf, at);
  for (const choice of [schema.anyOf, schema.oneOf])
    if (Array.isArray(choice)) all.push(union(parts(choice, at), at.indent));
  const own = plain(schema, at, all.length > 0);
  return intersection([...(own ? [own] : []), ...all]);
}

function parts(schemas: unknown, at: Position): Printed[] {
  if (!Array.isArray(schemas)) return [];
  const usable = at.bare
    ? schemas.filter((schema) => !at.scope.circular.has(refName(schema) ?? ""))
    : schemas;
  return usable.map((schema) => print(schema, { ...at, depth: at.depth + 1 }));
}

/** The type without combinators. Beside combinators, a mere `type: object` says nothing more. */
function plain(schema: JsonSchema, at: Position, besideOthers: boolean): Printed | undefined {
  if (typeof schema.type === "string" && !besideOthers) return ofType(schema.type, schema, at);
  const names = typeNames(schema);
  if (names.length === 0) return besideOthers ? undefined : unknown;
  if (besideOthers && names.includes("object") && !hasMembers(schema)) return undefined;
  return union(
    names.map((name) => ofType(name, schema, at)),
    at.indent,
  );
}

function typeNames(schema: JsonSchema): readonly unknown[] {
  if (schema.type !== undefined) return Array.isArray(schema.type) ? schema.type : [schema.type];
  if (hasMembers(schema)) return ["object"];
  return schema.items !== undefined || schema.prefixItems !== undefined ? ["array"] : [];
}

function ofType(name: unknown, schema: JsonSchema, at: Position): Printed {
  switch (name) {
    case "string":
      return string;
    case "boolean":
      return boolean;
    case "number":
    case "integer":
      return number;
    case "null":
      return nothing;
    case "array":
      return single(arrayText(schema, at));
    case "object":
      return single(membersText(schema, at));
    default:
      return unknown;
  }
}

function arrayText(schema: JsonSchema, at: Position): Code {
  const inside: Position = { scope: at.scope, indent: at.indent, depth: at.depth + 1, bare: false };
  const rest = ts`${enclosed(print(schema.items ?? true, inside))}[]`;
  const first = Array.isArray(schema.prefixItems)
    ? schema.prefixItems.map((item) => print(item, inside).text)
    : [];
  if (first.length === 0) return rest;
  return isObject(schema.items)
    ? ts`[${join([...first, ts`...${rest}`], ts`, `)}]`
    : ts`[${join(first, ts`, `)}]`;
}
