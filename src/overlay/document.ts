import { diagnostic, type Diagnostic } from "../diagnostics/index.js";
import { isObject } from "../json.js";
import { readActions, type OverlayAction } from "./action.js";
import { checkFields, type Fault } from "./fields.js";

/** A checked overlay: its actions in order. */
export interface Overlay {
  readonly actions: readonly OverlayAction[];
}

/**
 * Checks an overlay document against the Overlay Specification 1.0.x, 1.1.x and 1.2.x, and puts
 * reusable actions in their places.
 * @param document parsed YAML or JSON
 * @param file the overlay's name, for places
 * @returns the overlay, or every fault found
 */
export function readOverlay(
  document: unknown,
  file: string,
): { readonly overlay?: Overlay; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const fault: Fault = (message, pointer, hint) =>
    void diagnostics.push(diagnostic("overlay-invalid", message, { file, pointer }, hint));
  if (!isObject(document)) {
    fault("An overlay is an object with `overlay`, `info` and `actions`", "#");
    return { diagnostics };
  }
  const minor = checkRoot(document, fault);
  const actions = readActions(document, minor, file, fault);
  return diagnostics.length > 0 ? { diagnostics } : { overlay: { actions }, diagnostics };
}

/** @returns the minor version: 1 of `1.1.0` */
function checkRoot(root: Record<string, unknown>, fault: Fault): number {
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

/** Since 1.2 both identify whole documents. */
function checkUri(root: Record<string, unknown>, field: string, minor: number, fault: Fault): void {
  const value = root[field];
  if (!(field in root)) return;
  if (typeof value !== "string") fault(`\`${field}\` must be a URI reference`, `#/${field}`);
  else if (minor >= 2 && value.includes("#"))
    fault(
      `\`${field}\` must not have a fragment: it names a whole document`,
      `#/${field}`,
      "Remove what follows the #.",
    );
}

function checkInfo(info: unknown, minor: number, fault: Fault): void {
  if (!isObject(info))
    return fault("`info` must be an object with a title and a version", "#/info");
  checkFields(info, { title: 0, version: 0, description: 0 }, minor, "#/info", fault);
  for (const field of ["title", "version"])
    if (typeof info[field] !== "string")
      fault(`\`${field}\` of info must be a string`, `#/info/${field}`);
  if ("description" in info && typeof info["description"] !== "string")
    fault("`description` of info must be a string", "#/info/description");
}
