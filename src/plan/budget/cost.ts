import type { PlannedTool, ToolCost } from "../types.js";

/** A model reads about four bytes of JSON as one token. The runtime counts results the same way. */
const BYTES_PER_TOKEN = 4;

/**
 * Estimates what each tool costs in `tools/list`: its name, title, description, annotations and
 * schemas as JSON. Output schemas that tools share are written once.
 */
export function costsOf(tools: readonly PlannedTool[]): readonly ToolCost[] {
  const known = new Map<object, number>();
  return tools.map(({ definition }) => {
    const { name, title, description, annotations, inputSchema, outputSchema } = definition;
    const output =
      outputSchema === undefined ? 0 : (known.get(outputSchema) ?? bytesOf(outputSchema));
    if (outputSchema) known.set(outputSchema, output);
    return {
      tool: name,
      tokens: tokens(bytesOf({ name, title, description, inputSchema, annotations }) + output),
      outputTokens: tokens(output),
    };
  });
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function tokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
