import { quoteText } from "../../diagnostics/text.js";
import { omitUndefined } from "../../json.js";
import type { Operation, Parameter } from "../../model/types.js";
import type {
  BodyMapping,
  InputSource,
  ParameterSource,
  RequestMapping,
} from "../../runtime/types.js";
import type { Argument, ArgumentLocation, LinkedStep, Value } from "../../workflow/index.js";
import { candidateOfParameter } from "../inputs/candidates.js";
import { styleOf } from "../inputs/parameter-source.js";
import { decideRole } from "../inputs/roles.js";
import { successResponses } from "../outputs/payload.js";
import { resolveSchema } from "../schemas/refs.js";
import { operationServers } from "../tool.js";
import {
  isAlwaysAllowed,
  isForParameter,
  operationTitle,
  reportUndeclaredParameter,
  reportUnknownPathParameter,
} from "./arguments.js";
import { bindStepBody } from "./step-body.js";
import { formatPointer } from "../../json-pointer.js";
import type { StepContext, RequestDraft, Section } from "./step-context.js";

/** Request of a step as data, and its values by name. */
interface BoundStep {
  readonly send: RequestMapping;
  readonly input: readonly (readonly [string, Value])[];
}

/**
 * Binds the parameters and the body of a step to the request of its operation. Problems are
 * reported at the step.
 */
export function bindStep(step: LinkedStep, operation: Operation, context: StepContext): BoundStep {
  const draft: RequestDraft = {
    wires: { pathParams: {}, query: {}, headers: {}, cookies: {} },
    input: [],
  };
  const provided = distinctArguments(step.arguments).map((argument) =>
    correctSpelling(argument, operation, context),
  );
  const contentType = provided.find(
    ({ in: location, name }) => location === "header" && name.toLowerCase() === "content-type",
  );
  for (const argument of provided)
    if (argument !== contentType && argument.in !== undefined)
      bindArgument(argument, argument.in, provided, operation, draft, context);
  for (const parameter of operation.parameters)
    if (!provided.some((candidate) => isForParameter(candidate, parameter)))
      bindMissingParameter(parameter, step, operation, draft, context);
  const text =
    contentType?.value.kind === "literal" && typeof contentType.value.value === "string"
      ? contentType.value.value
      : undefined;
  const body = bindStepBody(step, operation, text, draft, context);
  const { fixedQuery } = operation;
  for (const [name, value] of fixedQuery ?? []) draft.wires.query[name] ??= { value };
  return { send: stepRequest(operation, draft, body, provided, context), input: draft.input };
}

/** Arguments without duplicates. Names of headers compare without case, and the last one wins. */
function distinctArguments(all: readonly Argument[]): readonly Argument[] {
  const keyOf = ({ in: location, name }: Argument): string =>
    `${location} ${location === "header" ? name.toLowerCase() : name}`;
  const last = new Map<string, Argument>();
  for (const argument of [...all].sort(
    (a, b) => Number(b.inherited === true) - Number(a.inherited === true),
  ))
    last.set(keyOf(argument), argument);
  return all.filter((argument) => last.get(keyOf(argument)) === argument);
}

/** Corrects the spelling of an argument (`pet_id` for `petId`), if only one parameter matches. */
function correctSpelling(
  argument: Argument,
  operation: Operation,
  { diagnostics }: StepContext,
): Argument {
  const { parameters } = operation;
  const normalized = (name: string): string => name.toLowerCase().replace(/[-_]/g, "");
  if (parameters.some((parameter) => isForParameter(argument, parameter))) return argument;
  const [only, second] = parameters.filter(
    (parameter) =>
      parameter.in === argument.in && normalized(parameter.name) === normalized(argument.name),
  );
  if (!only || second) return argument;
  if (!argument.inherited)
    diagnostics.add(
      "workflow-parameter",
      `${operationTitle(operation)} has no ${only.in} parameter ${quoteText(argument.name)}; ` +
        `${quoteText(only.name)} is used.`,
      argument.location,
      `Write ${only.name}.`,
    );
  return { ...argument, name: only.name };
}

function stepRequest(
  operation: Operation,
  { wires, querystring }: RequestDraft,
  body: BodyMapping | undefined,
  provided: readonly Argument[],
  context: StepContext,
): RequestMapping {
  const servers = operationServers(operation, context);
  const override = context.security.overrideOf(operation);
  const setsAuthorization = provided.some(
    ({ in: location, name }) => location === "header" && name.toLowerCase() === "authorization",
  );
  const security = setsAuthorization ? [] : override;
  const setsAccept = Object.keys(wires.headers).some((name) => name.toLowerCase() === "accept");
  const accept = setsAccept
    ? []
    : [
        ...new Set(
          successResponses(operation.responses).flatMap(({ contents }) =>
            contents.map(({ mediaType }) => mediaType),
          ),
        ),
      ].slice(0, 5);
  const filled = (Object.keys(wires) as Section[]).filter(
    (section) => Object.keys(wires[section]).length > 0,
  );
  return omitUndefined({
    method: operation.method,
    path: operation.path,
    servers: servers.length > 0 ? servers : undefined,
    ...Object.fromEntries(filled.map((section) => [section, wires[section]])),
    querystring,
    body,
    accept: accept.length > 0 ? accept : undefined,
    security,
  });
}

