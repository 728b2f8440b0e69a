/** The body of the request. */
import type { BodyBinding } from "../../types.js";
import { contentText } from "../content.js";
import {
  chooseMediaType,
  isEventStream,
  isForm,
  isJson,
  isMultipart,
  isText,
  isXml,
} from "../media-type.js";
import { isCompound, isList, type Sendable } from "../sendable.js";
import { report, resolve, resolveParameter, type Call, type WireValue } from "../wire.js";
import { fieldsOf } from "./encoding.js";
import { mediaTypeOfFile } from "./file.js";
import { formBody } from "./form.js";
import { multipartBody, multipartSequence } from "./multipart.js";
import { writeContent } from "./write.js";
import { xmlDocumentOf } from "./xml.js";

export interface BodyContent {
  /** Complete, with boundary or charset where one is needed. */
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

/** An XML root that the document does not name. */
const ROOT = "root";

/**
 * Writes the body from the call's input. `undefined` when there is none: the operation has no body,
 * or nothing was given for an optional one. A required body of fields is sent even without any:
 * `{}` as JSON. Problems are reported to the call.
 */
export function bindBody(body: BodyBinding | undefined, call: Call): BodyContent | undefined {
  if (body === undefined) return undefined;
  return body.from === undefined ? bodyOfFields(body, call) : bodyOfInput(body, body.from, call);
}

function bodyOfFields(body: BodyBinding, call: Call): BodyContent | undefined {
  const fields = Object.entries(body.fields ?? {}).flatMap(
    ([name, wire]) => resolve(name, wire, call) ?? [],
  );
  if (fields.length === 0 && body.required !== true) return undefined;
  reportCount(fields.length, body, call);
  if (isMultipart(body.contentType)) return multipartBody(fields, body, call);
  return { contentType: withCharset(body.contentType), content: fieldsText(fields, body, call) };
}

/**
 * JSON Schema says of an object how many properties it has; inputs of a tool cannot, for some of
 * them go elsewhere.
 */
function reportCount(
  count: number,
  { fields = {}, least = 0, most = Infinity }: BodyBinding,
  call: Call,
): void {
  if (count >= least && count <= most) return;
  const inputs = Object.values(fields).flatMap((wire) =>
    typeof wire === "string" ? [wire] : "from" in wire ? [wire.from] : [],
  );
  report(
    call,
    "",
    `give ${count < least ? `at least ${least}` : `at most ${most}`} of ${inputs.slice(0, 20).join(", ")}`,
  );
}

function fieldsText(fields: readonly WireValue[], body: BodyBinding, call: Call): string {
  if (isForm(body.contentType)) return formBody(fields, body);
  const refuse = (problem: string): void => report(call, "", `the request body ${problem}`);
  if (isXml(body.contentType)) return xmlDocumentOf({ name: ROOT, refuse }, fields, body.xml ?? {});
  return contentText(
    { value: Object.fromEntries(fields.map(({ name, value }) => [name, value])) },
    body.contentType,
  );
}

function bodyOfInput(body: BodyBinding, from: string, call: Call): BodyContent | undefined {
  const absence = body.required === true ? "is missing; the request needs a body" : undefined;
  // Only JSON can say `null`; for any other media type it is no body.
  const whole = (isJson(body.contentType) ? resolve : resolveParameter)(ROOT, from, call, absence);
  if (whole === undefined) return undefined;
  if (isMultipart(body.contentType))
    return isList(whole.value)
      ? multipartSequence(whole, body, call)
      : multipartBody(fieldsOf(whole), body, call);
  const contentType = concreteType(
    [body.contentType, ...(body.others ?? [])].join(", "),
    whole.value,
  );
  if (isForm(contentType) && isCompound(whole.value))
    return { contentType, content: formBody(fieldsOf(whole), body) };
  return {
    contentType: withCharset(contentType),
    content: writeContent(whole, contentType, body.xml),
  };
}

/**
 * For an API that accepts `image/*`, or several types: what a file is, else the most general type
 * of the value.
 */
function concreteType(contentType: string, value: Sendable): string {
  if (!/[*,]/.test(contentType)) return contentType;
  if (typeof value !== "string")
    return contentType.includes("*")
      ? "application/json"
      : (chooseMediaType(contentType) ?? contentType);
  return (
    chooseMediaType(contentType, mediaTypeOfFile(value)) ??
    (isText(contentType) ? "text/plain" : "application/octet-stream")
  );
}

/** Text is sent as UTF-8, which is the default of JSON, forms and events but not of `text/*`. */
function withCharset(contentType: string): string {
  return isText(contentType) && !isEventStream(contentType) && !/;\s*charset=/i.test(contentType)
    ? `${contentType}; charset=utf-8`
    : contentType;
}
