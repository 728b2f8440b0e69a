// The tools that the built generator plans for a document.
import { generate } from "../../dist/index.js";

/**
 * Plans a document as `mcp-gen` does, with deprecated operations and all notes of the lint.
 * @returns `{tools, diagnostics, toolsOf, has}`: `toolsOf("GET /pets")` has the tools of the
 *   operation, `has` tells whether the document has the operation at all
 */
export async function planDocument({ document, file, refRoot }) {
  const options = { includeDeprecated: true, lint: true, ...(refRoot && { refRoot }) };
  const { plan, diagnostics } = await generate(file, undefined, options);
  if (!plan) throw new Error(`${document}: ${diagnostics.map(({ message }) => message).join(" ")}`);
  const byOperation = new Map();
  for (const tool of plan.tools)
    for (const { method, path } of tool.operations) {
      const operation = `${method} ${path}`;
      byOperation.set(operation, [...(byOperation.get(operation) ?? []), tool]);
    }
  const omitted = new Set(plan.omitted.map(({ method, path }) => `${method} ${path}`));
  return {
    tools: plan.tools,
    diagnostics,
    toolsOf: (operation) => byOperation.get(operation) ?? [],
    has: (operation) => byOperation.has(operation) || omitted.has(operation),
  };
}

/** The request of one operation of a tool, and the inputs that select it. */
export function requestOf(tool, operation) {
  const binding = tool.definition.operations.find(
    ({ request }) => `${request.method} ${request.path}` === operation,
  );
  return { selectedBy: binding?.whenProvided ?? [], pathParams: binding?.request.pathParams ?? {} };
}
