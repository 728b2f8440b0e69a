import type { At } from "../at.js";
import type { Context } from "../context.js";
import { kindOf } from "../findings.js";
import type { Raw } from "../read.js";
import type { Draft } from "./types.js";

/** One schema object being read. */
export interface Step {
  readonly c: Context;
  readonly raw: Raw;
  readonly at: At;
  readonly out: Draft;
  /** Reads a schema inside this one. */
  readonly convert: (c: Context, raw: unknown, at: At) => Draft | boolean;
}

/** Reads one keyword of `raw` into `out`, or says why it is left out. */
export type KeywordReader = (step: Step, value: unknown, key: string) => void;

/** Reports a keyword whose value is none that the specification allows. */
export function invalid(step: Step, key: string, wanted: string, value: unknown): void {
  const message = `\`${key}\` must be ${wanted}, but is ${kindOf(value)}; it is left out.`;
  step.c.findings.add("model-schema-keyword", step.at.child(key), message);
}
