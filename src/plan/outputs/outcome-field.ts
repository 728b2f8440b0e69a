import { anyOfPatterns, sequence } from "../../language/patterns.js";
import { isObject, type JsonSchema, omitUndefined } from "../../json.js";
import type { ApiModel, Operation, Response } from "../../model/types.js";
import type { OutcomeField } from "../../runtime/types.js";
import { objectFields } from "../schemas/flat-object.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import { successResponses } from "./payload.js";

/** Fields that report success or failure in the body. */
const OUTCOME_NAMES =
  /^(?:code|status|stat|err(?:or)?_?(?:code|no)|ret(?:code|urn_?code)?|result|success|ok)$/i;

/** Fields next to them with the data or the message of an envelope. */
const DATA_NAMES = /^(?:data|results?|response|payload|body|value)$/i;
const MESSAGE_NAMES = /^(?:message|msg|err(?:or)?_?(?:msg|message)|description|reason|info)$/i;

const SUCCESS = new RegExp(
  anyOfPatterns(
    /^(?:ok|okay|success\w*|succe(?:ss|eded)|no error|everything ok|done|true|成功)\b/,
    /成功|^(?:request )?(?:was )?success/,
  ),
  "i",
);
const FAILURE =
  /\b(?:errors?|fail(?:s|ed|ure)?|invalid|wrong|denied|missing|unauthori[sz]ed|forbidden|not?|nok)\b|失败|错误/i;

type Outcome = string | number | boolean;

/** Adds the fields by which responses report failures to the operations of tools. */
export function addOutcomeFields(
  tools: readonly PlannedTool[],
  { operations, schemas }: Pick<ApiModel, "operations" | "schemas">,
): readonly PlannedTool[] {
  const outcomes = new Map(
    operations.flatMap((operation) => {
      const outcome = findOutcomeField(operation, schemas);
      return outcome ? [[`${operation.method} ${operation.path}`, outcome] as const] : [];
    }),
  );
  if (outcomes.size === 0) return tools;
  return tools.map((tool) => ({
    ...tool,
    definition: {
      ...tool.definition,
      operations: tool.definition.operations.map((binding) => {
        const { method, path } = binding.request;
        return omitUndefined({ ...binding, outcome: outcomes.get(`${method} ${path}`) });
      }),
    },
  }));
}

/**
 * Reads from the document which values of a response field mean success and which mean failure:
 * `0 ok, 1 error`. The field must be part of an envelope, because a resource has a status, too.
 */
function findOutcomeField({ responses }: Operation, schemas: Schemas): OutcomeField | undefined {
  const [success] = successResponses(responses);
  const schema = success && bodySchema(success);
  if (!schema) return undefined;
  const fields = objectFields(schema, schemas);
  return fields && isEnvelope([...fields.keys()])
    ? outcomeOfEnvelope(success, fields, responses, schemas)
    : undefined;
}

function outcomeOfEnvelope(
  success: Response,
  fields: ReadonlyMap<string, JsonSchema>,
  responses: readonly Response[],
  schemas: Schemas,
): OutcomeField | undefined {
  const errors = responses.filter(({ status }) => /^[45]/.test(status));
  for (const [field, fieldSchema] of fields) {
    if (!OUTCOME_NAMES.test(field)) continue;
    const documented = valuesOf(resolveSchema(schemas, fieldSchema));
    const succeeding = [...documented.success, ...examplesOf(success, field, schemas, true)];
    const failing = [
      ...documented.failure,
      ...examplesOf(success, field, schemas, false),
      ...errors.flatMap((error) => examplesOf(error, field, schemas)),
    ].filter((value) => !succeeding.includes(value));
    if (succeeding.length === 0 || failing.length === 0) continue;
    return { field, success: [...new Set(succeeding)], failure: [...new Set(failing)] };
  }
  return undefined;
}

function bodySchema({ contents }: Response): JsonSchema | undefined {
  return contents.find(({ mediaType }) => /json|\*/.test(mediaType))?.schema;
}

function isEnvelope(names: readonly string[]): boolean {
  return (
    names.some((name) => DATA_NAMES.test(name)) && names.some((name) => MESSAGE_NAMES.test(name))
  );
}

/**
 * Values of a field in the examples of a response. An example of a success response with a failure
 * in its message is one of a failure.
 * @param isSuccess whether to return examples of successes or of failures; all when absent
 */
function examplesOf(
  { contents }: Response,
  field: string,
  schemas: Schemas,
  isSuccess?: boolean,
): readonly Outcome[] {
  return contents.flatMap(({ schema, examples = [] }) => {
    const fields = schema && objectFields(schema, schemas);
    const ofFields =
      fields &&
      Object.fromEntries([...fields].map(([name, one]) => [name, exampleOf(one, schemas)]));
    return [...examples, ...(ofFields ? [ofFields] : [])].flatMap((example) => {
      if (!isObject(example) || (isSuccess !== undefined && isSuccess === isFailing(example)))
        return [];
      const value = Object.hasOwn(example, field) ? example[field] : undefined;
      return isOutcome(value) ? [value] : [];
    });
  });
}

function exampleOf(schema: JsonSchema, schemas: Schemas): unknown {
  const { examples, const: constant } = resolveSchema(schemas, schema);
  return constant ?? examples?.[0];
}

function isFailing(example: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(example).some(
    ([name, value]) => MESSAGE_NAMES.test(name) && typeof value === "string" && FAILURE.test(value),
  );
}

function isOutcome(value: unknown): value is Outcome {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Reads `0: ok, 1: wrong parameters` from the description, and success and failure of an enum. */
function valuesOf(schema: JsonSchema): {
  readonly success: readonly Outcome[];
  readonly failure: readonly Outcome[];
} {
  const members = (schema.enum ?? []).filter(isOutcome);
  const ofEnum = members.map((value) => [value, String(value)] as const);
  const isComplete = ofEnum.every(([, text]) => SUCCESS.test(text) || FAILURE.test(text));
  const pairs = [...(isComplete ? ofEnum : []), ...describedValues(schema)];
  return {
    success: pairs.flatMap(([value, text]) => (SUCCESS.test(text) ? [value] : [])),
    failure: pairs.flatMap(([value, text]) =>
      FAILURE.test(text) && !SUCCESS.test(text) ? [value] : [],
    ),
  };
}

/** A number with its meaning: `0 ok`, `1 = error`, `2: internal error`. */
const MEANING = sequence(
  /(?<![\w.-])`?"?(-?\d{1,9})"?`?\s*/gi,
  /(?:[:=→-]+|=>|means|for|is|on|if|indicates|表示)?\s*/,
  /([^,;.|\n(),，；、\d]+)/,
);

function describedValues({
  description = "",
  type,
}: JsonSchema): readonly (readonly [Outcome, string])[] {
  const isNumber = [type].flat().some((name) => name === "integer" || name === "number");
  return [...description.slice(0, 2000).matchAll(MEANING)].map(([, value = "", meaning = ""]) => [
    isNumber ? Number(value) : value,
    meaning.trim(),
  ]);
}
