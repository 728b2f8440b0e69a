import type { ApiDocument, SpecVersion } from "../load/types.js";
import type { DiagnosticCollector } from "./diagnostics.js";
import type { RawObject } from "./raw-object.js";
import type { ReferenceResolver } from "./references.js";
import type { DiscriminatorHierarchies } from "./schema/discriminator-hierarchy.js";
import type { SchemaRegistry } from "./schema/registry.js";
import type { DiscriminatorTags } from "./schema/discriminator-tags.js";
import type { Parameter, RequestBody, Response } from "./types.js";

/** What every reader of one document shares. */
export interface Context {
  readonly document: ApiDocument;
  readonly version: SpecVersion;
  readonly diagnostics: DiagnosticCollector;
  readonly references: ReferenceResolver;
  readonly schemas: SchemaRegistry;
  readonly hierarchies: DiscriminatorHierarchies;
  readonly discriminatorTags: DiscriminatorTags;
  /** Complete when all schemas are read. */
  readonly xmlElements: {
    readonly names: Record<string, string>;
    readonly useComponentNames: boolean;
  };
  /**
   * What many operations share is read once. By the raw object; `undefined` when it is unusable.
   */
  readonly cache: {
    readonly parameters: Map<RawObject, Parameter | undefined>;
    readonly bodies: Map<RawObject, RequestBody | undefined>;
    readonly responses: Map<RawObject, Omit<Response, "status">>;
  };
}

/** OpenAPI 3.1 made schemas JSON Schema 2020-12, and lets fields stand beside a `$ref`. */
export function isOpenApi31OrLater(c: Context): boolean {
  return c.version === "3.1" || c.version === "3.2";
}
