import { type JsonSchema, typesOf } from "../json.js";
import type { Context } from "./context.js";
import type { Pointer } from "./pointer.js";

/**
 * Schema of a multipart form. A form consists of named fields, so a document that declares text
 * alone omits the names: a file is sent as the field `file`, as most APIs name it, and any fields
 * are accepted otherwise.
 */
export function formSchema(c: Context, schema: JsonSchema, pointer: Pointer): JsonSchema {
  const target = c.schemas.dereference(c, schema) ?? {};
  if (typesOf(target).join() !== "string") return schema;
  const isFile = target.format === "binary";
  c.diagnostics.add(
    "model-media-type",
    pointer.child("schema"),
    "A form has named fields, but the schema is a string. " +
      (isFile ? "The file is sent as the field `file`." : "Any fields are accepted."),
  );
  return isFile
    ? { type: "object", properties: { file: schema }, required: ["file"] }
    : { type: "object", additionalProperties: true };
}
