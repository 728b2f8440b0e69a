/** Path of a request: for any input, it has the segments of its template, and none of them is `..`. */
import { ownProperty } from "../data/values.js";
import type { RequestMapping } from "../types.js";
import {
  type BindingContext,
  type ParameterValue,
  type ReportProblem,
  resolveParameter,
} from "./parameter-source.js";
import { encodeReservedPath, percentEncode } from "./serialize.js";
import { serialize } from "./serialize-content.js";
import { pathText } from "./styles.js";

/** Fills the template `/pets/{petId}` and encodes its literal text. */
export function bindPath(
  mapping: Pick<RequestMapping, "path" | "pathParams"> & Partial<Pick<RequestMapping, "method">>,
  binding: BindingContext,
): string {
  const { pathParams, method } = mapping;
  const segments = segmentsOf(mapping.path);
  return segments
    .map((segment, i) => {
      const mayBeEmpty = i === segments.length - 1 && mayBeRoot(segment, method);
      return bindSegment(segment, pathParams, binding, mayBeEmpty);
    })
    .join("/");
}

/**
 * True for the path of a folder at the end of a URL, which is empty for the root. A request that
 * may delete or replace needs a path.
 */
const mayBeRoot = ([before, name = "", after, ...others]: Segment, method = ""): boolean =>
  before === "" &&
  after === "" &&
  others.length === 0 &&
  /^(?:GET|HEAD|POST)$/.test(method) &&
  /(?:^|_|(?<=[a-z])(?=[DFP]))(?:[Dd]ir|[Dd]irectory|[Ff]older|[Pp]ath|[Pp]refix)$/.test(name);

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
  sources: RequestMapping["pathParams"],
  binding: BindingContext,
  mayBeEmpty: boolean,
): string {
  if (segment.length === 1) return segment[0]!;
  const parameters: ParameterValue[] = [];
  const parts = segment.map((part, index) => {
    if (index % 2 === 0) return part;
    const parameter = resolveParameter(
      part,
      ownProperty(sources, part) ?? part,
      binding,
      "is missing; the path needs a value",
    );
    if (parameter === undefined) return "";
    parameters.push(parameter);
    return parameterText(parameter);
  });
  const text = parts.join("");
  const [first] = parameters;
  if (first !== undefined && parts.length === 2 * parameters.length + 1)
    checkSegment(text, first.reportProblem, mayBeEmpty);
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
function checkSegment(segment: string, reportProblem: ReportProblem, mayBeEmpty: boolean): void {
  if (segment === "" && !mayBeEmpty) reportProblem("is empty; the path needs a value");
  const decoded = segment
    .replace(/%2e/gi, ".")
    .replace(/%2f|%5c/gi, "/")
    .replace(/%3b/gi, ";");
  const isDots = /^\.{1,2}(;|$)/.test(decoded);
  if (isDots || /(^|\/)\.\.([/;]|$)/.test(decoded))
    reportProblem('has a "." or ".." path segment, which would lead to another path');
}
