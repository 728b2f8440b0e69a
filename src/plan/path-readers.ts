/** Reads that need nothing but the values of their path. */
import type { OperationBinding, RequestMapping } from "../runtime/types.js";
import { memoize } from "../language/patterns.js";
import { splitWords } from "../language/words.js";
import { sourceInput } from "./bound-parameters.js";
import { nounOf, nounOfSegment, parseIdentityName, withoutRole } from "./producers/resources.js";
import type { PlannedTool } from "./types.js";

/** An operation of a tool. */
export interface ToolOperation {
  readonly tool: PlannedTool;
  readonly binding: OperationBinding;
}

/** Path with `{}` for each parameter, because paths of one resource may name them differently. */
export const withoutNames: (path: string) => string = memoize((path) =>
  path.replaceAll(/\{[^{}]*\}/g, "{}"),
);

/** The format at the end of a path: `/projects/{id}/close.json`, `/projects/{id}.{format}`. */
export const FORMAT = /\.(?:[a-z]+|\{[^{}]*\})$/;

/** Path without a format at its end. */
export const withoutFormat = (path: string): string => path.replace(FORMAT, "");

/**
 * Finds the operations that need nothing but their path, by path without names. The first operation
 * of a path counts. Workflows have none.
 */
export function operationsByPath(
  tools: readonly PlannedTool[],
  accepts: (operation: ToolOperation) => boolean,
): ReadonlyMap<string, ToolOperation> {
  const found = new Map<string, ToolOperation>();
  for (const tool of tools)
    for (const binding of tool.workflow ? [] : tool.definition.operations) {
      const path = withoutNames(binding.request.path);
      const isNew = !found.has(path) && accepts({ tool, binding });
      if (isNew && needsPathOnly(tool, binding)) found.set(path, { tool, binding });
    }
  return found;
}

/** Reads by their path alone. */
export const pathReaders = (tools: readonly PlannedTool[]): ReadonlyMap<string, ToolOperation> =>
  operationsByPath(
    tools,
    ({ tool, binding }) =>
      tool.definition.annotations.readOnlyHint && binding.request.method === "GET",
  );

/** Last segments of paths that get the whole thing before them: `/containers/{id}/json`. */
const WHOLE = /(\{\})\/(?:json|info|details?)$/;

/**
 * The same with the things whose path has a word behind the ID, which does not name a part:
 * `/containers/{id}/json` gets `/containers/{id}`.
 */
export function thingReaders(tools: readonly PlannedTool[]): ReadonlyMap<string, ToolOperation> {
  const readers = pathReaders(tools);
  const things = [...readers].flatMap(([path, reader]) => {
    const thing = path.replace(WHOLE, "$1");
    return thing === path ? [] : [[thing, reader] as const];
  });
  return new Map([...things, ...readers]);
}

/** True if the inputs of its path select an operation and are all that it needs. */
function needsPathOnly(
  { definition }: PlannedTool,
  { request, whenProvided }: OperationBinding,
): boolean {
  const { required = [] } = definition.inputSchema as { readonly required?: readonly string[] };
  if (request.isRaw || request.unsafe) return false;
  const inputs = pathParameters(request).map(({ input }) => input);
  return [...required, ...whenProvided].every((name) => inputs.includes(name));
}

interface PathParameter {
  readonly name: string;
  /** Undefined for a value of another source. */
  readonly input: string | undefined;
  /** Noun of the segment before it: `pet` of `/pets/{id}`. */
  readonly noun: string;
}

/** Parameters of a path, in order. */
function pathParameters({ path, pathParams = {} }: RequestMapping): readonly PathParameter[] {
  let end = 0;
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(({ 0: expression, 1: name = "", index }) => {
    const before = path.slice(end, index);
    end = index + expression.length;
    const segment = before.replace(/\/$/, "").split(/[/{}]/).at(-1) ?? "";
    const source = Object.hasOwn(pathParams, name) ? pathParams[name] : undefined;
    const input = source === undefined ? undefined : sourceInput(source);
    return { name, input, noun: nounOfSegment(segment) };
  });
}

/**
 * Inputs of another request for the same values at the beginning of its path, by input of the
 * reader. Undefined if the other request lacks one, or has another kind of value there.
 */
export function sharedPathInputs(
  reader: RequestMapping,
  other: RequestMapping,
): Readonly<Record<string, string>> | undefined {
  const others = pathParameters(other);
  const pairs = pathParameters(reader).map((one, i) => [one, others[i]] as const);
  const isShared = pairs.every(
    ([one, match]) =>
      match !== undefined &&
      isSameValue(one, match) &&
      (one.input === undefined || match.input !== undefined),
  );
  if (!isShared) return undefined;
  const entries = pairs.map(([{ input }, match]) => [input, match?.input]);
  return Object.fromEntries(entries.filter(([to]) => to !== undefined)) as Record<string, string>;
}

/**
 * True if two parameters at the same place take the same value: `{id}`, `{petId}` and `{pet}`, or
 * `{name}` and `{petName}`; not `{name}` and `{token}`.
 */
function isSameValue(one: PathParameter, other: PathParameter): boolean {
  if (one.name === other.name) return true;
  const [first, second] = [one, other].map(({ name }) => splitWords(name));
  const isShort = first!.length === 1 || second!.length === 1;
  if (isShort && first!.at(-1) === second!.at(-1)) return true;
  const [value, match] = [one, other].map(valueOf);
  return value!.thing === match!.thing && value!.id === match!.id;
}

/** Thing and kind of a value. An ID without a thing is that of the segment before it. */
function valueOf({ name, noun }: PathParameter): { readonly thing: string; readonly id: string } {
  const { entity, idWord } = parseIdentityName(name);
  return {
    thing: entity === "" ? noun : nounOf(withoutRole(entity.split("_"))),
    id: idWord === "" ? "id" : idWord,
  };
}

/**
 * The input of a tool with the value that an input of another request takes: one at the same place
 * of its path, one for the same thing, or one with the same name that says more than `id`.
 */
export function matchingInput(
  input: string,
  reader: Pick<OperationBinding, "request">,
  thing: Pick<OperationBinding, "request">,
  { inputs }: Pick<PlannedTool, "inputs">,
): string | undefined {
  const path = withoutNames(thing.request.path);
  const isBelow = withoutNames(reader.request.path).startsWith(`${path}/`);
  const shared = isBelow ? sharedPathInputs(reader.request, thing.request) : undefined;
  if (shared && Object.hasOwn(shared, input)) return shared[input];
  const own = pathParameters(reader.request).find((one) => one.input === input);
  const value = valueOf(own ?? { name: input, noun: "", input });
  const same = pathParameters(thing.request).find((one) => {
    const other = valueOf(one);
    return value.thing !== "" && value.thing === other.thing && value.id === other.id;
  });
  if (same?.input !== undefined) return same.input;
  const isGeneric = parseIdentityName(input).entity === "";
  const isOfPath = pathParameters(thing.request).some((one) => one.input === input);
  return inputs.some(({ name }) => name === input) && !(isGeneric && isOfPath) ? input : undefined;
}
