import type { ApiDocument, SpecVersion } from "../load/types.js";
import type { ModelDiagnostics } from "./diagnostics.js";
import type { RawObject } from "./raw-object.js";
import type { ReferenceResolver } from "./reference-resolver.js";
import type { DiscriminatorHierarchies } from "./schema/discriminator-hierarchy.js";
import type { UnknownBody } from "./request-body.js";
import type { SchemaRegistry } from "./schema/registry.js";
import type { DiscriminatorTags } from "./schema/discriminator-tags.js";
import type { Parameter, RequestBody, Response } from "./types.js";

/** State shared by all readers of one document. */
export interface Context {
  readonly document: ApiDocument;
  readonly version: SpecVersion;
  readonly diagnostics: ModelDiagnostics;
  readonly references: ReferenceResolver;
  /** Keys of `document.brokenRefs` that have been reported. */
  readonly reportedRefs: Set<string>;
  readonly schemas: SchemaRegistry;
  readonly hierarchies: DiscriminatorHierarchies;
  readonly discriminatorTags: DiscriminatorTags;
  /** Complete when all schemas are read. */
  readonly xmlElements: {
    readonly names: Record<string, string>;
    readonly useComponentNames: boolean;
  };
  /**
   * Components that several operations share, read once. Keyed by the raw object; `undefined` marks
   * an unusable one.
   */
  readonly cache: {
    readonly parameters: Map<RawObject, Parameter | undefined>;
    readonly bodies: Map<RawObject, RequestBody | UnknownBody | undefined>;
    readonly responses: Map<RawObject, Omit<Response, "status">>;
  };
}

/**
 * True for OpenAPI 3.1 and later: schemas are JSON Schema 2020-12, and fields may stand beside a
 * `$ref`.
 */
export function isOpenApi31OrLater(c: Context): boolean {
  return c.version === "3.1" || c.version === "3.2";
}
