import { type JsonSchema, omitUndefined } from "../json.js";
import type {
  OperationBinding,
  ParameterSource,
  RequestMapping,
  ToolDefinition,
} from "../runtime/types.js";
import { withoutInput } from "./text/parts.js";
import type { InputLocation } from "./operations/types.js";
import type { PlannedInput, PlannedTool } from "./types.js";

/** One value of a request: its location, its name there, and its source. */
export interface BoundParameter {
  readonly location: InputLocation;
  /** Undefined for a whole body or query. */
  readonly wireName: string | undefined;
  readonly source: ParameterSource;
}

/** Name of the input with the value; undefined for any other source. */
export function sourceInput(source: ParameterSource): string | undefined {
  return typeof source === "string" ? source : "from" in source ? source.from : undefined;
}

/** All values that a request of a tool sends. */
export function boundParameters(tool: PlannedTool): readonly BoundParameter[] {
  return tool.definition.operations.flatMap(({ request }) => requestParameters(request));
}

/** Values of the requests that were asked for: a request is compared with many others. */
const parametersByRequest = new WeakMap<RequestMapping, readonly BoundParameter[]>();

/** All values that one request sends. */
export function requestParameters(request: RequestMapping): readonly BoundParameter[] {
  const known = parametersByRequest.get(request);
  if (known) return known;
  const found: BoundParameter[] = [];
  mapRequest(request, (parameter) => (found.push(parameter), parameter.source));
  parametersByRequest.set(request, found);
  return found;
}

/**
 * Replaces the sources of a tool's values. Values without a source are not sent. Inputs that are no
 * longer sent are removed.
 */
export function replaceSources(
  tool: PlannedTool,
  change: (parameter: BoundParameter) => ParameterSource | undefined,
): PlannedTool {
  const before = new Set(boundParameters(tool).map(({ source }) => sourceInput(source)));
  const operations = tool.definition.operations.map((operation): OperationBinding => ({
    ...operation,
    request: mapRequest(operation.request, change),
  }));
  const changed: PlannedTool = {
    ...tool,
    definition: { ...tool.definition, operations },
  };
  const after = new Set(boundParameters(changed).map(({ source }) => sourceInput(source)));
  return [...before]
    .flatMap((input) => (input === undefined || after.has(input) ? [] : [input]))
    .reduce(removeInput, changed);
}

function mapRequest(
  request: RequestMapping,
  change: (parameter: BoundParameter) => ParameterSource | undefined,
): RequestMapping {
  const { pathParams, query, headers, cookies, querystring, body, ...remaining } = request;
  const fields = body?.fields && mapSources(body.fields, "body", change);
  const hiddenFields = body?.isOpen && fields && withRemoved(body, fields);
  const from =
    body?.from === undefined
      ? undefined
      : change({ location: "body", wireName: undefined, source: body.from });
  const isBodySent = body !== undefined && (body.from === undefined || from !== undefined);
  const wholeQuery =
    querystring && change({ location: "querystring", wireName: undefined, source: querystring });
  return omitUndefined({
    ...remaining,
    pathParams: pathParams && mapSources(pathParams, "path", change),
    query: query && mapSources(query, "query", change),
    querystring:
      typeof wholeQuery === "string"
        ? { from: wholeQuery }
        : (wholeQuery as RequestMapping["querystring"]),
    headers: headers && mapSources(headers, "header", change),
    cookies: cookies && mapSources(cookies, "cookie", change),
    body: isBodySent
      ? {
          ...body,
          ...(fields && { fields }),
          ...(hiddenFields && { hiddenFields }),
          ...(from !== undefined && { from: sourceInput(from) as string }),
        }
      : undefined,
  });
}

/** Hidden fields of an open body, with those that have no source any more. */
function withRemoved(
  { fields = {}, hiddenFields = [] }: NonNullable<RequestMapping["body"]>,
  remaining: Readonly<Record<string, ParameterSource>>,
): readonly string[] | undefined {
  const removed = Object.keys(fields).filter((name) => !Object.hasOwn(remaining, name));
  return removed.length > 0 ? [...hiddenFields, ...removed] : undefined;
}

