/** The operation that serves a call, and the permission of the caller for it. */
import { scopeAlternatives, type ScopeAlternatives, ungrantedScopes } from "../auth/scopes.js";
import { isObject } from "../data/values.js";
import type { ApiCall, BoundRequest, InputProblem } from "../request/types.js";
import { mappedInputs } from "../request/parameter-source.js";
import type { CallOrigin } from "../server/call-origin.js";
import type { ServerContext } from "../server/context.js";
import { describeLackingScopes } from "../tools/selection.js";
import type { ServedTool } from "../tools/tool-registry.js";
import type { OperationBinding, RequestMapping, ToolDefinition, ToolInput } from "../types.js";

export type OperationSelection =
  | { readonly ok: true; readonly operation: OperationBinding }
  | {
      readonly ok: false;
      readonly problems: readonly InputProblem[];
      /** The operation that would serve the call without the inputs of the problems. */
      readonly withoutThem?: OperationBinding;
    };

/**
 * Selects the operation that serves an input: the first whose `whenProvided` inputs are all present
 * and that uses all other inputs. Inputs that cannot be combined are an error.
 */
export function selectOperation(tool: ToolDefinition, input: ToolInput): OperationSelection {
  const [only, ...others] = tool.operations;
  if (only && others.length === 0 && only.whenProvided.length === 0)
    return selected(only, only.included ? listProblems(only, input, presentNames(input)) : []);
  const presentInputs = presentNames(input);
  const candidates = tool.operations.filter(
    ({ whenProvided, choice }) =>
      whenProvided.every((name) => presentInputs.has(name)) &&
      (!choice || input[choice.input] === choice.value),
  );
  const [first] = candidates;
  if (!first) {
    const problem = `pass one of: ${alternatives(tool.operations)}`;
    return { ok: false, problems: [{ input: "", problem }] };
  }
  const operation = candidates.find(
    (candidate) => unusedInputs(tool, candidate, presentInputs).length === 0,
  );
  if (operation)
    return selected(operation, [
      ...missingProblems(operation, presentInputs),
      ...listProblems(operation, input, presentInputs),
    ]);
  const problems = conflictProblems(tool, first, presentInputs);
  return { ok: false, problems, ...(!first.choice && { withoutThem: first }) };
}

const presentNames = (input: ToolInput): ReadonlySet<string> =>
  new Set(Object.keys(input).filter((name) => input[name] !== undefined && input[name] !== null));

const selected = (
  operation: OperationBinding,
  problems: readonly InputProblem[],
): OperationSelection =>
  problems.length === 0 ? { ok: true, operation } : { ok: false, problems };

/** Describes the call of an operation, for the texts about its outcome. */
export function createApiCall(
  { server, context }: { readonly server: ServerContext; readonly context: CallOrigin },
  tool: ToolDefinition,
  operation: OperationBinding,
  input: ToolInput,
  request: BoundRequest,
): ApiCall {
  const { api, tools, successes, settings } = server;
  const { caller = "" } = context;
  return {
    api,
    tool,
    input,
    mapping: operation.request,
    statuses: operation.statuses,
    request,
    findTool: tools.get,
    caller,
    earlier: successes.of({ mapping: operation.request, request, caller }),
    servesWithout: (name) => hasOtherOperation(tool, input, name, operation),
    ...(!settings.strictInputs && { isCorrectable: true }),
  };
}

/** True if another operation serves an input without one part of it. */
function hasOtherOperation(
  tool: ToolDefinition,
  input: ToolInput,
  omitted: string,
  current: OperationBinding,
): boolean {
  const { required = [] } = tool.inputSchema as { readonly required?: readonly string[] };
  if (input[omitted] === undefined || required.includes(omitted)) return false;
  const other = selectOperation(tool, { ...input, [omitted]: undefined });
  return other.ok && other.operation !== current;
}

/** Inputs that a chosen operation requires and the call lacks. */
function missingProblems(
  { choice }: OperationBinding,
  presentInputs: ReadonlySet<string>,
): readonly InputProblem[] {
  return (choice?.required ?? [])
    .filter((name) => !presentInputs.has(name))
    .map((input) => ({ input, problem: `is required with ${choice?.input} ${choice?.value}` }));
}

/** Inputs that the included lists need and the call lacks, and those of lists that it does not name. */
function listProblems(
  { included }: OperationBinding,
  input: ToolInput,
  presentInputs: ReadonlySet<string>,
): readonly InputProblem[] {
  if (!included) return [];
  const given = input[included.input];
  const named = new Set<unknown>(Array.isArray(given) ? given : []);
  const lists = Object.entries(included.lists);
  const inputs = new Set(lists.flatMap(([, { required = [] }]) => required));
  return [...inputs].flatMap((name): readonly InputProblem[] => {
    const users = lists.flatMap(([list, { required }]) => (required?.includes(name) ? [list] : []));
    const used = users.find((list) => named.has(list));
    if ((used !== undefined) === presentInputs.has(name)) return [];
    const problem =
      used === undefined
        ? `is only used with ${included.input} ${users.join(" or ")}; leave it out`
        : `is required with ${included.input} ${used}`;
    return [{ input: name, problem }];
  });
}

