import { isObject, type JsonSchema } from "../json.js";
import type { At } from "./at.js";
import type { Context } from "./context.js";
import { deref, type Located } from "./deref.js";
import { readEncodings } from "./encoding.js";
import { examplesOf } from "./examples.js";
import { quote } from "./findings.js";
import { headerUse, isToken } from "./header-names.js";
import { parseMediaType } from "./media-type.js";
import { flag, neededRecord, own, text, type Raw } from "./read.js";
import { toSchema } from "./schema/convert.js";
import { serialisation, type Serialisation } from "./style.js";
import { swaggerSchema, swaggerSerialisation } from "./swagger2/items.js";
import type { Parameter, ParameterLocation } from "./types.js";

/** A parameter whose name and place are usable. */
export interface NamedParameter extends Located {
  readonly name: string;
  readonly in: ParameterLocation;
}

/**
 * Reads one parameter of any version. Parameters that operations share are read once.
 * @returns undefined when it cannot be sent; a diagnostic says why
 */
export function readParameter(c: Context, parameter: NamedParameter): Parameter | undefined {
  const { parameters } = c.shared;
  const { raw } = parameter;
  const isMoved = parameter.in !== raw.in;
  if (!isMoved && parameters.has(raw)) return parameters.get(raw);
  const read = isSendable(c, parameter) ? parameterOf(c, parameter) : undefined;
  if (!isMoved) parameters.set(raw, read);
  return read;
}

function parameterOf(c: Context, { raw, at, name, in: location }: NamedParameter): Parameter {
  const description = text(c, raw, "description", at);
  reportEmptyValue(c, raw, at);
  const value =
    c.version === "2.0" ? swaggerValue(c, raw, location, at) : valueOf(c, raw, location, at);
  const required = flag(c, raw, "required", at) ?? false;
  return {
    name,
    in: location,
    ...(description !== undefined && { description }),
    required: location === "path" || required,
    deprecated: flag(c, raw, "deprecated", at) ?? false,
    ...value,
    allowReserved: allowsReserved(c, raw, location, value, at),
    place: at.place,
  };
}

export function reportEmptyValue(c: Context, raw: Raw, at: At): void {
  if (raw.allowEmptyValue === true)
    c.findings.add(
      "model-parameter-ignored",
      at.child("allowEmptyValue"),
      "`allowEmptyValue` is not used: a value that is empty is sent as such.",
    );
}

interface Value extends Serialisation, Pick<Parameter, "schema" | "contentType" | "encoding"> {}

function swaggerValue(c: Context, raw: Raw, location: ParameterLocation, at: At): Value {
  return { schema: swaggerSchema(c, raw, at), ...swaggerSerialisation(c, raw, location, at) };
}

/** OpenAPI 3.x: a schema with a style, or one media type. */
function valueOf(c: Context, raw: Raw, location: ParameterLocation, at: At): Value {
  const styled = own(raw, "schema") !== undefined || own(raw, "content") === undefined;
  if (styled && location !== "querystring") {
    if (own(raw, "content") !== undefined)
      c.findings.add(
        "model-parameter",
        at.child("content"),
        "`content` stands beside `schema`; it is left out.",
      );
    const schema = withExamples(styledSchema(c, raw, at), examplesOf(c, raw, at));
    return {
      schema,
      ...serialisation(c, own(raw, "style"), flag(c, raw, "explode", at), location, at),
    };
  }
  return mediaValue(c, raw, location, at);
}

function styledSchema(c: Context, raw: Raw, at: At): JsonSchema {
  const schema = own(raw, "schema");
  if (schema !== undefined && schema !== null) return toSchema(c, schema, at.child("schema"));
  const message =
    own(raw, "type") !== undefined
      ? "`type` stands on the parameter itself, as in Swagger 2.0; it is taken as its schema."
      : "The parameter has neither `schema` nor `content`; any text is accepted.";
  c.findings.add("model-parameter", at, message);
  return own(raw, "type") !== undefined ? swaggerSchema(c, raw, at) : { type: "string" };
}

function mediaValue(c: Context, raw: Raw, location: ParameterLocation, at: At): Value {
  const content = neededRecord(c, raw, "content", at) ?? {};
  const [written, ...others] = Object.keys(content);
  const place = at.child("content");
  const style = serialisation(c, undefined, undefined, location, at);
  const parsed = written === undefined ? undefined : parseMediaType(written);
  if (others.length > 0)
    c.findings.add("model-parameter", place, "A parameter has one media type; the first is used.");
  if (written === undefined || !parsed) {
    c.findings.add(
      "model-parameter",
      place,
      "The parameter has no legal media type; any text is accepted.",
    );
    return { schema: { type: "string" }, ...style };
  }
  const media = deref(c, content[written], place.child(written), "media type", true);
  const schema =
    media && isObject(own(media.raw, "schema"))
      ? toSchema(c, media.raw.schema, media.at.child("schema"))
      : {};
  const examples = [
    ...examplesOf(c, raw, at),
    ...(media ? examplesOf(c, media.raw, media.at) : []),
  ];
  const { encoding } = media ? readEncodings(c, media.raw, media.at, parsed.name) : {};
  return {
    schema: withExamples(schema, examples),
    ...style,
    contentType: parsed.name,
    ...(encoding && { encoding }),
  };
}

/** Examples of the parameter come before those of its schema: they are closer to it. */
export function withExamples(schema: JsonSchema, examples: readonly unknown[]): JsonSchema {
  return examples.length === 0
    ? schema
    : { ...schema, examples: [...examples, ...(schema.examples ?? [])] };
}

/**
 * Up to 3.1 `allowReserved` is for queries only; 3.2 has it wherever place and style percent-encode
 * the values of a schema.
 */
function allowsReserved(
  c: Context,
  raw: Raw,
  location: ParameterLocation,
  { style, contentType }: Value,
  at: At,
): boolean {
  if (c.version === "2.0" || flag(c, raw, "allowReserved", at) !== true) return false;
  if (
    location === "query" ||
    (c.version === "3.2" &&
      contentType === undefined &&
      (location === "path" || (location === "cookie" && style === "form")))
  )
    return true;
  c.findings.add(
    "model-parameter-ignored",
    at.child("allowReserved"),
    `\`allowReserved\` does not apply to a ${location} parameter.`,
  );
  return false;
}

function isSendable(c: Context, { name, in: location, at }: NamedParameter): boolean {
  if (location === "cookie" && !isToken(name))
    return leftOut(c, "is no legal cookie name", name, at);
  if (location !== "header") return true;
  const use = headerUse(name);
  if (use === "use") return true;
  if (use === "illegal") return leftOut(c, "is no legal header name", name, at);
  if (use === "reserved") return leftOut(c, "is set by the HTTP client itself", name, at);
  reportIgnored(c, name, at);
  return false;
}

/**
 * OpenAPI 3.x demands it. 2.0 has no such rule, but credentials and media types are not for callers
 * to set there either.
 */
export function reportIgnored(c: Context, name: string, at: At): void {
  c.findings.add(
    "model-header-ignored",
    at,
    `The header parameter ${quote(name)} is ignored: media types and credentials are described elsewhere.`,
  );
}

function leftOut(c: Context, why: string, name: string, at: At): false {
  c.findings.add("model-header", at, `${quote(name)} ${why}; the parameter is left out.`);
  return false;
}
