import { quoteText } from "../../diagnostics/text.js";
import type { JsonSchema } from "../../json.js";
import type { PlannedRequest } from "../tool-context.js";
import type { Member } from "./variants.js";

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
  `Give ${JSON.stringify(value)} to get this one.`;
