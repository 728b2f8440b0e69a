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
  return [...own, ...consumers].flatMap(
    ([one, input]) => idField(one, input, names) ?? likelyIds(names),
  );
}

/** The only ID of a result, or that of a thing of any kind: `entity_id`. No name shows it. */
function likelyIds(names: readonly string[]): readonly string[] {
  const ids = names.filter((name) => /^(?:id|uuid)$/.test(splitWords(name).at(-1) ?? ""));
  return ids.length === 1
    ? ids
    : ids.filter((name) => GENERIC_THINGS.has(splitWords(name)[0] ?? ""));
}

const GENERIC_THINGS = new Set(["entity", "item", "object", "record", "resource"]);

/** Tests whether a name is that of an input that takes a value from the result of a tool. */
export function producedInputs(tools: readonly PlannedTool[]): (name: string) => boolean {
  const inWords = (name: string): string => splitWords(name).join(" ");
  const names = tools.flatMap(({ inputs }) =>
    inputs.flatMap(({ name, producers = [] }) => (producers.length > 0 ? inWords(name) : [])),
  );
  const produced = new Set(names);
  return (name) => produced.has(inWords(name));
}
