/** Bodies of one field that is an object with all the others: `{user: {name, email}}`. */
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { singularize } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import type { Content, Operation } from "../../model/types.js";
import { type FlatObject, flattenObject, isConstant } from "../schemas/flat-object.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";

/** The fields of a body, and the names of the objects around them, from the outside. */
export interface BodyFields extends FlatObject {
  readonly envelope?: readonly string[];
  /** The outermost object is required. */
  readonly isEnvelopeRequired?: boolean;
}

/** Maximum number of objects around the fields. */
const MAX_ENVELOPES = 4;

/** Names of envelopes that say nothing about what is inside. */
const GENERIC_NAMES = /^(?:attributes|body|content|data|input|params|payload)$|request$/i;

/**
 * The fields inside the envelope of a JSON body. Other fields that are objects remain inputs,
 * because their names say what their own fields are about: `{owner: {id}}`.
 */
export function withoutEnvelope(
  body: FlatObject,
  { mediaType }: Content,
  { path }: Pick<Operation, "path">,
  schemas: Schemas,
): BodyFields {
  const envelope: string[] = [];
  let fields = body;
  while (/[/+]json\b/.test(mediaType) && envelope.length < MAX_ENVELOPES) {
    const [name = "", inner] = onlyObject(fields, schemas) ?? [];
    if (!inner || !(GENERIC_NAMES.test(name) || namesResource(name, path))) break;
    if (isReference(inner, path, schemas)) break;
    envelope.push(name);
    fields = inner;
  }
  const isEnvelopeRequired = body.required.has(envelope[0] ?? "");
  return envelope.length === 0 ? body : { ...fields, envelope, isEnvelopeRequired };
}

/**
 * `{team: {id, type}}` of `/pets/{id}/teams`: an object that names another thing, by an ID that
 * only the server sets, or by one of the name that the path has for its own.
 */
function isReference({ properties }: FlatObject, path: string, schemas: Schemas): boolean {
  const fields = [...properties].filter(([, schema]) => !isReadOnly(schema, schemas));
  return (
    fields.every(([, schema]) => isConstant(schema, schemas)) ||
    fields.some(([name]) => path.includes(`{${name}}`) && !path.endsWith(`{${name}}`))
  );
}

const isReadOnly = (schema: JsonSchema, schemas: Schemas): boolean =>
  schema.readOnly === true || resolveSchema(schemas, schema).readOnly === true;

/** `script_tag` of `/script_tags/{id}`, `message` of `/classes/{id}/addMessage`. */
function namesResource(name: string, path: string): boolean {
  const noun = splitWords(name).map(singularize).join(" ");
  return path
    .split("/")
    .filter((segment) => !segment.includes("{"))
    .some((segment) => ` ${splitWords(segment).map(singularize).join(" ")}`.endsWith(` ${noun}`));
}

/** The only field of a body, with its own fields. */
function onlyObject(
  { properties, minProperties }: FlatObject,
  schemas: Schemas,
): readonly [string, FlatObject] | undefined {
  const [[name, schema] = ["", undefined], ...others] = properties;
  if (!schema || others.length > 0 || minProperties > 1) return undefined;
  if (isReadOnly(schema, schemas) || acceptsNull(schema, schemas)) return undefined;
  const object = flattenObject(schemas, schema);
  return object && !object.isWeakened ? [name, object] : undefined;
}

function acceptsNull(schema: JsonSchema, schemas: Schemas): boolean {
  const target = resolveSchema(schemas, schema);
  const choices = [...(target.anyOf ?? []), ...(target.oneOf ?? [])];
  return (
    typesOf(target).includes("null") || choices.some((one) => isObject(one) && one.type === "null")
  );
}

/** The content of a body as if it had no envelope: with the examples of the fields inside. */
export function contentInside(content: Content, envelope: readonly string[] = []): Content {
  if (envelope.length === 0 || !content.examples) return content;
  const inside = (example: unknown): unknown =>
    envelope.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), example);
  return { ...content, examples: content.examples.map(inside).filter(isObject) };
}
