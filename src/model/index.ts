import { describeType, type Diagnostic, formatCount } from "../diagnostics/index.js";
import { isObject, omitUndefined } from "../json.js";
import type { ApiDocument } from "../load/types.js";
import type { Context } from "./context.js";
import { markCreationBodies } from "./creation-bodies.js";
import { ModelDiagnostics } from "./diagnostics.js";
import { Pointer } from "./pointer.js";
import { reportUnknownDialect } from "./schema/keywords.js";
import { readOperation } from "./operation.js";
import { type LocatedOperation, operationsOf, type PathItem, readPathItems } from "./paths.js";
import {
  emptyRecord,
  isExtension,
  ownProperty,
  readArray,
  readObject,
  readString,
} from "./raw-object.js";
import { ReferenceResolver } from "./reference-resolver.js";
import { collectOperationIds } from "./responses.js";
import { convertEntry } from "./schema/convert.js";
import { HierarchyFinder } from "./schema/discriminator-hierarchy.js";
import { TagCollector } from "./schema/discriminator.js";
import { componentSchemas, NamedSchemas } from "./schema/registry.js";
import { breakCircularSchemas } from "./schema/resolved-schema.js";
import { SecurityResolver } from "./security-requirements.js";
import { readSecurityScheme } from "./security-scheme-kinds.js";
import { readSecuritySchemes, type SecuritySchemes } from "./security-schemes.js";
import { readRootServers } from "./servers.js";
import { reportSuspiciousTexts } from "./suspicious-text.js";
import { readSwaggerScheme, readSwaggerServers } from "./swagger2/root-objects.js";
import type { ApiModel, Operation, Tag } from "./types.js";

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
  const operations = markCreationBodies(readOperations(c, items, entries, security));
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
  reportSuspiciousTexts(c);
  if (operations.length === 0 && !c.diagnostics.hasErrors) reportNoOperations(c);
  return c.diagnostics.hasErrors
    ? { diagnostics: c.diagnostics.diagnostics }
    : { model, diagnostics: c.diagnostics.diagnostics };
}

interface OperationEntry {
  readonly item: PathItem;
  readonly operation: LocatedOperation;
}

/** The context with the parts that only this file finishes. */
interface ModelContext extends Context {
  readonly schemas: NamedSchemas;
  readonly discriminatorTags: TagCollector;
}

function createContext(document: ApiDocument): ModelContext {
  const c: ModelContext = {
    document,
    version: document.version,
    diagnostics: new ModelDiagnostics(),
    references: new ReferenceResolver(document),
    reportedRefs: new Set(),
    schemas: new NamedSchemas(convertEntry),
    hierarchies: new HierarchyFinder(),
    discriminatorTags: new TagCollector(),
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
function readSchemas(c: ModelContext): ApiModel["schemas"] {
  c.schemas.convertPending(c);
  c.discriminatorTags.apply(c);
  c.schemas.convertPending(c);
  const schemas = c.schemas.referencedSchemas(c);
  Object.assign(c.xmlElements.names, c.schemas.renamedComponents());
  breakCircularSchemas(c, schemas);
  return schemas;
}

/** Reads title, version and description of an API. The default title is `API`. */
function readInfo(c: Context): Pick<ApiModel, "title" | "version" | "summary" | "description"> {
  const info = readObject(c, c.document.root, "info", Pointer.root) ?? {};
  const pointer = Pointer.root.child("info");
  const version = ownProperty(info, "version");
  const summary = readString(c, info, "summary", pointer);
  const description = readString(c, info, "description", pointer);
  return omitUndefined({
    title: readString(c, info, "title", pointer) ?? "API",
    // YAML parses `1.0` as a number.
    version:
      typeof version === "number"
        ? String(version)
        : (readString(c, info, "version", pointer) ?? "0.0.0"),
    summary,
    description,
  });
}

/** Reads the root `tags`, each name once. */
function readTags(c: Context): readonly Tag[] {
  const tagsPointer = Pointer.root.child("tags");
  const byName = new Map<string, Tag>();
  for (const [index, value] of readArray(c, c.document.root, "tags", Pointer.root).entries()) {
    const pointer = tagsPointer.child(index);
    const name = isObject(value) ? readString(c, value, "name", pointer) : undefined;
    if (!isObject(value) || name === undefined) {
      c.diagnostics.add(
        "model-value-type",
        pointer,
        `A tag must be an object with a name, but this is ${describeType(value)}; it is left out.`,
      );
      continue;
    }
    const fields = Object.fromEntries(
      ["summary", "description", "parent"]
        .flatMap((key) => [[key, readString(c, value, key, pointer)] as const])
        .filter(([, field]) => field !== undefined),
    );
    if (!byName.has(name)) byName.set(name, { name, ...fields });
  }
  return [...byName.values()];
}

/** Reports the parts of a document that do not become tools, once each. */
function reportUnsupported(c: Context, operations: readonly LocatedOperation[]): void {
  reportCallbacks(c, operations);
  reportWebhooks(c);
  reportUnknownDialect(
    c,
    ownProperty(c.document.root, "jsonSchemaDialect"),
    Pointer.root.child("jsonSchemaDialect"),
  );
}

function reportCallbacks(c: Context, operations: readonly LocatedOperation[]): void {
  const withCallbacks = operations.filter(
    ({ raw }) => isObject(raw.callbacks) && Object.keys(raw.callbacks).length > 0,
  );
  const [first] = withCallbacks;
  if (!first) return;
  const count = withCallbacks.reduce(
    (sum, { raw }) => sum + Object.keys(raw.callbacks as object).length,
    0,
  );
  c.diagnostics.add(
    "model-callbacks",
    first.pointer.child("callbacks"),
    `${countPhrase(count, "callback")} left out: a tool sends requests and cannot receive them.`,
  );
}

function reportWebhooks(c: Context): void {
  for (const key of ["webhooks", "x-webhooks"]) {
    const webhooks = ownProperty(c.document.root, key);
    const count = isObject(webhooks)
      ? Object.keys(webhooks).filter((name) => !isExtension(name)).length
      : 0;
    if (count > 0)
      c.diagnostics.add(
        "model-webhooks",
        Pointer.root.child(key),
        `${countPhrase(count, "webhook")} left out: a tool sends requests and cannot receive them.`,
      );
  }
}

/** Reports that no operation is left, with the first reason, or that there never was one. */
function reportNoOperations(c: Context): void {
  const { firstOmission } = c.diagnostics;
  if (firstOmission) {
    const problem = { ...firstOmission, code: "model-no-operations" } as const;
    return c.diagnostics.addProblem(problem, "no operation is left");
  }
  const hasPaths = isObject(ownProperty(c.document.root, "paths"));
  const pointer = hasPaths ? Pointer.root.child("paths") : Pointer.root;
  const message = hasPaths
    ? "The document has no usable operations"
    : "The document has no `paths` and therefore no operations";
  c.diagnostics.add("model-no-operations", pointer, `${message}.`);
}

function countPhrase(count: number, noun: string): string {
  return `${formatCount(count, noun)} ${count === 1 ? "is" : "are"}`;
}