function mapSources(
  record: Readonly<Record<string, ParameterSource>>,
  location: InputLocation,
  change: (parameter: BoundParameter) => ParameterSource | undefined,
): Record<string, ParameterSource> {
  const entries = Object.entries(record).flatMap(([wireName, source]) => {
    const next = change({ location, wireName, source });
    return next === undefined ? [] : [[wireName, next] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * Removes an input from the schema, from the conditions of operations, and from advice about
 * errors.
 */
export function removeInput(tool: PlannedTool, name: string): PlannedTool {
  const { definition } = tool;
  const { properties, required, ...schema } = definition.inputSchema;
  const remaining =
    (required as readonly string[] | undefined)?.filter((candidate) => candidate !== name) ?? [];
  const remainingAdvice = Object.entries(definition.onError ?? {}).filter(
    ([, text]) => !text.includes(`{${name}}`),
  );
  const { onError: _, ...others } = definition;
  return {
    ...tool,
    inputs: tool.inputs.filter((input) => input.name !== name),
    text: withoutInput(tool.text, name),
    definition: {
      ...others,
      inputSchema: {
        ...schema,
        properties: Object.fromEntries(
          Object.entries(properties as object).filter(([key]) => key !== name),
        ),
        ...(remaining.length > 0 && { required: remaining }),
      },
      operations: definition.operations.map(({ choice, ...operation }) => ({
        ...operation,
        ...(choice && {
          choice: { ...choice, required: choice.required.filter((other) => other !== name) },
        }),
        whenProvided: operation.whenProvided.filter((inputName) => inputName !== name),
      })),
      ...(remainingAdvice.length > 0 && { onError: Object.fromEntries(remainingAdvice) }),
    },
  };
}

/** `filter[cuisine]`, `filter_cuisine` and `q[cuisine_cont]` → cuisine; other names as they are. */
export const memberOfFilter = (name: string): string => {
  const [, member] = /^(?:filters?|where|q)[[_]([^\]]+)\]?$/i.exec(name) ?? [];
  return member?.replace(/_(?:eq|cont|matches|start|end|any)$/, "") ?? name;
};

/** Inputs whose default the environment has. Calls on behalf of another call pass them on. */
export function defaultedInputs({ operations }: ToolDefinition): readonly string[] {
  const names = operations.flatMap(({ request }) =>
    requestParameters(request).flatMap(({ source }) =>
      typeof source === "object" && "from" in source && source.defaultEnv !== undefined
        ? [source.from]
        : [],
    ),
  );
  return [...new Set(names)];
}

/** Schemas of a tool's inputs, by name. */
export function inputProperties({
  inputSchema,
}: Pick<ToolDefinition, "inputSchema">): Readonly<Record<string, JsonSchema>> {
  return inputSchema["properties"] as Readonly<Record<string, JsonSchema>>;
}

/** Replaces descriptions of inputs, in the list of inputs and in the input schema. */
export function describeInputs(
  tool: PlannedTool,
  descriptions: ReadonlyMap<string, string>,
): PlannedTool {
  if (descriptions.size === 0) return tool;
  const { definition } = tool;
  const properties = { ...inputProperties(definition) };
  for (const [name, description] of descriptions)
    properties[name] = { ...properties[name], description };
  const inputs = tool.inputs.map((input) => {
    const description = descriptions.get(input.name);
    return description === undefined ? input : { ...input, description };
  });
  return {
    ...tool,
    inputs,
    definition: { ...definition, inputSchema: { ...definition.inputSchema, properties } },
  };
}

/** Change of an input and of its schema. */
export type InputChange = (
  input: PlannedInput,
  schema: JsonSchema,
) => { readonly input: PlannedInput; readonly schema: JsonSchema };

/** Changes one input in the list of inputs and in the schema. Required inputs stay first. */
export function changeInput(tool: PlannedTool, name: string, transform: InputChange): PlannedTool {
  const { properties: _p, required: _r, ...root } = tool.definition.inputSchema;
  const schemas = inputProperties(tool.definition);
  const all = tool.inputs.map((input) =>
    input.name === name
      ? transform(input, schemas[name] ?? {})
      : { input, schema: schemas[input.name] ?? {} },
  );
  const ordered = [
    ...all.filter(({ input }) => input.required),
    ...all.filter(({ input }) => !input.required),
  ];
  const required = ordered.filter(({ input }) => input.required).map(({ input }) => input.name);
  const { $defs, ...rest } = root;
  const inputSchema = {
    ...rest,
    properties: Object.fromEntries(ordered.map(({ input, schema }) => [input.name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  };
  return {
    ...tool,
    inputs: ordered.map(({ input }) => input),
    definition: { ...tool.definition, inputSchema },
  };
}
