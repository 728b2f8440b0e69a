/** Suggested workflows: look up a resource by text, then act on it. */
import { isObject } from "../../json.js";
import type { PlannedInput, PlannedTool, ToolPlan } from "../../plan/types.js";
import type { OperationBinding, RequestMapping, ParameterSource } from "../../runtime/types.js";
import { comment, inputOf, itemFields, scalar } from "./suggestions.js";

/** Maximum number of suggested workflows. */
const MAX_WORKFLOWS = 3;
/** Inputs that take search text. */
const SEARCH_INPUTS = /^(?:q|query|search|text|name|title|email|keywords?)$/i;

/** Fields that identify a resource exactly, even when the list also matches parts of them. */
const EXACT_FIELDS = /^(?:name|title|email)$/;

/** A list operation that searches by text, and the position of the ID in its response. */
interface LookUpOperation {
  readonly operationId: string;
  readonly words: PlannedInput;
  /** Name of the query parameter. */
  readonly parameter: string;
  /** JSON pointer to the list in the response. */
  readonly list: string;
  /** Field of an item that holds the search text, if it has an exact name. */
  readonly field?: string;
  readonly request: RequestMapping;
  /** Other required inputs, which the acting tool has, too. */
  readonly needs: ReadonlySet<string>;
}

/**
 * Suggests workflows from producers: look up a resource by text, then act on it. The result is a
 * commented-out Arazzo document.
 * @param spec path of the document
 */
export function suggestWorkflows({ tools, source }: ToolPlan, spec: string): readonly string[] {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const found = tools.flatMap((tool) => suggestion(tool, byName)).slice(0, MAX_WORKFLOWS);
  if (found.length === 0) return [];
  const lines = [
    "arazzo: 1.1.0",
    `info: {title: ${scalar(`Tasks of ${source}`)}, version: 1.0.0}`,
    "sourceDescriptions:",
    `  - {name: api, type: openapi, url: ${scalar(spec)}}`,
    "workflows:",
    ...found.flat(),
  ];
  return [
    "",
    ...comment(
      "Workflows that replace two calls by one. To add them, uncomment these lines " +
        "in a file tasks.arazzo.yaml, and set workflows: [./tasks.arazzo.yaml]",
      0,
    ),
    ...lines.map((line) => `# ${line}`),
  ];
}

function suggestion(
  tool: PlannedTool,
  byName: ReadonlyMap<string, PlannedTool>,
): readonly (readonly string[])[] {
  const { definition, inputs, operations, workflow } = tool;
  const [request, ...others] = definition.operations;
  const [{ operationId } = { operationId: undefined }, ...more] = operations;
  if (
    workflow ||
    definition.annotations.readOnlyHint ||
    !request ||
    others.length > 0 ||
    more.length > 0 ||
    operationId === undefined
  )
    return [];
  for (const input of inputs.filter(({ required }) => required)) {
    const lookUp = /(?:^|_|[a-z])(?:id|Id)$/.test(input.name)
      ? lookUpOf(input, tool, byName)
      : undefined;
    if (lookUp) return [workflowOf(tool, request.request, operationId, input, lookUp)];
  }
  return [];
}

function lookUpOf(
  { producers = [] }: PlannedInput,
  acting: PlannedTool,
  byName: ReadonlyMap<string, PlannedTool>,
): LookUpOperation | undefined {
  for (const name of producers) {
    const tool = byName.get(name);
    const lists = (tool?.definition.operations ?? []).filter(
      ({ whenProvided, response }) =>
        whenProvided.length <= 1 && (response.items !== undefined || response.wrap === "items"),
    );
    const [found] =
      tool && itemFields(tool.definition.outputSchema).includes("id")
        ? lists.flatMap((request) => lookUpByText(tool, request, acting) ?? [])
        : [];
    if (found) return found;
  }
  return undefined;
}

function lookUpByText(
  { inputs, operations, definition }: PlannedTool,
  { whenProvided, request, response }: OperationBinding,
  acting: PlannedTool,
): LookUpOperation | undefined {
  const operationId = operations.find(
    ({ method, path }) => method === request.method && path === request.path,
  )?.operationId;
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
    operationId === undefined ||
    !entry ||
    words?.type.type !== "string" ||
    [...needs].some((name) => !acting.inputs.some((input) => input.name === name))
  )
    return undefined;
  const field = itemFields(definition.outputSchema).find(
    (name) => name === entry[0] && EXACT_FIELDS.test(name),
  );
  return {
    operationId,
    words,
    parameter: entry[0],
    list: response.items ?? "",
    request,
    needs,
    ...(field !== undefined && { field }),
  };
}

