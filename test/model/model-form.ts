import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema } from "../../src/json.js";
import type { ApiModel } from "../../src/model/index.js";

/** The plan checks patterns. Here, an invalid pattern matches any text. */
const regExp = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return /(?:)/u;
    }
  },
  { code: "regExp" },
);

/** Every schema in the operations of a model. */
export function schemasIn({ operations }: ApiModel): readonly JsonSchema[] {
  return operations.flatMap(({ parameters, body, responses }) => [
    ...parameters.map(({ schema }) => schema),
    ...[...(body?.contents ?? []), ...responses.flatMap(({ contents }) => contents)].flatMap(
      ({ schema }) => (schema ? [schema] : []),
    ),
    ...responses.flatMap(({ headers }) =>
      headers.flatMap(({ schema }) => (schema ? [schema] : [])),
    ),
  ]);
}

/**
 * Errors of a model's schemas under JSON Schema 2020-12: all are checked by the meta-schema, some
 * are compiled.
 */
export function schemaErrors(model: ApiModel, every = 1): readonly string[] {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    logger: false,
    code: { regExp },
    validateSchema: false,
  });
  const all = { $defs: { ...model.schemas, Operations: { anyOf: [{}, ...schemasIn(model)] } } };
  const sound = ajv.validateSchema(all);
  const errors =
    sound === true
      ? []
      : (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  ajv.addSchema({ ...all, $id: "model:all" });
  for (const key of Object.keys(model.schemas).filter((_, index) => index % every === 0)) {
    if (!ajv.getSchema(`model:all#/$defs/${key}`)) errors.push(`${key} does not compile`);
  }
  return errors;
}

/** Violations of the schema rules that `ApiModel` documents. */
export function formErrors(model: ApiModel): readonly string[] {
  const errors: string[] = [];
  for (const [key, schema] of Object.entries(model.schemas)) {
    if (!/^[A-Z][A-Za-z0-9_]*$/.test(key)) errors.push(`${key} is no type name`);
    check(schema, key, model, errors);
  }
  for (const [index, schema] of schemasIn(model).entries())
    check(schema, `operations ${index}`, model, errors);
  return errors;
}

const FORBIDDEN =
  /^(x-.*|nullable|discriminator|example|\$id|\$anchor|\$schema|\$defs|definitions|\$dynamic.*|\$recursive.*|externalDocs)$/;
const BESIDE_REFERENCE = new Set([
  "$ref",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "xml",
]);
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"];
const NAMED = ["properties", "patternProperties", "dependentSchemas"];
const SINGLE = [
  "items",
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contentSchema",
];

function check(schema: unknown, where: string, model: ApiModel, errors: string[]): void {
  if (typeof schema === "boolean") return;
  const object = schema as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(object)) if (FORBIDDEN.test(key)) errors.push(`${where}: ${key}`);
  if (typeof object.$ref === "string") {
    const key = object.$ref.replace("#/$defs/", "");
    if (!Object.hasOwn(model.schemas, key)) errors.push(`${where}: ${object.$ref} leads nowhere`);
    for (const beside of Object.keys(object))
      if (!BESIDE_REFERENCE.has(beside)) errors.push(`${where}: ${beside} beside $ref`);
  }
  for (const key of LISTS)
    for (const member of (object[key] ?? []) as readonly unknown[])
      check(member, `${where}/${key}`, model, errors);
  for (const key of NAMED)
    for (const [name, member] of Object.entries(object[key] ?? {}))
      check(member, `${where}/${name}`, model, errors);
  for (const key of SINGLE)
    if (object[key] !== undefined) check(object[key], `${where}/${key}`, model, errors);
}
