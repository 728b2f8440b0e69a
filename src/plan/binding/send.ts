import type { Operation, Response } from "../../model/types.js";
import type {
  SecurityRequirement,
  SendBinding,
  ServerDefinition,
  Wire,
  WireInput,
} from "../../runtime/types.js";
import type { Candidate, InputPlace } from "../inputs/candidate.js";
import type { InputPlan } from "../inputs/index.js";
import { isJson } from "../schema/success.js";
import { bodyBinding, type BodyPlan } from "./body.js";

/** What the request of a tool is put together from. */
export interface SendParts {
  readonly operation: Operation;
  readonly success: readonly Response[];
  readonly inputs: InputPlan;
  readonly body: BodyPlan | undefined;
  readonly servers: readonly ServerDefinition[];
  readonly security: readonly SecurityRequirement[] | undefined;
}

type Entry = readonly [Candidate, Wire];

/** The request of an operation, as data: which input goes where. Only what is needed is said. */
export function sendBinding({
  operation,
  success,
  inputs,
  body,
  servers,
  security,
}: SendParts): SendBinding {
  const by = groups(inputs.wires);
  const [querystring] = by.querystring;
  const accept = acceptedTypes(success);
  return {
    method: operation.method,
    path: operation.path,
    ...(servers.length > 0 && { servers }),
    ...section("pathParams", record(by.path)),
    ...section(
      "query",
      operation.fixedQuery
        ? { ...fixedQuery(operation.fixedQuery), ...record(by.query) }
        : record(by.query),
    ),
    ...(querystring && { querystring: asInput(querystring[1]) }),
    ...section("headers", record(by.header)),
    ...section("cookies", record(by.cookie)),
    ...(body && { body: bodyBinding(body, by.body, inputs.filenames) }),
    ...(accept.length > 0 && { accept }),
    ...(security && { security }),
  };
}

function groups(wires: readonly Entry[]): Record<InputPlace, Entry[]> {
  const found: Record<InputPlace, Entry[]> = {
    path: [],
    query: [],
    header: [],
    cookie: [],
    querystring: [],
    body: [],
  };
  for (const entry of wires) found[entry[0].place].push(entry);
  return found;
}

function record(entries: readonly Entry[]): Readonly<Record<string, Wire>> | undefined {
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([candidate, wire]) => [candidate.wireName, wire]));
}

function section<K extends keyof SendBinding>(
  key: K,
  wires: Readonly<Record<string, Wire>> | undefined,
): Pick<SendBinding, K> | undefined {
  return wires ? ({ [key]: wires } as unknown as Pick<SendBinding, K>) : undefined;
}

function asInput(wire: Wire): WireInput {
  return typeof wire === "string" ? { from: wire } : (wire as WireInput);
}

/** Pairs that stand in the path itself: a name that occurs twice is a list. */
function fixedQuery(pairs: NonNullable<Operation["fixedQuery"]>): Readonly<Record<string, Wire>> {
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
  const ranges = contents.flatMap(({ range }) => range ?? []);
  // Octets are what nothing is known of, and no reason to refuse what else there is.
  const named = contents
    .filter(
      ({ range, mediaType }) => range === undefined || mediaType !== "application/octet-stream",
    )
    .map((content) => content.sentAs ?? content.mediaType);
  const sorted = new Set([...named.filter(isJson), ...named.filter((type) => !isJson(type))]);
  return [...new Set([...[...sorted].slice(0, MAX_ACCEPT), ...ranges])];
}
