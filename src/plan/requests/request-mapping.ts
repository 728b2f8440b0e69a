import type { Operation, Response } from "../../model/types.js";
import type {
  SecurityRequirement,
  RequestMapping,
  ServerDefinition,
  ParameterSource,
  InputSource,
} from "../../runtime/types.js";
import type { InputCandidate, InputLocation } from "../inputs/candidates.js";
import type { InputPlan } from "../inputs/plan-inputs.js";
import { isJsonMediaType } from "../outputs/success-responses.js";
import { bindBody, type BodyPlan } from "./body.js";

/** What the request of a tool is put together from. */
export interface RequestParts {
  readonly operation: Operation;
  readonly success: readonly Response[];
  readonly inputs: InputPlan;
  readonly body: BodyPlan | undefined;
  readonly servers: readonly ServerDefinition[];
  readonly security: readonly SecurityRequirement[] | undefined;
}

type SourceEntry = readonly [InputCandidate, ParameterSource];

/** The request of an operation, as data: which input goes where. Only what is needed is said. */
export function buildRequestMapping({
  operation,
  success,
  inputs,
  body,
  servers,
  security,
}: RequestParts): RequestMapping {
  const by = groupByLocation(inputs.sources);
  const [querystring] = by.querystring;
  const accept = acceptedTypes(success);
  return {
    method: operation.method,
    path: operation.path,
    ...(servers.length > 0 && { servers }),
    ...section("pathParams", sourcesByName(by.path)),
    ...section(
      "query",
      operation.fixedQuery
        ? { ...fixedQuery(operation.fixedQuery), ...sourcesByName(by.query) }
        : sourcesByName(by.query),
    ),
    ...(querystring && { querystring: asInput(querystring[1]) }),
    ...section("headers", sourcesByName(by.header)),
    ...section("cookies", sourcesByName(by.cookie)),
    ...(body && { body: bindBody(body, by.body, inputs.fileNameInputs) }),
    ...(accept.length > 0 && { accept }),
    ...(security && { security }),
  };
}

function groupByLocation(wires: readonly SourceEntry[]): Record<InputLocation, SourceEntry[]> {
  const found: Record<InputLocation, SourceEntry[]> = {
    path: [],
    query: [],
    header: [],
    cookie: [],
    querystring: [],
    body: [],
  };
  for (const entry of wires) found[entry[0].in].push(entry);
  return found;
}

function sourcesByName(
  entries: readonly SourceEntry[],
): Readonly<Record<string, ParameterSource>> | undefined {
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([candidate, wire]) => [candidate.wireName, wire]));
}

function section<K extends keyof RequestMapping>(
  key: K,
  wires: Readonly<Record<string, ParameterSource>> | undefined,
): Pick<RequestMapping, K> | undefined {
  return wires ? ({ [key]: wires } as unknown as Pick<RequestMapping, K>) : undefined;
}

function asInput(wire: ParameterSource): InputSource {
  return typeof wire === "string" ? { from: wire } : (wire as InputSource);
}

/** Pairs that stand in the path itself: a name that occurs twice is a list. */
function fixedQuery(
  pairs: NonNullable<Operation["fixedQuery"]>,
): Readonly<Record<string, ParameterSource>> {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(
    [...values].map(([name, list]) => [
      name,
      { value: list.length === 1 ? (list[0] as string) : list },
    ]),
  );
}

const MAX_ACCEPT = 5;

/**
 * What success may come as: JSON first, then as the document orders it, and last whatever a range
 * leaves open.
 */
function acceptedTypes(success: readonly Response[]): readonly string[] {
  const contents = success.flatMap((response) => response.contents);
  const ranges = contents.flatMap(({ mediaRange }) => mediaRange ?? []);
  // Octets are what nothing is known of, and no reason to refuse what else there is.
  const named = contents
    .filter(
      ({ mediaRange, mediaType }) =>
        mediaRange === undefined || mediaType !== "application/octet-stream",
    )
    .map((content) => content.contentTypeHeader ?? content.mediaType);
  const sorted = new Set([
    ...named.filter(isJsonMediaType),
    ...named.filter((type) => !isJsonMediaType(type)),
  ]);
  return [...new Set([...[...sorted].slice(0, MAX_ACCEPT), ...ranges])];
}
