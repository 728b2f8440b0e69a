import type { OperationBinding, ParameterSource, RequestMapping } from "../runtime/types.js";
import type { InputLocation } from "./inputs/candidates.js";
import { displayWord } from "./names/titles.js";
import { splitWords } from "./names/words.js";
import { joinWithAnd } from "./text/sentences.js";
import type { PlannedTool } from "./types.js";

/** One value of a request: where it goes, under which name, and where it comes from. */
export interface BoundParameter {
  readonly place: InputLocation;
  /** Undefined for a whole body or query. */
  readonly wireName: string | undefined;
  readonly source: ParameterSource;
}

/** The input that a wire comes from, if it comes from one. */
export function sourceInput(wire: ParameterSource): string | undefined {
  return typeof wire === "string" ? wire : "from" in wire ? wire.from : undefined;
}

/** Every value that a tool's requests send. */
export function boundParameters(tool: PlannedTool): readonly BoundParameter[] {
  return tool.definition.operations.flatMap(({ request }) => requestParameters(request));
}

/** Every value that one request sends. */
export function requestParameters(send: RequestMapping): readonly BoundParameter[] {
  const found: BoundParameter[] = [];
  mapRequest(send, (site) => (found.push(site), site.source));
  return found;
}

/**
 * A tool whose requests send other values; those that are `undefined` are not sent. Inputs that are
 * not sent at all any more are no inputs.
 */
export function replaceSources(
  tool: PlannedTool,
  change: (site: BoundParameter) => ParameterSource | undefined,
): PlannedTool {
  const before = new Set(boundParameters(tool).map(({ source }) => sourceInput(source)));
  const operations = tool.definition.operations.map((request): OperationBinding => ({
    ...request,
    request: mapRequest(request.request, change),
  }));
  const changed: PlannedTool = {
    ...tool,
    definition: { ...tool.definition, operations },
  };
  const after = new Set(boundParameters(changed).map(({ source: wire }) => sourceInput(wire)));
  return [...before]
    .flatMap((input) => (input === undefined || after.has(input) ? [] : [input]))
    .reduce(removeInput, changed);
}

function mapRequest(
  send: RequestMapping,
  change: (site: BoundParameter) => ParameterSource | undefined,
): RequestMapping {
  const { pathParams, query, headers, cookies, querystring, body, ...rest } = send;
  const fields = body?.fields && mapSources(body.fields, "body", change);
  const from =
    body?.from === undefined
      ? undefined
      : change({ place: "body", wireName: undefined, source: body.from });
  const whole =
    querystring && change({ place: "querystring", wireName: undefined, source: querystring });
  return {
    ...rest,
    ...(pathParams && { pathParams: mapSources(pathParams, "path", change) }),
    ...(query && { query: mapSources(query, "query", change) }),
    ...(whole !== undefined && {
      querystring:
        typeof whole === "string"
          ? { from: whole }
          : (whole as NonNullable<RequestMapping["querystring"]>),
    }),
    ...(headers && { headers: mapSources(headers, "header", change) }),
    ...(cookies && { cookies: mapSources(cookies, "cookie", change) }),
    ...(body &&
      (body.from === undefined || from !== undefined) && {
        body: {
          ...body,
          ...(fields && { fields }),
          ...(from !== undefined && { from: sourceInput(from) as string }),
        },
      }),
  };
}

function mapSources(
  record: Readonly<Record<string, ParameterSource>>,
  place: InputLocation,
  change: (site: BoundParameter) => ParameterSource | undefined,
): Record<string, ParameterSource> {
  const entries = Object.entries(record).flatMap(([wireName, wire]) => {
    const next = change({ place, wireName, source: wire });
    return next === undefined ? [] : [[wireName, next] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * Takes an input out of the schema, out of what chooses a request, and out of advice that speaks of
 * it.
 */
function removeInput(tool: PlannedTool, name: string): PlannedTool {
  const { definition } = tool;
  const { properties, required, ...schema } = definition.inputSchema;
  const rest = (required as readonly string[] | undefined)?.filter((one) => one !== name) ?? [];
  const advice = Object.entries(definition.onError ?? {}).filter(
    ([, text]) => !text.includes(`{${name}}`),
  );
  const { onError: _, ...others } = definition;
  return {
    ...tool,
    inputs: tool.inputs.filter((input) => input.name !== name),
    definition: {
      ...others,
      description: removeFilterFromDescription(others.description, name),
      inputSchema: {
        ...schema,
        properties: Object.fromEntries(
          Object.entries(properties as object).filter(([key]) => key !== name),
        ),
        ...(rest.length > 0 && { required: rest }),
      },
      operations: definition.operations.map((request) => ({
        ...request,
        whenProvided: request.whenProvided.filter((one) => one !== name),
      })),
      ...(advice.length > 0 && { onError: Object.fromEntries(advice) }),
    },
  };
}

/**
 * The description of a tool that has lost an input: `Find pets by ID, or by status or name.` does
 * not speak of it any more.
 */
export function removeFilterFromDescription(description: string, name: string): string {
  const gone = splitWords(name).map(displayWord).join(" ");
  return description.replace(
    /^([A-Z][a-z]+ [^.:]*?) by ([^.:]*)\./,
    (sentence, start: string, ways: string) => {
      const lists = ways.split(/, or by /).map((list) => list.split(/, | or | and /));
      if (!lists.flat().includes(gone)) return sentence;
      const left = lists
        .map((list) => list.filter((one) => one !== gone))
        .filter((list) => list.length > 0);
      return left.length === 0
        ? `${start}.`
        : `${start} by ${left.map((list) => joinWithAnd(list).replace(/ and ([^,]*)$/, " or $1")).join(", or by ")}.`;
    },
  );
}
