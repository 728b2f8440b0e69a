/** The query of the request. */
import type { SendBinding, Wire, WireInput } from "../types.js";
import { fieldsOf } from "./body/encoding.js";
import { formBody } from "./body/form.js";
import { contentText } from "./content.js";
import { isForm } from "./media-type.js";
import { encodeReservedQuery, percentEncode } from "./percent.js";
import { namedPairs, type Pair } from "./styles.js";
import { isCompound } from "./sendable.js";
import { resolveParameter, type Call, type WireValue } from "./wire.js";

/** Everything after the `?`; empty when no parameter is given. */
export function bindQuery(send: Pick<SendBinding, "query" | "querystring">, call: Call): string {
  const pairs = Object.entries(send.query ?? {}).flatMap(([name, wire]) =>
    parameterPairs(name, wire, call),
  );
  const parts = pairs.map(([name, value]) => `${name}=${value}`);
  const whole = send.querystring === undefined ? "" : wholeQuery(send.querystring, call);
  return (whole === "" ? parts : [...parts, whole]).join("&");
}

function parameterPairs(name: string, wire: Wire, call: Call): readonly Pair[] {
  const parameter = resolveParameter(name, wire, call);
  if (parameter === undefined) return [];
  const encode = parameter.allowReserved === true ? encodeReservedQuery : percentEncode;
  if (parameter.contentType !== undefined)
    return [[percentEncode(name), encode(textOf(parameter, parameter.contentType))]];
  return namedPairs(parameter, { name: percentEncode, value: encode });
}

/**
 * OpenAPI 3.2, `in: querystring`: a form, by fields or ready-made, or any other media type as one
 * encoded text.
 */
function wholeQuery(wire: WireInput, call: Call): string {
  const parameter = resolveParameter("query", wire, call);
  if (parameter === undefined) return "";
  const contentType = parameter.contentType ?? "application/x-www-form-urlencoded";
  const text = textOf(parameter, contentType);
  return isForm(contentType) ? asQuery(text) : percentEncode(text);
}

function textOf(parameter: WireValue, contentType: string): string {
  const { value, encoding } = parameter;
  if (!isForm(contentType) || !isCompound(value)) return contentText(parameter, contentType);
  return formBody(fieldsOf(parameter), { encoding });
}

/**
 * A form that may have been put together elsewhere: its structure stays, what no query can hold is
 * encoded.
 */
function asQuery(form: string): string {
  const text = form.startsWith("?") ? form.slice(1) : form;
  return text
    .split(/([&=+]+)/)
    .map((part, index) => (index % 2 === 1 ? part : encodeReservedQuery(part)))
    .join("");
}
