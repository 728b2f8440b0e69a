import type { Diagnostic } from "../diagnostics/index.js";
import { isObject } from "../json.js";
import type { ApiDocument } from "../load/types.js";
import type { Context } from "./context.js";
import { ModelDiagnostics } from "./diagnostics.js";
import { readInfo, readTags } from "./info.js";
import { collectOperationIds } from "./links.js";
import { readOperation } from "./operation.js";
import { type LocatedOperation, operationsOf, type PathItem, readPathItems } from "./paths.js";
import { Pointer } from "./pointer.js";
import { emptyRecord, ownProperty, readObject } from "./raw-object.js";
import { ReferenceResolver } from "./reference-resolver.js";
import { convertEntry } from "./schema/convert.js";
import { breakCircularSchemas } from "./schema/cycles.js";
import { DiscriminatorHierarchies } from "./schema/discriminator-hierarchy.js";
import { DiscriminatorTags } from "./schema/discriminator-tags.js";
import { componentSchemas, SchemaRegistry } from "./schema/registry.js";
import { SecurityResolver } from "./security-requirements.js";
import {
  readSecurityScheme,
  readSecuritySchemes,
  type SecuritySchemes,
} from "./security-schemes.js";
import { readRootServers } from "./servers.js";
import { readSwaggerScheme } from "./swagger2/security.js";
import { readSwaggerServers } from "./swagger2/servers.js";
import type { ApiModel, Operation } from "./types.js";
import { reportNoOperations, reportUnsupported } from "./unsupported.js";

export type * from "./types.js";

/**
 * Converts a document of any version (Swagger 2.0, OpenAPI 3.0, 3.1, 3.2) into the one model that
 * later modules know. Linear in the size of the reachable document. Never throws.
 * @returns no `model` when the diagnostics contain an error
 */
export function buildModel(document: ApiDocument): {
  readonly model?: ApiModel;
  readonly diagnostics: readonly Diagnostic[];
} {
  const c = createContext(document);
  const items = readPathItems(c);
  const entries = items.flatMap((item) =>
    operationsOf(c, item).map((operation) => ({ item, operation })),
  );
  const security = new SecurityResolver(c, readDeclaredSchemes(c));
  const operations = readOperations(c, items, entries, security);
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
  reportUnsupported(
    c,
    entries.map(({ operation }) => operation),
  );
  reportUnusedRefs(c);
  if (operations.length === 0 && !c.diagnostics.hasErrors) reportNoOperations(c);
  return c.diagnostics.hasErrors
    ? { diagnostics: c.diagnostics.diagnostics }
    : { model, diagnostics: c.diagnostics.diagnostics };
}

interface OperationEntry {
  readonly item: PathItem;
  readonly operation: LocatedOperation;
}

function createContext(document: ApiDocument): Context {
  const c: Context = {
    document,
    version: document.version,
    diagnostics: new ModelDiagnostics(),
    references: new ReferenceResolver(document),
    reportedRefs: new Set(),
    schemas: new SchemaRegistry(convertEntry),
    hierarchies: new DiscriminatorHierarchies(),
    discriminatorTags: new DiscriminatorTags(),
    xmlElements: { names: emptyRecord<string>(), useComponentNames: document.version === "3.2" },
    cache: { parameters: new Map(), bodies: new Map(), responses: new Map() },
  };
  const { prefix, schemas } = componentSchemas(c);
  c.schemas.reserve(prefix, Object.keys(schemas));
  return c;
}

function readDeclaredSchemes(c: Context): SecuritySchemes {
  const { root } = c.document;
  if (c.version === "2.0")
    return readSecuritySchemes(
      c,
      readObject(c, root, "securityDefinitions", Pointer.root) ?? {},
      Pointer.root.child("securityDefinitions"),
      readSwaggerScheme,
    );
  const components = ownProperty(root, "components");
  const pointer = Pointer.root.child("components");
  const container = isObject(components)
    ? readObject(c, components, "securitySchemes", pointer)
    : undefined;
  return readSecuritySchemes(
    c,
    container ?? {},
    pointer.child("securitySchemes"),
    readSecurityScheme,
  );
}

function readOperations(
  c: Context,
  items: readonly PathItem[],
  entries: readonly OperationEntry[],
  security: SecurityResolver,
): readonly Operation[] {
  const context = {
    security,
    operationIds: collectOperationIds(items),
    usedIds: new Set<string>(),
  };
  return entries.flatMap(({ item, operation }) => readOperation(c, item, operation, context) ?? []);
}

/** Reports broken references that were needed only by parts that are not read. */
function reportUnusedRefs(c: Context): void {
  const code = "load-ref-broken-unused";
  for (const [ref, { message, location, hint }] of c.document.brokenRefs ?? [])
    if (location && !c.reportedRefs.has(ref))
      c.diagnostics.addProblem(
        { code, location, message, hint },
        "it is omitted, because no operation uses it",
      );
}

/** Converts all schemas that operations reach, applies discriminator tags and checks for cycles. */
function readSchemas(c: Context): ApiModel["schemas"] {
  c.schemas.convertPending(c);
  c.discriminatorTags.apply(c);
  c.schemas.convertPending(c);
  const schemas = c.schemas.referencedSchemas(c);
  Object.assign(c.xmlElements.names, c.schemas.renamedComponents());
  breakCircularSchemas(c, schemas);
  return schemas;
}
