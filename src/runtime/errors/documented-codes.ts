import type { ApiResponse } from "../client/types.js";
import { isObject, ownProperty } from "../data/values.js";
import type { ApiCall } from "./api-call.js";
import { responseValue } from "./api-error/extract.js";

/** Maximum number of values that are compared with documented codes. */
const MAX_VALUES = 200;
const MAX_EXPLAINED = 3;

/** Fields that hold a code as a number. */
const NUMBER_FIELD = /code|err|status|type/i;

/**
 * Documented meanings of the codes in an error response, one per line: of its values, or of its
 * status. Empty when the document explains none of them.
 */
export function documentedMeanings(
  response: Pick<ApiResponse, "status" | "headers" | "body" | "size">,
  { api, tool }: Pick<ApiCall, "api" | "tool">,
  message: string,
): string {
  if (!tool.errorCodes && !api.errorCodes) return "";
  const meaningOf = (code: string): string | undefined =>
    ownProperty(tool.errorCodes, code) ?? ownProperty(api.errorCodes, code);
  const codes = new Set([...scalars(responseValue(response)), String(response.status)]);
  return [...codes]
    .map((code) => [code, meaningOf(code)] as const)
    .filter(([, meaning]) => meaning !== undefined && !message.includes(meaning))
    .slice(0, MAX_EXPLAINED)
    .map(([code, meaning]) => `The documentation says of ${code}: ${JSON.stringify(meaning)}`)
    .join("\n");
}

/** Texts of a value, and numbers in fields that hold a code. */
function scalars(root: unknown): readonly string[] {
  const found: string[] = [];
  const queue: (readonly [value: unknown, field: string])[] = [[root, ""]];
  for (const [value, field] of queue) {
    if (queue.length > MAX_VALUES) break;
    if (typeof value === "string") found.push(value);
    else if (typeof value === "number" && NUMBER_FIELD.test(field)) found.push(String(value));
    else if (Array.isArray(value)) queue.push(...value.map((item) => [item, field] as const));
    else if (isObject(value))
      queue.push(...Object.entries(value).map(([key, item]) => [item, key] as const));
  }
  return found;
}
