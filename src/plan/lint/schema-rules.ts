import { diagnostic } from "../../diagnostics/index.js";
import { isObject, type JsonObject, type JsonSchema } from "../../json.js";
import type { Content, Operation } from "../../model/types.js";
import { successResponses } from "../outputs/success-responses.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import type { LintRule } from "./rule.js";
import { suggestOverlayAction } from "./suggested-fixes.js";

/** JSON bodies without a schema. */
export const untypedBody: LintRule = ({ name, main }, { schemas }) => {
  const content = main.body?.contents.find(isJsonContent);
  if (!content || !isUntyped(content.schema, schemas)) return undefined;
  return diagnostic(
    "lint-untyped-body",
    `The document does not describe the fields in the body of ${name}`,
    content.location,
    suggestSchema(content),
  );
};

/** Results without a schema. The model does not learn the result, and nothing is validated. */
export const untypedOutput: LintRule = ({ name, main }, { schemas }) => {
  const success = successResponses(main.responses);
  const content = success.flatMap(({ contents }) => contents).find(isJsonContent);
  const message = `The document does not describe the result of ${name}`;
  if (content) {
    if (!isUntyped(content.schema, schemas)) return undefined;
    return diagnostic("lint-untyped-output", message, content.location, suggestSchema(content));
  }
  const [first] = success;
  const hasOtherContent = success.some(
    ({ contents, status }) => contents.length > 0 || status === "204",
  );
  if (main.method !== "GET" || !first || hasOtherContent) return undefined;
  const fix = `Add its \`content\` to the response ${first.status}, with a schema or an example`;
  return diagnostic("lint-untyped-output", message, main.location, fix);
};

/** The schema of the document's example as an overlay action, or advice without an example. */
function suggestSchema({ examples = [], location }: Content): string {
  const example = examples.find(
    (value) => (isObject(value) || Array.isArray(value)) && Object.keys(value).length > 0,
  );
  return example === undefined
    ? "Add a schema with its fields to the document, or an example"
    : suggestOverlayAction(location.pointer, { schema: schemaOf(example) });
}

/** Schema that states the fields and types of an example. */
function schemaOf(example: unknown): JsonObject {
  if (Array.isArray(example)) {
    const [item] = example;
    return { type: "array", ...(item !== undefined && { items: schemaOf(item) }) };
  }
  if (isObject(example)) {
    const fields = Object.entries(example).map(([name, value]) => [name, schemaOf(value)] as const);
    return { type: "object", properties: Object.fromEntries(fields) };
  }
  return example === null ? {} : { type: typeof example };
}

const isJsonContent = ({ mediaType }: Content): boolean => /[/+]json\b/i.test(mediaType);

/** True for schemas that name neither fields nor alternatives. */
function isUntyped(schema: JsonSchema | undefined, schemas: Schemas): boolean {
  if (schema === undefined) return true;
  const target = resolveSchema(schemas, schema);
  const { properties, additionalProperties, items, anyOf, oneOf, allOf } = target;
  if (properties && Object.keys(properties).length > 0) return false;
  if (anyOf || oneOf || allOf || target.enum || "const" in target) return false;
  if (isObject(additionalProperties) || items !== undefined) return false;
  return target.type === undefined || target.type === "object" || target.type === "array";
}

/** True when an operation documents an error response. */
export function documentsErrors({ responses }: Operation): boolean {
  return responses.some(({ status }) => /^[45]|^default$/i.test(status));
}
