/** Producers of the inputs of workflow tools. */
import type { Operation } from "../../model/types.js";
import type { LinkedWorkflow } from "../../workflow/index.js";
import { boundParameters, describeInputs, sourceInput } from "../bound-parameters.js";
import { appendSentences, joinWithOr } from "../text/sentences.js";
import type { PlannedTool } from "../types.js";
import { isInputExpression } from "./infer-workflow-inputs.js";

/** Producers of a path parameter, as the operation's own tool names them. */
export type ProducersOf = (operation: Operation, parameter: string) => readonly string[];

/** Looks up producers in the tools of operations. */
export function producersByParameter(tools: readonly PlannedTool[]): ProducersOf {
  const byOperation = new Map(
    tools.flatMap((tool) =>
      tool.operations.map(({ method, path }) => [`${method} ${path}`, tool] as const),
    ),
  );
  return ({ method, path }, parameter) => {
    const tool = byOperation.get(`${method} ${path}`);
    const input =
      tool &&
      boundParameters(tool).flatMap(({ location, wireName, source }) =>
        location === "path" && wireName === parameter ? (sourceInput(source) ?? []) : [],
      )[0];
    if (tool && input !== undefined && isFoundBy(tool, input)) return [tool.definition.name];
    return tool?.inputs.find(({ name }) => name === input)?.producers ?? [];
  };
}

/**
 * Tests whether a tool also lists the resources that it finds by an ID, and so is the source of the
 * ID.
 */
function isFoundBy({ definition: { operations } }: PlannedTool, input: string): boolean {
  return (
    operations.length > 1 &&
    operations.some(
      ({ whenProvided, response }) => response.item !== undefined && whenProvided.includes(input),
    )
  );
}

/** Adds producers to the inputs of a workflow tool that are sent as path parameters. */
export function addInputProducers(
  tool: PlannedTool,
  linked: LinkedWorkflow,
  producersOf: ProducersOf,
): PlannedTool {
  const found = new Map(
    boundParameters(tool).flatMap(({ wireName, source }) => {
      const [input, names] = [
        sourceInput(source),
        wireName === undefined ? [] : producersOfInput(wireName, linked, producersOf),
      ];
      return input === undefined || names.length === 0 ? [] : [[input, names] as const];
    }),
  );
  if (found.size === 0) return tool;
  const described = tool.inputs.flatMap(({ name, description }) =>
    found.has(name)
      ? [
          [
            name,
            appendSentences(description, `Get it from ${joinWithOr(found.get(name) ?? [])}.`),
          ] as const,
        ]
      : [],
  );
  return describeInputs(
    {
      ...tool,
      inputs: tool.inputs.map((input) =>
        found.has(input.name) ? { ...input, producers: found.get(input.name) ?? [] } : input,
      ),
    },
    new Map(described),
  );
}

function producersOfInput(
  name: string,
  { steps }: LinkedWorkflow,
  producersOf: ProducersOf,
): readonly string[] {
  const candidates = steps.flatMap(({ call, arguments: stepArguments }) =>
    call.kind === "operation" && call.api.name === ""
      ? stepArguments.flatMap((argument) =>
          argument.in === "path" && isInputExpression(argument.value, name)
            ? [producersOf(call.operation, argument.name)]
            : [],
        )
      : [],
  );
  return candidates.find((names) => names.length > 0) ?? [];
}
