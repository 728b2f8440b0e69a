/** Changes of a schema. */
import type { ChangeClass, ChangeKind } from "../types.js";

/** Direction of a schema: inputs may be widened, outputs may be narrowed. */
export type SchemaDirection = "input" | "output";

/** A change within a schema. */
export interface SchemaChange {
  readonly class: ChangeClass;
  readonly kind: ChangeKind;
  /** `status`, `items[].name`; empty for the whole schema. */
  readonly path: string;
  readonly message: string;
  /** Shared schema that changed, and the path in it; see `Change`. */
  readonly schema?: string;
  readonly schemaPath?: string;
  readonly was?: unknown;
  readonly now?: unknown;
}
