/** Headers of an error response that are facts of the error. */
import { sanitize } from "../response/shape.js";
import type { ApiResponse } from "../request/types.js";

/** Headers that belong to a status. RFC 9110, sections 15.5.6, 15.5.16 and 15.5.10. */
const HEADERS_BY_STATUS: Readonly<Record<number, readonly string[]>> = {
  405: ["Allow"],
  409: ["Location"],
  415: ["Accept", "Accept-Post", "Accept-Patch"],
  426: ["Upgrade"],
};

/** Headers in which servers state an error: `X-Error`, `X-Influxdb-Error`, `Grpc-Message`. */
const ERROR_HEADER =
  /^(?:[a-z\d]{1,30}-){0,3}(?:errors?|reason|message)(?:-(?:code|type|message|details?))?$/;

const MAX_HEADER = 500;
const MAX_HEADERS = 4;

/** Lines that quote the headers of an error response which the shown text lacks. */
export function errorHeaderLines(
  { status, headers }: Pick<ApiResponse, "status" | "headers">,
  shown: string,
): readonly string[] {
  const byStatus = (HEADERS_BY_STATUS[status] ?? []).map(
    (name) => [name, headers.get(name) ?? ""] as const,
  );
  const stated = [...headers].filter(([name]) => ERROR_HEADER.test(name.toLowerCase()));
  return [...byStatus, ...stated]
    .map(([name, value]) => [name, sanitize(value).trim()] as const)
    .filter(([, value]) => value !== "" && !shown.includes(value))
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => `The API's header ${name}: ${limitLength(value)}`);
}

function limitLength(text: string): string {
  if (text.length <= MAX_HEADER) return text;
  return `${text.slice(0, MAX_HEADER)}… [${text.length - MAX_HEADER} more characters]`;
}
