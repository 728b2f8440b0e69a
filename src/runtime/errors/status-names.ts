/** Standard names of HTTP statuses. */
import type { ApiResponse } from "../request/types.js";

/** The status with its standard name. The API's own reason phrase is shown, as such, only without one. */
export function formatStatus({
  status,
  statusText,
}: Pick<ApiResponse, "status" | "statusText">): string {
  const name = statusName(status);
  if (name !== "" || statusText === "") return `${status} ${name}`.trim();
  return `${status} (in the API's words ${JSON.stringify(statusText.slice(0, 60))})`;
}

/** Reason phrases of HTTP statuses. RFC 9110, section 15. */
const STATUS_NAMES: ReadonlyMap<number, string> = new Map([
  [200, "OK"],
  [201, "Created"],
  [202, "Accepted"],
  [206, "Partial Content"],
  [207, "Multi-Status"],
  [304, "Not Modified"],
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [402, "Payment Required"],
  [403, "Forbidden"],
  [404, "Not Found"],
  [405, "Method Not Allowed"],
  [406, "Not Acceptable"],
  [408, "Request Timeout"],
  [409, "Conflict"],
  [410, "Gone"],
  [412, "Precondition Failed"],
  [413, "Content Too Large"],
  [415, "Unsupported Media Type"],
  [422, "Unprocessable Content"],
  [423, "Locked"],
  [428, "Precondition Required"],
  [429, "Too Many Requests"],
  [500, "Internal Server Error"],
  [501, "Not Implemented"],
  [502, "Bad Gateway"],
  [503, "Service Unavailable"],
  [504, "Gateway Timeout"],
]);

/** Names that older versions of HTTP gave to a status. */
const FORMER_NAMES: ReadonlyMap<number, readonly string[]> = new Map([
  [413, ["Payload Too Large", "Request Entity Too Large"]],
  [422, ["Unprocessable Entity"]],
]);

/** Reason phrase of a status, for HTTP/2 responses, which have none. Empty for an unusual status. */
function statusName(status: number): string {
  return STATUS_NAMES.get(status) ?? "";
}

/** The standard name of a status, and those of older versions of HTTP. */
export function statusNames(status: number): readonly string[] {
  return [statusName(status), ...(FORMER_NAMES.get(status) ?? [])];
}

/** Removes the parts of a message that only name the status: `No such pet; Not Found`. */
export function withoutStatusName(message: string, status: number): string {
  const names = statusNames(status).map(alphanumeric);
  const parts = message.split("; ");
  const rest = parts.filter((part) => {
    const name = alphanumeric(
      part.replace(new RegExp(`^(?:(?:http|error) )*${status}\\b`, "i"), ""),
    );
    return name !== "" && !names.includes(name);
  });
  return rest.length === parts.length ? message : rest.join("; ");
}

/** Letters and numbers in lower case. */
export const alphanumeric = (text: string): string =>
  text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
