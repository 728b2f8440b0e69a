/** TypeScript types of schemas. */
import { unescapePointerToken } from "../../json-pointer.js";
import { compositionParts } from "../../json-schema.js";
import { isObject, type JsonSchema } from "../../json.js";
import { type Code, docComment, joinCode, memberKey, newline, ts } from "../code/index.js";
import {
  atomicType,
  intersectionType,
  literalUnion,
  neverType,
  nullType,
  parenthesize,
  type TypeExpression,
  unionType,
  unknownType,
} from "./type-expression.js";

/** The names of the module that a type is printed in. */
export interface TypeScope {
  /** Returns the local name of a named type and imports it; undefined when there is none. */
  readonly nameOf: (ref: string) => Code | undefined;
  /** Named types that this one must not contain; see `circularAliases`. */
  readonly circular: ReadonlySet<string>;
}

/** The position of a part of a type. */
export interface PrintContext {
  readonly scope: TypeScope;
  /** Indentation of the lines after the first. */
  readonly indent: number;
  readonly depth: number;
  /** True when the part is the named type itself, not part of an object or array. */
  readonly isTopLevel: boolean;
  /** Schema of the part in the same module. Comments do not repeat its descriptions. */
  readonly listed: unknown;
}

const string = atomicType(ts`string`);
const boolean = atomicType(ts`boolean`);
const number = atomicType(ts`number`);
/** Maximum nesting. Deeper parts are `unknown`. */
const MAX_DEPTH = 24;

/**
 * The TypeScript type of a schema in model form. Keywords without an equivalent (patterns, ranges,
 * `not`, conditions) are omitted; an invalid schema is `unknown`.
 */
export function schemaType(
  schema: unknown,
  scope: TypeScope,
  indent = 0,
  listed: unknown = undefined,
): Code {
  return printType(schema, { scope, indent, depth: 0, isTopLevel: true, listed }).text;
}

function partOf(listed: unknown, ...keys: readonly (string | number)[]): unknown {
  return keys.reduce(
    (part, key) => (isObject(part) || Array.isArray(part) ? (part as JsonSchema)[key] : undefined),
    listed,
  );
}

/** Prints a type. Parts are printed recursively. */
function printType(schema: unknown, at: PrintContext): TypeExpression {
  if (schema === false) return neverType;
  if (!isObject(schema) || at.depth > MAX_DEPTH) return unknownType;
  const ref = referencedTypeName(schema);
  if (ref !== undefined) return namedType(ref, at);
  if ("const" in schema) return literalUnion([schema.const], at.indent);
  if (Array.isArray(schema.enum)) return literalUnion(schema.enum, at.indent);
  return combinedType(schema, at);
}

function namedType(ref: string, at: PrintContext): TypeExpression {
  const name = at.isTopLevel && at.scope.circular.has(ref) ? undefined : at.scope.nameOf(ref);
  return name === undefined ? unknownType : atomicType(name);
}

/** The intersection of `allOf`, `anyOf`, `oneOf` and their siblings. */
function combinedType(schema: JsonSchema, at: PrintContext): TypeExpression {
  if (schema.allOf === undefined && schema.anyOf === undefined && schema.oneOf === undefined)
    return plainType(schema, at, false) ?? unknownType;
  const all = printParts(schema, "allOf", at);
  for (const keyword of ["anyOf", "oneOf"] as const)
    if (Array.isArray(schema[keyword]))
      all.push(unionType(printParts(schema, keyword, at), at.indent));
  const own = plainType(schema, at, all.length > 0);
  return intersectionType([...(own ? [own] : []), ...all]);
}

function printParts(
  parent: JsonSchema,
  keyword: "allOf" | "anyOf" | "oneOf",
  at: PrintContext,
): TypeExpression[] {
  const schemas: unknown = parent[keyword];
  if (!Array.isArray(schemas)) return [];
  return schemas.flatMap((schema, i) => {
    if (at.isTopLevel && at.scope.circular.has(referencedTypeName(schema) ?? "")) return [];
    const listed = partOf(at.listed, keyword, i);
    return [printType(schema, { ...at, depth: at.depth + 1, listed })];
  });
}

