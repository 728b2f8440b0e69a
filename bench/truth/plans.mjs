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
    for (const reference of tool.operations) {
      const operation = operationName(reference);
      byOperation.set(operation, [...(byOperation.get(operation) ?? []), tool]);
    }
  const omitted = new Set(plan.omitted.map(operationName));
  return {
    tools: plan.tools,
    diagnostics,
    toolsOf: (operation) => byOperation.get(operation) ?? [],
    has: (operation) => byOperation.has(operation) || omitted.has(operation),
  };
}

/**
 * `PUT /files/{id}#lock`: method and path as the document writes them. The planned path has neither
 * fragment nor query, which may be all that tells two operations apart.
 */
export function operationName({ method, path, location }) {
  const [, key] = /^#\/paths\/([^/]+)\/\w+$/.exec(location.pointer) ?? [];
  return `${method} ${key?.replaceAll("~1", "/").replaceAll("~0", "~") ?? path}`;
}

/** The request of one operation of a tool, and the inputs that select it. */
export function requestOf(tool, operation) {
  const planned = operation.replace(/[?#].*$/, "");
  const binding = tool.definition.operations.find(
    ({ request }) => `${request.method} ${request.path}` === planned,
  );
  return { selectedBy: binding?.whenProvided ?? [], pathParams: binding?.request.pathParams ?? {} };
}
