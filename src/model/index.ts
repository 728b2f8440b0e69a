import type { Diagnostic } from "../diagnostics/index.js";
import { isObject } from "../json.js";
import type { ApiDocument } from "../load/types.js";
import { At } from "./at.js";
import type { Context } from "./context.js";
import { Findings } from "./findings.js";
import { readInfo, readTags } from "./info.js";
import { idsIn } from "./links.js";
import { readOperation } from "./operation.js";
import { operationsOf, readPathItems, type PathItem, type RawOperation } from "./path-items.js";
import { bare, own, record } from "./read.js";
import { References } from "./refs.js";
import { Security } from "./requirements.js";
import { readEntry } from "./schema/convert.js";
import { reportCircles } from "./schema/cycles.js";
import { Families, namedSchemas } from "./schema/family.js";
import { SchemaRegistry } from "./schema/registry.js";
import { Tags } from "./schema/tags.js";
import { readScheme, readSchemes, type Schemes } from "./security.js";
import { readRootServers } from "./servers.js";
import { readSwaggerScheme } from "./swagger2/security.js";
import { readSwaggerServers } from "./swagger2/servers.js";
import type { ApiModel, Operation } from "./types.js";
import { reportUnused } from "./unused.js";

export type * from "./types.js";

/**
 * Reads a document of any version (Swagger 2.0, OpenAPI 3.0, 3.1, 3.2) into the one shape that the
 * other rooms know. Linear in the size of what operations reach; no input makes it throw.
 * @returns `model` is absent when there is an error among the diagnostics
 */
export function toModel(document: ApiDocument): {
  readonly model?: ApiModel;
  readonly diagnostics: readonly Diagnostic[];
} {
  const c = contextOf(document);
  const items = readPathItems(c);
  const found = items.flatMap((item) =>
    operationsOf(c, item).map((operation) => ({ item, operation })),
  );
  const security = new Security(c, readSecuritySchemes(c));
  const operations = readOperations(c, items, found, security);
  const model: ApiModel = {
    ...readInfo(c),
    source: document.name,
    servers: c.version === "2.0" ? readSwaggerServers(c) : readRootServers(c),
    securitySchemes: security.schemes,
    tags: readTags(c),
    operations,
    schemas: readSchemas(c),
    ...(document.root["x-mcp"] !== undefined && { xMcp: document.root["x-mcp"] }),
  };
  reportUnused(
    c,
    found.map(({ operation }) => operation),
  );
  return c.findings.failed
    ? { diagnostics: c.findings.list }
    : { model, diagnostics: c.findings.list };
}

interface FoundOperation {
  readonly item: PathItem;
  readonly operation: RawOperation;
}

function contextOf(document: ApiDocument): Context {
  const c: Context = {
    document,
    version: document.version,
    findings: new Findings(),
    refs: new References(document.root, document.version),
    schemas: new SchemaRegistry(readEntry),
    families: new Families(),
    tags: new Tags(),
    elements: { names: bare<string>(), ofReferences: document.version === "3.2" },
    shared: { parameters: new Map(), bodies: new Map(), responses: new Map() },
  };
  const { prefix, schemas } = namedSchemas(c);
  c.schemas.reserve(prefix, Object.keys(schemas));
  return c;
}

function readSecuritySchemes(c: Context): Schemes {
  const { root } = c.document;
  if (c.version === "2.0")
    return readSchemes(
      c,
      record(c, root, "securityDefinitions", At.root) ?? {},
      At.root.child("securityDefinitions"),
      readSwaggerScheme,
    );
  const components = own(root, "components");
  const at = At.root.child("components");
  const container = isObject(components) ? record(c, components, "securitySchemes", at) : undefined;
  return readSchemes(c, container ?? {}, at.child("securitySchemes"), readScheme);
}

function readOperations(
  c: Context,
  items: readonly PathItem[],
  found: readonly FoundOperation[],
  security: Security,
): readonly Operation[] {
  const around = { security, ids: idsIn(items), taken: new Set<string>() };
  return found.map(({ item, operation }) => readOperation(c, item, operation, around));
}

/** Everything that operations reach, tagged and checked. */
function readSchemas(c: Context): ApiModel["schemas"] {
  c.schemas.drain(c);
  c.tags.apply(c);
  c.schemas.drain(c);
  const schemas = c.schemas.finished(c);
  Object.assign(c.elements.names, c.schemas.otherNames());
  reportCircles(c, schemas);
  return schemas;
}
