/** Fields of results that tools take as inputs. */
import { splitWords } from "../language/words.js";
import { idField } from "./configuration/plan-lookup.js";
import type { PlannedTool } from "./types.js";

/** The tools and inputs that take a value from the result of a tool. */
export type Consumers = readonly (readonly [tool: PlannedTool, input: string])[];

export function consumersByProducer(tools: readonly PlannedTool[]): ReadonlyMap<string, Consumers> {
  const found = new Map<string, (readonly [PlannedTool, string])[]>();
  for (const tool of tools)
    for (const { name, producers = [] } of tool.inputs)
      for (const producer of producers)
        found.set(producer, [...(found.get(producer) ?? []), [tool, name]]);
  return found;
}

/**
 * The fields of a result with the IDs that other tools take, and with those by which the tool
 * itself gets one thing.
 */
export function consumedFields(
  tool: PlannedTool,
  names: readonly string[],
  consumers: Consumers,
): readonly string[] {
  const own = tool.definition.operations.flatMap(({ whenProvided }) =>
    whenProvided.map((input) => [tool, input] as const),
  );
  return [...own, ...consumers].flatMap(([one, input]) => idField(one, input, names) ?? []);
}

/** Tests whether a name is that of an input that takes a value from the result of a tool. */
export function producedInputs(tools: readonly PlannedTool[]): (name: string) => boolean {
  const inWords = (name: string): string => splitWords(name).join(" ");
  const names = tools.flatMap(({ inputs }) =>
    inputs.flatMap(({ name, producers = [] }) => (producers.length > 0 ? inWords(name) : [])),
  );
  const produced = new Set(names);
  return (name) => produced.has(inWords(name));
}
