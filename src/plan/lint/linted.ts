import type { Curation } from "../../curation/types.js";
import type { Diagnostic } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { Schemas } from "../schema/refs.js";
import type { PlannedTool } from "../types.js";

/** A finished tool with the operations it stands for, the most important first. */
export interface LintedTool {
  readonly tool: PlannedTool;
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly main: Operation;
}

/** What rules know besides one tool. */
export interface LintContext {
  readonly schemas: Schemas;
  readonly curation: Curation | undefined;
  /** Names of all tools. */
  readonly names: ReadonlySet<string>;
  readonly envPrefix: string;
}

/** Looks at one tool for one weakness. */
export type LintRule = (linted: LintedTool, context: LintContext) => Diagnostic | undefined;
