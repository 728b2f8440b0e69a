/** Updates that change only the fields that a request sends. */
import { quoteText } from "../../diagnostics/text.js";
import { isObject, type JsonSchema, omitUndefined } from "../../json.js";
import type { Operation } from "../../model/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { isConstant, type FlatObject } from "../schemas/flat-object.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";

/** `Only the fields that you send are changed`, `Updates only the given properties`. */
const ONLY_SENT =
  /\bonly (?:the |those )?(?:\w+ )?(?:fields|properties|attributes|parameters|values|keys)(?: that (?:you|are|is)(?: \w+)?| you| which are| present| specified| provided| passed| sent| given| included| supplied| set)\b[^.]{0,60}/i;
const ONLY_GIVEN =
  /\bonly (?:the )?(?:provided|specified|given|passed|supplied|included|sent) (?:fields|properties|attributes|parameters|values|keys)\b/i;

/** `Fields that are not provided keep their values`, `Any parameters not provided are left unchanged`. */
const OTHERS_STAY =
  /\b(?:not (?:be )?(?:provided|specified|given|passed|supplied|included|sent|present|set)|omitted|missing|absent|unspecified|other|remaining)\b[^.]{0,60}\b(?:(?:left|remain|remains|stay|stays|kept|be) (?:unchanged|untouched|as (?:is|they are)|the same)|unchanged|unmodified|not (?:be )?(?:changed|modified|altered|updated)|keep (?:their|its)|retain (?:their|its))\b/i;
const PARTIAL = /\b(?:partial(?:ly)? updat|updat\w* partial|partial modification)/i;
const CHANGED = /\b(?:chang|updat|modif|alter|overwrit|appl|edit)/i;

/** True if an operation changes only the fields that are sent: PATCH, or its text says so. */
export function changesOnlySentFields({ method, summary, description }: Operation): boolean {
  if (method === "PATCH") return true;
  if (method !== "PUT" && method !== "POST") return false;
  const sentences = `${summary ?? ""}. ${description ?? ""}`.split(/(?<=[.!?])\s+|\n+/);
  return sentences.some(
    (sentence) =>
      PARTIAL.test(sentence) ||
      OTHERS_STAY.test(sentence) ||
      ((ONLY_SENT.test(sentence) || ONLY_GIVEN.test(sentence)) && CHANGED.test(sentence)),
  );
}

/**
 * The fields of an update without required ones, because a caller who must give them cannot leave
 * them unchanged. Constants stay required: the server sends them. So does the only field, and an
 * `id` that the path does not have.
 */
export function requireNothing(
  object: FlatObject,
  { method, path, body }: Operation,
  schemas: Schemas,
  diagnostics: DiagnosticCollector,
): FlatObject {
  if (object.properties.size < 2) return object;
  const isKept = (name: string): boolean =>
    isConstant(object.properties.get(name) ?? {}, schemas) ||
    (name === "id" && !path.includes("{"));
  const dropped = [...object.required].filter(
    (name) => object.properties.has(name) && !isKept(name),
  );
  if (dropped.length === 0) return object;
  const names = dropped.slice(0, 5).map((name) => quoteText(name, 40));
  const others = dropped.length > names.length ? ` and ${dropped.length - names.length} more` : "";
  diagnostics.add(
    "plan-update-required",
    `${method} changes only the fields that are sent, but its body requires ` +
      `${names.join(", ")}${others}. The tool requires none of them.`,
    body?.contents[0]?.location,
    "Correct the document with an overlay, or set `required` for an input in mcp-gen.yaml.",
  );
  return { ...object, required: new Set([...object.required].filter(isKept)) };
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
