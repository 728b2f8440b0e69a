/** Reads of what a method sets: `setText` and `getText`, whose paths have no IDs. */
import { DELETING_VERBS, SETTER_VERBS, VERBS_OF_ONE_READ } from "../../language/lexicon.js";
import { splitWords } from "../../language/words.js";
import { omitUndefined } from "../../json.js";
import type { OperationBinding, ReadBack } from "../../runtime/types.js";
import { type BoundParameter, requestParameters, sourceInput } from "../bound-parameters.js";
import type { PlannedTool } from "../types.js";

/** Last words of methods that get a whole thing: `getSessionInfo`. */
const WHOLE = new Set("info details detail".split(" "));

/** A method that reads, with the inputs that it needs. */
interface Getter {
  readonly tool: PlannedTool;
  readonly binding: OperationBinding;
}

/** Finds, for methods that set or remove something, the method that gets it with the same values. */
export function readersByMethod(
  tools: readonly PlannedTool[],
): (binding: OperationBinding) => ReadBack | undefined {
  const getters = gettersOf(tools);
  return (binding) => {
    const method = methodOf(binding);
    const isRemoval = method !== undefined && DELETING_VERBS.has(method.verb);
    if (!method || !(isRemoval || SETTER_VERBS.has(method.verb))) return undefined;
    const getter = getters.get(method.subject);
    const inputs = getter && sharedInputs(getter, binding);
    if (!getter || !inputs) return undefined;
    const readBack = { tool: getter.tool.definition.name, inputs };
    return isRemoval ? { ...readBack, isRemoval: true } : readBack;
  };
}

function gettersOf(tools: readonly PlannedTool[]): ReadonlyMap<string, Getter> {
  const found = new Map<string, Getter>();
  for (const tool of tools) {
    const { definition, workflow } = tool;
    const [binding, ...others] = definition.operations;
    if (!definition.annotations.readOnlyHint || workflow || !binding || others.length > 0) continue;
    const method = methodOf(binding);
    if (!method || !VERBS_OF_ONE_READ.has(method.verb) || found.has(method.subject)) continue;
    found.set(method.subject, { tool, binding });
  }
  return found;
}

/** Verb of a path without parameters, and its subject: `/api/setText` → set, `/api/text`. */
function methodOf({
  request: { path, isRaw },
}: OperationBinding): { readonly verb: string; readonly subject: string } | undefined {
  if (isRaw || path.includes("{")) return undefined;
  const [, folder = "", last = ""] = /^(.*[/.])([^/.]*)$/.exec(path) ?? [];
  const [verb, ...words] = splitWords(last);
  const object = WHOLE.has(words.at(-1) ?? "") ? words.slice(0, -1) : words;
  return verb === undefined || object.length === 0
    ? undefined
    : { verb, subject: folder + object.join("_") };
}

/**
 * Inputs of the setting method under the same names, by input of the getter. Undefined if the
 * getter needs another one, or none of those that the setter has.
 */
function sharedInputs(
  { tool, binding: getter }: Getter,
  setter: OperationBinding,
): Readonly<Record<string, string>> | undefined {
  const given = requestParameters(setter.request);
  const { required = [] } = tool.definition.inputSchema as {
    readonly required?: readonly string[];
  };
  const entries = requestParameters(getter.request).flatMap((parameter) => {
    const to = sourceInput(parameter.source);
    return to === undefined ? [] : [[to, inputFor(parameter, given)] as const];
  });
  const inputs = omitUndefined(Object.fromEntries(entries)) as Readonly<Record<string, string>>;
  const isComplete = required.every((name) => inputs[name] !== undefined);
  return isComplete && getter.whenProvided.every((name) => inputs[name] !== undefined)
    ? inputs
    : undefined;
}

function inputFor(
  { wireName, location }: BoundParameter,
  given: readonly BoundParameter[],
): string | undefined {
  if (wireName === undefined || location === "header" || location === "cookie") return undefined;
  const same = given.find((one) => one.wireName === wireName);
  return same && sourceInput(same.source);
}
