import type { Operation } from "../../model/types.js";
import type { LinkedWorkflow } from "../../workflow/index.js";
import { inputOf, wiresOf } from "../curation/wires.js";
import { ended, listed } from "../describe/sentences.js";
import { withDescriptions } from "../tool-inputs.js";
import type { PlannedTool } from "../types.js";
import { isInput } from "./known-inputs.js";

/**
 * Tools whose results hold the value that a path parameter of an operation needs, as the
 * operation's own tool knows.
 */
export type ProducersOf = (operation: Operation, parameter: string) => readonly string[];

/** What the tools of operations say of where their IDs come from. */
export function producersIn(tools: readonly PlannedTool[]): ProducersOf {
  const byOperation = new Map(
    tools.flatMap((tool) =>
      tool.operations.map(({ method, path }) => [`${method} ${path}`, tool] as const),
    ),
  );
  return ({ method, path }, parameter) => {
    const tool = byOperation.get(`${method} ${path}`);
    const input =
      tool &&
      wiresOf(tool).flatMap(({ place, wireName, wire }) =>
        place === "path" && wireName === parameter ? (inputOf(wire) ?? []) : [],
      )[0];
    if (tool && input !== undefined && findsBy(tool, input)) return [tool.definition.name];
    return tool?.inputs.find(({ name }) => name === input)?.producers ?? [];
  };
}

/** A tool that also lists what it finds by an ID is where the ID comes from. */
function findsBy({ definition: { requests } }: PlannedTool, input: string): boolean {
  return (
    requests.length > 1 &&
    requests.some(({ given, read }) => read.item !== undefined && given.includes(input))
  );
}

/** The tool of a workflow, which says where the IDs come from that it sends on. */
export function withSourcesOfInputs(
  tool: PlannedTool,
  linked: LinkedWorkflow,
  producersOf: ProducersOf,
): PlannedTool {
  const found = new Map(
    wiresOf(tool).flatMap(({ wireName, wire }) => {
      const [input, names] = [
        inputOf(wire),
        wireName === undefined ? [] : producersFor(wireName, linked, producersOf),
      ];
      return input === undefined || names.length === 0 ? [] : [[input, names] as const];
    }),
  );
  if (found.size === 0) return tool;
  const told = tool.inputs.flatMap(({ name, description }) =>
    found.has(name)
      ? [
          [
            name,
            `${ended(description)} Get it from ${listed(found.get(name) ?? []).replace(/ and ([^,]*)$/, " or $1")}.`,
          ] as const,
        ]
      : [],
  );
  return withDescriptions(
    {
      ...tool,
      inputs: tool.inputs.map((input) =>
        found.has(input.name) ? { ...input, producers: found.get(input.name) ?? [] } : input,
      ),
    },
    new Map(told),
  );
}

function producersFor(
  name: string,
  { steps }: LinkedWorkflow,
  producersOf: ProducersOf,
): readonly string[] {
  const all = steps.flatMap(({ call, arguments: given }) =>
    call.kind === "operation" && call.api.name === ""
      ? given.flatMap((argument) =>
          argument.in === "path" && isInput(argument.value, name)
            ? [producersOf(call.operation, argument.name)]
            : [],
        )
      : [],
  );
  return all.find((names) => names.length > 0) ?? [];
}
