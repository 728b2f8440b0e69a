import { isObject, type JsonSchema } from "../../json.js";
import { resolve, type Schemas } from "../schema/refs.js";
import { flatten } from "./markdown.js";

const MOST = 200;

/** Writes `0 = role, 1 = member.` where a document names its codes one by one; undefined for everything else. Each schema is read once. */
export function codesWriter(schemas: Schemas): (schema: JsonSchema) => string | undefined {
  const known = new Map<JsonSchema, string | undefined>();
  return (schema) => {
    if (known.has(schema)) return known.get(schema);
    const text = written(meanings(schema, schemas, 0));
    known.set(schema, text);
    return text;
  };
}

interface Meaning {
  readonly code: string | number;
  readonly label: string;
}

/** Alternatives that are one code each, also behind `null` beside them, a list of them, or a name. */
function meanings(schema: JsonSchema, schemas: Schemas, depth: number): readonly Meaning[] {
  if (depth > 3) return [];
  const target = resolve(schemas, schema);
  if (isObject(target.items)) return meanings(target.items, schemas, depth + 1);
  const parts = (target.oneOf ?? target.anyOf ?? []).filter((part): part is JsonSchema => isObject(part));
  return parts.flatMap((part) => {
    const code = "const" in part ? part.const : Array.isArray(part.enum) && part.enum.length === 1 ? part.enum[0] : undefined;
    if (code === undefined) return part.type === "null" ? [] : meanings(part, schemas, depth + 1);
    const label = labelOf(part);
    return label !== "" && isCode(code) ? [{ code, label }] : [];
  });
}

/** A number or a letter or two needs a word beside it; a word does not. */
const isCode = (value: unknown): value is string | number => typeof value === "number" || (typeof value === "string" && /^\w{1,2}$/.test(value));

function labelOf({ title, description }: JsonSchema): string {
  const text = flatten(typeof title === "string" && title !== "" ? title : (description ?? ""));
  return text.length <= 60 ? text.replace(/[.;]+$/, "") : "";
}

function written(found: readonly Meaning[]): string | undefined {
  if (found.length < 2) return undefined;
  let text = "";
  for (const [i, { code, label }] of found.entries()) {
    const next = `${text === "" ? "" : `${text}, `}${code} = ${label}`;
    if (next.length > MOST) return `${text} and ${found.length - i} more.`;
    text = next;
  }
  return `${text}.`;
}
