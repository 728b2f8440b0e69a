/** Drafts of workflows that create a thing and then act on it: create a list, then add a member. */
import { isObject, type JsonSchema } from "../../json.js";
import type { PlannedInput, PlannedTool } from "../../plan/types.js";
import type { OperationBinding } from "../../runtime/types.js";
import { inputOf, scalar } from "./suggestions.js";
import {
  bodyLines,
  type Draft,
  inputLines,
  neededInputs,
  operationLine,
  parameterLines,
} from "./workflow-text.js";

interface Write {
  readonly tool: PlannedTool;
  readonly binding: OperationBinding;
  readonly inputs: readonly PlannedInput[];
}

/** A creation, with the JSON pointer to the ID in its response. */
interface Creation extends Write {
  readonly pointer: string;
}

/** Drafts a workflow for each write below the path of a thing that another write creates. */
export function createAndAct(tools: readonly PlannedTool[]): readonly Draft[] {
  const writes = tools.flatMap(writeOf);
  const creations = writes.flatMap(creationOf);
  return creations.flatMap((creation) =>
    writes.flatMap((write) => {
      const id = idOfPart(write, creation);
      return id === undefined ? [] : [draftOf(creation, write, id)];
    }),
  );
}

function writeOf(tool: PlannedTool): readonly Write[] {
  const { definition, workflow } = tool;
  const [binding, ...others] = definition.operations;
  const { effect } = definition;
  const isLoss = effect === undefined || effect === "removes" || effect === "destroys";
  if (!binding || others.length > 0 || isLoss || workflow || binding.request.isRaw) return [];
  const needed = neededInputs(binding.request, tool.inputs);
  return [{ tool, binding, inputs: tool.inputs.filter(({ name }) => needed.has(name)) }];
}

function creationOf(write: Write): readonly Creation[] {
  const { created } = write.binding.readBack ?? {};
  const pointer = created && idPointer(write.tool.definition.outputSchema, created.fields);
  return pointer === undefined ? [] : [{ ...write, pointer }];
}

/** Place of the ID in a response, at the top or inside of the only object around the thing. */
function idPointer(schema: unknown, fields: readonly string[]): string | undefined {
  const properties = propertiesOf(schema, schema);
  const own = fields.find((field) => Object.hasOwn(properties, field));
  if (own !== undefined) return `/${own}`;
  const [only, ...others] = Object.entries(properties);
  if (!only || others.length > 0) return undefined;
  const inner = propertiesOf(only[1], schema);
  const nested = fields.find((field) => Object.hasOwn(inner, field));
  return nested === undefined ? undefined : `/${only[0]}/${nested}`;
}

function propertiesOf(schema: unknown, root: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(schema)) return {};
  const { $ref, properties } = schema as JsonSchema;
  const name = typeof $ref === "string" ? /^#\/\$defs\/([^/]+)$/.exec($ref)?.[1] : undefined;
  const definitions = isObject(root) ? (root as JsonSchema).$defs : undefined;
  if (name !== undefined && isObject(definitions) && Object.hasOwn(definitions, name))
    return propertiesOf((definitions as Record<string, unknown>)[name], root);
  return isObject(properties) ? (properties as Record<string, unknown>) : {};
}

/** Input with the ID of the thing, for `POST /lists/{id}/members` of `POST /lists`. */
function idOfPart({ binding: { request } }: Write, { binding }: Creation): string | undefined {
  const { method, path, pathParams = {} } = request;
  const collection = binding.request.path;
  if (!path.startsWith(`${collection}/{`) || (method !== "POST" && method !== "PUT"))
    return undefined;
  const [, name = ""] = /^\/\{([^{}]*)\}\/[^{}]+$/.exec(path.slice(collection.length)) ?? [];
  return Object.hasOwn(pathParams, name) ? inputOf(pathParams[name]) : undefined;
}

function draftOf(creation: Creation, act: Write, id: string): Draft {
  const nameOf = renaming(creation, act);
  const acting = act.inputs.filter(({ name }) => name !== id);
  const shared = new Set(creation.inputs.map(({ name }) => name));
  const added = acting
    .map((input) => ({ input, name: nameOf(input.name) }))
    .filter(({ name }) => !shared.has(name));
  const inputs = [...creation.inputs.map((input) => ({ input, name: input.name })), ...added];
  const names = [creation, act].map(({ tool }) => tool.definition.name.replaceAll("_", "-"));
  const [first, second] = [creation, act].map(({ tool }) =>
    tool.definition.title.replace(/\.$/, ""),
  );
  return {
    subject: creation.binding.request.path,
    weight: 3 - inputs.length / 4,
    lines: [
      `  - workflowId: ${scalar(names.join("-and-"))}`,
      `    summary: ${scalar(`${first}, and then: ${second}.`)}`,
      ...inputLines(inputs),
      "    steps:",
      ...stepLines("create", creation, (input) => `$inputs.${input}`),
      `        outputs: {id: ${scalar(`$response.body#${creation.pointer}`)}, thing: $response.body}`,
      ...stepLines("act", act, (input) =>
        input === id ? "$steps.create.outputs.id" : `$inputs.${nameOf(input)}`,
      ),
      "        outputs: {result: $response.body}",
      "    outputs: {created: $steps.create.outputs.thing, result: $steps.act.outputs.result}",
    ],
  };
}

function stepLines(
  step: string,
  { tool, binding: { request }, inputs }: Write,
  value: (input: string) => string,
): readonly string[] {
  const needed = new Set(inputs.map(({ name }) => name));
  return [
    `      - stepId: ${step}`,
    operationLine(tool, request),
    ...parameterLines(request, needed, value),
    ...bodyLines(request, needed, value),
  ];
}

/**
 * Names of the inputs of the second step: an input of the first step has another meaning, unless it
 * is of the same part of the path.
 */
function renaming(
  { inputs, binding }: Creation,
  { tool, inputs: own }: Write,
): (input: string) => string {
  const shared = new Set(Object.values(binding.request.pathParams ?? {}).map(inputOf));
  const taken = new Set(inputs.map(({ name }) => name));
  const all = new Set([...taken, ...own.map(({ name }) => name)]);
  return (input) => {
    if (!taken.has(input) || shared.has(input)) return input;
    let name = `${tool.definition.name}_${input}`;
    while (all.has(name)) name += "_";
    return name;
  };
}
