import { isObject, type JsonSchema } from "../../json.js";
import type { Content } from "../../model/types.js";
import { type AnySchema, resolve, type Schemas } from "../schema/refs.js";
import { fileKind } from "./media.js";

/** How a tool's input, which is JSON, holds files. */
export const FILES: Readonly<Record<"one" | "many", JsonSchema>> = {
  one: { type: "string", contentEncoding: "base64" },
  many: { type: "array", items: { type: "string", contentEncoding: "base64" } },
};

/** Alternatives of alternatives are looked at so far. */
const MAX_DEPTH = 4;

const PARTS = ["oneOf", "anyOf", "allOf"] as const;

/** The fields of a multipart body that are files, in any of its alternatives. */
export function fileFields(
  schema: AnySchema,
  content: Content,
  schemas: Schemas,
  depth = 0,
): ReadonlySet<string> {
  if (!isObject(schema) || depth > MAX_DEPTH) return new Set();
  const target = resolve(schemas, schema as JsonSchema);
  const own = Object.entries(target.properties ?? {}).flatMap(([name, property]) =>
    fileKind(property, schemas, content, name) === undefined ? [] : [name],
  );
  return new Set([
    ...own,
    ...PARTS.flatMap((key) =>
      (target[key] ?? []).flatMap((part) => [...fileFields(part, content, schemas, depth + 1)]),
    ),
  ]);
}

/**
 * A body of alternatives with its files as a tool holds them. A schema without files is left as it
 * is, with its name.
 */
export function withFiles(
  schema: JsonSchema,
  content: Content,
  schemas: Schemas,
  depth = 0,
): JsonSchema {
  if (fileFields(schema, content, schemas, depth).size === 0) return schema;
  const target = resolve(schemas, schema);
  const properties = Object.entries(target.properties ?? {}).map(
    ([name, property]) =>
      [name, fileSchema(property, fileKind(property, schemas, content, name), schemas)] as const,
  );
  const parts = PARTS.flatMap((key) =>
    target[key]
      ? [
          [
            key,
            target[key].map((part) =>
              isObject(part) ? withFiles(part as JsonSchema, content, schemas, depth + 1) : part,
            ),
          ] as const,
        ]
      : [],
  );
  return {
    ...target,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...Object.fromEntries(parts),
  };
}

/** An item that is a file. */
export const fileItem = (schema: AnySchema): AnySchema => fileSchema(schema, "one", {});

function fileSchema(
  property: AnySchema,
  kind: "one" | "many" | undefined,
  schemas: Schemas,
): AnySchema {
  if (kind === undefined) return property;
  const { description } = isObject(property)
    ? { description: property.description ?? resolve(schemas, property as JsonSchema).description }
    : {};
  return {
    ...FILES[kind],
    description: `${description === undefined ? "" : `${description} `}${kind === "one" ? "File content as base64." : "Files, each as base64."}`,
  };
}
