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
    `The document does not say which fields the body of ${name} has`,
    content.location,
    suggestOverlayAction(content.location.pointer, { schema: EXAMPLE_SCHEMA }),
  );
};

/** Results without a schema. The model does not learn the result, and nothing is validated. */
export const untypedOutput: LintRule = ({ name, main }, { schemas }) => {
  const success = successResponses(main.responses);
  const content = success.flatMap(({ contents }) => contents).find(isJsonContent);
  if (content)
    return isUntyped(content.schema, schemas)
      ? diagnostic(
          "lint-untyped-output",
          `The document does not say what ${name} returns`,
          content.location,
          suggestOverlayAction(content.location.pointer, { schema: EXAMPLE_SCHEMA }),
        )
      : undefined;
  if (
    main.method !== "GET" ||
    success.some(({ contents, status }) => contents.length > 0 || status === "204") ||
    success.length === 0
  )
    return undefined;
  const responses = `${main.location.pointer}/responses/${success[0]?.status ?? "200"}`;
  return diagnostic(
    "lint-untyped-output",
    `The document does not say what ${name} returns`,
    main.location,
    suggestOverlayAction(responses, {
      content: { "application/json": { schema: EXAMPLE_SCHEMA } },
    }),
  );
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
  if (
    isObject(additionalProperties) ||
    items !== undefined ||
    anyOf ||
    oneOf ||
    allOf ||
    target.enum ||
    "const" in target
  )
    return false;
  return target.type === undefined || target.type === "object" || target.type === "array";
}

/** True when an operation documents an error response. */
export function documentsErrors({ responses }: Operation): boolean {
  return responses.some(({ status }) => /^[45]|^default$/i.test(status));
}
