import { isObject, type JsonSchema } from "../../json.js";
import type { Context } from "../context.js";
import type { Pointer } from "../pointer.js";
import { quote } from "../diagnostics.js";
import { isExtension, ownProperty, type RawObject } from "../raw-object.js";
import { convertSchema } from "../schema/convert.js";
import type { Serialization } from "../parameter-style.js";
import type { ParameterLocation, ParameterStyle } from "../types.js";

/** Fields of a 2.0 parameter that are not keywords of its schema. */
const PARAMETER_FIELDS = new Set(
  (
    "name in description required allowEmptyValue collectionFormat deprecated style explode " +
    "allowReserved examples schema content"
  ).split(" "),
);

/**
 * Extracts the schema of a Swagger 2.0 parameter, header or Items Object, whose fields include the
 * schema keywords. Some authors write a `schema` instead, as in OpenAPI 3.0.
 */
export function swaggerSchema(c: Context, raw: RawObject, pointer: Pointer): JsonSchema {
  const schema = ownProperty(raw, "schema");
  if (ownProperty(raw, "type") !== undefined || !isObject(schema))
    return convertSchema(c, withoutParameterFields(raw), pointer);
  c.diagnostics.add(
    "model-parameter",
    pointer,
    "The parameter has a `schema` and no `type`, as in OpenAPI 3.0; the schema is used.",
  );
  return convertSchema(c, schema, pointer.child("schema"));
}

function withoutParameterFields(raw: RawObject): RawObject {
  const schema: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    if (PARAMETER_FIELDS.has(key) || (isExtension(key) && key !== "x-nullable")) continue;
    schema[key] = key === "items" && isObject(value) ? withoutParameterFields(value) : value;
  }
  if (schema.example === undefined && raw["x-example"] !== undefined)
    schema.example = raw["x-example"];
  return schema;
}

/** Styles that 3.x allows in queries only; 2.0 allows them everywhere. */
const DELIMITED_STYLES: ReadonlyMap<unknown, ParameterStyle> = new Map([
  ["ssv", "spaceDelimited"],
  ["tsv", "tabDelimited"],
  ["pipes", "pipeDelimited"],
]);

/** Converts `collectionFormat` to a 3.x style. Swagger 2.0, "Parameter Object". */
export function swaggerSerialization(
  c: Context,
  raw: RawObject,
  location: ParameterLocation,
  pointer: Pointer,
): Serialization {
  const isQuery = location === "query" || location === "cookie";
  const defaults: Serialization = {
    style: isQuery ? "form" : "simple",
    explode: isQuery && raw.type !== "array",
  };
  if (raw.type !== "array") return defaults;
  reportNestedArray(c, raw, pointer);
  const format = ownProperty(raw, "collectionFormat") ?? "csv";
  if (format === "csv") return defaults;
  if (isQuery && format === "multi") return { style: "form", explode: true };
  const style = DELIMITED_STYLES.get(format);
  if (style) return { style, explode: false };
  const quoted = typeof format === "string" ? quote(format) : "given";
  c.diagnostics.add(
    "model-parameter-style",
    pointer.child("collectionFormat"),
    `The \`collectionFormat\` ${quoted} is not valid for a ${location} parameter; values are separated by commas.`,
  );
  return defaults;
}

/** Reports nested arrays. Only the outer one can have a separator. */
function reportNestedArray(c: Context, raw: RawObject, pointer: Pointer): void {
  const items = ownProperty(raw, "items");
  if (isObject(items) && items.type === "array") {
    c.diagnostics.add(
      "model-parameter-style",
      pointer.child("items"),
      "Parameters cannot serialize nested arrays since OpenAPI 3.0; inner arrays are sent unchanged.",
    );
  }
}
