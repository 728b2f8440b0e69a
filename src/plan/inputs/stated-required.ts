/** Parameters that only their text calls required. */
import type { JsonSchema } from "../../json.js";

/** `(Required) ID of the campaign`; a condition after the mark is not stated by a schema. */
const MARK =
  /^\W{0,4}[([]required[)\]](?!\W{0,5}(?:by|either|except|for|if|in|one|only|unless|when|with)\b)/i;
const CAN_BE_ABSENT = /\bdefaults?\b|\boptional\b|\bif (?:not|none|omitted|empty|you)\b/i;

/** True if the text of a parameter of the query starts with `(Required)`, and states no default. */
export const statesRequired = (
  location: string,
  text: string,
  { default: fallback }: JsonSchema,
): boolean =>
  location === "query" && fallback === undefined && MARK.test(text) && !CAN_BE_ABSENT.test(text);
