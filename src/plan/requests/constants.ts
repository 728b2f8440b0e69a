import type { DiagnosticCollector } from "../diagnostics.js";
import { constantProblems } from "../inputs/sendable-values.js";
import type { OmittedOperation, PlannedTool } from "../types.js";

/**
 * Leaves out tools with a constant that the server could not send, a line break in a header for
 * example.
 */
export function omitUnsendable(
  tools: readonly PlannedTool[],
  diagnostics: DiagnosticCollector,
): { readonly tools: readonly PlannedTool[]; readonly omitted: readonly OmittedOperation[] } {
  const omitted: OmittedOperation[] = [];
  const sendable = tools.filter((tool) => {
    const problem = constantProblem(tool);
    if (problem === undefined) return true;
    const reason = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}. ${tool.definition.name} is left out.`;
    diagnostics.add(
      "plan-constant-unsendable",
      reason,
      tool.operations[0]?.location,
      "Correct the document with an overlay, or the value in mcp-gen.yaml.",
    );
    omitted.push(...tool.operations.map((operation) => ({ ...operation, reason })));
    return false;
  });
  return { tools: sendable, omitted };
}

/** The first problem of a constant in the requests of a tool, as a clause. */
function constantProblem({ definition, workflow }: PlannedTool): string | undefined {
  if (workflow) return undefined;
  return definition.operations.flatMap(({ request }) => constantProblems(request))[0];
}
