import {
  diagnostic,
  type Diagnostic,
  type SourceLocation,
  suggestionFor,
} from "../diagnostics/index.js";
import { escapePointerToken, unescapePointerToken } from "../json-pointer.js";
import { isObject } from "../json.js";

/** Validated overlay with its actions in order. */
export interface Overlay {
  readonly actions: readonly OverlayAction[];
}

/**
 * Validates an overlay document (Overlay Specification 1.0.x, 1.1.x and 1.2.x) and resolves
 * reusable actions.
 * @param document parsed YAML or JSON
 * @param file name of the overlay, for locations
 * @returns the overlay, or every fault
 */
export function readOverlay(
  document: unknown,
  file: string,
): { readonly overlay?: Overlay; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const fault: ReportFault = (message, pointer, hint) =>
    void diagnostics.push(diagnostic("overlay-invalid", message, { file, pointer }, hint));
  if (!isObject(document)) {
    fault("An overlay is an object with `overlay`, `info` and `actions`", "#");
    return { diagnostics };
  }
  if (!("overlay" in document) && !("actions" in document)) {
    const message = "This is not an OpenAPI Overlay: it has neither `overlay` nor `actions`";
    fault(message, "#", "Pass an overlay, and the API as the document.");
    return { diagnostics };
  }
  const minor = checkRoot(document, fault);
  const actions = readActions(document, minor, file, fault);
  return diagnostics.length > 0 ? { diagnostics } : { overlay: { actions }, diagnostics };
}

/** @returns the minor version: 1 of `1.1.0` */
function checkRoot(root: Record<string, unknown>, fault: ReportFault): number {
  const version = root["overlay"];
  const [, digit] = (typeof version === "string" && /^1\.([012])\.\d+$/.exec(version)) || [];
  if (digit === undefined)
    fault('`overlay` must be a version string 1.0.x, 1.1.x or 1.2.x, such as "1.0.0"', "#/overlay");
  const minor = Number(digit ?? 2);
  checkFields(
    root,
    { overlay: 0, info: 0, extends: 0, actions: 0, $self: 2, components: 2, $schema: 0 },
    minor,
    "#",
    fault,
  );
  for (const field of ["extends", "$self"]) checkUri(root, field, minor, fault);
  checkInfo(root["info"], minor, fault);
  return minor;
}

/** Validates `extends` and `$self`, which identify whole documents since 1.2. */
function checkUri(
  root: Record<string, unknown>,
  field: string,
  minor: number,
  fault: ReportFault,
): void {
  const value = root[field];
  if (!(field in root)) return;
  if (typeof value !== "string") fault(`\`${field}\` must be a URI reference`, `#/${field}`);
  else if (minor >= 2 && value.includes("#"))
    fault(
      `\`${field}\` must not have a fragment: it identifies a whole document`,
      `#/${field}`,
      "Remove the fragment.",
    );
}

function checkInfo(info: unknown, minor: number, fault: ReportFault): void {
  if (!isObject(info))
    return fault("`info` must be an object with a title and a version", "#/info");
  checkFields(info, { title: 0, version: 0, description: 0 }, minor, "#/info", fault);
  for (const field of ["title", "version"])
    if (typeof info[field] !== "string")
      fault(`\`${field}\` of info must be a string`, `#/info/${field}`);
  if ("description" in info && typeof info["description"] !== "string")
    fault("`description` of info must be a string", "#/info/description");
}

/** OpenAPI Overlay 1.0, 1.1 and 1.2, Action Object. */
export interface OverlayAction {
  /** RFC 9535 JSONPath, starting with `$`. */
  readonly target: string;
  readonly update?: unknown;
  /** JSONPath of one node whose value is merged into the targets (1.1). */
  readonly copy?: string;
  readonly remove: boolean;
  /** Since 1.1, targets of several kinds and mismatching values are errors. */
  readonly strict: boolean;
  readonly location: SourceLocation;
}

/** Reads the actions of an overlay and resolves references to reusable ones (1.2). */
function readActions(
  root: Record<string, unknown>,
  minor: number,
  file: string,
  fault: ReportFault,
): readonly OverlayAction[] {
  const reusable = readReusableActions(root["components"], minor, fault);
  const actions = root["actions"];
  if (!Array.isArray(actions) || actions.length === 0)
    return (fault("`actions` must be a list of at least one action", "#/actions"), []);
  const seen = new Set<string>();
  return actions.flatMap((action: unknown, i) => {
    const pointer = `#/actions/${i}`;
    const text = JSON.stringify(action);
    if (seen.has(text)) fault("The list contains this action twice", pointer);
    seen.add(text);
    const fields = fieldsOf(action, reusable, minor, pointer, fault);
    return fields ? toAction(fields, minor, { file, pointer }) : [];
  });
}

function toAction(
  action: Record<string, unknown>,
  minor: number,
  location: SourceLocation,
): OverlayAction {
  return {
    target: action["target"] as string,
    ...("update" in action && { update: action["update"] }),
    ...("copy" in action && { copy: action["copy"] as string }),
    remove: action["remove"] === true,
    strict: minor >= 1,
    location,
  };
}

