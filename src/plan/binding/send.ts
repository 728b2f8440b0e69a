import type { Operation, ParameterLocation } from "../../model/types.js";
import type { SecurityRequirement, SendBinding, ServerDefinition, Wire, WireInput } from "../../runtime/types.js";
import type { Candidate } from "../inputs/candidate.js";
import type { InputPlan } from "../inputs/index.js";
import { isJson, successResponses } from "../schema/success.js";
import { bodyBinding, type BodyPlan } from "./body.js";

/** What the request of a tool is put together from. */
export interface SendParts {
  readonly operation: Operation;
  readonly inputs: InputPlan;
  readonly body: BodyPlan | undefined;
  readonly servers: readonly ServerDefinition[];
  readonly security: readonly SecurityRequirement[] | undefined;
}

type Entry = readonly [Candidate, Wire];

/** The request of an operation, as data: which input goes where. Only what is needed is said. */
export function sendBinding({ operation, inputs, body, servers, security }: SendParts): SendBinding {
  const at = (place: ParameterLocation): readonly Entry[] => inputs.wires.filter(([candidate]) => candidate.place === place);
  const [querystring] = at("querystring");
  const query = { ...fixedQuery(operation), ...record(at("query")) };
  const bodyWires = inputs.wires.filter(([candidate]) => candidate.place === "body");
  const accept = acceptedTypes(operation);
  return {
    method: operation.method,
    path: operation.path,
    ...(servers.length > 0 && { servers }),
    ...section("pathParams", record(at("path"))),
    ...section("query", query),
    ...(querystring && { querystring: asInput(querystring[1]) }),
    ...section("headers", record(at("header"))),
    ...section("cookies", record(at("cookie"))),
    ...(body && { body: bodyBinding(body, bodyWires, inputs.filenames) }),
    ...(accept.length > 0 && { accept }),
    ...(security && { security }),
  };
}

function record(entries: readonly Entry[]): Readonly<Record<string, Wire>> {
  return Object.fromEntries(entries.map(([candidate, wire]) => [candidate.wireName, wire]));
}

function section<K extends keyof SendBinding>(key: K, wires: Readonly<Record<string, Wire>>): Pick<SendBinding, K> | undefined {
  return Object.keys(wires).length > 0 ? ({ [key]: wires } as unknown as Pick<SendBinding, K>) : undefined;
}

function asInput(wire: Wire): WireInput {
  return typeof wire === "string" ? { from: wire } : (wire as WireInput);
}

/** Pairs that stand in the path itself: a name that occurs twice is a list. */
function fixedQuery({ fixedQuery: pairs }: Operation): Readonly<Record<string, Wire>> {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs ?? []) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries([...values].map(([name, list]) => [name, { value: list.length === 1 ? (list[0] as string) : list }]));
}

const MAX_ACCEPT = 5;

/** What success may come as: JSON first, then as the document orders it. */
function acceptedTypes({ responses }: Operation): readonly string[] {
  const types = [...new Set(successResponses(responses).flatMap((response) => response.contents.map((content) => content.mediaType)))];
  return [...types.filter(isJson), ...types.filter((type) => !isJson(type))].slice(0, MAX_ACCEPT);
}
