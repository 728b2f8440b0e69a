/**
 * Path of the request. For any input, it has the segments of its template, and none of them is
 * `..`.
 */
import type { RequestMapping } from "../types.js";
import { serialize } from "./serialize.js";
import { encodeReservedPath, percentEncode } from "./percent-encoding.js";
import { pathText } from "./styles.js";
import {
  resolveParameter,
  type BindingContext,
  type ReportProblem,
  type ParameterValue,
} from "./parameter-source.js";
import { ownProperty } from "../data/object.js";

/** Fills the template `/pets/{petId}` and encodes its literal text. */
export function bindPath(
  mapping: Pick<RequestMapping, "path" | "pathParams">,
  binding: BindingContext,
): string {
  return segmentsOf(mapping.path)
    .map((segment) => bindSegment(segment, mapping.pathParams, binding))
    .join("/");
}

/** A segment of a template: literal text at even indexes, names of parameters at odd ones. */
type Segment = readonly string[];

const segmentsByPath = new Map<string, readonly Segment[]>();

/** Segments by template. Their number is that of the templates of all tools. */
function segmentsOf(path: string): readonly Segment[] {
  let segments = segmentsByPath.get(path);
  if (!segments)
    segmentsByPath.set(
      path,
      (segments = (path.startsWith("/") ? path : `/${path}`).split("/").map(segmentOf)),
    );
  return segments;
}

/** Splits a segment at its expressions: the capture group is at odd indexes. */
function segmentOf(template: string): Segment {
  return template
    .split(/\{([^{}]*)\}/)
    .map((part, index) => (index % 2 === 0 ? encodeReservedPath(part) : part));
}

function bindSegment(
  segment: Segment,
  wires: RequestMapping["pathParams"],
  call: BindingContext,
): string {
  if (segment.length === 1) return segment[0]!;
  const parameters: ParameterValue[] = [];
  const parts = segment.map((part, index) => {
    if (index % 2 === 0) return part;
    const parameter = resolveParameter(
      part,
      ownProperty(wires, part) ?? part,
      call,
      "is missing; the path needs a value",
    );
    if (parameter === undefined) return "";
    parameters.push(parameter);
    return parameterText(parameter);
  });
  const text = parts.join("");
  const [first] = parameters;
  if (first !== undefined && parts.length === 2 * parameters.length + 1)
    checkSegment(text, first.reportProblem);
  return text;
}

function parameterText(parameter: ParameterValue): string {
  const encode = parameter.allowReserved === true ? encodeReservedPath : percentEncode;
  if (parameter.contentType !== undefined)
    return encode(serialize(parameter, parameter.contentType));
  return pathText(parameter, encode);
}

/**
 * Rejects `.` and `..`, which every URL parser removes, also as `%2e`. RFC 3986, section 5.2.4.
 * Servers that decode before they route would also remove `..%2F..`, and some cut `..;x` at the
 * semicolon.
 */
function checkSegment(segment: string, reportProblem: ReportProblem): void {
  if (segment === "") reportProblem("is empty; the path needs a value");
  const decoded = segment
    .replace(/%2e/gi, ".")
    .replace(/%2f|%5c/gi, "/")
    .replace(/%3b/gi, ";");
  const isDots = /^\.{1,2}(;|$)/.test(decoded);
  if (isDots || /(^|\/)\.\.([/;]|$)/.test(decoded))
    reportProblem('has a "." or ".." path segment, which would lead to another path');
}
