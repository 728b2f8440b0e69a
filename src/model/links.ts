import { isObject, stepsOf } from "../json.js";
import type { At } from "./at.js";
import type { Context } from "./context.js";
import { deref, type Located } from "./deref.js";
import { quote } from "./findings.js";
import { bare, own, record, text, type Raw } from "./read.js";
import type { LocatedResponse } from "./responses.js";
import { parseTemplate } from "./template.js";
import type { Link } from "./types.js";

/** What links can lead to: the ids of all operations of the document. */
export type OperationIds = ReadonlySet<string>;

/**
 * OpenAPI 3.x Link Objects of an operation's responses. A link that leads nowhere is left out with
 * a warning.
 */
export function readLinks(
  c: Context,
  responses: readonly LocatedResponse[],
  ids: OperationIds,
): readonly Link[] {
  return responses.flatMap(({ raw: { raw, at } }) => {
    if (!("links" in raw)) return [];
    const links = record(c, raw, "links", at) ?? {};
    return Object.keys(links).flatMap((name) => {
      const link = deref(c, links[name], at.child("links").child(name), "link", false);
      return (link && readLink(c, name, link, ids)) ?? [];
    });
  });
}

function readLink(
  c: Context,
  name: string,
  { raw, at }: Located,
  ids: OperationIds,
): Link | undefined {
  const target = targetOf(c, raw, at, ids);
  if (!target) {
    c.findings.add(
      "model-link",
      at,
      `The link ${quote(name)} leads to no operation of the document; it is left out.`,
    );
    return undefined;
  }
  const description = text(c, raw, "description", at);
  const parameters = Object.assign(bare<unknown>(), record(c, raw, "parameters", at));
  for (const key of ["requestBody", "server"])
    if (key in raw)
      c.findings.add("model-field-ignored", at.child(key), `\`${key}\` of a link is not used.`);
  return { name, ...target, parameters, ...(description !== undefined && { description }) };
}

function targetOf(
  c: Context,
  raw: Raw,
  at: At,
  ids: OperationIds,
): Pick<Link, "operationId" | "operation"> | undefined {
  const operationId = text(c, raw, "operationId", at);
  if (operationId !== undefined) return ids.has(operationId) ? { operationId } : undefined;
  const ref = text(c, raw, "operationRef", at);
  const operation = ref === undefined ? undefined : operationAt(c, ref, at);
  return operation === undefined ? undefined : { operation };
}

/** `#/paths/~1pets~1{id}/get` → `GET /pets/{id}`. */
function operationAt(c: Context, ref: string, at: At): string | undefined {
  const target = c.refs.find(ref, at);
  if (!target || !isObject(target.value)) return undefined;
  const [paths, path = "", ...rest] = stepsOf(target.at.pointer);
  const method = rest[0] === "additionalOperations" ? rest[1] : rest[0]?.toUpperCase();
  const template = parseTemplate(path);
  if (paths !== "paths" || method === undefined || "problem" in template) return undefined;
  return `${method} ${template.path}`;
}

/** Every `operationId` that the path items have, before any operation is read. */
export function idsIn(items: readonly { readonly raw: Raw }[]): OperationIds {
  const ids = new Set<string>();
  for (const { raw } of items) {
    for (const value of [
      ...Object.values(raw),
      ...Object.values(isObject(raw.additionalOperations) ? raw.additionalOperations : {}),
    ]) {
      const id = isObject(value) ? own(value, "operationId") : undefined;
      if (typeof id === "string") ids.add(id);
    }
  }
  return ids;
}
