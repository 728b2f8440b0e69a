import type { Place } from "../diagnostics/index.js";
import { isObject } from "../json.js";
import { checkFields, checkModifiers, type Fault } from "./fields.js";
import { follow, type Reusable, reusableActions } from "./reusable.js";

/** OpenAPI Overlay 1.0, 1.1 and 1.2, Action Object. */
export interface OverlayAction {
  /** RFC 9535 JSONPath, starting with `$`. */
  readonly target: string;
  readonly update?: unknown;
  /** JSONPath of one node whose value is merged into the targets (1.1). */
  readonly copy?: string;
  readonly remove: boolean;
  /**
   * Since 1.1: targets of several kinds are an error, and so are values that do not fit what they
   * are merged into.
   */
  readonly strict: boolean;
  readonly place: Place;
}

/**
 * Reads the actions of a document; reusable ones (1.2) as if they were written where they are
 * referred to.
 */
export function readActions(
  root: Record<string, unknown>,
  minor: number,
  file: string,
  fault: Fault,
): readonly OverlayAction[] {
  const reusable = reusableActions(root["components"], minor, fault);
  const actions = root["actions"];
  if (!Array.isArray(actions) || actions.length === 0)
    return (fault("`actions` must be a list of at least one action", "#/actions"), []);
  const seen = new Set<string>();
  return actions.flatMap((action: unknown, i) => {
    const pointer = `#/actions/${i}`;
    const text = JSON.stringify(action);
    if (seen.has(text)) fault("This action stands in the list twice", pointer);
    seen.add(text);
    const fields = fieldsOf(action, reusable, minor, pointer, fault);
    return fields ? toAction(fields, minor, { file, pointer }) : [];
  });
}

function toAction(action: Record<string, unknown>, minor: number, place: Place): OverlayAction {
  return {
    target: action["target"] as string,
    ...("update" in action && { update: action["update"] }),
    ...("copy" in action && { copy: action["copy"] as string }),
    remove: action["remove"] === true,
    strict: minor >= 1,
    place,
  };
}

/** The fields of an action, its own or those of the reusable one that it refers to. */
function fieldsOf(
  action: unknown,
  reusable: ReadonlyMap<string, Reusable>,
  minor: number,
  pointer: string,
  fault: Fault,
): Record<string, unknown> | undefined {
  if (!isObject(action)) return void fault("An action is an object with a target", pointer);
  const target = action["target"];
  if (typeof target !== "string" || !target.startsWith("$"))
    fault("`target` must be a JSONPath that starts with $", `${pointer}/target`);
  if (!("$ref" in action) || minor < 2) {
    checkModifiers(action, { target: 0, $ref: 2 }, minor, pointer, fault);
    return action;
  }
  const { $ref, ...rest } = action;
  for (const field of ["update", "copy", "remove"].filter((one) => one in rest))
    fault(
      `\`${field}\` cannot stand beside a \`$ref\``,
      `${pointer}/${field}`,
      "Put it into the fields of the reusable action, or write an action without $ref.",
    );
  checkFields(
    rest,
    { target: 0, description: 0, update: 0, copy: 0, remove: 0 },
    minor,
    pointer,
    fault,
  );
  const found = follow($ref, reusable, pointer, fault);
  return found && { ...found.fields, target };
}