/** The type without combinators. Undefined with combinators if it adds nothing. */
function plainType(
  schema: JsonSchema,
  at: PrintContext,
  besideOthers: boolean,
): TypeExpression | undefined {
  if (typeof schema.type === "string" && !besideOthers) return typeForName(schema.type, schema, at);
  const names = typeNames(schema);
  if (names.length === 0) return besideOthers ? undefined : unknownType;
  if (besideOthers && names.includes("object") && !hasMembers(schema)) return undefined;
  return unionType(
    names.map((name) => typeForName(name, schema, at)),
    at.indent,
  );
}

function typeNames(schema: JsonSchema): readonly unknown[] {
  if (schema.type !== undefined) return Array.isArray(schema.type) ? schema.type : [schema.type];
  if (hasMembers(schema)) return ["object"];
  return schema.items !== undefined || schema.prefixItems !== undefined ? ["array"] : [];
}

function typeForName(name: unknown, schema: JsonSchema, at: PrintContext): TypeExpression {
  switch (name) {
    case "string":
      return string;
    case "boolean":
      return boolean;
    case "number":
    case "integer":
      return number;
    case "null":
      return nullType;
    case "array":
      return atomicType(arrayType(schema, at));
    case "object":
      return atomicType(objectType(schema, at));
    default:
      return unknownType;
  }
}

function arrayType(schema: JsonSchema, at: PrintContext): Code {
  const inside: PrintContext = {
    scope: at.scope,
    indent: at.indent,
    depth: at.depth + 1,
    isTopLevel: false,
    listed: partOf(at.listed, "items"),
  };
  const rest = ts`${parenthesize(printType(schema.items ?? true, inside))}[]`;
  const first = Array.isArray(schema.prefixItems)
    ? schema.prefixItems.map((item) => printType(item, inside).text)
    : [];
  if (first.length === 0) return rest;
  return isObject(schema.items)
    ? ts`[${joinCode([...first, ts`...${rest}`], ts`, `)}]`
    : ts`[${joinCode(first, ts`, `)}]`;
}

/** One member of an object type (`name?: string`) and its comment, which may be empty. */
export interface Member {
  readonly doc: Code;
  readonly signature: Code;
}

/** Maximum columns of an object type on one line. */
const LINE = 80;

/** Tests whether a schema has keywords about members of an object. */
function hasMembers(schema: JsonSchema): boolean {
  return (
    isObject(schema.properties) ||
    isObject(schema.additionalProperties) ||
    isObject(schema.patternProperties) ||
    Array.isArray(schema.required)
  );
}

/**
 * An object type in braces, on one line when it is short and has no comments, unless `spread` is
 * set.
 */
function objectType(schema: JsonSchema, at: PrintContext, spread = false): Code {
  const members = membersOf(schema, {
    scope: at.scope,
    indent: at.indent + 2,
    depth: at.depth + 1,
    isTopLevel: false,
    listed: at.listed,
  });
  return (
    (spread ? undefined : singleLineObject(members, LINE - at.indent)) ??
    memberBlock(members, at.indent)
  );
}

function singleLineObject(members: readonly Member[], room: number): Code | undefined {
  let length = 2;
  for (const { doc, signature } of members) {
    length += signature.length + 2;
    if (doc !== "" || length > room || signature.includes("\n")) return undefined;
  }
  return ts`{ ${joinCode(
    members.map(({ signature }) => signature),
    ts`; `,
  )} }`;
}

/** Members in braces, each on its own line. */
export function memberBlock(members: readonly Member[], indent: number): Code {
  if (members.length === 0) return ts`{}`;
  const line = newline(indent + 2);
  let text = ts`{`;
  for (const { doc, signature } of members)
    text =
      doc === "" ? ts`${text}${line}${signature};` : ts`${text}${line}${doc}${line}${signature};`;
  return ts`${text}${newline(indent)}}`;
}

/** A member of an object type. */
export function typeMember(
  name: string,
  schema: unknown,
  required: boolean,
  doc: Code,
  at: PrintContext,
): Member {
  const type = printType(schema, at).text;
  const key = memberKey(name);
  return { doc, signature: required ? ts`${key}: ${type}` : ts`${key}?: ${type}` };
}

