/** Responses that ask the caller for the file that the work needs. */
import { isObject } from "../../json.js";
import { allFields } from "../schemas/flat-object.js";
import type { AnySchema, Schemas } from "../schemas/refs.js";

/** True for a response with the URL to which the caller has to upload what the work needs. */
export function awaitsUpload(schema: AnySchema, schemas: Schemas, depth = 0): boolean {
  return [...allFields(schema, schemas)].some(
    ([name, field]) =>
      UPLOAD_URL.test(name) ||
      (PLAIN_URL.test(name) && UPLOAD_PLACE.test(descriptionOf(field))) ||
      (depth < 2 && awaitsUpload(field, schemas, depth + 1)),
  );
}

const UPLOAD_URL = /upload_?(?:url|uri|link)s?$/i;

/** A URL whose description says that the caller sends a file there. */
const PLAIN_URL = /^(?:location|url|uri|href|link)$/i;
const UPLOAD_PLACE = /\b(?:to which|where|URL|URI|location) (?:\w+ ){0,3}(?:PUT|upload)\b/i;

const descriptionOf = (field: AnySchema): string =>
  isObject(field) ? `${field["description"] ?? ""}`.slice(0, MAX_DESCRIPTION) : "";

/** Maximum number of characters of a field's description that are read. */
const MAX_DESCRIPTION = 500;
