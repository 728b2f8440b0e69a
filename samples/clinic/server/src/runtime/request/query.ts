/** Query of the request. */
import { isForm } from "../data/media-types.js";
import type { InputSource, ParameterSource, RequestMapping } from "../types.js";
import { fieldsOf, formBody } from "./body/form.js";
import { type BindingContext, type ParameterValue, resolveParameter } from "./parameter-source.js";
import { encodeReservedQuery, percentEncode } from "./percent-encoding.js";
import { isPinned, rejectPinnedNames } from "./pinned-names.js";
import { isStructured, serialize } from "./serialize.js";
import { namedPairs, type Pair } from "./styles.js";

/** Binds everything after the `?`; empty without parameters. */
export function bindQuery(
  mapping: Pick<RequestMapping, "query" | "querystring">,
  binding: BindingContext,
): string {
  const pairs = Object.entries(mapping.query ?? {}).flatMap(([name, source]) =>
    parameterPairs(name, source, binding),
  );
  const parts = pairs.map(([name, value]) => `${name}=${value}`);
  const querystring =
    mapping.querystring === undefined ? "" : bindQuerystring(mapping.querystring, binding);
  return (querystring === "" ? parts : [...parts, querystring]).join("&");
}

function parameterPairs(
  name: string,
  source: ParameterSource,
  call: BindingContext,
): readonly Pair[] {
  const parameter = resolveParameter(name, source, call);
  if (parameter === undefined) return [];
  const encode = parameter.allowReserved === true ? encodeReservedQuery : percentEncode;
  const pairs: readonly Pair[] =
    parameter.contentType === undefined
      ? namedPairs(parameter, { name: percentEncode, value: encode })
      : [[percentEncode(name), encode(serializeQueryValue(parameter, parameter.contentType))]];
  if (!isPinned(source))
    rejectPinnedNames(namesIn(pairs.map((pair) => pair.join("="))), call.pinned.query, parameter);
  return pairs;
}

/** Decoded names of encoded pairs. Some receivers separate pairs at `;`, too. */
function namesIn(pairs: readonly string[]): readonly string[] {
  return pairs
    .flatMap((pair) => pair.split(/[&;]/))
    .flatMap((pair) => [...new URLSearchParams(pair).keys()]);
}

/**
 * Binds `in: querystring` of OpenAPI 3.2: a form, by fields or complete, or one encoded text of
 * another media type.
 */
function bindQuerystring(source: InputSource, call: BindingContext): string {
  const parameter = resolveParameter("query", source, call);
  if (parameter === undefined) return "";
  const contentType = parameter.contentType ?? "application/x-www-form-urlencoded";
  const text = serializeQueryValue(parameter, contentType);
  const query = isForm(contentType) ? encodeFormQuery(text) : percentEncode(text);
  rejectPinnedNames(namesIn([query]), call.pinned.query, parameter);
  return query;
}

function serializeQueryValue(parameter: ParameterValue, contentType: string): string {
  const { value, encoding } = parameter;
  if (!isForm(contentType) || !isStructured(value)) return serialize(parameter, contentType);
  return formBody(fieldsOf(parameter), { encoding });
}

/** Encodes a complete form. Its structure stays. */
function encodeFormQuery(form: string): string {
  const text = form.startsWith("?") ? form.slice(1) : form;
  return text
    .split(/([&=+]+)/)
    .map((part, index) => (index % 2 === 1 ? part : encodeReservedQuery(part)))
    .join("");
}
