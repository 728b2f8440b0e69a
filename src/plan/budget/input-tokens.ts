/** Tokens of single inputs in the definition of a tool. */
import { isObject, type JsonSchema } from "../../json.js";
import { estimateToolTokens } from "../../runtime/tools/shown-definition.js";
import { referencedNames } from "../schemas/refs.js";
import type { PlannedInput, PlannedTool } from "../types.js";

/** Minimum characters and tokens of an input whose size is a reason to hide it. */
const [MIN_INPUT_SIZE, MIN_INPUT_TOKENS] = [400, 100];

/** Tokens of an input in the definition of its tool, with the schemas that only this input needs. */
export function inputTokens({ definition }: PlannedTool, name: string): number {
  const { $defs = {}, ...schema } = definition.inputSchema as JsonSchema;
  const { [name]: _, ...properties } = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const rest = { ...schema, properties };
  const needed = new Set<string>();
  const pending = [...referencedNames(rest)];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const target = $defs[next];
    if (needed.has(next) || !isObject(target)) continue;
    needed.add(next);
    pending.push(...referencedNames(target as JsonSchema));
  }
  const left = Object.entries($defs).filter(([one]) => needed.has(one));
  const inputSchema = { ...rest, ...(left.length > 0 && { $defs: Object.fromEntries(left) }) };
  return estimateToolTokens(definition) - estimateToolTokens({ ...definition, inputSchema });
}

/** Inputs with many tokens, the largest first. At most twice `maximum` are measured. */
export function largestInputs(
  tool: PlannedTool,
  inputs: readonly PlannedInput[],
  maximum: number,
): readonly { readonly name: string }[] {
  const { properties = {} } = tool.definition.inputSchema as JsonSchema;
  const size = ({ name }: PlannedInput): number => {
    const schema = properties[name];
    if (!isObject(schema)) return 0;
    const isReference = referencedNames(schema as JsonSchema).length > 0;
    return JSON.stringify(schema).length + (isReference ? MIN_INPUT_SIZE : 0);
  };
  return inputs
    .map((input) => ({ ...input, size: size(input) }))
    .filter((input) => input.size >= MIN_INPUT_SIZE)
    .sort((a, b) => b.size - a.size)
    .slice(0, 2 * maximum)
    .map(({ name }) => ({ name, tokens: inputTokens(tool, name) }))
    .filter(({ tokens }) => tokens >= MIN_INPUT_TOKENS)
    .sort((a, b) => b.tokens - a.tokens);
}
