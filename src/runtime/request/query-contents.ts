/** Contents of media types in the query. */
import { isForm } from "../data/media-types.js";
import type { InputSource } from "../types.js";
import { type BindingContext, type ParameterValue, resolveParameter } from "./parameter-source.js";
import { namesIn, rejectPinnedNames } from "./pinned-names.js";
import { encodeReservedQuery, isStructured, percentEncode } from "./serialize.js";
import { serialize } from "./serialize-content.js";
import { fieldsOf, formBody } from "./styles.js";

/**
 * Binds `in: querystring` of OpenAPI 3.2: a form, by fields or complete, or one encoded text of
 * another media type.
 */
export function bindQuerystring(source: InputSource, binding: BindingContext): string {
  const parameter = resolveParameter("query", source, binding);
  if (parameter === undefined) return "";
  const contentType = parameter.contentType ?? "application/x-www-form-urlencoded";
  const text = serializeQueryValue(parameter, contentType);
  const query = isForm(contentType) ? encodeFormQuery(text) : percentEncode(text);
  rejectPinnedNames(namesIn([query]), binding.pinned.query, parameter);
  return query;
}

/** The text of a value in a media type. */
export function serializeQueryValue(parameter: ParameterValue, contentType: string): string {
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
