import { diagnostic } from "../../diagnostics/index.js";
import { isObject, type JsonSchema } from "../../json.js";
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
    suggestOverlayAction(content.location.pointer, { schema: EXAMPLE_SCHEMA }),
  );
};

/** Results without a schema. The model does not learn the result, and nothing is validated. */
export const untypedOutput: LintRule = ({ name, main }, { schemas }) => {
  const success = successResponses(main.responses);
  const content = success.flatMap(({ contents }) => contents).find(isJsonContent);
  const message = `The document does not describe the result of ${name}`;
  if (content) {
    if (!isUntyped(content.schema, schemas)) return undefined;
    const { location } = content;
    const fix = suggestOverlayAction(location.pointer, { schema: EXAMPLE_SCHEMA });
    return diagnostic("lint-untyped-output", message, location, fix);
  }
  const [first] = success;
  const hasOtherContent = success.some(
    ({ contents, status }) => contents.length > 0 || status === "204",
  );
  if (main.method !== "GET" || !first || hasOtherContent) return undefined;
  const pointer = `${main.location.pointer}/responses/${first.status}`;
  const fix = suggestOverlayAction(pointer, {
    content: { "application/json": { schema: EXAMPLE_SCHEMA } },
  });
  return diagnostic("lint-untyped-output", message, main.location, fix);
};

/** Placeholder for the real fields. */
const EXAMPLE_SCHEMA = { type: "object", properties: { id: { type: "string" } } } as const;

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
