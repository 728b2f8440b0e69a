/** Headers of a response that are facts of its result: the location, and those that are declared. */
import type { ResponseHeaders } from "../request/types.js";
import type { ResponseMapping } from "../types.js";
import { sanitize } from "./shape.js";

/** Maximum length of a header's value in a result. */
const MAX_HEADER = 2000;

interface HeaderOptions {
  readonly mapping: ResponseMapping;
  readonly status: number;
  readonly headers?: Pick<ResponseHeaders, "get">;
  /** True for a write, whose location is a fact unless the text has its last segment. */
  readonly isWrite?: boolean;
}

type HeaderEntry = readonly [name: string, value: string];

/** Lists the declared headers and the location in an empty response, one per line. */
export function headerLines(options: HeaderOptions): readonly string[] {
  return reportedHeaders(options).map(headerText);
}

const headerText = ([name, value]: HeaderEntry): string => `The API's header ${name}: ${value}`;

const otherHeaders = (options: HeaderOptions): readonly HeaderEntry[] =>
  reportedHeaders(options).filter(([name]) => !isLocation(name));

function othersAsValue(options: HeaderOptions): Readonly<Record<string, unknown>> {
  const others = otherHeaders(options);
  return others.length === 0 ? {} : { headers: Object.fromEntries(others) };
}

/**
 * The location of what a request created, or of its progress. RFC 9110, sections 15.3.2 and 15.3.3.
 * @param body text of the response, which may lack the ID in the location of a write
 */
export function locationOf(options: HeaderOptions, body?: string): { readonly location?: string } {
  const { mapping, status, headers, isWrite } = options;
  const location = readHeader("location", headers);
  if (location === undefined) return {};
  const isDeclared = mapping.headers?.some(isLocation) === true;
  const isNews = isWrite === true && body?.includes(lastSegment(location)) === false;
  return status === 201 || status === 202 || isDeclared || isNews ? { location } : {};
}

const lastSegment = (location: string): string =>
  location
    .replace(/[?#].*$/s, "")
    .split("/")
    .findLast(Boolean) ?? location;

/** Notes about the location and the declared headers, for a response with a body. */
export function headerNotes(options: HeaderOptions, body?: string): readonly string[] {
  const { location } = locationOf(options, body);
  const entries = location === undefined ? [] : [["Location", location] as const];
  return [...entries, ...otherHeaders(options)].map(headerText);
}

/** The same as values: `location`, and the others by their names. */
export function headerFacts(
  options: HeaderOptions,
  body?: string,
): Readonly<Record<string, unknown>> {
  return { ...locationOf(options, body), ...othersAsValue(options) };
}

function reportedHeaders(options: HeaderOptions): readonly HeaderEntry[] {
  const { mapping, headers } = options;
  const declared = mapping.headers ?? [];
  const isAdded = locationOf(options).location !== undefined && !declared.some(isLocation);
  const names = isAdded ? [...declared, "Location"] : declared;
  return names.flatMap((name): readonly HeaderEntry[] => {
    const value = readHeader(name, headers);
    return value === undefined ? [] : [[name, value]];
  });
}

function isLocation(name: string): boolean {
  return name.toLowerCase() === "location";
}

function readHeader(name: string, headers?: Pick<ResponseHeaders, "get">): string | undefined {
  const value = sanitize(headers?.get(name) ?? "");
  const omitted = value.length - MAX_HEADER;
  if (omitted > 0) return `${value.slice(0, MAX_HEADER)}… [${omitted} more characters]`;
  return value === "" ? undefined : value;
}
