import type { ApiDocument, SpecVersion } from "../load/types.js";
import type { Findings } from "./findings.js";
import type { Raw } from "./read.js";
import type { References } from "./refs.js";
import type { Families } from "./schema/family.js";
import type { SchemaRegistry } from "./schema/registry.js";
import type { Tags } from "./schema/tags.js";
import type { Parameter, RequestBody, Response } from "./types.js";

/** What every reader of one document shares. */
export interface Context {
  readonly document: ApiDocument;
  readonly version: SpecVersion;
  readonly findings: Findings;
  readonly refs: References;
  readonly schemas: SchemaRegistry;
  readonly families: Families;
  readonly tags: Tags;
  /** Complete when all schemas are read. */
  readonly elements: { readonly names: Record<string, string>; readonly ofReferences: boolean };
  /**
   * What many operations share is read once. By the raw object; `undefined` when it is unusable.
   */
  readonly shared: {
    readonly parameters: Map<Raw, Parameter | undefined>;
    readonly bodies: Map<Raw, RequestBody | undefined>;
    readonly responses: Map<Raw, Omit<Response, "status">>;
  };
}

/** OpenAPI 3.1 made schemas JSON Schema 2020-12, and lets fields stand beside a `$ref`. */
export function isModern(c: Context): boolean {
  return c.version === "3.1" || c.version === "3.2";
}
