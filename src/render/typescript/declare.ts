import type { JsonSchema } from "../../json.js";
import { type Code, ts } from "../code.js";
import { refName } from "./cycles.js";
import { membersText } from "./members.js";
import { typeText, type TypeScope } from "./print.js";

/** `export interface X {…}` for an object, else `export type X = …;`. Without documentation. */
export function declaration(name: Code, schema: JsonSchema, scope: TypeScope): Code {
  if (!isInterface(schema)) return ts`export type ${name} = ${typeText(schema, scope)};`;
  return ts`export interface ${name} ${membersText(schema, { scope, indent: 0, depth: 1, bare: false }, true)}`;
}

function isInterface(schema: JsonSchema): boolean {
  const combines = [schema.allOf, schema.anyOf, schema.oneOf, schema.enum].some(Array.isArray);
  return (
    schema.type === "object" && !combines && !("const" in schema) && refName(schema) === undefined
  );
}
