import { isObject, type JsonSchema } from "../../json.js";
import type { At } from "../at.js";
import type { Context } from "../context.js";
import { quote } from "../findings.js";
import { isExtension, own, type Raw } from "../read.js";
import { toSchema } from "../schema/convert.js";
import type { Serialisation } from "../style.js";
import type { ParameterLocation, ParameterStyle } from "../types.js";

/** What a 2.0 parameter has besides the keywords of its schema. */
const NOT_SCHEMA = new Set([
  "name",
  "in",
  "description",
  "required",
  "allowEmptyValue",
  "collectionFormat",
  "deprecated",
  "style",
  "explode",
  "allowReserved",
  "examples",
  "schema",
  "content",
]);

/**
 * The schema of a Swagger 2.0 parameter, header or Items Object: its keywords stand among the
 * others.
 */
export function swaggerSchema(c: Context, raw: Raw, at: At): JsonSchema {
  return toSchema(c, withoutFields(raw), at);
}

function withoutFields(raw: Raw): Raw {
  const schema: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    if (NOT_SCHEMA.has(key) || (isExtension(key) && key !== "x-nullable")) continue;
    schema[key] = key === "items" && isObject(value) ? withoutFields(value) : value;
  }
  if (schema.example === undefined && raw["x-example"] !== undefined)
    schema.example = raw["x-example"];
  return schema;
}

/** Styles of queries in 3.x; in 2.0 they go everywhere. */
const DELIMITED: ReadonlyMap<unknown, ParameterStyle> = new Map([
  ["ssv", "spaceDelimited"],
  ["tsv", "tabDelimited"],
  ["pipes", "pipeDelimited"],
]);

/** How `collectionFormat` is said in 3.x. Swagger 2.0, "Parameter Object". */
export function swaggerSerialisation(
  c: Context,
  raw: Raw,
  location: ParameterLocation,
  at: At,
): Serialisation {
  const isQuery = location === "query" || location === "cookie";
  const plain: Serialisation = {
    style: isQuery ? "form" : "simple",
    explode: isQuery && raw.type !== "array",
  };
  if (raw.type !== "array") return plain;
  reportNested(c, raw, at);
  const written = own(raw, "collectionFormat") ?? "csv";
  if (written === "csv") return plain;
  if (isQuery && written === "multi") return { style: "form", explode: true };
  const style = DELIMITED.get(written);
  if (style) return { style, explode: false };
  const shown = typeof written === "string" ? quote(written) : "given";
  c.findings.add(
    "model-parameter-style",
    at.child("collectionFormat"),
    `The \`collectionFormat\` ${shown} does not go with a ${location} parameter; values are separated by commas.`,
  );
  return plain;
}

/** Lists of lists: only the outer one can have a separator. */
function reportNested(c: Context, raw: Raw, at: At): void {
  const items = own(raw, "items");
  if (isObject(items) && items.type === "array") {
    c.findings.add(
      "model-parameter-style",
      at.child("items"),
      "A list of lists has no form in a parameter since OpenAPI 3.0; the inner lists are sent as they are.",
    );
  }
}
