import { typesOf } from "../../json.js";
import { ARTICLES, CONJUNCTIONS, DEMONSTRATIVES } from "../../language/function-words.js";
import { singularize, singularizeLast } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import type { InputCandidate } from "./candidates.js";

/** Values that repeat another one of the request, each with that one. */
export type RepeatedValues = ReadonlyMap<InputCandidate, InputCandidate>;

/**
 * Finds values that a request has twice: a field of the body with the ID of the path, and an
 * optional parameter of the query that a field of the body repeats with the same text. The field
 * stays then, because URLs are logged. A field such as the new `name` of what the path names, or
 * `vpc_id` with the text "ID of the VPC to peer with", has another value.
 */
export function findRepeatedValues(
  candidates: readonly InputCandidate[],
  path: string,
  schemas: Schemas,
): RepeatedValues {
  const inBody = candidates.filter((one) => one.in === "body" && !one.isWholeBody);
  // `_group` and `group` are two fields, each with a parameter of its own name.
  const fields = new Map([
    ...inBody.map((one) => [keyOf(one), one] as const),
    ...inBody.map((one) => [one.wireName, one] as const),
  ]);
  if (fields.size === 0) return NO_VALUES;
  return new Map(
    candidates.flatMap((parameter): (readonly [InputCandidate, InputCandidate])[] => {
      const field =
        fields.get(parameter.wireName) ??
        fields.get(keyOf(parameter)) ??
        fieldOfItem(parameter, path, fields);
      if (!field || !isSameType(parameter, field, schemas)) return [];
      if (isSameId(parameter, path))
        return hasOwnValue(field, parameter, path) ? [] : [[field, parameter]];
      const isOptional = parameter.in === "query" && !parameter.required;
      const isSame = hasSameText(parameter, field) || PAGE.test(keyOf(parameter));
      return isOptional && isSame && parameter.wireName === field.wireName
        ? [[parameter, field]]
        : [];
    }),
  );
}

/** `petId` of the body of `PUT /pets/{id}`, and `id` of `PUT /pets/{petId}`: the ID of the item. */
function fieldOfItem(
  { in: location, wireName }: InputCandidate,
  path: string,
  fields: ReadonlyMap<string, InputCandidate>,
): InputCandidate | undefined {
  if (location !== "path" || !path.endsWith(`/{${wireName}}`)) return undefined;
  const collection = path.split("/").at(-2) ?? "";
  const noun = collection.includes("{") ? [] : singularizeLast(splitWords(collection));
  if (noun.length === 0) return undefined;
  const named = [...noun, "id"].join("_");
  const key = splitWords(wireName).join("_");
  if (key === "id") return fields.get(named);
  return key === named ? fields.get("id") : undefined;
}

/** `apiID` of a path is the `api_id` of a body. */
const keyOf = ({ wireName }: InputCandidate): string => splitWords(wireName).join("_") || wireName;

/** Values that choose a page, which a call chooses once. */
const PAGE =
  /^(?:cursor|limit|marker|max_(?:items|records|results)|(?:next_)?(?:page_)?token|page_size)$/;

const NO_VALUES: RepeatedValues = new Map();

function isSameType(parameter: InputCandidate, field: InputCandidate, schemas: Schemas): boolean {
  const typeOf = ({ schema }: InputCandidate): string =>
    typesOf(resolveSchema(schemas, schema))
      .filter((type) => type !== "null")
      .join(" ");
  return typeOf(parameter) === typeOf(field);
}

/**
 * An ID of the path, and the `name` of `/{name}:cancel`. A bare `id` inside the path is that of a
 * parent: `/pets/{id}/visits`.
 */
function isSameId({ in: location, wireName }: InputCandidate, path: string): boolean {
  if (location !== "path") return false;
  const words = splitWords(wireName);
  const isId = ID_WORD.test(words.at(-1) ?? "");
  return path.includes(`{${wireName}}:`) || (isId && (words.length > 1 || isAtEnd(wireName, path)));
}

/**
 * The text of a field says that it has another value than the parameter: a new one, or that of the
 * other of two things. Of a parent in the path, each word that the parameter does not have counts.
 */
function hasOwnValue(field: InputCandidate, parameter: InputCandidate, path: string): boolean {
  const text = textOf(field);
  if (OTHER_VALUE.test(text)) return true;
  if (SAME_VALUE.test(text) || isAtEnd(parameter.wireName, path)) return false;
  const { wireName } = parameter;
  const known = new Set(wordsOf(`${wireName} ${field.wireName} ${textOf(parameter)}`));
  return wordsOf(text).some((word) => !known.has(word) && !WORDS_OF_IDS.has(word));
}

const OTHER_VALUE = /^(?:the |an? )?(?:new|other|another|destination|target)\b/i;
const SAME_VALUE = /\b(?:match(?:es)?|path|same|url)\b/i;

const isAtEnd = (wireName: string, path: string): boolean =>
  path.endsWith(`{${wireName}}`) || path.includes(`{${wireName}}:`);

const wordsOf = (text: string): string[] => splitWords(text).map(singularize);

/** Words of texts that only say that a field is an ID, in the singular. */
const WORDS_OF_IDS: ReadonlySet<string> = new Set([
  ...ARTICLES,
  ...CONJUNCTIONS,
  ...DEMONSTRATIVES,
  ..."be by contain existing for get give in is number of set string that to which".split(" "),
  ..."guid id identification identifie identifier identify internal key sid unique uuid".split(" "),
  ..."associated belong current has related required specified valid value".split(" "),
]);

const ID_WORD = /^(?:id|uuid|guid|sid)$/;

const hasSameText = (one: InputCandidate, other: InputCandidate): boolean =>
  textOf(one) !== "" && textOf(one) === textOf(other);

const textOf = ({ description = "", schema }: InputCandidate): string =>
  (description === "" ? (schema.description ?? "") : description).trim();
