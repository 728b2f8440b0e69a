import { quoteText } from "../../diagnostics/clean.js";
import { didYouMean } from "../../diagnostics/index.js";
import type { Operation, Parameter } from "../../model/types.js";
import type { Wire, WireInput } from "../../runtime/types.js";
import type { Argument, ArgumentPlace, LinkedStep, Value } from "../../workflow/index.js";
import { styleOf } from "../binding/wire.js";
import { parameterCandidate } from "../inputs/index.js";
import { roleOf } from "../inputs/role.js";
import { resolve } from "../schema/refs.js";
import type { StepContext } from "./bind-step.js";

/** Where a request has values of parameters. */
export type Section = "pathParams" | "query" | "headers" | "cookies";
const sections: Readonly<Record<Exclude<ArgumentPlace, "querystring">, Section>> = {
  path: "pathParams",
  query: "query",
  header: "headers",
  cookie: "cookies",
};

/** Collects the wires of one request. */
export interface Draft {
  readonly wires: Record<Section, Record<string, Wire>>;
  readonly input: (readonly [string, Value])[];
  querystring?: WireInput;
}

/** How findings call an operation. */
export const titleOf = ({ method, path }: Operation): string => quoteText(`${method} ${path}`);

/**
 * An argument is for a parameter: names of headers know no case, and of query strings there is one.
 */
export function isFor({ in: place, name }: Argument, parameter: Parameter): boolean {
  return (
    place === parameter.in &&
    (place === "header"
      ? name.toLowerCase() === parameter.name.toLowerCase()
      : place === "querystring" || name === parameter.name)
  );
}

/**
 * Binds a value that the step gives.
 * @param given all that it gives
 */
export function bindArgument(
  argument: Argument,
  place: ArgumentPlace,
  given: readonly Argument[],
  operation: Operation,
  draft: Draft,
  { findings, roles }: StepContext,
): void {
  const { name, value, inherited } = argument;
  const parameter = operation.parameters.find((one) => isFor(argument, one));
  if (!parameter && place === "path")
    return inherited ? undefined : reportPlace(argument, given, operation, findings);
  const isCredential = Object.values(roles.securitySchemes).some(
    (scheme) =>
      scheme.kind === "apiKey" &&
      scheme.in === place &&
      scheme.name.toLowerCase() === name.toLowerCase(),
  );
  const isUsual =
    place === "querystring" ||
    (place === "header" && /^(accept|authorization|user-agent)$/i.test(name));
  if (!parameter && !inherited && !isUsual && !isCredential) {
    const known = operation.parameters.filter((one) => one.in === place).map((one) => one.name);
    findings.add(
      "workflow-parameter",
      `${titleOf(operation)} does not declare the ${place} parameter ${quoteText(name)}${didYouMean(name, known) || "."} It is sent all the same.`,
      argument.place,
      known.length > 0 ? `It has ${known.join(", ")}.` : undefined,
    );
  }
  const from = freeKey(name, place, draft);
  draft.input.push([from, value]);
  const wire: Wire = wireFor(from, parameter);
  if (place === "querystring")
    draft.querystring = typeof wire === "string" ? { from: wire } : (wire as WireInput);
  else
    draft.wires[sections[place]][parameter?.name ?? name] =
      place === "header" && isOwnersHeader(name) ? { from, byOwner: true } : wire;
}

/**
 * What the path has no place for is one value too many; but where another has none, it is that one
 * perhaps.
 */
function reportPlace(
  { name, place }: Argument,
  given: readonly Argument[],
  operation: Operation,
  findings: StepContext["findings"],
): void {
  const there = operation.parameters.filter((one) => one.in === "path");
  const says = `${titleOf(operation)} has no path parameter ${quoteText(name)}`;
  if (there.every((one) => given.some((argument) => isFor(argument, one))))
    findings.add(
      "workflow-no-effect",
      `${says}; it is left out.`,
      place,
      there.length > 0
        ? `It has ${there.map((one) => one.name).join(", ")}.`
        : "Remove it, or give it another place.",
    );
  else
    findings.add(
      "workflow-parameter-place",
      `${says}${
        didYouMean(
          name,
          there.map((one) => one.name),
        ) || "."
      }`,
      place,
    );
}

const isOwnersHeader = (name: string): boolean =>
  /^(accept|authorization|proxy-authorization|user-agent)$/i.test(name);

function wireFor(from: string, parameter: Parameter | undefined): Wire {
  const style = styleOf(parameter);
  return Object.keys(style).length > 0 ? { from, ...style } : from;
}

function freeKey(name: string, place: string, { input }: Draft): string {
  const taken = new Set(input.map(([key]) => key));
  return (
    [name, `${place}_${name}`].find(
      (key) => key !== "body" && key !== "__proto__" && !taken.has(key),
    ) ?? `${place}_${name}_${input.length}`
  );
}

/**
 * A parameter that the step says nothing about: what the server gives by itself, or the default of
 * one that is needed.
 */
export function bindAbsent(
  parameter: Parameter,
  step: LinkedStep,
  operation: Operation,
  draft: Draft,
  { schemas, roles, security, findings }: StepContext,
): void {
  if (parameter.in === "querystring") return;
  const candidate = parameterCandidate(parameter, schemas);
  const requirement = security.ownOf(operation) ?? security.common ?? [];
  const role = roleOf(candidate, roles, (scheme) =>
    requirement.some((one) => Object.hasOwn(one, scheme)),
  );
  const wires = draft.wires[sections[parameter.in]];
  const style = styleOf(parameter);
  if (role.kind === "constant") wires[parameter.name] = { value: role.value, ...style };
  else if (role.kind === "generated") wires[parameter.name] = { generate: "uuid" };
  else if (role.kind === "env")
    wires[parameter.name] = { env: role.env, ...(role.required && { required: true }), ...style };
  else if (role.kind === "input" && parameter.required) {
    const fallback = parameter.schema.default ?? resolve(schemas, parameter.schema).default;
    if (fallback !== undefined && fallback !== null)
      wires[parameter.name] = { value: fallback as never, ...style };
    else {
      findings.add(
        "workflow-parameter",
        `The step ${quoteText(step.id)} gives no value to the ${parameter.in} parameter ${quoteText(parameter.name)}, which ${titleOf(operation)} needs.`,
        step.place,
        "Add it to the parameters of the step.",
      );
      wires[parameter.name] = wireFor(parameter.name, parameter);
    }
  }
}
