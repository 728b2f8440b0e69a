import { isObject, omitUndefined } from "../json.js";
import { ownProperty, type RawObject } from "./raw-object.js";
import type { Operation } from "./types.js";

/** Extensions that mark operations that are not for everybody. */
const INTERNAL_MARKS = ["x-internal", "x-speakeasy-ignore", "x-fern-ignore"];

/**
 * Reads what a document says about the tool of an operation: `x-mcp`, or `x-speakeasy-mcp` of
 * another generator in its form. An operation's own value goes before that of its path.
 */
export function readToolExtensions(
  path: RawObject,
  operation: RawObject,
): Pick<Operation, "xMcp" | "hiddenBy"> {
  const owners = [operation, path];
  return omitUndefined({
    xMcp: owners.map(readXMcp).find((value) => value !== undefined),
    hiddenBy: INTERNAL_MARKS.find((mark) => owners.some((raw) => ownProperty(raw, mark) === true)),
  });
}

function readXMcp(raw: RawObject): unknown {
  return ownProperty(raw, "x-mcp") ?? fromSpeakeasy(ownProperty(raw, "x-speakeasy-mcp"));
}

/** Converts `x-speakeasy-mcp`. Scopes select tools in its own server only and are left out. */
function fromSpeakeasy(extension: unknown): unknown {
  if (!isObject(extension)) return undefined;
  const { disabled, name, title, description, scopes: _, ...annotations } = extension;
  return omitUndefined({
    enabled: typeof disabled === "boolean" ? !disabled : undefined,
    name: typeof name === "string" ? name.replaceAll("-", "_").toLowerCase() : name,
    title,
    description,
    annotations: Object.keys(annotations).length > 0 ? annotations : undefined,
  });
}
