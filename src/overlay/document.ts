import { diagnostic, type Diagnostic, type Place } from "../diagnostics/index.js";
import { isObject } from "../json.js";

/** OpenAPI Overlay 1.0 and 1.1, Action Object. */
export interface OverlayAction {
  /** RFC 9535 JSONPath, starting with `$`. */
  readonly target: string;
  readonly update?: unknown;
  /** JSONPath of one node whose value is merged into the targets (1.1). */
  readonly copy?: string;
  readonly remove: boolean;
  readonly place: Place;
}

/** A checked overlay: its actions in order. */
export interface Overlay {
  readonly actions: readonly OverlayAction[];
}

type Fault = (message: string, pointer: string) => void;

/**
 * Checks an overlay document against the Overlay Specification 1.0.x and 1.1.x.
 * @param document parsed YAML or JSON
 * @param file the overlay's name, for places
 * @returns the overlay, or every fault found
 */
export function readOverlay(document: unknown, file: string): { readonly overlay?: Overlay; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const fault: Fault = (message, pointer) => void diagnostics.push(diagnostic("overlay-invalid", message, { file, pointer }));
  if (!isObject(document)) fault("An overlay is an object with `overlay`, `info` and `actions`", "#");
  else checkRoot(document, fault);
  if (diagnostics.length > 0 || !isObject(document)) return { diagnostics };
  const actions = (document["actions"] as Record<string, unknown>[]).map((action, i) => toAction(action, { file, pointer: `#/actions/${i}` }));
  return { overlay: { actions }, diagnostics };
}

function toAction(action: Record<string, unknown>, place: Place): OverlayAction {
  return {
    target: action["target"] as string,
    ...("update" in action && { update: action["update"] }),
    ...("copy" in action && { copy: action["copy"] as string }),
    remove: action["remove"] === true,
    place,
  };
}

function checkRoot(root: Record<string, unknown>, fault: Fault): void {
  const version = root["overlay"];
  if (typeof version !== "string" || !/^1\.[01]\.\d+$/.test(version)) fault('`overlay` must be a version string 1.0.x or 1.1.x, such as "1.0.0"', "#/overlay");
  unknownFields(root, ["overlay", "info", "extends", "actions"], "#", fault);
  if ("extends" in root && typeof root["extends"] !== "string") fault("`extends` must be a URI reference", "#/extends");
  checkInfo(root["info"], fault);
  checkActions(root["actions"], version, fault);
}

function checkInfo(info: unknown, fault: Fault): void {
  if (!isObject(info)) return fault("`info` must be an object with a title and a version", "#/info");
  unknownFields(info, ["title", "version", "description"], "#/info", fault);
  for (const field of ["title", "version"]) if (typeof info[field] !== "string") fault(`\`${field}\` of info must be a string`, `#/info/${field}`);
  if ("description" in info && typeof info["description"] !== "string") fault("`description` of info must be a string", "#/info/description");
}

function checkActions(actions: unknown, version: unknown, fault: Fault): void {
  if (!Array.isArray(actions) || actions.length === 0) return fault("`actions` must be a list of at least one action", "#/actions");
  const seen = new Set<string>();
  for (const [i, action] of actions.entries()) {
    checkAction(action, version, `#/actions/${i}`, fault);
    const text = JSON.stringify(action);
    if (seen.has(text)) fault("This action stands in the list twice", `#/actions/${i}`);
    seen.add(text);
  }
}

function checkAction(action: unknown, version: unknown, pointer: string, fault: Fault): void {
  if (!isObject(action)) return fault("An action is an object with a target", pointer);
  const copies = typeof version === "string" && version.startsWith("1.1.");
  unknownFields(action, ["target", "description", "update", "remove", ...(copies ? ["copy"] : [])], pointer, fault);
  const target = action["target"];
  if (typeof target !== "string" || !target.startsWith("$")) fault("`target` must be a JSONPath that starts with $", `${pointer}/target`);
  if ("description" in action && typeof action["description"] !== "string") fault("`description` of an action must be a string", `${pointer}/description`);
  if ("remove" in action && typeof action["remove"] !== "boolean") fault("`remove` must be true or false", `${pointer}/remove`);
  if ("copy" in action && typeof action["copy"] !== "string") fault("`copy` must be a JSONPath", `${pointer}/copy`);
}

function unknownFields(object: Record<string, unknown>, known: readonly string[], pointer: string, fault: Fault): void {
  for (const key of Object.keys(object)) {
    if (!known.includes(key) && !key.startsWith("x-")) fault(`Unknown field \`${key}\`; known are ${known.join(", ")}`, pointer);
  }
}