const SECTIONS: Readonly<Record<Exclude<ArgumentLocation, "querystring">, Section>> = {
  path: "pathParams",
  query: "query",
  header: "headers",
  cookie: "cookies",
};

/**
 * Binds a value of a step.
 * @param provided all arguments of the step
 */
function bindArgument(
  argument: Argument,
  location: ArgumentLocation,
  provided: readonly Argument[],
  operation: Operation,
  draft: RequestDraft,
  { diagnostics, roles: { securitySchemes } }: StepContext,
): void {
  const { name, value, inherited } = argument;
  const parameter = operation.parameters.find((candidate) => isForParameter(argument, candidate));
  if (!parameter && location === "path")
    return inherited
      ? undefined
      : reportUnknownPathParameter(argument, provided, operation, diagnostics);
  if (!parameter && !inherited && !isAlwaysAllowed(name, location, securitySchemes))
    reportUndeclaredParameter(argument, location, operation, diagnostics);
  const from = freeInputName(name, location, draft);
  draft.input.push([from, value]);
  const source: ParameterSource = parameterSource(from, parameter);
  if (location === "querystring")
    draft.querystring = typeof source === "string" ? { from: source } : (source as InputSource);
  else
    draft.wires[SECTIONS[location]][parameter?.name ?? name] =
      location === "header" && isUserControlledHeader(name) ? { from, isConfigured: true } : source;
}

const isUserControlledHeader = (name: string): boolean =>
  /^(accept|authorization|proxy-authorization|user-agent)$/i.test(name);

function parameterSource(from: string, parameter: Parameter | undefined): ParameterSource {
  const style = styleOf(parameter);
  return Object.keys(style).length > 0 ? { from, ...style } : from;
}

function freeInputName(name: string, location: string, { input }: RequestDraft): string {
  const usedNames = new Set(input.map(([key]) => key));
  return (
    [name, `${location}_${name}`].find(
      (key) => key !== "body" && key !== "__proto__" && !usedNames.has(key),
    ) ?? `${location}_${name}_${input.length}`
  );
}

/**
 * Binds a parameter that the step does not set: to a value of the server, or to the default of a
 * required one.
 */
function bindMissingParameter(
  parameter: Parameter,
  step: LinkedStep,
  operation: Operation,
  draft: RequestDraft,
  { schemas, roles, security, diagnostics }: StepContext,
): void {
  if (parameter.in === "querystring") return;
  const candidate = candidateOfParameter(parameter, schemas);
  const requirement = security.overrideOf(operation) ?? security.defaultRequirement ?? [];
  const role = decideRole(candidate, roles, (scheme) =>
    requirement.some((requiredSchemes) => Object.hasOwn(requiredSchemes, scheme)),
  );
  const wires = draft.wires[SECTIONS[parameter.in]];
  const style = styleOf(parameter);
  if (role.kind === "constant")
    wires[parameter.name] = {
      value: role.value,
      ...(role.isSecret && { isSecret: true }),
      ...style,
    };
  else if (role.kind === "generated") wires[parameter.name] = { generate: "uuid" };
  else if (role.kind === "env")
    wires[parameter.name] = { env: role.env, ...(role.required && { required: true }), ...style };
  else if (role.kind === "input" && parameter.required) {
    const fallback = parameter.schema.default ?? resolveSchema(schemas, parameter.schema).default;
    if (fallback !== undefined && fallback !== null)
      wires[parameter.name] = { value: fallback as never, ...style };
    else {
      diagnostics.add(
        "workflow-parameter",
        `The step ${quoteText(step.id)} sets no value for the ${parameter.in} parameter ` +
          `${quoteText(parameter.name)}, which ${operationTitle(operation)} requires.`,
        step.location,
        "Add it to the parameters of the step.",
      );
      wires[parameter.name] = parameterSource(parameter.name, parameter);
    }
  }
}

/**
 * Outputs of other steps that a step needs, by the name of its input: `{ petId:
 * "$steps.find.outputs.id" }`.
 */
export function requiredOutputs({ send, input }: BoundStep): Readonly<Record<string, string>> {
  const names = new Set([
    ...Object.values(send.pathParams ?? {}).flatMap((source) =>
      typeof source === "string" ? source : "from" in source ? source.from : [],
    ),
    send.body?.from,
  ]);
  return Object.fromEntries(
    input.flatMap(([name, value]) =>
      names.has(name)
        ? (outputExpression(value) ?? []).map((source) => [name, source] as const)
        : [],
    ),
  );
}

/** Expression of an output, as it is written. */
function outputExpression(value: Value): readonly string[] | undefined {
  if (value.kind !== "expression") return undefined;
  const { expression } = value;
  const path = "path" in expression ? formatPointer(expression.path) : "";
  const pointer = path === "" ? "" : `#${path}`;
  if (expression.kind === "workflows")
    return [`$workflows.${expression.workflow}.${expression.field}.${expression.name}${pointer}`];
  if (expression.kind !== "steps") return undefined;
  const workflow = expression.workflow === undefined ? "" : `$workflows.${expression.workflow}.`;
  const output = expression.name === "" ? "" : `.${expression.name}`;
  return [`${workflow || "$"}steps.${expression.step}.outputs${output}${pointer}`];
}
