import { isObject } from "../json.js";
import type { Pointer } from "./pointer.js";
import type { Context } from "./context.js";
import { dereference, type LocatedObject } from "./references.js";
import { quote } from "./diagnostics.js";
import { emptyRecord, ownProperty, readObject, readString, type RawObject } from "./raw-object.js";
import type { LocatedResponse } from "./responses.js";
import { parsePathKey } from "./paths.js";
import type { Link } from "./types.js";
import { splitPointer } from "../json-pointer.js";

/** Valid targets of links: the `operationId`s of all operations. */
export type OperationIds = ReadonlySet<string>;

/**
 * Reads the OpenAPI 3.x Link Objects of an operation's responses. A link without a target is left
 * out with a warning.
 */
export function readLinks(
  c: Context,
  responses: readonly LocatedResponse[],
  ids: OperationIds,
): readonly Link[] {
  return responses.flatMap(({ source: { raw, pointer } }) => {
    if (!("links" in raw)) return [];
    const links = readObject(c, raw, "links", pointer) ?? {};
    return Object.keys(links).flatMap((name) => {
      const link = dereference(c, links[name], pointer.child("links").child(name), "link");
      return (link && readLink(c, name, link, ids)) ?? [];
    });
  });
}

function readLink(
  c: Context,
  name: string,
  { raw, pointer }: LocatedObject,
  ids: OperationIds,
): Link | undefined {
  const target = resolveLinkTarget(c, raw, pointer, ids);
  if (!target) {
    c.diagnostics.add(
      "model-link",
      pointer,
      `The link ${quote(name)} does not refer to an operation of the document; it is left out.`,
    );
    return undefined;
  }
  const description = readString(c, raw, "description", pointer);
  const parameters = Object.assign(
    emptyRecord<unknown>(),
    readObject(c, raw, "parameters", pointer),
  );
  for (const key of ["requestBody", "server"])
    if (key in raw)
      c.diagnostics.add(
        "model-field-ignored",
        pointer.child(key),
        `\`${key}\` of a link is not supported.`,
      );
  return { name, ...target, parameters, ...(description !== undefined && { description }) };
}

function resolveLinkTarget(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
  ids: OperationIds,
): Pick<Link, "operationId" | "operation"> | undefined {
  const operationId = readString(c, raw, "operationId", pointer);
  if (operationId !== undefined) return ids.has(operationId) ? { operationId } : undefined;
  const ref = readString(c, raw, "operationRef", pointer);
  const operation = ref === undefined ? undefined : operationAtReference(c, ref, pointer);
  return operation === undefined ? undefined : { operation };
}

/** `#/paths/~1pets~1{id}/get` → `GET /pets/{id}`. */
function operationAtReference(c: Context, ref: string, pointer: Pointer): string | undefined {
  const target = c.references.find(ref, pointer);
  if (!target || !isObject(target.value)) return undefined;
  const [paths, path = "", ...rest] = splitPointer(target.pointer.text);
  const method = rest[0] === "additionalOperations" ? rest[1] : rest[0]?.toUpperCase();
  const template = parsePathKey(path);
  if (paths !== "paths" || method === undefined || "problem" in template) return undefined;
  return `${method} ${template.path}`;
}

/** Collects every `operationId` of the path items before any operation is read. */
export function collectOperationIds(items: readonly { readonly raw: RawObject }[]): OperationIds {
  const ids = new Set<string>();
  for (const { raw } of items) {
    for (const value of [
      ...Object.values(raw),
      ...Object.values(isObject(raw.additionalOperations) ? raw.additionalOperations : {}),
    ]) {
      const id = isObject(value) ? ownProperty(value, "operationId") : undefined;
      if (typeof id === "string") ids.add(id);
    }
  }
  return ids;
}
