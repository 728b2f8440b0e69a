import type { At } from "../at.js";
import { Contents } from "../content.js";
import type { Context } from "../context.js";
import { own, record, type Raw } from "../read.js";
import { toSchema } from "../schema/convert.js";
import type { Content } from "../types.js";
import { mimeTypes } from "./mime-types.js";

/** Swagger 2.0: the schema of a response in each media type that the operation produces. */
export function swaggerContents(
  c: Context,
  operation: Raw,
  operationAt: At,
  response: Raw,
  at: At,
): readonly Content[] {
  const written = own(response, "schema");
  if (written === undefined || written === null) return [];
  const schema = toSchema(c, written, at.child("schema"));
  const examples = record(c, response, "examples", at) ?? {};
  const isFile = (written as Raw).type === "file";
  const declared = mimeTypes(c, operation, "produces", operationAt);
  const contents = new Contents(c, "response");
  for (const type of declared.length > 0
    ? declared
    : [{ name: isFile ? "application/octet-stream" : "application/json", at }]) {
    const example = own(examples, type.name);
    contents.add(type.name, type.at, () => ({
      schema,
      ...(example !== undefined && { examples: [example] }),
      place: at.place,
    }));
  }
  return contents.list;
}
