import type { Pointer } from "../pointer.js";
import type { Context } from "../context.js";
import { describeType } from "../diagnostics.js";
import type { RawObject } from "../raw-object.js";
import type { DraftSchema } from "./schema-object.js";

/** One schema object being read. */
export interface KeywordContext {
  readonly c: Context;
  readonly raw: RawObject;
  readonly pointer: Pointer;
  readonly out: DraftSchema;
  /** Converts a subschema. */
  readonly convert: (c: Context, raw: unknown, pointer: Pointer) => DraftSchema | boolean;
}

/** Reads one keyword of `raw` into `out`, or reports why it is left out. */
export type KeywordReader = (step: KeywordContext, value: unknown, key: string) => void;

/** Reports a keyword with an invalid value. */
export function reportInvalidKeyword(
  step: KeywordContext,
  key: string,
  expected: string,
  value: unknown,
): void {
  const message = `\`${key}\` must be ${expected}, but is ${describeType(value)}; it is left out.`;
  step.c.diagnostics.add("model-schema-keyword", step.pointer.child(key), message);
}
