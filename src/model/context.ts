import type { JsonSchema } from "../json.js";
import type { ApiDocument, SpecVersion } from "../load/types.js";
import type { ModelDiagnostics, Problem } from "./diagnostics.js";
import type { Pointer } from "./pointer.js";
import type { RawObject } from "./raw-object.js";
import type { ReferenceResolver } from "./reference-resolver.js";

import type { Parameter, RequestBody, Response } from "./types.js";

/** A schema with a name, because something refers to it. */
export interface SchemaEntry {
  readonly key: string;
  readonly pointer: Pointer;
  readonly raw: RawObject | boolean;
  /** `base`: without its alternatives, as its extensions see it. */
  readonly form: "whole" | "base";
}

/**
 * A base with a discriminator and the schemas that extend it through `allOf` or that its mapping
 * names. OpenAPI 3.0, "Discriminator Object", and `discriminator` of Swagger 2.0.
 */
export interface DiscriminatorHierarchy {
  readonly property: string;
  readonly members: readonly HierarchyMember[];
  readonly mapping: DiscriminatorMapping;
  /** True when no member extends the base. Its fields then apply to all members. */
  readonly isMappingOnly: boolean;
}
export interface HierarchyMember {
  readonly entry: SchemaEntry;
  /**
   * True when the member has a discriminator over another property. It then has its own hierarchy.
   */
  readonly hasOwnHierarchy: boolean;
}

/**
 * `mapping` of a Discriminator Object by target schema; in 3.2 also the default for other values.
 */
export interface DiscriminatorMapping {
  readonly values: ReadonlyMap<SchemaEntry, readonly string[]>;
  readonly fallback?: SchemaEntry;
}

/** The named schemas of one model. */
export interface SchemaRegistry {
  /**
   * The entry that a `$ref` leads to, through any chain of aliases. Reports a chain that does not
   * resolve.
   */
  find(c: Context, ref: string, from: Pointer): SchemaEntry | undefined;
  /** The entry of a key of `ApiModel.schemas`. */
  entryOf(key: string): SchemaEntry | undefined;
  /** `{ $ref }` to an entry, which thereby becomes part of the model. */
  reference(entry: SchemaEntry): JsonSchema;
  /** True when the model refers to the entry. */
  isReferenced(entry: SchemaEntry): boolean;
  /**
   * The entry's schema in model form. Undefined while it is being converted, or when the conversion
   * is nested too deep.
   */
  schemaOf(c: Context, entry: SchemaEntry): JsonSchema | undefined;
  /** The target of a reference in model form; the schema itself if it is not a reference. */
  dereference(c: Context, schema: JsonSchema | undefined): JsonSchema | undefined;
  /** The entry's base form: its own fields without its alternatives. */
  baseOf(entry: SchemaEntry): SchemaEntry;
  /** Replaces a converted schema, to add discriminator tags. */
  replace(entry: SchemaEntry, schema: JsonSchema): void;
  /**
   * Enters one nesting level. Returns false, with a diagnostic, when that is too deep; otherwise
   * `leave` must follow.
   */
  enter(c: Context, pointer: Pointer): boolean;
  leave(): void;
}

/** The hierarchies of discriminators, by their base. */
export interface DiscriminatorHierarchies {
  hierarchyOf(c: Context, entry: SchemaEntry): DiscriminatorHierarchy | undefined;
}

/** Collects the discriminator values of schemas while they are read. */
export interface DiscriminatorTags {
  /**
   * Adds values for a schema.
   * @param values the mapped values; without a mapping, `name` is the value
   */
  add(
    entry: SchemaEntry,
    property: string,
    values: readonly string[] | undefined,
    name: string,
    pointer: Pointer,
  ): void;
  /** Excludes the schema of `defaultMapping` (3.2), which applies to all other values. */
  exempt(entry: SchemaEntry, property: string): void;
  /** Marks a schema that others reference in `allOf`. A tag on it would bind them too. */
  markComposed(entry: SchemaEntry): void;
}

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
 * True for OpenAPI 3.1 and later: schemas are JSON Schema 2020-12, and fields may be next to a
 * `$ref`.
 */
export function isOpenApi31OrLater(c: Context): boolean {
  return c.version === "3.1" || c.version === "3.2";
}

/** Reason why a body is unknown, so that its operation cannot be called. */
export interface UnknownBody {
  readonly problem: Problem;
}
