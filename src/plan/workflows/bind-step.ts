import { quoteText } from "../../diagnostics/clean.js";
import type { Operation } from "../../model/types.js";
import type { BodyBinding, SendBinding } from "../../runtime/types.js";
import type { Argument, LinkedStep, Value } from "../../workflow/index.js";
import type { RoleContext } from "../inputs/role.js";
import { successResponses } from "../schema/success.js";
import { ownServers, type ToolContext } from "../tool.js";
import {
  bindAbsent,
  bindArgument,
  type Draft,
  isFor,
  type Section,
  titleOf,
} from "./bind-arguments.js";
import { bindBody } from "./bind-body.js";

/** What binding the steps of one API takes. */
export type StepContext = Pick<
  ToolContext,
  "schemas" | "security" | "servers" | "baseUrlGiven" | "findings"
> & { readonly roles: RoleContext };

/** The request of a step, as data, and what it is given, by name. */
export interface BoundStep {
  readonly send: SendBinding;
  readonly input: readonly (readonly [string, Value])[];
}

/**
 * Binds the parameters and the body of a step to the request of its operation. What does not fit is
 * reported where the step says it.
 */
export function bindStep(step: LinkedStep, operation: Operation, context: StepContext): BoundStep {
  const draft: Draft = {
    wires: { pathParams: {}, query: {}, headers: {}, cookies: {} },
    input: [],
  };
  const given = distinct(step.arguments).map((argument) => spelled(argument, operation, context));
  const contentType = given.find(
    ({ in: place, name }) => place === "header" && name.toLowerCase() === "content-type",
  );
  for (const argument of given)
    if (argument !== contentType && argument.in !== undefined)
      bindArgument(argument, argument.in, given, operation, draft, context);
  for (const parameter of operation.parameters)
    if (!given.some((one) => isFor(one, parameter)))
      bindAbsent(parameter, step, operation, draft, context);
  const said =
    contentType?.value.kind === "literal" && typeof contentType.value.value === "string"
      ? contentType.value.value
      : undefined;
  const body = bindBody(step, operation, said, draft, context);
  const { fixedQuery } = operation;
  for (const [name, value] of fixedQuery ?? []) draft.wires.query[name] ??= { value };
  return { send: sendOf(operation, draft, body, given, context), input: draft.input };
}

/** Names of headers know no case: the last one counts. */
function distinct(all: readonly Argument[]): readonly Argument[] {
  const keyOf = ({ in: place, name }: Argument): string =>
    `${place} ${place === "header" ? name.toLowerCase() : name}`;
  const last = new Map<string, Argument>();
  for (const argument of [...all].sort(
    (a, b) => Number(b.inherited === true) - Number(a.inherited === true),
  ))
    last.set(keyOf(argument), argument);
  return all.filter((argument) => last.get(keyOf(argument)) === argument);
}

/**
 * A name that is a parameter's but for its spelling (`pet_id` for `petId`) is taken for it, where
 * no other has it.
 */
function spelled(argument: Argument, operation: Operation, { findings }: StepContext): Argument {
  const { parameters } = operation;
  const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, "");
  if (parameters.some((one) => isFor(argument, one))) return argument;
  const [only, second] = parameters.filter(
    (one) => one.in === argument.in && plain(one.name) === plain(argument.name),
  );
  if (!only || second) return argument;
  if (!argument.inherited)
    findings.add(
      "workflow-parameter",
      `${titleOf(operation)} has no ${only.in} parameter ${quoteText(argument.name)}; it is taken for ${quoteText(only.name)}.`,
      argument.place,
      `Write ${only.name}.`,
    );
  return { ...argument, name: only.name };
}

function sendOf(
  operation: Operation,
  { wires, querystring }: Draft,
  body: BodyBinding | undefined,
  given: readonly Argument[],
  context: StepContext,
): SendBinding {
  const servers = ownServers(operation, context);
  const own = context.security.ownOf(operation);
  const brings = given.some(
    ({ in: place, name }) => place === "header" && name.toLowerCase() === "authorization",
  );
  const security = brings ? [] : own;
  const saysAccept = Object.keys(wires.headers).some((name) => name.toLowerCase() === "accept");
  const accept = saysAccept
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
  return {
    method: operation.method,
    path: operation.path,
    ...(servers.length > 0 && { servers }),
    ...Object.fromEntries(filled.map((section) => [section, wires[section]])),
    ...(querystring && { querystring }),
    ...(body && { body }),
    ...(accept.length > 0 && { accept }),
    ...(security && { security }),
  };
}
