/** Text of drafted workflows, in Arazzo: inputs, operations, parameters and bodies. */
import { isObject } from "../../json.js";
import { escapePointerToken } from "../../json-pointer.js";
import type { PlannedInput, PlannedTool } from "../../plan/types.js";
import type { ParameterSource, RequestMapping } from "../../runtime/types.js";
import { inputOf, scalar } from "./suggestions.js";

/** A drafted workflow. */
export interface Draft {
  readonly lines: readonly string[];
  /** Collection that it is about. */
  readonly subject: string;
  /** Likelihood that users ask for it, compared with others. */
  readonly weight: number;
}

/** An input of a workflow, with the input of a tool that it fills. */
export interface DraftInput {
  readonly name: string;
  readonly input: PlannedInput;
}

/** The inputs of a workflow. The first lines are those of its own inputs. */
export function inputLines(
  inputs: readonly DraftInput[],
  own: { readonly required: readonly string[]; readonly lines: readonly string[] } = {
    required: [],
    lines: [],
  },
): readonly string[] {
  const required = inputs.filter(({ input }) => input.required).map(({ name }) => name);
  return [
    "    inputs:",
    "      type: object",
    `      required: [${[...own.required, ...required].map(scalar).join(", ")}]`,
    "      properties:",
    ...own.lines,
    ...inputs.map(({ name, input }) => `        ${scalar(name)}: ${typeOf(input)}`),
  ];
}

/** Type and description, as far as they are known. The operation of the input has the rest. */
function typeOf({ type: { type }, description }: PlannedInput): string {
  const isPlain = typeof type === "string" && /^(?:string|integer|number|boolean)$/.test(type);
  const parts = [
    ...(isPlain ? [`type: ${type}`] : []),
    ...(description === "" ? [] : [`description: ${scalar(description)}`]),
  ];
  return `{${parts.join(", ")}}`;
}

/** Name of the only source of a document with drafts. */
export const ONLY_SOURCE = "api";

/** The operation of a step: its operationId, in a server of several APIs with its API, else its path. */
export function operationLine(
  { definition: { api }, operations }: PlannedTool,
  { method, path }: RequestMapping,
): string {
  const id = operations.find((one) => one.method === method && one.path === path)?.operationId;
  if (id !== undefined && api === undefined) return `        operationId: ${scalar(id)}`;
  if (id !== undefined && /^[\w.-]+$/.test(id))
    return `        operationId: ${scalar(`$sourceDescriptions.${api}.${id}`)}`;
  const pointer = `#/paths/${escapePointerToken(path)}/${method.toLowerCase()}`;
  const url = `{$sourceDescriptions.${api ?? ONLY_SOURCE}.url}`;
  return `        operationPath: ${scalar(`${url}${pointer}`)}`;
}

/**
 * The required inputs of a request. For a body without required fields, such as that of a PATCH,
 * all of its fields.
 */
export function neededInputs(
  { body }: RequestMapping,
  inputs: readonly PlannedInput[],
): ReadonlySet<string> {
  const required = new Set(inputs.filter((input) => input.required).map((input) => input.name));
  const fields = Object.values(body?.fields ?? {}).flatMap((source) => inputOf(source) ?? []);
  const whole = body?.from === undefined ? [] : [body.from];
  const isPartial = !fields.some((name) => required.has(name));
  return new Set([...required, ...whole, ...(isPartial ? fields : [])]);
}

const parameterLocations = [
  ["pathParams", "path"],
  ["query", "query"],
  ["headers", "header"],
  ["cookies", "cookie"],
] as const;

/** Parameters of a step. @param value the value of an input, as an expression */
export function parameterLines(
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

/** Request body of a step. */
export function bodyLines(
  { body }: RequestMapping,
  needed: ReadonlySet<string>,
  value: (input: string) => string,
): readonly string[] {
  if (!body) return [];
  const payload =
    body.from === undefined
      ? inEnvelope(
          mappedNames(body.fields, needed)
            .map(([name, input]) => `${scalar(name)}: ${value(input)}`)
            .join(", "),
          body.envelope,
        )
      : value(body.from);
  return [
    "        requestBody:",
    `          contentType: ${scalar(body.contentType)}`,
    `          payload: ${payload}`,
  ];
}

/** The fields of a payload in the objects around them. */
const inEnvelope = (fields: string, envelope: readonly string[] = []): string =>
  envelope.reduceRight((inside, name) => `{${scalar(name)}: ${inside}}`, `{${fields}}`);

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
