import { diagnostic } from "../../diagnostics/index.js";
import { describeEvidence } from "../effects/index.js";
import { type LintRule, toolConfigOf } from "./rule.js";
import { suggestToolConfig } from "./suggested-fixes.js";

/** Tools that are not read-only because the document contradicts itself. */
export const unclearEffect: LintRule = ({ tool, name, main }, context) => {
  const conflict = tool.effects?.find((effects) => effects.conflict)?.conflict;
  if (!conflict || toolConfigOf(name, context)?.annotations !== undefined) return undefined;
  const [reading, writing] = conflict.map(describeEvidence) as [string, string];
  return diagnostic(
    "lint-unclear-effect",
    `${name} is not read-only: ${reading}, but ${writing}`,
    main.location,
    suggestToolConfig(name, { annotations: { readOnlyHint: true } }),
  );
};
