import { readBody } from "./body.js";
import type { Context } from "./context.js";
import { quote } from "./findings.js";
import { readLinks, type OperationIds } from "./links.js";
import { readParameters } from "./parameters.js";
import type { PathItem, RawOperation } from "./path-items.js";
import { flag, list, own, record, text, texts, type Raw } from "./read.js";
import { readResponses } from "./responses.js";
import type { Security } from "./requirements.js";
import { readServers } from "./servers.js";
import { readSwaggerBody } from "./swagger2/body.js";
import { readOperationServers } from "./swagger2/servers.js";
import type { At } from "./at.js";
import type { Operation, Server } from "./types.js";

/** What an operation takes from the rest of the document. */
export interface Surroundings {
  readonly security: Security;
  readonly ids: OperationIds;
  /** Ids that operations before this one have. */
  readonly taken: Set<string>;
}

/** One operation of a path item, complete. OpenAPI 3.2, "Operation Object". */
export function readOperation(
  c: Context,
  item: PathItem,
  { method, raw, at }: RawOperation,
  around: Surroundings,
): Operation {
  const { template } = item;
  const pathAt = item.atOf("parameters").up ?? at;
  const { parameters, fixedQuery, bodyParameters, authorization } = readParameters(
    c,
    template,
    [
      { owner: item.raw, at: pathAt },
      { owner: raw, at },
    ],
    at,
  );
  const body =
    c.version === "2.0"
      ? readSwaggerBody(c, raw, bodyParameters, method, at)
      : readBody(c, raw, method, at);
  const responses = readResponses(c, raw, at);
  const links = readLinks(c, responses, around.ids);
  const security = around.security.of(raw, at, authorization);
  const servers = ownServers(c, item, raw, at);
  const xMcp = own(raw, "x-mcp") ?? own(item.raw, "x-mcp");
  return {
    ...identity(c, raw, at, around.taken),
    ...pathText(c, item, raw),
    method,
    path: template.path,
    ...(fixedQuery.length > 0 && { fixedQuery }),
    tags: [...new Set(texts(c, list(c, raw, "tags", at), at.child("tags")))],
    deprecated: flag(c, raw, "deprecated", at) ?? false,
    parameters,
    ...(body && { body }),
    responses: responses.map(({ response }) => response),
    ...(security && { security }),
    ...(servers && { servers }),
    ...(links.length > 0 && { links }),
    ...(xMcp !== undefined && { xMcp }),
    ...externalDocs(c, raw, at),
    place: at.place,
  };
}

function identity(
  c: Context,
  raw: Raw,
  at: At,
  taken: Set<string>,
): Pick<Operation, "operationId" | "summary" | "description"> {
  const operationId = operationIdOf(c, raw, at, taken);
  const summary = text(c, raw, "summary", at);
  const description = text(c, raw, "description", at);
  return {
    ...(operationId !== undefined && { operationId }),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
  };
}

/**
 * `summary` and `description` of a path are "intended to apply to all operations in this path":
 * those that say nothing themselves.
 */
function pathText(
  c: Context,
  { raw: path, atOf }: PathItem,
  raw: Raw,
): Pick<Operation, "description"> {
  if (
    c.version === "2.0" ||
    !("description" in path || "summary" in path) ||
    own(raw, "summary") != null ||
    own(raw, "description") != null
  )
    return {};
  const at = atOf("description").up ?? atOf("description");
  const description = text(c, path, "description", at) ?? text(c, path, "summary", at);
  return description === undefined ? {} : { description };
}

/** Ids are unique; the first operation keeps one that is repeated. */
function operationIdOf(c: Context, raw: Raw, at: At, taken: Set<string>): string | undefined {
  const id = text(c, raw, "operationId", at);
  if (id === undefined) return undefined;
  if (!taken.has(id)) {
    taken.add(id);
    return id;
  }
  c.findings.add(
    "model-operation-id",
    at.child("operationId"),
    `The operationId ${quote(id)} is taken by another operation; this one is named without it.`,
  );
  return undefined;
}

/** Servers of the operation, or else of its path; absent when the root's apply. */
function ownServers(c: Context, item: PathItem, raw: Raw, at: At): readonly Server[] | undefined {
  const ofOperation =
    c.version === "2.0" ? readOperationServers(c, { raw, at }) : readServers(c, raw, at);
  if (ofOperation.length > 0) return ofOperation;
  const ofPath = readServers(c, item.raw, item.atOf("servers").up ?? at);
  return ofPath.length > 0 ? ofPath : undefined;
}

function externalDocs(c: Context, raw: Raw, at: At): Pick<Operation, "externalDocs"> {
  const docs = record(c, raw, "externalDocs", at);
  const place = at.child("externalDocs");
  const url = docs && text(c, docs, "url", place);
  if (!docs || url === undefined) return {};
  const description = text(c, docs, "description", place);
  return { externalDocs: { url, ...(description !== undefined && { description }) } };
}
