import { isObject, type JsonSchema } from "../../json.js";
import { type Code, docComment, join, memberKey, newline, ts } from "../code.js";
import { type Position, print } from "./print.js";

/** One member of an object type: `name?: string`, and what explains it (empty: nothing). */
export interface Member {
  readonly doc: Code;
  readonly signature: Code;
}

/** Longest object type on one line. */
const LINE = 80;

/** True when a schema says something about the members of an object. */
export function hasMembers(schema: JsonSchema): boolean {
  return (
    isObject(schema.properties) ||
    isObject(schema.additionalProperties) ||
    isObject(schema.patternProperties) ||
    Array.isArray(schema.required)
  );
}

/**
 * An object type with its braces: on one line while it is short and has nothing to explain, unless
 * it is `spread`.
 */
export function membersText(schema: JsonSchema, at: Position, spread = false): Code {
  const members = membersOf(schema, {
    scope: at.scope,
    indent: at.indent + 2,
    depth: at.depth + 1,
    bare: false,
  });
  return (spread ? undefined : onOneLine(members, LINE - at.indent)) ?? block(members, at.indent);
}

function onOneLine(members: readonly Member[], room: number): Code | undefined {
  let length = 2;
  for (const { doc, signature } of members) {
    length += signature.length + 2;
    if (doc !== "" || length > room || signature.includes("\n")) return undefined;
  }
  return ts`{ ${join(
    members.map(({ signature }) => signature),
    ts`; `,
  )} }`;
}

/** Members in braces, each on lines of its own. */
export function block(members: readonly Member[], indent: number): Code {
  if (members.length === 0) return ts`{}`;
  const line = newline(indent + 2);
  let text = ts`{`;
  for (const { doc, signature } of members)
    text =
      doc === "" ? ts`${text}${line}${signature};` : ts`${text}${line}${doc}${line}${signature};`;
  return ts`${text}${newline(indent)}}`;
}

/** A member named `name`, at the indentation of `at`. */
export function member(
  name: string,
  schema: unknown,
  required: boolean,
  doc: Code,
  at: Position,
): Member {
  const type = print(schema, at).text;
  const key = memberKey(name);
  return { doc, signature: required ? ts`${key}: ${type}` : ts`${key}?: ${type}` };
}

function membersOf(schema: JsonSchema, at: Position): readonly Member[] {
  const members: Member[] = [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set<unknown>(Array.isArray(schema.required) ? schema.required : []);
  for (const name of Object.keys(properties)) {
    members.push(
      member(name, properties[name], required.delete(name), docOf(properties[name], at.indent), at),
    );
  }
  for (const name of required)
    if (typeof name === "string") members.push(member(name, true, true, ts``, at));
  const rest = others(schema, members.length > 0, at);
  if (rest) members.push(rest);
  return members;
}

function docOf(schema: unknown, indent: number): Code {
  if (!isObject(schema)) return ts``;
  return docComment(
    typeof schema.description === "string" ? schema.description : "",
    indent,
    schema.deprecated === true,
  );
}

/**
 * The index signature. Beside named members it is `unknown`, because TypeScript wants every member
 * to fit it; an object without named members that may have any is one of `unknown`, too.
 */
function others(schema: JsonSchema, hasNamed: boolean, at: Position): Member | undefined {
  const { additionalProperties: rest, patternProperties: patterns } = schema;
  if (rest === undefined && hasNamed && !isObject(patterns)) return undefined;
  if (rest === false && !isObject(patterns)) return hasNamed ? undefined : index(ts`never`);
  const typed = isObject(rest) && !isObject(patterns) && !hasNamed;
  return index(typed ? print(rest, at).text : ts`unknown`);
}

function index(type: Code): Member {
  return { doc: ts``, signature: ts`[key: string]: ${type}` };
}
