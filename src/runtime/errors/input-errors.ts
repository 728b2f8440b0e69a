import type { ParameterSource } from "../types.js";
import type { ApiCall } from "./api-call.js";
import type { FieldError, ApiErrorDetails } from "./api-error/extract.js";

/** A complaint of the API about one of the tool's inputs. */
export interface InputError {
  /** Path from the input: `address.city`. */
  readonly input: string;
  readonly message: string;
}

/** What the API says, with its names of fields as the names of inputs wherever they are known. */
export interface ApiErrorByInput {
  readonly message: string;
  readonly inputErrors: readonly InputError[];
}

/**
 * Finds the inputs that the API complains about: it knows them by their names on the wire, the
 * agent by those of the tool.
 */
export function mapErrorsToInputs(
  { message, fieldErrors }: ApiErrorDetails,
  call: ApiCall,
): ApiErrorByInput {
  const inputs = inputsByWireName(call);
  const about: InputError[] = [];
  const others: string[] = [];
  for (const complaint of fieldErrors) {
    const input = findInput(complaint, inputs, call.mapping.body?.from);
    if (input === undefined) others.push(`${complaint.field}: ${complaint.message}`);
    else about.push({ input, message: complaint.message });
  }
  return { message: [message, ...others].filter(Boolean).join("; "), inputErrors: about };
}

/** Containers that APIs put before the name of a field; only a field's own name counts. */
const containers: ReadonlySet<string> = new Set([
  "",
  "$",
  "#",
  "body",
  "requestbody",
  "request",
  "query",
  "querystring",
  "path",
  "params",
  "header",
  "headers",
  "cookie",
  "payload",
  "data",
  "attributes",
  "input",
  "root",
]);

function findInput(
  { field }: FieldError,
  inputs: ReadonlyMap<string, string>,
  whole: string | undefined,
): string | undefined {
  const inside = withoutContainers(field);
  const exact = inputs.get(normalizeFieldName(inside));
  if (exact !== undefined) return exact;
  const steps = inside
    .split(/[./[\]]+/)
    .filter(Boolean)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const input = inputs.get(normalizeFieldName(steps[0] ?? ""));
  if (input !== undefined) return [input, ...steps.slice(1)].join(".");
  return whole === undefined || steps.length === 0 ? undefined : [whole, ...steps].join(".");
}

/**
 * `body.email` → `email`, `#/data/attributes/title` → `title`; what is nothing but containers keeps
 * the last.
 */
function withoutContainers(place: string): string {
  for (let rest = place; ;) {
    const [, first = "", others = ""] = /^([^./]*)[./](.*)$/s.exec(rest) ?? [];
    if (others === "" || !containers.has(normalizeFieldName(first))) return rest;
    rest = others;
  }
}

/**
 * `petId`, `pet_id` and `Pet-Id` are one name: frameworks rename fields between the wire and their
 * messages.
 */
function normalizeFieldName(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, "");
}

function inputsByWireName({ mapping }: ApiCall): ReadonlyMap<string, string> {
  const places = [
    mapping.pathParams,
    mapping.query,
    mapping.headers,
    mapping.cookies,
    mapping.body?.fields,
  ];
  const entries = places
    .flatMap((place) => Object.entries(place ?? {}))
    .flatMap(([name, wire]) => {
      const input = inputOf(wire);
      return input === undefined ? [] : [[normalizeFieldName(name), input] as const];
    });
  // Some frameworks speak of the fields as their own code calls them, which is often what the input
  // is called; the wire has the last word.
  return new Map([
    ...entries.map(([, input]) => [normalizeFieldName(input), input] as const),
    ...entries,
  ]);
}

/** The input that a wire value comes from. */
export function inputOf(wire: ParameterSource): string | undefined {
  if (typeof wire === "string") return wire;
  return "from" in wire ? wire.from : undefined;
}
