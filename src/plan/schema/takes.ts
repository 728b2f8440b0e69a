import type { JsonSchema } from "../../json.js";
import { resolve, type Schemas } from "./refs.js";

const names: Readonly<Record<string, string>> = {
  string: "text",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};
const mostValues = 8;

/**
 * What a schema takes, in a few words, for those who gave it something else: `text`, `a list of one
 * of "a", "b"`, `an integer from 1 to 100`.
 */
export function takes(schema: unknown, schemas: Schemas, depth = 0): string {
  if (typeof schema !== "object" || schema === null || depth > 4) return "something else";
  const s = resolve(schemas, schema as JsonSchema);
  if (Array.isArray(s.enum))
    return `one of ${s.enum
      .slice(0, mostValues)
      .map((one) => JSON.stringify(one))
      .join(", ")}${s.enum.length > mostValues ? " …" : ""}`;
  if ("const" in s) return JSON.stringify(s.const);
  const forms = s.anyOf ?? s.oneOf;
  if (forms) return [...new Set(forms.map((one) => takes(one, schemas, depth + 1)))].join(" or ");
  const types = [s.type ?? []].flat().map((type) => names[type] ?? type);
  if (s.type === "array" && s.items !== undefined)
    return `a list of ${takes(s.items, schemas, depth + 1)}`;
  return types.length === 0 ? "something else" : `${types.join(" or ")}${range(s)}`;
}

function range({ minimum, maximum, minLength, maxLength }: JsonSchema): string {
  const [least, most, unit] = [
    minimum ?? minLength,
    maximum ?? maxLength,
    minimum === undefined && maximum === undefined ? " characters" : "",
  ];
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}${unit}`;
  if (least !== undefined) return ` from ${least}${unit}`;
  return most === undefined ? "" : ` up to ${most}${unit}`;
}
