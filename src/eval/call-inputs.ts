/** Inputs of calls: samples for what a task leaves open, and IDs that nothing returns. */
import { isObject } from "../json.js";
import { documentInputs, sampleInput, type Schema, SchemaSet } from "../mock/index.js";
import type { ContractTool, MockApi } from "../mock/index.js";
import { parseIdentityName } from "../plan/producers/resources.js";
import type { PlannedTool } from "../plan/types.js";
import { isOpen } from "./match-value.js";
import type { Inputs } from "./types.js";

/** Tests whether an input is an ID that the tool itself does not tell: no default, no values. */
export function needsSource({ definition }: PlannedTool, name: string): boolean {
  const { properties = {} } = definition.inputSchema as {
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  const schema = properties[name];
  const isTold = isObject(schema) && ["default", "enum", "const"].some((key) => key in schema);
  const { entity, idWord } = parseIdentityName(name);
  return !isTold && entity !== "" && /^(?:id|uuid|guid|gid|sid|uid)$/.test(idWord);
}

/** The expected inputs, with samples for open values, required inputs and the rest of objects. */
export function completeInput({ definition }: PlannedTool, expected: Inputs, api: MockApi): Inputs {
  const schemas = new SchemaSet(api.schemas, "request");
  const documented = documentInputs(definition as ContractTool, api, schemas);
  const all = sampleInput(definition.inputSchema as Schema).full;
  const sampleOf = (name: string): unknown =>
    documented.find(({ input }) => Object.hasOwn(input, name))?.input[name] ?? all[name];
  const required = (definition.inputSchema.required ?? []) as readonly string[];
  const names = new Set([...required, ...Object.keys(expected)]);
  const values = [...names].map((name) => [name, complete(expected[name], sampleOf(name))]);
  return Object.fromEntries(values) as Inputs;
}

/** An expected value in which open and missing parts are those of a sample. */
function complete(expected: unknown, sample: unknown): unknown {
  if (expected === undefined || isOpen(expected)) return sample;
  if (!isObject(expected) || !isObject(sample)) return expected;
  const parts = Object.entries(expected).map(([key, part]) => [key, complete(part, sample[key])]);
  return { ...sample, ...Object.fromEntries(parts) };
}