function membersOf(schema: JsonSchema, at: PrintContext): readonly Member[] {
  const members: Member[] = [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set<unknown>(Array.isArray(schema.required) ? schema.required : []);
  for (const name of Object.keys(properties)) {
    const listed = partOf(at.listed, "properties", name);
    const doc = memberDoc(properties[name], listed, at.indent);
    members.push(typeMember(name, properties[name], required.delete(name), doc, { ...at, listed }));
  }
  for (const name of required)
    if (typeof name === "string") members.push(typeMember(name, true, true, ts``, at));
  const rest = indexSignature(schema, members.length > 0, at);
  if (rest) members.push(rest);
  return members;
}

function memberDoc(schema: unknown, listed: unknown, indent: number): Code {
  return isObject(schema)
    ? docComment(unlistedText(schema.description, listed), indent, schema.deprecated === true)
    : ts``;
}

/** A description for a comment: empty if the schema in the same module has it. */
export function unlistedText(description: unknown, listed: unknown): string {
  const isRepeated = isObject(listed) && listed.description === description;
  return typeof description === "string" && !isRepeated ? description : "";
}

/**
 * The index signature. Beside named members its type is `unknown`, because TypeScript requires
 * every member to match it.
 */
function indexSignature(
  schema: JsonSchema,
  hasNamed: boolean,
  at: PrintContext,
): Member | undefined {
  const { additionalProperties: rest, patternProperties: patterns } = schema;
  if (rest === undefined && hasNamed && !isObject(patterns)) return undefined;
  if (rest === false && !isObject(patterns)) return hasNamed ? undefined : indexMember(ts`never`);
  const typed = isObject(rest) && !isObject(patterns) && !hasNamed;
  return indexMember(typed ? printType(rest, at).text : ts`unknown`);
}

function indexMember(type: Code): Member {
  return { doc: ts``, signature: ts`[key: string]: ${type}` };
}

/**
 * `export interface X {…}` for an object, else `export type X = …;`, without a comment.
 * @param listed its schema in the same module, whose descriptions no comment repeats
 */
export function typeDeclaration(
  name: Code,
  schema: JsonSchema,
  scope: TypeScope,
  listed: unknown = undefined,
): Code {
  if (!isInterface(schema))
    return ts`export type ${name} = ${schemaType(schema, scope, 0, listed)};`;
  const at: PrintContext = { scope, indent: 0, depth: 1, isTopLevel: false, listed };
  return ts`export interface ${name} ${objectType(schema, at, true)}`;
}

function isInterface(schema: JsonSchema): boolean {
  const combines = [schema.allOf, schema.anyOf, schema.oneOf, schema.enum].some(Array.isArray);
  return (
    schema.type === "object" &&
    !combines &&
    !("const" in schema) &&
    referencedTypeName(schema) === undefined
  );
}

/** The key of the named type that a `$ref` in model form refers to. */
function referencedTypeName(schema: unknown): string | undefined {
  if (!isObject(schema) || typeof schema.$ref !== "string" || !schema.$ref.startsWith("#/$defs/"))
    return undefined;
  return unescapePointerToken(schema.$ref.slice("#/$defs/".length));
}

const MAX_ALIAS_DEPTH = 50;

/** Named types that a schema equals, through `$ref` and combinators only. */
function aliasTargets(schema: unknown, depth = 0): readonly string[] {
  const ref = referencedTypeName(schema);
  if (ref !== undefined) return [ref];
  if (!isObject(schema) || depth > MAX_ALIAS_DEPTH) return [];
  return compositionParts(schema).flatMap((part) => aliasTargets(part, depth + 1));
}

/**
 * For each named type, the types that it reaches without an object or array in between and that
 * reach it back. TypeScript rejects such aliases (`type A = A | string`, TS2456), so a type must
 * omit them from its own unions.
 */
export function circularAliases(
  types: readonly { readonly name: string; readonly schema: JsonSchema }[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const edges = new Map(types.map(({ name, schema }) => [name, aliasTargets(schema)] as const));
  const circular = new Map<string, ReadonlySet<string>>();
  for (const [name, targets] of edges) {
    const back = targets.filter((target) => isReachable(target, name, edges));
    if (back.length > 0) circular.set(name, new Set(back));
  }
  return circular;
}

function isReachable(
  from: string,
  to: string,
  edges: ReadonlyMap<string, readonly string[]>,
): boolean {
  const seen = new Set([from]);
  for (const name of seen) {
    if (name === to) return true;
    for (const next of edges.get(name) ?? []) seen.add(next);
  }
  return false;
}
