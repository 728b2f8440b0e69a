/** Drafts of workflows that look up a thing by text, and then act on it. */
import type { PlannedInput, PlannedTool } from "../../plan/types.js";
import type { OperationBinding, RequestMapping } from "../../runtime/types.js";
import { inputOf, itemFields, scalar } from "./suggestions.js";
import {
  bodyLines,
  type Draft,
  inputLines,
  neededInputs,
  operationLine,
  parameterLines,
} from "./workflow-text.js";

/** Inputs that take search text. */
const SEARCH_INPUTS = /^(?:q|query|search|text|name|title|email|keywords?)$/i;

/** Fields that identify a resource exactly, even when the list also matches parts of them. */
const EXACT_FIELDS = /^(?:name|title|email)$/;

/** A list operation that searches by text, and the position of the ID in its response. */
interface LookUpOperation {
  readonly tool: PlannedTool;
  readonly words: PlannedInput;
  /** Name of the query parameter. */
  readonly parameter: string;
  /** JSON pointer to the list in the response. */
  readonly list: string;
  /** Field of an item that holds the ID. */
  readonly id: string;
  /** Field of an item that holds the search text, if it has an exact name. */
  readonly field?: string;
  readonly request: RequestMapping;
  /** Other required inputs, which the acting tool has, too. */
  readonly needs: ReadonlySet<string>;
}

/** Drafts a workflow for each write that takes the ID of a thing that a search finds. */
export function lookUpAndAct(tools: readonly PlannedTool[]): readonly Draft[] {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  return tools.flatMap((tool) => suggestion(tool, byName));
}

function suggestion(tool: PlannedTool, byName: ReadonlyMap<string, PlannedTool>): readonly Draft[] {
  const { definition, inputs, operations, workflow } = tool;
  const [request, ...others] = definition.operations;
  const isOther = others.length > 0 || operations.length !== 1 || workflow !== undefined;
  if (!request || isOther || definition.annotations.readOnlyHint) return [];
  for (const input of inputs.filter(({ required }) => required)) {
    const isId = /(?:^|_|[a-z])(?:id|Id)$/.test(input.name) || input.producerFields !== undefined;
    const lookUp = isId ? lookUpOf(input, tool, byName) : undefined;
    if (lookUp) return [workflowOf(tool, request.request, input, lookUp)];
  }
  return [];
}

function lookUpOf(
  { producers = [], producerFields = {} }: PlannedInput,
  acting: PlannedTool,
  byName: ReadonlyMap<string, PlannedTool>,
): LookUpOperation | undefined {
  for (const name of producers) {
    const tool = byName.get(name);
    const lists = (tool?.definition.operations ?? []).filter(
      ({ whenProvided, response }) =>
        whenProvided.length <= 1 && (response.items !== undefined || response.wrap === "items"),
    );
    const id = producerFields[name] ?? "id";
    const [found] =
      tool && itemFields(tool.definition.outputSchema).includes(id)
        ? lists.flatMap((request) => lookUpByText(tool, request, acting, id) ?? [])
        : [];
    if (found) return found;
  }
  return undefined;
}

function lookUpByText(
  tool: PlannedTool,
  { whenProvided, request, response }: OperationBinding,
  acting: PlannedTool,
  id: string,
): LookUpOperation | undefined {
  const { inputs, definition } = tool;
  const entry = Object.entries(request.query ?? {}).find(
    ([name, source]) => SEARCH_INPUTS.test(name) && inputOf(source) !== undefined,
  );
  const words = inputs.find(
    ({ name }) =>
      name === inputOf(entry?.[1]) && whenProvided.every((inputName) => inputName === name),
  );
  const needs = new Set(
    inputs.filter(({ name, required }) => required && name !== words?.name).map(({ name }) => name),
  );
  if (
    !entry ||
    words?.type.type !== "string" ||
    [...needs].some((name) => !acting.inputs.some((input) => input.name === name))
  )
    return undefined;
  const field = itemFields(definition.outputSchema).find(
    (name) => name === entry[0] && EXACT_FIELDS.test(name),
  );
  return {
    tool,
    id,
    words,
    parameter: entry[0],
    list: response.items ?? "",
    request,
    needs,
    ...(field !== undefined && { field }),
  };
}

function workflowOf(
  acting: PlannedTool,
  request: RequestMapping,
  id: PlannedInput,
  lookUp: LookUpOperation,
): Draft {
  const { name, title, annotations } = acting.definition;
  const needed = new Set([...neededInputs(request, acting.inputs), ...lookUp.needs]);
  const others = acting.inputs.filter((input) => needed.has(input.name) && input.name !== id.name);
  const words = "look_up";
  const by = /^(?:q|query|search|text|keywords?)$/i.test(lookUp.words.name)
    ? "words"
    : lookUp.words.name;
  const value = (input: string): string =>
    input === id.name ? "$steps.look-up.outputs.id" : `$inputs.${input}`;
  const description = lookUp.words.description.replace(/ ?Goes only with [^.]*\.$/, "");
  const own = {
    required: [words],
    lines: [`        ${scalar(words)}: {type: string, description: ${scalar(description)}}`],
  };
  return {
    subject: lookUp.request.path,
    weight: (annotations.destructiveHint ? 1 : 2) - others.length / 4,
    lines: [
      `  - workflowId: ${scalar(`${name.replaceAll("_", "-")}-by-${by.replaceAll("_", "-")}`)}`,
      `    summary: ${scalar(`${title.replace(/\.$/, "")}, with the ${id.name} looked up by ${by}.`)}`,
      ...inputLines(
        others.map((input) => ({ input, name: input.name })),
        own,
      ),
      "    steps:",
      ...lookUpStep(lookUp, words),
      "      - stepId: act",
      operationLine(acting, request),
      ...parameterLines(request, needed, value),
      ...bodyLines(request, needed, value),
      "        outputs: {result: $response.body}",
      "    outputs: {result: $steps.act.outputs.result}",
    ],
  };
}

/** The step that finds the ID of the only match. */
function lookUpStep(
  { tool, id, parameter, request, needs, list, field }: LookUpOperation,
  words: string,
): readonly string[] {
  const first = `$response.body#${list}/0`;
  return [
    "      - stepId: look-up",
    operationLine(tool, request),
    "        parameters:",
    `          - {name: ${scalar(parameter)}, in: query, value: $inputs.${words}}`,
    ...parameterLines(request, needs, (input) => `$inputs.${input}`).slice(1),
    "        successCriteria:",
    `          - condition: $statusCode == 200 && ${first}/${id} != null`,
    "          # Exactly one match, so that no other resource is affected.",
    `          - condition: $response.body#${list}/1 == null`,
    ...(field === undefined
      ? []
      : [`          - condition: ${first}/${field} == $inputs.${words}`]),
    `        outputs: {id: ${first}/${id}}`,
  ];
}
