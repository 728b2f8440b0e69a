import type { InputPlace } from "../inputs/candidate.js";
import type { RequestBinding, SendBinding, Wire } from "../../runtime/types.js";
import type { PlannedTool } from "../types.js";
import { withoutWay } from "./renamed-input.js";

/** One value of a request: where it goes, under which name, and where it comes from. */
export interface WireSite {
  readonly place: InputPlace;
  /** Undefined for a whole body or query. */
  readonly wireName: string | undefined;
  readonly wire: Wire;
}

/** The input that a wire comes from, if it comes from one. */
export function inputOf(wire: Wire): string | undefined {
  return typeof wire === "string" ? wire : "from" in wire ? wire.from : undefined;
}

/** Every value that a tool's requests send. */
export function wiresOf(tool: PlannedTool): readonly WireSite[] {
  return tool.definition.requests.flatMap(({ send }) => sitesOf(send));
}

/** Every value that one request sends. */
export function sitesOf(send: SendBinding): readonly WireSite[] {
  const found: WireSite[] = [];
  mapSend(send, (site) => (found.push(site), site.wire));
  return found;
}

/**
 * A tool whose requests send other values; those that are `undefined` are not sent. Inputs that are
 * not sent at all any more are no inputs.
 */
export function rewire(
  tool: PlannedTool,
  change: (site: WireSite) => Wire | undefined,
): PlannedTool {
  const before = new Set(wiresOf(tool).map(({ wire }) => inputOf(wire)));
  const requests = tool.definition.requests.map((request): RequestBinding => ({
    ...request,
    send: mapSend(request.send, change),
  }));
  const changed: PlannedTool = { ...tool, definition: { ...tool.definition, requests } };
  const after = new Set(wiresOf(changed).map(({ wire }) => inputOf(wire)));
  return [...before]
    .flatMap((input) => (input === undefined || after.has(input) ? [] : [input]))
    .reduce(withoutInput, changed);
}

function mapSend(send: SendBinding, change: (site: WireSite) => Wire | undefined): SendBinding {
  const { pathParams, query, headers, cookies, querystring, body, ...rest } = send;
  const fields = body?.fields && mapRecord(body.fields, "body", change);
  const from =
    body?.from === undefined
      ? undefined
      : change({ place: "body", wireName: undefined, wire: body.from });
  const whole =
    querystring && change({ place: "querystring", wireName: undefined, wire: querystring });
  return {
    ...rest,
    ...(pathParams && { pathParams: mapRecord(pathParams, "path", change) }),
    ...(query && { query: mapRecord(query, "query", change) }),
    ...(whole !== undefined && {
      querystring:
        typeof whole === "string"
          ? { from: whole }
          : (whole as NonNullable<SendBinding["querystring"]>),
    }),
    ...(headers && { headers: mapRecord(headers, "header", change) }),
    ...(cookies && { cookies: mapRecord(cookies, "cookie", change) }),
    ...(body &&
      (body.from === undefined || from !== undefined) && {
        body: {
          ...body,
          ...(fields && { fields }),
          ...(from !== undefined && { from: inputOf(from) as string }),
        },
      }),
  };
}

function mapRecord(
  record: Readonly<Record<string, Wire>>,
  place: InputPlace,
  change: (site: WireSite) => Wire | undefined,
): Record<string, Wire> {
  const entries = Object.entries(record).flatMap(([wireName, wire]) => {
    const next = change({ place, wireName, wire });
    return next === undefined ? [] : [[wireName, next] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * Takes an input out of the schema, out of what chooses a request, and out of advice that speaks of
 * it.
 */
function withoutInput(tool: PlannedTool, name: string): PlannedTool {
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
      description: withoutWay(others.description, name),
      inputSchema: {
        ...schema,
        properties: Object.fromEntries(
          Object.entries(properties as object).filter(([key]) => key !== name),
        ),
        ...(rest.length > 0 && { required: rest }),
      },
      requests: definition.requests.map((request) => ({
        ...request,
        given: request.given.filter((one) => one !== name),
      })),
      ...(advice.length > 0 && { onError: Object.fromEntries(advice) }),
    },
  };
}
