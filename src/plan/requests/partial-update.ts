/** Updates that change only the fields that a request sends. */
import { quoteText } from "../../diagnostics/text.js";
import { isObject, type JsonSchema, omitUndefined } from "../../json.js";
import { splitWords } from "../../language/words.js";
import type { Operation } from "../../model/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { isConstant, type FlatObject } from "../schemas/flat-object.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";

const FIELDS = "fields|properties|attributes|parameters|values|keys";
const GIVEN = "provided|specified|given|passed|supplied|included|sent";

/** `Only the fields that you send are changed`, `Updates only the given properties`. */
const ONLY_SENT = new RegExp(
  `\\bonly (?:the |those )?(?:\\w+ )?(?:${FIELDS})` +
    "(?: that (?:you|are|is)(?: \\w+)?| you| which are| present| specified| provided| passed| sent|" +
    " given| included| supplied| set)\\b[^.]{0,60}",
  "i",
);
const ONLY_GIVEN = new RegExp(`\\bonly (?:the )?(?:${GIVEN}) (?:${FIELDS})\\b`, "i");

/** `Fields that are not provided keep their values`, `Any parameters not provided are left unchanged`. */
const OTHERS_STAY = new RegExp(
  `\\b(?:not (?:be )?(?:${GIVEN}|present|set)|` +
    "omitted|missing|absent|unspecified|other|remaining)\\b[^.]{0,60}\\b(?:" +
    "(?:left|remain|remains|stay|stays|kept|be) (?:unchanged|untouched|as (?:is|they are)|the same)|" +
    "unchanged|unmodified|not (?:be )?(?:changed|modified|altered|updated)|" +
    "keep (?:their|its)|retain (?:their|its))\\b",
  "i",
);
const PARTIAL = /\b(?:partial(?:ly)? updat|updat\w* partial|partial modification)/i;
const CHANGED = /\b(?:chang|updat|modif|alter|overwrit|appl|edit)/i;

/**
 * True if an operation changes only the fields that are sent: PATCH, or its text says so. A POST
 * that updates one thing counts if a creation has its body, too: the required fields are those of
 * the creation.
 */
export function changesOnlySentFields(operation: Operation): boolean {
  if (operation.method === "PATCH") return true;
  return saysPartial(operation) || isUpdateByPost(operation);
}

function saysPartial({ method, summary, description }: Operation): boolean {
  if (method !== "PUT" && method !== "POST") return false;
  const sentences = `${summary ?? ""}. ${description ?? ""}`.split(/(?<=[.!?])\s+|\n+/);
  return sentences.some(
    (sentence) =>
      PARTIAL.test(sentence) ||
      OTHERS_STAY.test(sentence) ||
      ((ONLY_SENT.test(sentence) || ONLY_GIVEN.test(sentence)) && CHANGED.test(sentence)),
  );
}

function isUpdateByPost({
  method,
  path,
  body,
  summary = "",
  operationId = "",
}: Operation): boolean {
  if (method !== "POST" || !path.endsWith("}") || !body?.isOfCreation) return false;
  const [verb = ""] = summary === "" ? splitWords(operationId) : splitWords(summary);
  return /^(?:update|modify|edit|change|alter|save)(?:s|ies)?$/.test(verb);
}

/**
 * The fields of an update without required ones, because a caller who must give them cannot leave
 * them unchanged. An ID that the path lacks stays required. Unless the text says that others stay
 * unchanged, the fields say that they are documented as required: the API may demand them, and
 * decides. That holds for the schema of a creation, too.
 */
export function requireNothing(
  object: FlatObject,
  operation: Operation,
  schemas: Schemas,
  diagnostics: DiagnosticCollector,
): FlatObject {
  if (object.properties.size < 2) return object;
  const kept = new Set(
    [...object.required].filter((name) => isDemanded(name, object, operation, schemas)),
  );
  const dropped = [...object.required].filter(
    (name) => object.properties.has(name) && !kept.has(name),
  );
  if (dropped.length === 0) return object;
  report(dropped, operation, diagnostics);
  const properties = saysPartial(operation)
    ? object.properties
    : withRemark(object.properties, new Set(dropped));
  return { ...object, properties, required: kept };
}

/** Constants, which the server sends, and fields without which nothing says what is updated. */
function isDemanded(
  name: string,
  object: FlatObject,
  operation: Operation,
  schemas: Schemas,
): boolean {
  if (isConstant(object.properties.get(name) ?? {}, schemas)) return true;
  return !operation.path.includes("{") && IDENTITY.test(name);
}

/** IDs of what is updated, where the path has none. */
const IDENTITY = /^(?:_?id|ids|uuid|guid)$|_(?:ids?|uuids?)$|[a-z]I[dD]s?$/;

function report(
  dropped: readonly string[],
  { method, body }: Operation,
  diagnostics: DiagnosticCollector,
): void {
  const names = dropped.slice(0, 5).map((name) => quoteText(name, 40));
  const others = dropped.length > names.length ? ` and ${dropped.length - names.length} more` : "";
  const reason =
    method === "POST" && body?.isOfCreation
      ? "POST updates with the body of a creation, which requires"
      : `${method} changes only the fields that are sent, but its body requires`;
  diagnostics.add(
    "plan-update-required",
    `${reason} ${names.join(", ")}${others}. The tool does not require them.`,
    body?.contents[0]?.location,
    "Correct the document with an overlay, or set `required` for an input in mcp-gen.yaml.",
  );
}

/** The fields with a remark for those that are documented as required. */
function withRemark(
  properties: FlatObject["properties"],
  names: ReadonlySet<string>,
): FlatObject["properties"] {
  const remark = "Documented as required.";
  return new Map(
    [...properties].map(([name, schema]) => {
      if (!names.has(name)) return [name, schema];
      const about = schema.description?.trim() ?? "";
      const description = `${about}${about === "" || /[.!?]$/.test(about) ? "" : "."} ${remark}`;
      return [name, { ...schema, description: description.trim() }];
    }),
  );
}

/** The schema of the whole body of an update, whose required fields are only named as such. */
export function withRemarks(
  schema: JsonSchema,
  operation: Operation,
  schemas: Schemas,
): JsonSchema {
  const { required = [], properties = {} } = resolveSchema(schemas, schema);
  const relaxed = withoutRequired(schema, schemas);
  if (saysPartial(operation)) return relaxed;
  const objects = Object.entries(properties).flatMap(([name, property]) =>
    isObject(property) ? [[name, property as JsonSchema] as const] : [],
  );
  const described = Object.fromEntries(withRemark(new Map(objects), new Set(required)));
  return { ...relaxed, properties: { ...properties, ...described } };
}

const MAX_DEPTH = 16;

/** The schema of a body without its required fields, also those of its parts. */
export function withoutRequired(schema: JsonSchema, schemas: Schemas, depth = 0): JsonSchema {
  const { $ref: _, required: __, allOf, ...rest } = resolveSchema(schemas, schema);
  if (depth > MAX_DEPTH) return rest;
  return omitUndefined({
    ...rest,
    allOf: allOf?.map((part) =>
      isObject(part) ? withoutRequired(part as JsonSchema, schemas, depth + 1) : part,
    ),
  });
}
