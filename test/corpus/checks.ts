import { hostFaults } from "./hosts.js";
import { schemaFaults, subschemasOf } from "./schema-faults.js";
import { isUninformative } from "../../src/plan/inputs/infer-description.js";
import type { GenerateResult, PlannedTool } from "../../src/index.js";

const repeatsName = ({ name, description }: PlannedTool["inputs"][number]): boolean =>
  description !== "" && isUninformative(description, name);

/** True for a tool with a body that the document leaves open. */
const takesUndocumentedFields = ({ definition }: PlannedTool): boolean =>
  definition.operations.some(({ request }) => request.body?.isOpen);

/** Lists the properties of a tool that a strict host would reject. */
export function portabilityFaults(tool: PlannedTool): string[] {
  const { name, inputSchema, outputSchema, description, title } = tool.definition;
  const faults: string[] = [];
  if (!/^[a-z][a-z0-9_]{0,47}$/.test(name)) faults.push(`name ${name}`);
  if (title.length === 0 || description.length === 0 || description.length > 1000)
    faults.push(`${name}: text of ${description.length} characters`);
  for (const input of tool.inputs)
    if (!/^[a-zA-Z0-9_]{1,64}$/.test(input.name) || repeatsName(input))
      faults.push(`${name}: input ${input.name}`);
  faults.push(...faultsOfSchema(name, inputSchema, "input"), ...hostFaults(inputSchema, name));
  if (inputSchema["additionalProperties"] !== (takesUndocumentedFields(tool) ? undefined : false))
    faults.push(`${name}: additional properties of input`);
  if (outputSchema) faults.push(...faultsOfSchema(name, outputSchema, "output"));
  return faults;
}

function faultsOfSchema(
  name: string,
  schema: Readonly<Record<string, unknown>>,
  side: "input" | "output",
): string[] {
  const faults: string[] = [];
  if (schema["type"] !== "object") faults.push(`${name}: root of ${side} is not an object`);
  for (const keyword of ["oneOf", "anyOf", "allOf", "not", "$id", "$schema"])
    if (keyword in schema) faults.push(`${name}: root ${keyword} in ${side}`);
  const keywords = new Set(subschemasOf(schema).flatMap(Object.keys));
  for (const keyword of keywords)
    if (keyword.startsWith("x-")) faults.push(`${name}: ${keyword} in ${side}`);
  return [...faults, ...schemaFaults(schema).map((fault) => `${name}: ${side}: ${fault}`)];
}

/** Lists duplicate names of tools, and of the inputs of one tool. */
export function duplicates(result: GenerateResult): string[] {
  const tools = result.plan?.tools ?? [];
  return [
    ...repeatedNames(tools.map((tool) => tool.definition.name)),
    ...tools.flatMap((tool) => repeatedNames(tool.inputs.map((input) => input.name))),
  ];
}

function repeatedNames(names: readonly string[]): string[] {
  return names.filter((name, i) => names.indexOf(name) !== i);
}
