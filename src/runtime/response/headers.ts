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
}

type HeaderEntry = readonly [name: string, value: string];

/** Lists the declared headers and the location in an empty response, one per line. */
export function headerLines(options: HeaderOptions): readonly string[] {
  return reportedHeaders(options).map(([name, value]) => `The API's header ${name}: ${value}`);
}

/** The same as values: `location`, and the others by their names. */
export function headerValues(options: HeaderOptions): Readonly<Record<string, unknown>> {
  const others = reportedHeaders(options).filter(([name]) => !isLocation(name));
  return {
    ...locationOf(options),
    ...(others.length > 0 && { headers: Object.fromEntries(others) }),
  };
}

/**
 * The location of what a request created, or of its progress. RFC 9110, sections 15.3.2 and 15.3.3.
 */
export function locationOf(options: HeaderOptions): { readonly location?: string } {
  const { mapping, status, headers } = options;
  const isReported = status === 201 || status === 202 || mapping.headers?.some(isLocation);
  const location = isReported ? readHeader("location", headers) : undefined;
  return location === undefined ? {} : { location };
}

/** Note about the location, for a response with a body. */
export function locationNote(options: HeaderOptions): string | undefined {
  const { location } = locationOf(options);
  return location === undefined ? undefined : `The API's header Location: ${location}`;
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