function workflowOf(
  { definition: { name, title }, inputs }: PlannedTool,
  request: RequestMapping,
  operationId: string,
  id: PlannedInput,
  lookUp: LookUpOperation,
): readonly string[] {
  const needed = new Set([...neededBy(request, inputs), ...lookUp.needs]);
  const others = inputs.filter((input) => needed.has(input.name) && input.name !== id.name);
  const words = "look_up";
  const by = /^(?:q|query|search|text|keywords?)$/i.test(lookUp.words.name)
    ? "words"
    : lookUp.words.name;
  const value = (input: string): string =>
    input === id.name ? "$steps.look-up.outputs.id" : `$inputs.${input}`;
  const required = others.filter((input) => input.required).map((input) => input.name);
  const description = lookUp.words.description.replace(/ ?Goes only with [^.]*\.$/, "");
  return [
    `  - workflowId: ${scalar(`${name.replaceAll("_", "-")}-by-${by.replaceAll("_", "-")}`)}`,
    `    summary: ${scalar(`${title.replace(/\.$/, "")}, with the ${id.name} looked up by ${by}.`)}`,
    "    inputs:",
    "      type: object",
    `      required: [${[words, ...required].map(scalar).join(", ")}]`,
    "      properties:",
    `        ${scalar(words)}: {type: string, description: ${scalar(description)}}`,
    ...others.map((input) => `        ${scalar(input.name)}: ${typeOf(input)}`),
    "    steps:",
    ...lookUpStep(lookUp, words),
    "      - stepId: act",
    `        operationId: ${scalar(operationId)}`,
    ...parametersOf(request, needed, value),
    ...bodyOf(request, needed, value),
    "        outputs: {result: $response.body}",
    "    outputs: {result: $steps.act.outputs.result}",
  ];
}

/** The step that finds the ID of the only match. */
function lookUpStep(
  { operationId, parameter, request, needs, list, field }: LookUpOperation,
  words: string,
): readonly string[] {
  const first = `$response.body#${list}/0`;
  return [
    "      - stepId: look-up",
    `        operationId: ${scalar(operationId)}`,
    "        parameters:",
    `          - {name: ${scalar(parameter)}, in: query, value: $inputs.${words}}`,
    ...parametersOf(request, needs, (input) => `$inputs.${input}`).slice(1),
    "        successCriteria:",
    `          - condition: $statusCode == 200 && ${first}/id != null`,
    "          # Exactly one match, so that no other resource is affected.",
    `          - condition: $response.body#${list}/1 == null`,
    ...(field === undefined
      ? []
      : [`          - condition: ${first}/${field} == $inputs.${words}`]),
    `        outputs: {id: ${first}/id}`,
  ];
}

/**
 * The required inputs. For a body without required fields, such as that of a PATCH, all of its
 * fields.
 */
function neededBy({ body }: RequestMapping, inputs: readonly PlannedInput[]): ReadonlySet<string> {
  const required = new Set(inputs.filter((input) => input.required).map((input) => input.name));
  const fields = Object.values(body?.fields ?? {}).flatMap((source) => inputOf(source) ?? []);
  return new Set([...required, ...(fields.some((name) => required.has(name)) ? [] : fields)]);
}

function typeOf({ type, description }: PlannedInput): string {
  const plain =
    typeof type.type === "string" && ["string", "integer", "number", "boolean"].includes(type.type)
      ? `type: ${type.type}, `
      : "";
  return `{${plain}description: ${scalar(description)}}`;
}

const parameterLocations = [
  ["pathParams", "path"],
  ["query", "query"],
  ["headers", "header"],
  ["cookies", "cookie"],
] as const;

function parametersOf(
  request: RequestMapping,
  needed: ReadonlySet<string>,
  value: (input: string) => string,
): readonly string[] {
  const found = parameterLocations.flatMap(([section, place]) =>
    mappedNames(request[section], needed).map(
      ([name, input]) =>
        `          - {name: ${scalar(name)}, in: ${place}, value: ${value(input)}}`,
    ),
  );
  return found.length > 0 ? ["        parameters:", ...found] : [];
}

function bodyOf(
  { body }: RequestMapping,
  needed: ReadonlySet<string>,
  value: (input: string) => string,
): readonly string[] {
  if (!body) return [];
  const payload =
    body.from === undefined
      ? `{${mappedNames(body.fields, needed)
          .map(([name, input]) => `${scalar(name)}: ${value(input)}`)
          .join(", ")}}`
      : value(body.from);
  return [
    "        requestBody:",
    `          contentType: ${scalar(body.contentType)}`,
    `          payload: ${payload}`,
  ];
}

/** Parameters or fields that take needed inputs: their names, each with its input. */
function mappedNames(
  sources: unknown,
  needed: ReadonlySet<string>,
): readonly (readonly [string, string])[] {
  return Object.entries(
    isObject(sources) ? (sources as Readonly<Record<string, ParameterSource>>) : {},
  ).flatMap(([name, source]) => {
    const input = inputOf(source);
    return input !== undefined && needed.has(input) ? [[name, input] as const] : [];
  });
}
