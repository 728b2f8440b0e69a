import { quoteText } from "../../diagnostics/clean.js";
import type { Environment } from "../env.js";
import type { Findings } from "../findings.js";
import type { PlannedOutput } from "../schema/output.js";
import type { Schemas } from "../schema/refs.js";
import type { OmittedOperation, PlannedTool, PlanOptions, Toolset } from "../types.js";
import { withInputs } from "./inputs.js";
import { withOutput } from "./output.js";
import { withPagination } from "./pagination.js";
import type { References } from "./references.js";
import { withResolve } from "./resolve/index.js";
import type { Rule } from "./rules.js";
import { withToolset } from "./toolsets.js";
import { checkPlaceholders, withDescription, withErrors, withFacts } from "./words.js";

/** What rules need to know, and where they say what is wrong. */
export interface Applying {
  readonly environment: Environment;
  readonly returns: (output: PlannedOutput) => string | undefined;
  readonly toolsets: Map<string, Toolset>;
  readonly schemas: Schemas;
  readonly findings: Findings;
  readonly references: References;
}

/** A tool and the rules that it obeys: the later has the last word. */
interface Ruled {
  readonly tool: PlannedTool;
  readonly rules: readonly Rule[];
}

/**
 * Tools as their rules say, those left out that are not to be there. Inputs go first, since all
 * else may speak of them; names are looked up by tools that are finished but for that.
 * @param of what a rule is applied with
 * @param file what the advice for all tools is applied with
 */
export function applyRules(
  ruled: readonly Ruled[],
  options: PlanOptions["curation"],
  of: (rule: Rule) => Applying,
  file: Applying,
): { readonly tools: readonly PlannedTool[]; readonly omitted: readonly OmittedOperation[] } {
  const left = ruled.filter((one) => !isLeftOut(one));
  const curated = left.map(({ tool, rules }) => {
    const valued = rules.reduce((now, rule) => withInputs(now, rule, of(rule)), tool);
    const advised = options
      ? withErrors(
          valued,
          options.curation.errors,
          (...path) => options.placeOf(path),
          tool,
          false,
          file,
        )
      : valued;
    return rules.reduce((now, rule) => applied(now, rule, tool, of(rule)), advised);
  });
  if (options)
    checkPlaceholders(options, [...left.map(({ tool }) => tool), ...curated], file.findings);
  const byName = new Map(curated.map((tool) => [tool.definition.name, tool]));
  const tools = curated.map((tool, i) =>
    (left[i] as Ruled).rules.reduce((now, rule) => withResolve(now, rule, byName, of(rule)), tool),
  );
  return { tools, omitted: ruled.filter(isLeftOut).flatMap(({ tool }) => omittedWith(tool)) };
}

/** What one rule says of a tool besides its inputs. */
function applied(
  tool: PlannedTool,
  rule: Rule,
  original: PlannedTool,
  context: Applying,
): PlannedTool {
  const { schemas, findings, toolsets } = context;
  const shaped = withOutput(withPagination(tool, rule, schemas, findings), rule, schemas, findings);
  const described = withFacts(withDescription(shaped, tool, rule, context), rule);
  return withErrors(
    withToolset(described, rule, toolsets, findings),
    rule.rule.errors,
    rule.placeOf,
    original,
    true,
    context,
  );
}

/** Operations are left out by selection; here, tools that only a name or a workflow speaks of. */
function isLeftOut({ rules }: Ruled): boolean {
  const last = rules.at(-1);
  return last?.rule.include === false && (last.by === "name" || last.by === "workflow");
}

function omittedWith({ operations, workflow }: PlannedTool): readonly OmittedOperation[] {
  if (workflow) return [];
  return operations.map((operation) => ({
    ...operation,
    reason: `${quoteText(`${operation.method} ${operation.path}`)} is left out by mcp-gen.yaml.`,
  }));
}
