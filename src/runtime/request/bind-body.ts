/** Binding of a tool's input to the body of a request. */
import {
  chooseMediaType,
  isEventStream,
  isForm,
  isJson,
  isMultipart,
  isText,
  isXml,
} from "../data/media-types.js";
import { ownProperty } from "../data/values.js";
import type { BodyMapping, FieldEncoding } from "../types.js";
import { detectFileInputType, serializeContent } from "./body/content.js";
import { multipartBody, multipartSequence } from "./body/multipart.js";
import { xmlDocumentOf } from "./body/xml.js";
import { applyInnerFields, applyInnerFieldsToBody } from "./inner-fields.js";
import {
  addProblem,
  type BindingContext,
  inputOf,
  type ParameterValue,
  resolveParameter,
  resolveValue,
} from "./parameter-source.js";
import { isPinned, isSameName, rejectPinnedNames } from "./pinned-names.js";
import { isReadonlyArray, isStructured, type SerializableValue, verbatim } from "./serialize.js";
import { serialize } from "./serialize-content.js";
import { encodingOf, fieldsOf, formBody, hasStyle, namedPairs } from "./styles.js";

/** Body of the request. */
export interface BodyContent {
  /** Complete media type, with boundary or charset where it is needed. */
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

/** Maximum number of inputs in a problem. */
const MAX_INPUTS = 20;

/** Name of an XML root that the document does not name. */
const XML_ROOT = "root";

/**
 * Binds the body; `undefined` when the operation has none, or an optional one is absent. A required
 * body of fields is sent even without fields: `{}` as JSON.
 */
export function bindBody(
  body: BodyMapping | undefined,
  binding: BindingContext,
): BodyContent | undefined {
  if (body === undefined) return undefined;
  return body.from === undefined
    ? bodyOfFields(body, binding)
    : bodyOfInput(body, body.from, binding);
}

/**
 * Adds undocumented fields to an open body. Those that the server sets or hides are problems,
 * except for the constant that the server sends anyway.
 */
export function withFields(
  body: BodyMapping | undefined,
  names: readonly string[],
  binding: BindingContext,
): BodyMapping | undefined {
  if (!body?.isOpen) return body;
  const others = names.filter(
    (name) => !isConstant(ownProperty(body.fields ?? {}, name), ownProperty(binding.input, name)),
  );
  if (others.length === 0) return body;
  for (const name of others) {
    const reportProblem = (problem: string): void => addProblem(binding, name, problem);
    rejectPinnedNames([name], binding.pinned.field, { name: "", reportProblem });
    if (body.hiddenFields?.some((hidden) => isSameName(hidden, name)))
      reportProblem("is not an input of this server; leave it out");
  }
  const added = Object.fromEntries(others.map((name) => [name, name]));
  return { ...body, fields: { ...body.fields, ...added } };
}

function isConstant(source: unknown, value: unknown): boolean {
  return (
    typeof source === "object" &&
    source !== null &&
    "value" in source &&
    JSON.stringify(source.value) === JSON.stringify(value)
  );
}

function bodyOfFields(body: BodyMapping, binding: BindingContext): BodyContent | undefined {
  const given = Object.entries(body.fields ?? {}).flatMap(([name, source]) => {
    const field = resolveValue(name, source, binding);
    if (field && !isPinned(source)) rejectPinnedFields(field, encodingOf(body, field), binding);
    return field ?? [];
  });
  const fields = applyInnerFields(given, body, binding);
  if (fields.length === 0 && body.required !== true) return undefined;
  checkPropertyCount(fields.length, body, binding);
  const hasFile = fields.some((field) => encodingOf(body, field).file === true);
  const contentType = (hasFile && body.fileType) || body.contentType;
  if (isMultipart(contentType)) return multipartBody(fields, { ...body, contentType }, binding);
  return { contentType: withCharset(contentType), content: serializeFields(fields, body, binding) };
}

/** Reports members of an exploded field that become pinned fields of the form. */
function rejectPinnedFields(
  field: ParameterValue,
  encoding: FieldEncoding,
  { pinned }: BindingContext,
): void {
  if (pinned.field.size === 0 || !hasStyle(encoding)) return;
  const { style, explode } = encoding;
  const pairs = namedPairs({ ...field, style, explode }, { name: verbatim, value: verbatim });
  const names = pairs.map(([name]) => name).filter((name) => name !== field.name);
  rejectPinnedNames(names, pinned.field, field);
}

/**
 * Reports too few or too many fields. The input schema cannot, because some inputs are not fields.
 */
function checkPropertyCount(
  count: number,
  { fields = {}, minProperties = 0, maxProperties = Infinity }: BodyMapping,
  binding: BindingContext,
): void {
  if (count >= minProperties && count <= maxProperties) return;
  const inputs = Object.values(fields).flatMap((source) => inputOf(source) ?? []);
  const limit = count < minProperties ? `at least ${minProperties}` : `at most ${maxProperties}`;
  addProblem(binding, "", `pass ${limit} of ${inputs.slice(0, MAX_INPUTS).join(", ")}`);
}

function serializeFields(
  fields: readonly ParameterValue[],
  body: BodyMapping,
  binding: BindingContext,
): string {
  if (isForm(body.contentType)) return formBody(fields, body);
  const reportProblem = (problem: string): void =>
    addProblem(binding, "", `the request body ${problem}`);
  if (isXml(body.contentType))
    return xmlDocumentOf({ name: XML_ROOT, reportProblem }, fields, body.xml ?? {});
  return serialize({ value: inEnvelope(fields, body) }, body.contentType);
}

/** The fields as an object, in the objects around it: `{user: {name}}`. */
const inEnvelope = (
  fields: readonly ParameterValue[],
  { envelope = [] }: BodyMapping,
): SerializableValue =>
  envelope.reduceRight<SerializableValue>(
    (value, name) => ({ [name]: value }),
    Object.fromEntries(fields.map(({ name, value }) => [name, value])),
  );

function bodyOfInput(
  body: BodyMapping,
  from: string,
  binding: BindingContext,
): BodyContent | undefined {
  const absence = body.required === true ? "is missing; the request needs a body" : undefined;
  const isEmpty = body.emptyByDefault && ownProperty(binding.input, from) === undefined;
  // Only JSON can express `null`. For other media types it is an absent body.
  const given = (isJson(body.contentType) ? resolveValue : resolveParameter)(
    XML_ROOT,
    isEmpty ? { value: {} } : from,
    binding,
    absence,
  );
  if (given === undefined) return undefined;
  const parameter = applyInnerFieldsToBody(given, body, binding);
  if (isMultipart(body.contentType))
    return isReadonlyArray(parameter.value)
      ? multipartSequence(parameter, body, binding)
      : multipartBody(fieldsOf(parameter), body, binding);
  const contentType = concreteType(
    [body.contentType, ...(body.alternativeTypes ?? [])].join(", "),
    parameter.value,
  );
  if (isForm(contentType) && isStructured(parameter.value))
    return { contentType, content: formBody(fieldsOf(parameter), body) };
  return {
    contentType: withCharset(contentType),
    content: serializeContent(parameter, contentType, body.xml),
  };
}

/**
 * Chooses the media type for an API that accepts several: that of a file, otherwise the most
 * general one.
 */
function concreteType(contentType: string, value: SerializableValue): string {
  if (!/[*,]/.test(contentType)) return contentType;
  if (typeof value !== "string")
    return contentType.includes("*")
      ? "application/json"
      : (chooseMediaType(contentType) ?? contentType);
  return (
    chooseMediaType(contentType, detectFileInputType(value)) ??
    (isText(contentType) ? "text/plain" : "application/octet-stream")
  );
}

/** Adds the charset to `text/*`, whose default is not UTF-8. */
function withCharset(contentType: string): string {
  return isText(contentType) && !isEventStream(contentType) && !/;\s*charset=/i.test(contentType)
    ? `${contentType}; charset=utf-8`
    : contentType;
}
