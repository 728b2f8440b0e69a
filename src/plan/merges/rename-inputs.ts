/** New names of the inputs of one operation, before it is merged with others. */
import type { JsonSchema } from "../../json.js";
import type { ParameterSource } from "../../runtime/types.js";
import { sourceInput } from "../bound-parameters.js";
import type { ConfiguredNames, PlannedRequest } from "../tool-context.js";

/** Renames inputs, by their names or their names in the request. Reports names without an input. */
export function renameInputs(
  request: PlannedRequest,
  { names, reject }: ConfiguredNames,
): PlannedRequest {
  const { inputs } = request;
  const known = inputs.inputs.map(({ name }) => name);
  const renames = new Map<string, string>();
  for (const [key, to] of Object.entries(names)) {
    const input = known.includes(key) ? key : inputOfWireName(request, key);
    if (input === undefined) reject(key, known);
    else if (known.includes(to) && to !== input) reject(key, known, to);
    else renames.set(input, to);
  }
  if (renames.size === 0) return request;
  const nameOf = (name: string): string => renames.get(name) ?? name;
  const { properties = {}, required } = inputs.schema;
  return {
    ...request,
    inputs: {
      ...inputs,
      inputs: inputs.inputs.map((input) => ({ ...input, name: nameOf(input.name) })),
      schema: {
        ...inputs.schema,
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, schema]) => [nameOf(name), schema as JsonSchema]),
        ),
        ...(required && { required: required.map(nameOf) }),
      },
      sources: inputs.sources.map(
        ([candidate, source]) => [candidate, renamedSource(source, nameOf)] as const,
      ),
      fileNameInputs: new Map(
        [...inputs.fileNameInputs].map(([field, name]) => [field, nameOf(name)]),
      ),
    },
  };
}

function inputOfWireName({ inputs }: PlannedRequest, key: string): string | undefined {
  const found = inputs.sources.find(([{ wireName }]) => wireName === key);
  return found && sourceInput(found[1]);
}

function renamedSource(source: ParameterSource, nameOf: (name: string) => string): ParameterSource {
  if (typeof source === "string") return nameOf(source);
  return "from" in source ? { ...source, from: nameOf(source.from) } : source;
}
