import { isObject, type JsonSchema } from "../../json.js";
import { MAX_SIZE } from "../schemas/portable/limits.js";
import { isSameJson } from "../schemas/values.js";
import type { PlannedInput } from "../types.js";
import { commonRequiredInputs, type Member } from "./variants.js";

/** One input of several operations. */
export interface MergedInput {
  readonly input: PlannedInput;
  readonly schema: JsonSchema;
}

export interface MergedInputs {
  /** Required ones first, then those of the most special operation. */
  readonly inputs: readonly MergedInput[];
  readonly defs: Readonly<Record<string, JsonSchema>>;
}

/**
 * The union of the inputs of some operations. One that several have must look the same in each, or
 * the reason comes back why they cannot be one tool: an input that means different things would be
 * worse than two tools. Where only the words differ, those of the most general operation count.
 */
export function mergeInputs(members: readonly Member[]): MergedInputs | string {
  const common = commonRequiredInputs(members);
  const found = new Map<string, MergedInput>();
  const defs = new Map<string, JsonSchema>();
  for (const { request } of members) {
    const { properties = {}, $defs = {} } = request.inputs.schema;
    for (const [name, schema] of Object.entries($defs)) {
      if (defs.has(name) && !isSameJson(defs.get(name), schema))
        return `the type ${name} is not the same in each`;
      defs.set(name, schema as JsonSchema);
    }
    for (const input of request.inputs.inputs) {
      const schema = properties[input.name] as JsonSchema;
      const existing = found.get(input.name);
      const one = existing
        ? reconcileInput(existing, { input, schema })
        : { input: { ...input, required: common.has(input.name) }, schema };
      if (!one) return `the input ${input.name} is not the same in each`;
      found.set(input.name, one);
    }
  }
  const inputs = orderInputs([...found.values()], members);
  if (JSON.stringify(inputs.map(({ schema }) => schema)).length > MAX_SIZE)
    return "their inputs are too many for one tool";
  return { inputs, defs: Object.fromEntries(defs) };
}

/**
 * One input for two: the first where they are the same; where only the listed values differ, one
 * that takes the values of both.
 */
function reconcileInput(existing: MergedInput, other: MergedInput): MergedInput | undefined {
  if (equalExceptText(existing.schema, other.schema)) return existing;
  if (existing.input.required) return undefined;
  const schema = unionOfEnums(existing.schema, other.schema);
  const type = unionOfEnums(existing.input.type, other.input.type);
  return schema && type && { input: { ...existing.input, type }, schema };
}

/**
 * The API refuses a value that the chosen operation does not know, and says so; any other
 * difference keeps tools apart.
 */
function unionOfEnums(a: JsonSchema, b: JsonSchema): JsonSchema | undefined {
  if (isObject(a.items) && isObject(b.items)) {
    const items = unionOfEnums(a.items, b.items);
    return items && equalExceptText({ ...a, items: {} }, { ...b, items: {} })
      ? { ...a, items }
      : undefined;
  }
  if (equalExceptText(a, b)) return a;
  if (
    !Array.isArray(a.enum) ||
    !Array.isArray(b.enum) ||
    !equalExceptText({ ...a, enum: [] }, { ...b, enum: [] })
  )
    return undefined;
  return { ...a, enum: [...new Set([...(a.enum as unknown[]), ...(b.enum as unknown[])])] };
}

function equalExceptText(a: JsonSchema, b: JsonSchema): boolean {
  return (
    a === b ||
    isSameJson(
      { ...a, description: "", title: "", examples: "", deprecated: "" },
      { ...b, description: "", title: "", examples: "", deprecated: "" },
    )
  );
}

function orderInputs(
  inputs: readonly MergedInput[],
  members: readonly Member[],
): readonly MergedInput[] {
  const get = new Set(
    members
      .filter(({ role }) => role === "get")
      .flatMap(({ request }) =>
        request.inputs.inputs.filter((input) => input.required).map((input) => input.name),
      ),
  );
  const rank = ({ input }: MergedInput): number =>
    input.required ? 0 : get.has(input.name) ? 1 : 2;
  return inputs.toSorted((a, b) => rank(a) - rank(b));
}
