import { quoteText } from "../../diagnostics/text.js";
import { isObject, isSameJson, type JsonSchema } from "../../json.js";
import { MAX_SIZE } from "../schemas/portable/projection.js";
import type { PlannedRequest } from "../tool-context.js";
import type { PlannedInput } from "../types.js";
import { sourceInput } from "../bound-parameters.js";
import { commonRequiredInputs, type Member } from "./variants.js";

/** Input of several operations. */
export interface MergedInput {
  readonly input: PlannedInput;
  readonly schema: JsonSchema;
}

export interface MergedInputs {
  /** Required first, then those of the most specific operation. */
  readonly inputs: readonly MergedInput[];
  readonly defs: Readonly<Record<string, JsonSchema>>;
}

/**
 * Merges the inputs of several operations. A shared input must have one schema, or the reason
 * against the merge is returned: an input with two meanings is worse than two tools. Where only
 * texts differ, those of the most general operation are used.
 */
export function mergeInputs(members: readonly Member[]): MergedInputs | string {
  const common = commonRequiredInputs(members);
  const found = new Map<string, MergedInput>();
  const defs = new Map<string, JsonSchema>();
  for (const { request } of members) {
    const { properties = {}, $defs = {} } = request.inputs.schema;
    for (const [name, schema] of Object.entries($defs)) {
      if (defs.has(name) && !isSameJson(defs.get(name), schema))
        return `the type ${name} differs between them`;
      defs.set(name, schema as JsonSchema);
    }
    for (const input of request.inputs.inputs) {
      const schema = properties[input.name] as JsonSchema;
      const existing = found.get(input.name);
      const merged = existing
        ? (reconcileInput(existing, { input, schema }) ??
          reconcilePathInput(existing, { input, schema }, members))
        : { input: { ...input, required: common.has(input.name) }, schema };
      if (!merged) return `the input ${input.name} differs between them`;
      found.set(input.name, merged);
    }
  }
  const inputs = orderInputs([...found.values()], members);
  if (JSON.stringify(inputs.map(({ schema }) => schema)).length > MAX_SIZE)
    return "their inputs are too large for one tool";
  return { inputs, defs: Object.fromEntries(defs) };
}

/** Merges two inputs with one schema. Enums are combined. */
function reconcileInput(existing: MergedInput, other: MergedInput): MergedInput | undefined {
  if (equalExceptText(existing.schema, other.schema)) return existing;
  if (existing.input.required) return undefined;
  const schema = unionOfEnums(existing.schema, other.schema);
  const type = unionOfEnums(existing.input.type, other.input.type);
  return schema && type && { input: { ...existing.input, type }, schema };
}

/**
 * `/pets/{id}` with a number and `/pets/{id}/visits` with a text: both are sent as the same text,
 * so the string type represents both.
 */
function reconcilePathInput(
  existing: MergedInput,
  other: MergedInput,
  members: readonly Member[],
): MergedInput | undefined {
  const isInPath = members.every(({ request }) =>
    request.inputs.sources.every(
      ([{ in: location }, source]) =>
        location === "path" || sourceInput(source) !== existing.input.name,
    ),
  );
  const both = [existing, other];
  const text = both.find(({ schema }) => isPlain(schema, /^string$/) && !schema.format);
  const number = both.find(({ schema }) => isPlain(schema, /^(?:integer|number)$/));
  return isInPath && text && number
    ? { input: { ...existing.input, type: text.input.type }, schema: text.schema }
    : undefined;
}

/** A scalar of the type with no constraint but a format. */
function isPlain(schema: JsonSchema, type: RegExp): boolean {
  const keywords = Object.keys(schema).filter(
    (key) => !/^(?:type|format|description|title|examples|minimum)$/.test(key),
  );
  return typeof schema.type === "string" && type.test(schema.type) && keywords.length === 0;
}

/**
 * Combines two enums of otherwise equal schemas; undefined for schemas with any other difference.
 * The API reports a value that the chosen operation does not accept.
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

/**
 * Offers the configured ID of a get as an input with one value. A merged tool needs it to tell the
 * get from the list.
 */
export function withSelectableId(role: Member["role"], request: PlannedRequest): PlannedRequest {
  if (role !== "get") return request;
  const { inputs, classified } = request;
  const id = /\{([^{}]+)\}$/.exec(classified.operation.path)?.[1];
  const fixed = inputs.sources.find(
    ([{ in: location, wireName }]) => location === "path" && wireName === id,
  );
  if (!fixed || typeof fixed[1] === "string" || !("value" in fixed[1])) return request;
  const [candidate, { value, ...style }] = fixed;
  const name = candidate.wireName;
  if (!/^\w{1,64}$/.test(name) || inputs.inputs.some((input) => input.name === name))
    return request;
  const label = `path ${quoteText(name, 60)}`;
  const schema = { ...fixedValueSchema(value), description: fixedValueSentence(value) };
  return {
    ...request,
    inputs: {
      ...inputs,
      inputs: [
        ...inputs.inputs,
        { name, required: true, description: schema.description, type: fixedValueSchema(value) },
      ],
      schema: {
        ...inputs.schema,
        properties: { ...inputs.schema.properties, [name]: schema },
        required: [...(inputs.schema.required ?? []), name],
      },
      sources: inputs.sources.map((entry) =>
        entry === fixed ? ([candidate, { from: name, ...style }] as const) : entry,
      ),
      reasons: inputs.reasons.map((reason) =>
        reason.startsWith(`${label} `)
          ? `${label} takes one value; it selects the operation.`
          : reason,
      ),
    },
  };
}

/** Schema of an input with one value. */
export const fixedValueSchema = (value: unknown): JsonSchema => ({
  type: typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "string",
  enum: [value],
});

/** Advice for an input with one value. */
export const fixedValueSentence = (value: unknown): string =>
  `Give ${JSON.stringify(value)} to select this one.`;
