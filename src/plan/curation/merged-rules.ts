import type { ToolRule } from "../../curation/types.js";
import type { Findings } from "../findings.js";
import { sameJson } from "../schema/values.js";
import { isSame } from "../operation-key.js";
import type { PlannedTool } from "../types.js";
import type { Rule } from "./rules.js";

/** What is said of a whole tool: one operation of several cannot say it for the others. */
const OF_THE_WHOLE = [
  "title",
  "toolset",
  "annotations",
  "timeoutMs",
  "output",
  "pagination",
] as const satisfies readonly (keyof ToolRule)[];

/**
 * What the document says (`x-mcp`) about the operations of a tool of several. Inputs, advice and
 * when to use it count for each; its description is a part of the tool's already. What is about the
 * whole tool counts when all of them say it alike; otherwise it is reported, because somebody wrote
 * it and nothing comes of it.
 * @param rules in the order of the tool's operations
 */
export function mergedRules(
  tool: PlannedTool,
  rules: readonly Rule[],
  findings: Findings,
): readonly Rule[] {
  const [first] = rules;
  const isUpdate = tool.definition.requests.length === 1;
  return rules.map((one) => {
    const isBase = isUpdate && standsFirst(tool, one);
    if (isBase) return one;
    const {
      title: _t,
      toolset: _s,
      annotations: _a,
      timeoutMs: _m,
      output: _o,
      pagination: _p,
      description,
      ...rest
    } = one.rule;
    const agreed = OF_THE_WHOLE.filter(
      (key) => one.rule[key] !== undefined && isAgreed(key, tool, rules),
    );
    for (const key of OF_THE_WHOLE)
      if (one.rule[key] !== undefined && !agreed.includes(key)) report(key, one, tool, findings);
    if (isUpdate && description !== undefined) report("description", one, tool, findings);
    const whole =
      one === first ? Object.fromEntries(agreed.map((key) => [key, one.rule[key]])) : {};
    return {
      ...one,
      isPart: true,
      rule: { ...rest, ...whole, ...(description !== undefined && !isUpdate && { description }) },
    };
  });
}

function standsFirst({ operations: [base] }: PlannedTool, { operations: [own] }: Rule): boolean {
  return base !== undefined && own !== undefined && isSame(base, own);
}

function isAgreed(
  key: (typeof OF_THE_WHOLE)[number],
  tool: PlannedTool,
  rules: readonly Rule[],
): boolean {
  return (
    rules.length === tool.operations.length &&
    rules.every(({ rule }) => sameJson(rule[key], rules[0]?.rule[key]))
  );
}

function report(
  key: keyof ToolRule,
  { placeOf }: Rule,
  { definition }: PlannedTool,
  findings: Findings,
): void {
  findings.add(
    "curation-x-mcp",
    `\`${key}\` is not used: the operation is a part of ${definition.name}.`,
    placeOf(key),
    `Say it of ${definition.name} in mcp-gen.yaml.`,
  );
}
