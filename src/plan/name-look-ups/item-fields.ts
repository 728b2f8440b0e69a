/** Fields of the items of a list: names by which people know them, and the value of an input. */
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { singularizeLast } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import { isNameWord, nounOf, parseIdentityName, withoutRole } from "../producers/resources.js";
import type { AnySchema, Schemas } from "../schemas/refs.js";
import { resolveSchema } from "../schemas/refs.js";

/** Fields of items by name. */
export type ItemFields = ReadonlyMap<string, AnySchema>;

/** Names of fields that people use for a thing, the usual ones first. */
const NAME_FIELDS = [
  "name",
  "title",
  "display name",
  "full name",
  "label",
  "slug",
  "key",
  "code",
  "login",
  "username",
  "user name",
  "handle",
  "email",
  "email address",
  "alias",
  "identifier",
  "sku",
  "domain",
  "hostname",
  "host name",
];

/** Last words of fields that name their own thing: `project_name` of a project. */
const OWN_NAME = /^(?:name|title|label|slug|key|code|email)$/;

/** Formats of texts that nobody uses as a name. */
const OTHER_FORMATS =
  /^(?:uuid|date|date-time|time|duration|ur[il]|uri-reference|byte|binary|password|ipv[46])$/;

/** Things whose keys and codes are secrets. */
const SECRET_THING = /secret|token|credential|password|key/i;

/** Fields of persons, and fields that are no name of one. */
const PERSON_FIELD = /^(?:first_?name|last_?name|login|user_?name|email)$/i;
const NOT_OF_PERSONS = /^(?:title|job_?title|label|code|domain|host_?name)$/i;

/** Maximum number of fields that are compared with a name. */
const MAX_NAME_FIELDS = 4;

/**
 * Finds the fields of items that hold a name, best first.
 * @param idField field with the ID
 * @param tool name of the tool that returns the items
 */
export function nameFields(fields: ItemFields, tool: string, schemas: Schemas): readonly string[] {
  const isSecret = SECRET_THING.test(tool);
  const isPerson = [...fields.keys()].some((field) => PERSON_FIELD.test(field));
  const ranked = [...fields].flatMap(([field, schema]) => {
    const rank = rankOf(field, tool);
    if (rank === undefined || !isName(schema, schemas)) return [];
    if (isSecret && /key|code|identifier/i.test(field)) return [];
    return isPerson && NOT_OF_PERSONS.test(field) ? [] : [[field, rank] as const];
  });
  return ranked
    .toSorted((one, other) => one[1] - other[1])
    .slice(0, MAX_NAME_FIELDS)
    .map(([field]) => field);
}

/** Rank of a field by its name; that of `project_name` is the rank of `name`, for projects. */
function rankOf(field: string, tool: string): number | undefined {
  const words = splitWords(field);
  const last = words.at(-1) ?? "";
  const thing = singularizeLast(words.slice(0, -1)).join("_");
  const isOwn = words.length > 1 && OWN_NAME.test(last) && nounsOf(tool).endsWith(`_${thing}`);
  const rank = NAME_FIELDS.indexOf(isOwn ? last : words.join(" "));
  return rank < 0 ? undefined : rank;
}

/** `list_custom_fields` → `list_custom_field`. */
const nounsOf = (tool: string): string => singularizeLast(tool.split("_")).join("_");

/** True for free text. */
function isName(schema: AnySchema, schemas: Schemas): boolean {
  if (!isObject(schema)) return false;
  const target = resolveSchema(schemas, schema as JsonSchema);
  const types = typesOf(target).filter((type) => type !== "null");
  if (types.some((type) => type !== "string") || target.enum || target.const !== undefined)
    return false;
  const isPlain = [target.anyOf, target.oneOf, target.properties, target.items].every(
    (keyword) => keyword === undefined,
  );
  return isPlain && !OTHER_FORMATS.test(target.format ?? "") && target.writeOnly !== true;
}

/** An input that takes an ID. */
export interface IdInput {
  readonly input: string;
  readonly wireName: string;
  readonly type: JsonSchema;
  readonly description: string;
  /** Noun of the list, in one spelling. */
  readonly noun: string;
}

/** Texts of inputs that are IDs though their names do not say so. */
const STATES_ID = /\bIDs?\b|\bidentifier\b|\bUUID\b|\bGUID\b/;

/**
 * Finds the field of items whose value an input takes: that of the same name, else the one that its
 * last word names. Undefined without evidence: `repo` may take an ID or a name.
 */
export function idField(input: IdInput, fields: ItemFields, schemas: Schemas): string | undefined {
  const names = [...new Set([input.wireName, input.input])];
  const found =
    names.map((name) => fieldOf(fields, splitWords(name))).find((field) => field !== undefined) ??
    names.flatMap((name) => fieldByLastWord(name, input.noun, fields) ?? [])[0] ??
    (isStatedId(input) ? fieldOf(fields, ["id"]) : undefined);
  return found !== undefined && fits(input.type, fields.get(found), schemas) ? found : undefined;
}

/** Fields that stand for the ID, where a name ends in `id`. */
const ID_FIELDS = ["id", "uuid", "guid", "sid", "uid"];

function fieldByLastWord(name: string, noun: string, fields: ItemFields): string | undefined {
  const { idWord } = parseIdentityName(name);
  const thing = thingOf(name);
  if (!thing.endsWith(noun) && !noun.endsWith(thing)) return undefined;
  const last = splitWords(name).at(-1) ?? "";
  if (idWord === "" && !isNameWord(last)) return undefined;
  const word = idWord === "" ? last : idWord;
  const own = fieldOf(fields, [word]);
  if (own !== undefined || !ID_FIELDS.includes(word)) return own;
  return ID_FIELDS.map((other) => fieldOf(fields, [other])).find((field) => field !== undefined);
}

function fieldOf(fields: ItemFields, words: readonly string[]): string | undefined {
  const spelled = words.join(" ");
  return [...fields.keys()].find((field) => splitWords(field).join(" ") === spelled);
}

/** Thing in the name of a value, in one spelling: `project` of `project_id` and `projectName`. */
export function thingOf(name: string): string {
  const words = withoutRole(parseIdentityName(name).entity.split("_"));
  return nounOf(isNameWord(words.at(-1) ?? "") ? words.slice(0, -1) : words);
}

function isStatedId({ wireName, description, noun }: IdInput): boolean {
  const { idWord } = parseIdentityName(wireName);
  return idWord === "" && thingOf(wireName) === noun && STATES_ID.test(description);
}

/** True if an input of a type can take the value of a field. */
function fits(type: JsonSchema, field: AnySchema | undefined, schemas: Schemas): boolean {
  if (!isObject(field)) return false;
  const given = typesOf(resolveSchema(schemas, field as JsonSchema));
  if (given.some((one) => one === "object" || one === "array" || one === "boolean")) return false;
  const taken = typesOf(resolveSchema(schemas, type));
  const takesText = taken.length === 0 || taken.includes("string");
  return (
    takesText || given.length === 0 || given.some((one) => one === "integer" || one === "number")
  );
}
