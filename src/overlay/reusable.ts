import { escapeToken, isObject, unescapeToken } from "../json.js";
import { checkFields, checkModifiers, type Fault } from "./fields.js";

/** OpenAPI Overlay 1.2, Reusable Action Object. */
export interface Reusable {
  /** Those of an action, but for its target. */
  readonly fields: Record<string, unknown>;
}

/** Reads `components.actions` by name. */
export function reusableActions(
  components: unknown,
  minor: number,
  fault: Fault,
): ReadonlyMap<string, Reusable> {
  if (components === undefined || minor < 2) return new Map();
  if (!isObject(components))
    return (fault("`components` must be an object", "#/components"), new Map());
  checkFields(components, { actions: 2 }, minor, "#/components", fault);
  const { actions = {} } = components;
  if (!isObject(actions))
    return (fault("`actions` of components must be an object", "#/components/actions"), new Map());
  return new Map(
    Object.entries(actions).map(([name, one]) => [
      name,
      readReusable(one, minor, `#/components/actions/${escapeToken(name)}`, fault),
    ]),
  );
}

function readReusable(one: unknown, minor: number, pointer: string, fault: Fault): Reusable {
  if (!isObject(one))
    return (fault("A reusable action is an object with `fields`", pointer), { fields: {} });
  checkFields(one, { fields: 2, description: 2 }, minor, pointer, fault);
  if ("description" in one && typeof one["description"] !== "string")
    fault("`description` of a reusable action must be a string", `${pointer}/description`);
  const { fields = {} } = one;
  if (!isObject(fields))
    return (
      fault("`fields` of a reusable action must be an object", `${pointer}/fields`), { fields: {} }
    );
  if ("target" in fields)
    fault(
      "A reusable action has no target of its own",
      `${pointer}/fields/target`,
      "Give the target beside each $ref to it.",
    );
  checkModifiers(fields, { target: 2 }, minor, `${pointer}/fields`, fault);
  return { fields };
}

/** The reusable action that a Reusable Action Reference Object names. */
export function follow(
  reference: unknown,
  reusable: ReadonlyMap<string, Reusable>,
  pointer: string,
  fault: Fault,
): Reusable | undefined {
  const [, token] =
    (typeof reference === "string" &&
      /^#\/components\/actions\/((?:[^~/]|~[01])+)$/.exec(decoded(reference))) ||
    [];
  if (token === undefined)
    return void fault(
      "`$ref` must lead to a reusable action of this overlay",
      `${pointer}/$ref`,
      "Write #/components/actions/<name>; a / in the name is ~1, a ~ is ~0.",
    );
  const name = unescapeToken(token);
  const found = reusable.get(name);
  if (!found)
    fault(
      `There is no reusable action \`${name}\` under components.actions`,
      `${pointer}/$ref`,
      reusable.size > 0 ? `There are ${[...reusable.keys()].join(", ")}.` : undefined,
    );
  return found;
}

/** A fragment may have percent signs. */
function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}
