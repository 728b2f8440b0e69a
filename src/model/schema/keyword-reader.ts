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
  /** Reads a schema inside this one. */
  readonly convert: (c: Context, raw: unknown, pointer: Pointer) => DraftSchema | boolean;
}

/** Reads one keyword of `raw` into `out`, or says why it is left out. */
export type KeywordReader = (step: KeywordContext, value: unknown, key: string) => void;

/** Reports a keyword whose value is none that the specification allows. */
export function reportInvalidKeyword(
  step: KeywordContext,
  key: string,
  expected: string,
  value: unknown,
): void {
  const message = `\`${key}\` must be ${expected}, but is ${describeType(value)}; it is left out.`;
  step.c.diagnostics.add("model-schema-keyword", step.pointer.child(key), message);
}