function conflictProblems(
  tool: ToolDefinition,
  operation: OperationBinding,
  presentInputs: ReadonlySet<string>,
): readonly InputProblem[] {
  const { choice } = operation;
  const conditions = operation.whenProvided.join(" and ");
  const unused = unusedInputs(tool, operation, presentInputs);
  if (choice)
    return [
      ...missingProblems(operation, presentInputs),
      ...unused.map((input) => ({
        input,
        problem: `is not used with ${choice.input} ${choice.value}; leave it out`,
      })),
    ];
  return unused.map((input) => ({
    input,
    problem: isDeclared(tool, input)
      ? `cannot be combined with ${conditions || "the other inputs"}; omit one of them`
      : "unknown input, which the operation for the other inputs does not take",
  }));
}

/** Inputs that an operation does not use. An open body takes those that the tool does not declare. */
function unusedInputs(
  tool: ToolDefinition,
  operation: OperationBinding,
  presentInputs: ReadonlySet<string>,
): readonly string[] {
  const used = inputsUsedBy(operation);
  const isOpen = operation.request.body?.isOpen;
  return [...presentInputs].filter(
    (name) => !used.has(name) && !(isOpen && !isDeclared(tool, name)),
  );
}

function isDeclared({ operations }: ToolDefinition, input: string): boolean {
  return operations.some((operation) => inputsUsedBy(operation).has(input));
}

function alternatives(operations: readonly OperationBinding[]): string {
  return operations.map(({ whenProvided }) => whenProvided.join(" and ")).join("; or ");
}

const inputsByOperation = new WeakMap<OperationBinding, ReadonlySet<string>>();

/** Lists the inputs that an operation uses. */
export function inputsUsedBy(operation: OperationBinding): ReadonlySet<string> {
  const known = inputsByOperation.get(operation);
  if (known) return known;
  const { whenProvided, request, response, included, countOnly } = operation;
  const lists = Object.values(included?.lists ?? {}).flatMap(({ required = [] }) => required);
  const own = [included?.input, countOnly?.input, response.fields?.input, ...lists].filter(
    (name) => name !== undefined,
  );
  const inputs = new Set([...whenProvided, ...mappedInputs(request), ...own]);
  inputsByOperation.set(operation, inputs);
  return inputs;
}

/** A call for which its caller lacks a scope. */
export interface MissingPermission {
  /** All scopes that the call needs. */
  readonly scopes: readonly string[];
  /** Sentences for the agent. */
  readonly message: string;
}

/**
 * Checks a call before it is made. A call whose operation is not known yet is permitted if one of
 * the operations is; `describeMissingPermission` checks the request.
 */
export function findMissingPermission(
  { api }: Pick<ServerContext, "api">,
  tool: ServedTool,
  args: unknown,
  granted: ReadonlySet<string>,
): MissingPermission | undefined {
  if ("forward" in tool) {
    const target = tool.forward(args);
    if (!("tool" in target)) return undefined;
    return findMissingPermission({ api }, target.tool, target.arguments, granted);
  }
  if (!("operations" in tool)) return undefined;
  const own = api.apis?.[tool.api ?? ""] ?? api;
  const scopes = ungrantedScopes(alternativesOf(tool, args, own), granted);
  if (!scopes) return undefined;
  return { scopes, message: describeLackingScopes(tool.name, scopes, granted) };
}

function alternativesOf(
  tool: ToolDefinition,
  args: unknown,
  api: ServerContext["api"],
): ScopeAlternatives {
  const found = selectOperation(tool, isObject(args) ? args : {});
  const operations = found.ok ? [found.operation] : tool.operations;
  return operations.flatMap(({ request }) => scopeAlternatives(request, api));
}

/** The message for the agent about a request that its caller may not send. */
export function describeMissingPermission(
  { api, grantedScopes }: Pick<ServerContext, "api" | "grantedScopes">,
  { name }: Pick<ToolDefinition, "name">,
  mapping: Pick<RequestMapping, "security">,
): string | undefined {
  if (!grantedScopes) return undefined;
  const scopes = ungrantedScopes(scopeAlternatives(mapping, api), grantedScopes);
  return scopes && `Not sent: ${describeLackingScopes(name, scopes, grantedScopes)}`;
}
