import { anyOfPatterns, sequence } from "../../language/patterns.js";
import { isObject, type JsonSchema, omitUndefined } from "../../json.js";
import type { ApiModel, Operation, Response } from "../../model/types.js";
import type { OutcomeField } from "../../runtime/types.js";
import { objectFields } from "../schemas/flat-object.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import { isIdentity, successResponses } from "./payload.js";

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

/**
 * Adds the fields by which responses report failures to the operations of tools. An object around
 * them stands around the failures of all operations, such as those that return files.
 */
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
  const wrapped = [...outcomes.values()].find(({ within }) => within !== undefined);
  return tools.map((tool) => ({
    ...tool,
    definition: {
      ...tool.definition,
      operations: tool.definition.operations.map((binding) => {
        const { method, path } = binding.request;
        return omitUndefined({ ...binding, outcome: outcomes.get(`${method} ${path}`) ?? wrapped });
      }),
    },
  }));
}

/**
 * Reads from the document which values of a response field mean success and which mean failure:
 * `0 ok, 1 error`, or alternatives with one value each. The field must be part of an envelope,
 * because a resource has a status, too.
 */
function findOutcomeField({ responses }: Operation, schemas: Schemas): OutcomeField | undefined {
  const [success] = successResponses(responses);
  const schema = success && bodySchema(success);
  if (!schema) return undefined;
  const fields = objectFields(schema, schemas);
  if (!fields) return outcomeOfAlternatives(schema, schemas);
  if (isEnvelope([...fields.keys()])) return outcomeOfEnvelope(success, fields, responses, schemas);
  const [[within, wrapped] = [], ...others] = fields;
  if (within === undefined || wrapped === undefined || others.length > 0) return undefined;
  const outcome = outcomeOfAlternatives(wrapped, schemas);
  return outcome && { ...outcome, within };
}

/** Values that a success or a failure has in all responses, as no state of a resource has. */
const [SUCCEEDED, FAILED] = [
  /^(?:ok|okay|success(?:ful)?|true)$/i,
  /^(?:errors?|fail(?:ed|ure)?|nok|ko|false)$/i,
];

const REASON_NAMES = /^(?:errors?|fault|message|msg|reason)$/i;

/**
 * The field by which the alternatives of a response differ: `{status: ok, pet}` or
 * `{status: failed, error}`. An alternative with an ID is a resource whose work has failed.
 */
function outcomeOfAlternatives(schema: JsonSchema, schemas: Schemas): OutcomeField | undefined {
  const { oneOf, anyOf } = resolveSchema(schemas, schema);
  const alternatives = (oneOf ?? anyOf ?? []).map((part) =>
    isObject(part) ? objectFields(part, schemas) : undefined,
  );
  for (const field of alternatives[0]?.keys() ?? []) {
    if (!OUTCOME_NAMES.test(field)) continue;
    const values = alternatives.map((fields) => onlyValue(fields?.get(field), schemas));
    const success = values.filter((value) => SUCCEEDED.test(String(value)));
    const failures = alternatives.filter((_, i) => FAILED.test(String(values[i])));
    const areErrors = failures.every((fields) => fields && isErrorForm([...fields.keys()]));
    if (success.length === 0 || failures.length === 0 || !areErrors) continue;
    const failure = values.filter((value) => FAILED.test(String(value)));
    if (success.length + failure.length < values.length) continue;
    return { field, success: distinct(success), failure: distinct(failure) };
  }
  return undefined;
}

const isErrorForm = (names: readonly string[]): boolean =>
  names.some((name) => REASON_NAMES.test(name)) && !names.some(isIdentity);

const distinct = (values: readonly (Outcome | undefined)[]): readonly Outcome[] => [
  ...new Set(values.filter(isOutcome)),
];

/** The only value that a field may have. */
function onlyValue(schema: JsonSchema | undefined, schemas: Schemas): Outcome | undefined {
  const { enum: members = [], const: constant } = schema ? resolveSchema(schemas, schema) : {};
  const value = constant ?? (members.length === 1 ? members[0] : undefined);
  return isOutcome(value) ? value : undefined;
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
    const { othersFail } = documented;
    if (succeeding.length === 0 || (failing.length === 0 && !othersFail)) continue;
    const values = { success: distinct(succeeding), failure: distinct(failing) };
    return { field, ...values, ...(othersFail && { othersFail: true as const }) };
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
  readonly othersFail: boolean;
} {
  const members = (schema.enum ?? []).filter(isOutcome);
  const ofEnum = members.map((value) => [value, String(value)] as const);
  const isComplete = ofEnum.every(
    ([, text]) => SUCCESS.test(text) || FAILURE.test(text) || /^fail|^err/i.test(text),
  );
  const pairs = [...(isComplete ? ofEnum : []), ...describedValues(schema)];
  return {
    success: pairs.flatMap(([value, text]) => (SUCCESS.test(text) ? [value] : [])),
    failure: pairs.flatMap(([value, text]) =>
      FAILURE.test(text) && !SUCCESS.test(text) ? [value] : [],
    ),
    othersFail: OTHERS_FAIL.test(schema.description ?? ""),
  };
}

/** `non-zero on failure`, `any other value is an error`, `otherwise an error code` */
const OTHERS_FAIL = sequence(
  /\b(?:non-?zero|not zero|otherwise|(?:any|all|every) other|others|anything else|else)\b/i,
  /[^.;]{0,30}\b(?:errors?|fail\w*)\b/,
);

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
  const text = description.slice(0, 2000).replace(/(?<!\bnon-?|\bnot )\bzero\b/gi, "0");
  return [...text.matchAll(MEANING)].map(([, value = "", meaning = ""]) => [
    isNumber ? Number(value) : value,
    meaning.trim(),
  ]);
}