/** Fields of an action, or of the reusable action that it refers to. */
function fieldsOf(
  action: unknown,
  reusable: ReadonlyMap<string, ReusableAction>,
  minor: number,
  pointer: string,
  fault: ReportFault,
): Record<string, unknown> | undefined {
  if (!isObject(action)) return void fault("An action is an object with a target", pointer);
  const target = action["target"];
  if (typeof target !== "string" || !target.startsWith("$"))
    fault("`target` must be a JSONPath that starts with $", `${pointer}/target`);
  if (!("$ref" in action) || minor < 2) {
    checkActionFields(action, { target: 0, $ref: 2 }, minor, pointer, fault);
    return action;
  }
  const { $ref, ...rest } = action;
  for (const field of ["update", "copy", "remove"].filter((value) => value in rest))
    fault(
      `\`${field}\` cannot be combined with \`$ref\``,
      `${pointer}/${field}`,
      "Move it to the fields of the reusable action, or write an action without $ref.",
    );
  checkFields(
    rest,
    { target: 0, description: 0, update: 0, copy: 0, remove: 0 },
    minor,
    pointer,
    fault,
  );
  const found = resolveReusable($ref, reusable, pointer, fault);
  return found && { ...found.fields, target };
}

/** OpenAPI Overlay 1.2, Reusable Action Object. */
interface ReusableAction {
  /** Fields of an action without `target`. */
  readonly fields: Record<string, unknown>;
}

/** Reads `components.actions` by name. */
function readReusableActions(
  components: unknown,
  minor: number,
  fault: ReportFault,
): ReadonlyMap<string, ReusableAction> {
  if (components === undefined || minor < 2) return new Map();
  if (!isObject(components))
    return (fault("`components` must be an object", "#/components"), new Map());
  checkFields(components, { actions: 2 }, minor, "#/components", fault);
  const { actions = {} } = components;
  if (!isObject(actions))
    return (fault("`actions` of components must be an object", "#/components/actions"), new Map());
  return new Map(
    Object.entries(actions).map(([name, value]) => [
      name,
      readReusable(value, minor, `#/components/actions/${escapePointerToken(name)}`, fault),
    ]),
  );
}

function readReusable(
  value: unknown,
  minor: number,
  pointer: string,
  fault: ReportFault,
): ReusableAction {
  if (!isObject(value))
    return (fault("A reusable action is an object with `fields`", pointer), { fields: {} });
  checkFields(value, { fields: 2, description: 2 }, minor, pointer, fault);
  if ("description" in value && typeof value["description"] !== "string")
    fault("`description` of a reusable action must be a string", `${pointer}/description`);
  const { fields = {} } = value;
  if (!isObject(fields))
    return (
      fault("`fields` of a reusable action must be an object", `${pointer}/fields`), { fields: {} }
    );
  if ("target" in fields)
    fault(
      "A reusable action must not have a target",
      `${pointer}/fields/target`,
      "Give the target next to each $ref to it.",
    );
  checkActionFields(fields, { target: 2 }, minor, `${pointer}/fields`, fault);
  return { fields };
}

/** Resolves a Reusable Action Reference Object. */
function resolveReusable(
  reference: unknown,
  reusable: ReadonlyMap<string, ReusableAction>,
  pointer: string,
  fault: ReportFault,
): ReusableAction | undefined {
  const [, token] =
    (typeof reference === "string" &&
      /^#\/components\/actions\/((?:[^~/]|~[01])+)$/.exec(decodeReference(reference))) ||
    [];
  if (token === undefined)
    return void fault(
      "`$ref` must refer to a reusable action of this overlay",
      `${pointer}/$ref`,
      "Write #/components/actions/<name>; a / in the name is ~1, a ~ is ~0.",
    );
  const name = unescapePointerToken(token);
  const action = reusable.get(name);
  if (!action)
    fault(
      `There is no reusable action \`${name}\` under components.actions`,
      `${pointer}/$ref`,
      reusable.size > 0 ? `Reusable actions: ${[...reusable.keys()].join(", ")}.` : undefined,
    );
  return action;
}

/** Decodes a fragment; an invalid encoding is kept. */
function decodeReference(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

/** Reports a fault with its pointer and a suggested fix. */
type ReportFault = (message: string, pointer: string, hint?: string) => void;

/**
 * Reports fields that an object does not have in this version of the specification. Extensions
 * (`x-`) and `$schema` are allowed.
 * @param fields the fields, each with the minor version that introduced it
 */
function checkFields(
  object: Record<string, unknown>,
  fields: Readonly<Record<string, number>>,
  minor: number,
  pointer: string,
  fault: ReportFault,
): void {
  const names = Object.keys(fields).filter(
    (key) => (fields[key] ?? 0) <= minor && key !== "$schema",
  );
  for (const key of Object.keys(object)) {
    const since = Object.hasOwn(fields, key) ? (fields[key] as number) : undefined;
    if (key.startsWith("x-") || (since !== undefined && since <= minor)) continue;
    if (since === undefined)
      fault(
        `Unknown field \`${key}\`${suggestionFor(key, names) || `; known fields are ${names.join(", ")}`}`,
        pointer,
      );
    else
      fault(
        `Unknown field \`${key}\`: it was added in Overlay 1.${since}, but this is 1.${minor}`,
        pointer,
        `Write overlay: 1.${since}.0 at the top, or remove it.`,
      );
  }
}

/** Checks `update`, `copy`, `remove` and the given other fields. */
function checkActionFields(
  action: Record<string, unknown>,
  otherFields: Readonly<Record<string, number>>,
  minor: number,
  pointer: string,
  fault: ReportFault,
): void {
  checkFields(
    action,
    { ...otherFields, description: 0, update: 0, remove: 0, copy: 1 },
    minor,
    pointer,
    fault,
  );
  if ("description" in action && typeof action["description"] !== "string")
    fault("`description` of an action must be a string", `${pointer}/description`);
  if ("remove" in action && typeof action["remove"] !== "boolean")
    fault("`remove` must be true or false", `${pointer}/remove`);
  if ("copy" in action && typeof action["copy"] !== "string")
    fault("`copy` must be a JSONPath", `${pointer}/copy`);
}
