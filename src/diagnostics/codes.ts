import { curationCodes } from "./codes/curation.js";
import { lintCodes } from "./codes/lint.js";
import { loadCodes } from "./codes/load.js";
import { modelCodes } from "./codes/model.js";
import { overlayCodes } from "./codes/overlay.js";
import { planCodes } from "./codes/plan.js";
import { workflowCodes } from "./codes/workflow.js";
import { writeCodes } from "./codes/write.js";

/**
 * `error` stops the run, `warning` is a loss or a weakening, `info` is worth knowing. `--strict`
 * raises warnings to errors.
 */
export type Severity = "error" | "warning" | "info";

/**
 * Every code that mcp-gen can report, with its severity. One file per room, so that a code has one
 * owner.
 */
export const codes = {
  ...curationCodes,
  ...lintCodes,
  ...loadCodes,
  ...overlayCodes,
  ...modelCodes,
  ...planCodes,
  ...workflowCodes,
  ...writeCodes,
} as const satisfies Record<string, Severity>;

export type DiagnosticCode = keyof typeof codes;
